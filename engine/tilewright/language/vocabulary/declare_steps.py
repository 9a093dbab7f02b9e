"""Declaring a step of play: its schema, reading, operation and sentences follow from one class.

`@step` makes a class a frozen dataclass and enters it in STEPS. Its docstring is its description; the annotation of
each field declares what the key holds (see `step_fields`). The value of a verb with one field is that of the field;
with several it is a mapping, or the value of the field called `short` alone.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from dataclasses import field as dataclass_field
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_args, get_type_hints

from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node
from tilewright.language.compiled.ir import Ir, Lookup
from tilewright.language.compiled.play import StepBlock, StepSpeaker, Verb
from tilewright.language.vocabulary.step_fields import Field, GoalField, PhaseName, Schema, StepReader, ZoneField

ACTOR = "actor"  # in a sentence: the acting seat
D = TypeVar("D", bound="DeclaredVerb")
T = TypeVar("T")


@dataclass(frozen=True)
class Sentence:
    """A sentence for a step, the message `verbs.VERB.KEY` of the catalogue, with the names of its fields as blanks. It
    fits if each of them has words and those in `where` hold."""

    key: str
    where: Mapping[str, object] | None = None


@dataclass(frozen=True)
class StepPart:
    """A field of a verb: its name in Python and in documents, and its kind."""

    name: str
    key: str
    field: Field[Any]
    is_optional: bool


@dataclass(frozen=True)
class StepDeclaration:
    """A verb of the language. `says`: the first that fits is used; `fills`: the zone of the seat that tiles come to;
    `ends_hands`: repeated forever it would end the hand, as it takes tiles or retires seats; `either`: two keys, of
    which it has one. Its name as an event or in a restriction is the message `verbs.VERB.noun`."""

    name: str
    doc: str
    verb: Callable[..., Verb]
    parts: tuple[StepPart, ...]
    short: StepPart | None
    says: tuple[Sentence, ...]
    fills: str
    ends_hands: bool
    either: tuple[str, str]

    @property
    def alone(self) -> StepPart | None:
        """The only field, whose value follows the verb."""
        return self.parts[0] if len(self.parts) == 1 else None

    @property
    def takes_from_zones(self) -> bool:
        return any(isinstance(part.field, ZoneField) and not part.field.goes_in for part in self.parts)

    def schema(self) -> Schema:
        """The schema of the verb's value."""
        if self.alone is not None:
            return {**self.alone.field.whole, "x-verb": True, "description": self.doc}
        needed = [part.key for part in self.parts if part.field.needed or not part.is_optional]
        short = self.short.field.short if self.short is not None else {"type": []}
        types = [*short["type"], "object"]
        return {
            **short,
            "type": types if len(types) > 1 else types[0],
            "additionalProperties": False,
            **({"x-required": needed} if needed else {}),
            "x-verb": True,
            "description": self.doc,
            "properties": {part.key: part.field.schema for part in self.parts},
        }

    def read(self, reader: StepReader) -> Verb:
        """The verb of a step."""
        if self.alone is not None:
            return self.made(self.alone, self.alone.field.read(reader, self.name))
        if self.short is not None and not isinstance(reader.node.get(self.name), MappingNode):
            return self.made(self.short, self.short.field.read_short(reader, self.name))
        inner = reader.below(self.name)
        found = {part.name: value_of(part, part.field.read(inner, part.key)) for part in self.parts}
        return self.verb(**{name: value for name, value in found.items() if value is not None})

    def made(self, part: StepPart, value: object) -> Verb:
        return self.verb(**{part.name: part.field.lacking() if value is None else value})

    def written(self, node: Node | None) -> Iterator[tuple[StepPart, Node]]:
        """The value of the verb in a document, by field."""
        alone = self.alone or (None if isinstance(node, MappingNode) else self.short)
        if node is not None and alone is not None:
            yield alone, node
        elif isinstance(node, MappingNode):
            yield from ((part, found) for part in self.parts if (found := node.get(part.key)) is not None)


def value_of(part: StepPart, value: object) -> object:
    return part.field.lacking() if value is None and not part.is_optional else value


STEPS: dict[str, StepDeclaration] = {}


