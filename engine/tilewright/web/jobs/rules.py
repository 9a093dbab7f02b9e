"""The jobs about rules: a Spec in, plain data out: rules as pages need them, what can be played, tiles and a hand that
show it, and how rules of people's own differ from bundled ones.

The hand that is shown is the same each time, since its seed is. Runs in a process for untrusted texts, with limits.
Knows no request and no table.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from tilewright.base.node import Mapping as MappingNode
from tilewright.base.problem import RulesetError
from tilewright.language.documents.bundled import bundled_file, bundled_ids, bundled_ruleset, document_folders
from tilewright.language.documents.cards import name_of_bundled
from tilewright.language.documents.companions import whole_text
from tilewright.language.documents.fields import entries, flag, kind_of, section, text, text_at, texts
from tilewright.language.documents.library import bundled_documents, read_document
from tilewright.language.documents.mods import listed
from tilewright.language.documents.options import (
    SORTS,
    Preset,
    choice_name,
    choices_of,
    default_of,
    number_at,
    presets_of,
    read_mod,
)
from tilewright.language.documents.whole import MergedRuleset, ids_of, is_for
from tilewright.language.elaborate import open_whole
from tilewright.language.load import Elaborated, load_elaborated
from tilewright.play.rules import Rules, load
from tilewright.play.view import View
from tilewright.players.player import bot
from tilewright.players.programs.process import plain
from tilewright.presentation.catalogue import ENGLISH
from tilewright.presentation.markup import written
from tilewright.presentation.names import named
from tilewright.presentation.rules_data import about_json
from tilewright.presentation.tile_shapes import Drawing, drawings, drawings_in
from tilewright.presentation.tile_svg import sprite_of
from tilewright.rulebook.changes import DisclosureLine, changes, disclosed
from tilewright.rulebook.comparison import Comparison
from tilewright.rulebook.comparison_lines import ChangeSection, ComparisonLines
from tilewright.rulebook.sides import OpenSide, Side
from tilewright.web.jobs.session import WorkerSession
from tilewright.web.protocol.moments import ALL, changed, parts_of
from tilewright.web.protocol.spec import (
    NO_TEXTS,
    BadSpec,
    DocumentFolder,
    Spec,
    SpecDocument,
    asked_of,
    folder_of_texts,
    kept_texts,
    own_documents,
    read_spec,
    rules_of,
)

Plain = dict[str, Any]


# --- rules


def about(payload: Plain) -> Plain:
    """The rules of `spec`, with the texts that its table has `kept`, as a page needs them. Raises BadSpec."""
    return about_json(rules_of(read_spec(payload.get("spec")), payload.get("kept") or NO_TEXTS))


def make(payload: Plain) -> Plain:
    """Compile the rules of `spec`, with the texts that its table has `kept`, into the cache for other processes. Raises
    BadSpec."""
    return {"digest": rules_of(read_spec(payload.get("spec")), payload.get("kept") or NO_TEXTS).data.text_digest}


def texts_of_rules(payload: Plain) -> Plain:
    """The texts of the bundled documents of `spec` in the version of which `digest` is; null if that is not known."""
    return {"texts": kept_texts(read_spec(payload.get("spec")), payload.get("digest"))}


def rulesets(payload: Plain) -> Plain:
    """The bundled rulesets, with all their choices."""

    return {"rulesets": rulesets_json()}


def rulebook(payload: Plain) -> Plain:
    """The rulebook of `spec`, with the texts that its table has `kept`, in the language `lang`. Raises BadSpec with
    every problem of its documents."""
    from tilewright.base.problem import RulesetError
    from tilewright.rulebook.book import rulebook_of
    from tilewright.web.protocol.spec import BadSpec

    spec, language = read_spec(payload.get("spec")), str(payload.get("lang") or ENGLISH)[:20]
    with folder_of_texts() as folder:
        try:
            name, settings, mods = asked_of(spec, folder, payload.get("kept") or NO_TEXTS)
            return rulebook_of(name, settings, mods, language).to_json()
        except RulesetError as error:
            raise BadSpec(folder.problems_json(error.problems)) from None


def score_card(payload: Plain) -> str:
    """The score card of the bundled ruleset `id`, as `format` html or svg on `paper`, in the language `lang`."""
    from tilewright.rulebook.score_card import score_card_of
    from tilewright.rulebook.score_card_sheet import score_card_page, score_card_svg

    card = score_card_of(payload["id"], language=payload["lang"])
    write = score_card_svg if payload["format"] == "svg" else score_card_page
    return write(card, payload["paper"])


# --- what can be played


USUAL_SEATS = 4


def rulesets_json() -> list[Plain]:
    """Every bundled ruleset, and those that Python packages bring, by name."""
    documents = [(path, read_document(path)) for path in bundled_documents()]
    mods = [document for _, document in documents if kind_of(document) == "mod"]
    found = [ruleset_json(path, mods) for path, document in documents if kind_of(document) == "ruleset"]
    return sorted(found, key=lambda one: str(next(iter(one["name"].values()), one["id"])))


def ruleset_json(path: Path, mods: list[MappingNode]) -> Plain:
    """One ruleset with all its choices."""
    whole, ids = open_whole(str(path)), ids_of(path)
    least, most, option = seats_of(whole)
    options = options_json(whole.full)
    return {
        "id": path.stem,
        "name": named(path.stem, texts(whole.full.get("name"))),
        "about": texts(whole.full.get("about")),
        "source": texts(whole.full.get("source")),
        "profile": profile_json(whole.full),
        "languages": languages_of(whole.full),
        "seats": [least, most],
        "seats_option": option,
        "seats_usual": next((one["default"] for one in options if one["id"] == option), most),
        "cards": any(one["kind"] == "card" for one in options),
        "options": options,
        "mods": [mod_json(mod) for mod in mods if is_for(mod, ids)],
        "presets": [preset_json(preset) for preset in presets_of(whole.full)],
    }


def profile_json(document: MappingNode) -> Plain:
    """What tells someone who does not know a ruleset whether to try it."""
    profile = section(document, "profile")
    minutes = number_at(profile, "minutes")
    return {
        "level": text_at(profile, "level"),
        "minutes": None if minutes is None else plain(minutes),
        "in_short": dict(texts(profile.get("in_short"))),
        "tiles": [item.text for item in listed(profile, "tiles")],
        "hints": flag(profile, "hints"),
    }


def languages_of(document: MappingNode) -> list[str]:
    """The languages that the ruleset's name, its description and the names of all its patterns have."""
    said = [texts(document.get(key)) for key in ("name", "about")]
    said += [texts(node.get("name")) for _, node in entries(document, "patterns")]
    written = [one for one in said if one]
    return [language for language in written[0] if all(language in one for one in written)] if written else [ENGLISH]


