"""Choices: every complete choice of a seat among some offers, or in answer to a question, and why others are barred.

In: a game, a phase or a question, a seat. Alike tiles of one place are one choice. A choice of several tiles, where it
comes last, is described (`Pick`) and not listed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

from tilewright.play.melds import Lying
from tilewright.play.moves import ANSWER, Chosen, Move, Pick, Refusal
from tilewright.play.placing import fits_swapped
from tilewright.play.scene import TableScene

if TYPE_CHECKING:
    from tilewright.language.compiled.choices import Choose
    from tilewright.play.answers import Answer
    from tilewright.play.bars import Bar
    from tilewright.play.game import Game
    from tilewright.play.program import Choosing, Needs, Offering

Letters = Mapping[str, Any]
Values = list[tuple[Any, str]]  # what can be chosen, each with its text
MOST_CHOICES = 2_000  # listed for one offer
MOST_TRIED = 20_000  # of a described choice, where it is listed


@dataclass(slots=True)
class Option:
    """One complete choice: the move, the offer (None: an answer), what its words stand for."""

    move: Move
    offering: "Offering | None"
    letters: Letters
    facts: Letters = field(default_factory=dict)


@dataclass(slots=True)
class OpenPick:
    """A described choice: the pick, the tiles of the table behind its texts, and how to go on with those chosen."""

    pick: Pick
    lying: tuple[int, ...]
    offering: "Offering | None"
    choosing: "Choosing"
    letters: Letters


@dataclass(slots=True)
class Choices:
    """What a seat may do: options, described choices, and what is refused, if it was asked for. `own`: offers of any
    one tile of the hand, each with the moves and their tiles: by far the most usual choice, made an option when it is
    taken."""

    options: list[Option] = field(default_factory=list)
    picks: list[OpenPick] = field(default_factory=list)
    refused: list[Refusal] | None = None
    own: "list[tuple[Offering, list[tuple[Move, int]]]]" = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.own or self.options or self.picks)

    def moves(self) -> list[Move]:
        """Every complete move."""
        return [option.move for option in self.options] + [move for _, tiles in self.own for move, _ in tiles]

    def every(self) -> list[Option]:
        """Every complete choice."""
        return [
            *self.options,
            *(own_option(offering, move, tile) for offering, tiles in self.own for move, tile in tiles),
        ]

    def option(self, wanted: Move) -> Option | None:
        """The option of a move, if it is listed."""
        for offering, tiles in self.own:
            for move, tile in tiles:
                if move is wanted:
                    return own_option(offering, move, tile)
        for offering, tiles in self.own:
            for move, tile in tiles:
                if move == wanted:
                    return own_option(offering, move, tile)
        return next((option for option in self.options if option.move is wanted or option.move == wanted), None)

    def offerings(self) -> "list[Offering | None]":
        """The offers that something can be chosen of."""
        return [
            *(offering for offering, _ in self.own),
            *(option.offering for option in self.options),
            *(opened.offering for opened in self.picks),
        ]


def own_option(offering: "Offering", move: Move, tile: int) -> Option:
    """The option of one tile of the own hand."""
    letters = {offering.from_own_hand or "": (tile,)}
    return Option(move, offering, letters, letters)


@dataclass(slots=True)
class Search:
    """What the choices of one offer are looked for with, and where they go. `bars`: what may bar some; `values`: of
    choices that do not depend on those before them, by name; `alike`: of those that have to be alike to another, that
    one's name, and they by it."""

    game: "Game"
    seat: int
    offering: "Offering"
    found: Choices
    bars: "Sequence[Bar]"
    values: "dict[str, Values]" = field(default_factory=dict)
    alike: "dict[str, tuple[str, dict[int, Values]]]" = field(default_factory=dict)


def choices_in(game: "Game", phase: str, seat: int, refusals: bool = False) -> Choices:
    """What a seat may do of the offers of a phase, without passing."""
    found = Choices(refused=[] if refusals else None)
    add_offers(game, asked_in(game, phase), seat, found)
    return found


