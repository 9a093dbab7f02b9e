"""The classes of `tilewright.base.data.records` beside the same ones made by the standard library."""

import copy
import dataclasses
import pickle
import sys
from collections.abc import Callable
from dataclasses import field, replace
from itertools import product
from typing import Any

import pytest

from tilewright.base.data import records

OPTIONS: list[dict[str, bool]] = [
    {"frozen": frozen, "slots": slots, "eq": eq, "repr": repr, "order": order}
    for frozen, slots, eq, repr, order in product([False, True], repeat=5)
    if eq or not order
]


class Plain:
    """A base that is no record."""

    __slots__ = ()

    def twice(self) -> int:
        return 2 * self.number  # type: ignore[attr-defined,no-any-return]


def classes(dataclass: Callable[..., Any], options: dict[str, bool]) -> dict[str, Any]:
    """Classes with all that a field may be, made in one of the two ways."""

    class Whole(Plain):
        """A class."""

        number: int
        text: str = "none"
        parts: list[int] = field(default_factory=list, repr=False)
        unseen: int = field(default=0, compare=False)
        unhashed: int = field(default=0, hash=False)
        made: int = field(init=False, default=7)
        listed: list[int] = field(init=False, default_factory=list, hash=False)
        named: int = field(default=3, kw_only=True)

    class Child(dataclass(**options)(Whole)):  # type: ignore[misc]
        """A class that inherits fields."""

        more: tuple[int, ...] = ()

    class Named:
        """Fields called like what methods use."""

        new: list[int] = field(default_factory=list)
        put: int = 1
        self: int = 2
        other: int = 3
        state: int = 4
        given_new: int = 5
        known: list[int] = field(default_factory=list)

    class Empty:
        """No field."""

    class Checked:
        """One field, and a check of it."""

        number: int

        def __post_init__(self) -> None:
            if self.number < 0:
                raise ValueError(self.number)

    class Own:
        """A class with methods of its own."""

        number: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self)) and abs(self.number) == abs(other.number)

    class Hashed:
        """A class with a hash of its own."""

        number: int

        def __hash__(self) -> int:
            return 5

    made = {cls.__name__: dataclass(**options)(cls) for cls in (Child, Named, Empty, Checked, Own, Hashed)}
    return {"Whole": Child.__mro__[1], **made}


def outcome(act: Callable[[], object]) -> object:
    """What comes out: a value, or an exception and what it says."""
    try:
        return act()
    except Exception as error:
        return type(error), str(error)


def outcomes(made: dict[str, Any]) -> list[object]:
    """All that can be seen of these classes."""
    whole, child, one = made["Whole"], made["Child"], made["Checked"]
    objects: list[Any] = [
        *(whole(1), whole(1), whole(2, "b"), whole(1, unseen=5), whole(1, unhashed=5), whole(1, named=4)),
        *(whole(number=1, text="x", parts=[1]), child(1), child(1, more=(2,)), child(1, "x", [], 1, 2, (3,), named=9)),
        *(made["Named"](), made["Named"](new=[7], put=0, self=9), made["Named"]([7], 0, 9, 1, 1, 1, [])),
        *(made["Empty"](), made["Empty"](), one(3), one(4), one(3), made["Own"](1), made["Own"](-1)),
        *(made["Hashed"](1), made["Hashed"](2)),
    ]
    ways: list[Callable[[Any], object]] = [
        lambda it: repr(it) if type(it).__repr__ is not object.__repr__ else "as of every object",
        lambda it: "as of every object" if type(it).__hash__ is object.__hash__ else hash(it),
        lambda it: hasattr(it, "number") and setattr(it, "number", 8),
        lambda it: hasattr(it, "number") and delattr(it, "number"),
        lambda it: hasattr(type(it), "__slots__") or setattr(it, "strange", 8),  # Python 3.11 says something odd
        lambda it: repr(replace(it, number=6)).partition(" object at ")[0],
        lambda it: values(copy.copy(it)) == values(it),
        lambda it: values(copy.deepcopy(it)) == values(it),
        lambda it: dataclasses.asdict(it),
        lambda it: it.twice(),
    ]
    calls: list[Callable[[], object]] = [
        *(whole, lambda: whole(1, strange=2), lambda: whole(1, "a", [], 0, 0, 3, 3), lambda: one(-1), lambda: one()),
        *(lambda: child(), lambda: made["Empty"](1)),
    ]
    found: list[object] = [[outcome(lambda: way(it)) for way in ways] for it in map(copy.copy, objects)]  # noqa: B023
    found += [[outcome(lambda: one == other), outcome(lambda: one < other), outcome(lambda: one >= other)]  # noqa: B023
              for one, other in product(objects, repeat=2)]  # fmt: skip
    found += [outcome(call) for call in calls]
    found += [[cls.__match_args__, cls.__doc__, cls.__name__, cls.__qualname__, hasattr(cls, "__slots__")]
              for cls in made.values()]  # fmt: skip
    found += [[(one.name, one.type, one.init, one.kw_only) for one in dataclasses.fields(cls)] for cls in made.values()]
    return found


def values(one: Any) -> list[object]:
    return [getattr(one, of.name) for of in dataclasses.fields(one)]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_records_are_as_of_the_standard_library(options: dict[str, bool]) -> None:
    ours, theirs = (outcomes(classes(way, options)) for way in (records.dataclass, dataclasses.dataclass))
    for our, their in zip(ours, theirs, strict=True):
        assert our == their


@records.dataclass(frozen=True, slots=True)
class Kept:
    """A record that is pickled."""

    number: int
    other: "Kept | None" = None


def test_records_are_pickled() -> None:
    kept = Kept(1, Kept(2))
    assert [pickle.loads(pickle.dumps(kept, protocol)) for protocol in range(2, 6)] == [kept] * 4
    assert kept.__reduce_ex__(4)[2] == [1, Kept(2)]


def test_a_method_is_written_when_it_is_first_called() -> None:
    @records.dataclass(frozen=True)
    class Made:
        number: int

    before = vars(Made)["__init__"], vars(Made)["__repr__"]
    assert repr(Made(1)).endswith("Made(number=1)") and repr(Made(2)).endswith("Made(number=2)")
    written = vars(Made)["__init__"], vars(Made)["__repr__"]
    assert written != before and all(method.__module__ == __name__ for method in written)
    Made(3)
    assert (vars(Made)["__init__"], vars(Made)["__repr__"]) == written


def test_an_object_that_contains_itself_has_a_text() -> None:
    @records.dataclass
    class Knot:
        inner: Any = None

    knot = Knot()
    knot.inner = knot
    assert repr(knot).endswith("Knot(inner=...)")


def test_the_engine_makes_its_records_here() -> None:
    """But for what compiled play and its kernels have."""
    import tilewright.authoring.trials  # noqa: F401

    apart = (
        "base.compute",
        "play.compiled",
        "players.compiled",
        "players.simulation",
        "scoring.kernel",
        "scoring.quick",
    )
    loaded = {name: module for name, module in sys.modules.items() if name.startswith("tilewright.")}
    late = {
        name
        for name, module in loaded.items()
        if getattr(module, "dataclass", None) is dataclasses.dataclass
        and not name.removeprefix("tilewright.").startswith((*apart, "scoring.quick", "scoring.batches"))
    }
    assert late == set()