def seats_of(whole: MergedRuleset) -> tuple[int, int, str | None]:
    """The fewest and most players, and the option that sets the number, if there is one."""
    count = text(section(whole.full, "seats"), "count")
    option = section(whole.full, "options").get(count)
    if isinstance(option, MappingNode):
        least, most = (number_at(option, end) for end in ("from", "to"))
        return int(least or 1), int(most or USUAL_SEATS), count
    number = int(count) if count.isascii() and count.isdigit() else USUAL_SEATS
    return number, number, None


# --- options


def options_json(document: MappingNode) -> list[Plain]:
    """Every option as a field of a form. A card is a special kind of choice."""
    cards = {text(form, "card") for _, form in entries(document, "forms")}
    return [option_json(id, node, id in cards) for id, node in entries(document, "options")]


def option_json(id: str, option: MappingNode, card: bool) -> Plain:
    sort = next(sort for sort in SORTS if sort in option.entries)
    found: Plain = {
        "id": id,
        "label": named(id, texts(option.get("label"))),
        "kind": "card" if card else sort,
        "default": plain(default_of(option)),
    }
    if sort == "number":
        bounds = {name: number_at(option, name) for name in ("from", "to", "step")}
        return found | {name: plain(bound) for name, bound in bounds.items() if bound is not None}
    if sort == "choice":
        found["choices"] = [
            {"id": one, "label": card_name(one) if card else named(one, choice_name(option, one))}
            for one in choices_of(option)
        ]
    return found


def card_name(id: str) -> dict[str, str]:
    """The name of a bundled card."""
    return named(id, name_of_bundled(id))


# --- mods and presets


