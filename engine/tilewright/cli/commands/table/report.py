"""The command that reports on a game from matches between bots."""

import json
import sys
from collections import Counter
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, bundled, open_rules, setting_of
from tilewright.base.files import is_file, write_whole
from tilewright.base.problem import Problem
from tilewright.cli.arguments import MOST_GAMES, AsJson, Mods, Processes, RulesetName, Sets
from tilewright.cli.command import FINE, PROBLEMS, STOPPED, command
from tilewright.cli.output import STDOUT, print_json, refuse_place, show_problems
from tilewright.cli.playing import (
    ClusterAddress,
    Interrupted,
    cluster_of,
    fit_players,
    processors,
    reported,
    tell_what_is_not_compiled,
)
from tilewright.cli.progress import progress_of
from tilewright.language.documents.library import kind_at
from tilewright.play.rules import Rules
from tilewright.players.player import names_in
from tilewright.presentation.catalogue import LANGUAGES, known
from tilewright.report.figures import Report, report_of
from tilewright.report.playing import OTHERS, ReportGames, ReportPlan


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What is played, and where it goes. `jobs`, `cluster`: who plays, as given; `output`: the page, or data if it ends
    in .json; `as_json`: data to stdout."""

    ruleset: str
    choices: RulesChoice
    compare: tuple[str, ...]
    plan: ReportPlan
    jobs: int | None
    cluster: str | None
    language: str
    output: Path | None
    as_json: bool


@command("report")
def report(
    ruleset: RulesetName,
    *,
    compare: Annotated[
        list[str],
        typer.Option(
            "--compare",
            metavar="OTHER",
            default_factory=list,
            show_default=False,
            help="What to compare: OPTION=VALUE, a mod or a ruleset, on the same deals; may be repeated.",
        ),
    ],
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST_GAMES, help="How many matches at most, for each part.")
    ] = 1_000,
    hands: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            show_default=False,
            help="How many hands are enough, for each part; the match under way is played to its end.",
        ),
    ] = None,
    minutes: Annotated[float, typer.Option(metavar="M", min=0.01, max=10_000, help="How long at most, in all.")] = 5.0,
    width: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            min=0.01,
            max=50,
            help="Stop when shares of hands are known to within so many percentage points.",
        ),
    ] = 1.0,
    seed: Annotated[int, typer.Option(metavar="S", help="The seed of all matches.")] = 1,
    jobs: Processes = None,
    cluster: ClusterAddress = None,
    players: Annotated[
        str, typer.Option(metavar="NAMES", help="random, fast, careful or strong: one for all seats, or one for each.")
    ] = "careful",
    language: Annotated[
        str, typer.Option("--language", "--lang", metavar="LANGUAGE", help=f"Of the page: {', '.join(LANGUAGES)}.")
    ] = "en",
    json: AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default=False,
            help="The page, or data (.json); - is stdout. By default RULESET-report.html here.",
        ),
    ] = None,
    set_: Sets,
    mod: Mods,
) -> int:
    """Play many matches between bots, and report whether the game is any good.

    How hands end, patterns too cheap or too dear for how often they come, seats, lead changes, offers, and what skill
    is worth, as a page with charts. With --compare, what other rules change.
    Example: tilewright report cantonese --compare no_flowers --minutes 5
    """
    plan = ReportPlan(games, minutes, seed, names_in(players), width, jobs or processors(), hands)
    choices = RulesChoice.of(set_, mod)
    options = ReportOptions(ruleset, choices, tuple(compare), plan, jobs, cluster, language, output, json)
    return run_report(options)


def run_report(options: ReportOptions) -> int:
    """Play, and write what it comes to."""
    if wants_page(options):
        import_module("vl_convert")  # comes with an extra: say so before anything is played
        speaks(options.language)
    fits(options.output)
    rules = Rules(open_rules(options.ruleset, options.choices).data)
    fit_players(rules, options.plan.players)
    others = compared_with(options)
    other = None if others is None else Rules(open_rules(*others).data)
    if other is not None:
        fit_players(other, options.plan.players)
        same_seats(rules, other)
    plan = options.plan
    tell_what_is_not_compiled(rules, plan.players)
    total = plan.games + len(OTHERS) * plan.skill_games
    with (
        cluster_of(options.cluster, options.jobs) as cluster,
        Interrupted() as interrupted,
        progress_of(total, "matches") as progress,
    ):
        elsewhere = None if cluster is None else cluster.simulate
        played = ReportGames(rules, other, plan, progress.update, lambda: interrupted.so, elsewhere).play()
    if not played.main.sample.games:
        return STOPPED
    labels = None if other is None or others is None else (other.data, others[1].labels)
    found = report_of(rules.data, played, plan, options.choices.labels, labels)
    write(found, rules, options)
    if interrupted.so:
        return STOPPED
    every = [played.main, *([played.compared] if played.compared else []), *played.skill.values()]
    said = sum((Counter(one.tally.problems) for one in every), Counter[str]())
    show_problems([*(broken_off(one.tally.failed) for one in every if one.tally.failed), *reported(said)])
    return PROBLEMS if any(one.tally.failed or one.tally.problems for one in every) else FINE


def wants_page(options: ReportOptions) -> bool:
    if options.output is None:
        return not options.as_json
    return options.output.suffix.lower() != ".json"


def speaks(language: str) -> None:
    """Raise CannotBegin for a language that the page has not."""
    if known(language) != language.lower().replace("_", "-").partition("-")[0]:
        raise CannotBegin(f"there is no page in {language!r}", f"languages are {', '.join(LANGUAGES)}")


def fits(output: Path | None) -> None:
    """Raise CannotBegin for a file that cannot be written, before anything is played."""
    if output is None or output == STDOUT:
        return
    refuse_place(output, "my-report.html")
    if output.suffix.lower() not in (".html", ".htm", ".json"):
        raise CannotBegin(f"the format of {output.name} is unknown", "end it in .html or .json")


def compared_with(options: ReportOptions) -> tuple[str, RulesChoice] | None:
    """The ruleset to compare with, and its choices; those of the first ruleset unless another one is named."""
    if not options.compare:
        return None
    rulesets = [text for text in options.compare if is_ruleset(text)]
    if len(rulesets) > 1:
        raise CannotBegin(f"{' and '.join(rulesets)} are rulesets: one is compared with {options.ruleset}")
    rest = [text for text in options.compare if text not in rulesets]
    settings = dict(setting_of(text) for text in rest if is_setting(text))
    mods = tuple(text for text in rest if not is_setting(text))
    base = RulesChoice() if rulesets else options.choices
    name = rulesets[0] if rulesets else options.ruleset
    both = (*base.mods, *mods)
    return name, replace(base, settings={**base.settings, **settings}, mods=tuple(dict.fromkeys(both)))


def is_setting(text: str) -> bool:
    """Whether a text sets an option; `mod:option=value` is a mod."""
    before, equals, _ = text.partition("=")
    return bool(equals) and ":" not in before


def is_ruleset(text: str) -> bool:
    """Whether a text names a ruleset, not a mod or an option."""
    path = Path(text)
    if is_file(path):
        return kind_at(path) == "ruleset"
    return text in bundled("ruleset")


def same_seats(rules: Rules, other: Rules) -> None:
    """Raise CannotBegin where seats cannot be compared."""
    if rules.data.seats.count != other.data.seats.count:
        raise CannotBegin(
            f"{rules.data.id} has {rules.data.seats.count} seats and {other.data.id} {other.data.seats.count}",
            "compare rules for the same number of players",
        )


def broken_off(failed: int) -> Problem:
    hint = "tilewright simulate RULESET --match lists them with the command that plays each again"
    return Problem("broken-game", f"{failed} {'match' if failed == 1 else 'matches'} broke off", None, hint)


def write(found: Report, rules: Rules, options: ReportOptions) -> None:
    """Write the page or the data."""
    from tilewright.report.figures import report_json

    if options.as_json:
        print_json(report_json(found))
        if options.output is None:
            return
    path = options.output or Path(f"{rules.data.id}-report.html")
    if path.suffix.lower() == ".json":
        text = json.dumps(report_json(found), ensure_ascii=False, indent=1) + "\n"
    else:
        from tilewright.report.page import page

        text = page(found, rules.data, options.language)
    if path == STDOUT:
        sys.stdout.write(text)
        return
    write_whole(path, text)
    print(f"{path}: {summary(found)}", file=sys.stderr)


def summary(found: Report) -> str:
    """What was played, in a line."""
    skill = "".join(f", {one.matches:,} against {one.others}" for one in found.skill)
    return f"{found.matches:,} matches, {found.hands:,} hands{skill}"
