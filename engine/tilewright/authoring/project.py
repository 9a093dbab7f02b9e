"""Project files: `tilewright.toml` beside rulesets in; what is checked, with which mods, how severely, and the language
of texts out. Every mistake in one is a problem with its place.

    paths = ["rulesets", "cards"]
    mods = ["no_flowers"]
    language = "ja"
    [severity]
    unused-mark = "error"
    alone-in-family = "off"
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from tilewright.authoring.findings import can_be_ignored
from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.base.document import bytes_of, text_of
from tilewright.base.files import is_file
from tilewright.base.problem import Place, Problem, RulesetError, Source, has_errors
from tilewright.base.spelling import hint
from tilewright.language.documents.bundled import bundled_file
from tilewright.language.documents.library import is_document, kind_at
from tilewright.language.documents.whole import ids_of, is_for

FILE = "tilewright.toml"
Level = Literal["error", "warning", "note", "off"]
LEVELS: tuple[Level, ...] = get_args(Level)
AT = re.compile(r"(?P<message>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)")
TABLE = re.compile(r"\s*\[\s*([\w\"'.-]+)\s*\]")
KEY = re.compile(r"""\s*(?P<key>[\w-]+|"[^"]*"|'[^']*')\s*[.=]""")
Found = Iterator[Problem]


