"""Packs: made from folders, the same everywhere; added, kept by the lock, updated, listed. Hostile ones are refused."""

import json
import os
import shutil
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

import pytest
from commands import fails, run
from hostile_packs import DOCUMENT, HOSTILE
from hypothesis import given
from hypothesis import strategies as st

from tilewright.authoring.editor.completion import complete
from tilewright.authoring.editor.context import TextPlace, TextRange, Workspace
from tilewright.authoring.editor.navigation import CannotRename, definition, rename
from tilewright.base.files import unsaved
from tilewright.base.problem import RulesetError
from tilewright.language.check import problems_of
from tilewright.language.documents import bundled, library
from tilewright.language.documents.fields import texts
from tilewright.language.documents.locked_packs import read_lock
from tilewright.language.documents.packs import fits, reference_of
from tilewright.play.rules import load
from tilewright.sharing.archive import read_archive, write_archive
from tilewright.sharing.contents import contents_of, files_of
from tilewright.web.jobs.workshop import pack as pack_texts
from tilewright.web.jobs.workshop import unpack

pytestmark = pytest.mark.long

MINE = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: riverside/taiwanese@^1\n"
HAND = "123m 456m 789m 22p 33s"
FLOWERS = """tilewright: 1
kind: mod
id: dear_limit
name: A limit of 64
for: ["riverside/taiwanese@^1"]
change: {scoring: {measures: {hand_score: {table: {7: 64}}}}}
remove: [cases.laak_two, cases.limit_hand_beside_other_faan, cases.robbed_orphans]
"""