def asked_in(game: "Game", phase: str) -> "Sequence[tuple[Offering, Needs | None]]":
    """The offers of a phase that there may be with the tile in question."""
    program = game.program
    return program.asked_about(phase, None if game.tile is None else program.plain[game.tile])


def add_offers(game: "Game", asked: "Sequence[tuple[Offering, Needs | None]]", seat: int, found: Choices) -> None:
    """What a seat may do of some offers."""
    program, counts = game.program, game.counts[seat]
    for offering, needs in asked:
        if needs is None or holds_one(counts, needs) or (offering.helped and program.wild_in(counts)):
            add_offer(game, seat, offering, found)


def holds_one(counts: list[int], alternatives: "Needs") -> bool:
    """A hand with these counts has what one of the alternatives needs. Written out: every discard comes by here."""
    for needs in alternatives:
        for tile, number in needs:
            if counts[tile] < number:
                break
        else:
            return True
    return False


def add_offer(game: "Game", seat: int, offering: "Offering", found: Choices) -> None:
    """The complete choices of one offer."""
    if offering.asks_wins and not game.judging.may_fit(seat, game.tile):
        return
    if offering.early is not None and not offering.early(TableScene(game, seat), {}):
        if found.refused is not None and offering.wins:
            found.refused.extend(game.judging.why_not(seat, offering.offer.id))
        return
    if offering.of_group and not holds_group(game, seat, offering.choosing[0].choose):
        return
    if offering.from_own_hand is not None:
        add_own_tiles(game, seat, offering, found)
        return
    search = Search(game, seat, offering, found, live_bars(game, seat, offering))
    for one in reversed(offering.alone):  # of several, what lies elsewhere is seldom there
        search.values[one.choose.name] = list(tile_values(game, TableScene(game, seat), one))
        if not search.values[one.choose.name]:
            return
    for one in offering.alone:
        if one.alike is not None and one.alike[1] in search.values and not find_alike(search, one, *one.alike):
            return
    for letters, facts, chosen in begun(game, seat, offering):
        add_choices(search, letters, facts, chosen)


def live_bars(game: "Game", seat: int, offering: "Offering") -> "Sequence[Bar]":
    """The restrictions that may bar some of the choices just now."""
    if not offering.bars:
        return ()
    scene = TableScene(game, seat)
    return [bar for bar in offering.bars if bar.ever is None or bar.ever(scene, {})]


def holds_group(game: "Game", seat: int, choose: "Choose") -> bool:
    """The hand may hold a group of the kind, or a tile that makes a meld one."""
    counts, program = game.counts[seat], game.program
    if choose.onto:
        melds = game.zones["melds"][seat]
        return bool(melds) and (
            program.is_served(choose.group)
            or any(counts[wanted] for meld in melds for _, wanted in program.grown(choose.group, meld.group))
        )
    least, _ = program.single_needs.get(choose.group, (0, ()))
    return max(counts) >= least or program.is_served(choose.group)


def begun(game: "Game", seat: int, offering: "Offering") -> Iterator[tuple[Letters, Letters, Chosen]]:
    """The offer without its choices; once for every group that it can make of the tile in question."""
    if not offering.offer.group:
        yield {}, {}, ()
        return
    for group in claimed_groups(game, seat, offering.offer.group):
        yield {}, {"group": (group,)}, (("group", group_text(game, group)),)


