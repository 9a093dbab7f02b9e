"""What users run in CI: the action, the workflow of the club and the hook, with the shell commands that they run there;
and the wheel that the action installs, used outside the checkout."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution, distributions
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest
from commands import run
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from processes import HANGS
from ruamel.yaml import YAML
from web_server import Server

ROOT = Path(__file__).resolve().parents[2]
CLUB = ROOT / "examples/house-rules"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("installed")]

Done = subprocess.CompletedProcess[str]


def yaml(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


def replaced(text: str, inputs: Mapping[str, str]) -> str:
    """The text with what GitHub would put in place of `${{ ... }}`."""
    values = {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(ROOT)}
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values[found[1]], text)


def run_step(name: str, inputs: Mapping[str, str], runner: Path, cwd: Path, **environment: str) -> Done:
    """Run a shell step of the action as GitHub does."""
    action = yaml(ROOT / "action.yml")
    all_inputs = {id: str(said["default"]) for id, said in action["inputs"].items()} | dict(inputs)
    (step,) = [step for step in action["runs"]["steps"] if step["name"] == name]
    assert step["shell"] == "bash" and "${{" not in step["run"], "inputs reach the shell as variables only"
    env = {id: replaced(str(value), all_inputs) for id, value in step.get("env", {}).items()}
    return shell(step["run"], cwd, {**env, **environment, "RUNNER_TEMP": str(runner)})


def shell(command: str, cwd: Path, env: Mapping[str, str]) -> Done:
    """The command in bash, in a shell without anything of this checkout."""
    bare = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    python = f"{Path(sys.executable).parent}{os.pathsep}{bare['PATH']}"
    arguments = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
    return subprocess.run(arguments, cwd=cwd, env={**bare, "PATH": python, **env}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the action has installed Tilewright, in an environment with what it says that it depends on,
    without extras: linked to what is installed here, so that nothing is downloaded and whatever is not declared is
    missing."""
    folder = tmp_path_factory.mktemp("runner")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "tilewright"], check=True)
    (packages,) = folder.glob("tilewright/lib/python*/site-packages")
    there = {one.name for one in distributions()} & {
        "pip",
        "setuptools",
    }  # which the action's venv would install for seconds
    link_distributions(needed_by("tilewright") - {"tilewright"} | needed_by("hatchling") | there, packages)
    # 0 is how pip wants to hear that nothing is compiled that no test may need; test_kernelc.py has kernels in a wheel.
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_COMPILE": "0", "TILEWRIGHT_KERNELS": "plain"}
    done = run_step("Install Tilewright", {}, folder, folder, **offline)
    assert done.returncode == 0, done.stderr
    return folder


def needed_by(name: str, extra: str = "") -> set[str]:
    """A distribution that is installed here with all that it depends on, by name."""
    found, waiting = set[str](), [(name, extra)]
    while waiting:
        name, extra = waiting.pop()
        found.add(name)
        for requirement in map(Requirement, distribution(name).requires or ()):
            key = canonicalize_name(requirement.name)
            wanted = requirement.marker is None or requirement.marker.evaluate({"extra": extra})
            if wanted and (key not in found or requirement.extras):
                waiting += [(key, extra) for extra in requirement.extras or {""}]
    return found


def link_distributions(names: Iterable[str], folder: Path) -> None:
    """Link the packages and modules of distributions into a folder."""
    for name in names:
        installed = distribution(name)
        for top in {file.parts[0] for file in installed.files or () if file.parts[0] not in ("..", "__pycache__")}:
            if not (folder / top).exists():
                (folder / top).symlink_to(str(installed.locate_file(top)))


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A copy of the club's folder, outside the checkout."""
    return shutil.copytree(CLUB, tmp_path / "club")


def inputs_of_the_club() -> dict[str, str]:
    """What the club's workflow gives to the action."""
    steps = yaml(CLUB / ".github/workflows/rules.yml")["jobs"]["check"]["steps"]
    (step,) = [step for step in steps if step["uses"].startswith("tilewright/tilewright@")]
    return {name: str(value) for name, value in step["with"].items()}