def mod_json(mod: MappingNode) -> Plain:
    return {
        "id": text_at(mod, "id"),
        "name": named(text_at(mod, "id"), texts(mod.get("name"))),
        "about": texts(mod.get("about")),
        "options": options_json(mod),
        "conflicts": [item.text for item in listed(mod, "conflicts")],
        "needs": [item.text for item in listed(mod, "needs")],
    }


def preset_json(preset: Preset) -> Plain:
    return {
        "id": preset.id,
        "name": named(preset.id, preset.name),
        "about": dict(preset.about),
        "options": dict(preset.options),
        "mods": [mod_wanted(mod) for mod in preset.mods],
    }


def mod_wanted(text: str) -> Plain:
    """`mod:option=value` as in a spec."""
    id, options = read_mod(text)
    return {"id": id, "options": options}


# --- what the first page shows


BOT, SEED = "fast", 5
SKIPPED = 0.45  # of a hand, until there is something to see
MOST_STEPS = 80


def strips(payload: Plain) -> Plain:
    """The typical tiles of every ruleset, drawn in the style `set`, with codes of their own; faces that look alike are
    one tile."""
    codes: dict[Drawing, str] = {}
    found: dict[str, list[str]] = {}
    for one in rulesets_json():
        faces = {drawing.code: replace(drawing, code="") for drawing in drawings(load(one["id"]).data.tiles)}
        found[one["id"]] = [codes.setdefault(faces[code], str(len(codes))) for code in one["profile"]["tiles"]]
    sprite = sprite_of((replace(face, code=code) for face, code in codes.items()), str(payload.get("set")))
    return {"sprite": written(sprite), "strips": found}


def faces(payload: Plain) -> str:
    """The sprite of `tiles`, as rules for pages have them, in the style `set`."""
    return written(sprite_of(drawings_in(payload["tiles"]), str(payload.get("set"))))


def showcase(payload: Plain) -> Plain:
    """The second half of a hand of `spec` that bots play, as spectators see it: the parts of its first view, then those
    that change."""
    rules = rules_of(read_spec(payload.get("spec")))
    views = [parts_of(view) for view in played(rules)]
    views = views[int(len(views) * SKIPPED) :][:MOST_STEPS]
    steps = [views[0], *(changed(before, now) for before, now in pairwise(views))]
    return {"digest": rules.data.text_digest, "steps": [step for step in steps if step]}


def played(rules: Rules) -> Iterator[Plain]:
    """The views of a hand, up to its end."""
    session = WorkerSession(game := rules.game(SEED, hands=1, pausing=True))
    session.viewers = {ALL: None}
    bots = [bot(BOT, rules, SEED) for _ in session.game.program.everyone]
    while True:
        for moment in session.moments():
            if moment.ends or game.over:
                return
            yield moment.views[ALL]
        seat = game.asked[0]
        game.answer(bots[game.player(seat)].choose(View(game, seat)))


# --- rules of people


Asked = tuple[str, Mapping[str, str], Sequence[str]]  # a ruleset, its options, mods

LEAST_ALIKE = 0.25  # of all lines of two rulesets, so that one is taken for a copy of the other
MOST_LINES, MOST_LINE = 400, 1_000  # of a difference in sentences, and characters of each
MOST_TEXT = 150_000  # characters of all texts
MOST_COMPARED = 20_000  # lines of a text
AROUND = 2  # lines of context


def difference(payload: Plain) -> Plain:
    """What the rules of `spec`, with the texts that its table has `kept`, are in the language `lang`. `against`: the
    bundled ruleset that they are compared with; `shows`: what they show, and it does not; `changes`: what they change
    in it; `texts`: of their documents, or what differs in these. Raises BadSpec."""
    spec, language = read_spec(payload.get("spec")), str(payload.get("lang") or ENGLISH)[:20]
    with folder_of_texts() as folder:
        try:
            asked = asked_of(spec, folder, payload.get("kept") or NO_TEXTS)
            new = side(asked, language)
            base, is_copy = compared_with(spec, new.whole)
            old = None if base is None else opened(base_of(spec, base, folder), language)
        except RulesetError as error:
            raise BadSpec(folder.problems_json(error.problems)) from None
    return {
        "against": None if old is None or base is None else {"id": base, "name": dict(old.rules.data.name)},
        "shows": [shown_json(one) for one in disclosed(new, old)[:MOST_LINES]],
        "changes": [] if old is None else [*changes_json(old, new, language)],
        "texts": [*texts_json(spec, base if is_copy else None)],
    }


