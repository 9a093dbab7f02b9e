"""The protocol of the socket: every message of docs/web-protocol.md is read as it stands there, and comes from the
server as it stands there; texts of anybody are read or refused."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import openapi_spec_validator
import pytest
from hypothesis import given
from hypothesis import strategies as some
from jsonschema import Draft202012Validator
from msgspec import Raw, inspect
from play_worlds import World, played, started
from web_client import FAST, PERSON, Plain, page, together
from web_server import Server

from tilewright.play.view import View
from tilewright.players.simulation.rows import Failure
from tilewright.players.simulation.tally import PatternTally, SideTally, Spread, Tally
from tilewright.web.jobs.trying import read_tally, tally_json
from tilewright.web.protocol import messages
from tilewright.web.protocol.limits import Bucket, Buckets, HeldBytes
from tilewright.web.protocol.messages import KINDS, Message, Setup, read, setup_of
from tilewright.web.protocol.moments import changed, decoded, parts_of, with_parts
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import ServerMessage
from tilewright.web.protocol.settings import Limits, Settings
from tilewright.web.protocol.shape import decode, json_bytes
from tilewright.web.protocol.spec import read_spec
from tilewright.web.reference import bodies, filled, in_docs, openapi_text, schema_text, types_of
from tilewright.web.requests import BODIES
from tilewright.web.sockets import PageConnection
from tilewright.web.storage.rows import Person, clean_name
from tilewright.web.tables.broadcast import DelayedMoments, Story, ViewerMoment, is_allowed
from tilewright.web.tables.game import BotWorker
from tilewright.web.tables.pending import some_move
from tilewright.web.tables.record import public_spec

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "web-protocol.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^```json (page|server)\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
EXAMPLES = [(side, json.loads(text)) for side, text in EXAMPLE.findall(PAGE)]
SAID = [message for side, message in EXAMPLES if side == "page"]
TOLD = {message["say"]: message for side, message in EXAMPLES if side == "server"}


def message_of(message: Plain) -> Message:
    """What is read of a message."""
    return read(json.dumps(message).encode())


# --- limits


def test_every_field_from_a_stranger_has_a_limit() -> None:
    assert [
        place for kind in (*KINDS.values(), *BODIES) for place in unlimited(inspect.type_info(kind), kind.__name__)
    ] == []


def unlimited(found: inspect.Type, place: str) -> Iterator[str]:
    """Where a text, a list or an object may be of any length."""
    match found:
        case inspect.Metadata(type=inner):
            yield from unlimited(inner, place)
        case inspect.UnionType(types=types):
            for one in types:
                yield from unlimited(one, place)
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from unlimited(field.type, f"{place}.{field.name}")
        case (
            inspect.VarTupleType(item_type=inner, max_length=most) | inspect.ListType(item_type=inner, max_length=most)
        ):
            yield from [place] if most is None else unlimited(inner, f"{place}[]")
        case inspect.DictType(key_type=key, value_type=value, max_length=most):
            yield from [place] if most is None else (*unlimited(key, f"{place}.key"), *unlimited(value, f"{place}[]"))
        case inspect.StrType(max_length=None, pattern=None):
            yield place


@pytest.mark.parametrize("marks", ["\u0301\u0323" * 500_000, "a" + "\u0323\u0301" * 500_000, " " * 1_000_000])
def test_a_name_of_any_length_takes_no_time(marks: str) -> None:
    """Putting so many marks in order takes minutes."""
    assert len(clean_name(marks, 24)) <= 24


# --- the page about it


@pytest.mark.parametrize("message", SAID, ids=lambda message: message["say"])
def test_what_a_page_says_is_read(message: Plain) -> None:
    found = message_of(message)
    assert found.id == message["id"]
    assert read(json_bytes(found)) == found


def test_every_message_is_on_the_page() -> None:
    assert {type(message_of(message)) for message in SAID} == set(KINDS.values())
    assert {*TOLD} == {kind.__struct_config__.tag for kind in get_args(ServerMessage)}
    assert all(kind.__doc__ for kind in (*KINDS.values(), *get_args(ServerMessage)))


@pytest.mark.locked
def test_the_tables_and_the_schema_are_those_of_the_messages() -> None:
    """`make docs` writes them, and the types for the page."""
    assert filled(PAGE) == PAGE
    schema = ROOT / "schemas" / "web-protocol.schema.json"
    assert schema.read_text(encoding="utf-8") == schema_text()
    types = ROOT / "tools" / "page" / "types" / "protocol.d.ts"
    assert types.read_text(encoding="utf-8") == "".join(types_of(json.loads(schema_text())))
    check = Draft202012Validator(json.loads(schema_text()))
    for _, message in EXAMPLES:
        if message["say"] not in ("info", "step"):  # shortened on the page
            check.validate(message)


@pytest.mark.locked
def test_requests_are_described_for_programs() -> None:
    """`make docs` writes it. Every request is said to be for something, and the bodies are those of requests."""
    assert (ROOT / "schemas/openapi.json").read_text(encoding="utf-8") == openapi_text()
    described = json.loads(openapi_text())
    openapi_spec_validator.validate(described)
    requests = {(method.upper(), in_docs(path)) for path, found in described["paths"].items() for method in found}
    assert bodies().keys() <= requests
    assert [found for path in described["paths"].values() for found in path.values() if not found["summary"]] == []


def test_every_code_is_on_the_page() -> None:
    folder = Path(messages.__file__).parents[1]
    files = [folder / "protocol" / "refusals.py", *(folder / "tables").glob("*.py")]
    sources = [file.read_text(encoding="utf-8") for file in files]
    codes = {code for source in sources for code in re.findall(r'Refused\(\s*"([a-z-]+)"', source)}
    table = PAGE.partition("| code |")[2].partition("The server says")[0]
    assert codes == {code for line in table.splitlines() for code in re.findall(r"`([a-z-]+)`", line.split(" | ")[0])}


@pytest.mark.anyio
async def test_what_the_server_says_is_as_on_the_page(web_server: Server) -> None:
    """Every kind of message, with the same keys."""
    heard: dict[str, Plain] = {}
    async with page(web_server.socket, name="Ann") as ann, page(web_server.socket) as bob:
        heard["hello"] = ann.hello
        for said in ("ping", "rename", "lobby"):
            fields = {"rename": {"name": "Anna"}, "lobby": {"on": True}}.get(said, {})
            reply = await ann.ask(said, **fields)
            heard[reply["say"]] = reply
        spec = {"ruleset": {"id": "cantonese"}, "hands": 1}
        first = await ann.make(spec, [PERSON, PERSON, FAST, FAST], sit=0, name="Friday")
        heard["invite"] = await first.say("invite")
        heard["table"] = json.loads(next(text for text in ann.heard if '"say":"table"' in text))
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await first.say("chat", phrase="hello")
        await first.until(lambda: first.question is not None)
        heard["help"] = await first.say("help", what="hint")
        await second.page.send(
            json.dumps({"say": "answer", "id": 1, "table": first.code, "seq": 0, "move": {"move": "x"}})
        )
        heard["error"] = await bob.error()
        await together(first.play(), second.play())
        heard["again"] = await first.say("again")
    for text in ann.heard:
        message = json.loads(text)
        heard.setdefault(message["say"], message)
    heard["bye"] = TOLD["bye"]  # see test_web_server.py
    assert heard.keys() == TOLD.keys()
    for say, message in heard.items():
        assert message.keys() == TOLD[say].keys(), say
    info, shown = heard["table"]["info"], TOLD["table"]["info"]
    assert info.keys() == shown.keys() == heard["info"]["info"].keys()
    assert info["setup"].keys() == shown["setup"].keys()
    assert info["seats"][0].keys() == shown["seats"][0].keys()
    assert heard["hello"]["limits"] == TOLD["hello"]["limits"]


# --- what anybody sends

ANSWER = {"say": "answer", "table": "A", "seq": 1}
RULES: Plain = {"ruleset": {"id": "cantonese"}}
CARDS = {"card": {"id": "moon_gate"}, "other": {"name": "mine", "text": ""}}
MAKE = {"say": "make", "spec": RULES, "setup": {"seats": [PERSON, FAST]}, "sit": 0}


def seats(kind: str, bot: str) -> Plain:
    """A setup with a person and a bot of a name."""
    return {"setup": {"seats": [{"kind": kind}, {"kind": "bot", "bot": bot}]}}


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(max_size=20),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = some.sampled_from(sorted({key for message in SAID for key in message} | {"more"}))


@given(some.sampled_from(sorted(KINDS)), some.dictionaries(KEYS, JSON, max_size=6))
def test_anything_is_read_or_refused(say: str, fields: dict[str, Any]) -> None:
    try:
        found = read(json.dumps({**fields, "say": say}).encode())
    except Refused as refused:
        assert refused.message["en"]
        assert refused.code in ("bad-message", "bad-spec", "other-version")
    else:
        assert found.say == say and read(json_bytes(found)) == found


WRONG = {
    "join: table must be the code of a table": {"say": "join", "table": "a b"},
    "join: no field is called 'seet'; it has seat": {"say": "join", "table": "KDMWQ", "seet": "x"},
    "answer: seq must be a whole number from 0 to 9007199254740992": {"say": "answer", "table": "A", "move": {}},
    'answer: move must be an object of texts, like {"move": "pass"}': ANSWER | {"move": {"move": 7}},
    "make.setup.seats[1]: bot must be one of careful, fast, random": MAKE | seats("person", "slow"),
    "make.setup: seats must be a list of 1 to 12 seats": MAKE | {"setup": {"seats": []}},
    "make.setup: move_seconds must be a number from 5 to 300": MAKE | {"setup": {"seats": [PERSON], "move_seconds": 1}},
    "make.spec: ruleset must be the `id` of a document": MAKE | {"spec": {"ruleset": {}}},
    "make.spec.ruleset: id must be 1 to 60 small letters": MAKE | {"spec": {"ruleset": {"id": "../cantonese"}}},
    "make.spec.ruleset: no field is called 'nmae'; it has name": MAKE | {"spec": {"ruleset": {"nmae": "x"}}},
    "make.spec: hands must be a whole number from 1 to 1000": MAKE | {"spec": RULES | {"hands": 0}},
    "make.spec: mods must be a list of at most 16 mods": MAKE | {"spec": RULES | {"mods": [{"id": "pie"}] * 17}},
    "make.spec: options must be an object of at most 64 settings": MAKE | {"spec": RULES | {"options": {"a": []}}},
    "spec: options must be settings with at most one card": MAKE | {"spec": RULES | {"options": CARDS}},
    "make: sit must be the seat of a person": MAKE | {"sit": 1},
    "set: seat must be an object": {"say": "set", "table": "A", "player": 1, "seat": 5},
    "rename: name must be a name of 1 to 24 characters": {"say": "rename", "name": "\u200f"},
    "hello: key must be 32 to 128 letters, digits, - and _": {"say": "hello", "v": 2, "key": "short"},
    "ping: id must be": {"say": "ping", "id": 1.5},
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_wrong_message_is_told_where_and_what_it_has_to_be(sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        message_of(WRONG[sentence])
    assert refused.value.message["en"].startswith(sentence)
    assert refused.value.message["zh"]


def test_what_is_read_can_be_sent_on() -> None:
    """No halves of characters, and no number without end."""
    halves = rb'{"a\udc00": ["\ud83c\udc04", {"b": "\ud800"}, "\\ud800 \\\ud800"]}'
    assert decode(halves, Plain) == {"a\ufffd": ["🀄", {"b": "\ufffd"}, "\\ud800 \\\ufffd"]}
    for number in ("1e999", "9" * 19, "-" + "9" * 5_000):
        with pytest.raises(Refused):
            decode(f'{{"a": [{number}]}}'.encode(), Plain)
    for number in (1e99, 123456789.0123456789, 2**53, -(2**53)):
        assert decode(json.dumps({"a": number}).encode(), Plain) == {"a": number}


def test_no_text_of_a_spec_is_told() -> None:
    card = {"name": "c", "text": "secret"}
    spec = {"ruleset": {"id": "a"}, "mods": [{"id": "m", "options": {"card": card, "n": 2}}], "seed": 5}
    told = public_spec(spec)
    assert told["mods"] == [{"id": "m", "options": {"card": {"name": "c"}, "n": 2}}]
    assert "seed" not in told
    assert read_spec(spec).to_json()["mods"] == tuple(spec["mods"])


def test_what_a_page_does_not_take_waits_no_longer() -> None:
    held, closed = HeldBytes(10_000), list[str]()

    def page(name: str, waiting: int) -> PageConnection:
        router = SimpleNamespace(new_name=lambda: name, settings=Settings(limits=Limits(waiting=waiting)))
        return PageConnection(router, "k", Person(1, "", {}), "en", held, lambda: closed.append(name))  # type: ignore[arg-type]

    stuck = page("stuck", 100)
    for _ in range(50):
        stuck.send_text("x" * 20)
    assert (closed, stuck.texts.qsize(), held.total) == (["stuck"], 0, 0)
    slow, slower = page("slow", 10_000), page("slower", 10_000)
    slow.send_text("x" * 3_000)
    slower.send_text("x" * 6_500)
    slow.send_text("x" * 3_000)
    assert closed == ["stuck", "slower"], "the one that holds most"
    assert (slow.texts.qsize(), slower.texts.qsize()) == (2, 0)
    assert held.total == slow.waiting > 6_000


def test_a_log_that_nobody_thinks_about_is_not_kept() -> None:
    thinker = BotWorker(None, {}, None, None)  # type: ignore[arg-type]
    thinker.add(0, ["a line"])
    assert not thinker.new


@given(
    some.text(max_size=60)
    | some.text(some.sampled_from("e \u0301\u0323\u200b\u200d\u202e\u3164\ufe0f\u1100\u1161"), max_size=40)
)
def test_names_are_one_line_that_can_be_read(text: str) -> None:
    name = clean_name(text, 24)
    assert len(name) <= 24
    assert name == " ".join(name.split())
    assert all(sign.isprintable() for sign in name)
    assert not re.search("[\u115f\u1160\u2800\u3164\uffa0\ufe00-\ufe0f]", name)
    assert unicodedata.is_normalized("NFC", name)
    assert clean_name(name, 24) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A\u200bnn", "Ann"),
        ("\u2066Ann\u2069", "Ann"),
        ("Ann\U000e0041", "Ann"),
        ("\u00a0Ann\u2003\u2028Lee\u3000", "Ann Lee"),
        ("\u3164\u2800\u034f", ""),
        ("\ue000\u0378", ""),
        ("\u0301\u0301", ""),
        ("e\u200d\u0301", "\u00e9"),
        ("z" + "\u0316" * 20, "z" + "\u0316" * 3),
        ("क्षि ไก่ বাংলা שָׁלוֹם", "क्षि ไก่ বাংলা שָׁלוֹם"),
        ("陳 小明 🀄", "陳 小明 🀄"),
    ],
)
def test_nothing_is_hidden_in_a_name(text: str, name: str) -> None:
    assert clean_name(text, 40) == unicodedata.normalize("NFC", name)


def test_a_setup_is_kept_as_it_is() -> None:
    found = message_of(next(message for message in SAID if message["say"] == "make"))
    assert isinstance(found, messages.Make)
    assert setup_of(json.loads(json.dumps(found.setup.to_json()))) == found.setup
    assert isinstance(found.setup, Setup)


# --- the pieces


def test_who_looks_on_sees_the_table_later() -> None:
    late = DelayedMoments(delay=2)
    for seq in range(1, 5):
        late.answers += 1
        late.add(ViewerMoment(seq, {}))
        told = [one.seq for one in late.due(over=False)]
        assert told == ([seq - 2] if seq > 2 else [])
    assert [one.seq for one in late.due(over=True)] == [3, 4]


def test_a_story_is_the_last_events() -> None:
    story = Story()
    for number in range(100):
        story.add("0", ViewerMoment(number, {}, [Raw(b'{"event": "draw", "n": %d}' % number)]))
    assert [decoded(event)["n"] for event in story.events("0")] == list(range(40, 100))
    assert story.events("1") == []


def test_a_view_is_put_together_from_its_parts() -> None:
    views = [View(game, None).to_json() for game in played(started(World("riichi"), 3), 3)]
    shown: Plain | None = None
    before: Plain = {}
    sizes = []
    for view in views:
        parts = parts_of(view)
        new = changed(before, parts)
        sizes.append(len(new))
        shown, before = with_parts(shown, new), parts
        assert shown == view
    assert sizes[0] == len(before) > 3 * max(sizes[1:20])


TOGETHER = {
    "move": "answer",
    "choose": "apart",
    "least": 2,
    "most": 2,
    "tiles": ["1m", "2m", "E"],
    "allowed": ["1m 2m"],
}
QUESTION = {
    "moves": [{"move": "discard", "tile": "5m"}, {"move": "pass"}],
    "picks": [
        {"move": "answer", "to": "S", "choose": "given", "least": 1, "most": 2, "tiles": ["1m", "1m", "E"]},
        TOGETHER | {"more": True},
    ],
}


@pytest.mark.parametrize(
    ("move", "fits"),
    [
        ({"move": "pass"}, True),
        ({"move": "discard", "tile": "6m"}, False),
        ({"move": "answer", "to": "S", "given": "1m 1m"}, True),
        ({"move": "answer", "to": "S", "given": "E E"}, False),
        ({"move": "answer", "to": "S", "given": ""}, False),
        ({"move": "answer", "to": "S", "given": "1m 1m E"}, False),
        ({"move": "answer", "given": "1m"}, False),
        ({"move": "answer", "apart": "1m 2m"}, True),
        ({"move": "answer", "apart": "1m E"}, True),  # whether all of it is allowed, the game says
    ],
)
def test_answers_that_are_kept_back_fit_the_question(move: dict[str, str], fits: bool) -> None:
    assert is_allowed(QUESTION, move) is fits
    assert not is_allowed(None, move)


def test_where_no_bot_finds_an_answer_it_is_one_that_is_allowed() -> None:
    moves = QUESTION["moves"]
    assert some_move(QUESTION) == moves[-1]
    apart, given = TOGETHER | {"tiles": ["E", "1m", "2m"]}, QUESTION["picks"][0]
    assert some_move({"moves": [], "picks": [apart]}) == {"move": "answer", "apart": "1m 2m"}
    found = some_move({"moves": [], "picks": [given]})
    assert found == {"move": "answer", "to": "S", "given": "1m"}


def test_buckets_are_full_at_first() -> None:
    bucket = Bucket(rate=0.0, burst=3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    buckets = Buckets(rate=0.0, burst=1, most=2)
    assert [buckets.take(who) for who in "aabbcca"] == [True, False, True, False, True, False, True]


def test_a_tally_goes_from_one_part_of_a_simulation_to_the_next() -> None:
    tally = Tally(games=2, wins=Counter(own=3), value=Spread(2, Fraction(7, 2), 4, 1, 3), failures=[Failure(1, 2, "x")])
    tally.seats[1] = SideTally(fed=1)
    tally.patterns["p"] = PatternTally(1, Fraction(1, 2), 2, 3)
    assert read_tally(json.loads(json_bytes(tally_json(tally)))) == tally
