"""Notation: tiles as text and text as tiles, in the way a tile set declares.

Reading and writing are side by side: `parse_tiles(write_tiles(tiles))` gives the same tiles, sorted. Every sign comes
from the tile set (codes, aliases, signs of ranks). Knows no groups, no rules and no game.

Text is a row of codes and aliases (`E`, `5m`), or heads run together before one tail (`123m`, `12f`); exact codes are
tried first, the longest before others. Spaces, brackets, commas and the like may separate tiles. Full-width
letters and digits are read as the plain ones. A tile set with a spelling of its own has other texts than codes, and may
have signs of suits before ranks (`m222 444 c6`).
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

from tilewright.base.memory import kept
from tilewright.tiles.tileset import Spelling, Suit, Tile, TileSet

MOST_CHARACTERS = 400
LISTS = (list, Sequence)  # the first is found faster
INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f")  # joiners, marks of order, variation selectors
SEPARATORS = frozenset(",;:.|/+-_=~*'\"`()[]{}<>") | frozenset("、。・「」『』【】〈〉《》–—‘’“”")
FULL_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
MOST_NOTATIONS = 64
MOST_WORDS = 10_000  # that are known of one tile set
DIGITS = "0123456789"


class NotationError(ValueError):
    """Text that names no tiles. `offset` (from 0) and `length` give the wrong characters, `hint` how to fix it."""

    def __init__(self, message: str, offset: int = 0, length: int = 1, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.offset, self.length, self.hint = message, offset, length, hint


def parse_tiles(text: str, tileset: TileSet) -> tuple[int, ...]:
    """The tiles that the text names, in its order; specials as themselves. Raises NotationError."""
    notation = notation_of(tileset)
    if known := notation.words.get(text):
        return known
    if len(text) > MOST_CHARACTERS:
        raise too_long(len(text))
    words = [text] if notation.has_gaps else text.split()
    try:
        return tuple(chain.from_iterable(map(notation.words.__getitem__, words)))
    except KeyError:
        pass
    try:
        return tuple(chain.from_iterable([notation.words.get(word) or read_word(word, notation) for word in words]))
    except NotationError:
        return tiles_of(text, notation)  # to say where in the whole text it is wrong


def read_word(word: str, notation: "Notation") -> tuple[int, ...]:
    """The tiles of a text without gaps, from now on known. Raises NotationError."""
    return kept(notation.words, word, tiles_of(word, notation), MOST_WORDS)


def tiles_of(text: str, notation: "Notation") -> tuple[int, ...]:
    """Every tile of the text. Raises NotationError."""
    return tuple([tile for _, _, tiles in spelled(text, notation) for tile in tiles])


def read_tiles(value: object, tileset: TileSet) -> tuple[int, ...]:
    """The tiles of a text, or of a list of texts that each name one tile. Raises NotationError."""
    if isinstance(value, str):
        return parse_tiles(value, tileset)
    if not isinstance(value, LISTS) or isinstance(value, bytes | bytearray):
        raise NotationError(f"tiles are a text or a list of texts, not {value!r:.40}")
    if len(value) > MOST_CHARACTERS:
        raise too_long(len(value), "tiles")
    try:
        return tuple(map(notation_of(tileset).spellings.__getitem__, value))
    except (KeyError, TypeError):
        return tuple([read_member(entry, nth, tileset) for nth, entry in enumerate(value, 1)])


def read_member(value: object, nth: int, tileset: TileSet) -> int:
    """The nth tile of a list. Raises NotationError."""
    try:
        return read_tile(value, tileset)
    except NotationError as error:
        raise NotationError(f"tile {nth}: {error.message}", error.offset, error.length, error.hint) from None


def read_tile(value: object, tileset: TileSet) -> int:
    """The one tile that the text names. Raises NotationError."""
    if not isinstance(value, str):
        raise NotationError(f"a tile is a text such as '{tileset.tiles[tileset.order[0]].code}', not {value!r:.40}")
    tiles = parse_tiles(value, tileset)
    if len(tiles) != 1:
        count = f"{len(tiles)} tiles" if tiles else "no tile"
        raise NotationError(f"'{shortened(value)}' is {count} where one is expected", 0, max(len(value), 1))
    return tiles[0]


def write_tiles(tiles: Iterable[int], tileset: TileSet) -> str:
    """Tiles sorted and run together, a space before every unranked family: `123m45p EE`; before every suit whose sign
    comes first: `m123 d45 EE`."""
    notation = notation_of(tileset)
    row = sort_tiles(tiles, tileset)
    words: list[list[int]] = []
    for tile in row:
        family, ranked = tileset.tiles[tile].family, tileset.tiles[tile].rank is not None
        last = tileset.tiles[words[-1][-1]] if words else None
        if last is None or (last.family != family and not (ranked and last.rank is not None and not notation.leads)):
            words.append([])
        words[-1].append(tile)
    return " ".join(run_together(word, notation) for word in words)


def write_group(tiles: Sequence[int], tileset: TileSet) -> str:
    """Tiles run together in the order given: `444p`, `EEE`."""
    return run_together(tiles, notation_of(tileset))


def write_tile(tile: int, tileset: TileSet) -> str:
    """The tile alone: its code, or as it is spelled."""
    return tileset.tiles[tile].code if tileset.spelling is None else tileset.spelling.texts[tile]


def tile_string(tiles: Iterable[int], tileset: TileSet, *, suits: bool = True) -> str:
    """The text that regular expressions are matched against: plain tiles, sorted, each suit's code once after its
    ranks, no spaces: `123456789mEEE`. A special is written as the tile that it equals. Without suits, ranks only:
    `123456789EEE`."""
    notation = notation_of(tileset)
    row = string_sorted((tileset.tiles[tile].plain for tile in tiles), tileset)
    signs = [notation.string_parts[tile] for tile in row]
    if not suits:
        return "".join(head for head, _ in signs)
    tails = [tail for _, tail in signs] + [""]
    return "".join(
        head if tail and tail == tails[place + 1] else head + tail for place, (head, tail) in enumerate(signs)
    )


def sort_tiles(tiles: Iterable[int], tileset: TileSet) -> tuple[int, ...]:
    """The tiles in the order in which a hand is written."""
    return tuple(sorted(tiles, key=notation_of(tileset).place))


def string_sorted(tiles: Iterable[int], tileset: TileSet) -> tuple[int, ...]:
    """The tiles in the order of tile strings."""
    return tuple(sorted(tiles, key=notation_of(tileset).string_places.__getitem__))


# --- the signs of a tile set


ELSEWHERE = {"h": "z", "j": "z"}  # what other programs write behind honours


@dataclass(frozen=True, slots=True)
class Notation:
    """The signs of a tile set, laid out for reading and writing.

    `spellings`: every code and alias -> tile, `lengths` their lengths, longest first. `heads` may be run together
    before one of `tails` (longest first), which begin with `tail_signs`; `leads` come before ranks. `parts`: tile ->
    head and tail of its text, tail "" if it is never run together; `string_parts`: those of its code, for tile strings.
    `place`: tile -> its place in a sorted hand, None where tiles are numbered in that order; `string_places`: in a tile
    string. `has_gaps`: words cannot be read apart, since a spelling has a space or a suit holds on; `words`: those read
    before, with their tiles.
    """

    tileset: TileSet
    spellings: Mapping[str, int]
    lengths: tuple[int, ...]
    heads: frozenset[str]
    tails: tuple[str, ...]
    tail_signs: frozenset[str]
    parts: tuple[tuple[str, str], ...]
    string_parts: tuple[tuple[str, str], ...]
    place: Callable[[int], int] | None = None
    string_places: Mapping[int, int] = field(default_factory=dict)
    has_gaps: bool = False
    words: dict[str, tuple[int, ...]] = field(default_factory=dict)
    leads: frozenset[str] = frozenset()


NOTATIONS: dict[int, Notation] = {}


def notation_of(tileset: TileSet) -> Notation:
    """The notation of the tile set, cached while it is in use."""
    known = NOTATIONS.get(id(tileset))
    if known is None or known.tileset is not tileset:
        known = kept(NOTATIONS, id(tileset), lay_out(tileset), MOST_NOTATIONS)
    return known


def lay_out(tileset: TileSet) -> Notation:
    """The signs of the tile set; a code takes precedence over an alias of the same spelling."""
    spelling = tileset.spelling or Spelling(tuple(tile.code for tile in tileset.tiles), tileset.aliases)
    codes = {fold(spelling.texts[tile.index]): tile.plain for tile in tileset.tiles}
    codes |= {fold(spelling.texts[tile.index]): tile.index for tile in tileset.tiles if tileset.spelling is None}
    aliases = {fold(text): tile for text, tile in spelling.also.items()}
    spellings = aliases | codes
    long = [text for text in spellings if len(text) > 1 and text[0] not in spelling.suits]
    heads = {text[0] for text in long} | set(fold(tileset.rank_signs or DIGITS))
    places = {tile: place for place, tile in enumerate(tileset.order)}
    return Notation(
        tileset=tileset,
        spellings=spellings,
        lengths=tuple(sorted({len(text) for text in spellings}, reverse=True)),
        heads=frozenset(heads - spellings.keys()),
        tails=tuple(sorted({text[1:] for text in long}, key=lambda tail: (-len(tail), tail))),
        tail_signs=frozenset(text[1] for text in long),
        parts=tuple((text[0], text[1:]) for text in spelling.texts),
        string_parts=tuple(string_part(tile, tileset) for tile in tileset.tiles),
        place=None if tileset.order == tuple(sorted(tileset.order)) else places.__getitem__,
        string_places={tile: place for place, tile in enumerate(tileset.string_order or tileset.order)},
        has_gaps=bool(spelling.suits) or any(sign.isspace() for text in spellings for sign in text),
        leads=spelling.suits,
    )


def string_part(tile: Tile, tileset: TileSet) -> tuple[str, str]:
    """Rank sign and suit code of a ranked tile; the whole code of any other."""
    suit = suit_called(tile.suit, tileset)
    if tile.rank is None or suit is None:
        return tile.code, ""
    return tile.code.removesuffix(suit.code), suit.code


def suit_called(name: str | None, tileset: TileSet) -> Suit | None:
    """The suit with this id."""
    return next((suit for suit in tileset.suits if suit.id == name), None)


def fold(text: str) -> str:
    """Full-width signs as plain ones, without invisible characters."""
    return "".join(sign for sign in text.translate(FULL_WIDTH) if sign not in INVISIBLE)


def is_gap(sign: str) -> bool:
    """Whether the sign may separate tiles and has no meaning."""
    return sign.isspace() or sign in INVISIBLE or sign in SEPARATORS


# --- reading


def spelled(text: str, notation: Notation) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Every code, alias or run of the text: where it starts and ends, and its tiles."""
    text, at, lead = text.translate(FULL_WIDTH), 0, ""
    while at < len(text):
        lead = text[at] if text[at] in notation.leads else lead
        found = led(text, at, lead, notation) or exact(text, at, notation) or run(text, at, notation)
        if found:
            end, tiles = found
            yield at, end, tiles
            at = end
        elif is_gap(text[at]):
            at += 1
        else:
            raise misspelled(text, at, notation)


