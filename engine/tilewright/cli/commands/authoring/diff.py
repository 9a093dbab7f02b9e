"""The command that compares two rulesets for players; of a file, also with a revision of git."""

import io
import json as json_files
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from zipfile import ZipFile

import typer
from rich.text import Text

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, cannot_begin_if_missing
from tilewright.base.files import write_whole
from tilewright.base.problem import RulesetError
from tilewright.cli.arguments import AsJson, Mods, OutputFile, Sets, TextLanguage, complete_ruleset
from tilewright.cli.command import FINE, PROBLEMS, USAGE, command
from tilewright.cli.output import STDOUT, refuse_place, show_problems
from tilewright.cli.progress import progress_of
from tilewright.language.documents.fields import entries
from tilewright.language.documents.library import PLAIN, SUFFIXES
from tilewright.language.documents.options import default_of
from tilewright.language.load import Elaborated, load_elaborated
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import heading
from tilewright.rulebook.book import rulebook
from tilewright.rulebook.comparison import Comparison, ComparisonPlan, compare
from tilewright.rulebook.comparison_lines import ComparisonLines
from tilewright.rulebook.side_by_side import page
from tilewright.rulebook.sides import OpenSide, Side
from tilewright.scoring.rules import setting_text

NO_CHOICES = RulesChoice()
ENDINGS = {".html": "html", ".htm": "html", ".json": "json", ".txt": "text"}


@command("diff")
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
    format: Annotated[
        Literal["text", "json", "github", "html"] | None,
        typer.Option(
            "--format",
            case_sensitive=False,
            show_default=False,
            help="Text, data, workflow commands, or a page with both rulebooks side by side. By default by the file's"
            " ending, else text.",
        ),
    ] = None,
    json: AsJson = False,
    output: OutputFile = None,
    lang: TextLanguage,
    set_: Sets,
    mod: Mods,
) -> int:
    """Say what changes for players from one ruleset to another: rules, hands and games.

    OLD and NEW are rulesets; --mod and --set go with both. With one ruleset and --mod or --set: what they change in it.
    With --git REV: what has changed since that revision. The exit code is 0 without a difference for players, 1 with
    one, 2 for rulesets that cannot be compared. A page (-o FILE.html) has both rulebooks side by side. Example:
    tilewright diff riichi --mod ema -o ema.html
    """
    choices = RulesChoice.of(set_, mod)
    plan = ComparisonPlan(hands, games, seed, jobs)
    output = None if output == STDOUT else output
    if output is not None:
        refuse_unfit(output, (old, new))
    chosen = format_of("json" if json else format, output)
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
        written = WrittenComparison(ComparisonLines(found, lang), names_of(found, before, after, lang))
        if output is None and chosen == "text":
            show(written.lines())
        elif output is None:
            sys.stdout.write(written.text(chosen))
        else:
            write_whole(output, written.text(chosen))
            print(f"{output}: {written.comparison.verdict()}", file=sys.stderr)
    return PROBLEMS if found.differs else FINE


def format_of(format: str | None, output: Path | None) -> str:
    """The format asked for, or that of the file's ending."""
    if format is not None or output is None:
        return format or "text"
    if output.suffix.lower() not in ENDINGS:
        raise CannotBegin(
            f"the format of {output.name} is unknown", f"end it in {', '.join(ENDINGS)}, or give --format"
        )
    return ENDINGS[output.suffix.lower()]


def refuse_unfit(output: Path, compared: Iterable[str | None]) -> None:
    """Raise CannotBegin for a file that cannot be written, or is one of those compared, before anything is played."""
    refuse_place(output, "rulebooks.html")
    if output.exists() and any(one and Path(one).is_file() and output.samefile(one) for one in compared):
        raise CannotBegin(f"{output} is one of the rulesets, and would be lost", "write to another file")


@dataclass(frozen=True)
class WrittenComparison:
    """A comparison in each format. `names`: of the two rulesets, which distinguish them."""

    comparison: ComparisonLines
    names: tuple[str, str]

    def lines(self) -> Iterator[Text | str]:
        """For people, under a heading."""
        yield self.comparison.say("changes.heading", old=self.names[0], new=self.names[1])
        yield from self.comparison.lines()

    def text(self, format: str) -> str:
        """The whole content of a file."""
        if format == "html":
            return self.page()
        if format == "json":
            return json_files.dumps(self.comparison.as_json(), ensure_ascii=False, indent=2) + "\n"
        lines = self.comparison.github() if format == "github" else map(str, self.lines())
        return "".join(f"{line}\n" for line in lines)

    def page(self) -> str:
        """Both rulebooks side by side."""
        sides = self.comparison.found.old, self.comparison.found.new
        old, new = (rulebook(side.rules, side.whole, self.comparison.language) for side in sides)
        return page(self.comparison, self.names, old, new)


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


def names_of(found: Comparison, before: Side, after: Side, language: str) -> tuple[str, str]:
    """The names of both, and how the user named them where that tells more."""
    old, new = (
        heading(RulesetNames(one.rules.data, language), settings_of(one)).plain for one in (found.old, found.new)
    )
    return (f"{old} ({before.name})", f"{new} ({after.name})") if old == new else (old, new)


def settings_of(side: OpenSide) -> list[str]:
    """The options that are not as usual, those of presets apart."""
    options = dict(entries(side.whole.full, "options"))
    chosen = {id: one.chosen for id, one in side.whole.options.items() if id not in side.whole.named.options}
    return [f"{id}={setting_text(value)}" for id, value in chosen.items() if value != default_of(options[id])]


MOST_BYTES = 200_000_000  # of the documents of a revision
SECONDS = 60


@contextmanager
def at_revision(revision: str, file: Path) -> Iterator[Path]:
    """The file as it was at a revision, for as long as it is needed. Raises CannotBegin."""
    folder = file.resolve().parent
    top = Path(git(folder, "rev-parse", "--show-toplevel").decode().strip())
    named = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = named.decode().strip()
    inside = file.resolve().relative_to(top).as_posix()
    listed = git(top, "ls-tree", "-r", "-z", "--name-only", commit).decode("utf-8", "surrogateescape").split("\0")
    if inside not in listed:
        raise CannotBegin(f"{file} is not in revision {revision}", f"git log -- {inside} shows where it is")
    endings = [ending for ending in (*SUFFIXES, *PLAIN) if any(name.lower().endswith(ending) for name in listed)]
    content = git(top, "archive", "--format=zip", commit, "--", *(f":(glob,icase)**/*{ending}" for ending in endings))
    with tempfile.TemporaryDirectory(prefix="tilewright-") as place:
        with ZipFile(io.BytesIO(content)) as archive:
            archive.extractall(place)
        yield Path(place) / inside


def git(folder: Path, *arguments: str) -> bytes:
    """What git prints. Raises CannotBegin."""
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, timeout=SECONDS)
    except FileNotFoundError:
        raise CannotBegin("--git needs git, which is not installed") from None
    except subprocess.TimeoutExpired:
        raise CannotBegin("git did not answer") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        what = said[-1] if said else f"there is no revision {arguments[-1].removesuffix('^{commit}')}"
        raise CannotBegin(what.removeprefix("fatal: "))
    if len(done.stdout) > MOST_BYTES:
        raise CannotBegin("the revision has more documents than can be read")
    return done.stdout
