"""Catching: a mutant and the hands that it scores otherwise in; a case that notices it out, as YAML to paste."""

import json
from collections.abc import Iterator, Sequence

from tilewright.authoring.findings.flow import flow
from tilewright.authoring.mutation.noticing import Case, Options, ReadHand
from tilewright.authoring.mutation.sampling import compact
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.examples import agrees, found_as
from tilewright.scoring.score import Score

EXPECTED = (("total", "patterns"), ("total", "patterns", "values"), ("total", "payments"))


def caught_by(data: CompiledRuleset, id: str, options: Options, differing: Sequence[tuple[ReadHand, Score]]) -> str:
    """A case of this id under which the mutant fails, from the simplest of the hands; empty where there is none."""
    for hand, score in sorted(differing, key=lambda pair: simplicity(pair[0])):
        for expect in expectations(hand.score, score):
            case = compact(data, dict(hand.case), hand.situation.hand)
            case = {**({"options": dict(options)} if options else {}), **case}
            lines = [f"    {key}: {flow(value)}" for key, value in case.items()]
            return "\n".join(("cases:", f"  {id}:", *lines, f"    expect: {flow(expect)}"))
    return ""


def simplicity(hand: ReadHand) -> tuple[int, str]:
    """Smaller is easier to read: few keys, then by the text."""
    text = json.dumps(hand.case, default=str)
    return len(hand.case) + len(hand.case.get("flags") or ()) + len(hand.case.get("melds") or ()), text


def expectations(before: Score, after: Score) -> Iterator[Case]:
    """What can be expected of a hand that holds before and not after."""
    shown, changed = before.as_json(), after.as_json()
    if not before.win:
        if after.win:
            yield {"win": False}
        return
    for keys in EXPECTED:
        expect = {key: found_as(key, shown.get(key)) for key in keys if shown.get(key) is not None}
        if not all(agrees(key, wanted, changed.get(key)) for key, wanted in expect.items()):
            yield expect