def led(text: str, at: int, lead: str, notation: Notation) -> tuple[int, tuple[int, ...]] | None:
    """The ranks from here in the suit whose sign comes before them, here or further back."""
    end = start = at + (text[at] in notation.leads)
    tiles = []
    while (tile := notation.spellings.get(lead + text[end : end + 1])) is not None and lead and end < len(text):
        tiles.append(tile)
        end += 1
    return (end, tuple(tiles)) if end > start else None


def exact(text: str, at: int, notation: Notation) -> tuple[int, tuple[int, ...]] | None:
    """The longest code or alias that begins here, and its end."""
    for length in notation.lengths:
        tile = notation.spellings.get(text[at : at + length])
        if tile is not None:
            return at + length, (tile,)
    return None


def run(text: str, at: int, notation: Notation) -> tuple[int, tuple[int, ...]] | None:
    """The shortest run of heads from here that ends in a tail they all go with."""
    end = at
    while end < len(text) and text[end] in notation.heads:
        end += 1
        if text[end : end + 1] not in notation.tail_signs:
            continue
        for tail in notation.tails:
            if text.startswith(tail, end):
                tiles = [notation.spellings.get(head + tail) for head in text[at:end]]
                if None not in tiles:
                    return end + len(tail), tuple(tile for tile in tiles if tile is not None)
    return None


