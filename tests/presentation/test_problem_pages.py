"""Pages of problems: every code has one, and its examples are what they say."""

import ast
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from budget import budget
from commands import fails, run
from drafts_with_mistakes import Mistake, each_is_one_problem, in_batches
from problem_examples import TRIES, as_mistake, codes_of
from problem_situations import NOT_MADE, SITUATIONS

import tilewright
from tilewright.presentation.problem_pages import KINDS, ProblemPage, pages, render

pytestmark = pytest.mark.long

PACKAGE = Path(tilewright.__file__).parent
MAKERS = {"Problem", "CaseError", "LogError", "Fault"}
PROTOCOL = "protocol"  # of the web: its codes are of messages, not of problems
UNUSED = ("mark", "measure", "term", "group", "class", "action")
MADE_UP = {  # codes that are put together: where, and what comes out
    ("merge.py", "no-{noun}s-to-change"): ("no-steps-to-change", "no-examples-to-change"),
    ("merge.py", "unknown-{noun}"): ("unknown-step", "unknown-example"),
    ("names.py", "unused-{what}"): tuple(
        f"unused-{one}" for one in ("mark", "measure", "term", "group", "class", "action")
    ),
    ("structure.py", "{what}-in-a-circle"): tuple(f"{one}-in-a-circle" for one in ("action", "exclusion", "group")),
}
OF_NAMES = """f"unknown-{kind.replace('_', '-')}\""""
BESIDE = (
    "tiles-or-count",
    "not-an-option",
    "division-by-zero",
    "unused-ignore",
    "unexplained-ignore",
)  # made by a variable


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """Everything in the modules that make problems."""
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if PROTOCOL not in path.parts}
    making = {path: text for path, text in texts.items() if any(maker in text for maker in (*MAKERS, "report("))}
    return {path: list(ast.walk(ast.parse(text))) for path, text in making.items()}


def called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


@cache
def makers() -> dict[str, int]:
    """The functions that make problems with a code that they are given, each with the number of that argument."""
    found = dict.fromkeys(MAKERS, 0)
    while True:
        more = {name: at for name, at in passing(found) if name not in found}
        if not more:
            return found
        found |= more


def passing(known: dict[str, int]) -> Iterator[tuple[str, int]]:
    for name, at, calls in takers():
        made = (code_of(call, known) for call in calls)
        if any(isinstance(one, ast.Name) and one.id == "code" for one in made):
            yield name, at


@cache
def takers() -> list[tuple[str, int, list[ast.Call]]]:
    """The functions with an argument `code`: its number, and what they call."""
    found = []
    for function in (node for every in nodes().values() for node in every):
        if isinstance(function, ast.FunctionDef) and function.name != "__init__":
            names = [one.arg for one in function.args.args if one.arg not in ("self", "cls")]
            if "code" in names:
                calls = [call for call in ast.walk(function) if isinstance(call, ast.Call)]
                found.append((function.name, names.index("code"), calls))
    return found


def code_of(call: ast.Call, known: dict[str, int]) -> ast.expr | None:
    """The code that a call gives to what makes a problem."""
    if called(call) not in known:
        return None
    at = known[called(call)]
    named = (one.value for one in call.keywords if one.arg == "code")
    return call.args[at] if len(call.args) > at else next(named, None)


def every_code() -> Iterator[str]:
    for path, every in nodes().items():
        for call in every:
            found = code_of(call, makers()) if isinstance(call, ast.Call) else None
            for one in [found.body, found.orelse] if isinstance(found, ast.IfExp) else [found]:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value
                elif isinstance(one, ast.JoinedStr) and ast.unparse(one) != OF_NAMES:
                    yield from MADE_UP[path.name, ast.unparse(one)[2:-1]]
    yield from BESIDE


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    codes = set(every_code())
    assert len(codes) > 280
    assert sorted(codes - {*pages()}) == []
    names = {code for code in pages() if code.startswith("unknown-")}  # `unknown-` and a kind of name
    assert sorted({*pages()} - codes - names) == []


