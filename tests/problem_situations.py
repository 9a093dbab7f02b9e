"""What the examples of `tilewright explain` describe and no text alone makes, each made for real.

A situation gives exactly its code, and none when it is right. What cannot be made here has a reason (`NOT_MADE`).
"""

from collections.abc import Mapping
from pathlib import Path

from situations import (
    ADD,
    ALONE,
    ASKING,
    BASE,
    BASELINE,
    CARD,
    CARD_HAND,
    CARD_TILES,
    CATEGORY,
    CHECK_MINE,
    DRAWN,
    EXTENDING_CLUB,
    HAND,
    HEAD,
    LETTERS,
    LINE,
    MORE,
    NAMES,
    OTHER,
    PACK_OTHER,
    PAID,
    PAIRED,
    PAIRS,
    POT,
    PUBLISHED,
    RIGHT_CASE,
    RULES,
    SPARE,
    WILD,
    Calls,
    ChangedLog,
    Situation,
    added,
    begun_at,
    card_yaml,
    case_file,
    chain,
    doubling,
    extending,
    fair,
    in_mine,
    layout,
    mod,
    needing,
    next_base,
    on_card,
    only_command,
    packed,
    scored,
    with_head,
    written,
)

import tilewright
from tilewright.language.documents.library import read_document
from tilewright.web.jobs.workshop import whole_at

TEXTS = "tilewright: 1\nkind: texts\nid: mine\nlanguage: de\nname: {en: Tried, de: Versucht}\n"

