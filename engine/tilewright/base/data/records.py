"""Records: `dataclass` as in the standard library, whose methods are written when they are first called.

A command makes some three hundred classes before it begins. The standard library writes the text of five or more
methods for each and compiles it, which took two fifths of the time that a command needed to start; most of them are
never called. Fields, `replace`, pickles and what the methods do are the same. Fields only for `__init__` (InitVar) are
not supported, and a class that inherits from one of these is made here as well. Knows no mahjong.
"""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError
from functools import partial
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        frozen: bool = False,
        slots: bool = False,
        eq: bool = True,
        repr: bool = True,
        order: bool = False,
    ) -> Any:
        """The class, with methods made of its fields."""

        def made(cls: type) -> type:
            own = set(vars(cls))
            if "__eq__" in own and vars(cls)["__hash__"] is None:
                own.remove("__hash__")  # Python put it there, not the author
            cls.__doc__ = cls.__doc__ or cls.__name__  # else the standard library writes one
            base = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
            for name, method in methods_of(base, frozen, slots, eq, repr, order):
                if name not in own:
                    setattr(base, name, method)
            return base

        return made if cls is None else made(cls)


def methods_of(
    cls: type, frozen: bool, slots: bool, eq: bool, repr: bool, order: bool
) -> Iterator[tuple[str, Callable[..., Any] | None]]:
    """The methods that a class may have, by name."""
    yield "__init__", written_later(cls, "__init__", partial(init_text, cls, frozen))
    if repr:
        yield "__repr__", written_later(cls, "__repr__", partial(repr_text, cls))
    if eq:
        yield "__eq__", written_later(cls, "__eq__", partial(comparison_text, cls, "__eq__", "=="))
        yield "__hash__", written_later(cls, "__hash__", partial(hash_text, cls)) if frozen else None
    if order:
        for name, sign in ORDER.items():
            yield name, written_later(cls, name, partial(comparison_text, cls, name, sign))
    if frozen:
        yield from frozen_methods(cls)
        if slots:
            yield "__getstate__", written_later(cls, "__getstate__", partial(getstate_text, cls))
            yield "__setstate__", written_later(cls, "__setstate__", partial(setstate_text, cls))


Known = dict[str, Any]  # names that a text uses


def written_later(cls: type, name: str, write: Callable[[], tuple[str, Known]]) -> Callable[..., Any]:
    """A method that takes the place of itself when it is first called."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        text, known = write()
        exec(text, known)
        written = named(known[name], cls, name)
        if vars(cls)[name] is method:
            setattr(cls, name, written)
        return written(self, *args, **kwargs)

    return named(method, cls, name)


def named(method: Any, cls: type, name: str) -> Callable[..., Any]:
    method.__name__, method.__qualname__, method.__module__ = name, f"{cls.__qualname__}.{name}", cls.__module__
    made: Callable[..., Any] = method
    return made


def fields(cls: Any) -> tuple[Field[Any], ...]:
    return dataclasses.fields(cls)


# --- texts of methods


def init_text(cls: type, frozen: bool) -> tuple[str, Known]:
    """The names that the text uses, but for parameters, begin with two underscores, as no field's name can."""
    known: Known = {"__missing": MISSING, "__put": object.__setattr__}
    positional, by_name, lines = ["__self"], list[str](), list[str]()
    for field in fields(cls):
        name, given, value, default = field.name, f"__given_{field.name}", field.name, ""
        if field.default_factory is not MISSING:
            known[given], default = field.default_factory, "=__missing"
            value = f"{given}() if {name} is __missing else {name}" if field.init else f"{given}()"
        elif field.default is not MISSING:
            known[given], default = field.default, f"={given}"
            value = name if field.init else given
        elif not field.init:
            continue
        if field.init:
            (by_name if field.kw_only else positional).append(name + default)
        lines.append(f"{assigning(cls, name, known)}{value})" if frozen else f"__self.{name} = {value}")
    lines += ["__self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    parameters = ", ".join([*positional, *(["*", *by_name] if by_name else [])])
    return "\n ".join([f"def __init__({parameters}):", *(lines or ["pass"])]), known


def assigning(cls: type, name: str, known: Known) -> str:
    """How the assignment of a field of a frozen object begins."""
    slot = getattr(cls, name, None)
    if not isinstance(slot, MemberDescriptorType):
        return f"__put(__self, {name!r}, "
    known[f"__put_{name}"] = slot.__set__
    return f"__put_{name}(__self, "


def repr_text(cls: type) -> tuple[str, Known]:
    shown = ", ".join(f"{field.name}={{self.{field.name}!r}}" for field in fields(cls) if field.repr)
    text = f"@once()\ndef __repr__(self): return f'{{type(self).__qualname__}}({shown})'"
    return text, {"once": recursive_repr}


def comparison_text(cls: type, name: str, sign: str) -> tuple[str, Known]:
    names = [field.name for field in fields(cls) if field.compare]
    both = f"{tuple_of('self', names)} {sign} {tuple_of('other', names)}"
    same = "self.__class__ is other.__class__"
    return f"def {name}(self, other): return {both} if {same} else NotImplemented", {}


def hash_text(cls: type) -> tuple[str, Known]:
    names = [one.name for one in fields(cls) if (one.compare if one.hash is None else one.hash)]
    return f"def __hash__(self): return hash({tuple_of('self', names)})", {}


def getstate_text(cls: type) -> tuple[str, Known]:
    return f"def __getstate__(self): return [*{tuple_of('self', [field.name for field in fields(cls)])}]", {}


def setstate_text(cls: type) -> tuple[str, Known]:
    """A frozen object with slots is restored without assigning to its fields."""
    known: Known = {"__put": object.__setattr__}
    lines = [f"{assigning(cls, field.name, known)}state[{at}])" for at, field in enumerate(fields(cls))]
    return "\n ".join(["def __setstate__(__self, state):", *(lines or ["pass"])]), known


def tuple_of(one: str, names: list[str]) -> str:
    return f"({''.join(f'{one}.{name}, ' for name in names)})"


# --- methods of frozen classes


def frozen_methods(cls: Any) -> Iterator[tuple[str, Callable[..., None]]]:
    def set_attribute(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete_attribute(self: Any, name: str) -> None:
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    yield "__setattr__", named(set_attribute, cls, "__setattr__")
    yield "__delattr__", named(delete_attribute, cls, "__delattr__")