IN_DRAFTS = [page for page in pages().values() if page.example.tried == "draft"]
RIGHT = {*sorted(pages())[:: 1 if budget(1) > 1 else 3]}  # codes whose right text is tried as well
ALONE = [page for page in pages().values() if page.example.tried in TRIES]


@pytest.mark.parametrize("mistakes", in_batches(map(as_mistake, IN_DRAFTS), 16 // budget(1)))
def test_the_wrong_example_in_a_draft_gives_exactly_that_code(mistakes: list[Mistake]) -> None:
    each_is_one_problem(mistakes)


@pytest.mark.parametrize("page", ALONE, ids=lambda page: page.code)
def test_the_wrong_example_gives_exactly_that_code_and_the_right_one_none(page: ProblemPage) -> None:
    assert set(codes_of(page.example, page.example.wrong)) == {page.code}
    assert page.code not in RIGHT or codes_of(page.example, page.example.right) == []


@pytest.mark.parametrize("code", SITUATIONS)
def test_the_wrong_situation_gives_that_code_and_the_right_one_does_not(code: str, tmp_path: Path) -> None:
    made = SITUATIONS[code]
    for right in (False, True) if code in RIGHT else (False,):
        folder = tmp_path / str(right)
        folder.mkdir()
        found = made.codes(folder, right=right)
        assert found <= made.besides if right else found - made.besides == {code}


def test_every_example_is_tried_or_has_a_reason() -> None:
    untried = {page.code for page in pages().values() if not page.example.tried}
    assert untried == {*SITUATIONS, *NOT_MADE} and not {*SITUATIONS} & {*NOT_MADE}
    assert {page.example.tried for page in pages().values()} == {"", "draft", *TRIES}
    assert len(NOT_MADE) <= 17, "make what can be made"


def test_all_of_every_page_is_there() -> None:
    assert all(page.example.wrong.strip() and page.example.right.strip() for page in pages().values())
    assert all(text.endswith((".", "`")) for page in pages().values() for text in (page.means, page.why, page.fix))
    assert {page.kind for page in pages().values()} == {*KINDS}


def test_the_page_of_problems_is_fresh(root: Path) -> None:
    assert (root / "docs/problems.md").read_text(encoding="utf-8") == render(), "run `make docs`"


# --- where it is said


def test_the_command_explains_a_code_and_lists_all() -> None:
    done = run("explain", "unknown-word")
    assert done.returncode == 0 and "did you mean" not in done.stdout
    assert all(text in done.stdout for text in ("unknown-word  Rulesets", "Wrong", "Right", "tilewright words"))
    listed = run("explain").stdout
    assert all(title in listed for title in KINDS.values()) and all(f"  {code} " in listed for code in pages())
    fails(run("explain", "unknown-wrod"), 2, "no problem has the code 'unknown-wrod'", "did you mean 'unknown-word'?")
    data = json.loads(run("explain", "tab", "--json").stdout)
    assert [(one["code"], one["kind"], {*one["example"]}) for one in data] == [("tab", "documents", {"wrong", "right"})]


def test_problems_lead_to_their_pages(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("tilewright: 1\nkind: ruleset\nid: mine\nname: M\nextends: standart\n", encoding="utf-8")
    assert run("check", str(path)).stdout.endswith("tilewright explain no-such-document says more\n")
    assert "explain no-such-document says more" in run("check", str(path), "--format", "github").stdout
    sarif = json.loads(run("check", str(path), "--format", "sarif").stdout)
    [rule] = sarif["runs"][0]["tool"]["driver"]["rules"]
    assert "Wrong:" in rule["help"]["text"] and rule["fullDescription"]["text"].startswith("A document that is named")
    assert "explain" not in run("check", "cantonese").stdout
