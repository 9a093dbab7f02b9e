"""Explaining a score: every reading that was tried, and for each pattern whether it counts and why.

In: a judge and a situation. Out: text for people, as data; prints nothing. Why a hand does not win is a text in every
language, which comes with the score: the catalogue of messages is of a higher layer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import assert_never

from tilewright.hands.reading import Part
from tilewright.language.compiled import ir as typed
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.language.vocabulary.words import form
from tilewright.scoring.plain.judge import PlainJudge, Shortfall, Verdict, called
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.plain.walker import TESTS, as_set, evaluate
from tilewright.scoring.score import amount_of, show_number
from tilewright.tiles.notation import write_group, write_tile, write_tiles

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class PatternVerdict:
    """One pattern in one reading. `holds`: its condition does; `counted`: it is part of the total. `why` says what
    failed or what dropped it; `evidence` the groups that it used."""

    id: str
    name: str
    holds: bool
    counted: bool
    why: str
    evidence: str
    worth: str = ""
    near: bool = False


@dataclass(frozen=True, slots=True)
class ReadingVerdict:
    """A reading with its patterns. `called`: the name of the amount, in English if possible."""

    reading: tuple[str, ...]
    form: str
    line: str
    total: Number
    best: bool
    short: str
    patterns: tuple[PatternVerdict, ...]
    called: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Readings from the best down."""

    unit: str
    readings: tuple[ReadingVerdict, ...]

    def __repr__(self) -> str:
        return f"Explanation({self.unit}, {len(self.readings)} readings)"


def explain(judge: PlainJudge, situation: Situation) -> Explanation:
    """Every reading of the hand with every pattern's verdict; the best first."""
    verdicts = sorted(judge.verdicts(situation), key=judge.rank, reverse=True)
    unit = judge.data.scoring.best
    return Explanation(unit, tuple(told(verdict, unit, index == 0) for index, verdict in enumerate(verdicts)))


def told(verdict: Verdict, unit: str, best: bool) -> ReadingVerdict:
    scene = verdict.scene
    assert scene.reading is not None
    line = scene.line(scene.reading.form)
    counting = [p for p in scene.data.patterns if p.everyone or scene.situation.won]
    return ReadingVerdict(
        part_texts(scene.data, scene.parts),
        scene.reading.form,
        line.text if line is not None else "",
        verdict.values[unit],
        best,
        shortfall_text(verdict.short),
        tuple(pattern_verdict(p, verdict) for p in counting),
        called_text(verdict),
    )


def called_text(verdict: Verdict) -> str:
    """The name of the amount, or nothing."""
    wins = verdict.short is None and verdict.scene.situation.won
    name = called(verdict.scene.data, verdict.values) if wins else {}
    return name.get(ENGLISH) or next(iter(name.values()), "")


def shortfall_text(short: Shortfall | None) -> str:
    """`below the minimum: 2.4 of 2.5 fan`, or nothing."""
    if short is None:
        return ""
    measure, has, needs = short
    return said("short", has=show_number(has), needs=amount_of(needs, measure))[ENGLISH]


def shortfall_texts(short: Shortfall, data: CompiledRuleset) -> dict[str, str]:
    """The same in every language, with the ruleset's name of the measure."""
    measure, has, needs = short
    names = next(one.name for one in data.scoring.measures if one.id == measure)
    amounts = {language: f"{show_number(needs)} {name}" for language, name in names.items()}
    return said("short", has=show_number(has), needs={**amounts, ENGLISH: amount_of(needs, measure)})


def part_texts(data: CompiledRuleset, parts: tuple[Part, ...]) -> tuple[str, ...]:
    return tuple(write_group(part.tiles, data.tiles) for part in parts)


def pattern_verdict(pattern: Pattern, verdict: Verdict) -> PatternVerdict:
    name = in_english(pattern.id, pattern.name)
    counted = next((c for c in verdict.counted if c.pattern.id == pattern.id), None)
    found = next((f for f in verdict.found if f.pattern.id == pattern.id), None)
    if counted is not None:
        worth = ", ".join(amount_of(n, m) for m, n in counted.worth.items())
        return PatternVerdict(pattern.id, name, True, True, "", evidence(counted.used, verdict), worth)
    if found is not None and found.times == 0:
        return PatternVerdict(pattern.id, name, False, False, "0 times", "")
    if found is not None and pattern.late is not None and pattern.id not in verdict.outcome.dropped:
        failed = [f"without it, {one}" for one in failing(pattern.late, replace(verdict, scene=verdict.others))]
        if failed:
            return PatternVerdict(pattern.id, name, False, False, "; ".join(failed), "")
    if found is not None:
        return PatternVerdict(
            pattern.id, name, True, False, why_not_counted(pattern, verdict), evidence(found.used, verdict)
        )
    failed = list(failures(pattern, verdict))
    return PatternVerdict(pattern.id, name, False, False, "; ".join(failed), "", near=is_near(pattern, verdict, failed))


