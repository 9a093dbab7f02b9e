"""The workshop over HTTP, against a real server: documents kept and shared, texts checked, completed, tried and
simulated; hostile texts are refused with a reason and harm nobody."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_hostile_rulesets import WORLDS, ruleset
from ways_of_writing import WAYS
from web_asking import Asker, asker
from web_server import Server

from tilewright.authoring.editor.scanning import keys_in, spot_at
from tilewright.authoring.new_documents import filled

VENDOR = Path(__file__).resolve().parents[2] / "engine/tilewright/web/static/vendor"
MOST_OF_THE_EDITOR = 500_000  # bytes
TEXT = filled("ruleset.yaml", "mine", {})
MOD = filled("mod.yaml", "own_mod", {"TARGET_RULES": "cantonese", "TARGET": "chinese", "SOME_PATTERN": "chow_hand"})
TYPO = TEXT.replace("worth: 6", "wurth: 6")
WRONG_EXAMPLE = TEXT.replace("CC, win: 5s, yes: false", "CC, win: 5s, yes: true")
HAND = {"hand": "222m 777p EEE 55s CC", "win_tile": "5s"}
MARKUP = "<script>alert(1)</script>"
ENDLESS = f"""{TEXT.partition("cases:")[0]}
offers:
  wait: {{name: {{en: Wait}}, then: act}}
phases:
  act: {{offers: [wait]}}
