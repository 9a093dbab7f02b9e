"""What is installed: the lock files have what the project asks for, with hashes, and CI the Pythons that it names."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from ruamel.yaml import YAML

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
PEERS = ROOT / "benchmarks/peers.txt"
EXTRAS = PROJECT["optional-dependencies"]
GROUPS = {name: [*map(Requirement, listed)] for name, listed in PYPROJECT["dependency-groups"].items()}
LOCKED = re.compile(r"^([\w.-]+)==(\S+)(?: ; [^\\\n]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def needed(*extras: str) -> Iterator[Requirement]:
    """What the project asks for with these extras, those that they have from others among them."""
    for requirement in map(Requirement, [*PROJECT["dependencies"], *(one for name in extras for one in EXTRAS[name])]):
        if requirement.name == PROJECT["name"]:
            yield from needed(*requirement.extras)
        else:
            yield requirement


LOCK_FILES: dict[str, list[Requirement]] = {
    "dev": [*needed("all"), *GROUPS["dev"]],
    "bench": [*needed("all"), *GROUPS["dev"], *GROUPS["bench"]],
    "fuzz": [*needed("all"), *GROUPS["dev"], *GROUPS["fuzz"]],
    "serve": [*needed("serve", "postgres")],
    "build": [*map(Requirement, PYPROJECT["build-system"]["requires"])],
    "audit": GROUPS["audit"],
    "peers": [Requirement(line) for line in PEERS.read_text(encoding="utf-8").splitlines() if line[:1] != "#"],
}


@pytest.mark.parametrize(("file", "wanted"), LOCK_FILES.items(), ids=LOCK_FILES)
def test_the_lock_file_has_what_is_needed_with_hashes(file: str, wanted: list[Requirement]) -> None:
    text = (ROOT / f"lock/{file}.txt").read_text(encoding="utf-8")
    assert LOCKED.sub("", text).strip() == "", "names, versions, hashes, and no host"
    locked = [(name, version) for name, version, _ in LOCKED.findall(text)]
    for one in wanted:
        versions = [version for name, version in locked if name == canonicalize_name(one.name)]
        assert versions and all(map(one.specifier.contains, versions)), f"{one}: run `make lock`"


def test_what_is_deployed_is_what_is_tested() -> None:
    tested, deployed = (set(LOCKED.findall((ROOT / f"lock/{file}.txt").read_text())) for file in ("dev", "serve"))
    assert deployed <= tested


def test_all_means_every_extra_of_users() -> None:
    (everything,) = map(Requirement, EXTRAS["all"])
    assert everything.extras == EXTRAS.keys() - {"all"}


def test_the_build_is_locked_as_it_is_asked_for() -> None:
    """And besides it what builds the documentation into the image."""
    build = PYPROJECT["dependency-groups"]["build"]
    assert [one for one in build if not one.startswith("zensical")] == PYPROJECT["build-system"]["requires"]


WORKFLOWS = [
    *(ROOT / ".github/workflows").glob("*.yml"),
    *(ROOT / "examples").glob("*/.github/workflows/*.yml"),
    ROOT / "action.yml",
]
OWN = "tilewright/tilewright"  # of the release that the example belongs to: its commit is not known before


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    """A tag may be moved to other code; the version is a comment beside the commit."""
    used = re.findall(r"^ *-? ?uses: *(\S+?)@(\S+) *(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used or "run: make" in path.read_text(encoding="utf-8")
    for action, ref, comment in used:
        assert action == OWN or (re.fullmatch(r"[0-9a-f]{40}", ref) and re.fullmatch(r"# v[\d.]+", comment)), action


def test_ci_runs_every_python_that_is_named() -> None:
    workflow = YAML(typ="safe").load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    job = workflow["jobs"]["test"]
    named = [found[1] for one in PROJECT["classifiers"] if (found := re.fullmatch(r".* :: Python :: (3\.\d+)", one))]
    assert job["strategy"]["matrix"]["python"] == named and PROJECT["requires-python"] == f">={named[0]}"
    assert job["steps"][-1]["run"].startswith("make test")