def evidence(used: frozenset[int], verdict: Verdict) -> str:
    """The groups that a pattern used, none if it used all."""
    parts = verdict.scene.parts
    if len(used) == len(parts):
        return ""
    return " ".join(part_texts(verdict.scene.data, tuple(parts[i] for i in sorted(used))))


def why_not_counted(pattern: Pattern, verdict: Verdict) -> str:
    """Why a pattern that holds is not part of the total."""
    by = verdict.outcome.dropped.get(pattern.id)
    if by is not None:
        data = verdict.scene.data
        other = next(p for p in data.patterns if p.id == by)
        name = in_english(by, other.name)
        if pattern.id in other.excludes:
            return f"excluded by {name}"
        if pattern.family is None or pattern.family != other.family:
            return f"not beside {name}"
        return f"in family {in_english(pattern.family, data.family_names.get(pattern.family))} less than {name}"
    if pattern.alone:
        return "counts only if nothing else does"
    if verdict.limit and not pattern.limit:
        limit = verdict.counted[0].pattern
        return f"the limit of {in_english(limit.id, limit.name)} replaces everything else"
    if pattern.limit:
        return "another total is higher"
    return "worth nothing here"


# --- why a pattern does not hold


def failures(pattern: Pattern, verdict: Verdict) -> Iterator[str]:
    """Each part of the condition that fails, in the words of the ruleset."""
    if pattern.when is not None:
        yield from failing(pattern.when, verdict)
    if pattern.each is not None:
        texts = dict.fromkeys(want.text for cases in pattern.each for case in cases for want in case.wants)
        yield f"no {', '.join(texts)}" if texts else "no such groups in these tiles"


def failing(ir: Ir, verdict: Verdict) -> Iterator[str]:
    """The smallest parts of a truth that make it false."""
    if evaluate(ir, verdict.scene):
        return
    if isinstance(ir, typed.Apply) and ir.op == "and":
        for child in ir.args:
            yield from failing(child, verdict)
    elif isinstance(ir, typed.Term):
        yield f"not {thing_named(ir.name, verdict.scene.data)}"
    else:
        yield denied(ir, verdict)


def denied(ir: Ir, verdict: Verdict) -> str:
    """Says that a truth is false, with its value here if that helps."""
    data = verdict.scene.data
    if isinstance(ir, typed.HasGroups):
        return f"no {ir.text or describe(ir, data)}"
    if isinstance(ir, typed.Lookup) and ir.kind == "mark" and ir.of is None:
        return f"not {thing_named(ir.name, data)}"
    if isinstance(ir, typed.Apply) and ir.op == "==" and (wanted := form_asked(ir)):
        names = {one.id: in_english(one.id, one.name) for one in data.forms}
        here = str(evaluate(ir.args[0], verdict.scene))
        return f"the form is {names.get(here, here)}, not {names.get(wanted, wanted)}"
    if (
        isinstance(ir, typed.Apply)
        and ir.op in ("==", "!=", "<", "<=", ">", ">=")
        and ir.args[0].type in ("number", "name")
    ):
        here = evaluate(ir.args[0], verdict.scene)
        is_here = show_number(here) if not isinstance(here, str) else here or "none"
        return f"{describe(ir, data)} fails: it is {is_here}"
    if isinstance(ir, typed.Apply) and ir.op == "not":
        return f"{describe(ir.args[0], data)}"
    if isinstance(ir, typed.Apply) and ir.op == "or":
        return " and ".join(denied(child, verdict) for child in ir.args)
    return denied_test(ir, verdict) if isinstance(ir, typed.Test) else f"not {describe(ir, data)}"


def form_asked(ir: typed.Apply) -> str:
    """The form that a comparison asks for; empty if it asks for something else."""
    asked, wanted = ir.args
    return (
        wanted.value
        if form.is_asked(asked) and isinstance(wanted, typed.Const) and isinstance(wanted.value, str)
        else ""
    )


