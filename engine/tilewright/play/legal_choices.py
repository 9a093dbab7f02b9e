"""The search for choices: every complete choice of a seat among some offers, or in answer to a question, and why others
are barred.

In: a table, a phase or a question, a seat. A choice of several tiles that comes last is described (`Pick`), not listed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.language.compiled.play import Choose
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.words import is_settable
from tilewright.play.choice_values import (
    MOST_CHOICES,
    bounds,
    claimed_groups,
    distinct,
    group_text,
    pool,
    tile_text,
    tile_values,
    values_of,
)
from tilewright.play.expressions import Evaluator
from tilewright.play.model import ANSWER, Chosen, Move, Pick, Refusal
from tilewright.play.operations import Choices, CompiledBar, CompiledChoice, CompiledOffer, OpenChoice, Option
from tilewright.play.placing import fits_swapped
from tilewright.play.program import Needs
from tilewright.play.scene import TableScene
from tilewright.play.state import TableState

Letters = Mapping[str, Any]
Values = list[tuple[Any, str]]  # possible values, each with its text
MOST_TRIED = 20_000  # of a described choice, where it is listed


@dataclass(slots=True)
class ChoiceSearch:
    """The state of the search for the choices of one offer, and its result. `bars`: what may bar some; `values`: of
    choices that do not depend on earlier ones, by name; `alike`: for choices that must equal another, that one's name,
    and their values by it."""

    game: TableState
    seat: int
    offering: CompiledOffer
    found: Choices
    bars: Sequence[CompiledBar]
    values: dict[str, Values] = field(default_factory=dict)
    alike: dict[str, tuple[str, dict[int, Values]]] = field(default_factory=dict)


def choices_in(game: TableState, phase: str, seat: int, refusals: bool = False) -> Choices:
    """What a seat may do of the offers of a phase, without passing."""
    found = Choices(refused=[] if refusals else None)
    add_offers(game, asked_in(game, phase), seat, found)
    return found


def asked_in(game: TableState, phase: str) -> Sequence[tuple[CompiledOffer, Needs | None]]:
    """The offers of a phase that are possible with the tile in question."""
    program = game.program
    return program.asked_about(phase, None if game.tile is None else program.plain[game.tile])


def add_offers(
    game: TableState, asked: Sequence[tuple[CompiledOffer, Needs | None]], seat: int, found: Choices
) -> None:
    """What a seat may do of some offers."""
    program, counts, trusted = game.program, game.counts[seat], seat in game.trusted
    for offering, needs in asked:
        if needs is None or trusted or holds_one(counts, needs) or (offering.helped and program.groups.wild_in(counts)):
            add_offer(game, seat, offering, found)


def holds_one(counts: list[int], alternatives: Needs) -> bool:
    """Whether a hand with these counts has what one of the alternatives needs. Unrolled because it runs at every
    discard."""
    for needs in alternatives:
        for tile, number in needs:
            if counts[tile] < number:
                break
        else:
            return True
    return False


def add_offer(game: TableState, seat: int, offering: CompiledOffer, found: Choices) -> None:
    """The complete choices of one offer."""
    if seat not in game.trusted and not is_open(game, seat, offering, found):
        return
    if offering.of_group and not holds_group(game, seat, offering.choosing[0].choose):
        return
    if offering.from_own_hand is not None:
        add_own_tiles(game, seat, offering, found)
        return
    search = ChoiceSearch(game, seat, offering, found, live_bars(game, seat, offering))
    for one in reversed(offering.alone):  # the last ones, of other zones, are rarely there
        search.values[one.choose.name] = list(tile_values(game, TableScene(game, seat), one))
        if not search.values[one.choose.name]:
            return
    for one in offering.alone:
        if one.alike is not None and one.alike[1] in search.values and not find_alike(search, one, *one.alike):
            return
    for letters, facts, chosen in begun(game, seat, offering):
        add_choices(search, letters, facts, chosen)


def is_open(game: TableState, seat: int, offering: CompiledOffer, found: Choices) -> bool:
    """Whether the conditions of an offer hold that ask for none of its choices."""
    if offering.asks_wins and not game.judging.may_fit(seat, game.tile):
        return False
    if offering.early is None or offering.early(TableScene(game, seat), {}):
        return True
    if found.refused is not None and offering.wins:
        found.refused.extend(game.judging.why_not(seat, offering.offer.id))
    return False


def live_bars(game: TableState, seat: int, offering: CompiledOffer) -> Sequence[CompiledBar]:
    """The restrictions that may bar some of the choices now."""
    if not offering.bars or seat in game.trusted:
        return ()
    scene = TableScene(game, seat)
    return [bar for bar in offering.bars if bar.ever is None or bar.ever(scene, {})]


def holds_group(game: TableState, seat: int, choose: Choose) -> bool:
    """Whether the hand may hold a group of the kind, or a tile that makes a meld one."""
    counts, program = game.counts[seat], game.program
    if choose.onto:
        melds = game.zones["melds"][seat]
        return bool(melds) and (
            program.groups.is_served(choose.group)
            or any(counts[wanted] for meld in melds for _, wanted in program.groups.grown(choose.group, meld.group))
        )
    least, _ = program.groups.single_needs.get(choose.group, (0, ()))
    return max(counts) >= least or program.groups.is_served(choose.group)


def begun(game: TableState, seat: int, offering: CompiledOffer) -> Iterator[tuple[Letters, Letters, Chosen]]:
    """The offer before its choices; once for every group that it can make of the tile in question."""
    if not offering.offer.group:
        yield {}, {}, ()
        return
    for group in claimed_groups(game, seat, offering.offer.group):
        yield {}, {"group": (group,)}, (("group", group_text(game, group)),)


def add_own_tiles(game: TableState, seat: int, offering: CompiledOffer, found: Choices) -> None:
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
    search = ChoiceSearch(game, seat, offering, found, bars)
    for tile in sorted(tiles, key=place.__getitem__):
        key = (seat, plain_offer, face[tile])
        move = moves.get(key)
        if move is None:
            move = moves[key] = Move(seat, plain_offer, ((name, game.program.code[tile]),))
        letters = {name: (tile,)}
        settle_choice(search, letters, letters, move.choice)


def faces_of_hand(game: TableState, seat: int) -> list[int]:
    """A tile of the hand for each face in it: of those that look the same, the one drawn last if it is among them."""
    face, drawn = game.program.face, game.drawn[seat]
    tiles = {face[tile]: tile for tile in game.zones["hand"][seat]}
    if drawn is not None and game.where.get(drawn) == ("hand", seat):
        tiles[face[drawn]] = drawn
    return list(tiles.values())


def add_choices(search: ChoiceSearch, letters: Letters, facts: Letters, chosen: Chosen) -> None:
    """Every way to continue from what is chosen so far."""
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


def find_alike(search: ChoiceSearch, choosing: CompiledChoice, own: Evaluator, other: str) -> bool:
    """Which tiles of a choice equal which of another, by their plain tile; of the other choice, tiles that equal none
    are dropped. False if none are left."""
    name, plain, by = choosing.choose.name, search.game.program.plain, dict[int, Values]()
    for value, text in search.values[name]:
        kinds = own(TableScene(search.game, search.seat, {name: value}, facts_of(choosing, value, {})), {})
        if len(kinds) == 1:
            by.setdefault(plain[kinds[0]], []).append((value, text))
    search.alike[name] = other, by
    search.values[other] = [one for one in search.values[other] if plain[one[0][0]] in by]
    return bool(search.values[other])


def facts_of(choosing: CompiledChoice, value: Any, facts: Letters) -> Letters:
    """What is in question after a choice: a choice called tile or group, and the tile that a group gets."""
    name, kind = choosing.choose.name, choosing.choose.kind
    if kind == "group":
        (group,) = value
        added = {"tile": (group.claimed,)} if choosing.choose.onto else {}
        return {**facts, "group": value, **added}
    return {**facts, name: value} if is_settable(name) else facts


def settle_choice(search: ChoiceSearch, letters: Letters, facts: Letters, chosen: Chosen) -> None:
    """Add a complete choice to the others if nothing bars it."""
    if allowed(search, letters, facts, chosen):
        option = Option(Move(search.seat, search.offering.offer.id, chosen), search.offering, letters, facts)
        search.found.options.append(option)


def allowed(search: ChoiceSearch, letters: Letters, facts: Letters, chosen: Chosen, early: bool = False) -> bool:
    """Whether the offer's condition holds with the choice, and no restriction bars it. `early`: the choice is not
    complete."""
    game, seat, offering, found = search.game, search.seat, search.offering, search.found
    if seat in game.trusted:
        return True
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


def swappable(game: TableState, scene: TableScene, pair: Any) -> bool:
    """Whether the two tiles may change places: a group that they change must remain one."""
    (one,), (other,) = (tile(scene, {}) for tile in pair)
    return bool(fits_swapped(game, one, other) and fits_swapped(game, other, one))


# --- answers to a question


def answers_to(game: TableState, choosing: Sequence[CompiledChoice], seat: int, letters: Letters) -> Choices:
    """What a seat may answer to a question of a step; `letters`: the values of the words there."""
    found = Choices()
    add_answers(game, seat, choosing, letters, (), found)
    return found


def add_answers(
    game: TableState, seat: int, choosing: Sequence[CompiledChoice], letters: Letters, chosen: Chosen, found: Choices
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


def described(choosing: CompiledChoice, last: bool) -> bool:
    """Whether it is several tiles, with nothing chosen after them."""
    return last and (
        choosing.choose.kind == "form" or (choosing.choose.kind == "tiles" and choosing.choose.type != "tile")
    )


def open_pick(
    game: TableState,
    scene: TableScene,
    choosing: CompiledChoice,
    does: str,
    chosen: Chosen,
    offering: CompiledOffer | None,
    strict: bool,
) -> OpenChoice | None:
    """The choice of several tiles. If there are fewer than must be chosen: no choice (`strict`), or all of them."""
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
    return OpenChoice(pick, tuple(lying), offering, choosing, scene.letters)


def asks_of_all(choosing: CompiledChoice, offering: CompiledOffer | None) -> bool:
    """Whether a condition applies to the tiles together."""
    if choosing.when is not None or choosing.choose.kind == "form":
        return True
    return offering is not None and bool(offering.late or offering.swaps or any(bar.late for bar in offering.bars))


def picked(game: TableState, opened: OpenChoice, move: Move) -> Option | None:
    """The option of a move that chooses these tiles; None if there is no such choice."""
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


def option_of(game: TableState, opened: OpenChoice, move: Move, tiles: tuple[int, ...]) -> Option | None:
    """The option, if its conditions hold."""
    letters = {**opened.letters, opened.pick.name: tiles}
    facts = {opened.pick.name: tiles} if opened.pick.name == words.tile.name else {}
    scene = TableScene(game, move.seat, letters, facts)
    if opened.choosing.when is not None and not opened.choosing.when(scene, {}):
        return None
    if opened.choosing.choose.kind == "form" and not game.judging.is_form(scene, opened.choosing.choose.form, tiles):
        return None
    offering = opened.offering
    if offering is not None:
        search = ChoiceSearch(game, move.seat, offering, Choices(), offering.bars)
        if not allowed(search, letters, facts, move.choice):
            return None
    return Option(move, opened.offering, letters, facts)


def has_answer(game: TableState, choices: Choices, seat: int) -> bool:
    """Whether a seat can answer at all. Several tiles that have to meet a condition together are tried; where too many
    ways are left to try, there is taken to be one."""
    if choices.options or choices.own:
        return True
    for opened in choices.picks:
        if not opened.pick.asks:
            return True
        found, are_all = listed(game, opened, seat, 1)
        if found or not are_all:
            return True
    return False


def listed(
    game: TableState, opened: OpenChoice, seat: int, most: int, tries: int = MOST_TRIED
) -> tuple[tuple[Move, ...], bool]:
    """The first moves of a described choice, at most `most` in at most `tries` tries; and whether those are all."""
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