# --- writing


def run_together(tiles: Sequence[int], notation: Notation) -> str:
    """Tiles in this order, each tail once; separated where the short text would be read as something else."""
    codes = [write_tile(tile, notation.tileset) for tile in tiles]
    text = joined([notation.parts[tile] for tile in tiles], notation)
    if reads_as(text, tiles, notation):
        return text
    return " ".join(codes)


def joined(parts: Sequence[tuple[str, str]], notation: Notation) -> str:
    """Heads run together wherever the same tail follows; tails after the same sign of a suit."""
    if notation.leads:
        before = ["", *(head if tail else "" for head, tail in parts)]
        return "".join(
            tail if head in notation.leads and head == before[place] else head + tail
            for place, (head, tail) in enumerate(parts)
        )
    tails = [tail if head in notation.heads else "" for head, tail in parts] + [""]
    return "".join(
        head if tails[place] and tails[place] == tails[place + 1] else head + tail
        for place, (head, tail) in enumerate(parts)
    )


def reads_as(text: str, tiles: Sequence[int], notation: Notation) -> bool:
    """Whether the text is read as exactly these tiles, or as others that are written alike."""
    texts = [write_tile(tile, notation.tileset) for tile in tiles]
    try:
        found = [tile for _, _, tiles in spelled(text, notation) for tile in tiles]
        return found == list(tiles) or [write_tile(tile, notation.tileset) for tile in found] == texts
    except NotationError:
        return False


