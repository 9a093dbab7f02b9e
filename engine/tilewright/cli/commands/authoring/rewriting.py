"""Commands that rewrite files: as the bundled ones are laid out, or in the newest edition of the language."""

import sys
import tempfile
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.format import format_text
from tilewright.authoring.open_rules import CannotBegin
from tilewright.authoring.project import paths_or_project
from tilewright.authoring.upgrading import LINES, UpgradedText, upgraded
from tilewright.base.building import MAX_BYTES
from tilewright.base.document import bytes_of, text_of
from tilewright.base.files import write_whole
from tilewright.base.problem import Problem, RulesetError
from tilewright.cli.check_files import STDIN, belongs, files_in
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import show_problems
from tilewright.language.documents.library import SUFFIXES

FORMATTED = (".yaml", ".yml")


@command("fmt")
def fmt(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            default_factory=list,
            show_default=False,
            help="Files, and folders of them; - is stdin, written to stdout. By default those of tilewright.toml.",
        ),
    ],
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; name the files that would change, and exit with 1.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; print what would change, and exit with 1 if anything would.")
    ] = False,
) -> int:
    """Lay out rulesets, mods and cards as the bundled ones are.

    Only spaces and blank lines change; every comment stays. Example: tilewright fmt . --check
    """
    changed, problems = 0, list[Problem]()
    for path in yaml_files(paths_or_project(paths)):
        try:
            before, after = formatted(path)
        except RulesetError as error:
            problems += error.problems
            continue
        if path == "-" and not (check or diff):
            sys.stdout.write(after)
        elif before != after:
            changed += 1
            if not (check or diff):
                write_whole(Path(path), after)
            report(path, before, after, diff=diff, done="would format" if check else "formatted")
    show_problems(problems)
    return PROBLEMS if problems or (changed and (check or diff)) else FINE


def yaml_files(paths: list[str]) -> list[str]:
    """The files that paths name, each once. Of a folder, those that `check` would read."""
    found = []
    for path in paths:
        where = Path(path)
        if where.is_dir():
            files = [str(file) for file in files_in(where) if file.suffix.lower() in FORMATTED and belongs(file)]
            if not files:
                raise CannotBegin(f"no rulesets, mods or cards in YAML are in {path}")
            found += files
        elif path == "-" or where.exists():
            found.append(path)
        else:
            raise CannotBegin(f"there is no file {path}", "bundled documents are not formatted by their ids")
    return list(dict.fromkeys(found))


def formatted(path: str) -> tuple[str, str]:
    """The text of a file, and the same formatted. Raises RulesetError if it is no document."""
    if path == "-":
        text = text_of(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN)
        return text, format_text(text, STDIN)
    if Path(path).suffix.lower() not in FORMATTED:
        raise RulesetError([Problem("not-yaml", f"{path} is not YAML", None, "only .yaml and .yml are formatted")])
    content = bytes_of(Path(path), path)
    after = format_text(text_of(content, path), path)
    return content.decode("utf-8"), after


def report(path: str, before: str, after: str, *, diff: bool, done: str) -> None:
    """Say what changes in a file, or what was or would be done with it."""
    name = STDIN if path == "-" else path
    if diff:
        lines = unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="")
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        print(f"{done} {name}")


PACKED = ".zip"
READ = (*SUFFIXES, LINES, PACKED)


@command("upgrade")
def upgrade(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="Documents, case files, layouts, packs, and folders of them; - is stdin, to stdout."
        ),
    ],
    *,
    rules: Annotated[
        str, typer.Option("--rules", metavar="RULESET", help="The ruleset of layouts and cases that name none.")
    ] = "",
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; name what would change, and exit with 1 if anything would.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; print what would change, and exit with 1 if anything would.")
    ] = False,
) -> int:
    """Rewrite documents and case files to the newest edition of the language.

    Names that rulesets gave up are written as they are today; comments and layout stay. What a person has to change is
    reported with its place. Example: tilewright upgrade . --check
    """
    changed, left = 0, list[Problem]()
    for path in files_to_upgrade(paths):
        try:
            before, after = upgraded_file(path, rules)
        except RulesetError as error:
            left += error.problems
            continue
        left += after.left
        if path == "-" and not (check or diff):
            sys.stdout.write(after.text)
        elif before != after.text:
            changed += 1
            if not (check or diff):
                write_upgraded(Path(path), after)
            report(path, before, after.text, diff=diff, done="would upgrade" if check else "upgraded")
    show_problems(left)
    return PROBLEMS if left or (changed and (check or diff)) else FINE


def files_to_upgrade(paths: list[str]) -> list[str]:
    """The files that paths name, each once. Of a folder, those that `check` would read."""
    found = list[str]()
    for path in paths:
        where = Path(path)
        if where.is_dir():
            found += (str(file) for file in files_in(where) if file.suffix.lower() in READ[:-1] and belongs(file))
        elif path == "-" or (where.exists() and where.suffix.lower() in READ):
            found.append(path)
        elif where.exists():
            raise CannotBegin(f"{path} is no document", f"files that end with {', '.join(READ)} are upgraded")
        else:
            raise CannotBegin(f"there is no file {path}", "bundled documents are upgraded already")
    return list(dict.fromkeys(found))


def upgraded_file(path: str, rules: str) -> tuple[str, UpgradedText]:
    """The text of a file, and the same upgraded; of a pack, what its files are. Raises RulesetError."""
    if path == "-":
        text = text_of(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN)
        return text, upgraded(Path("stdin.yaml"), text, rules, STDIN)
    if path.lower().endswith(PACKED):
        return upgraded_pack(Path(path))
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise RulesetError([Problem("not-utf-8", f"{path} is not UTF-8", None, "save it as UTF-8")]) from None
    return text, upgraded(Path(path), text, rules)


# --- packs


def upgraded_pack(path: Path) -> tuple[str, UpgradedText]:
    """The files of an archive one after another, as they are and upgraded. Raises RulesetError."""
    before, after, left = "", "", list[Problem]()
    for name, (old, new) in upgraded_files(path).items():
        before += f"# {name}\n{old}\n"
        after += f"# {name}\n{new.text}\n"
        left += new.left
    return before, UpgradedText(after, (), tuple(left))


def upgraded_files(path: Path) -> dict[str, tuple[str, UpgradedText]]:
    """The documents and case files of an archive: each as it is and upgraded, with the others beside it."""
    from tilewright.sharing.archive import read_archive  # imported here: most files are no packs

    with tempfile.TemporaryDirectory() as folder:
        files = {Path(folder) / name: content for name, content in read_archive(path.read_bytes()).files.items()}
        for file, content in files.items():
            file.write_bytes(content)
        texts = {file: content.decode("utf-8") for file, content in files.items() if file.suffix in READ}
        named = {file: f"{path}/{file.name}" for file in texts}
        return {file.name: (text, upgraded(file, text, name=named[file])) for file, text in texts.items()}


def write_upgraded(path: Path, after: UpgradedText) -> None:
    """Write a file, or an archive with its files upgraded: it keeps its version, which its publisher raises before
    sharing it."""
    if path.suffix.lower() != PACKED:
        write_whole(path, after.text)
        return
    from tilewright.sharing.archive import read_archive, write_archive
    from tilewright.sharing.contents import contents_of

    new = {name: after.text.encode() for name, (_, after) in upgraded_files(path).items()}
    write_whole(path, write_archive(contents_of({**read_archive(path.read_bytes()).files, **new})))