def written(folder: Path, **documents: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for id, text in documents.items():
        (folder / f"{id}.yaml").write_text(text, encoding="utf-8")
    return folder


def packed(folder: Path) -> bytes:
    return write_archive(contents_of(files_of(folder)))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The folder of a pack, with a mod and a licence."""
    folder = written(tmp_path / "source", taiwanese=DOCUMENT, dear_limit=FLOWERS)
    (folder / "LICENSE").write_text("Share it.\n", encoding="utf-8")
    (folder / "notes.md").write_text("not packed\n", encoding="utf-8")
    return folder


@pytest.fixture
def here(tmp_path: Path, source: Path) -> Path:
    """A folder with a document that extends one of the pack, which was added from its archive."""
    folder = written(tmp_path / "here", mine=MINE)
    (tmp_path / "pack.zip").write_bytes(packed(source))
    assert run("add", "../pack.zip", cwd=folder).returncode == 0
    return folder


# --- names and versions


@pytest.mark.parametrize(
    ("text", "name", "document", "range"),
    [
        ("riverside/taiwanese", "riverside/taiwanese", "taiwanese", "*"),
        ("riverside/taiwanese@^1", "riverside/taiwanese", "taiwanese", "^1"),
        ("riverside/taiwanese/flowers@~1.2", "riverside/taiwanese", "flowers", "~1.2"),
        ("riverside/taiwanese@>=1.2 <2", "riverside/taiwanese", "taiwanese", ">=1.2 <2"),
    ],
)
def test_references(text: str, name: str, document: str, range: str) -> None:
    found = reference_of(text)
    assert found is not None and (found.name, found.document, found.range) == (name, document, range)


@pytest.mark.parametrize(
    "text", ["taiwanese", "a/b/c/d", "/a/b", "a//b", "A/b", "../a", "a/../b", "a/b.yaml", "a" * 300 + "/b"]
)
def test_no_references(text: str) -> None:
    assert reference_of(text) is None


@pytest.mark.parametrize(
    ("version", "range", "fitting"),
    [
        ("1.2.0", "^1", True),
        ("1.9.9", "^1.2", True),
        ("1.1.9", "^1.2", False),
        ("2.0.0", "^1", False),
        ("1.2.9", "~1.2", True),
        ("1.3.0", "~1.2", False),
        ("0.2.1", "^0.2", True),
        ("0.3.0", "^0.2", False),
        ("2.0.0-beta.1", "^2", False),
        ("3.0.0", "1.x || >=3", True),
        ("1.2", "*", False),
    ],
)
def test_ranges(version: str, range: str, fitting: bool) -> None:
    assert fits(version, range) is fitting


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("version: 1.2", "wrong-type", 'write "1.2"'),
        ('version: "1.2"', "bad-version", "three numbers: 1.2.0"),
        ("license: MITT", "unknown-license", "did you mean MIT?"),
        ("license: mit", "unknown-license", "license: MIT"),
        ("license: free for all", "unknown-license", "LicenseRef-NAME"),
        ("publisher: riverside", "missing-key", "version: 1.0.0"),
        ("authors: []", "too-few", None),
        ("authors: ['']", "bad-author", None),
        ("needs: ['a/b@latest']", "bad-range", "@^1"),
        ("needs: ['a/b@']", "bad-range", "@^1"),
        ("needs: ['a/b@^1']", "no-such-pack", "add it with: tilewright add a/b@^1 --index URL"),
    ],
)
def test_heads_are_checked(line: str, code: str, hint: str | None, tmp_path: Path) -> None:
    text = f"tilewright: 1\nkind: mod\nid: house\nname: House\nfor: [cantonese]\nremove: []\n{line}\n"
    folder = written(tmp_path, house=text)
    done = run("check", "house.yaml", "--json", cwd=folder)
    [problem] = json.loads(done.stdout)["problems"] if done.stdout.startswith("{") else json.loads(done.stdout)
    assert problem["code"] == code and problem["line"] == 7
    assert hint is None or hint in problem["hint"]


def test_publication_is_not_inherited(here: Path) -> None:
    mine, theirs = load(str(here / "mine.yaml")).data, load(str(here / "packs/riverside/taiwanese/taiwanese.yaml")).data
    assert (theirs.version, theirs.license, theirs.authors) == ("1.2.0", "CC-BY-4.0", ("Riverside Mahjong Club",))
    assert (mine.version, mine.license, mine.authors) == ("", "", ())
    assert mine.digest != theirs.digest


# --- archives


def test_two_builds_are_the_same(source: Path, tmp_path: Path) -> None:
    """In another folder, at another time, with other rights, in another order."""
    other = tmp_path / "elsewhere" / "other name"
    other.mkdir(parents=True)
    before = os.umask(0o077)
    try:
        for path in sorted(source.iterdir(), reverse=True):
            shutil.copyfile(path, other / path.name)
            os.utime(other / path.name, (1, 1))
    finally:
        os.umask(before)
    assert packed(source) == packed(other)
    done = run("pack", str(other), "-o", str(tmp_path / "a.zip"), env={"TZ": "Asia/Tokyo", "SOURCE_DATE_EPOCH": "1"})
    assert done.returncode == 0 and (tmp_path / "a.zip").read_bytes() == packed(source)


def test_a_pack_is_read_as_it_was_written(source: Path) -> None:
    files = files_of(source)
    assert sorted(files) == ["LICENSE", "dear_limit.yaml", "taiwanese.yaml"]
    assert read_archive(packed(source)).files == files


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives_are_refused(name: str, tmp_path: Path) -> None:
    """With the reason, with nothing written."""
    made, said = HOSTILE[name]
    archive = made(packed(written(tmp_path / "good", taiwanese=DOCUMENT)))
    with pytest.raises(RulesetError) as raised:
        read_archive(archive)
    assert any(said in f"{one.message} {one.hint}" for one in raised.value.problems), raised.value
    here = tmp_path / "here"
    here.mkdir()
    (tmp_path / "bad.zip").write_bytes(archive)
    fails(run("add", "../bad.zip", cwd=here), 1, "bad.zip")
    assert list(here.iterdir()) == []


@given(st.data())
def test_no_changed_byte_goes_unnoticed(data: st.DataObject) -> None:
    """Wherever an archive is changed, cut or grown, it is no pack, and nothing else is raised."""
    archive = write_archive(contents_of({"taiwanese.yaml": DOCUMENT.encode()}))
    at = data.draw(st.integers(0, len(archive) - 1))
    piece = data.draw(st.binary(max_size=4))
    changed = archive[:at] + piece + archive[at + data.draw(st.integers(0, 4)) :]
    if changed != archive:
        with pytest.raises(RulesetError):
            read_archive(changed)


@given(st.binary(max_size=400))
def test_bytes_are_no_pack(content: bytes) -> None:
    with pytest.raises(RulesetError):
        read_archive(content)


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ({}, "there is no document"),
        ({"mine": MINE}, "no document says who publishes it"),
        ({"taiwanese": DOCUMENT, "second": DOCUMENT.replace("id: taiwanese", "id: second")}, "a pack has one head"),
        ({"other": DOCUMENT}, "call the file taiwanese.yaml"),
        ({"taiwanese": DOCUMENT, "compose": "services: {}"}, "compose.yaml is no document"),
        ({"taiwanese": DOCUMENT.replace("publisher: riverside", "publisher: con")}, "the name of a folder on Windows"),
        ({"taiwanese": DOCUMENT.replace("cantonese", "no_such_rules")}, "no base or ruleset is called"),
        ({"taiwanese": DOCUMENT.replace("1.2.0", "v1")}, "is not a version"),
        (
            {
                "taiwanese": DOCUMENT.replace("cantonese", "a/b@^1"),
                "m": FLOWERS.replace("for:", "needs: ['a/b/c@^2']\nfor:").replace("dear_limit", "m"),
            },
            "a/b is asked for as ^2 and as ^1",
        ),
    ],
)
def test_what_is_no_pack_is_not_packed(documents: dict[str, str], said: str, tmp_path: Path) -> None:
    folder = written(tmp_path / "source", **documents)
    done = run("pack", str(folder), "-o", str(tmp_path / "pack.zip"))
    fails(done, 1, said)
    assert not (tmp_path / "pack.zip").exists()


@pytest.mark.parametrize(("name", "usual"), [("m.yml", "m.yaml"), ("m.JSON", "m.yaml"), ("m.TXT", "m.txt")])
def test_nothing_is_missing_in_a_pack_for_its_ending(source: Path, tmp_path: Path, name: str, usual: str) -> None:
    (source / name).write_text(FLOWERS)
    (source / "compose.yml").write_text("services: {}")
    fails(run("pack", str(source), "-o", str(tmp_path / "pack.zip")), 1, f"hint: call it {usual}")


# --- from a folder to another


def test_a_pack_is_made_added_and_played_and_a_change_is_refused(source: Path, tmp_path: Path) -> None:
    archive = run("pack", str(source), cwd=tmp_path).stdout.strip()
    assert archive == "riverside-taiwanese-1.2.0.zip"
    here = tmp_path / "empty"
    here.mkdir()
    done = run("add", f"../{archive}", cwd=here)
    assert done.returncode == 0 and "added riverside/taiwanese 1.2.0" in done.stdout
    shutil.rmtree(source)
    (tmp_path / archive).unlink()
    played = run(
        "simulate",
        "riverside/taiwanese@^1",
        "--games",
        "1",
        "--jobs",
        "1",
        "--mod",
        "riverside/taiwanese/dear_limit",
        cwd=here,
    )
    assert played.returncode == 0, played.stderr
    written(here, mine=MINE)
    assert run("check", ".", cwd=here).returncode == 0
    file = here / "packs/riverside/taiwanese/taiwanese.yaml"
    file.write_text(DOCUMENT + "about: changed\n", encoding="utf-8")
    for arguments in (
        ["check", "."],
        ["simulate", "riverside/taiwanese", "--games", "1"],
        ["waits", "mine.yaml", "--hand", HAND],
    ):
        fails(
            run(*arguments, cwd=here),
            1,
            "taiwanese.yaml of the pack riverside/taiwanese is not that of riverside/taiwanese 1.2.0",
        )
    fails(run("check", str(file), cwd=here), 1, "is not that of")


@pytest.mark.parametrize("name", ["cantonese.yaml", "evil.txt", ".hidden", "folder"])
def test_nothing_is_put_among_the_files_of_a_pack(name: str, here: Path) -> None:
    path = here / "packs/riverside/taiwanese" / name
    path.mkdir() if name == "folder" else path.write_text(DOCUMENT, encoding="utf-8")
    fails(run("check", "mine.yaml", cwd=here), 1, f"{name} does not belong to the pack riverside/taiwanese")


def test_a_link_is_no_file_of_a_pack(here: Path) -> None:
    file = here / "packs/riverside/taiwanese/taiwanese.yaml"
    file.rename(here / "same.txt")
    file.symlink_to(here / "same.txt")
    fails(run("check", "mine.yaml", cwd=here), 1, "pack-changed")


def test_a_changed_pack_is_noticed_though_its_rules_are_cached(here: Path) -> None:
    assert run("waits", "mine.yaml", "--hand", HAND, cwd=here).returncode == 0
    file = here / "packs/riverside/taiwanese/dear_limit.yaml"
    file.write_text(FLOWERS + "# more\n", encoding="utf-8")
    fails(run("waits", "riverside/taiwanese", "--hand", HAND, cwd=here), 1, "pack-changed")


def test_a_mod_for_a_changed_pack_is_refused(here: Path) -> None:
    written(here, dear_limit=FLOWERS)
    assert run("check", "dear_limit.yaml", cwd=here).returncode == 0
    file = here / "packs/riverside/taiwanese/taiwanese.yaml"
    file.write_text(DOCUMENT + "# more\n", encoding="utf-8")
    fails(run("check", "dear_limit.yaml", cwd=here), 1, "pack-changed")


def test_update_restores_files(here: Path) -> None:
    file = here / "packs/riverside/taiwanese/taiwanese.yaml"
    file.unlink()
    fails(run("check", "mine.yaml", cwd=here), 1, "taiwanese.yaml of the pack riverside/taiwanese is missing")
    assert "restored riverside/taiwanese 1.2.0" in run("update", cwd=here).stdout
    assert run("check", "mine.yaml", cwd=here).returncode == 0


def test_the_folder_of_packs_is_not_checked_or_formatted_with_the_rest(here: Path) -> None:
    assert "1 file checked" in run("check", ".", cwd=here).stdout
    assert run("fmt", ".", "--check", cwd=here).returncode == 0


@pytest.mark.parametrize(
    ("lock", "said"),
    [
        ("{", "tilewright.lock cannot be read"),
        ('{"lock": 2, "packs": {}}', "tilewright.lock cannot be read"),
        ('{"lock": 1, "packs": {"../../etc": {}}}', "tilewright.lock cannot be read"),
        ("[" * 100_000, "tilewright.lock cannot be read"),
        ('{"lock": 1, "packs": {}}', "the pack riverside/taiwanese is not here"),
    ],
)
def test_bad_locks(lock: str, said: str, here: Path) -> None:
    (here / "tilewright.lock").write_text(lock, encoding="utf-8")
    fails(run("check", "mine.yaml", cwd=here), 1, said)


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("riverside/taiwanese@^2", 1, "riverside/taiwanese is version 1.2.0 here, and ^2 is asked for"),
        ("riverside/taiwanese@soon", 1, "'soon' is not a range of versions"),
        ("riverside/taiwanese/flours", 2, "the pack riverside/taiwanese has no flours"),
        ("riverside/american", 2, "add it with: tilewright add riverside/american --index URL"),
    ],
)
def test_packs_that_are_not_here(name: str, code: int, said: str, here: Path) -> None:
    fails(run("waits", name, "--hand", HAND, cwd=here), code, said)


@pytest.mark.parametrize("column", [10, 22, 29, 30])
def test_editors_go_to_a_document_of_a_pack(column: int, here: Path) -> None:
    (found,) = definition(Workspace({here / "mine.yaml": MINE}), here / "mine.yaml", TextPlace(5, column))
    assert found.path == here / "packs/riverside/taiwanese/taiwanese.yaml"


@pytest.mark.parametrize("written", ["", "taiw", "riverside/", "riverside/ta"])
def test_editors_offer_documents_of_packs(written: str, here: Path) -> None:
    """By the names that they have elsewhere, in place of all that is typed."""
    text = MINE.replace("riverside/taiwanese@^1", written)
    found = complete(Workspace({here / "mine.yaml": text}), here / "mine.yaml", TextPlace(5, 10 + len(written)))
    assert found.range == TextRange.in_line(5, 10, 10 + len(written))
    named = [one.label for one in found.offers]
    assert "riverside/taiwanese" in named and "taiwanese" not in named and "cantonese" in named


def test_editors_change_no_names_of_packs(source: Path, here: Path) -> None:
    path = here / "mine.yaml"
    shutil.rmtree(here / "packs")
    written(source, taiwanese=f"{DOCUMENT}patterns:\n  heron: {{name: Heron, worth: 1, when: self_draw}}\n")
    (here.parent / "pack.zip").write_bytes(packed(source))
    (here / "tilewright.lock").unlink()
    assert run("add", "../pack.zip", cwd=here).returncode == 0
    text = f"{MINE}patterns:\n  heron: {{worth: 2}}\n"
    with pytest.raises(CannotRename, match="of a pack that was added"):
        rename(Workspace({path: text}), path, TextPlace(7, 4), "crane")


def test_what_editors_have_not_saved_is_a_change_of_a_pack(here: Path) -> None:
    file = here / "packs/riverside/taiwanese/taiwanese.yaml"
    with unsaved({file: DOCUMENT}) as opened:
        assert problems_of(here / "mine.yaml") == ()
    assert {str(file), str(here / "tilewright.lock")} <= opened.asked.keys()
    with unsaved({file: f"{DOCUMENT}# mine\n"}):
        assert [one.code for one in problems_of(here / "mine.yaml")] == ["pack-changed"]


def test_a_document_beside_comes_first(here: Path) -> None:
    """As a pack is written, its documents name one another."""
    written(here, taiwanese=DOCUMENT.replace("1.2.0", "1.4.0").replace("Riverside rules", "My own"))
    done = run("rulebook", "mine.yaml", cwd=here)
    assert done.returncode == 0
    fails(
        run("check", "mine.yaml", cwd=written(here, taiwanese=DOCUMENT.replace("1.2.0", "2.0.0"))),
        1,
        "is version 2.0.0 here",
    )


def test_a_checkout_with_the_lock_alone_is_completed(here: Path, source: Path, tmp_path: Path) -> None:
    before = (here / "tilewright.lock").read_bytes()
    shutil.rmtree(here / "packs")
    fails(run("check", "mine.yaml", cwd=here), 1, "is missing")
    assert "restored riverside/taiwanese 1.2.0" in run("update", "--locked", cwd=here).stdout
    assert run("check", "mine.yaml", cwd=here).returncode == 0
    assert (here / "tilewright.lock").read_bytes() == before
    release(tmp_path, source, "1.3.0").rename(tmp_path / "pack.zip")
    fails(run("update", "--locked", cwd=here), 1, "has version 1.3.0 of riverside/taiwanese now")


# --- versions


def release(folder: Path, source: Path, version: str, **change: str) -> Path:
    """An archive of the pack in another version."""
    text = DOCUMENT.replace("1.2.0", version)
    for old, new in change.items():
        text = text.replace(old, new)
    path = folder / f"riverside-taiwanese-{version}.zip"
    path.write_bytes(write_archive(contents_of({**files_of(source), "taiwanese.yaml": text.encode()})))
    return path


def test_updates_stay_in_their_range(here: Path, source: Path, tmp_path: Path) -> None:
    pack = tmp_path / "pack.zip"
    release(tmp_path, source, "1.3.0").rename(pack)
    assert "updated riverside/taiwanese 1.2.0 -> 1.3.0" in run("update", cwd=here).stdout
    release(tmp_path, source, "2.0.0").rename(pack)
    fails(run("update", cwd=here), 1, "riverside/taiwanese is now 2.0.0, which is not in ^1.2.0")
    release(tmp_path, source, "1.2.5").rename(pack)
    fails(run("update", cwd=here), 1, "older than 1.3.0")
    release(tmp_path, source, "1.3.0", cantonese="hong_kong").rename(pack)
    fails(run("update", cwd=here), 1, "has other contents now")
    fails(run("add", "../pack.zip", cwd=here), 1, "has other contents now")
    assert run("check", "mine.yaml", cwd=here).returncode == 0
    fails(run("update", "riverside/other", cwd=here), 2, "tilewright.lock has no pack riverside/other")


def test_a_folder_may_change_under_one_version(here: Path, source: Path) -> None:
    assert run("add", "../source", cwd=here).returncode == 0
    written(source, taiwanese=DOCUMENT + "about: more\n")
    assert "updated riverside/taiwanese 1.2.0\n" in run("update", cwd=here).stdout
    assert "about: more" in (here / "packs/riverside/taiwanese/taiwanese.yaml").read_text(encoding="utf-8")


def test_packs_need_others(here: Path, tmp_path: Path) -> None:
    text = DOCUMENT.replace("id: taiwanese", "id: club").replace("cantonese", "riverside/taiwanese@^1.1")
    club = written(tmp_path / "club", club=text)
    (tmp_path / "club.zip").write_bytes(packed(club))
    empty = tmp_path / "other"
    empty.mkdir()
    fails(run("add", "../club.zip", cwd=empty), 1, "riverside/club 1.2.0 needs the pack riverside/taiwanese")
    assert run("add", "../club.zip", "../pack.zip", cwd=empty).returncode == 0
    assert run("waits", "riverside/club", "--hand", HAND, cwd=empty).returncode == 0
    assert run("add", "../club.zip", cwd=here).returncode == 0
    written(tmp_path / "club", club=text.replace("^1.1", "^3"))

    fails(run("add", "../club", cwd=here), 1, "needs riverside/taiwanese as ^3, and 1.2.0 would be here")


def test_archives_hold_their_files_uncompressed(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "pack.zip"
    path.write_bytes(packed(source))
    with ZipFile(path) as archive:
        assert archive.namelist() == ["pack.json", "LICENSE", "dear_limit.yaml", "taiwanese.yaml"]
        assert {info.compress_type for info in archive.infolist()} == {0}


@pytest.mark.parametrize(
    "address", ["http://example.org/a.zip", "https+evil://x", "file:///etc/passwd", "ftp://x/a.zip"]
)
def test_only_https_is_fetched(address: str, tmp_path: Path) -> None:
    fails(run("add", address, cwd=tmp_path), 2)


# --- an index


@pytest.fixture
def hosted(source: Path, tmp_path: Path) -> Path:
    """A folder with three versions of one pack and a pack that needs it."""
    folder = tmp_path / "hosted"
    folder.mkdir()
    for version in ("1.2.0", "1.3.0", "2.0.0"):
        release(folder, source, version)
    club = DOCUMENT.replace("id: taiwanese", "id: club").replace("cantonese", "riverside/taiwanese@^1.1")
    (folder / "club.zip").write_bytes(packed(written(tmp_path / "club", club=club)))
    return folder


@pytest.mark.slow
def test_an_index_lists_checks_and_shows(hosted: Path) -> None:
    done = run("index", str(hosted), "--title", "River <b>", "--address", "https://river.example/index.json")
    assert done.returncode == 1, done.stderr  # the mod is for ^1, and 2.0.0 is listed
    index = json.loads((hosted / "index.json").read_text(encoding="utf-8"))
    assert [one["version"] for one in index["packs"]["riverside/taiwanese"]] == ["2.0.0", "1.3.0", "1.2.0"]
    club = index["packs"]["riverside/club"][0]
    assert (club["check"]["errors"], club["check"]["warnings"]) == (0, 0) and club["check"]["examples"] > 50
    assert club["needs"] == {"riverside/taiwanese": "^1.1"}
    page = (hosted / "index.html").read_text(encoding="utf-8")
    assert "River &lt;b&gt;" in page and "<script" not in page
    assert "tilewright add riverside/club@^1 --index https://river.example/index.json" in page
    assert "Riverside Mahjong Club" in (hosted / club["pages"]["club"]).read_text(encoding="utf-8")
    card = club["score_cards"]["club"]
    assert f'<a href="{card}">score card</a>' in page and 'class="card-sheet"' in (hosted / card).read_text("utf-8")
    assert "reports" not in club and "report on its games" not in page
    before = {path.name: path.read_bytes() for path in hosted.iterdir() if path.stem != "index"}
    (hosted / "club-club-report.html").write_text("a report", encoding="utf-8")
    run("index", str(hosted), "--title", "River <b>", "--address", "https://river.example/index.json")
    assert {name: (hosted / name).read_bytes() for name in before} == before, "the same again"
    again = json.loads((hosted / "index.json").read_text(encoding="utf-8"))
    assert again["packs"]["riverside/club"][0].pop("reports") == {"club": "club-club-report.html"} and again == index
    assert '<a href="club-club-report.html">report' in (hosted / "index.html").read_text(encoding="utf-8")


def test_packs_are_added_by_name(hosted: Path, tmp_path: Path) -> None:
    """With all that they need, in the newest versions that everybody accepts; served by anything that serves files."""
    run("index", str(hosted))
    here = tmp_path / "by_name"
    here.mkdir()
    with serving(hosted) as address:
        done = run("add", "riverside/club@^1", "--index", f"{address}/index.json", cwd=here)
        assert done.returncode == 0, done.stderr
        assert "added riverside/club 1.2.0\nadded riverside/taiwanese 1.3.0" in done.stdout
        before = (hosted / "index.json").read_text(encoding="utf-8")
        (hosted / "index.json").write_text(before.replace('"version": "1.3.0"', '"version": "1.3"'), encoding="utf-8")
        fails(run("update", cwd=here), 1, "no version of riverside/taiwanese is in")
        (hosted / "index.json").write_text(before, encoding="utf-8")
        fails(run("add", "riverside/taiwanese@^2", "--index", f"{address}/index.json", cwd=here), 1, "no version of")
        fails(
            run("add", "riverside/none", "--index", f"{address}/index.json", cwd=here), 1, "has no pack riverside/none"
        )
        (hosted / "riverside-taiwanese-1.3.0.zip").write_bytes((hosted / "club.zip").read_bytes())
        (here / "tilewright.lock").unlink()
        fails(
            run("add", "riverside/club", "--index", f"{address}/index.json", cwd=here),
            1,
            "is not the file that the index has",
        )
    assert run("waits", "riverside/club", "--hand", HAND, cwd=here).returncode == 2
    fails(run("add", "riverside/club", "--index", f"{address}/index.json", cwd=here), 2, "cannot be fetched")


def test_a_file_is_taken_though_its_pack_came_from_an_index(hosted: Path, tmp_path: Path) -> None:
    """It replaces what the index gave; where that does not fit, nothing changes, and the reason is told."""
    run("index", str(hosted))
    here = tmp_path / "here"
    here.mkdir()
    index = str(hosted / "index.json")
    assert run("add", "riverside/club@^1", "--index", index, cwd=here).returncode == 0
    lock = (here / "tilewright.lock").read_text(encoding="utf-8")
    newest = next(path for path in hosted.glob("*taiwanese*2.0.0.zip"))
    fails(run("add", str(newest), cwd=here), 1, "club 1.2.0 needs riverside/taiwanese as ^1.1", "2.0.0 would be")
    assert (here / "tilewright.lock").read_text(encoding="utf-8") == lock
    older = next(path for path in hosted.glob("*taiwanese*1.2.0.zip"))
    assert "1.2.0" in run("add", str(older), cwd=here).stdout
    told = read_lock(here / "tilewright.lock").packs["riverside/taiwanese"]
    assert (told.version, told.index) == ("1.2.0", "") and fits(told.version, told.range)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server of the files in a folder."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_nothing_is_fetched_but_by_add_and_update(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = here / "tilewright.lock"
    lock.write_text(
        lock.read_text(encoding="utf-8").replace("../pack.zip", "https://river.example/pack.zip"), encoding="utf-8"
    )

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.getaddrinfo", refuse)
    for arguments in (["check", "."], ["waits", "riverside/taiwanese", "--hand", HAND], ["rulebook", "mine.yaml"]):
        assert run(*arguments, cwd=here).returncode == 0
    with pytest.raises(AssertionError, match="a connection was opened"):
        run("update", cwd=here)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is no index of packs"),
        ('{"index": 2, "title": "", "packs": {}}', "is no index of packs"),
        ("[" * 99_999, "is no index"),
    ],
)
def test_what_is_no_index(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text(content, encoding="utf-8")
    fails(run("add", "a/b", "--index", "index.json", cwd=tmp_path), 1, said)


def test_an_index_is_no_pack(tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text('{"index": 1, "title": "", "packs": {}}', encoding="utf-8")
    fails(run("add", "index.json", cwd=tmp_path), 1, "bad-pack", "tilewright add NAME --index INDEX")


def test_an_index_of_what_is_no_pack(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK")
    fails(run("index", str(tmp_path)), 1, "a.zip: this is no archive of a pack")
    assert not (tmp_path / "index.json").exists()


# --- other ways


def test_python_packages_bring_rulesets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by id, and as packs."""
    site = tmp_path / "site"
    written(site / "river_rules", taiwanese=DOCUMENT, __init__="")
    (site / "river_rules/__init__.yaml").rename(site / "river_rules/__init__.py")
    info = site / "river_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: river-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tilewright.rulesets]\nriver = river_rules\nnone = no_such_package\n")
    env = {"PYTHONPATH": str(site)}
    monkeypatch.syspath_prepend(str(site))
    written(tmp_path / "here", mine=MINE)
    bundled.installed_folders.cache_clear()
    try:
        for name in ("taiwanese", "riverside/taiwanese@^1", "mine.yaml"):
            done = run("waits", name, "--hand", HAND, cwd=tmp_path / "here", env=env)
            assert done.returncode == 0, done.stderr
        fails(run("waits", "riverside/taiwanese@^2", "--hand", HAND), 1, "a Python package brings it")
        assert "taiwanese" in bundled.bundled_ids()
    finally:
        monkeypatch.undo()
        bundled.installed_folders.cache_clear()