# --- what is wrong


def too_long(count: int, what: str = "characters") -> NotationError:
    return NotationError(f"{count} {what} are too many, at most {MOST_CHARACTERS} are read", MOST_CHARACTERS)


def misspelled(text: str, at: int, notation: Notation) -> NotationError:
    """Why no tile can be read here."""
    end = at
    while end < len(text) and text[end] in notation.heads:
        end += 1
    if end == at:
        return unknown_sign(text, at, notation)
    tail = next((tail for tail in notation.tails if text.startswith(tail, end)), None)
    if tail is not None:
        return no_such_tile(text, at, end, tail, notation)
    if notation.leads or end == len(text) or is_gap(text[end]) or exact(text, end, notation):
        return no_tail(text, at, end, notation)
    return unknown_tail(text, end, notation)


def no_tail(text: str, at: int, end: int, notation: Notation) -> NotationError:
    """Heads with nothing to go with."""
    heads, kind = text[at:end], "suit" if notation.tileset.suits else "sign"
    if notation.leads:
        hint = f"write {listed(sorted(notation.leads))} before it"
        return NotationError(f"'{shortened(heads)}' at character {at + 1} has no suit before it", at, len(heads), hint)
    hint = tail_hint(text, at, end, notation)
    return NotationError(f"'{shortened(heads)}' at character {at + 1} has no {kind} after it", at, len(heads), hint)


