"""Comparing two rulesets: what is written otherwise, and which hands and games show it.

Rules that mean the same are not sampled. The others are: under the usual options, and under each value of an option
that what changed asks for. `docs/changes.md` has the rule for what is a fix, an addition or breaking.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from typing import Literal

from tilewright.authoring.mutants import other_values
from tilewright.base.garbage import collect_rarely
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar, Sequence
from tilewright.base.problem import RulesetError
from tilewright.base.processes import pool_of, serve_parent
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.fields import entries, section
from tilewright.language.documents.options import choices_of
from tilewright.language.documents.whole import MergedRuleset
from tilewright.play.rules import Rules
from tilewright.rulebook.changes import RuleChange, changes, is_same
from tilewright.rulebook.differences import (
    GameChange,
    HandChange,
    PlayChange,
    ScoredCase,
    game_change,
    hand_change,
    hands_to_score,
    options_of,
    play_changes,
)
from tilewright.rulebook.sides import OpenSide, Options, Side
from tilewright.scoring.rules import setting_text

Verdict = Literal["none", "fix", "addition", "breaking"]
FEWER = 4  # times fewer hands with other options
MOST_OPTIONS = 40  # values of options that are tried
ADDED = ("patterns", "forms", "offers", "options", "presets")  # sections in which something new takes nothing away
MENTIONED = re.compile(r"\w+")
UNREAD = ("examples", "cases")


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """How many hands are sampled and games are played, besides what the rulesets state themselves."""

    hands: int = 400
    games: int = 20
    seed: int = 1
    jobs: int = 1


@dataclass
class Comparison:
    """What differs. `unseen`: changes that nothing in the sample shows. `scored`, `played`: how many hands and games
    were."""

    old: OpenSide
    new: OpenSide
    changes: list[RuleChange] = field(default_factory=list)
    hands: list[HandChange] = field(default_factory=list)
    plays: list[PlayChange] = field(default_factory=list)
    games: list[GameChange] = field(default_factory=list)
    scored: int = 0
    stated: int = 0
    played: int = 0

    @property
    def is_shown(self) -> bool:
        """Whether a hand, a play or a game differs."""
        return bool(self.hands or self.plays or self.games)

    @property
    def differs(self) -> bool:
        """Whether players find a difference: in a hand or a game, in a name, or in what a table can be set to."""
        return self.is_shown or any(one.is_seen for one in self.changes)

    @property
    def reasons(self) -> tuple[tuple[str, Mapping[str, object]], ...]:
        """Why it is breaking: the ends of ids of messages, with their blanks."""
        found: list[tuple[str, Mapping[str, object]]] = []
        for one in self.changes:
            if one.section in ("terms", "rest"):
                continue
            if one.what == "removed":
                found.append(("removed", {"name": one.name}))
            elif one.what == "renamed":
                found.append(("renamed", {"name": one.name, "was": one.was, "now": one.id}))
            elif one.what != "changed":
                continue
            elif one.section in ("tiles", "game") and any(fact.about in ("tiles", "seats") for fact in one.facts):
                found.append(("box", {"name": one.name}))
            elif one.section == "options" and any(fact.about == "default" for fact in one.facts):
                found.append(("default", {"name": one.name}))
            elif one.section == "options" and self.narrowed(one.id):
                found.append(("values", {"name": one.name}))
        added = frozenset(one.id for one in self.changes if one.section == "patterns" and one.what == "added")
        stated = [one for one in self.hands if one.breaks and not one.only_adds(added)]
        if stated:
            found.append(("stated", {"count": len(stated)}))
        if self.plays:
            found.append(("plays", {"count": len(self.plays)}))
        return tuple(found)

    def narrowed(self, option: str) -> bool:
        """Whether an option can no longer be what it could."""
        old, new = (section(one.whole.full, "options", option) for one in (self.old, self.new))
        return not values_in(old) <= values_in(new) or bounds_of(old) != bounds_of(new)

    @property
    def verdict(self) -> Verdict:
        """Whether it is a fix, an addition or breaking."""
        if not self.differs:
            return "none"
        if self.reasons:
            return "breaking"
        return "addition" if any(one.what == "added" and one.section in ADDED for one in self.changes) else "fix"


def values_in(option: MappingNode) -> frozenset[str]:
    return frozenset(choices_of(option))


def bounds_of(option: MappingNode) -> tuple[str, ...]:
    return tuple(getattr(option.get(key), "text", "") for key in ("from", "to", "step"))


def compare(
    old: Side, new: Side, plan: ComparisonPlan, done: Callable[[int], object] = lambda count: None
) -> Comparison:
    """Compare two rulesets; `done` is told how many of the plan's hands and games were tried. Raises RulesetError."""
    one, other = old.under(), new.under()
    found = Comparison(one, other)
    if says_the_same(one.whole, other.whole):
        return found
    found.changes = changes(one, other)
    first: Options | None = None  # the options under which games are played
    tried = 0
    for options in contexts(old, new):
        if first is not None and found.reasons:
            break  # nothing can be worse, and other options take long to open
        if not differ_under(old, new, options):
            continue
        first = options if first is None else first
        if options:
            known = {(change.section, change.id) for change in found.changes}
            more = changes(old.under(options), new.under(options), options)
            found.changes += [change for change in more if (change.section, change.id) not in known]
        for case in hands_under(old, new, options, plan):
            found.scored += 1
            found.stated += case.of_old
            rules = old.under(options).rules, new.under(options).rules
            if change := hand_change(*rules, case.case, case.of_old, options):
                found.hands.append(change)
            tried += case.sampled and not options
            done(tried)
    if first is None:
        return found
    found.plays = list(play_changes(old, new)) if not found.reasons else []
    for game in games_of(old, new, first, plan):
        found.played += 1
        found.games += [game] if game is not None else []
        done(tried + found.played)
    found.games.sort(key=lambda game: game.number)
    return found