def add_own_tiles(game: "Game", seat: int, offering: "Offering", found: Choices) -> None:
    """One tile of the own hand: the usual offer, in the usual order."""
    name = offering.from_own_hand or ""
    face, place, moves, plain_offer = game.program.face, game.program.place, game.program.moves, offering.offer.id
    tiles = faces_of_hand(game, seat)
    bars = live_bars(game, seat, offering)
    if offering.late is None and not bars:
        known = offering.moves[seat]
        for one in tiles:
            if face[one] not in known:
                known[face[one]] = Move(seat, plain_offer, ((name, game.program.code[one]),))
        if tiles:
            every = sorted(tiles, key=place.__getitem__)
            found.own.append((offering, [(known[face[tile]], tile) for tile in every]))
        return
    search = Search(game, seat, offering, found, bars)
    for tile in sorted(tiles, key=place.__getitem__):
        key = (seat, plain_offer, face[tile])
        move = moves.get(key)
        if move is None:
            move = moves[key] = Move(seat, plain_offer, ((name, game.program.code[tile]),))
        letters = {name: (tile,)}
        settle_choice(search, letters, letters, move.choice)


def faces_of_hand(game: "Game", seat: int) -> list[int]:
    """A tile of the hand for each face that it has: of those that look the same the one drawn last, if it is one."""
    face, drawn = game.program.face, game.drawn[seat]
    tiles = {face[tile]: tile for tile in game.zones["hand"][seat]}
    if drawn is not None and game.where.get(drawn) == ("hand", seat):
        tiles[face[drawn]] = drawn
    return list(tiles.values())


def add_choices(search: Search, letters: Letters, facts: Letters, chosen: Chosen) -> None:
    """Every way to go on from what is chosen so far."""
    game, seat, offering, found = search.game, search.seat, search.offering, search.found
    taken = len(letters)
    if taken == len(offering.choosing):
        settle_choice(search, letters, facts, chosen)
        return
    choosing = offering.choosing[taken]
    name = choosing.choose.name
    scene = TableScene(game, seat, letters, facts)
    if described(choosing, last=taken + 1 == len(offering.choosing)):
        opened = open_pick(game, scene, choosing, offering.offer.id, chosen, offering, strict=True)
        if opened is not None and allowed(search, letters, facts, chosen, early=True):
            found.picks.append(opened)
        return
    values: Iterable[tuple[Any, str]]
    alike = search.alike.get(name)
    if alike is not None:
        other, by = alike
        values = by[scene.plain(letters[other][0])]
    else:
        values = search.values.get(name) or values_of(game, scene, choosing)
    for value, text in values:
        more = {**letters, name: value}
        about = facts_of(choosing, value, facts)
        if alike is not None or choosing.when is None or choosing.when(TableScene(game, seat, more, about), {}):
            add_choices(search, more, about, (*chosen, (name, text)))
        if len(found.options) > MOST_CHOICES:
            return


def find_alike(search: Search, choosing: "Choosing", own: "Answer", other: str) -> bool:
    """Which tiles of a choice are alike to which of another, by the plain tile that both are; of that other only those
    stay that some are alike to. False: there are none."""
    name, plain, by = choosing.choose.name, search.game.program.plain, dict[int, Values]()
    for value, text in search.values[name]:
        kinds = own(TableScene(search.game, search.seat, {name: value}, facts_of(choosing, value, {})), {})
        if len(kinds) == 1:
            by.setdefault(plain[kinds[0]], []).append((value, text))
    search.alike[name] = other, by
    search.values[other] = [one for one in search.values[other] if plain[one[0][0]] in by]
    return bool(search.values[other])


def facts_of(choosing: "Choosing", value: Any, facts: Letters) -> Letters:
    """What is in question after a choice: a choice called tile or group is, and so is the tile that a group gets."""
    name, kind = choosing.choose.name, choosing.choose.kind
    if kind == "group":
        (group,) = value
        added = {"tile": (group.claimed,)} if choosing.choose.onto else {}
        return {**facts, "group": value, **added}
    return {**facts, name: value} if name in ("tile", "group") else facts


def settle_choice(search: Search, letters: Letters, facts: Letters, chosen: Chosen) -> None:
    """A complete choice joins the others if nothing bars it."""
    if allowed(search, letters, facts, chosen):
        option = Option(Move(search.seat, search.offering.offer.id, chosen), search.offering, letters, facts)
        search.found.options.append(option)