@dataclass(frozen=True)
class Seeded:
    """A mistake that is seeded in a file of the club, and where it is found: `at` is underlined."""

    file: str
    replace: str
    by: str
    code: str
    line: int
    at: str


CASES, WITH_MOD, GAME, MOD = (
    "harbour_club.jsonl",
    "harbour_club+dragon_pairs.jsonl",
    "harbour_club.yaml",
    "dragon_pairs.yaml",
)
SEEDED = {  # those that are found in one run
    "keys": (
        Seeded(GAME, "{form: seven", "{forms: seven", "unknown-key", 23, "forms"),
        Seeded(GAME, "yes: true", "yes: maybe", "wrong-type", 25, "maybe"),
    ),
    "names": (
        Seeded(GAME, "[7 pairs]", "[7 pears]", "unknown-word", 16, "pears"),
        Seeded(GAME, "worth: 4", "worth: four", "unknown-word", 22, "four"),
    ),
    "meaning": (
        Seeded(MOD, "3 different pairs", "3 different pears", "unknown-word", 11, "pears"),
        Seeded(MOD, "[seven_pairs]", "[seven_pear]", "unknown-pattern", 12, "seven_pear"),
        Seeded(
            GAME, "yes: false", "yes: true", "example-fails", 26, "{hand: 222m 777p EEE 55s CC, win: 5s, yes: true}"
        ),
        Seeded(CASES, '"faan": 5', '"faan": 6', "case-fails", 1, '"expect"'),
        Seeded(CASES, "567p 222s", "567p 2222s", "case-fails", 2, '"expect"'),
        Seeded(WITH_MOD, '"expect": {', '"expect": ', "not-json", 1, '"expect"'),
    ),
}


def spoil(club: Path, mistakes: Iterable[Seeded]) -> None:
    for one in mistakes:
        path = club / one.file
        text = path.read_text(encoding="utf-8")
        assert one.replace in text
        path.write_text(text.replace(one.replace, one.by, 1), encoding="utf-8")


def column(club: Path, one: Seeded) -> int:
    """The column of what is underlined, counted from 1."""
    return (club / one.file).read_text(encoding="utf-8").splitlines()[one.line - 1].index(one.at) + 1


Found = set[tuple[str, int, int, str]]  # file, line, column and code


def wanted(club: Path, mistakes: Iterable[Seeded]) -> Found:
    """What is found of seeded mistakes."""
    return {(one.file, one.line, column(club, one), one.code) for one in mistakes}


def in_text(text: str) -> Found:
    told = re.findall(r"^(.+?):(\d+):(\d+): ([\w-]+): ", text, re.MULTILINE)
    return {(file, int(line), int(at), code) for file, line, at, code in told} - KNOWN


def in_annotations(text: str) -> Found:
    marked = re.findall(r"^::error file=(.+),line=(\d+),col=(\d+),.*title=([\w-]+)::", text, re.MULTILINE)
    return {(file, int(line), int(at), code) for file, line, at, code in marked} - KNOWN


def in_sarif(text: str) -> Found:
    (made,) = json.loads(text)["runs"]
    return set(map(result_in_sarif, made["results"])) - KNOWN


def result_in_sarif(result: Mapping[str, Any]) -> tuple[str, int, int, str]:
    (location,) = [one["physicalLocation"] for one in result["locations"]]
    region = location["region"]
    return unquote(location["artifactLocation"]["uri"]), region["startLine"], region["startColumn"], result["ruleId"]


def in_junit(text: str) -> Found:
    return in_text("\n".join(failure.text or "" for failure in ElementTree.fromstring(text).iter("failure")))


KNOWN = {("dragon_pairs.yaml", 5, at, "broken-ruleset") for at in (1, 7)}  # a mod for a ruleset that cannot be read
FORMATS = {"github": in_annotations, "sarif": in_sarif, "junit": in_junit}


