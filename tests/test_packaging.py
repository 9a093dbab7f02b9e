"""What is installed: the lock files have what the project asks for, with hashes, and CI the Pythons that it names."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from ruamel.yaml import YAML

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKED = re.compile(r"^([\w.-]+)==(\S+)(?: ; [^\\\n]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def needed(*extras: str) -> Iterator[Requirement]:
    """What the project asks for with these extras, those that they have from others among them."""
    for requirement in map(Requirement, [*PROJECT["dependencies"], *(one for name in extras for one in EXTRAS[name])]):
        if requirement.name == PROJECT["name"]:
            yield from needed(*requirement.extras)
        else:
            yield requirement


@pytest.mark.parametrize(
    ("file", "extras"), [("dev", ["dev"]), ("bench", ["dev", "bench"]), ("fuzz", ["dev", "fuzz"]), ("peers", None)]
)
def test_the_lock_file_has_what_is_needed_with_hashes(file: str, extras: list[str] | None) -> None:
    text = (ROOT / f"lock/{file}.txt").read_text(encoding="utf-8")
    assert LOCKED.sub("", text).strip() == "", "names, versions, hashes, and no host"
    peers = (ROOT / "benchmarks/peers.txt").read_text(encoding="utf-8").splitlines()
    wanted = needed(*extras) if extras is not None else (Requirement(line) for line in peers if line[:1] != "#")
    locked = [(name, version) for name, version, _ in LOCKED.findall(text)]
    for one in wanted:
        versions = [version for name, version in locked if name == canonicalize_name(one.name)]
        assert versions and all(map(one.specifier.contains, versions)), f"{one}: run `make lock`"


def test_all_means_every_extra_of_users() -> None:
    (everything,) = map(Requirement, EXTRAS["all"])
    assert everything.extras == EXTRAS.keys() - {"all", "dev", "bench", "fuzz"}


def test_ci_runs_every_python_that_is_named() -> None:
    workflow = YAML(typ="safe").load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    job = workflow["jobs"]["test"]
    named = [found[1] for one in PROJECT["classifiers"] if (found := re.fullmatch(r".* :: Python :: (3\.\d+)", one))]
    assert job["strategy"]["matrix"]["python"] == named and PROJECT["requires-python"] == f">={named[0]}"
    assert job["steps"][-1]["run"].startswith("make test")