def allowed(search: Search, letters: Letters, facts: Letters, chosen: Chosen, early: bool = False) -> bool:
    """The offer's condition holds with the choice, and no restriction bars it. `early`: the choice is not complete."""
    game, seat, offering, found = search.game, search.seat, search.offering, search.found
    scene = TableScene(game, seat, letters, facts)
    if not early and offering.late is not None and not offering.late(scene, {}):
        if offering.wins and found.refused is not None:
            found.refused.extend(game.judging.why_not(seat, offering.offer.id))
        return False
    for bar in search.bars:
        if early and bar.late:
            continue
        if bar.holds is None or bar.holds(scene, {}):
            if found.refused is not None:
                found.refused.append(Refusal(offering.offer.id, chosen, bar.restriction.reason))
            return False
    return early or all(swappable(game, scene, pair) for pair in offering.swaps)


def swappable(game: "Game", scene: TableScene, pair: Any) -> bool:
    """The two tiles may change places: a group that they change is one afterwards too."""
    (one,), (other,) = (tile(scene, {}) for tile in pair)
    return bool(fits_swapped(game, one, other) and fits_swapped(game, other, one))


# --- answers to a question


def answers_to(game: "Game", choosing: Sequence["Choosing"], seat: int, letters: Letters) -> Choices:
    """What a seat may answer to a question of a step; `letters`: what the words of that place stand for."""
    found = Choices()
    add_answers(game, seat, choosing, letters, (), found)
    return found


def add_answers(
    game: "Game", seat: int, choosing: Sequence["Choosing"], letters: Letters, chosen: Chosen, found: Choices
) -> None:
    if len(chosen) == len(choosing):
        found.options.append(Option(Move(seat, ANSWER, chosen), None, letters))
        return
    one = choosing[len(chosen)]
    scene = TableScene(game, seat, letters)
    if described(one, last=len(chosen) + 1 == len(choosing)):
        opened = open_pick(game, scene, one, ANSWER, chosen, None, strict=False)
        if opened is not None:
            found.picks.append(opened)
        return
    for value, text in values_of(game, scene, one):
        more = {**letters, one.choose.name: value}
        if one.when is None or one.when(TableScene(game, seat, more), {}):
            add_answers(game, seat, choosing, more, (*chosen, (one.choose.name, text)), found)


# --- several tiles, described


def described(choosing: "Choosing", last: bool) -> bool:
    """Several tiles, and nothing is chosen after them."""
    return last and (
        choosing.choose.kind == "form" or (choosing.choose.kind == "tiles" and choosing.choose.type != "tile")
    )


def open_pick(
    game: "Game",
    scene: TableScene,
    choosing: "Choosing",
    does: str,
    chosen: Chosen,
    offering: "Offering | None",
    strict: bool,
) -> OpenPick | None:
    """The choice of several tiles. Where there are fewer than have to be chosen: no choice (`strict`), or all of
    them."""
    lying = sorted(pool(scene, choosing), key=game.program.place.__getitem__)
    texts = tuple(tile_text(game, tile, choosing, scene) for tile in lying)
    found = bounds(scene, choosing, len(lying))
    if found is None:
        return None
    least, most = found
    if least > len(lying):
        if strict:
            return None
        least = len(lying)
    asks = asks_of_all(choosing, offering)
    pick = Pick(does, choosing.choose.name, least, min(most, len(lying)), texts, chosen, asks)
    return OpenPick(pick, tuple(lying), offering, choosing, scene.letters)


def asks_of_all(choosing: "Choosing", offering: "Offering | None") -> bool:
    """Something is asked of the tiles together."""
    if choosing.when is not None or choosing.choose.kind == "form":
        return True
    return offering is not None and bool(offering.late or offering.swaps or any(bar.late for bar in offering.bars))