@pytest.mark.parametrize("mistakes", SEEDED.values(), ids=SEEDED)
def test_mistakes_are_found_where_they_are(mistakes: Sequence[Seeded], club: Path) -> None:
    """Ten in all, in every format."""
    spoil(club, mistakes)
    done = run("check", ".", cwd=club)
    assert in_text(done.stderr) == wanted(club, mistakes) and done.returncode == 1
    for name, found in FORMATS.items():
        done = run("check", ".", "--format", name, cwd=club)
        assert found(done.stdout) == wanted(club, mistakes) and done.returncode == 1


def test_the_action_the_hook_and_gitlab_find_them(runner: Path, club: Path) -> None:
    """Each some of them, with what is installed; the hook and GitLab leave other YAML alone."""
    keys, names, meaning = (shutil.copytree(club, club.with_name(name)) for name in SEEDED)
    spoil(keys, SEEDED["keys"])
    done = run_step("Check", inputs_of_the_club(), runner, keys)
    assert in_annotations(done.stdout) == wanted(keys, SEEDED["keys"]) and done.returncode == 1
    spoil(names, SEEDED["names"])
    inputs = {"paths": "harbour_club.yaml\ndragon_pairs.yaml", "format": "sarif", "output": "report.sarif"}
    done = run_step("Check", inputs, runner, names)
    report = (names / "report.sarif").read_text(encoding="utf-8")
    assert in_sarif(report) == wanted(names, SEEDED["names"]) and done.returncode == 1
    assert json.loads(report)["version"] == "2.1.0"
    spoil(meaning, SEEDED["meaning"])
    (meaning / "compose.yaml").write_text("services: {web: {image: nginx}}\n", encoding="utf-8")
    hook, _ = hooks()
    done = shell(" ".join([hook["entry"], *hook["args"]]), meaning, path_of(runner))
    assert in_text(done.stderr) == wanted(meaning, SEEDED["meaning"]) and done.returncode == 1
    job = yaml(CLUB / ".gitlab-ci.yml")["rules"]
    install, check = job["script"]
    assert install.startswith("pip install ") and job["artifacts"]["reports"]["junit"] == "report.xml"
    done = shell(check, meaning, path_of(runner))
    report = (meaning / "report.xml").read_text(encoding="utf-8")
    assert in_junit(report) == wanted(meaning, SEEDED["meaning"]) and done.returncode == 1


def path_of(runner: Path) -> dict[str, str]:
    """The environment in which `tilewright` is what the action has installed."""
    return {"PATH": f"{runner}/tilewright/bin{os.pathsep}{os.environ['PATH']}"}


def test_the_workflow_passes(club: Path) -> None:
    inputs = inputs_of_the_club()
    assert inputs.keys() <= yaml(ROOT / "action.yml")["inputs"].keys()
    done = run("check", inputs["paths"], "--format", inputs["format"], "--fail-on", inputs["fail-on"], cwd=club)
    assert done.returncode == 0, done.stdout + done.stderr


def hooks() -> tuple[Any, Any]:
    """The hook that checks, and the one that formats."""
    check, fmt = yaml(ROOT / ".pre-commit-hooks.yaml")
    return check, fmt


def test_the_hook_looks_at_rules_and_cases(club: Path) -> None:
    hook, _ = hooks()
    assert hook["pass_filenames"] is False and hook["language"] == "python"
    looked_at = {path.name for path in club.iterdir() if re.search(hook["files"], path.name)}
    assert looked_at == {path.name for path in club.iterdir() if path.suffix in (".yaml", ".yml", ".jsonl")}


def test_the_hook_that_formats(runner: Path, club: Path) -> None:
    _, hook = hooks()
    assert hook["pass_filenames"] is False and hook["language"] == "python"
    assert [path.name for path in club.iterdir() if re.search(hook["files"], path.name)] == [
        path.name for path in club.iterdir() if path.suffix in (".yaml", ".yml")
    ]
    command = " ".join([hook["entry"], *hook["args"]])
    mod = club / "dragon_pairs.yaml"
    before = mod.read_text(encoding="utf-8")
    mod.write_text(before.replace("worth: 3", "worth:  3"), encoding="utf-8")
    assert shell(command, club, path_of(runner)).stdout == "formatted dragon_pairs.yaml\n"
    assert mod.read_text(encoding="utf-8") == before