@dataclass(frozen=True, slots=True)
class Project:
    """What a project file says. `folder`: where it is; `paths`, `mods`: as from there; `severity`: by the code of a
    problem."""

    folder: Path = Path()
    paths: tuple[str, ...] = ()
    mods: tuple[str, ...] = ()
    language: str = ""
    severity: Mapping[str, Level] = field(default_factory=dict)

    def graded(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems as severe as the project has them, without those that are off. What keeps a document from being
        used stays an error."""
        found = []
        for problem in problems:
            level = self.severity.get(problem.code)
            if level is None:
                found.append(problem)
            elif not can_be_ignored(problem):
                why = f"{FILE} cannot change the severity of what keeps a document from being used"
                found.append(replace(problem, hint=f"{problem.hint}; {why}" if problem.hint else why))
            elif level != "off":
                found.append(replace(problem, severity=level))
        return found


NOTHING = Project()


def project_above(path: Path) -> Project:
    """The project of a file or folder: that of the nearest project file in the folders around it. Raises
    RulesetError."""
    where = path.absolute()
    for folder in (where, *where.parents):
        if is_file(file := folder / FILE):
            return project_of(shown(file), bytes_of(file, shown(file)))
    return NOTHING


def paths_or_project(paths: Sequence[str]) -> list[str]:
    """The paths that a command is given; else those of the project around this folder, its own folder if it names none.
    Raises CannotBegin."""
    if paths:
        return list(paths)
    project = project_above(Path())
    if project == NOTHING:
        raise CannotBegin("name files or folders", f"or list them as `paths` in a file {FILE}")
    return [shown(Path(path)) for path in project.paths or (str(project.folder),)]


def with_project_mods(path: Path, choices: RulesChoice) -> RulesChoice:
    """The choices for trying a ruleset: with the mods of its project that are for it, unless others are chosen. Raises
    RulesetError."""
    mods = project_above(path).mods
    if choices.mods or not mods or not is_document(path) or kind_at(path) != "ruleset":
        return choices
    from tilewright.authoring.trials import mod_of  # imported here: a document is laid out without trials

    ids = ids_of(path)
    found = {one: mod_of(one, path) for one in mods}
    return replace(choices, mods=tuple(one for one, mod in found.items() if mod is None or is_for(mod, ids)))


def shown(file: Path) -> str:
    """The name of a file as it is from here, if it is below."""
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


@lru_cache(maxsize=8)
def project_of(name: str, content: bytes) -> Project:
    """The project of the file of this name and content. Raises RulesetError."""
    source = Source(name, text_of(content, name))
    try:
        data = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError([not_toml(source, str(error))]) from None
    problems = list(problems_in(data, source))
    if has_errors(problems):
        raise RulesetError(problems)
    folder = Path(name).absolute().parent
    return Project(
        folder,
        tuple(str(folder / path) for path in data.get("paths", ())),
        tuple(placed(mod, folder) for mod in data.get("mods", ())),
        data.get("language", ""),
        data.get("severity", {}),
    )


def placed(mod: str, folder: Path) -> str:
    """A mod as it is named everywhere: a path as from the project file, an id or a preset as it is."""
    id, colon, options = mod.partition(":")
    return f"{folder / id}{colon}{options}" if "/" in id or id.endswith((".yaml", ".yml")) else mod


# --- problems


def problems_in(data: Mapping[str, Any], source: Source) -> Found:
    """Everything wrong in a project file."""
    for key, value in data.items():
        if key not in KEYS:
            place = place_of(source, "", key)
            yield Problem("unknown-key", f"there is no key {key!r} in {FILE}", place, hint(key, KEYS))
        else:
            yield from KEYS[key](key, value, source)


def texts(key: str, value: Any, source: Source) -> Found:
    """Check a list of texts."""
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        yield wrong_type(source, "", key, "a list of texts")


def paths(key: str, value: Any, source: Source) -> Found:
    """Check a list of files, folders and ids that are there."""
    problems = list(texts(key, value, source))
    yield from problems
    for path in value if not problems else ():
        if not (Path(source.name).absolute().parent / path).exists() and bundled_file(path) is None:
            yield Problem("no-such-document", f"there is no file or folder {path}", place_of(source, "", key, path))


def language(key: str, value: Any, source: Source) -> Found:
    from tilewright.presentation.catalogue import LANGUAGES

    if not isinstance(value, str):
        yield wrong_type(source, "", key, "a text")
    elif value not in LANGUAGES:
        yield not_one_of(source, "", key, value, LANGUAGES)


def severity(key: str, value: Any, source: Source) -> Found:
    """Check a table of codes of problems with their levels."""
    from tilewright.presentation.problem_pages import pages

    if not isinstance(value, dict):
        yield wrong_type(source, "", key, "a table of codes, [severity]")
        return
    for code, level in value.items():
        if code not in pages():
            message = f"no problem has the code {code!r}"
            yield Problem("unknown-key", message, place_of(source, key, code), hint(code, pages()))
        elif not isinstance(level, str):
            yield wrong_type(source, key, code, "a text")
        elif level not in LEVELS:
            yield not_one_of(source, key, code, level, LEVELS)


KEYS: dict[str, Callable[[str, Any, Source], Found]] = {
    "paths": paths,
    "mods": texts,
    "language": language,
    "severity": severity,
}


def not_toml(source: Source, message: str) -> Problem:
    """A mistake in the syntax, where the parser found it."""
    found = AT.fullmatch(message)
    line, column = (int(found["line"] or 0), int(found["column"] or 0)) if found else (0, 0)
    lines = source.text.count("\n") + (not source.text.endswith("\n"))
    place = Place(source, line or max(1, lines), column or 1)
    said = (found["message"] if found else message).removesuffix(".")
    return Problem("not-toml", f"this is no TOML: {said[:1].lower()}{said[1:]}", place)


def wrong_type(source: Source, table: str, key: str, wanted: str) -> Problem:
    return Problem("wrong-type", f"{wanted} is expected here", place_of(source, table, key))


def not_one_of(source: Source, table: str, key: str, value: str, known: Iterable[str]) -> Problem:
    found = hint(value, known)
    meant = found if found is not None and found.startswith("did") else f"write {', '.join(known)}"
    return Problem("not-one-of", f"{value!r} cannot stand here", place_of(source, table, key, value), meant)


def place_of(source: Source, table: str, key: str, value: str | None = None) -> Place:
    """Where a key of a table is written, or a text that is its value; the beginning if it is written otherwise."""
    here, offset = "", 0
    for line in source.text.splitlines(keepends=True):
        if (opened := TABLE.match(line)) is not None:
            here = opened[1].strip("\"'")
            if not table and here == key:
                return source.place(offset + opened.start(1), len(opened[1]))
        found = KEY.match(line)
        if found is not None and (here, found["key"].strip("\"'")) == (table, key):
            at, length = found.start("key"), len(found["key"])
            quoted = (source.text.find(f"{quote}{value}{quote}", offset + found.end()) for quote in "\"'")
            if value is not None and (text := max(quoted)) >= 0:
                return source.place(text + 1, len(value))
            return source.place(offset + at, length)
        offset += len(line)
    return source.place(0)