def thing_named(id: str, data: CompiledRuleset) -> str:
    """The name of a term or mark inside a sentence, or the note on it; its id in words if it has neither."""
    mark = data.marks.get(id)
    for names in (data.term_names.get(id), mark and mark.name, mark and mark.about):
        if names and {*names.values()} != {id}:
            return f"“{in_english(id, names).rstrip('.')}”"
    return id.replace("_", " ")


def in_english(id: str, names: Mapping[str, str] | None) -> str:
    """The English name of a thing, else any, else its id."""
    return (names or {}).get(ENGLISH) or next(iter((names or {}).values()), id)


def denied_test(ir: typed.Test, verdict: Verdict) -> str:
    """Says which tiles or groups fail a test, or which class has none."""
    scene, data = verdict.scene, verdict.scene.data
    classes = [frozenset(as_set(evaluate(c, scene))) for c in ir.classes]
    together = frozenset().union(*classes)
    names = " or ".join(describe(c, data) for c in ir.classes)
    if ir.op == "include":
        missing = [c for c in ir.classes if not TESTS["include"](scene, [frozenset(as_set(evaluate(c, scene)))])]
        return f"no tile of {' and none of '.join(describe(c, data) for c in missing)}"
    if ir.op == "every":
        without = [part for part in scene.parts if not TESTS["every"](one_part(scene, part), classes)]
        return f"no {names} in {' '.join(part_texts(data, tuple(without)))}"
    wrong = sorted({pair[0] for pair in scene.either if (together.isdisjoint(pair)) == (ir.op == "only")})
    return f"{write_tiles(wrong, data.tiles)} {'is not' if ir.op == 'only' else 'is'} of {names}"


def one_part(scene: HandScene, part: Part) -> HandScene:
    """The scene with only this group in its reading."""
    assert scene.reading is not None
    return replace(scene, reading=replace(scene.reading, parts=(part,)))


def is_near(pattern: Pattern, verdict: Verdict, failed: list[str]) -> bool:
    """Whether only one part of several failed, one about tiles or groups."""
    when = pattern.when
    parts = when.args if isinstance(when, typed.Apply) and when.op == "and" else ()
    of_tiles = any(
        isinstance(part, typed.HasGroups | typed.Test) and not evaluate(part, verdict.scene) for part in parts
    )
    return len(failed) == 1 and len(parts) > 1 and of_tiles


# --- expressions as text


def describe(ir: Ir, data: CompiledRuleset) -> str:
    """An expression in the words of the language."""
    match ir:
        case typed.Const():
            return describe_value(ir, data)
        case typed.Var():
            return ir.name
        case typed.Lookup() | typed.Term():
            return ir.name if ir.of is None else f"{describe(ir.of, data)}.{ir.name}"
        case typed.WordCall():
            call = f"{ir.name}({', '.join(describe(a, data) for a in ir.args)})"
            return call if ir.of is None else f"{describe(ir.of, data)}.{call}"
        case typed.Apply():
            return describe_operator(ir, data)
        case typed.Conditional():
            return f"{describe(ir.then, data)} if {describe(ir.test, data)} else {describe(ir.other, data)}"
        case typed.Quantifier():
            return f"{ir.op}({describe(ir.body, data)} for {ir.letter} in {describe(ir.domain, data)})"
        case typed.PickedMembers():
            return f"{describe(ir.test, data)} {describe(ir.seats, data)}"
        case typed.HasGroups():
            return f"has({ir.text})"
        case typed.Test():
            return f"{ir.op} {' or '.join(describe(c, data) for c in ir.classes)}"
        case typed.Matches():
            return describe_matches(ir)
        case _:
            assert_never(ir)


def describe_matches(ir: typed.Matches) -> str:
    how = [
        "bonus tiles" * (ir.of == "bonus"),
        "group by group" * (ir.order == "groups"),
        "without suits" * (not ir.suits),
        "groups as what they stand for" * ir.stands_for,
    ]
    told = ", ".join(one for one in how if one)
    return f"{'contains' if ir.anywhere else 'matches'} {ir.regex}{f' ({told})' if told else ''}"


def describe_value(ir: typed.Const, data: CompiledRuleset) -> str:
    if isinstance(ir.value, bool):
        return "true" if ir.value else "false"
    if isinstance(ir.value, int | Fraction) and ir.type == "number":
        return show_number(ir.value)
    if ir.type in ("tile", "tiles") and isinstance(ir.value, tuple):
        return describe_tiles(frozenset(int(t) for t in ir.value), data)
    return str(ir.value)


