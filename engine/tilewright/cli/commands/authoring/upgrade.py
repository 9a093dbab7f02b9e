"""Rewrite documents and case files to the newest edition of the language.

Names that rulesets gave up are written as they are today; comments and layout stay. What a person has to change is
reported with its place. Example: tilewright upgrade . --check
"""

import sys
import tempfile
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin
from tilewright.authoring.upgrading import LINES, UpgradedText, upgraded
from tilewright.base.building import MAX_BYTES
from tilewright.base.document import text_of
from tilewright.base.files import write_whole
from tilewright.base.problem import Problem, RulesetError
from tilewright.cli.check_files import STDIN, belongs, files_in
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import show_problems
from tilewright.language.documents.library import SUFFIXES

PACKED = ".zip"
READ = (*SUFFIXES, LINES, PACKED)


@command
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
    """Upgrade files, each whole or not at all. The exit code is 1 if something is left for a person."""
    changed, left = 0, list[Problem]()
    for path in files_to_upgrade(paths):
        try:
            before, after = both(path, rules)
        except RulesetError as error:
            left += error.problems
            continue
        left += after.left
        if path == "-" and not (check or diff):
            sys.stdout.write(after.text)
        elif before != after.text:
            changed += 1
            report(path, before, after, diff=diff, only=check or diff)
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


def both(path: str, rules: str) -> tuple[str, UpgradedText]:
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


def report(path: str, before: str, after: UpgradedText, *, diff: bool, only: bool) -> None:
    """Write a file that changes, unless `only` that is asked, and say so."""
    name = STDIN if path == "-" else path
    if not only and path.lower().endswith(PACKED):
        write_pack(Path(path))
    elif not only:
        write_whole(Path(path), after.text)
    if diff:
        lines = unified_diff(before.splitlines(), after.text.splitlines(), name, name, lineterm="")
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        print(f"{'would upgrade' if only else 'upgraded'} {name}")


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


def write_pack(path: Path) -> None:
    """Write an archive with its files upgraded. It keeps its version, which its publisher raises before sharing it."""
    from tilewright.sharing.archive import read_archive, write_archive
    from tilewright.sharing.contents import contents_of

    new = {name: after.text.encode() for name, (_, after) in upgraded_files(path).items()}
    write_whole(path, write_archive(contents_of({**read_archive(path.read_bytes()).files, **new})))
