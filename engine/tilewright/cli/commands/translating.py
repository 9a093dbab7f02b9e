"""Translate rules

The texts of a document, in files beside it: all its texts, or those of another language.
"""

import re
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin, cannot_begin_if_missing
from tilewright.authoring.translations import Translations, languages_of, translations
from tilewright.base.document import bytes_of, text_of
from tilewright.base.files import write_whole
from tilewright.base.node import Mapping
from tilewright.base.problem import Problem, RulesetError
from tilewright.cli.arguments import RulesetName
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.extras import missing_package
from tilewright.cli.output import show_problems
from tilewright.language.documents.companions import OWN_LANGUAGE, companions_of, document_of, is_companion, word_at
from tilewright.language.documents.library import path_of, read_document, shown
from tilewright.presentation.console import counted, show, table

LANGUAGE = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]+)*")


@command("translate")
def translate(
    ruleset: RulesetName,
    language: Annotated[
        str | None, typer.Argument(metavar="LANGUAGE", help="The language: de, ja, zh-Hant.", show_default=False)
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if anything is missing or stale.")
    ] = False,
    to_po: Annotated[
        Path | None, typer.Option("--to-po", metavar="FILE", help="Write it for gettext's tools.", show_default=False)
    ] = None,
    from_po: Annotated[
        Path | None, typer.Option("--from-po", metavar="FILE", help="Take translations from there.", show_default=False)
    ] = None,
) -> int:
    """Write or update a translation of a document: a file beside it with its texts.

    Each text stands beside its translation, {en: Rounds, de: Runden}. What is missing is empty, to be filled in; where
    a text has changed, `was:` says what its translation was made of, and goes once that fits again. Without a language,
    how much is translated into each is printed. Example: tilewright translate my_ruleset.yaml de
    """
    try:
        path = document_of(path_of(ruleset))
        document = read_document(path)
    except RulesetError as error:
        raise cannot_begin_if_missing(error) from None
    if language is None:
        return list_languages(document, check)
    if not LANGUAGE.fullmatch(language) or language == OWN_LANGUAGE:
        raise CannotBegin(f"{language} is no language to translate into", "write it as de, ja or zh-Hant")
    found, unknown = translations(document, language), tuple[str, ...]()
    try:
        if from_po is not None:
            from tilewright.authoring.translations import with_po

            found, unknown = with_po(found, text_in(from_po))
        if to_po is not None:
            from tilewright.authoring.translations import as_po

            write_whole(to_po, as_po(found))
            show([f"wrote {to_po}: {coverage(found)}"])
            return FINE
    except ModuleNotFoundError as error:
        raise missing_package(error) from None
    show([f"{place}: the document has no such text" for place in unknown])
    return written(found, file_of(path, document, language), check)


def written(found: Translations, file: Path, check: bool) -> int:
    """Write a translation where it changes, unless it is only checked, and say how much there is."""
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if not check and before != found.text and not all(one.inline for one in found.texts):
        write_whole(file, found.text)
    for one in found.unused:
        show([f"{'.'.join(one.path)}: not in the document any more: {one.translation}"])
    show([f"{shown(file)}: {coverage(found)}"])
    return PROBLEMS if check and found.count("translated") < len(found.texts) else FINE


def list_languages(document: Mapping, check: bool) -> int:
    """How much is translated into each language."""
    found = [translations(document, language) for language in languages_of(document)]
    if not found:
        show([f"{word_at(document, 'id')} is in one language; `tilewright translate {word_at(document, 'id')} de`"])
    else:
        show(table([[one.language, coverage(one)] for one in found]))
    return PROBLEMS if check and any(one.count("translated") < len(one.texts) for one in found) else FINE


def coverage(found: Translations) -> str:
    """How much of a document is translated, in words."""
    parts = [f"{found.count('translated')} of {counted(len(found.texts), 'text')} translated"]
    parts += [f"{found.count(state)} {state}" for state in ("stale", "missing") if found.count(state)]
    return ", ".join(parts)


def file_of(path: Path, document: Mapping, language: str) -> Path:
    """The file with a translation, there or not."""
    there = [one for one in companions_of(document) if word_at(one, "language") == language]
    if there and Path(there[0].place.source.name).name == path.name:
        raise CannotBegin(
            f"the texts in {language} are in {shown(path)} itself", "put what stands below `---` into files of its own"
        )
    return Path(there[0].place.source.name) if there else path.with_name(f"{path.stem}.{language}{path.suffix}")


def text_in(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CannotBegin(f"{file} cannot be read: {error}") from None


@command("split")
def split(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, and folders of them.")],
) -> int:
    """Put what a document says besides its rules into files beside it.

    Translations, wordings with what they were written of, and cases leave the document, for files such as house.ja.yaml
    and house.cases.yaml; long lines become several. What it says stays the same. Example: tilewright split house.yaml
    """
    from tilewright.authoring.splitting import (
        split as split_text,  # imported here: translating needs neither
    )
    from tilewright.cli.commands.authoring.rewriting import yaml_files

    problems = list[Problem]()
    for path in map(Path, yaml_files(paths)):
        if is_companion(path):
            continue
        try:
            read_document(path)
            parts = split_text(text_of(bytes_of(path, str(path)), str(path)))
        except RulesetError as error:
            problems += error.problems
            continue
        written = {path.with_name(f"{path.stem}.{part}{path.suffix}"): text for part, text in parts.items() if part}
        if there := [file.name for file in written if file.exists()]:
            raise CannotBegin(f"{path.name} would be split into {', '.join(there)}, which exists", "move it away first")
        for file, text in {**written, path: parts[""]}.items() if written else ():
            write_whole(file, text)
            print(f"wrote {file}")
    show_problems(problems)
    return PROBLEMS if problems else FINE