def describe_tiles(tiles: frozenset[int], data: CompiledRuleset) -> str:
    """The name of the class that these tiles are, or the tiles."""
    name = next((n for n, c in data.tiles.classes.items() if c.tiles == tiles and not c.words and len(tiles) > 1), None)
    if name is not None:
        return name
    return write_tile(min(tiles), data.tiles) if len(tiles) == 1 else write_tiles(sorted(tiles), data.tiles)


def describe_operator(ir: typed.Apply, data: CompiledRuleset) -> str:
    args = [describe(argument, data) for argument in ir.args]
    if ir.op in ("size", "tiles"):
        return args[0]
    if ir.op in ("not", "neg"):
        return f"not {args[0]}" if ir.op == "not" else f"-{args[0]}"
    word = {"union": "or", "not_in": "not in", "is_not": "is not"}.get(ir.op, ir.op)
    return f" {word} ".join(args)


# --- texts by language

ENGLISH = "en"
Texts = Mapping[str, str]  # language -> text

SAID: Mapping[str, Texts] = {
    "lost": {"en": "did not win", "zh": "未和牌", "ja": "和了していない"},
    "no_form": {"en": "not a winning hand", "zh": "不成和牌牌型", "ja": "和了形でない"},
    "because": {"en": "{what}: {why}", "zh": "{what}：{why}", "ja": "{what}：{why}"},
    "both": {"en": "{one}; {other}", "zh": "{one}；{other}", "ja": "{one}；{other}"},
    "short": {
        "en": "below the minimum: {has} of {needs}",
        "zh": "未達起和：{needs}只有 {has}",
        "ja": "和了に足りない：{needs}のうち {has}",
    },
    "size": {"en": "{told}", "zh": "張數不符", "ja": "枚数が合わない"},
    "line_closed": {
        "en": "{line} is closed, and a group is exposed",
        "zh": "{line} 須門前清，但已有亮出的牌組",
        "ja": "{line} は門前に限るが、晒した面子がある",
    },
    "nearest": {
        "en": "the nearest line is {line}, which lacks {needs}",
        "zh": "最接近的是 {line}，尚缺 {needs}",
        "ja": "最も近いのは {line}、不足は {needs}",
    },
    "card_empty": {"en": "the card has no hands", "zh": "牌卡上沒有牌型", "ja": "カードに手がない"},
    "card_closed": {
        "en": "every hand is closed, and a group is exposed",
        "zh": "所有牌型都須門前清，但已有亮出的牌組",
        "ja": "どの手も門前に限るが、晒した面子がある",
    },
    "card_melds": {"en": "no hand has {groups}", "zh": "沒有牌型含有 {groups}", "ja": "{groups} を含む手がない"},
    "card_open_melds": {
        "en": "no hand that may be exposed has {groups}",
        "zh": "可亮出的牌型都不含 {groups}",
        "ja": "晒せる手に {groups} を含むものがない",
    },
    "card_lacks": {
        "en": "even the hand that lacks least {lack}",
        "zh": "最接近的牌型也{lack}",
        "ja": "最も近い手でも{lack}",
    },
    "lack_of": {
        "en": "needs {wanted} of {tile}, and {left} left",
        "zh": "需要 {wanted} 張 {tile}，只剩 {count} 張",
        "ja": "{tile} が{wanted}枚必要で、残りは{count}枚",
    },
    "lack_of_wild": {
        "en": "needs {wanted} wild {tiles}, and {left} left",
        "zh": "需要 {wanted} 張百搭，只剩 {count} 張",
        "ja": "万能牌が{wanted}枚必要で、残りは{count}枚",
    },
}


def said(id: str, **slots: object) -> dict[str, str]:
    """A reason in every language; a slot that has texts by language is filled with that of each."""
    return {language: text.format(**filled(slots, language)) for language, text in SAID[id].items()}


def filled(slots: Mapping[str, object], language: str) -> dict[str, object]:
    return {name: in_language(slot, language) if isinstance(slot, Mapping) else slot for name, slot in slots.items()}


def in_language(texts: Texts, language: str) -> str:
    return texts.get(language) or texts.get(ENGLISH) or next(iter(texts.values()), "")


def listed(reasons: list[dict[str, str]]) -> dict[str, str]:
    """Several reasons as one."""
    between = {"en": "; "}
    return (
        {one: between.get(one, "；").join(reason[one] for reason in reasons) for one in SAID["lost"]} if reasons else {}
    )