def bounds(scene: TableScene, choosing: "Choosing", there: int) -> tuple[int, int] | None:
    """How many tiles at least and at most; None where no form is left to the hand."""
    if choosing.choose.kind == "form":
        return scene.game.judging.sizes_in_hand(scene, choosing.choose.form)
    most = there if choosing.most is None else max(0, int(choosing.most(scene, {})))
    least = most if choosing.least is None else max(0, int(choosing.least(scene, {})))
    return min(least, most), most


def picked(game: "Game", opened: OpenPick, move: Move) -> Option | None:
    """The option of a move that chooses these tiles; None where it is no such choice."""
    pick = opened.pick
    if move.does != pick.does or move.choice[:-1] != pick.before or not move.choice:
        return None
    name, text = move.choice[-1]
    wanted = text.split()
    if name != pick.name or not pick.least <= len(wanted) <= pick.most:
        return None
    free = list(zip(pick.tiles, opened.lying, strict=True))
    tiles: list[int] = []
    for code in wanted:
        found = next((pair for pair in free if pair[0] == code), None)
        if found is None:
            return None
        free.remove(found)
        tiles.append(found[1])
    return option_of(game, opened, pick.move(move.seat, wanted), tuple(tiles))


def option_of(game: "Game", opened: OpenPick, move: Move, tiles: tuple[int, ...]) -> Option | None:
    """The option, if its conditions hold."""
    letters = {**opened.letters, opened.pick.name: tiles}
    facts = {opened.pick.name: tiles} if opened.pick.name == "tile" else {}
    scene = TableScene(game, move.seat, letters, facts)
    if opened.choosing.when is not None and not opened.choosing.when(scene, {}):
        return None
    if opened.choosing.choose.kind == "form" and not game.judging.is_form(scene, opened.choosing.choose.form, tiles):
        return None
    offering = opened.offering
    if offering is not None:
        search = Search(game, move.seat, offering, Choices(), offering.bars)
        if not allowed(search, letters, facts, move.choice):
            return None
    return Option(move, opened.offering, letters, facts)


def listed(
    game: "Game", opened: OpenPick, seat: int, most: int, tries: int = MOST_TRIED
) -> tuple[tuple[Move, ...], bool]:
    """The first moves of a described choice, no more than `most` and after no more than so many tries; whether those
    are all."""
    pick = opened.pick
    ways = (tiles for number in range(pick.least, pick.most + 1) for tiles in distinct(pick.tiles, number))
    found: list[Move] = []
    for tried, tiles in enumerate(ways):
        if tried == tries or len(found) == most:
            return tuple(found), False
        move = pick.move(seat, list(tiles))
        if picked(game, opened, move) is not None:
            found.append(move)
    return tuple(found), True


def distinct(texts: Sequence[str], number: int) -> Iterator[tuple[str, ...]]:
    """Every way to take so many of the texts, alike ones being one."""
    counts = list(Counter(texts).items())

    def take(at: int, left: int) -> Iterator[tuple[str, ...]]:
        if not left:
            yield ()
        elif at < len(counts):
            text, there = counts[at]
            for here in range(min(there, left), -1, -1):
                yield from ((text,) * here + rest for rest in take(at + 1, left - here))

    return take(0, number)


# --- values of one choice


def values_of(game: "Game", scene: TableScene, choosing: "Choosing") -> Iterable[tuple[Any, str]]:
    """What can be chosen, each with its text."""
    return VALUES[choosing.choose.kind](game, scene, choosing)


