"""Cases: a hand to be scored, with its table. Each key is a field, declared once.

From the fields follow which keys a case may have, the parameters of `Rules.score`, the options of `tilewright score`
and `waits`, the schema of examples and cases, and a table of docs/cases.md. `tilewright.scoring.case` reads the values.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypedDict, get_type_hints

Kind = Literal["id", "tiles", "tile", "melds", "seat", "truth", "flags", "marks", "zones", "others"]
Tiles = str | Sequence[str]
Seat = str | int


@dataclass(frozen=True, slots=True)
class CaseField:
    """A field, without its name and its Python type.

    `doc`: its sentence in the schema; `page`, `default`: its text and default in docs/cases.md. `example`: examples of
    a pattern may have it; `other`: its sentence in the schema for a seat that did not win, if it has one. On the
    command line it is `option` followed by `value`; `of_win`: only for a hand that won.
    """

    kind: Kind
    doc: str
    page: str
    default: str = ""
    example: bool = True
    other: str = ""
    option: str = ""
    value: str = ""
    help: str = ""
    of_win: bool = False


class CaseHand(TypedDict, total=False):
    """The tiles of the seat whose hand is scored."""

    id: Annotated[object, CaseField("id", "", "anything; the result has it too", "none", example=False)]
    hand: Annotated[
        Tiles,
        CaseField(
            "tiles",
            "The concealed tiles without the winning one.",
            'the concealed tiles without the winning one: a text (`"222p 333s 88m EE"`) or a list',
            "none",
            other="Its concealed tiles.",
        ),
    ]
    melds: Annotated[
        Sequence[object],
        CaseField(
            "melds",
            "Groups on the table.",
            'groups on the table: texts (`"444p"`, `"concealed 4444p"`) or '
            "`{kind, tiles, concealed, discarder, hand}`; "
            "`kind` is a group of the ruleset or one of its other names, `hand` one of several that a seat makes",
            "none",
            other="Its groups on the table.",
            option="--meld",
            value="[KIND:]TILES",
            help="A group on the table: its tiles, after its kind if they leave it open.",
        ),
    ]
    win_tile: Annotated[
        str | None,
        CaseField(
            "tile",
            "The winning tile, as case files call it.",
            "the winning tile; required unless `winner` is false",
            example=False,
            option="--win",
            value="TILE",
            help="The winning tile.",
            of_win=True,
        ),
    ]
    win: Annotated[str | None, CaseField("tile", "The winning tile.", "the winning tile, as rulesets call it")]


class Circumstances(TypedDict, total=False):
    """The rest of a case."""

    self_draw: Annotated[
        bool,
        CaseField(
            "truth",
            "Whether the winner drew the winning tile.",
            "the winner drew the winning tile",
            "false",
            option="--self-draw",
            help="The winner drew the winning tile.",
        ),
    ]
    bonus: Annotated[
        Tiles | None,
        CaseField(
            "tiles",
            "Bonus tiles.",
            "bonus tiles, set aside",
            "none",
            other="Its bonus tiles.",
            option="--bonus",
            value="TILES",
            help="Bonus tiles set aside.",
        ),
    ]
    seat_wind: Annotated[
        Seat | None,
        CaseField(
            "seat",
            "The seat wind.",
            "the seat wind; it says who won",
            option="--seat-wind",
            value="TILE",
            help="The seat wind.",
        ),
    ]
    round_wind: Annotated[
        Seat | None,
        CaseField(
            "seat",
            "The round wind.",
            "the round wind: its tile, or the name or number of the seat that has it",
            option="--round-wind",
            value="TILE",
            help="The round wind.",
        ),
    ]
    flags: Annotated[
        Collection[str],
        CaseField(
            "flags",
            "Marks and terms that hold.",
            "marks and terms of the ruleset that hold",
            "none",
            other="Marks and terms that hold for it.",
            option="--flag",
            value="MARK",
            help="A mark or a term of the ruleset that holds.",
        ),
    ]
    marks: Annotated[
        Mapping[str, object] | None,
        CaseField(
            "marks",
            "Values of marks.",
            "values of marks, by name",
            option="--mark",
            value="MARK=VALUE",
            help="The value of a mark of the ruleset: tiles, a number, a seat, true or false.",
        ),
    ]
    discarder: Annotated[
        Seat | None,
        CaseField(
            "seat",
            "Who discarded the winning tile.",
            "the seat that discarded the winning tile",
            option="--discarder",
            value="SEAT",
            help="Who discarded the winning tile.",
            of_win=True,
        ),
    ]
    winner: Annotated[
        bool,
        CaseField(
            "truth",
            "Whether the hand won; by default yes.",
            "false scores a hand that did not win, where the ruleset counts those",
            "true",
            option="--not-won",
            help="Score a hand that did not win.",
            of_win=True,
        ),
    ]
    zones: Annotated[
        Mapping[str, Tiles],
        CaseField("zones", "Tiles in zones.", "tiles in zones of the table, by name"),
    ]
    others: Annotated[
        Mapping[str, Mapping[str, object]],
        CaseField(
            "others",
            "What the other seats hold, by wind or seat.",
            'what the others hold: `{"S": {"hand": ..., "melds": ..., "bonus": ..., "flags": ...}}`',
            example=False,
        ),
    ]


class Case(CaseHand, Circumstances, total=False):
    """A hand to be scored, as written by people and programs."""


@cache
def case_fields() -> Mapping[str, CaseField]:
    """The fields by name, in their order."""
    hints = get_type_hints(Case, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


def fields_of_others() -> Mapping[str, CaseField]:
    """The fields of a seat that did not win."""
    return {name: field for name, field in case_fields().items() if field.other}


# --- the schema

TEXT = {"type": "string"}
TEXTS = {"type": ["string", "array"], "items": TEXT}


def schema_of_cases() -> dict[str, Any]:
    """The properties of a case in a ruleset."""
    return {name: described(field, TEXTS) for name, field in case_fields().items() if field.kind != "id"}


def schema_of_examples() -> dict[str, Any]:
    """The properties of an example of a pattern."""
    return {name: described(field, TEXT) for name, field in case_fields().items() if field.example}


def described(field: CaseField, tiles: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a value; `tiles`: that of several tiles."""
    return {**shape(field, tiles), "description": field.doc}


def shape(field: CaseField, tiles: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a value, without its description."""
    match field.kind:
        case "tiles":
            return tiles
        case "truth":
            return {"type": "boolean"}
        case "melds":
            return {"type": "array", "items": {"$ref": "#/$defs/meld"}}
        case "flags":
            return {"type": "array", "items": {**TEXT, "x-ref": "mark"}}
        case "marks" | "zones":
            return {"type": "object", "propertyNames": {"x-ref": field.kind.removesuffix("s")}}
        case "others":
            return {"type": "object", "additionalProperties": other_schema()}
        case _:
            return TEXT


def other_schema() -> dict[str, Any]:
    """The schema of a seat that did not win."""
    return {
        "type": "object",
        "additionalProperties": False,
        "description": "One other seat.",
        "properties": {
            name: {**shape(field, TEXTS), "description": field.other} for name, field in fields_of_others().items()
        },
    }


FIELDS = {"example": schema_of_examples, "case": schema_of_cases}
