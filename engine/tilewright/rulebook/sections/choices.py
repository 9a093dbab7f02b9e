"""The choices: options, presets and mods; and the sources of the rules."""

from collections.abc import Iterator
from typing import Any

from tilewright.base.node import Mapping as MappingNode
from tilewright.language.documents.cards import name_of_bundled
from tilewright.language.documents.fields import EMPTY, entries, text_at, texts
from tilewright.language.documents.library import bundled_documents, kind_at, read_document
from tilewright.language.documents.mods import listed
from tilewright.language.documents.options import (
    SORTS,
    Preset,
    choice_name,
    choices_of,
    default_of,
    number_at,
    presets_of,
)
from tilewright.language.documents.whole import is_for
from tilewright.rulebook.sentences.words import sentence
from tilewright.rulebook.writing.blocks import BookBlock
from tilewright.rulebook.writing.teller import Teller
from tilewright.scoring.score import show_number


def choices(teller: Teller) -> Iterator[BookBlock]:
    rows = [option_row(teller, id, node) for id, node in entries(teller.whole.full, "options")]
    if rows:
        yield teller.heading("options")
        keys = ["option", "can_be", "usual", "here"]
        if all(usual == here for _, _, usual, here in rows):
            keys, rows = keys[:-1], [row[:-1] for row in rows]
        yield BookBlock("table", head=tuple(sentence(teller.within(key), "") for key in keys), rows=tuple(rows))
    presets = [preset_text(teller, one) for one in presets_of(teller.whole.full)]
    if presets:
        yield teller.heading("presets")
        yield BookBlock("list", items=tuple(presets))
    if found := list(mods(teller)):
        yield teller.heading("mods")
        yield BookBlock("list", items=tuple(found))


def preset_text(teller: Teller, preset: Preset) -> str:
    """A preset: its name, its note, its settings."""
    name, about = teller.say.named(preset.id, preset.name), teller.note("presets", preset.id)
    options = dict(entries(teller.whole.full, "options"))
    labels = {id: teller.say.named(id, texts(node.get("label"))) for id, node in options.items()}
    chosen = [
        f"{labels.get(id, id)}{teller.colon}{value(teller, options.get(id, EMPTY), one)}"
        for id, one in preset.options.items()
    ]
    settings = teller.within("semicolon").join(chosen)
    text = f"{name}{teller.colon}{about}" if about else name
    return teller.within("preset", name=text, settings=settings) if settings else text


def option_row(teller: Teller, id: str, option: MappingNode) -> tuple[str, ...]:
    """Label, possible values, default, value here."""
    sort = next(sort for sort in SORTS if sort in option.entries)
    if sort == "flag":
        can = teller.within("yes") + teller.within("or") + teller.within("no")
    elif sort == "choice":
        can = teller.say.listed([value(teller, option, one) for one in choices_of(option)])
    else:
        least, most = (number_at(option, end) for end in ("from", "to"))
        can = (
            ""
            if least is None or most is None
            else teller.within("range", least=show_number(least), most=show_number(most))
        )
    here = teller.data.options.get(id, default_of(option))
    usual = value(teller, option, default_of(option))
    return teller.say.named(id, texts(option.get("label"))), can, usual, value(teller, option, here)


def value(teller: Teller, option: MappingNode, value: Any) -> str:
    """A setting of an option in words."""
    if isinstance(value, bool):
        return teller.within("yes" if value else "no")
    if not isinstance(value, str):
        return show_number(value)
    return teller.say.named(value, choice_name(option, value) or name_of_bundled(value))


def mods(teller: Teller) -> Iterator[str]:
    """The bundled mods for the ruleset."""
    ids = tuple(text_at(document, "id") for document in teller.sources)
    paths = [path for path in bundled_documents() if kind_at(path) == "mod"]
    mods = [one for one in map(read_document, paths) if is_for(one, ids)]
    names = {text_at(one, "id"): teller.say.named(text_at(one, "id"), texts(one.get("name"))) for one in mods}
    for one in mods:
        text = names[text_at(one, "id")] + teller.colon + teller.say.named("", texts(one.get("about")))
        against = [names[item.text] for item in listed(one, "conflicts") if item.text in names]
        beside = teller.within("conflicts", mods=teller.say.listed(against, "and")) if against else ""
        yield text + teller.within("brackets", text=beside) if beside else text


def origins(teller: Teller) -> Iterator[BookBlock]:
    sources = (teller.say.named("", texts(document.get("source"))) for document in teller.sources)
    found = dict.fromkeys(source for source in sources if source)
    if found:
        yield BookBlock("list", items=tuple(sentence(source) for source in found))
