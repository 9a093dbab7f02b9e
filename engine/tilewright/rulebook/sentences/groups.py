"""Groups of a hand in words: the meaning of templates. A speaker and a template in, text out."""

from collections.abc import Sequence

from tilewright.language.expressions.syntax import (
    Expression,
    NameOf,
    SyntaxMistake,
    Template,
    TileCode,
    parse_template,
    unparse,
    unparse_spot,
)
from tilewright.language.vocabulary.words import WORDS
from tilewright.rulebook.sentences.speaker import Speaker
from tilewright.rulebook.sentences.words import FRAMES, GROUPS, is_said

VOWELS = "aeiou"


def templates(say: Speaker, text: str) -> str:
    """Groups of a hand, as a list."""
    parts = [template(say, part) for part in split_templates(text)]
    return say.listed(parts, "and")


def template(say: Speaker, text: str) -> str:
    """`3 concealed triplets of dragons` in words."""
    try:
        found = parse_template(text)
    except SyntaxMistake:
        return text
    if found.kind.id == "each":
        return say.word(GROUPS, "each", classes=classes(say, found))
    several, of_tiles = (found.count or 1) > 1, found.kind.id in ("tile", "tiles")
    kinds = kind(say, found.kind.id, several)
    if found.classes and of_tiles:
        kinds = say.word(GROUPS, "tiles_of" if several else "tile_of", classes=classes(say, found))
    for one in reversed([one for one in found.adjectives if is_said(GROUPS, one) and one != "completed"]):
        kinds = say.word(GROUPS, "beside", say.word(GROUPS, one), kinds)
    if found.classes and not of_tiles:
        kinds = say.word(GROUPS, "of", groups=kinds, classes=classes(say, found))
    if found.classes and found.classes.unless is not None:
        kinds = say.word(GROUPS, "except", groups=kinds, classes=class_written(say, found.classes.unless))
    if found.count is not None:
        groups = say.word(GROUPS, "count_tiles" if of_tiles else "count", count=found.count, kinds=kinds)
    else:
        one = "one_tile" if of_tiles else "an" if kinds[:1].lower() in VOWELS else "one"
        groups = say.word(GROUPS, one, kinds=kinds)
    return groups + where(say, found)


def is_known(say: Speaker, text: str) -> bool:
    """Whether the classes and the kind of a template are there: those of absent tiles are not."""
    try:
        found = parse_template(text)
    except SyntaxMistake:
        return True
    tiles, members = say.data.tiles, found.classes.members if found.classes else ()
    names = [node.id for node in members if isinstance(node, NameOf)]
    return not names or any(one in tiles.classes or one in tiles.families or one in WORDS for one in names)


def where(say: Speaker, template: Template) -> str:
    """The position of a group: its place, suit and step, and whether the last tile completed it."""
    found = []
    if template.place:
        key = "from" if is_run(say, template.kind.id) else "at"
        found.append(say.word(GROUPS, key, place=unparse_spot(template.place)))
    if template.suit:
        found.append(say.word(GROUPS, "in", suit=template.suit.id))
    if template.step:
        found.append(say.word(GROUPS, "by", step=unparse_spot(template.step)))
    if "completed" in template.adjectives:
        found.append(say.word(GROUPS, "completed"))
    if say.is_spaced:
        return "".join(f" {one}" for one in found)
    return say.word(FRAMES, "brackets", text=say.word(FRAMES, "comma").join(found)) if found else ""


def is_run(say: Speaker, id: str) -> bool:
    """Whether the tiles of a kind follow each other: its place is that of the first."""
    found = say.data.groups.kinds.get(id) or say.data.groups.kinds.get(id.removesuffix("s"))
    return found is not None and found.run is not None


def kind(say: Speaker, id: str, several: bool) -> str:
    """A kind of group, or single tiles."""
    one = id if id in say.data.groups.kinds else id.removesuffix("s")
    if one not in say.data.groups.kinds:
        return say.word(GROUPS, "several", say.word(GROUPS, "tile")) if several else say.word(GROUPS, "tile")
    return say.group_kind(one, several)


def classes(say: Speaker, template: Template) -> str:
    assert template.classes is not None
    return say.listed([class_written(say, member) for member in template.classes.members])


def class_written(say: Speaker, node: Expression) -> str:
    """The name of a class in a template."""
    if isinstance(node, NameOf | TileCode):
        id = node.id if isinstance(node, NameOf) else node.code
        tile = say.data.tiles.by_code(id)
        return say.tile_name(tile.index) if tile is not None else say.class_name(id)
    return unparse(node)


def split_templates(text: str) -> Sequence[str]:
    """The templates of a list: commas separate only them."""
    return [part.strip() for part in text.split(",") if part.strip()]
