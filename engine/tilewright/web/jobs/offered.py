"""What can be played: the bundled rulesets with their options, mods and presets, as data for forms.

Reads documents and compiles none. Knows no request.
"""

from pathlib import Path
from typing import Any

from tilewright.base.node import Mapping as MappingNode
from tilewright.language.documents.cards import name_of_bundled
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
from tilewright.players.programs.protocol import plain
from tilewright.presentation.catalogue import ENGLISH
from tilewright.presentation.names import named

Plain = dict[str, Any]
USUAL_SEATS = 4
CHOICES = ("options", "mods", "presets", "source")  # that only those who set a table up need


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


def outline(ruleset: Plain) -> Plain:
    """A ruleset without what is chosen at a table."""
    return {key: value for key, value in ruleset.items() if key not in CHOICES}


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
