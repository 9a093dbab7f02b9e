"""Replay jobs: the spec and the log of a finished table in, plain data out: its hands with their results, and every
moment of a hand as a viewer sees it.

Runs in a process for untrusted texts. The game is replayed from the answers of its log; a viewer sees what its seat
saw, the viewer `open` what any seat saw. Knows no server and no person.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.play.chance import HandSeeds, TableSecret
from tilewright.play.log import Log, LogError, read_log
from tilewright.play.match import Match
from tilewright.play.model import ANSWERS, Event, IllegalMove
from tilewright.play.resume import begun, move_of, undisclosed
from tilewright.play.rules import Rules
from tilewright.presentation.rules_data import about_json
from tilewright.web.jobs.session import SeenMoment, WorkerSession, result_json
from tilewright.web.protocol.moments import ALL, OPEN
from tilewright.web.protocol.spec import NO_TEXTS, BadSpec, kept_texts, problem_of, read_spec, rules_of

Plain = dict[str, Any]

NAME = "log"
QUESTIONS = ("question", "refusals")  # of a view: nobody is asked in a replay
MOST_STEPS = 5_000  # of one hand


@dataclass(frozen=True, slots=True)
class ReplayMoment:
    """A moment of a game. `n`: its number, from 0; `hand`: that of its hand, from 0; `seen`: as players saw it."""

    n: int
    hand: int
    seen: SeenMoment


class ReplaySession(WorkerSession):
    """A replayed game, with the additional viewer `open`, which sees every event but the answers."""

    def events_by_viewer(self, events: Sequence[Event]) -> dict[str, list[Plain]]:
        """These events as every viewer sees them."""
        shown = [event for event in events if event.kind != ANSWERS]
        return {**super().events_by_viewer(events), OPEN: self.seen_events(shown, shown)}


# --- jobs


def reports_broken_logs(work: Callable[[Plain], Plain]) -> Callable[[Plain], Plain]:
    """A job on a log. Raises BadSpec if the log cannot be played."""

    def done(payload: Plain) -> Plain:
        try:
            return work(payload)
        except LogError as error:
            raise BadSpec([problem_of(error.problem.code, error.problem.message)]) from None

    return done


@reports_broken_logs
def index(payload: Plain) -> Plain:
    """The index of a replay: each hand with its first moment, their number, and its result; and the rules as a page
    needs them."""
    rules, log, seeds = opened(payload)
    playing = WorkerSession(begun(log, rules, seeds, pausing=True))
    playing.viewers = {}
    hands: list[Plain] = []
    for moment in moments(playing, log):
        if moment.hand == len(hands):
            hands.append({"hand": moment.hand + 1, "first": moment.n, "steps": 0, "result": None})
        hands[moment.hand]["steps"] += 1
    for hand, result in zip(hands, playing.game.results, strict=False):
        hand["result"] = result_json(playing.game, result)
    return {
        "hands": hands,
        "steps": sum(hand["steps"] for hand in hands),
        "start": start_of(playing.game),
        "about": about_json(rules),
    }


def start_of(game: Match) -> list[Any]:
    """The scores of the players before the first hand."""
    if not game.results:
        return []
    first = result_json(game, game.results[0])
    return [score - gain for score, gain in zip(first["scores"], first["gains"], strict=True)]


@reports_broken_logs
def steps(payload: Plain) -> Plain:
    """The moments of a hand, as seen by a player (by number), by spectators (`all`), or with all tiles open
    (`open`)."""
    rules, log, seeds = opened(payload)
    playing = ReplaySession(begun(log, rules, seeds, pausing=True))
    eye, wanted = str(payload.get("eye", ALL)), int(payload.get("hand", 0))
    everybody, playing.viewers = playing.viewers, {}
    found: list[Plain] = []
    near = (wanted, wanted + 1)  # the moment after the last hand belongs to that hand
    for moment in moments(playing, log, lambda hand: viewers_of(everybody, eye) if hand in near else {}):
        if moment.hand > wanted or len(found) >= MOST_STEPS:
            break
        if moment.hand == wanted:
            found.append(step_of(moment, eye))
    return {"hand": wanted, "eye": eye, "steps": found}


def viewers_of(everybody: Mapping[str, int | None], eye: str) -> dict[str, int | None]:
    """The viewers needed for this one."""
    if eye == OPEN:
        return dict(everybody)
    return {eye: everybody[eye]} if eye in everybody else {ALL: None}


# --- replaying


def opened(payload: Plain) -> tuple[Rules, Log, HandSeeds | None]:
    """The rules, the log, and the seeds of a game that broke off, which the log does not have. Raises BadSpec,
    LogError."""
    spec, kept = read_spec(payload.get("spec")), payload.get("kept")
    if not kept:  # of a version that kept no texts
        kept = kept_texts(spec, payload.get("digest"))
    rules = rules_of(spec, kept or NO_TEXTS)
    log = read_log(NAME, "".join(f"{line}\n" for line in payload.get("lines") or ()))
    secret = payload.get("secret")
    return rules, log, None if secret is None or undisclosed(log) is None else TableSecret(secret)


def moments(
    playing: WorkerSession, log: Log, viewers: Callable[[int], dict[str, int | None]] | None = None
) -> Iterator[ReplayMoment]:
    """Every moment of a game, in order. `viewers`: the viewers of a hand. Raises LogError."""
    for number, seen in enumerate(played_again(playing, log, viewers)):
        yield ReplayMoment(number, playing.game.hand_number, seen)


def played_again(
    playing: WorkerSession, log: Log, viewers: Callable[[int], dict[str, int | None]] | None
) -> Iterator[SeenMoment]:
    """The steps of the game, answer by answer."""
    game = playing.game

    def looked_at() -> Iterator[SeenMoment]:
        for moment in playing.moments():
            yield moment
            if viewers is not None:
                playing.viewers = viewers(game.hand_number + game.rests)

    if viewers is not None:
        playing.viewers = viewers(0)
    yield from looked_at()
    for number, answers in log.answers.items():
        try:
            game.answer_together([move_of(game, name, answer) for name, answer in answers.items()])
        except IllegalMove as error:
            raise LogError("illegal-answer", f"line {number} cannot be answered: {error}") from None
        yield from looked_at()


# --- views of a moment


def step_of(moment: ReplayMoment, eye: str) -> Plain:
    """A moment as a viewer sees it."""
    seen = moment.seen
    view = opened_up(seen.views) if eye == OPEN else next(iter(seen.views.values()))
    return {
        "n": moment.n,
        "view": {key: value for key, value in view.items() if key not in QUESTIONS},
        "events": seen.events[OPEN] if eye == OPEN else next(iter(seen.events.values())),
        "asked": seen.asked,
        "claim": seen.claim,
        "ends": seen.ends,
    }


def opened_up(views: Mapping[str, Plain]) -> Plain:
    """One view with all that any seat sees: for each place what its own seat sees, else what another does."""
    public = views[ALL]
    own = {view["seat"]: view for view in views.values() if view["seat"] is not None}
    zones = {
        zone: {seat: uncovered([own[seat]["zones"][zone][seat], *rows(views, zone, seat)]) for seat in lying}
        if isinstance(lying, dict)
        else uncovered([lying, *(view["zones"][zone] for view in own.values())])
        for zone, lying in public["zones"].items()
    }
    return {
        **public,
        "zones": zones,
        "melds": {seat: own[seat]["melds"][seat] for seat in public["melds"]},
        "marks": {key: value for view in (*own.values(), public) for key, value in view["marks"].items()}
        | marks_of_all(own),
    }


def rows(views: Mapping[str, Plain], zone: str, seat: str) -> Iterator[Sequence[str | None]]:
    return (view["zones"][zone][seat] for view in views.values())


def uncovered(seen: Sequence[Sequence[str | None]]) -> list[str | None]:
    """The tiles of a place, as far as any viewer sees them: from the first that sees all, else tile by tile."""
    whole = next((row for row in seen if None not in row), None)
    if whole is not None:
        return list(whole)
    return [next((code for code in place if code is not None), None) for place in zip(*seen, strict=True)]


def marks_of_all(own: Mapping[str, Plain]) -> Plain:
    """Marks of seats, each as its own seat sees it."""
    found: dict[str, Plain] = {}
    for seat, view in own.items():
        for mark, values in view["marks"].items():
            if isinstance(values, dict) and seat in values:
                found.setdefault(mark, {})[seat] = values[seat]
    return found