SITUATIONS: Mapping[str, Situation | Calls | ChangedLog] = {
    # documents
    "no-file": Calls(
        lambda folder: read_document(Path("/dev/null")), lambda folder: read_document(written(folder, RULES))
    ),
    "unreadable": Calls(
        lambda folder: read_document(folder / ("x" * 300)), lambda folder: read_document(written(folder, RULES))
    ),
    "many-problems": in_mine(
        "patterns:\n" + "".join(f"  p{n}: {{name: P, worth: wrong{n}}}\n" for n in range(200)),
        DRAWN,
        RULES,
        besides=frozenset({"unknown-word"}),
    ),
    "no-document": Situation(
        {"my.de.yaml": TEXTS},
        {"my.de.yaml": TEXTS, "my.yaml": RULES},
        "tilewright check my.de.yaml",
    ),
    "not-utf8": Situation(
        {"mine.yaml": "# café\n".encode("latin-1") + RULES.encode()}, {"mine.yaml": f"# café\n{RULES}"}
    ),
    "not-yaml": Situation(
        {"my_card.txt": CARD + LINE, "mine.yaml": RULES},
        {"mine.yaml": RULES},
        "tilewright fmt my_card.txt",
        "tilewright fmt mine.yaml",
    ),
    "not-toml": Situation(
        {"tilewright.toml": "paths = [mine.yaml]\n"},
        {"tilewright.toml": 'paths = ["mine.yaml"]\n'},
        "tilewright check mine.yaml",
        shared={"mine.yaml": RULES},
    ),
    "too-large": Situation({"mine.yaml": RULES + "# " + "x" * 20_000_000}, {"mine.yaml": RULES}),
    "too-many-nodes": in_mine(
        "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "",
    ),
    "reported-in-play": only_command(
        "tilewright simulate cantonese --games 1 --jobs 1 --players command:false,random,random,random",
        "tilewright simulate cantonese --games 1 --jobs 1 --players random",
    ),
    # rulesets
    "action-too-long": in_mine(doubling(40), doubling(1)),
    "stale-baseline": Situation(
        {},
        {},
        f"{BASELINE} --write-baseline\nsed -i s/wrong/1/ mine.yaml\n{BASELINE} --format github",
        f"{BASELINE} --write-baseline\n{BASELINE} --format github",
        shared={"mine.yaml": RULES + DRAWN.replace("worth: 1", "worth: wrong")},
    ),
    "not-covered": in_mine(
        PAIRS.format("[]"), PAIRS.format(PAIRED), ALONE, command=f"{CHECK_MINE} --coverage --format github"
    ),
    "no-bonus-zone": in_mine(
        "patterns: {p: {name: P, worth: 1, when: {matches: {regex: 1s, in: bonus}}}}\n",
        "patterns: {p: {name: P, worth: 1, when: {matches: {regex: .*1s.*, in: hand}}}}\n",
        ALONE,
    ),
    "unknown-category": on_card(CATEGORY.format("singels_and_pairs"), CATEGORY.format("singles_and_pairs")),
    "card-without-letters": on_card(
        LETTERS.format(""),
        LETTERS.format(
            ", letters: {m: bamboos, c: characters, d: circles, "
            "G: F, R: C, '0': P, F: flower_tiles, N: N, E: E, W: W, S: S}"
        ),
    ),
    "missing-language": in_mine(
        NAMES.format("ja"), NAMES.format("zh"), RULES.replace("name: Tried", "name: {en: Tried, zh: 試}")
    ),
    "needs-rank": in_mine(MORE.format(""), MORE.format("rank: 1, ")),
    "not-tried": in_mine(
        "options: {on: {flag: false}}\n" + DRAWN.replace("name: Drawn", "name: Drawn\n    if: on"),
        "options: {on: {flag: true}}\n" + DRAWN.replace("name: Drawn", "name: Drawn\n    if: on"),
        RULES,
        command="tilewright check mine.yaml --json",
    ),
    "too-many-tiles": in_mine(
        f"tiles: {{unranked: {{crowd: {{codes: [{', '.join(f'x{n}x' for n in range(501))}]}}}}}}\n",
        "tiles: {unranked: {crowd: {codes: [x1x]}}}\n",
        RULES,
    ),
    "class-too-deep": in_mine(
        f"tiles: {{classes: {{{', '.join(f'c{n}: [c{n + 1}]' for n in range(400))}, c400: [1m]}}}}\n",
        "tiles: {classes: {c399: [c400], c400: [1m]}}\n",
        RULES,
        besides=frozenset({"unused-class"}),
    ),
    "pot-kept": in_mine(
        POT.replace("MORE", ""), POT.replace("MORE", ", out: {from: pot, to: winner, amount: pot.score}"), RULES
    ),
    "wrong-letter": on_card(
        "forms: {on_card: {letters: {m: dragons}}}\n", "forms: {on_card: {letters: {m: bamboos}}}\n"
    ),
    "wild-tiles-of-cards": on_card("tiles: {wild: {more: {tiles: [C], stands_for: [2m], in: [triplet]}}}\n", ""),
    "never-filled": in_mine(SPARE.format(""), SPARE.format(", takes: {count: 4}")),
    # mods
    "grows-too-much": Situation(
        {"m.yaml": mod("m", f"change: {{terms: {{lucky: {' or '.join(['was'] * 2_000)}}}}}", "mine")},
        {"m.yaml": mod("m", "change: {terms: {lucky: was or concealed}}", "mine")},
        "tilewright check m.yaml",
        shared={
            "mine.yaml": RULES
            + "terms: {lucky: self_draw and seat_wind == E}\n"
            + DRAWN.replace("when: self_draw", "when: lucky and self_draw")
        },
    ),
    "no-target": Calls(
        lambda folder: whole_at(written(folder, mod("m", "", "nosuch")), {}, {}),
        lambda folder: whole_at(written(folder, mod("m", "")), {}, {}),
    ),
    "mods-conflict": only_command(
        f"tilewright score american --mod stacks --mod no_charleston {CARD_HAND}",
        f"tilewright score american --mod stacks {CARD_HAND}",
    ),
    "broken-ruleset": Situation(
        {
            "mine.yaml": RULES + "patterns: {p: {name: P, worth: wrong}}\n",
            "m.yaml": mod("m", "change: {zones: {hand: {seen_by: everyone}}}", "mine"),
        },
        {"mine.yaml": RULES, "m.yaml": mod("m", "change: {zones: {hand: {seen_by: everyone}}}", "mine")},
        "tilewright check m.yaml",
    ),
    "extends-too-far": Situation(
        chain(40, next_base),
        {"d0.yaml": next_base(0), "d1.yaml": BASE.replace("base\nname", "d1\nname") + "extends: standard\n"},
        "tilewright check d0.yaml",
    ),
    "mod-twice": Situation(
        {"mine.yaml": RULES, "a/one.yaml": mod("one", "", "mine"), "b/one.yaml": mod("one", "", "mine")},
        {"mine.yaml": RULES, "a/one.yaml": mod("one", "", "mine"), "b/two.yaml": mod("two", "", "mine")},
        "tilewright check mine.yaml --mod a/one.yaml --mod b/one.yaml",
        "tilewright check mine.yaml --mod a/one.yaml --mod b/two.yaml",
    ),
    "mods-collide": Situation(
        {name: mod(name[0], "change: {patterns: {pung_hand: {worth: 4}}}", "mine") for name in ("a.yaml", "b.yaml")},
        {
            name: mod(name[0], "change: {patterns: {pung_hand: {worth: was + 1}}}", "mine")
            for name in ("a.yaml", "b.yaml")
        },
        f"tilewright score mine.yaml --mod a.yaml --mod b.yaml {HAND}",
        shared={"mine.yaml": extending("cantonese")},
    ),
    "needs-in-a-circle": Situation(
        {"a.yaml": mod("a", "needs: [b]"), "b.yaml": mod("b", "needs: [a]")},
        {"a.yaml": mod("a", "needs: [b]"), "b.yaml": mod("b", "")},
        "tilewright check a.yaml",
    ),
    "needs-mod": Situation(
        {},
        {},
        f"tilewright score mine.yaml --mod a.yaml {HAND}",
        f"tilewright score mine.yaml --mod b.yaml --mod a.yaml {HAND}",
        shared={"mine.yaml": RULES, "a.yaml": mod("a", "needs: [b]", "mine"), "b.yaml": mod("b", "", "mine")},
    ),
    "too-many-mods": Situation(
        chain(70, needing), {"d0.yaml": needing(0), "d1.yaml": mod("d1", "")}, "tilewright check d0.yaml"
    ),
    "not-a-mod": only_command(
        f"tilewright score riichi --mod cantonese {HAND}", f"tilewright score riichi --mod ema {HAND}"
    ),
    "not-a-ruleset": only_command(f"tilewright score basic1 {HAND}", f"tilewright score cantonese {HAND}"),
    "not-for-this": only_command(
        f"tilewright score riichi --mod minimum {HAND}",
        f"tilewright score chinese_classical --mod minimum:least_total=2 {HAND}",
    ),
    "not-playable": only_command(f"tilewright score standard {HAND}", f"tilewright score cantonese {HAND}"),
    "no-steps-to-change": in_mine("phases: {rob: {do: {hand: {draw: 1}}}}\n", "phases: {rob: {do: []}}\n"),
    "no-examples-to-change": in_mine(DRAWN.replace("[{", "{a: {").replace("}]", "}}"), DRAWN, RULES),
    "unknown-example": Situation(
        {"own.yaml": extending("mine", "own") + "patterns: {drawn: {examples: {by_itslef: null}}}\n"},
        {"own.yaml": extending("mine", "own") + "patterns: {drawn: {examples: {by_itself: null}}}\n"},
        "tilewright check own.yaml",
        shared={"mine.yaml": RULES + DRAWN.replace("[{hand", "[{id: by_itself, hand")},
    ),
    # packs
    "bad-author": packed(PUBLISHED + "authors: ['']\n", PUBLISHED + "authors: [Riverside Mahjong Club]\n"),
    "bad-version": packed(PUBLISHED.replace("1.0.0", "'1.2'"), PUBLISHED),
    "unknown-license": packed(PUBLISHED.replace("CC0-1.0", "free for all"), PUBLISHED),
    "bad-range": packed(PUBLISHED.replace("standard", "riverside/taiwanese@latest"), PUBLISHED),
    "no-publisher": packed(RULES.replace("mine", "club"), PUBLISHED),
    "two-publishers": Situation(
        {"pack/other.yaml": OTHER}, {}, "tilewright pack pack", shared={"pack/club.yaml": PUBLISHED}
    ),
    "no-such-pack": in_mine(
        "extends: riverside/taiwanese@^1\n", "extends: cantonese\n", HEAD.format("ruleset", "mine")
    ),
    "bad-file": Situation(
        {"pack/compose.yaml": "services: {}\n"}, {}, "tilewright pack pack", shared={"pack/club.yaml": PUBLISHED}
    ),
    "bad-index": Situation(
        {},
        {},
        "echo '<html>' > index.json\ntilewright add riverside/club --index index.json",
        "tilewright pack pack -o club.zip\ntilewright index .\ntilewright add riverside/club --index index.json",
        shared={"pack/club.yaml": PUBLISHED},
    ),
    "bad-pack": Situation(
        {},
        {},
        "echo PK > club.zip\ntilewright add club.zip",
        "tilewright pack pack -o club.zip\ntilewright add club.zip",
        shared={"pack/club.yaml": PUBLISHED},
    ),
    "bad-lock": added("echo '<<<<<<<' > tilewright.lock", ""),
    "pack-changed": added("sed -i s/Tried/Changed/ packs/riverside/club/club.yaml", ""),
    "pack-version": added("sed -i s/@^1/@^2/ mine.yaml", ""),
    "too-many-files": Situation(
        {f"pack/m{n}.yaml": mod(f"m{n}", "") for n in range(100)},
        {},
        "tilewright pack pack",
        shared={"pack/club.yaml": PUBLISHED},
    ),
    "two-ranges": Situation(
        {"two.yaml": extending("riverside/club@^1.0", "two")},
        {},
        f"{ADD}\nrm -r pack\ntilewright pack .",
        shared=EXTENDING_CLUB,
    ),
    "needs-pack": Situation(
        {},
        {},
        f"{PACK_OTHER}\ntilewright add other.zip",
        f"{PACK_OTHER}\ntilewright add other.zip club.zip",
        shared=EXTENDING_CLUB,
    ),
    "same-version": Situation(
        {},
        {},
        "tilewright pack pack -o a.zip\nsed -i s/Tried/Other/ pack/club.yaml\n"
        "tilewright pack pack -o b.zip\ntilewright index .",
        "tilewright pack pack -o a.zip\ntilewright index .",
        shared={"pack/club.yaml": PUBLISHED},
    ),
    "bad-update": Situation(
        {},
        {},
        f"{ADD}\nsed -i s/1.0.0/2.0.0/ pack/club.yaml\ntilewright pack pack -o club.zip\ntilewright update",
        f"{ADD}\nsed -i s/1.0.0/1.1.0/ pack/club.yaml\ntilewright pack pack -o club.zip\ntilewright update",
        shared={"pack/club.yaml": PUBLISHED},
    ),
    "too-many-packs": Situation(
        {},
        {},
        "for n in $(seq 5001); do : > p$n.zip; done\ntilewright index .",
        "tilewright pack pack -o a.zip\ntilewright index .",
        shared={"pack/club.yaml": PUBLISHED},
    ),
    # cards
    "empty-line": card_yaml("''", LINE.strip()),
    "no-card": Calls(
        lambda folder: tilewright.load("cantonese").nearest("234m 567p 88s 234s CC"),
        lambda folder: tilewright.load("american").nearest(CARD_TILES),
    ),
    "no-card-notation": Calls(
        lambda folder: tilewright.load("cantonese").as_on_card(),
        lambda folder: tilewright.load("american").as_on_card(),
    ),
    "several-cards": only_command(
        f"tilewright score american --mod basic1 --mod moon_gate {CARD_HAND}",
        f"tilewright score american --mod basic1 {CARD_HAND}",
    ),
    "comment-in-line": card_yaml("FFF 333 6666 9999 # X25", '"FFF 333 6666 9999 # X25"'),
    "not-a-card": only_command("tilewright card show cantonese", "tilewright card show basic1"),
    "not-plain-text": Situation(
        {"c.txt": b"PK\x03\x04" + bytes(100)}, {"c.txt": CARD + LINE}, "tilewright card check c.txt"
    ),
    "plays-no-card": only_command(
        f"tilewright score cantonese --mod basic1 {HAND}", f"tilewright score cantonese {HAND}"
    ),
    "too-many-lines": Situation(
        {"c.txt": CARD + LINE * 5000},
        {"c.txt": CARD + LINE},
        "tilewright card check c.txt",
        besides=frozenset({"same-line-twice"}),
    ),
    # hands
    "line-too-long": Situation(
        {"c.jsonl": " " * 3_000_000 + RIGHT_CASE}, {"c.jsonl": RIGHT_CASE}, "tilewright score cantonese --cases c.jsonl"
    ),
    "too-few-tiles": layout("zones: {dora_indicators: ''}", "zones: {dora_indicators: 1m}", extending("riichi")),
    "too-many-readings": Calls(scored(RULES + WILD, "J" * 13, "J"), scored(RULES + WILD, "JJ 1234567899m P", "P")),
    "no-play": Calls(begun_at(ALONE + DRAWN, {"play": []}), begun_at(RULES, {"play": []})),
    "no-quiet-deal": Calls(begun_at(RULES + ASKING, {"play": []}), begun_at(RULES, {"play": []})),
    "not-in-a-play": Calls(
        begun_at(RULES, {"win_tile": "C", "play": []}), begun_at(RULES, {"play": [], "expect": {"win": False}})
    ),
    "not-a-case": case_file("[1, 2]"),
    "not-json": case_file("{hand: 234m}"),
    "not-utf-8": Situation(
        {"cantonese.jsonl": b'{"id": "\xe9", ' + RIGHT_CASE.encode()[1:]},
        {"cantonese.jsonl": RIGHT_CASE},
        "tilewright check cantonese.jsonl",
    ),
    "unanswered": Situation(
        {"mine.yaml": RULES + PAID.format("payer.waits")},
        {"mine.yaml": RULES + PAID.format("points")},
        f"tilewright score mine.yaml {HAND} --seat-wind E --self-draw",
    ),
    "unknown-rules": case_file('{"ruleset": "nosuch", ' + RIGHT_CASE[1:]),
    "no-hand": layout("others: {S: {melds: [123m]}}", "others: {S: {hand: 46m 258p 369s EE, melds: [123m]}}"),
    "term-in-a-play": layout("flags: [last_tile]", "flags: [robbing_kong]"),
    "wrong-walls": layout("walls: 1m", "walls: [1m 2m 3m]"),
    # logs
    "cut-line": ChangedLog(lambda rows: [*rows[:-1], rows[-1].rstrip()]),
    "changed-line": ChangedLog(
        lambda rows: [row.replace('"event":"draw","seat":"S"', '"event":"draw","seat":"W"') for row in rows]
    ),
    "illegal-answer": ChangedLog(lambda rows: [*rows[:20], rows[20].replace('"E"', '"S"'), *rows[21:]]),
    "other-ruleset": ChangedLog(with_head(digest="0" * 64)),
    "broken-promise": Calls(lambda folder: fair(promised=False), lambda folder: fair()),
    "undisclosed-deal": Calls(lambda folder: fair(whole=False), lambda folder: fair()),
    "damaged-log": ChangedLog(
        lambda rows: [*rows[:9], '{"n":9,"event":"draw"}\n', *rows[10:-1]],
        "tilewright play --resume game.jsonl --plain",
    ),
    "bad-header": ChangedLog(with_head(hands=0)),
    "empty-log": ChangedLog(lambda rows: []),
    "other-format": ChangedLog(with_head(log=99)),
    "not-a-log": ChangedLog(lambda rows: ['{"a": 1}\n', *rows]),
    "missing-line": ChangedLog(lambda rows: rows[:-1]),
    "extra-line": ChangedLog(lambda rows: [*rows, rows[-1]]),
    "long-line": ChangedLog(lambda rows: [*rows[:3], " " * 2_000_000 + rows[3]]),
    "unknown-ruleset": ChangedLog(with_head(ruleset="nosuch")),
}


