r"""Report: problems in, text for people or for the programs that show problems to people out.

The text has no line end but `\n` and, without colour, no control character, whatever the document held. Writes to
no stream and decides nothing.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from rich.cells import cell_len

from tilewright.base.files import from_folder
from tilewright.base.problem import Place, Problem
from tilewright.base.spelling import seen
from tilewright.presentation.problem_pages import pages

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

WIDTH = 100  # screen cells of an excerpt
NEAR = 2 * WIDTH  # characters on either side of a place that are considered
BEFORE = 40  # of them in front of the caret in a line that is cut
PLAIN, BOLD, RED, YELLOW, BLUE, CYAN = "\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[34m", "\x1b[36m"
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

Checked = tuple[str, Sequence[Problem]]


def render(problems: Sequence[Problem], format: str, files: Sequence[str] = ()) -> str:
    """Problems as `text`, `json`, `github`, `sarif` or `junit`; `files`: every checked file."""
    return FORMATS[format](problems, files)


def render_text(problems: Sequence[Problem], color: bool) -> str:
    """Every problem with its line, a caret under the place, and the hint."""
    text = "".join(f"{line}\n" for problem in in_order(problems) for line in text_lines(problem))
    return text if color else re.sub("\x1b\\[[0-9;]*m", "", text)


def render_json(problems: Sequence[Problem]) -> str:
    """One list of objects; missing values are null."""
    return json.dumps([as_json(problem) for problem in in_order(problems)], ensure_ascii=False, indent=2) + "\n"


def render_github(problems: Sequence[Problem]) -> str:
    """Workflow commands, which GitHub shows at the lines of a pull request."""
    return "".join(f"{github_line(problem)}\n" for problem in in_order(problems))


def render_sarif(problems: Sequence[Problem]) -> str:
    """A SARIF 2.1.0 log of one run."""
    ordered = in_order(problems)
    codes = list(dict.fromkeys(problem.code for problem in ordered))
    rules = [sarif_rule(code) for code in codes]
    run = {
        "tool": {"driver": {"name": "tilewright", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [sarif_result(problem, codes.index(problem.code)) for problem in ordered],
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def render_junit(files: Sequence[Checked]) -> str:
    """One test case per file that was checked, whether or not it has problems; warnings do not fail it."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    failed = sum(any(problem.severity == "error" for problem in problems) for _, problems in files)
    counts = {"tests": str(len(files)), "failures": str(failed), "errors": "0"}
    root = Element("testsuites", counts)
    suite = SubElement(root, "testsuite", {"name": "tilewright check", **counts})
    for name, problems in files:
        add_case(suite, name, problems)
    indent(root)
    return "<?xml version='1.0' encoding='utf-8'?>\n" + tostring(root, encoding="unicode") + "\n"


