"""Jobs about rules: a Spec in, plain data out. Run in a process for untrusted texts, with limits."""

from typing import Any

from tilewright.presentation.catalogue import ENGLISH
from tilewright.presentation.rules_data import about_json
from tilewright.web.protocol.spec import NO_TEXTS, asked_of, folder_of_texts, kept_texts, read_spec, rules_of

Plain = dict[str, Any]


def about(payload: Plain) -> Plain:
    """The rules of `spec`, with the texts that its table has `kept`, as a page needs them. Raises BadSpec."""
    return about_json(rules_of(read_spec(payload.get("spec")), payload.get("kept") or NO_TEXTS))


def make(payload: Plain) -> Plain:
    """Compile the rules of `spec`, with the texts that its table has `kept`, into the cache for other processes. Raises
    BadSpec."""
    return {"digest": rules_of(read_spec(payload.get("spec")), payload.get("kept") or NO_TEXTS).data.text_digest}


def texts(payload: Plain) -> Plain:
    """The texts of the bundled documents of `spec` in the version of which `digest` is; null if that is not known."""
    return {"texts": kept_texts(read_spec(payload.get("spec")), payload.get("digest"))}


def rulesets(payload: Plain) -> Plain:
    """The bundled rulesets, with all their choices."""
    from tilewright.web.jobs.offered import rulesets_json

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