def tile_values(game: "Game", scene: TableScene, choosing: "Choosing") -> Iterator[tuple[Any, str]]:
    """Single tiles, those that are alike in one place once; or several in every way."""
    lying = sorted(pool(scene, choosing), key=game.program.place.__getitem__)
    if choosing.choose.type == "tile":
        texts = {tile_text(game, tile, choosing, scene): tile for tile in reversed(lying)}
        drawn = game.drawn[scene.seat]
        if drawn in lying:  # of those that look the same the one drawn last
            texts[tile_text(game, drawn, choosing, scene)] = drawn
        yield from (((tile,), text) for text, tile in reversed(texts.items()))
        return
    texts_of = [tile_text(game, tile, choosing, scene) for tile in lying]
    found = bounds(scene, choosing, len(lying))
    if found is None:
        return None
    least, most = found
    for number in range(least, most + 1):
        for chosen in distinct(texts_of, number):
            free = list(zip(texts_of, lying, strict=True))
            tiles = []
            for text in chosen:
                pair = next(pair for pair in free if pair[0] == text)
                free.remove(pair)
                tiles.append(pair[1])
            yield tuple(tiles), " ".join(chosen)


def pool(scene: TableScene, choosing: "Choosing") -> list[int]:
    """The tiles of the zone that a choice may be of."""
    game = scene.game
    tiles: Iterable[Any] = game.zones["hand"][scene.seat]
    if choosing.source is not None:
        tiles = choosing.source(scene, {})
    flat: list[int] = [t for member in tiles for t in (member.tiles if isinstance(member, Lying) else (member,))]
    if choosing.classes is None:
        return flat
    allowed_tiles = choosing.classes(scene, {})
    plain = game.program.plain
    face = game.program.face
    return [t for t in flat if face[t] in allowed_tiles or plain[t] in allowed_tiles]


def group_values(game: "Game", scene: TableScene, choosing: "Choosing") -> Iterator[tuple[Any, str]]:
    """Groups of the hand, or melds that get a tile of it."""
    choose = choosing.choose
    groups = (
        grown_groups(game, scene.seat, choose.group, choose.onto)
        if choose.onto
        else own_groups(game, scene, choose.group)
    )
    for group in groups:
        yield (group,), group_text(game, group)


def number_values(game: "Game", scene: TableScene, choosing: "Choosing") -> Iterator[tuple[Any, str]]:
    least = 0 if choosing.least is None else int(choosing.least(scene, {}))
    most = least if choosing.most is None else int(choosing.most(scene, {}))
    yield from ((number, str(number)) for number in range(least, min(most, least + MOST_CHOICES) + 1))


def seat_values(game: "Game", scene: TableScene, choosing: "Choosing") -> Iterator[tuple[Any, str]]:
    seats = () if choosing.seats is None else choosing.seats(scene, {})
    yield from (((seat,), game.program.names[seat]) for seat in seats)


def suit_values(game: "Game", scene: TableScene, choosing: "Choosing") -> Iterator[tuple[Any, str]]:
    yield from ((suit.id, suit.id) for suit in game.program.data.tiles.suits)


def flag_values(game: "Game", scene: TableScene, choosing: "Choosing") -> Iterator[tuple[Any, str]]:
    yield from ((True, "yes"), (False, "no"))


VALUES: dict[str, Callable[["Game", TableScene, "Choosing"], Iterable[tuple[Any, str]]]] = {
    "tiles": tile_values,
    "form": tile_values,
    "group": group_values,
    "number": number_values,
    "seat": seat_values,
    "suit": suit_values,
    "flag": flag_values,
}


# --- groups


def claimed_groups(game: "Game", seat: int, kind: str) -> Iterator[Lying]:
    """Every group of a kind that the tile in question makes with tiles of the hand."""
    tile = game.tile
    if tile is None:
        return
    for way in game.program.held_ways(kind, game.program.plain[tile], game.counts[seat]):
        stands = ((tile, way.stands),) if way.stands != game.program.plain[tile] else ()
        for tiles, wild in fillings(game, seat, way.group, way.rest):
            lying = in_order(game, (tile, *tiles), dict((*stands, *wild)))
            yield Lying(seat, way.group, lying, True, (*stands, *wild), game.discarder, tile)


