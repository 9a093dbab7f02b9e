"""Bodies of HTTP requests: typed classes, from which they are read, checked and described in docs/web-protocol.md.

Unknown keys of a body are ignored. Every field has a limit. Knows no handler.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tilewright.web.protocol.messages import MOST_NAME, Name
from tilewright.web.protocol.shape import wrong_field
from tilewright.web.protocol.spec import Spec
from tilewright.web.storage.rows import BanKind, clean_name

Place = Annotated[int, Meta(ge=1, le=1_000_000)]
Text = Annotated[str, Meta(max_length=1_600_000)]  # characters: what it is for has its own limit, and words for it
Line = Annotated[str, Meta(max_length=10_000)]
Word = Annotated[str, Meta(max_length=200)]  # an id, a code, a name
Plain = Annotated[dict[Word, Any], Meta(max_length=200)]


class Body(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The base of all bodies, without fields."""


class ChangePerson(Body, frozen=True):
    """`PUT /api/me`: another name, other settings (all of them), or both."""

    name: Name | None = None
    settings: Plain | None = None

    def __post_init__(self) -> None:
        if self.name is not None:
            name = clean_name(self.name, MOST_NAME)
            if not name:
                raise wrong_field(ChangePerson, "body", "name")
            msgspec.structs.force_setattr(self, "name", name)


class AskAbout(Body, frozen=True):
    """`POST /api/about`: the rules of a spec as a page needs them."""

    spec: Spec


class AskRulebook(Body, frozen=True):
    """`POST /api/rulebook`, `/api/own-rules`: the rulebook of a spec, or of the rules at a table, in a language; or
    what they show and change, where they are people's own."""

    spec: Spec | None = None
    table: Word | None = None
    lang: Word = "en"


class SaveText(Body, frozen=True):
    """`PUT /api/cards/ID`, `PUT /api/documents/ID`, `POST /api/cards`: a text. `expected`: when it was last saved, as
    far as the page knows; without it the text replaces whatever is there."""

    text: Text
    name: Word | None = None
    expected: float | None = None


class NewDocument(Body, frozen=True):
    """`POST /api/documents`: a new ruleset or mod with a `text`, as a copy of a bundled one (`fork`), or from a
    `template`: `ruleset`, or `mod` of a `ruleset`."""

    text: Text | None = None
    fork: Word | None = None
    template: Word | None = None
    ruleset: Word | None = None
    name: Word | None = None


class DrawCard(Body, frozen=True):
    """`POST /api/cards/draw`: a card as it is drawn; with `process`, the counts of its lines; with `paper`, on
    paper."""

    text: Text
    process: bool = False
    paper: Word | None = None


class CountDraws(Body, frozen=True):
    """`POST /api/cards/process`: how hard some lines are."""

    lines: Annotated[tuple[Line, ...], Meta(max_length=20_000)]


class ListHands(Body, frozen=True):
    """`POST /api/cards/hands`: the hands of one line."""

    line: Line


class ImportCard(Body, frozen=True):
    """`POST /api/cards/import`: a file as the text of a card."""

    text: Text
    name: Word = ""


class ExportCard(Body, frozen=True):
    """`POST /api/cards/export`: a card as a file."""

    text: Text
    format: Word = "code"
    paper: Word | None = None


class CheckText(Body, frozen=True):
    """`POST /api/workshop/check`, `.../format`, `.../upgrade`: the problems of a text, or the edits that change it."""

    text: Text


class ImportPack(Body, frozen=True):
    """`POST /api/packs`: the documents of a pack for one's shelf. `content`: the bytes of its file, as Base64."""

    content: Text


class AskAtPlace(Body, frozen=True):
    """`POST /api/workshop/complete`, `.../describe`, `.../definition`, `.../references`: what can be written at a
    place, what the text there means, where the name there is declared, or every place of it."""

    text: Text
    line: Place = 1
    column: Place = 1


class RenameAtPlace(Body, frozen=True):
    """`POST /api/workshop/rename`: the edits that give the name at a place another."""

    text: Text
    line: Place = 1
    column: Place = 1
    name: Word = ""


class TryRules(Body, frozen=True):
    """`POST /api/workshop/examples`, `.../coverage`: the examples and cases of a text, and what they reach; of a mod,
    with the ruleset `target`."""

    text: Text
    target: Word | None = None
    options: Plain | None = None


class ScoreHand(TryRules, frozen=True):
    """`POST /api/workshop/score`: the score of a hand under a text; `case` as in case files."""

    case: Any = None


class EvaluateExpression(ScoreHand, frozen=True):
    """`POST /api/workshop/evaluate`: an expression or a condition in a hand under a text, each part with its value."""

    expression: Line = ""


class SimulateGames(TryRules, frozen=True):
    """`POST /api/workshop/simulate`: games between bots; the answer is a line of JSON each time some are done."""

    players: Annotated[tuple[Word, ...], Meta(max_length=64)] = ()
    games: Annotated[int, Meta(ge=1, le=1_000)] = 1_000
    seed: Annotated[int, Meta(ge=1, le=2**31)] = 1


class BanSomebody(Body, frozen=True):
    """`POST /api/admin/ban`: a person, by number, or an address or network, for some days or for ever."""

    kind: BanKind
    subject: Annotated[str, Meta(min_length=1, max_length=64)]
    reason: Annotated[str, Meta(max_length=500)] = ""
    days: Annotated[float, Meta(gt=0, le=36_500)] | None = None


class EndBan(Body, frozen=True):
    """`POST /api/admin/unban`: who is no longer banned, as the overview has it."""

    kind: BanKind
    subject: Annotated[str, Meta(min_length=1, max_length=64)]


class CloseTable(Body, frozen=True):
    """`POST /api/admin/close`: the number of a table whose game ends."""

    table: int


class Drain(Body, frozen=True):
    """`POST /api/admin/drain`: make no new tables, or make them again."""

    on: bool


BODIES: tuple[type[Body], ...] = (
    ChangePerson,
    AskAbout,
    AskRulebook,
    SaveText,
    NewDocument,
    DrawCard,
    CountDraws,
    ListHands,
    ImportCard,
    ExportCard,
    CheckText,
    ImportPack,
    AskAtPlace,
    RenameAtPlace,
    TryRules,
    ScoreHand,
    EvaluateExpression,
    SimulateGames,
    BanSomebody,
    EndBan,
    CloseTable,
    Drain,
)