NOT_MADE: Mapping[str, str] = {
    "bad-ranks": "the schema finds `wrong-type` first; tests/hands/test_groups.py makes it without a schema",
    "bad-wall": "walls that do not follow from a seed come from programs that give them one by one",
    "bad-yaml": "every complaint of the parser that is known has a code of its own; this is for the others",
    "broken-game": "a bot has to fail; tests/players/test_simulate.py has one that does",
    "check-failed": "a process of the language server has to die",
    "group-made-twice": "`not-one-sort` is found first; tests/hands/test_groups.py makes it without that check",
    "group-without-tiles": "`not-one-sort` is found first; tests/hands/test_groups.py makes it without that check",
    "missing-ranks": "`missing-key` is found first; tests/data/tile_problems.yaml makes it without that check",
    "no-start": "`no-way-on` is found first, and such rules are not opened",
    "no-tile-in-question": "a tile may always be in question there; tests/language/test_lint_table.py has a game",
    "not-a-document": "`not-a-mapping` is found first in files; it is for nodes that programs make",
    "not-formattable": "no document is known that the formatter changes; tests/language/test_format.py looks for one",
    "not-played": "told by a job of the workshop; tests/terminal/test_play_app.py has the same in words",
    "slow-pattern": "it takes seconds, and none of the usual traps is slow in this matcher",
    "too-slow": "it takes the seconds that the language server waits",
    "worker-lost": "a process has to be killed; tests/players/test_simulate.py kills one",
    "wrong-shape": "every rule of the schema has a problem of its own; this is for one that will be added",
}
