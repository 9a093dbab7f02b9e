"""Files of strangers: names, folders, mods and caches made to trip the loader give problems and run nothing."""

import io
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilewright.base.files import BadCacheEntry, sealed
from tilewright.base.problem import MAX_MESSAGE, Problem, RulesetError, Source
from tilewright.language import load
from tilewright.language.check import MAX_MODS, MAX_PROBLEMS, problems_of
from tilewright.language.documents.whole import MAX_BASES
from tilewright.language.load import CacheKey, CacheReader, load_data, recall_compiled

SMALL = {
    "tilewright": 1,
    "kind": "ruleset",
    "name": "Small",
    "tiles": {"copies": 4, "suits": {"circles": {"code": "p", "ranks": "1..9"}}},
    "groups": {"pair": {"alike": 2}, "triplet": {"alike": 3}},
    "forms": {"regular": {"groups": ["4 triplets", "pair"]}},
    "seats": {"count": 4},
    "zones": {"hand": {"of": "seat", "seen_by": "owner"}},
    "scoring": {"measures": {"points": {"name": "Points", "cap": 100}}, "best": "points"},
    "patterns": {"win": {"name": "Win", "worth": 1, "each": ["triplet"]}},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small ruleset, and a cache of its own."""
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    write(tmp_path, "small", SMALL)
    return tmp_path


def write(folder: Path, id: str, document: dict[str, Any]) -> Path:
    path = folder / f"{id}.yaml"
    path.write_text(json.dumps({"id": id, **document}), encoding="utf-8")
    return path


def mod(folder: Path, id: str, **sections: Any) -> Path:
    return write(folder, id, {"tilewright": 1, "kind": "mod", "name": id, "for": ["small"], **sections})


def codes(path: Path) -> list[str]:
    problems = problems_of(path)
    assert all(problem.place for problem in problems)
    return [problem.code for problem in problems if problem.severity == "error"]


def refused(work: Callable[[], object]) -> list[str]:
    with pytest.raises(RulesetError) as raised:
        work()
    return [problem.code for problem in raised.value.problems]


# --- names of files


@pytest.mark.parametrize(
    "name",
    [
        "../small",
        "/etc/passwd",
        "small.yaml",
        "a\0b",
        "",
        ".",
        "~",
        "-",
        "con:",
        "x\\y",
        "Small",
        "1",
        "*",
        "東",
        "x\n",
    ],
)
def test_extends_takes_ids_alone(name: str, folder: Path) -> None:
    [problem] = problems_of(write(folder, "house", {**SMALL, "extends": name}))
    assert problem.code in ("bad-name", "wrong-type") and problem.place and problem.place.line == 1


@pytest.mark.parametrize("name", ["a" * 5_000, "__init__", "null_", "class_", "etc"])
def test_odd_ids_are_not_found(name: str, folder: Path) -> None:
    problems = problems_of(write(folder, "house", {**SMALL, "extends": name}))
    assert len(problems) == 1 and problems[0].code in ("no-such-document", "bad-name")
    assert len(problems[0].message) <= MAX_MESSAGE and problems[0].place


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


def make_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [Path.mkdir, make_pipe, make_loop, make_device])
def test_what_is_no_file_is_no_document(make: Callable[[Path], None], folder: Path) -> None:
    make(folder / "odd.yaml")
    assert codes(write(folder, "house", {**SMALL, "extends": "odd"})) == ["no-such-document"]
    assert codes(mod(folder, "needy", needs=["odd"])) == ["no-such-document"]
    assert codes(mod(folder, "fine", change={"scoring": {"measures": {"points": {"cap": 50}}}})) == []
    assert problems_of(folder / "odd.yaml")[0].code in ("no-file", "unreadable")
    assert refused(lambda: load_data(str(folder / "odd.yaml"))) == ["no-such-document"]


def test_a_pipe_that_appears_beside_a_ruleset_is_not_opened(folder: Path) -> None:
    path = write(folder, "house", {"tilewright": 1, "kind": "ruleset", "name": "House", "extends": "zung_jung_plus"})
    load_data(str(path))
    os.mkfifo(folder / "zung_jung_plus.yaml")
    assert load_data(str(path)).id == "house"


def test_bases_have_an_end(folder: Path) -> None:
    for number in range(MAX_BASES + 3):
        write(folder, f"b{number}", {"tilewright": 1, "kind": "base", "name": "B", "extends": f"b{number + 1}"})
    write(folder, f"b{MAX_BASES + 3}", {**SMALL, "kind": "base"})
    assert codes(folder / "b0.yaml") == ["extends-too-far"]
    assert codes(folder / "b5.yaml") == []


# --- mods


def test_mods_that_need_one_another(folder: Path) -> None:
    mod(folder, "a", needs=["b"])
    mod(folder, "b", needs=["c"])
    mod(folder, "c", needs=["a"])
    assert codes(folder / "a.yaml") == ["needs-in-a-circle"]
    assert codes(mod(folder, "itself", needs=["itself"])) == ["needs-in-a-circle"]
    paths = [str(folder / f"{id}.yaml") for id in "abc"]
    assert refused(lambda: load_data(str(folder / "small.yaml"), {}, paths)) == ["needs-in-a-circle"]


def test_mods_that_all_need_one_another(folder: Path) -> None:
    for number in range(30):
        mod(folder, f"m{number}", needs=[f"m{other}" for other in range(30) if other != number])
    assert codes(folder / "m0.yaml") == ["needs-in-a-circle"]


def test_mods_that_need_without_end(folder: Path) -> None:
    for number in range(MAX_MODS + 5):
        mod(folder, f"m{number}", needs=[f"m{number + 1}"])
    assert codes(folder / "m0.yaml") == ["too-many-mods"]


def test_two_mods_of_one_name(folder: Path) -> None:
    mod(folder, "same")
    other = write(folder, "other", {"tilewright": 1, "kind": "mod", "id": "same", "name": "B", "for": ["small"]})
    paths = [str(folder / "same.yaml"), str(other)]
    assert refused(lambda: load_data(str(folder / "small.yaml"), {}, paths)) == ["mod-twice"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"scoring": {"measures": {"points": {"cap": "was * was * was * was"}}}}, "grows-too-much"),
        ({"patterns": {"win": {"each": ["was"] * 8}}}, "grows-too-much"),
    ],
)
def test_mods_over_mods_do_not_double_without_end(change: dict[str, Any], code: str, folder: Path) -> None:
    paths = [str(mod(folder, f"m{n}", change=change, needs=[f"m{n - 1}"] if n else [])) for n in range(30)]
    assert set(refused(lambda: load_data(str(folder / "small.yaml"), {}, paths))) == {code}


# --- what is told


def test_as_many_problems_as_somebody_reads(folder: Path) -> None:
    problems = problems_of(write(folder, "house", {**SMALL, **{f"x{number}": 1 for number in range(3_000)}}))
    assert len(problems) == MAX_PROBLEMS + 1 and "2,900 more" in problems[-1].message


def test_a_message_is_no_longer_than_somebody_reads(folder: Path) -> None:
    [problem] = problems_of(write(folder, "house", {**SMALL, "x" * 1_000: 1}))
    assert len(problem.message) <= MAX_MESSAGE and problem.message.startswith("there is no key 'xxx")
    assert len(Problem("a", "b" * 10_000, None, "c" * 10_000).hint or "") <= MAX_MESSAGE


def test_places_on_one_long_line() -> None:
    source = Source("x", "a" * 2_000_000 + "\r\nb")
    for offset in range(50_000):
        assert source.place(offset, 3).length == 3
    assert (source.line(2), source.place(2_000_000).length, source.place(2_000_002).line) == ("b", 1, 2)


# --- the cache


class Harmful:
    """What somebody else might put into a cache: it writes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (exec, (f"open({str(self.path)!r}, 'w')",))


@pytest.mark.parametrize("dotted", [b"tilewright.language.load\nos.getcwd", b"tilewright.language.load\nfolder"])
def test_an_entry_calls_nothing(dotted: bytes, folder: Path) -> None:
    load_data(str(folder / "small.yaml"))
    [entry] = (folder / "cache").glob("*.ruleset")
    for content in (pickle.dumps(Harmful(folder / "harm")), b"c" + dotted + b"\n)R."):
        entry.write_bytes(sealed(content))
        with pytest.raises(BadCacheEntry):
            CacheReader(io.BytesIO(content)).load()
        assert load_data(str(folder / "small.yaml")).id == "small"
    assert not (folder / "harm").exists()


def test_a_changed_byte_is_noticed(folder: Path) -> None:
    data = load_data(str(folder / "small.yaml"))
    [entry] = (folder / "cache").glob("*.ruleset")
    text = entry.read_bytes()
    for at in range(0, len(text), max(1, len(text) // 40)):
        entry.write_bytes(text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :])
        key = CacheKey(str(folder / "small.yaml"), (), ())
        assert recall_compiled(key) is None
        entry.write_bytes(text[:at])
        assert recall_compiled(key) is None
    entry.write_bytes(text)
    assert recall_compiled(CacheKey(str(folder / "small.yaml"), (), ())) == data


def test_a_folder_where_others_write_is_no_cache(folder: Path) -> None:
    (folder / "cache").mkdir()
    (folder / "cache").chmod(0o777)
    load_data(str(folder / "small.yaml"))
    assert list((folder / "cache").iterdir()) == []


def test_the_cache_does_not_grow_without_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MOST_ENTRIES", 4)
    for number in range(9):
        write(folder, f"r{number}", SMALL)
        load_data(str(folder / f"r{number}.yaml"))
    assert len(list((folder / "cache").glob("*.ruleset"))) <= 4


def test_without_a_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("TILEWRIGHT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    assert load_data(str(folder / "small.yaml")).id == "small"


@pytest.mark.slow
def test_several_at_once(folder: Path) -> None:
    script = f"from tilewright.language.load import load_data; print(load_data({str(folder / 'small.yaml')!r}).id)"
    running = [subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in running] == ["small"] * 2
    assert [path.suffix for path in (folder / "cache").iterdir()] == [".ruleset"]
