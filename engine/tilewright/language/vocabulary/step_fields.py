"""Fields of steps: what the keys of a verb may hold. Each kind has its schema, its reading and its words.

A declaration names one in the annotation of a field: `to: Annotated[Ir | None, Seats("Who sees it.")] = None`.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from tilewright.base.node import Mapping
from tilewright.language.compiled.ir import Const, Ir, Lookup
from tilewright.language.compiled.play import Choose, Goal, StepSpeaker, Text

Schema = dict[str, Any]
T = TypeVar("T")
Wording = str | list[str]


class StepReader(Protocol):
    """A mapping of a document. Reads the values of its keys with the words in scope; None for a missing key."""

    @property
    def node(self) -> Mapping: ...
    def below(self, *keys: str) -> "StepReader": ...
    def has(self, key: str) -> bool: ...
    def expression(self, key: str, wanted: str) -> Ir | None: ...
    def expressions(self, key: str, wanted: str) -> tuple[Ir, ...]: ...
    def tiles(self, key: str) -> Ir | None: ...
    def zone(self, key: str) -> Lookup: ...
    def classes(self, key: str) -> tuple[Ir, ...] | None: ...
    def text(self, key: str) -> str: ...
    def texts(self, key: str) -> Text: ...
    def names(self, key: str) -> tuple[str, ...]: ...
    def flag(self, key: str) -> bool: ...
    def goal(self, key: str) -> Goal | None: ...
    def choices(self, key: str) -> tuple[Choose, ...]: ...
    def mark_type(self, name: str) -> str: ...


@dataclass(frozen=True)
class Field(Generic[T]):  # no ABC, which takes long to say of what kind one is
    """A field of a verb. `doc`: its description in the schema, empty if it is the only one; `key`: its name in
    documents, if Python does not allow it; `needed`: a mapping must have it, though not the short form. `whole`: its
    schema without the description."""

    doc: str = ""
    key: str = ""
    needed: bool = False

    whole: ClassVar[Schema]

    @property
    def schema(self) -> Schema:
        """The schema of the key."""
        return {**self.whole, **({"description": self.doc} if self.doc else {})}

    @property
    def short(self) -> Schema:
        """The schema if the verb may have this alone instead of a mapping."""
        return self.whole

    @abstractmethod
    def read(self, reader: StepReader, key: str) -> T | None:
        """The value of the key in a document."""

    def read_short(self, reader: StepReader, key: str) -> T | None:
        return self.read(reader, key)

    def lacking(self) -> T | None:
        """The value for a missing required key, which the shape check has reported."""
        return None

    def places(self, name: str) -> tuple[str, ...]:
        """The blanks of a sentence that the value fills."""
        return (name,)

    def wording(self, speaker: StepSpeaker, value: T) -> Wording:
        """The value in words, of each blank."""
        return str(value)

    def words(self, speaker: StepSpeaker, value: T | None) -> Wording | None:
        """The value in words; None if there is none."""
        return None if value is None else self.wording(speaker, value)


def of_schema(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


@dataclass(frozen=True)
class Expression(Field[Ir]):
    """An expression of one type."""

    wanted: ClassVar[str]

    def read(self, reader: StepReader, key: str) -> Ir | None:
        return reader.expression(key, self.wanted)

    def lacking(self) -> Ir:
        return Const(self.wanted, 0)

    @property
    def short(self) -> Schema:
        return {"type": ["string"], "x-expr": self.wanted}


@dataclass(frozen=True)
class TilesField(Expression):
    """Tiles, a zone, a group or groups, which keep their places and kinds instead of becoming tiles."""

    wanted = "tiles"
    whole: ClassVar[Schema] = of_schema("tiles")

    def read(self, reader: StepReader, key: str) -> Ir | None:
        return reader.tiles(key)

    def wording(self, speaker: StepSpeaker, value: Ir) -> Wording:
        return speaker.tiles(value)


@dataclass(frozen=True)
class ShownField(TilesField):
    """Tiles, worded with an article."""

    def wording(self, speaker: StepSpeaker, value: Ir) -> Wording:
        return speaker.set_of(value)


@dataclass(frozen=True)
class ZoneField(TilesField):
    """A zone: a `Lookup` of kind `zone`, of one seat or of several; of a choice between zones, either. `goes_in`: tiles
    come into it, else out of it; `unless_said`: the default zone of the table."""

    goes_in: bool = False
    unless_said: str = ""

    def words(self, speaker: StepSpeaker, value: Ir | None) -> Wording | None:
        return speaker.zone(self.unless_said) if value is None and self.unless_said else super().words(speaker, value)

    @property
    def short(self) -> Schema:
        return {"type": ["string"], "x-ref": "zone"}

    def read_short(self, reader: StepReader, key: str) -> Ir:
        return reader.zone(key)


@dataclass(frozen=True)
class PairOfTiles(Field[tuple[Ir, Ir]]):
    """Two tiles."""

    whole: ClassVar[Schema] = {"type": "array", "minItems": 2, "maxItems": 2, "items": of_schema("tiles")}

    def read(self, reader: StepReader, key: str) -> tuple[Ir, Ir] | None:
        found = reader.expressions(key, "tiles")
        return (found[0], found[1]) if len(found) == 2 else None

    def places(self, name: str) -> tuple[str, ...]:
        return (f"{name}_0", f"{name}_1")

    def wording(self, speaker: StepSpeaker, value: tuple[Ir, Ir]) -> Wording:
        return [speaker.tiles(one) for one in value]


@dataclass(frozen=True)
class SeatsField(Expression):
    wanted = "seats"
    whole: ClassVar[Schema] = of_schema("seats")

    def wording(self, speaker: StepSpeaker, value: Ir) -> Wording:
        return speaker.seats(value)


@dataclass(frozen=True)
class NumberField(Expression):
    """A number of tiles."""

    wanted = "number"
    whole: ClassVar[Schema] = of_schema("number")

    @property
    def short(self) -> Schema:
        return {"type": ["integer", "string"], "x-expr": "number"}

    def wording(self, speaker: StepSpeaker, value: Ir) -> Wording:
        return speaker.counted(value)


@dataclass(frozen=True)
class OrdinalField(NumberField):
    """The number of one of several."""

    def wording(self, speaker: StepSpeaker, value: Ir) -> Wording:
        return speaker.thing(value)


@dataclass(frozen=True)
class GroupField(Expression):
    wanted = "group"
    whole: ClassVar[Schema] = {"type": "string", "x-expr": "group"}


@dataclass(frozen=True)
class ClassesField(Field[tuple[Ir, ...]]):
    """Classes of tiles, any of which will do."""

    whole: ClassVar[Schema] = of_schema("classes")

    def read(self, reader: StepReader, key: str) -> tuple[Ir, ...] | None:
        return reader.classes(key)

    def wording(self, speaker: StepSpeaker, value: tuple[Ir, ...]) -> Wording:
        return speaker.listed([speaker.tiles(one) for one in value])


@dataclass(frozen=True)
class OneOfField(Field[str]):
    """One of a few words."""

    among: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema:
        return {"enum": list(self.among), "description": self.doc}

    def read(self, reader: StepReader, key: str) -> str | None:
        return reader.text(key) or None


@dataclass(frozen=True)
class FlagField(Field[bool]):
    whole: ClassVar[Schema] = {"type": "boolean"}

    def read(self, reader: StepReader, key: str) -> bool:
        return reader.flag(key)


@dataclass(frozen=True)
class TitleField(Field[Text]):
    """A text for the table, in one language or several."""

    whole: ClassVar[Schema] = of_schema("name")

    def read(self, reader: StepReader, key: str) -> Text:
        return reader.texts(key)

    def wording(self, speaker: StepSpeaker, value: Text) -> Wording:
        return speaker.name(value)


@dataclass(frozen=True)
class ChoicesField(Field[tuple[Choose, ...]]):
    """Choices. The answers become words."""

    whole: ClassVar[Schema] = of_schema("choices")

    def read(self, reader: StepReader, key: str) -> tuple[Choose, ...]:
        return reader.choices(key)

    def wording(self, speaker: StepSpeaker, value: tuple[Choose, ...]) -> Wording:
        return speaker.choices(value)


@dataclass(frozen=True)
class NameField(Field[str]):
    """A name of the kind `of` that the ruleset declares."""

    of: ClassVar[str]

    def read(self, reader: StepReader, key: str) -> str:
        return reader.text(key)

    @property
    def short(self) -> Schema:
        return {"type": ["string"], "x-ref": self.of}


@dataclass(frozen=True)
class PhaseName(NameField):
    """A phase that is run."""

    of = "phase"
    whole: ClassVar[Schema] = {"type": "string", "x-ref": "phase"}

    def wording(self, speaker: StepSpeaker, value: str) -> Wording:
        return speaker.phase_name(value)


@dataclass(frozen=True)
class PaymentName(NameField):
    of = "payment"
    whole: ClassVar[Schema] = {"type": "string", "x-ref": "payment"}

    def wording(self, speaker: StepSpeaker, value: str) -> Wording:
        return speaker.payments((value,))


@dataclass(frozen=True)
class PaymentNames(Field[tuple[str, ...]]):
    whole: ClassVar[Schema] = {"type": "array", "minItems": 1, "items": {"type": "string", "x-ref": "payment"}}

    def read(self, reader: StepReader, key: str) -> tuple[str, ...]:
        return reader.names(key)

    def wording(self, speaker: StepSpeaker, value: tuple[str, ...]) -> Wording:
        return speaker.payments(value)


@dataclass(frozen=True)
class GoalField(Field[Goal]):
    """Where play continues."""

    whole: ClassVar[Schema] = of_schema("goal")

    def read(self, reader: StepReader, key: str) -> Goal | None:
        return reader.goal(key)

    def lacking(self) -> Goal:
        return Goal("")

    def wording(self, speaker: StepSpeaker, value: Goal) -> Wording:
        return speaker.goal(value)


@dataclass(frozen=True)
class MarkValues(Field[tuple[tuple[str, Ir], ...]]):
    """Marks, each with its value."""

    whole: ClassVar[Schema] = {
        "type": "object",
        "propertyNames": {"x-ref": "assigned"},
        "additionalProperties": of_schema("value"),
        "minProperties": 1,
    }

    def read(self, reader: StepReader, key: str) -> tuple[tuple[str, Ir], ...]:
        inner = reader.below(key)
        types = {name: inner.mark_type(name) for name in inner.node.entries}
        found = ((name, inner.expression(name, type), type) for name, type in types.items())
        return tuple((name, ir or Const(type, 0)) for name, ir, type in found)


@dataclass(frozen=True)
class Dice(Field[tuple[tuple[str, tuple[Ir, ...]], ...]]):
    """Names, each with the values on its die. The names become words; one that is a mark is remembered as one."""

    whole: ClassVar[Schema] = {
        "type": "object",
        "propertyNames": of_schema("id"),
        "additionalProperties": {
            "type": "array",
            "minItems": 1,
            "items": {"type": ["string", "number", "boolean"], "x-expr": "value"},
        },
        "minProperties": 1,
    }

    def read(self, reader: StepReader, key: str) -> tuple[tuple[str, tuple[Ir, ...]], ...]:
        inner = reader.below(key)
        return tuple((name, inner.expressions(name, "value")) for name in inner.node.entries if inner.has(name))

    def wording(self, speaker: StepSpeaker, value: tuple[tuple[str, tuple[Ir, ...]], ...]) -> Wording:
        return speaker.in_turn([speaker.listed([speaker.thing(one) for one in values]) for _, values in value])
