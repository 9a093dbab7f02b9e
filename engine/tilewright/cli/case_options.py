"""Options for cases: the options for a hand in, a case out. They follow from the fields of a case."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any, Concatenate, ParamSpec

import typer

from tilewright.base.problem import RulesetError
from tilewright.language.vocabulary.case import CaseField, case_fields
from tilewright.scoring.case_mistakes import CaseError

CaseOptions = Mapping[str, Any]  # values of options, by field; parsed by `case_of`
P = ParamSpec("P")

TRUTHS = {"true": True, "false": False}
LONGEST_NUMBER = 18  # digits


@contextmanager
def reporting() -> Iterator[None]:
    """Report a case that cannot be scored as the problem of the command."""
    try:
        yield
    except CaseError as error:
        raise RulesetError([error.problem]) from None


def with_case(*, won: bool) -> Callable[[Callable[Concatenate[CaseOptions, P], int]], Callable[..., int]]:
    """Give a command the options for a hand, those of a win among them if it may have `won`; the function takes their
    values as its first parameter."""
    fields = {name: field for name, field in case_fields().items() if field.option and (won or not field.of_win)}

    def decorate(function: Callable[Concatenate[CaseOptions, P], int]) -> Callable[..., int]:
        @wraps(function)
        def run(*arguments: P.args, **options: P.kwargs) -> int:
            given = {name: options.pop(name) for name in fields}
            return function(given, *arguments, **options)

        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        behind = [one.name for one in own].index("hand") + 1
        parameters = [*own[:behind], *(option(name, field) for name, field in fields.items()), *own[behind:]]
        run.__dict__["__signature__"] = inspect.Signature(parameters)
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorate


def option(name: str, field: CaseField) -> inspect.Parameter:
    """The parameter that takes the option of a field."""
    several, flag = field.kind in SEVERAL, field.kind == "truth"
    kind: Any = list[str] if several else bool if flag else str | None
    default: Any = [] if several else False if flag else None
    info = typer.Option(field.option, metavar=field.value or None, help=field.help, show_default=False)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def case_of(given: CaseOptions) -> dict[str, Any]:
    """The case, without what was not given. Raises CaseError."""
    fields = case_fields()
    return {name: value_of(fields[name], value) for name, value in given.items() if value not in (None, False, [])}


def value_of(field: CaseField, value: Any) -> Any:
    """The value for a case; a flag reverses the default."""
    if field.kind == "truth":
        return field.default != "true"
    return SEVERAL[field.kind](value) if field.kind in SEVERAL else value


def melds_of(texts: Sequence[str]) -> list[str | dict[str, str]]:
    """Melds as in a case: `444p` as it is, `kind:4444p` with its kind."""
    return [meld_of(text) for text in texts]


def meld_of(text: str) -> str | dict[str, str]:
    kind, colon, tiles = text.partition(":")
    return {"kind": kind.strip(), "tiles": tiles.strip()} if colon else text


def marks_of(texts: Sequence[str]) -> dict[str, str | int | bool]:
    """Marks with their values: `lucky=5s`, `counters=2`, `ready=true`. Raises CaseError."""
    return dict(map(mark_of, texts))


def mark_of(text: str) -> tuple[str, str | int | bool]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise CaseError("wrong-marks", f"--mark {text} has no value", "for instance --mark NAME=5s")
    if value in TRUTHS:
        return name, TRUTHS[value]
    return name, int(value) if value.isdecimal() and len(value) <= LONGEST_NUMBER else value


SEVERAL: Mapping[str, Callable[[Sequence[str]], Any]] = {"melds": melds_of, "flags": list, "marks": marks_of}