def test_the_hook_looks_at_cards_as_plain_text(runner: Path, tmp_path: Path) -> None:
    hook, _ = hooks()
    assert re.search(hook["files"], "card.txt")
    (tmp_path / "notes.txt").write_text("Bring your own tiles.\n", encoding="utf-8")
    (tmp_path / "card.txt").write_text("Card\n“Evens”\nFF 222 444 666 88 X25\n", encoding="utf-8")
    (tmp_path / "right.txt").write_text("Card\n“Evens”\nFF 222 444 666 888 X25\n", encoding="utf-8")
    done = run_step("Check", {}, runner, tmp_path)
    assert done.returncode == 1 and done.stdout.count("::error ") == 1 and "file=card.txt,line=3," in done.stdout


def test_the_wheel_carries_its_files(runner: Path) -> None:
    (package,) = runner.glob("tilewright/lib/python*/site-packages/tilewright")
    for folder in ("cards", "rulesets", "schemas"):
        carried = {path.name for path in (package / "_data" / folder).rglob("*") if path.is_file()}
        assert carried == {path.name for path in (ROOT / folder).rglob("*") if path.is_file()}
    web = ROOT / "engine/tilewright/web"
    shipped = [path.relative_to(web) for path in web.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert [str(path) for path in shipped if not (package / "web" / path).is_file()] == []
    assert (package / "py.typed").is_file() and (package / "language/expressions/grammar.json").is_file()
    templates = (package / "authoring/templates").iterdir()
    assert {path.name for path in templates} == {"card.yaml", "mod.yaml", "ruleset.yaml"}


def test_the_table_is_served_from_the_wheel(runner: Path, tmp_path: Path) -> None:
    """With the packages of the extra, which it asks for when they are missing."""
    done = shell(f"'{runner}/tilewright/bin/tilewright' serve --port 0", tmp_path, {})
    assert done.returncode == 2 and "pip install 'tilewright[serve]'" in done.stderr
    extra = tmp_path / "extra"
    extra.mkdir()
    link_distributions(needed_by("tilewright", "serve") - needed_by("tilewright"), extra)
    environment = {"PYTHONPATH": str(extra)}
    server = Server(tmp_path / "server", environment=environment, python=f"{runner}/tilewright/bin/python")
    try:
        with urlopen(server.start().url, timeout=HANGS) as answer:
            assert b"<!doctype html>" in answer.read().lower()
        assert server.stop() == 0
    finally:
        server.kill()


EVERY_COMMAND = """
import shlex, sys, tilewright
from tilewright.cli.main import main

score = tilewright.load("zung_jung_plus").score("222p 333s 88m EE", melds=["444p"], win="E")
print(score.total, tilewright.__file__)

for line in sys.argv[1:]:
    sys.argv = ["tilewright", *shlex.split(line)]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, line
"""


def test_every_command_works_from_the_wheel(runner: Path, tmp_path: Path) -> None:
    """One after the other in one process, outside the checkout, after a hand is scored: what they need is there."""
    lines = (
        *("new ruleset my_rules", "check my_rules.yaml", "words", "schema my_rules.yaml", "--version"),
        *("new card my_card", "card check my_card.yaml", "card process basic1", "card show my_card.yaml -o card.html"),
        *("card nearest my_card.yaml --hand '11122223334456m'", "waits american --hand '1112222333445m'"),
    )
    command = shlex.join([f"{runner}/tilewright/bin/python", "-c", EVERY_COMMAND, *lines])
    done = shell(command, tmp_path, {})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"40 {runner}")
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {"my_rules.yaml", "my_card.yaml", "card.html"}
