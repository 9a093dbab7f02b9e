"""The mistakes of cases, each with what to do about it; and values whose mistakes are the same wherever they stand."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from difflib import get_close_matches
from typing import Any

from tilewright.base.problem import Place, Problem
from tilewright.base.regular import TooSlow
from tilewright.hands.covers import TooManyReadings
from tilewright.hands.needs import TooManyNeeds
from tilewright.scoring.plain.scene import Unanswered


class CaseError(Exception):
    """A case cannot be scored; `problem` says why and what to do."""

    def __init__(self, code: str, message: str, hint: str | None = None, place: Place | None = None) -> None:
        self.problem = Problem(code, message, place, hint)
        super().__init__(message)

    def __reduce__(self) -> tuple[type["CaseError"], tuple[str, str, str | None, Place | None]]:
        """Pickled as its problem, so that it arrives whole from another process."""
        return CaseError, (self.code, self.message, self.hint, self.problem.place)

    @property
    def code(self) -> str:
        """What kind of mistake it is (docs/problems.md)."""
        return self.problem.code

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return self.problem.message

    @property
    def hint(self) -> str | None:
        """What to do about it, if that is known."""
        return self.problem.hint


class bounded(AbstractContextManager[None]):
    """Reports what would take too long, and what the case would have to say, as a problem of the case."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, TooSlow):
            message = f"a regular expression of the ruleset takes too long: {error}"
            raise CaseError("slow-pattern", message) from None
        if isinstance(error, Unanswered):
            raise CaseError("unanswered", str(error), error.hint) from None
        if isinstance(error, TooManyReadings | TooManyNeeds):
            raise CaseError(
                "too-many-readings",
                "this hand can be read in more ways than can be tried",
                "fewer wild tiles, or narrower groups in the ruleset",
            ) from None


def given(case: Mapping[str, Any], key: str, default: Any) -> Any:
    """What is under a key of the case; the default where that is nothing."""
    value = case.get(key)
    return default if value is None else value


def truth(case: Mapping[str, Any], key: str, default: bool) -> bool:
    value = case.get(key, default)
    if not isinstance(value, bool):
        raise CaseError("wrong-value", f"{key} is true or false, not {value!r}")
    return value


def way_out(name: str, known: Iterable[str]) -> str | None:
    """The name that was probably meant, or all names."""
    names = list(known)
    return suggestion(name, names) or (f"there is {', '.join(names)}" if names else None)


def suggestion(name: str, known: Iterable[str]) -> str | None:
    close = get_close_matches(name, list(known), 1)
    return f"did you mean {close[0]!r}?" if close else None