def tail_hint(text: str, at: int, end: int, notation: Notation) -> str:
    """The hint for heads without a tail: the case of a letter, spaces to take out, or what may follow."""
    heads = text[at:end]
    if (swapped := heads.swapcase()) in notation.spellings:
        return f"did you mean '{swapped}'?"
    if (tail := text[end : end + 1].swapcase()) in notation.tails:
        return f"write a {'small' if tail.islower() else 'capital'} {tail}: '{shortened(heads + tail)}'"
    if spaced := without_spaces(text[at:], notation):
        return f"write it without spaces: '{shortened(spaced)}'"
    return f"write {endings(notation)} after it"


def without_spaces(text: str, notation: Notation) -> str:
    """Heads with spaces between them and before a tail, run together; empty if the text begins otherwise."""
    words = text.split()
    heads = list(takewhile(notation.heads.issuperset, words))
    tail = words[len(heads)] if len(heads) < len(words) else ""
    return "".join([*heads, tail]) if tail in notation.tails else ""


def no_such_tile(text: str, at: int, end: int, tail: str, notation: Notation) -> NotationError:
    """A head of the run does not go with its tail."""
    place = next(place for place in range(at, end) if text[place] + tail not in notation.spellings)
    length = 1 + len(tail) if place == end - 1 else 1
    return NotationError(f"there is no tile '{text[place]}{tail}' ({what_goes_with(tail, notation)})", place, length)


def what_goes_with(tail: str, notation: Notation) -> str:
    """`circles have 1 to 9`, `'f' follows '1', '2', '3' or '4'`."""
    tileset = notation.tileset
    suit = next((suit for suit in tileset.suits if fold(suit.code) == tail and suit.ranks), None)
    if suit is None:
        return f"'{tail}' follows {listed(text[0] for text in notation.spellings if text[1:] == tail)}"
    signs = [notation.string_parts[tile][0] for tile in tileset.families[suit.id]]
    whole = len(suit.ranks) > 2 and suit.ranks[-1] - suit.ranks[0] == len(suit.ranks) - 1
    return f"{suit.id} have {f'{signs[0]} to {signs[-1]}' if whole else ' '.join(signs)}"


def unknown_sign(text: str, at: int, notation: Notation) -> NotationError:
    """A sign that begins no tile."""
    swapped, end = text[at].swapcase(), at
    while end < len(text) and not is_gap(text[end]):
        end += 1
    near = (
        [swapped]
        if swapped in {*notation.spellings, *notation.tails, *notation.leads}
        else difflib.get_close_matches(text[at:end], notation.spellings, 1)
    )
    return NotationError(f"unknown sign {shown(text[at])}", at, 1, f"did you mean '{near[0]}'?" if near else None)


def unknown_tail(text: str, at: int, notation: Notation) -> NotationError:
    """A sign behind heads that goes with none."""
    meant = next((sign for sign in (text[at].swapcase(), ELSEWHERE.get(text[at], "")) if sign in notation.tails), "")
    hint = f"did you mean '{text[at - 1]}{meant}'?" if meant else f"there is {endings(notation)}"
    return NotationError(f"unknown sign {shown(text[at])}", at, 1, hint)


def endings(notation: Notation) -> str:
    """The codes of the suits; if there are none, all that may follow heads."""
    return listed([suit.code for suit in notation.tileset.suits if suit.ranks] or notation.tails)


def listed(signs: Iterable[str]) -> str:
    """`'m', 'p' or 's'`, at most twelve of them."""
    *rest, last = [f"'{sign}'" for sign in dict.fromkeys(signs)][:12] or ["nothing"]
    return f"{', '.join(rest)} or {last}" if rest else last


def shown(sign: str) -> str:
    """The sign in quotes; its number, if it cannot be shown."""
    return f"'{sign}'" if sign.isprintable() else f"U+{ord(sign):04X}"


def shortened(text: str) -> str:
    """At most twenty characters of the text."""
    return text if len(text) <= 20 else text[:19] + "\N{HORIZONTAL ELLIPSIS}"
