"""Say what changes for players from one ruleset to another: rules, hands and games.

OLD and NEW are rulesets; --mod and --set go with both. With one ruleset and --mod or --set: what they change in it.
With --git REV: what has changed since that revision. The exit code is 0 without a difference for players, 1 with one,
2 for rulesets that cannot be compared. Example: tilewright diff riichi --mod ema
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Literal

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, cannot_begin_if_missing
from tilewright.base.problem import RulesetError
from tilewright.cli.arguments import AsJson, Mods, Sets, complete_ruleset
from tilewright.cli.command import FINE, PROBLEMS, USAGE, command
from tilewright.cli.output import print_json, show_problems
from tilewright.cli.progress import progress_of
from tilewright.cli.revisions import at_revision
from tilewright.language.documents.fields import entries
from tilewright.language.documents.options import default_of
from tilewright.language.load import Elaborated, load_elaborated
from tilewright.presentation.catalogue import say
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import heading
from tilewright.rulebook.comparison.compare import Comparison, ComparisonPlan, compare
from tilewright.rulebook.comparison.lines import ComparisonLines
from tilewright.rulebook.comparison.sides import OpenSide, Side
from tilewright.scoring.rules import setting_text

NO_CHOICES = RulesChoice()


@command
def diff(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="A ruleset: a bundled id, or a path.", autocompletion=complete_ruleset)
    ],
    new: Annotated[
        str | None,
        typer.Argument(
            metavar="[NEW]",
            show_default=False,
            help="Another one; by default the same with --mod and --set, or as it is now.",
            autocompletion=complete_ruleset,
        ),
    ] = None,
    *,
    git: Annotated[
        str | None,
        typer.Option("--git", metavar="REV", help="Compare a file with what it was at this revision of git."),
    ] = None,
    hands: Annotated[int, typer.Option(metavar="N", min=0, max=100_000, help="How many hands are sampled.")] = 400,
    games: Annotated[int, typer.Option(metavar="N", min=0, max=100_000, help="How many games are played.")] = 20,
    seed: Annotated[int, typer.Option(metavar="S", help="The seed of hands and games.")] = 1,
    jobs: Annotated[int, typer.Option(metavar="J", min=1, max=256, help="The number of processes for games.")] = 1,
    format: Annotated[Literal["text", "json", "github"], typer.Option("--format", help="The output format.")] = "text",
    json: AsJson = False,
    lang: Annotated[str, typer.Option("--lang", metavar="LANGUAGE", help="en, zh or ja; names also in others.")] = "en",
    set_: Sets,
    mod: Mods,
) -> int:
    """Print what differs, and whether it is a fix, an addition or breaking."""
    choices = RulesChoice.of(set_, mod)
    plan = ComparisonPlan(hands, games, seed, jobs)
    with ExitStack() as stack:
        before, after = sides(old, new, git, choices, lang, stack)
        try:
            with progress_of(hands + games, "hands and games") as progress:
                found = compare(before, after, plan, progress.update)
        except RulesetError as error:
            missing = cannot_begin_if_missing(error)
            if missing is not error:
                raise missing from None
            show_problems(error.problems)
            return USAGE
        lines = ComparisonLines(found, lang)
        if json or format == "json":
            print_json(lines.as_json(), indent=2)
        elif format == "github":
            sys.stdout.writelines(f"{line}\n" for line in lines.github())
        else:
            show([title(found, before, after, lang), *lines.lines()])
    return PROBLEMS if found.differs else FINE


def sides(
    old: str, new: str | None, git: str | None, choices: RulesChoice, language: str, stack: ExitStack
) -> tuple[Side, Side]:
    """The two rulesets. Raises CannotBegin."""
    if git is not None:
        if new is not None:
            raise CannotBegin("--git REV goes with one file", "tilewright diff --git main my_rules.yaml")
        if not Path(old).is_file():
            raise CannotBegin(f"there is no file {old}", "--git needs the path of a file")
        was = stack.enter_context(at_revision(git, Path(old)))
        return side(str(was), choices, language, f"{old} ({git})"), side(old, choices, language)
    if new is not None:
        return side(old, choices, language), side(new, choices, language)
    if not choices.mods and not choices.settings:
        raise CannotBegin("nothing to compare with", "name another ruleset, or give --mod, --set or --git REV")
    return side(old, NO_CHOICES, language), side(old, choices, language)


def side(name: str, choices: RulesChoice, language: str, shown: str = "") -> Side:
    """A ruleset with what was chosen for it."""

    def opens(options: Mapping[str, str]) -> Elaborated:
        return load_elaborated(name, {**choices.settings, **options}, choices.mods)

    return Side(shown or name, opens, language)


def title(found: Comparison, before: Side, after: Side, language: str) -> str:
    """The names of both, and how the user named them where that tells more."""
    old, new = names_of(found, language)
    if old == new:
        old, new = f"{old} ({before.name})", f"{new} ({after.name})"
    return say("changes.heading", language, old=old, new=new)


def names_of(found: Comparison, language: str) -> Iterator[str]:
    for one in (found.old, found.new):
        yield heading(RulesetNames(one.rules.data, language), settings_of(one)).plain


def settings_of(side: OpenSide) -> list[str]:
    """The options that are not as usual, those of presets apart."""
    options = dict(entries(side.whole.full, "options"))
    chosen = {id: one.chosen for id, one in side.whole.options.items() if id not in side.whole.named.options}
    return [f"{id}={setting_text(value)}" for id, value in chosen.items() if value != default_of(options[id])]