# --- what is compared


def side(asked: Asked, language: str) -> OpenSide:
    """Raises RulesetError."""
    name, settings, mods = asked

    def opens(options: Mapping[str, str]) -> Elaborated:
        return load_elaborated(name, {**settings, **options}, mods)

    return Side(name, opens, language).under()


def opened(asked: Asked, language: str) -> OpenSide:
    """The bundled rules with the same options, or, where they cannot have these, with their own."""
    try:
        return side(asked, language)
    except RulesetError:
        return side((asked[0], {}, asked[2]), language)


def base_of(spec: Spec, base: str, folder: DocumentFolder) -> Asked:
    """The bundled ruleset with what is bundled of the mods and options, and the card."""
    bundled = SpecDocument(id=base)
    mods = tuple(mod for mod in spec.mods if mod.text is None and spec.ruleset.text is None)
    name, settings, patches = asked_of(msgspec.structs.replace(spec, ruleset=bundled, mods=mods, beside=()), folder)
    known = open_whole(name, {}, [mod.id for mod in mods]).options
    return name, {id: value for id, value in settings.items() if id in known}, patches


def compared_with(spec: Spec, whole: MergedRuleset) -> tuple[str | None, bool]:
    """The bundled ruleset that rules are compared with, if there is one, and whether they are a copy of it: the one
    that is played, that a text extends, or that a text has most lines of."""
    if spec.ruleset.text is None:
        return spec.ruleset.id, False
    folders = {folder.resolve() for folder in document_folders()}
    for source in whole.inherited:
        path = Path(source.name).resolve()
        if path.parent in folders and bundled_ruleset(path):
            return path.stem, False
    return most_alike(spec.ruleset.text), True


def most_alike(text: str) -> str | None:
    """The bundled ruleset with most lines of a text; None if none has many."""
    mine = lines_of(text)
    found = {id: alike(mine, lines_of(own)) for id, own in bundled_texts()}
    best = max(found, key=lambda id: found[id], default=None)
    return best if best is not None and found[best] >= LEAST_ALIKE else None


def alike(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def lines_of(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}


def bundled_texts() -> Iterator[tuple[str, str]]:
    """Every bundled ruleset with its text."""
    for id in bundled_ids():
        path = bundled_file(id)
        if path is not None and path.parent.name != "cards" and bundled_ruleset(path):
            yield id, whole_text(path)


# --- as plain data


def shown_json(one: DisclosureLine) -> Plain:
    return {"text": one.text[:MOST_LINE], "hidden": [name[:MOST_LINE] for name in one.hidden]}


def changes_json(old: OpenSide, new: OpenSide, language: str) -> Iterator[Plain]:
    """What players would notice, by sections, as many lines as there is room for."""
    said = ComparisonLines(Comparison(old, new, changes(old, new)), language)
    room = MOST_LINES
    for part in said.changes(said.shown):
        lines = [*lines_json(part)][:room]
        room -= len(lines)
        if lines:
            yield {"title": part.title, "lines": lines}


def lines_json(part: ChangeSection) -> Iterable[Plain]:
    for one in part.lines:
        what = "" if one.change is None else one.change.what
        more = [text[:MOST_LINE] for text in one.more[:MOST_LINES]]
        yield {"what": what, "name": one.name[:MOST_LINE], "text": one.text[:MOST_LINE], "more": more}


def texts_json(spec: Spec, copied: str | None) -> Iterator[Plain]:
    """The texts of people's own documents; of a copy what differs from the original."""
    room = MOST_TEXT
    for kind, document in own_documents(spec):
        text = document.text or ""
        original = copied if kind == "ruleset" else None
        if original is not None:
            text = "\n".join(compared_lines(original, text)) or text
        yield {"kind": kind, "name": document.name, "text": text[:room], "whole": len(text) <= room, "from": original}
        room = max(0, room - len(text))


def compared_lines(original: str, text: str) -> Iterable[str]:
    """The lines of a copy that are not those of the bundled original, with some around them."""
    path = bundled_file(original)
    assert path is not None
    was, now = whole_text(path).splitlines(), text.splitlines()
    if len(now) > MOST_COMPARED:
        return now
    return list(difflib.unified_diff(was, now, n=AROUND, lineterm=""))[2:]
