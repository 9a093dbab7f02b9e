"""Scenes: small games that show what one sentence of the language means, as data in tests/plays.

A scene has the `rules` that it changes in tests/plays/tiny.yaml, how the first hand is dealt (as for golden games),
the moves of its `play` (`/` between them; seats that no move names pass), and what has to come of it: what is told
until the first question (`dealt`) and after it (`events`; of the kinds `only`, if it says some), what is seen (`sees`:
viewer, place, tiles), who is `asked` for what at the end, what is remembered then (`marks`), why something is
`refused`, what is wrong with the last move (`illegal`), and expressions that hold for the seat in `act` (`holds`).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from golden_games import sentence
from play_worlds import TESTS
from rigged import play, rigged

from tilewright import IllegalMove, Move, Rules, load
from tilewright.base.document import parse
from tilewright.base.node import plain
from tilewright.base.problem import Source
from tilewright.play.match import Match
from tilewright.play.model import Event
from tilewright.play.view import View

FOLDER = TESTS / "plays"
HEAD = {"tilewright": 1, "kind": "ruleset", "id": "rules", "name": "Rules", "extends": "tiny"}
SPECTATOR = "all"


@dataclass(frozen=True)
class Scene:
    """One game and what has to come of it."""

    id: str
    says: str
    ruleset: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)
    deal: tuple[str, ...] = ()
    draws: str = ""
    back: str = ""
    seed: int = 1
    hands: int | None = 1
    play: str = ""
    events: str | None = None
    only: str = ""
    dealt: str | None = None
    sees: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    asked: Mapping[str, str] | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    illegal: str = ""
    holds: tuple[str, ...] = ()


def scenes(file: str) -> list[Scene]:
    """The scenes of a file in tests/plays."""
    text = (FOLDER / f"{file}.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, Any]] = plain(parse(Source(file, text)))
    return [
        Scene(id, **{**scene, "deal": tuple(scene.get("deal", ())), "holds": tuple(scene.get("holds", ()))})
        for id, scene in found.items()
    ]


def rules_of_scene(scene: Scene, folder: Path) -> Rules:
    """The rules of a scene, written down in a folder of its own, or those of a `ruleset` in tests."""
    if scene.ruleset:
        return load(str(TESTS / scene.ruleset))
    (folder / "tiny.yaml").write_bytes((FOLDER / "tiny.yaml").read_bytes())
    file = folder / "rules.yaml"
    file.write_text(json.dumps({**HEAD, **with_statements(scene)}, ensure_ascii=False, default=float), encoding="utf-8")
    return load(str(file))


def with_statements(scene: Scene) -> Mapping[str, Any]:
    """The rules, with an offer for each expression that is to hold."""
    if not scene.holds:
        return scene.rules
    said = {f"statement_{number}": {"when": text, "then": "act"} for number, text in enumerate(scene.holds)}
    phases, offers = scene.rules.get("phases", {}), scene.rules.get("offers", {})
    act = {"act": {"offers": ["win", *said, "throw"]}}
    return {**scene.rules, "phases": {**phases, **act}, "offers": {**offers, **said}}


def begun(scene: Scene, folder: Path) -> Match:
    """The game of a scene at its first question."""
    rules = rules_of_scene(scene, folder)
    return rigged(rules, scene.deal, str(scene.draws), str(scene.back), scene.seed, scene.hands)


def acted(scene: Scene, game: Match) -> None:
    """Make the moves of the scene. Raises IllegalMove for the last if it is to be illegal."""
    lines = scene.play.replace(" / ", "\n").strip().splitlines()
    play(game, "\n".join(lines[:-1] if scene.illegal else lines))
    if scene.illegal:
        game.answer(move_of(game, *lines[-1].split(" ", 2)))


def move_of(game: Match, seat: str, does: str, chosen: str = "") -> Move:
    """A move, legal or not, that chooses one thing at most."""
    offer = game.program.play.offers.get(does)
    names = ["group"] if offer is None or offer.group else [choose.name for choose in offer.choose]
    return Move(game.program.names.index(seat), does, ((names[0], chosen),) if chosen else ())


def told(game: Match, start: int = 0, end: int | None = None, only: str = "") -> list[str]:
    """What happened, a line each; what seats answered is said by the moves."""
    events = game.events[start:end]
    kinds = set(only.split()) or {event.kind for event in events} - UNSAID
    return [sentence(brief(event), game) for event in events if event.kind in kinds]


def brief(event: Event) -> Event:
    """The event; of a declared hand only how it was won and its total."""
    if event.kind != "declare":
        return event
    return replace(event, detail=tuple(pair for pair in event.detail if pair[0] in ("self_draw", "discarder", "total")))


UNSAID = {"answers", "hand"}


def seen(game: Match, viewer: str, place: str) -> str:
    """The tiles of a place as somebody sees them, `_` where one is hidden; or a mark."""
    view = View(game, None if viewer == SPECTATOR else game.program.names.index(viewer))
    zone, _, owner = place.partition("@")
    if zone in game.program.data.marks:
        return str(view.mark(zone, game.program.names.index(owner) if owner else None))
    at = game.program.names.index(owner) if owner else 0
    return " ".join("_" if face is None else game.program.code[face] for face in view.zone(zone, at))


def offered(game: Match) -> dict[str, str]:
    """Who is asked for what."""
    found = {}
    for seat in game.asked:
        question = game.question(seat)
        assert question is not None
        listed = [" ".join([move.does, *(text for _, text in move.choice)]) for move in question.moves]
        picks = [f"{p.does} {p.name} {p.least}..{p.most} of {' '.join(p.tiles)}" for p in question.picks]
        found[game.program.names[seat]] = ", ".join([*listed, *picks])
    return found


def differences(scene: Scene, game: Match) -> Iterator[tuple[str, Any, Any]]:
    """What came of a scene, whose game has just begun, and what should have come, each under its name."""
    start = len(game.events)
    try:
        acted(scene, game)
    except IllegalMove as error:
        yield "illegal", str(error), scene.illegal
    if scene.dealt is not None:
        yield "dealt", told(game, 0, start), scene.dealt.strip().splitlines()
    if scene.events is not None:
        yield "events", told(game, start, None, scene.only), scene.events.strip().splitlines()
    for viewer, places in scene.sees.items():
        for place, tiles in places.items():
            yield f"{viewer} sees {place}", seen(game, viewer, place), str(tiles)
    if scene.asked is not None:
        yield "asked", offered(game), dict(scene.asked)
    there = " ".join(offered(game).values()).replace(",", "").split()
    for number, text in enumerate(scene.holds):
        yield text, f"statement_{number}" in there, True
    for name, value in scene.marks.items():
        mark, _, owner = name.partition("@")
        at = game.program.names.index(owner) if owner else 0
        yield name, game.remembered(mark, at), value
    for who, reason in scene.refused.items():
        seat, does = who.split()
        refusals = game.refusals(game.program.names.index(seat))
        yield who, [r.reason.get("en") for r in refusals if r.does == does], [reason]
