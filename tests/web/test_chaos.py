"""Faults while people play: a small run, and that a run notices what is lost."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from chaos.faults import FAULTS
from chaos.ledger import Asked, Findings, Ledger, SentAnswer, compare, match_answers, plain, question_of
from chaos.players import Tally
from chaos.run import Outcome, Plan, run
from chaos.versions import newer_version, older_commit
from conftest import ROOT

from tilewright.play.log import lines
from tilewright.play.match import Match
from tilewright.play.model import move_json
from tilewright.play.rules import load

SMALL = ("kill server", "kill workers", "cut connections")


@pytest.mark.slow
def test_a_small_run_loses_nothing() -> None:
    outcome = run_for("sqlite", 1, SMALL)
    assert set(outcome.faults) == set(SMALL), outcome.summary


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.xdist_group("postgresql")
@pytest.mark.parametrize(("database", "servers"), [("sqlite", 1), ("postgresql", 2)])
def test_every_fault_strikes_and_nothing_is_lost(database: str, servers: int) -> None:
    run_for(database, servers, (), minutes=4)


def run_for(database: str, servers: int, faults: Sequence[str], minutes: float = 0) -> Outcome:
    plan = Plan(minutes, database, servers, 2, 7, tuple(faults) or tuple(fault.name for fault in FAULTS))
    outcome = asyncio.run(run(plan))
    assert outcome.is_good, outcome.summary
    assert outcome.findings.logs > 0, outcome.summary
    return outcome


# --- what a run notices


def answers(*sent: tuple[str, str, str]) -> list[SentAnswer]:
    return [SentAnswer(*one) for one in sent]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "sent", "lost", "doubled", "outranked"),
    [
        ([("q1", "a"), ("q2", "b")], [("q1", "a", "acknowledged"), ("q2", "b", "acknowledged")], 0, 0, 0),
        ([("q1", "a")], [("q1", "a", "unknown"), ("q1", "a", "acknowledged")], 0, 0, 0),
        ([("q1", "a")], [("q1", "b", "unknown"), ("q1", "a", "acknowledged")], 0, 0, 0),
        ([("q1", "a"), ("q1", "a")], [("q1", "a", "unknown"), ("q1", "a", "acknowledged")], 0, 0, 0),
        ([("q1", "a")], [("q1", "a", "unknown")], 0, 0, 0),
        ([], [("q1", "a", "unknown")], 0, 0, 0),
        ([("q1", None), ("q2", "b")], [("q1", "a", "acknowledged"), ("q2", "b", "acknowledged")], 0, 0, 1),
        ([("q1", "b")], [("q1", "a", "acknowledged"), ("q1", "b", "acknowledged")], 1, 0, 0),
        ([("q1", "a")], [("q1", "a", "acknowledged"), ("q1", "a", "acknowledged")], 1, 0, 0),
        ([], [("q1", "a", "acknowledged")], 1, 0, 0),
        ([("q1", "a"), ("q1", "a")], [("q1", "a", "acknowledged")], 0, 1, 0),
        ([("q1", "b")], [], 0, 1, 0),
        ([("q2", "a")], [("q1", "a", "acknowledged")], 1, 1, 0),
    ],
)
def test_answers_are_matched_with_the_log(
    asked: list[tuple[str, str | None]],
    sent: list[tuple[str, str, str]],
    lost: int,
    doubled: int,
    outranked: int,
) -> None:
    found = Findings()
    match_answers("somebody", [Asked(*one) for one in asked], answers(*sent), found)
    assert (len(found.lost), len(found.doubled), found.outranked) == (lost, doubled, outranked)


def played_log(ruleset: str, seed: int) -> tuple[list[str], dict[int, list[SentAnswer]]]:
    """The log of a game, and the answers of its players."""
    game, chance = Match(load(ruleset).program, seed, 1), random.Random(seed)
    sent: dict[int, list[SentAnswer]] = {}
    for _ in range(60):
        seat = game.asked[0]
        question = game.question(seat)
        assert question is not None
        move = chance.choice(question.moves)
        entry = SentAnswer(question_of(game, seat), plain(move_json(move)), "acknowledged")
        sent.setdefault(game.player(seat), []).append(entry)
        game.answer(move)
    return list(lines(game)), sent


def test_what_is_cut_from_a_log_is_lost_and_a_changed_log_does_not_verify() -> None:
    log, sent = played_log("cantonese", seed=5)
    whole = compare("KDMWQ", "cantonese", log, sent)
    assert (whole.lost, whole.doubled, whole.wrong) == ([], [], [])
    numbers = [number for number, line in enumerate(log) if '"event":"answers"' in line]
    cut = compare("KDMWQ", "cantonese", log[: numbers[-3]], sent)
    assert cut.lost and not cut.doubled and not cut.wrong
    changed = [line.replace('"sum":"', '"sum":"0') if number == 9 else line for number, line in enumerate(log)]
    assert compare("KDMWQ", "cantonese", changed, sent).wrong


def test_a_run_without_moves_is_no_good() -> None:
    plan = Plan(1, "sqlite", 1, 1, 1, ())
    assert not Outcome(plan, Ledger(), Tally()).is_good


# --- versions


def test_the_newer_version_has_a_further_migration(tmp_path: Path) -> None:
    newer = newer_version(tmp_path)
    versions = "engine/tilewright/web/storage/migrations/versions"
    assert len(list((newer / versions).glob("v*.py"))) == len(list((ROOT / versions).glob("v*.py"))) + 1
    assert (newer / "rulesets/cantonese/cantonese.yaml").is_file()


def test_the_older_version_is_another_one() -> None:
    commit = older_commit()
    if commit is None:
        pytest.skip("there is no history, or no older version with these rulesets and migrations")
    assert len(commit) == 40