"""
COSTLY = "sum(sum(sum(copies(a) for a in tiles) for b in tiles) for c in tiles) > 0"
SLOW = ENDLESS.replace("{en: Wait}", f"{{en: Wait}}, when: {COSTLY}")


@pytest.fixture(scope="module")
def people(web_server: Server) -> Iterator[tuple[Asker, Asker]]:
    yield asker(web_server, "Ann"), asker(web_server, "Bob")


@pytest.fixture
def ann(people: tuple[Asker, Asker]) -> Asker:
    return people[0]


@pytest.fixture
def bob(people: tuple[Asker, Asker]) -> Asker:
    return people[1]


def checked(who: Asker, text: str) -> Any:
    return who.do("POST", "/api/workshop/check", {"text": text})


def codes(found: Any) -> list[str]:
    return [problem["code"] for problem in found["problems"]]


# --- documents


def test_names_hide_nothing(bob: Asker) -> None:
    """Of people, documents and cards alike."""
    hidden, name = "B\u200bo\u3164b\u2066 \u2003x\u202e", "Bob x"
    assert bob.do("PUT", "/api/me", {"name": hidden})["name"] == name
    assert bob.refused("PUT", "/api/me", {"name": "\u3164\u200b"}) == (400, "bad-message")
    document = bob.do("POST", "/api/documents", {"text": TEXT, "name": hidden})
    assert document["name"] == name
    saved = bob.do("PUT", f"/api/documents/{document['id']}", {"text": TEXT, "name": "\u200b"})
    assert saved["name"] and saved["name"].isprintable()
    assert bob.do("POST", "/api/cards", {"text": f"{hidden}\n"})["name"] == name


def test_a_document_is_kept_read_saved_and_deleted(ann: Asker) -> None:
    made = ann.do("POST", "/api/documents", {"text": TEXT})
    assert (made["kind"], made["name"]) == ("ruleset", "Mine")
    assert made["id"] in [one["id"] for one in ann.do("GET", "/api/documents")["own"]]
    path = f"/api/documents/{made['id']}"
    saved = ann.do("PUT", path, {"text": TYPO, "expected": made["updated"]})
    assert saved["updated"] > made["updated"]
    assert ann.do("GET", path)["text"] == TYPO
    assert ann.refused("PUT", path, {"text": TEXT, "expected": made["updated"]}) == (409, "conflict")
    assert ann.do("GET", path)["text"] == TYPO
    ann.do("PUT", path, {"text": TEXT})
    ann.do("DELETE", path)
    assert ann.refused("GET", path) == (404, "unknown-document")


def test_nobody_reads_or_changes_what_is_another_persons(ann: Asker, bob: Asker) -> None:
    path = f"/api/documents/{ann.do('POST', '/api/documents', {'text': TEXT})['id']}"
    for method, body in (("GET", None), ("PUT", {"text": MOD}), ("DELETE", None)):
        assert bob.refused(method, path, body) == (404, "unknown-document")
    assert bob.refused("POST", f"{path}/share", {}) == (404, "unknown-document")
    assert Asker(bob.url).refused("GET", path) == (401, "unknown-person")
    code = ann.do("POST", f"{path}/share", {})["share"]
    assert bob.do("GET", f"/api/documents/shared/{code}")["text"] == TEXT
    ann.do("DELETE", path)
    assert bob.refused("GET", f"/api/documents/shared/{code}") == (404, "unknown-document")


@pytest.mark.parametrize("way", ["plain", "long header", "folded", "alias", "JSON, kind last"])
def test_a_text_is_kept_as_what_it_declares(ann: Asker, way: str) -> None:
    mod = WAYS[way]("tilewright: 1\nkind: mod\nid: ours\nname: Ours\nfor: [cantonese]\n")
    made = ann.do("POST", "/api/documents", {"text": mod})
    assert made["kind"] == checked(ann, mod)["kind"] == "mod"


@pytest.mark.parametrize("id", ["cantonese", "american", "seven_pairs"])
def test_a_bundled_document_is_forked(ann: Asker, id: str) -> None:
    made = ann.do("POST", "/api/documents", {"fork": id})
    head = checked(ann, made["text"])
    assert head["good"], head["problems"]
    assert head["id"] == f"my_{id}"
    assert made["name"].startswith("My ")


def test_a_document_begins_from_a_template(ann: Asker) -> None:
    made = ann.do("POST", "/api/documents", {"template": "ruleset", "name": "Sunday rules"})
    assert checked(ann, made["text"])["id"] == "sunday_rules"
    mod = ann.do("POST", "/api/documents", {"template": "mod", "ruleset": "cantonese"})
    head = checked(ann, mod["text"])
    assert (mod["kind"], head["kind"], head["good"]) == ("mod", "mod", True)
    assert "cantonese" in head["targets"]
    assert ann.refused("POST", "/api/documents", {"template": "mod", "ruleset": "nothing"})[0] == 404
    assert ann.refused("POST", "/api/documents", {"fork": "../../etc/passwd"}) == (404, "unknown-document")
    assert ann.refused("POST", "/api/documents", {"text": 7}) == (400, "bad-message")
    assert ann.refused("POST", "/api/documents", {"text": "x" * 256_001}) == (413, "too-large")


# --- what is wrong in a text, and what it holds


def test_problems_have_their_places(ann: Asker) -> None:
    assert checked(ann, TEXT)["problems"] == []
    found = checked(ann, TYPO)
    line = TYPO.splitlines().index("    wurth: 6") + 1
    assert not found["good"]
    assert ("unknown-key", line, 5) in [(one["code"], one["line"], one["column"]) for one in found["problems"]]
    assert all("file" not in one and "/" not in one["message"] for one in found["problems"])


def test_the_outline_has_lines(ann: Asker) -> None:
    outline = {one["section"]: one for one in checked(ann, TYPO)["outline"]}
    assert [entry["id"] for entry in outline["patterns"]["entries"]] == ["all_triplets", "one_suit", "self_drawn"]
    rows = TYPO.splitlines()
    assert all(rows[entry["line"] - 1].strip().startswith(entry["id"]) for entry in outline["patterns"]["entries"])


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("kind: ruleset\nextends: ca|", "cantonese"),
        ("kind: ruleset\nextends: standard\npat|", "patterns"),
        ("kind: ruleset\nextends: standard\npatterns:\n  mine:\n    wor|", "worth"),
        ("kind: ruleset\nextends: standard\npatterns:\n  mine: {worth: 1, wh|", "when"),
        ("kind: ruleset\nextends: standard\npatterns:\n  mine:\n    when: {has: [4 tri|", "triplet"),
        ("kind: ruleset\nextends: standard\npatterns:\n  mine:\n    when: self_|", "self_draw"),
        ("kind: ruleset\npatterns:\n  mine:\n    worth: 1\n  other:\n    excludes: [|", "mine"),
        ("kind: mod\nfor: [chinese]\nchange:\n  patterns:\n    chow|", "chow_hand"),
        ("kind: ruleset\noptions:\n  gold: {flag: true}\npatterns:\n  mine:\n    if: g|", "gold"),
        ("kind: ruleset\nphases:\n  one:\n    do:\n      - dr|", "draw"),
    ],
)
def test_what_may_be_written_is_offered(ann: Asker, text: str, offered: str) -> None:
    before, _, after = text.partition("|")
    place = {"line": before.count("\n") + 1, "column": len(before) - before.rfind("\n")}
    found = ann.do("POST", "/api/workshop/complete", {"text": before + after, **place})
    assert offered in [offer["label"] for offer in found["offers"]]


def test_nothing_is_offered_in_a_comment(ann: Asker) -> None:
    found = ann.do("POST", "/api/workshop/complete", {"text": "kind: ruleset # a w", "line": 1, "column": 20})
    assert found["offers"] == []


def test_words_are_explained(ann: Asker) -> None:
    def meaning(word: str) -> Any:
        before = TEXT[: TEXT.index(word)]
        place = {"line": before.count("\n") + 1, "column": len(before) - before.rfind("\n") + 1}
        return ann.do("POST", "/api/workshop/describe", {"text": TEXT, **place})["found"][0]

    assert "discarder" in meaning("self_draw or payer")["doc"]
    assert meaning("minimum:")["kind"] == "key"
    assert meaning("standard ")["type"] == "base"


def test_a_place_is_found_in_what_is_no_document_yet() -> None:
    text = 'a:\n  - b: {c: [1, "x: y", d\n  e: |\n    text: 1\n'
    spot = spot_at(text, 2, 24)
    assert spot is not None
    assert spot.path == ("a", "-", "b", "c", "-")
    assert [key.path[-1] for key in keys_in("a: 'b: c'\nd: |\n  e: 1\nf:\n- g: 2\n").all()] == ["a", "d", "f", "g"]
    for line in range(-1, 7):
        for column in range(-1, 40):
            spot_at(text, line, column)


# --- what the language server does too


def at(text: str, marked: str) -> dict[str, int]:
    """The place of `|` in a part of a text."""
    before, _, after = marked.partition("|")
    offset = text.index(before + after) + len(before)
    return {"line": text.count("\n", 0, offset) + 1, "column": offset - text.rfind("\n", 0, offset)}


def test_a_name_is_found_and_changed(ann: Asker) -> None:
    place = at(TEXT, "  one|_suit:")
    used = ann.do("POST", "/api/workshop/references", {"text": TEXT, **place})["places"]
    assert len(used) == TEXT.count("one_suit") and not any("file" in one for one in used)
    found = ann.do("POST", "/api/workshop/rename", {"text": TEXT, **place, "name": "all_alike"})
    assert found["reason"] is None and len(found["edits"]) == len(used)
    assert {one["text"] for one in found["edits"]} == {"all_alike"}
    taken = ann.do("POST", "/api/workshop/rename", {"text": TEXT, **place, "name": "all_triplets"})
    assert taken["edits"] == [] and "already" in taken["reason"]


def test_what_a_bundled_document_declares_is_found_there(ann: Asker) -> None:
    head = "tilewright: 1\nkind: mod\nid: own\nname: Own\nfor: [chinese]\n"
    text = f"{head}change:\n  patterns:\n    chow_hand: {{worth: 2}}\n"
    places = ann.do("POST", "/api/workshop/definition", {"text": text, **at(text, "chow|_hand")})["places"]
    assert "chinese" in [one["file"] for one in places]
    refused = ann.do("POST", "/api/workshop/rename", {"text": text, **at(text, "chow|_hand"), "name": "other"})
    assert "comes with Tilewright" in refused["reason"]


def test_a_text_is_laid_out(ann: Asker) -> None:
    untidy = TEXT.replace("worth: 6", "worth:    6")
    (edit,) = ann.do("POST", "/api/workshop/format", {"text": untidy})["edits"]
    assert edit["text"] == TEXT
    assert ann.do("POST", "/api/workshop/format", {"text": TEXT})["edits"] == []
    assert ann.do("POST", "/api/workshop/format", {"text": "a: ["})["problems"]


def test_an_old_text_is_upgraded(ann: Asker) -> None:
    head = "id: own\nname: Own\nfor: [riichi]\n"
    text = f"tilewright: 1\nkind: mod\n{head}change: {{options: {{open_simples: {{flag: false}}}}}}   # closed\n"
    assert checked(ann, text)["old"]
    done = ann.do("POST", "/api/workshop/upgrade", {"text": text})
    assert done["problems"] == []
    (edit,) = done["edits"]
    new = f"tilewright: 2\nkind: mod\n{head}change: {{options: {{open_tanyao: {{flag: false}}}}}}   # closed\n"
    assert edit["text"] == new
    assert not checked(ann, new)["old"]
    assert ann.do("POST", "/api/workshop/upgrade", {"text": new})["edits"] == []
    assert ann.do("POST", "/api/workshop/upgrade", {"text": "a: ["})["problems"]


def test_a_problem_has_its_fix(ann: Asker) -> None:
    problem = next(one for one in checked(ann, TYPO)["problems"] if one["code"] == "unknown-key")
    (fix,) = problem["fixes"]
    assert (fix["kind"], fix["what"], fix["edits"][0]["text"]) == ("meant", "worth", "worth")


def test_examples_are_counted_for_each_pattern(ann: Asker) -> None:
    told = ann.do("POST", "/api/workshop/examples", {"text": WRONG_EXAMPLE})["tallies"]
    counted = {one["key"][-1]: (one["held"], one["tried"]) for one in told}
    held, tried = counted["all_triplets"]
    assert held == tried - 1


# --- what the rules mean


def test_what_no_example_reaches_is_noted(ann: Asker) -> None:
    """At the lines of the text alone, also of a mod over its target."""
    found = ann.do("POST", "/api/workshop/coverage", {"text": TEXT})
    assert 0 < found["percent"] < 100 and {one["severity"] for one in found["notes"]} == {"note"}
    assert all(one["line"] <= len(TEXT.splitlines()) for one in found["notes"])
    over = ann.do("POST", "/api/workshop/coverage", {"text": MOD, "target": "cantonese"})
    assert over["notes"] and "is never" in " ".join(one["message"] for one in over["notes"])
    wrong = ann.do("POST", "/api/workshop/coverage", {"text": "tilewright: 1\nkind: ruleset\n"})
    assert wrong["problems"] and "notes" not in wrong


def test_examples_are_tried(ann: Asker) -> None:
    answer = ann.do("POST", "/api/workshop/examples", {"text": TEXT})
    assert ("least_points", "number", 0) in [(one["id"], one["kind"], one["default"]) for one in answer["options"]]
    found = answer["examples"]
    assert len(found) == 7
    assert all(one["good"] for one in found)
    assert found[0]["score"] == {"win": True, "total": 3, "unit": "points", "patterns": ["all_triplets"]}
    failing = [
        one for one in ann.do("POST", "/api/workshop/examples", {"text": WRONG_EXAMPLE})["examples"] if not one["good"]
    ]
    assert [one["of"] for one in failing] == ["all_triplets"]
    assert failing[0]["problems"][0]["line"] == failing[0]["line"]


def test_a_mod_is_tried_with_a_ruleset(ann: Asker) -> None:
    text = ann.do("GET", "/api/documents/bundled/seven_pairs")["text"]
    found = ann.do("POST", "/api/workshop/examples", {"text": text, "target": "cantonese"})
    assert all(one["good"] for one in found["examples"])
    assert found["asks"]["unit"] == "hand_score"


def test_a_hand_is_scored(ann: Asker) -> None:
    found = ann.do("POST", "/api/workshop/score", {"text": TEXT, "case": HAND})
    assert (found["score"]["total"], found["tiles"]["win"]) == (3, ["5s"])
    assert found["tiles"]["hand"][:3] == ["2m", "2m", "2m"]
    assert found["inner"] == [] and "called" not in found["score"]
    strict = {"text": TEXT, "case": HAND, "options": {"least_points": 5}}
    assert not ann.do("POST", "/api/workshop/score", strict)["score"]["win"]
    unknown = {"text": TEXT, "case": HAND, "options": {"most_points": 5}}
    assert ann.do("POST", "/api/workshop/score", unknown)["problems"]
    without = {"text": TEXT, "case": {"hand": HAND["hand"]}}
    assert codes(ann.do("POST", "/api/workshop/score", without)) == ["no-winning-tile"]
    odd = {"text": TEXT, "case": {"hand": {"of": "nothing"}, "melds": 7, "flags": {}}}
    assert ann.do("POST", "/api/workshop/score", odd)["problems"]
    assert "unknown-key" in codes(ann.do("POST", "/api/workshop/score", {"text": TYPO, "case": HAND}))


def test_an_expression_is_worked_out_in_a_hand(ann: Asker) -> None:
    asked = {"text": TEXT, "case": HAND, "expression": "hand - 1 > least_points"}
    (found,) = ann.do("POST", "/api/workshop/evaluate", asked)["readings"]
    assert (found["whole"]["value"], [one["text"] for one in found["whole"]["parts"]]) == (
        "yes",
        ["hand - 1", "least_points"],
    )
    for expression, code in (
        ("hnad > 1", "unknown-word"),
        ("{suit: 1}", "unknown-key"),
        ("", "syntax"),
        ("{", "bad-yaml"),
    ):
        assert codes(ann.do("POST", "/api/workshop/evaluate", {**asked, "expression": expression})) == [code]
    assert codes(ann.do("POST", "/api/workshop/evaluate", {**asked, "case": {"hand": "1"}})) == ["wrong-tiles"]
    assert "unknown-key" in codes(ann.do("POST", "/api/workshop/evaluate", {**asked, "text": TYPO}))


def test_a_hand_is_scored_with_the_wild_tiles_of_its_marks(ann: Asker) -> None:
    text = (Path(__file__).parents[1] / "data" / "lucky.yaml").read_text(encoding="utf-8")
    tried = ann.do("POST", "/api/workshop/examples", {"text": text})
    assert all(one["good"] for one in tried["examples"])
    assert "lucky" in [one["id"] for one in tried["asks"]["marks"]]
    hand = {"hand": "123m 456m 78p 22s CC 5s", "win_tile": "9p"}
    for tiles, wins in (("5s", True), ("4s", False)):
        case = {**hand, "marks": {"lucky": tiles}}
        assert ann.do("POST", "/api/workshop/score", {"text": text, "case": case})["score"]["win"] is wins


def test_games_are_simulated(ann: Asker) -> None:
    told = ann.lines(
        "POST", "/api/workshop/simulate", {"text": TEXT, "games": 6, "players": ["random"], "so_far": "evil"}
    )
    assert (told[-1]["done"], told[-1]["of"]) == (6, 6)
    summary = told[-1]["summary"]
    assert summary["games"] == summary["hands"] == 6
    assert summary["players"] == ["random"] * 4
    assert (summary["report"]["won"]["count"], summary["report"]["won"]["of"]) == (summary["won"], 6)
    assert [one["points"]["count"] for one in summary["report"]["seats"]] == pytest.approx(
        [6 * one["points"]["mean"] for one in summary["by_seat"]], abs=1e-4
    )
    assert "so_far" not in told[-1]
    base = {"text": TEXT.replace("extends: standard", "extends: nothing"), "games": 2}
    assert codes(ann.lines("POST", "/api/workshop/simulate", base)[0]) == ["no-such-document"]


# --- hostile texts

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(12)
)
HOSTILE = {
    "deep": "[" * 20_000,
    "deep blocks": "\n".join(" " * n + "a:" for n in range(400)),
    "aliases of aliases": LAUGHS,
    "a huge number": TEXT.replace("worth: 6", "worth: 1e999999"),
    "another file": TEXT.replace("extends: standard", "extends: /etc/passwd"),
    "another document": TEXT.replace("extends: standard", "extends: ../rulesets/bases/standard.yaml"),
    "itself": TEXT.replace("extends: standard", "extends: document"),
    "control characters": TEXT.replace("Mine", "Mi\x00\x1bne"),
    "no text": "\ufeff",
    "a tag": "!!python/object/apply:os.system [id]\n",
    "a card": "kind: card\ntilewright: 1\nid: x\n",
    "keys that are no texts": "? [a, b]\n: c\n? {d: e}\n: f\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_refused_with_a_reason(ann: Asker, name: str) -> None:
    found = checked(ann, HOSTILE[name])
    assert found["problems"]
    assert all(one["message"] and "/tmp" not in json.dumps(one) for one in found["problems"])
    for path in ("examples", "score"):
        answer = ann.do("POST", f"/api/workshop/{path}", {"text": HOSTILE[name], "case": HAND})
        assert "root:" not in json.dumps(answer)
    ann.do("POST", "/api/workshop/complete", {"text": HOSTILE[name], "line": 1, "column": 30})


def test_a_text_that_is_too_long_is_refused(ann: Asker) -> None:
    assert ann.refused("POST", "/api/workshop/check", {"text": "# " * 200_000}) == (413, "too-large")
    assert ann.refused("POST", "/api/workshop/check", b"[" * 100_000) == (400, "bad-message")
    assert ann.refused("POST", "/api/workshop/check", {}) == (400, "bad-message")
    assert Asker(ann.url).refused("POST", "/api/workshop/check", {"text": TEXT}) == (401, "unknown-person")


@pytest.mark.parametrize("world", ["towers", "sums of sums of sums", "many letters"])
def test_an_expression_that_explodes_is_refused_or_answered(ann: Asker, world: str) -> None:
    text = json.dumps(ruleset(WORLDS[world]))
    status, answer = ann.raw("POST", "/api/workshop/score", {"text": text, "case": HAND})
    found = json.loads(answer)
    assert status in (200, 422)
    assert found.get("problems") or found.get("score") or found["error"]["code"] == "too-slow"


def test_an_endless_game_is_ended(ann: Asker) -> None:
    told = ann.lines("POST", "/api/workshop/simulate", {"text": ENDLESS, "games": 2})
    assert any("2,000 answers" in problem for problem in told[-1]["summary"]["problems"])


def test_a_game_that_takes_too_long_is_ended(ann: Asker, bob: Asker) -> None:
    assert checked(ann, SLOW)["good"]
    assert ann.refused("POST", "/api/workshop/simulate", {"text": SLOW, "games": 3}) == (422, "too-slow")
    assert checked(bob, TEXT)["good"], "others are not disturbed"


def test_markup_stays_text(ann: Asker) -> None:
    text = TEXT.replace("{en: Mine}", f"{{en: '{MARKUP}'}}")
    assert checked(ann, text)["name"] == {"en": MARKUP}
    made = ann.do("POST", "/api/documents", {"text": text, "name": MARKUP})
    assert ann.do("GET", f"/api/documents/{made['id']}")["name"] == MARKUP
    status, answer = ann.raw("GET", f"/api/documents/{made['id']}")
    assert status == 200
    assert json.loads(answer)["text"] == text


# --- the editor


def test_the_editor_comes_along_and_is_small_enough() -> None:
    editor, licences = VENDOR / "codemirror.js", VENDOR / "codemirror.LICENSE.txt"
    content = editor.read_text(encoding="utf-8")
    assert 100_000 < len(content) < MOST_OF_THE_EDITOR
    assert "export{" in content
    assert "MIT" in licences.read_text(encoding="utf-8")
    for package in ("@codemirror/view", "@codemirror/lang-yaml", "@lezer/yaml", "style-mod"):
        assert package in licences.read_text(encoding="utf-8")
