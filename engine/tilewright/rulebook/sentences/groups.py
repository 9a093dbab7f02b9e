"""Groups of a hand in words: the meaning of templates. A speaker and a template in, text out."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from tilewright.language.expressions.syntax import SyntaxMistake, parse_template
from tilewright.language.expressions.templates import ANY_SUIT
from tilewright.language.expressions.trees import (
    Expression,
    NameOf,
    Template,
    TemplateSpot,
    TileCode,
    unparse,
    unparse_spot,
)
from tilewright.language.vocabulary.words import WORDS
from tilewright.rulebook.sentences.words import FRAMES, GROUPS, Speaker, is_said

VOWELS = "aeiou"
LETTER = re.compile(r"\b[a-z]\b")


def templates(say: Speaker, parts: Sequence[str]) -> str:
    """Groups of a hand, as a list; what letters say in words, where there are any for it."""
    found = [parse_template(part) for part in parts if is_template(part)]
    special = related(say, found) if len(found) == len(parts) else None
    return special or say.listed([template(say, part) for part in parts], "and")


def is_template(text: str) -> bool:
    try:
        parse_template(text)
    except SyntaxMistake:
        return False
    return True


def template(say: Speaker, text: str) -> str:
    """`3 concealed triplets of dragons` in words."""
    return one_template(say, parse_template(text)) if is_template(text) else text


def one_template(say: Speaker, found: Template) -> str:
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


# --- groups that letters relate


def has_letters(parts: Iterable[str]) -> bool:
    """Whether some template has a letter for a place, suit or step."""
    return any(LETTER.search(one) for one in parts)


def keeps_letters(say: Speaker, parts: Sequence[str]) -> bool:
    """Whether letters of templates are still there in their words."""
    found = [parse_template(part) for part in parts if is_template(part)]
    if not has_letters(parts) or in_places(say, found) is not None:
        return False
    return of_suits(say, found) is None or any(is_letter(spot) for one in found for spot in (one.place, one.step))


def is_letter(spot: TemplateSpot | None) -> bool:
    return spot is not None and spot.letter is not None


def related(say: Speaker, found: Sequence[Template]) -> str | None:
    """Groups whose relation has words; None if letters say it best."""
    return in_places(say, found) or of_suits(say, found)


def in_places(say: Speaker, found: Sequence[Template]) -> str | None:
    """Groups that are identical, the same in several suits, or each so much higher than the one before."""
    places = [one.place for one in found if one.place is not None and one.place.letter is not None]
    if not alike(found) or len(places) < len(found):
        return None
    count, kinds = found[0].count or 1, kind(say, found[0].kind.id, True)
    letters, numbers = {place.letter for place in places}, [place.number for place in places]
    suited, apart = any(one.suit for one in found), are_apart(found)
    if count > 1 and not suited and not any(numbers) and len(letters) == len(found):
        groups = say.word(GROUPS, "identical", count=count, kinds=kinds)
        return groups if len(found) == 1 else say.word(GROUPS, "times_over", groups=groups, times=len(found))
    steps = {after - before for before, after in pairwise(numbers)}
    if count > 1 or len(letters) > 1 or len(steps) != 1 or (suited and not apart):
        return None
    step = steps.pop()
    if step > 0 and found[0].step is None:
        return say.word(GROUPS, "rising_suits" if apart else "rising", count=len(found), kinds=kinds, step=step)
    if step == 0 and apart:
        return say.word(GROUPS, "same_in_suits", kind=kind(say, found[0].kind.id, False), count=len(found))
    return None


def alike(found: Sequence[Template]) -> bool:
    """Whether templates differ in place and suit alone, without classes; a step is a letter."""
    shapes = {(one.kind.id.removesuffix("s"), one.count or 1) for one in found}
    steps = {unparse_spot(one.step) if one.step else "" for one in found}
    plain = all(not one.adjectives and one.classes is None for one in found)
    return plain and len(shapes) == len(steps) == 1 and all(one.step is None or is_letter(one.step) for one in found)


def are_apart(found: Sequence[Template]) -> bool:
    """Whether each has a suit of its own."""
    suits = {one.suit.id for one in found if one.suit}
    return len(suits) == len(found) > 1


def of_suits(say: Speaker, found: Sequence[Template]) -> str | None:
    """Groups that are all in one suit, or each in another, without the letters of suits."""
    suits = {one.suit.id for one in found if one.suit}
    apart, shared = are_apart(found), len(suits) == 1 < len(found) and all(one.suit for one in found)
    if not apart and not shared:
        return None
    groups = say.listed([one_template(say, replace(one, suit=None)) for one in found], "and")
    return say.word(GROUPS, "each_suit" if apart else "shared_suit", groups=groups)


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
        suit = template.suit.id
        if suit in say.data.tiles.families:
            found.append(say.word(GROUPS, "in_family", family=say.class_name(suit)))
        else:
            found.append(say.word(GROUPS, "any_suit" if suit == ANY_SUIT else "in", suit=suit))
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