def hands_under(old: Side, new: Side, options: Options, plan: ComparisonPlan) -> Iterator[ScoredCase]:
    rules = old.under(options).rules, new.under(options).rules
    count = plan.hands if not options else plan.hands // FEWER
    return hands_to_score(*rules, options, count, plan.seed)


# --- under which options


def contexts(old: Side, new: Side) -> list[Options]:
    """The usual options, those of cases, and the other values of each option that a changed part asks for."""
    wanted: dict[Options, None] = {(): None}
    for side in (old, new):
        wanted |= {options_of(entry.case): None for entry in side.under().rules.data.cases if "hand" in entry.case}
    asked = options_asked(old.under().whole, new.under().whole)
    nodes = dict(entries(new.under().whole.full, "options"))
    known = dict(entries(old.under().whole.full, "options"))
    for id in sorted(asked & nodes.keys() & known.keys()):
        chosen = new.under().whole.options[id].chosen
        wanted |= {((id, setting_text(value)),): None for value in other_values(nodes[id], chosen)}
    return list(wanted)[:MOST_OPTIONS]


def differ_under(old: Side, new: Side, options: Options) -> bool:
    """Whether the two do not mean the same with these options; not if one of them cannot have them."""
    try:
        return not is_same(old.under(options).rules.data, new.under(options).rules.data)
    except RulesetError:
        return False


def options_asked(old: MergedRuleset, new: MergedRuleset) -> frozenset[str]:
    """The options in what is written otherwise, also by way of terms."""
    known = set(section(old.full, "options").entries) | set(section(new.full, "options").entries)
    terms = [dict(section(whole.full, "terms").entries) for whole in (old, new)]
    todo = [word for node in differing(old.full, new.full) for word in words_in(node)]
    seen = set[str]()
    while todo:
        word = todo.pop()
        if word not in seen:
            seen.add(word)
            todo += [inner for entry in terms if word in entry for inner in words_in(entry[word].value)]
    return frozenset(seen & known)


def differing(old: MappingNode, new: MappingNode) -> Iterator[Node]:
    """The entries of sections that are written otherwise."""
    for key in dict.fromkeys((*old.entries, *new.entries)):
        one, other = old.get(key), new.get(key)
        if key in UNREAD or one is None or other is None or plain(one) == plain(other):
            yield from (node for node in (one, other) if node is not None and (one is None or other is None))
        elif isinstance(one, MappingNode) and isinstance(other, MappingNode):
            for id in dict.fromkeys((*one.entries, *other.entries)):
                inner = one.get(id), other.get(id)
                if None in inner or plain(inner[0]) != plain(inner[1]):
                    yield from (node for node in inner if node is not None)
        else:
            yield from (one, other)


def words_in(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from MENTIONED.findall(node.text)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from words_in(item)
    elif isinstance(node, MappingNode):
        for value in node.entries.values():
            yield from words_in(value.value)


def says_the_same(old: MergedRuleset, new: MergedRuleset) -> bool:
    """Whether the two say the same with the same options, but for examples, cases and the order of keys."""
    chosen = [{id: one.chosen for id, one in whole.options.items()} for whole in (old, new)]
    cards = [sorted((id, str(one.path)) for id, one in whole.cards.items()) for whole in (old, new)]
    return chosen[0] == chosen[1] and cards[0] == cards[1] and not cards[0] and plain(old.full) == plain(new.full)


def plain(node: Node | None) -> object:
    """A node as values to compare."""
    if isinstance(node, MappingNode):
        return {key: plain(one.value) for key, one in node.entries.items() if key not in UNREAD}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value if isinstance(node, Scalar) else None


# --- games


def games_of(old: Side, new: Side, options: Options, plan: ComparisonPlan) -> Iterator[GameChange | None]:
    """The first difference of every game, by several processes if wanted."""
    rules = [side.under(options).rules for side in (old, new)]
    if any(one.data.play is None for one in rules):
        return
    if plan.jobs <= 1 or plan.games <= 1:
        for number in range(plan.games):
            yield game_change(rules[0], rules[1], number, plan.seed, new.language)
        return
    given = (rules[0].data, rules[1].data, plan.seed, new.language)
    with pool_of(plan.jobs, begin, *given, stop=lambda: None) as pool:
        waiting = [pool.submit(played, number) for number in range(plan.games)]
        try:
            for future in as_completed(waiting):
                yield future.result()
        finally:
            for future in waiting:
                future.cancel()


@dataclass(frozen=True)
class GameWork:
    """What a process plays."""

    old: Rules
    new: Rules
    seed: int
    language: str


OF_PROCESS: list[GameWork] = []


def begin(old: CompiledRuleset, new: CompiledRuleset, seed: int, language: str) -> None:
    """Make a process ready to play."""
    serve_parent()
    collect_rarely()
    OF_PROCESS.append(GameWork(Rules(old), Rules(new), seed, language))


def played(number: int) -> GameChange | None:
    work = OF_PROCESS[0]
    return game_change(work.old, work.new, number, work.seed, work.language)