def test_a_mod_and_a_card_of_a_pack_are_played_with_a_bundled_ruleset(tmp_path: Path) -> None:
    """Named on the command line, they are those of the folder where one is."""
    source, here = written(tmp_path / "source", taiwanese=DOCUMENT), written(tmp_path / "here")
    mod = "tilewright: 1\nkind: mod\nid: wide\nname: Wide\nfor: [cantonese]\nchange: {match: {score: 600}}\n"
    (source / "wide.yaml").write_text(mod, encoding="utf-8")
    card = 'Spring\n"Runs"\nFF 111 222 333 444 c X25\nFFFF 2468 2468 22 X30\n'
    (source / "spring.txt").write_text(card, encoding="utf-8")
    (tmp_path / "pack.zip").write_bytes(packed(source))
    assert run("add", "../pack.zip", cwd=here).returncode == 0
    watched = ("--watch", "--plain", "--hands", "1", "--seed", "7")
    for ruleset, mod in (("cantonese", "wide"), ("american", "spring")):
        played = run("play", ruleset, "--mod", f"riverside/taiwanese/{mod}", *watched, cwd=here)
        assert played.returncode == 0, played.stderr
    fails(run("score", "american", "--mod", "riverside/taiwanese/sprig", "--hand", "1m", cwd=here), 2, "'spring'")