FORMATS: dict[str, Callable[[Sequence[Problem], Sequence[str]], str]] = {
    "text": lambda problems, files: render_text(problems, color=False),
    "json": lambda problems, files: render_json(problems),
    "github": lambda problems, files: render_github(problems),
    "sarif": lambda problems, files: render_sarif(problems),
    "junit": lambda problems, files: render_junit(by_file(problems, files)),
}


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Problems in the order of their files, and in each in the order of its text; those without a place first."""
    given = list(problems)
    files = {file: number for number, file in enumerate(dict.fromkeys(file_of(problem) for problem in given))}
    return sorted(
        given,
        key=lambda problem: (
            bool(problem.place),
            files[file_of(problem)],
            (problem.place.line, problem.place.column) if problem.place else (0, 0),
        ),
    )


def by_file(problems: Sequence[Problem], files: Sequence[str]) -> list[Checked]:
    """Every file that was checked or has a problem, with its problems."""
    found: dict[str, list[Problem]] = {name: [] for name in files}
    for problem in in_order(problems):
        found.setdefault(file_of(problem), []).append(problem)
    return list(found.items())


def file_of(problem: Problem) -> str:
    """The name of the file a problem is in; empty if it is in none."""
    return problem.place.source.name if problem.place else ""


# --- text


def text_lines(problem: Problem) -> Iterator[str]:
    """The lines of one problem, coloured."""
    place = problem.place
    where = f"{BOLD}{seen(place.source.name)}:{place.line}:{place.column}:{PLAIN} " if place else ""
    shade = RED if problem.severity == "error" else YELLOW
    warning = f"{shade}warning:{PLAIN} " if problem.severity == "warning" else ""
    yield f"{where}{warning}{shade}{seen(problem.code)}:{PLAIN} {seen(problem.message)}"
    margin = len(str(place.line)) if place else 0
    if place and place.source.line(place.line).strip():
        excerpt, indent, length = excerpt_of(place)
        yield f"  {BLUE}{place.line} |{PLAIN} {excerpt}".rstrip()
        yield f"  {' ' * margin} {BLUE}|{PLAIN} {' ' * indent}{shade}{'^' * length}{PLAIN}"
    if problem.hint:
        yield f"  {' ' * margin} {BLUE}={PLAIN} {CYAN}hint:{PLAIN} {seen(problem.hint)}"


def excerpt_of(place: Place) -> tuple[str, int, int]:
    """The line of a place, cut if it is long; and the screen cells in front of the caret and under it."""
    whole = place.source.line(place.line)
    left = max(0, place.column - 1 - NEAR)
    line = seen(whole[left : place.column - 1 + NEAR])
    cells = [0, *accumulate(cell_len(sign) for sign in line)]
    start = min(place.column - 1 - left, len(line))
    end = min(start + max(1, place.length), len(line))
    first, last = window(cells, start)
    head = "…" if left or first else ""
    tail = "…" if left + last < len(whole) else ""
    indent = len(head) + cells[start] - cells[first]
    return head + line[first:last] + tail, indent, max(1, cells[min(max(end, start), last)] - cells[start])


def window(cells: list[int], caret: int) -> tuple[int, int]:
    """The first and the last character to be shown of a line, given the cells in front of every character."""
    signs = len(cells) - 1
    if cells[signs] <= WIDTH:
        return 0, signs
    left = max(0, min(cells[caret] - BEFORE, cells[signs] - WIDTH))
    first = next(at for at in range(signs + 1) if cells[at] >= left)
    last = next((at for at in range(signs, first, -1) if cells[at] - cells[first] <= WIDTH), signs)
    return first, max(last, min(caret + 1, signs))


# --- for programs


def as_json(problem: Problem) -> dict[str, object]:
    """A problem as an object."""
    place = problem.place
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
        "file": place.source.name if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "length": place.length if place else None,
    }


def github_line(problem: Problem) -> str:
    """A problem as a workflow command; what would end a property or the line is escaped."""
    place = problem.place
    level = "notice" if problem.severity == "note" else problem.severity
    properties = {"title": problem.code}
    if place:
        properties = {
            "file": in_repository(place.source.name),
            "line": str(place.line),
            "col": str(place.column),
            "endColumn": str(place.column + place.length),
            **properties,
        }
    written = ",".join(f"{key}={escaped(value, more=':,')}" for key, value in properties.items())
    more = f"\ntilewright explain {problem.code} says more" if problem.code in pages() else ""
    return f"::{level} {written}::{escaped(sentence(problem) + more)}"


def escaped(text: str, more: str = "") -> str:
    """The text with `%`, line breaks and some more characters as `%XX`."""
    return "".join(f"%{ord(sign):02X}" if sign in "%\r\n" + more else sign for sign in text)


def sentence(problem: Problem) -> str:
    """Message and hint together."""
    return f"{problem.message}\nhint: {problem.hint}" if problem.hint else problem.message


def sarif_rule(code: str) -> dict[str, object]:
    """What is known of a code."""
    rule: dict[str, object] = {"id": code, "shortDescription": {"text": code.replace("-", " ")}}
    page = pages().get(code)
    if page is None:
        return rule
    text = f"{page.means} {page.why} {page.fix}"
    example = f"Wrong:\n{page.example.wrong}\nRight:\n{page.example.right}"
    return {**rule, "fullDescription": {"text": page.means}, "help": {"text": f"{text}\n{example}"}}


def sarif_result(problem: Problem, rule: int) -> dict[str, object]:
    """A problem as a result of a SARIF run."""
    result: dict[str, object] = {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.severity,
        "message": {"text": sentence(problem)},
    }
    if place := problem.place:
        region = {"startLine": place.line, "startColumn": place.column, "endColumn": place.column + place.length}
        file = {"uri": quote(in_repository(place.source.name), errors="replace")}
        result["locations"] = [{"physicalLocation": {"artifactLocation": file, "region": region}}]
    return result


def in_repository(name: str) -> str:
    """The path of a file from the top of the repository that is worked in, as whoever shows the report looks for it;
    from the working folder where there is none. What lies outside keeps its path."""
    here = Path.cwd()
    top = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    inside = Path(name).exists() and Path(name).resolve().is_relative_to(top.resolve())
    return from_folder(name, top) if inside else name.replace("\\", "/")


def add_case(suite: "Element", name: str, problems: Sequence[Problem]) -> None:
    """A file as a test case, with all of its problems as text."""
    from xml.etree.ElementTree import SubElement

    case = SubElement(suite, "testcase", {"classname": "tilewright", "name": seen(name) or "command"})
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        message = f"{seen(errors[0].code)}: {seen(errors[0].message)}"
        failure = SubElement(case, "failure", {"type": seen(errors[0].code), "message": message})
        failure.text = render_text(problems, color=False)
    elif problems:
        SubElement(case, "system-out").text = render_text(problems, color=False)
