"""Decisions: one question and a judge of positions in, a move out. Shared by all thinking bots.

Knows offers by their effects. Knows no ruleset and no worth, which are the judge's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from tilewright.hands.listed import NEVER
from tilewright.hands.needs import TooManyNeeds
from tilewright.hands.reading import Hand, Meld
from tilewright.hands.waits import distance
from tilewright.play.model import ANSWER, PASS, Move, Pick, Question
from tilewright.play.view import View
from tilewright.players.bots.effects import MELDS, Effect
from tilewright.players.bots.position import FormReader, Position
from tilewright.players.bots.random_bot import SeededChoices

Rank = Any  # of positions; the better one is greater
NOTHING = Effect()
MOST_TRIES = 200  # attempts to find a choice of several tiles that a condition allows


class PositionJudge(Protocol):
    """Compares positions."""

    def rank(self, position: Position) -> Rank:
        """How good a position is without a tile to discard."""
        ...

    def discard(self, position: Position, faces: Sequence[int]) -> tuple[int, Rank]:
        """The best of these tiles to discard, and how good the rest is."""
        ...

    def better(self, one: Rank, other: Rank) -> bool:
        """Whether the first is better, enough to reveal the hand."""
        ...

    def no_worse(self, one: Rank, other: Rank) -> bool:
        """Whether the first is as good as the second, near enough."""
        ...

    def harmless(self, position: Position, face: int) -> bool:
        """Whether the hand is no further from its aims without the tile."""
        ...

    def pledges(self, position: Position, marks: frozenset[str]) -> bool:
        """Whether a waiting hand should commit itself to these marks."""
        ...

    def may_win(self, position: Position) -> bool:
        """Whether the hands that the position is nearest to may win."""
        ...

    def far(self, position: Position) -> bool:
        """Whether the hand is so bad that nearly any change would improve it."""
        ...


@dataclass(frozen=True)
class Decision:
    """One question of a seat."""

    view: View
    question: Question
    reader: FormReader
    judge: PositionJudge
    lots: SeededChoices

    def move(self) -> Move:
        """The answer."""
        moves = self.question.moves
        if len(moves) == 1 and not self.question.picks:
            return moves[0]
        winning = next((move for move in moves if self.effect(move).wins), None)
        if winning is not None:
            return winning
        if any(move.does == ANSWER for move in moves) or any(pick.does == ANSWER for pick in self.question.picks):
            return self.answer()
        return self.turn() if any(self.effect(move).discards for move in moves) else self.claim()

    def effect(self, move: Move) -> Effect:
        return self.reader.effects.get(move.does, NOTHING)

    @cached_property
    def position(self) -> Position:
        return self.reader.position(self.view)

    # --- turns

    def turn(self) -> Move:
        """A certain accusation, setting aside a bonus tile that the hand does not need, an exchange that helps, a group
        that does no harm; else a discard."""
        accusing = next((move for move in self.question.moves if self.is_right(move)), None)
        if accusing is not None:
            return accusing
        aside = next((move for move in self.question.moves if self.is_spare(move)), None)
        if aside is not None:
            return aside
        best, rank = self.best_discard()
        pledge = self.pledge(best)
        if pledge is not None:
            return pledge
        for move, after in self.others():
            there = self.rank(after)
            if there > rank or (self.effect(move).draws and self.judge.no_worse(there, rank)):
                best, rank = move, there
        return best

    def best_discard(self) -> tuple[Move, Rank]:
        """The discard after which the position is best, of tiles that the hand may not win with if there are any; of
        two ways to discard it, the one that suits the hand."""
        ways: dict[int, list[Move]] = {}
        for move in self.question.moves:
            if self.effect(move).discards:
                ways.setdefault(self.reader.face_of(move.chosen(self.effect(move).discards)), []).append(move)
        barred = [face for face in ways if self.reader.plain[face] in self.position.unwinnable]
        face, rank = self.judge.discard(self.position, barred or list(ways))
        moves = ways[face]
        if len(moves) > 1 and self.waits(self.position.without(face)):
            moves = sorted(moves, key=lambda move: not self.effect(move).pledges)
        return moves[0], rank

    def is_spare(self, move: Move) -> bool:
        """Whether the move sets aside a tile that does not bring the hand nearer."""
        name = self.effect(move).sets_aside
        return bool(name) and self.judge.harmless(self.position, self.reader.face_of(move.chosen(name)))

    def pledge(self, discard: Move) -> Move | None:
        """A move that only declares something that patterns count, if the hand waits after a discard."""
        moves = [move for move in self.question.moves if self.effect(move).only_pledges]
        face = self.reader.face_of(discard.chosen(self.effect(discard).discards))
        rest = self.position.without(face)
        if not moves or not self.waits(rest):
            return None
        return next((move for move in moves if self.judge.pledges(rest, self.effect(move).sets)), None)

    def waits(self, position: Position) -> bool:
        """Whether one tile is missing, and copies of it are left."""
        distance, useful = self.reader.look(position).roughly
        return distance == 1 and any(position.left[tile] > 0 for tile in useful)

    def others(self) -> Iterator[tuple[Move, Position]]:
        """Moves that change the hand other than by a discard, with the resulting positions."""
        for move in self.question.moves:
            if self.effect(move).known and not self.effect(move).discards:
                after = self.reader.after(self.position, move, self.view)
                if after is not None:
                    yield move, after

    def rank(self, position: Position) -> Rank:
        """How good a position is, with or without a tile to discard."""
        if position.tiles and self.reader.full(position):
            return self.judge.discard(position, list(dict.fromkeys(position.tiles)))[1]
        return self.judge.rank(position)

    # --- claims

    def claim(self) -> Move:
        """The claim that improves the position most, or none; if neither is possible, the move that does least."""
        moves = self.question.moves
        passing = next((move for move in moves if move.does == PASS), None)
        best, rank = passing, self.judge.rank(self.position)
        for move, after in self.others():
            there = self.rank(after)
            if best is None or (self.judge.better(there, rank) and self.judge.may_win(after)):
                best, rank = move, there
        return best or self.unknown()

    def unknown(self) -> Move:
        """A move without a known effect, if there are no others."""
        if self.question.moves:
            return self.lots.one_of(self.question.moves)
        return self.picked(self.question.picks[0])

    # --- accusations

    def is_right(self, move: Move) -> bool:
        """Whether the move accuses a seat, or a hand of it, that visibly cannot make any form."""
        effect = self.effect(move)
        if not effect.accuses:
            return False
        seat = next(seat for seat in self.view.playing if self.view.name(seat) == move.chosen(effect.accuses))
        hands = [int(move.chosen(effect.hand))] if effect.hand else self.view.open_hands(seat)
        return all(self.is_dead(seat, hand) for hand in hands)

    def is_dead(self, seat: int, hand: int) -> bool:
        """Whether a hand of a seat has melds, and visibly cannot make any form with them."""
        lying = [one for one in self.view.melds(seat) if one.hand == hand]
        if not lying or any(one.group is None for one in lying):
            return False
        melds = tuple(
            Meld(one.group, tuple(face for face in one.tiles if face is not None), one.exposed, one.wild)
            for one in lying
            if one.group is not None
        )
        try:
            return distance(self.reader.rules.judge.reader, Hand((), melds), self.seen_by_all(seat, hand)) >= NEVER
        except TooManyNeeds:
            return False

    def seen_by_all(self, but: int, hand: int) -> list[int]:
        """The tiles that everyone can see, without the groups of one hand of one seat."""
        view, zones = self.view, self.reader.data.zones.values()
        seats = [
            (zone.id, at)
            for zone in zones
            if zone.seen_by == "everyone"
            for at in (range(view.seats) if zone.of == "seat" else (0,))
        ]
        lying = [face for zone, at in seats if (zone, at) != (MELDS, but) for face in view.zone(zone, at)]
        lying += [face for one in view.melds(but) if one.hand != hand for face in one.tiles]
        return [face for face in lying if face is not None]

    # --- questions

    def answer(self) -> Move:
        """An answer to a question of a step."""
        if self.question.picks:
            return self.picked(self.question.picks[0])
        scored = [(self.worth(move), -number) for number, move in enumerate(self.question.moves)]
        return self.question.moves[-max(scored)[1]]

    def worth(self, move: Move) -> tuple[Rank, ...]:
        """How well each choice of an answer suits the hand."""
        return tuple(self.suits(name, text) for name, text in move.choice)

    def suits(self, name: str, text: str) -> Rank:
        """Yes for a bad hand, the number of tiles that it does not need, the suit or the tile without which it is best;
        otherwise any."""
        kind = self.reader.asked[name].kind if name in self.reader.asked else ""
        if kind == "flag":
            return int((text == "yes") == self.judge.far(self.position))
        if kind == "number":
            return -abs(int(text) - self.spare)
        if kind == "suit":
            return self.judge.rank(self.without_suit(text))
        if kind == "tiles" and text and "@" not in text:
            return self.judge.rank(self.without_tiles(self.reader.faces_of(text)))
        return self.lots.below(1 << 16)

    @cached_property
    def spare(self) -> int:
        """How many tiles the hand does not need, removed one after another."""
        return sum(1 for _ in self.given(self.position, self.position.tiles, 0, len(self.position.tiles)))

    def without_suit(self, suit: str) -> Position:
        """The position if the suit were given up."""
        given_up = frozenset(tile.plain for tile in self.reader.data.tiles.tiles if tile.suit == suit)
        rest = self.without_tiles([face for face in self.position.tiles if self.reader.plain[face] in given_up])
        return replace(rest, unwinnable=rest.unwinnable | given_up)

    def without_tiles(self, faces: Sequence[int]) -> Position:
        rest = self.position
        for face in faces:
            rest = rest.without(face) if face in rest.tiles else rest
        return rest

    # --- several tiles

    def picked(self, pick: Pick) -> Move:
        """The least useful tiles of the hand: as many as must go, and more that do no harm. If these are not allowed
        together, the tiles of one family without which it is best; else any allowed ones."""
        move = self.pick_of(pick, pick.tiles)
        if move is not None:
            return move
        alike = (self.pick_of(pick, texts) for texts in self.by_family(pick.tiles))
        allowed = [(self.rest_of(move, pick), move) for move in alike if move is not None]
        return max(allowed, key=lambda found: found[0])[1] if allowed else self.any_pick(pick)

    def pick_of(self, pick: Pick, texts: Sequence[str]) -> Move | None:
        """The least useful of these tiles; None if they are not allowed."""
        faces = [self.reader.face_of(text) for text in texts]
        chosen: list[str] = []
        free = list(texts)
        for face in self.given(self.position, faces, pick.least, pick.most):
            text = next(text for text in free if self.reader.face_of(text) == face)
            free.remove(text)
            chosen.append(text)
        move = pick.move(self.question.seat, chosen)
        return move if len(chosen) >= pick.least and (not pick.asks or self.view.allows(move)) else None

    def by_family(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """The tiles, those of one suit or family together."""
        tiles = self.reader.data.tiles.tiles
        families = {text: tiles[self.reader.plain[self.reader.face_of(text)]].family for text in texts}
        for family in dict.fromkeys(families.values()):
            yield [text for text in texts if families[text] == family]

    def rest_of(self, move: Move, pick: Pick) -> Rank:
        """How good the position is without the tiles that a move gives away."""
        return self.judge.rank(self.without_tiles(self.reader.faces_of(move.chosen(pick.name))))

    def given(self, position: Position, faces: Sequence[int], least: int, most: int) -> Iterator[int]:
        """Tiles to give away, the least useful first."""
        free = [face for face in faces if face in position.tiles]
        for number in range(min(most, len(free))):
            face, _ = self.judge.discard(position, list(dict.fromkeys(free)))
            if number >= least and not self.judge.harmless(position, face):
                return
            yield face
            free.remove(face)
            position = position.without(face)

    def any_pick(self, pick: Pick) -> Move:
        """Any allowed choice."""
        for _ in range(MOST_TRIES):
            move = self.lots.picked(self.question.seat, pick)
            if self.view.allows(move):
                return move
        return self.view.legal_moves[0]