def own_groups(game: "Game", scene: TableScene, kind: str) -> Iterator[Lying]:
    """Every group of a kind that the hand holds."""
    seat = scene.seat
    for group, rest in game.program.in_hand(kind, game.counts[seat]):
        for tiles, wild in fillings(game, seat, group, rest):
            yield Lying(seat, group, in_order(game, tiles, dict(wild)), False, wild)


def grown_groups(game: "Game", seat: int, kind: str, onto: str) -> Iterator[Lying]:
    """Every meld of kind `onto` that a tile of the hand makes into the kind. The tile is `claimed`."""
    groups = game.program.data.groups.groups
    for meld in game.zones["melds"][seat]:
        declared = groups[meld.group]
        if onto in declared.kinds | declared.meld_kinds:
            for group, wanted in game.program.grown(kind, meld.group):
                for tiles, wild in fillings(game, seat, group, ((wanted, 1),)):
                    every = (*meld.wild, *wild)
                    lying = in_order(game, (*meld.tiles, *tiles), dict(every))
                    yield Lying(seat, group, lying, meld.exposed, every, meld.discarder, tiles[0], meld.seen_by)


def fillings(
    game: "Game", seat: int, group: int, rest: tuple[tuple[int, int], ...]
) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]:
    """Every way to take these plain tiles out of the hand, wild ones in place of some: tiles, what they stand for."""
    program, served = game.program, game.program.served(group)
    if not served and not program.several_faces:
        if all(game.counts[seat][wanted] >= number for wanted, number in rest):
            yield plainly_filled(game, seat, rest), ()
        return
    faces: dict[int, list[int]] = {}
    for tile in game.zones["hand"][seat]:
        faces.setdefault(program.face[tile], []).append(tile)
    ways = []
    for wanted, number in rest:
        helpers = served.get(wanted, ())
        fitting = [f for f in faces if program.plain[f] == wanted or program.plain[f] in helpers]
        ways.append([(wanted, chosen) for chosen in combinations_with_replacement(sorted(fitting), number)])
    for choice in product(*ways):
        used = Counter(face for _, chosen in choice for face in chosen)
        if all(number <= len(faces[face]) for face, number in used.items()):
            free = {face: iter(faces[face]) for face in used}
            tiles = [(next(free[face]), wanted) for wanted, chosen in choice for face in chosen]
            wild = tuple((tile, wanted) for tile, wanted in tiles if program.plain[tile] != wanted)
            yield tuple(tile for tile, _ in tiles), wild


def plainly_filled(game: "Game", seat: int, rest: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The first tiles of the hand that are these."""
    plain, hand = game.program.plain, game.zones["hand"][seat]
    return tuple([tile for wanted, number in rest for tile in [t for t in hand if plain[t] == wanted][:number]])


def in_order(game: "Game", tiles: Iterable[int], wild: Mapping[int, int]) -> tuple[int, ...]:
    """The tiles as they stand in their group."""
    place = game.program.place
    return tuple(sorted(tiles, key=lambda tile: (place[wild.get(tile, game.program.plain[tile])], tile in wild)))


# --- texts


def tile_text(game: "Game", tile: int, choosing: "Choosing", scene: TableScene) -> str:
    """A tile as it is chosen: its code, and where it lies if that is not the only place that is asked about."""
    code = game.program.code[tile]
    if choosing.near:
        return code
    zone, seat = game.where[tile]
    if seat == scene.seat and zone == "hand":
        return code
    name = game.program.names[seat]
    group = game.group_of(tile)
    if group is None:
        return f"{code}@{name}"
    return f"{code}@{name}.{game.zones['melds'][seat].index(group) + 1}"


def group_text(game: "Game", group: Lying) -> str:
    """A group as it is chosen."""
    stands, code = dict(group.wild), game.program.code
    return " ".join(f"{code[t]}={code[stands[t]]}" if t in stands else code[t] for t in group.tiles)