class DeclaredVerb(Verb):
    """A verb of the language. `declared`: its whole declaration."""

    __slots__ = ()

    declared: ClassVar[StepDeclaration]

    def clause(self, speaker: StepSpeaker) -> str:
        return next((text for one in self.declared.says if (text := self.filled(one, speaker))), "")

    def filled(self, sentence: Sentence, speaker: StepSpeaker) -> str:
        """A sentence, if it fits."""
        if any(getattr(self, name) != value for name, value in (sentence.where or {}).items()):
            return ""
        id = f"verbs.{self.declared.name}.{sentence.key}"
        wanted = speaker.blanks(id)
        filled = {ACTOR: speaker.actor()} if ACTOR in wanted else {}
        for part in self.declared.parts:
            places = part.field.places(part.name)
            if wanted.isdisjoint(places):
                continue
            value = part.field.words(speaker, getattr(self, part.name))
            if value is None:
                return ""
            filled |= zip(places, [value] if isinstance(value, str) else value, strict=True)
        return speaker.message(id, **filled)


@dataclass_transform(frozen_default=True, field_specifiers=(dataclass_field,))
def step(
    name: str,
    *says: Sentence,
    short: str = "",
    fills: str = "",
    ends_hands: bool = False,
    either: tuple[str, str] = ("", ""),
) -> Callable[[type[D]], type[D]]:
    """Declare the decorated class as the verb of this name."""

    def declare(cls: type[D]) -> type[D]:
        made = dataclass(frozen=True)(cls)  # without slots, which would create another class and break `super()`
        parts = tuple(parts_of(made))
        by_name = {part.name: part for part in parts}
        doc = " ".join((made.__doc__ or "").split())
        made.declared = STEPS[name] = StepDeclaration(
            name, doc, made, parts, by_name.get(short), says, fills, ends_hands, either
        )
        return made

    return declare


def parts_of(cls: type[DeclaredVerb]) -> Iterator[StepPart]:
    """The annotated fields of a verb."""
    assert is_dataclass(cls)
    hints = get_type_hints(cls, include_extras=True)
    for one in fields(cls):
        (field,) = (extra for extra in get_args(hints[one.name])[1:] if isinstance(extra, Field))
        is_optional = one.default is not MISSING or one.default_factory is not MISSING
        yield StepPart(one.name, field.key or one.name, field, is_optional)


# --- queries about verbs


def held(verb: Verb | StepBlock, kind: type[Field[T]]) -> Iterator[tuple[StepPart, T]]:
    """The fields of this kind that a verb uses, each with its value."""
    for part in verb.declared.parts if isinstance(verb, DeclaredVerb) else ():
        if isinstance(part.field, kind) and (value := getattr(verb, part.name)) is not None:
            yield part, value


def is_field(path: tuple[str, ...], kind: type[Field[Any]]) -> bool:
    """Whether a path in a document ends at a field of this kind."""
    verb = STEPS.get(path[-1])
    if verb is not None and verb.alone is not None:
        return isinstance(verb.alone.field, kind)
    verb = STEPS.get(path[-2]) if len(path) > 1 else None
    return verb is not None and any(part.key == path[-1] and isinstance(part.field, kind) for part in verb.parts)


def written(verb: str, node: Node | None, kind: type[Field[Any]]) -> Iterator[Node]:
    """The values of the fields of this kind after a verb in a document."""
    parts = STEPS[verb].written(node) if verb in STEPS else ()
    yield from (found for part, found in parts if isinstance(part.field, kind))


def written_in(step: MappingNode, kind: type[Field[Any]]) -> Iterator[Node]:
    """The values of the fields of this kind of a step in a document."""
    yield from (node for verb in step.entries for node in written(verb, step.get(verb), kind))


def taken_from(verb: Verb | StepBlock) -> Iterator[tuple[StepPart, Ir]]:
    """The zones that a verb takes tiles from, named or not."""
    for part in verb.declared.parts if isinstance(verb, DeclaredVerb) else ():
        if isinstance(part.field, ZoneField) and not part.field.goes_in:
            named: Ir | None = getattr(verb, part.name)
            yield part, Lookup("tiles", "zone", part.field.unless_said) if named is None else named


def leads_to(verb: Verb | StepBlock) -> Iterator[str]:
    """The phases that a verb leads to."""
    yield from (phase for _, phase in held(verb, PhaseName))
    yield from (goal.phase for _, goal in held(verb, GoalField))
