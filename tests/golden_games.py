"""Golden games: text files in tests/golden, each a game to be read and to be played again.

A file is a head in YAML (what is to be seen, what is played, how the first hand is dealt; `covers` names the items of
tests/play/test_golden.py that are in it), a line `---`, and the game. There, lines that
begin with `>` are moves, with ` / ` between them; the others say what happened, `[E]` who alone was told. Seats that no
move names pass; `> drawn` lets everyone throw what it draws until the hand has ended. `python tests/golden_games.py`
writes all files anew out of their heads and moves: read the difference.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rigged import answer, play, rigged, thrown

from tilewright.base.document import parse
from tilewright.base.node import plain
from tilewright.base.problem import Source
from tilewright.play.log import event_json
from tilewright.play.match import Match
from tilewright.play.model import Event
from tilewright.play.rules import load

FOLDER = Path(__file__).parent / "golden"
UNSAID = ("answers", "take", "mark", "told", "shuffle")  # what the moves say, and what is only remembered
MOVE, BETWEEN, REST, LINE = "> ", " / ", "> drawn", "---\n"


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def parts(path: Path) -> tuple[str, str]:
    """The head and the game of a file."""
    head, _, game = path.read_text(encoding="utf-8").partition(LINE)
    return head, game


def head_of(text: str) -> dict[str, Any]:
    found: dict[str, Any] = plain(parse(Source("head", text)))
    return found


def begun(head: dict[str, Any]) -> Match:
    """The game of a head, at its first question."""
    rules, seed, hands = (
        load(head["ruleset"], head.get("options"), head.get("mods", ())),
        head.get("seed", 1),
        head.get("hands"),
    )
    if "deal" not in head:
        return rules.game(seed, hands=hands)
    return rigged(rules, tuple(head["deal"]), head.get("draws", ""), head.get("back", ""), seed, hands)


def played(head_text: str, game_text: str) -> tuple[Match, str]:
    """The game at its end, and the file again: its head, its moves, and what comes of them."""
    head = head_of(head_text)
    game = begun(head)
    lines = told(game, moves_of(game_text), head.get("shows"))
    return game, "".join((head_text, LINE, *(f"{line}\n" for line in lines)))


def moves_of(game_text: str) -> list[str]:
    """The lines that are moves."""
    return [line for line in game_text.splitlines() if line.startswith(MOVE)]


def told(game: Match, moves: list[str], shows: list[str] | None) -> Iterator[str]:
    """What happened, each move before what came of it."""
    yield from since(game, 0, shows)
    for move in moves:
        before = len(game.events)
        yield move
        carry_out(game, move)
        yield from since(game, before, shows)


def carry_out(game: Match, move: str) -> None:
    if move != REST:
        play(game, move.removeprefix(MOVE).replace(BETWEEN, "\n"))
        return
    hands = len(game.results)
    while len(game.results) == hands:
        answer(game, *thrown(game))


def since(game: Match, number: int, shows: list[str] | None) -> Iterator[str]:
    """A line for each event from that number on."""
    for event in game.events[number:]:
        if event.kind in shows if shows is not None else event.kind not in UNSAID:
            yield f"  {sentence(event, game)}"


def sentence(event: Event, game: Match) -> str:
    """An event in one line: who, what, tiles, details, who alone was told."""
    content = event_json(event, game.program)
    kind, seat, seen = content.pop("event"), content.pop("seat", ""), content.pop("seen_by", None)
    tiles = content.pop("tiles", ())
    shown = " ".join(tiles) if isinstance(tiles, list) else f"{tiles} tiles" if tiles else ""
    details = ", ".join(f"{name} {detail(value)}" for name, value in content.items() if name != "count")
    hidden = f"[{' '.join(seen) or 'nobody'}]" if seen is not None else ""
    return " ".join(filter(None, (seat, kind, shown, details and f"({details})", hidden)))


def detail(value: Any) -> str:
    """A detail as a person writes it."""
    if isinstance(value, dict):
        return " ".join(f"{key} {detail(inner)}" for key, inner in value.items() if key != "name").removeprefix("id ")
    if isinstance(value, list | tuple):
        return (
            "; ".join(map(detail, value)) if any(isinstance(one, dict) for one in value) else " ".join(map(str, value))
        )
    return str(value)


if __name__ == "__main__":
    for path in files():
        path.write_text(played(*parts(path))[1], encoding="utf-8")