def test_a_game_by_a_pack_is_replayed_and_refused_by_other_rules(here: Path, source: Path) -> None:
    played = run(
        "play", "riverside/taiwanese", "--watch", "--plain", "--hands", "1", "--seed", "7", "--log", "g.jsonl", cwd=here
    )
    assert played.returncode == 0, played.stderr
    assert run("replay", "here/g.jsonl", "--verify", cwd=here.parent).returncode == 0
    written(source, taiwanese=DOCUMENT + "match: {score: 7}\n")
    assert run("add", "../source", cwd=here).returncode == 0
    fails(run("replay", "g.jsonl", "--verify", cwd=here), 1, "other-ruleset", "its rules have the hash")


def test_a_text_on_a_server_finds_no_packs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever folder the server was started in."""
    other = written(here.parent / "texts", document=MINE.replace("id: mine", "id: document"))
    monkeypatch.chdir(here)
    monkeypatch.setattr(library, "CONFINED", [])
    library.confine(other)
    with pytest.raises(RulesetError) as raised:
        library.path_of("riverside/taiwanese@^1", other)
    assert raised.value.problems[0].code == "no-such-pack" and "tilewright add" not in str(raised.value)


# --- texts and cases


GERMAN = "tilewright: 1\nkind: texts\nid: taiwanese\nlanguage: de\nname: {en: T, de: Flussregeln}\n"
CASES = "tilewright: 1\nkind: cases\nid: taiwanese\ncases: {begun: {play: [{expect: {phase: act}}]}}\n"


def test_a_pack_has_the_texts_and_cases_of_its_documents(tmp_path: Path, source: Path) -> None:
    (source / "taiwanese.de.yaml").write_text(GERMAN, encoding="utf-8")
    (source / "taiwanese.cases.yaml").write_text(CASES, encoding="utf-8")
    content = packed(source)
    pack = read_archive(content)
    assert {"taiwanese.yaml", "taiwanese.de.yaml", "taiwanese.cases.yaml"} <= {*pack.files}
    assert {one.id for one in pack.manifest.documents} == {"taiwanese", "dear_limit"}
    club = written(tmp_path / "club", mine=MINE)
    (club / "pack.zip").write_bytes(content)
    assert run("add", "pack.zip", cwd=club).returncode == 0
    names = texts(library.read_document(next((club / "packs").rglob("taiwanese.yaml"))).get("name"))
    assert names["de"] == "Flussregeln"
    unpacked = unpack({"content": b64encode(content).decode()})["documents"]
    [shelved] = [one for one in unpacked if "id: taiwanese\n" in one["text"]]
    assert shelved["text"].count("\n---\n") == 2 and "Flussregeln" in shelved["text"]
    made = pack_texts({"texts": {"taiwanese": shelved["text"]}})
    assert "problems" not in made, made


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("other.de.yaml", GERMAN, "id taiwanese"),
        ("other.de.yaml", GERMAN.replace("taiwanese", "other"), "not in the pack"),
        ("taiwanese.de.yaml", GERMAN.replace("language: de\n", ""), "'language' is missing"),
    ],
)
def test_texts_of_no_document_are_in_no_pack(source: Path, name: str, text: str, said: str) -> None:
    (source / name).write_text(text, encoding="utf-8")
    with pytest.raises(RulesetError) as error:
        packed(source)
    assert any(said in one.message for one in error.value.problems)
