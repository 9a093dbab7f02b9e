"""Commands about what a hand lacks: its waits, and the hands of a card that it is nearest to."""

import sys
from typing import Annotated

import typer

from tilewright.authoring.cards import played_path
from tilewright.authoring.open_rules import RulesChoice, open_rules, rules_with
from tilewright.cli.arguments import AsJson, CardName, CardRules, HandNotation, HandText, Mods, RulesetName, Seen, Sets
from tilewright.cli.case_options import CaseOptions, case_of, melds_of, reporting, with_case
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.presentation.advice import MOST_SHOWN, nearest_lines, waits_json, waits_lines
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import headed


@command("waits")
@with_case(won=False)
def waits(
    given: CaseOptions,
    ruleset: RulesetName,
    *,
    hand: HandText,
    seen: Seen = "",
    notation: HandNotation = "codes",
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Show which tiles win and what each is worth, or what to draw or to discard before that."""
    choices = RulesChoice.of(set_, mod, notation)
    rules = open_rules(ruleset, choices)
    with reporting():
        found = rules.waits(hand, **case_of(given), seen=seen)
    if json:
        print_json(waits_json(found))
    else:
        names = RulesetNames(rules.data)
        show(headed(names, waits_lines(found, names), choices.labels))
    return FINE


@command("card nearest")
def card_nearest(
    card: CardName,
    *,
    hand: HandText,
    meld: Annotated[
        list[str],
        typer.Option(
            "--meld",
            metavar="[KIND:]TILES",
            default_factory=list,
            show_default=False,
            help="A group on the table: its tiles, after its kind if they leave it open.",
        ),
    ],
    melds: Annotated[
        list[str],
        typer.Option(
            "--melds",
            metavar="GROUPS",
            default_factory=list,
            show_default=False,
            help="Several groups on the table, with blanks between them.",
        ),
    ],
    seen: Seen = "",
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Print at most this many hands; by default 10 in the table.")
    ] = None,
    every: Annotated[bool, typer.Option("--every", help="Print every hand of a line, not only its nearest.")] = False,
    rules: CardRules = None,
    notation: HandNotation = "codes",
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Show the lines that a hand is nearest to: what to keep, what to pass, what is needed.

    Example: tilewright card nearest my_card.txt --hand "222m 46m 88m 5p 1s EEW C"
    """
    opened = rules_with(played_path(card), rules, RulesChoice.of(set_, mod, notation))
    groups = [*meld, *(group for text in melds for group in text.replace(",", " ").split())]
    most = limit if json else limit or MOST_SHOWN
    with reporting():
        found = opened.nearest(hand, melds_of(groups), seen=seen, limit=most, every=every)
    names = RulesetNames(opened.data)
    if json:
        print_json(found.as_json())
        show([] if found.possible else [names.say("advice.no_hand", reason=found.reason)], sys.stderr)
    else:
        show(nearest_lines(found, opened, names, every))
    return FINE
