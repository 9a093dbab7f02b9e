"""Jobs about rules as people read them: what is offered, and rulebooks. Run in processes with limits."""

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.apps.web.spec import asked_of, folder_of_texts, read_spec

Plain = dict[str, Any]
LANGUAGES = ("en", "zh")


def rulesets(payload: Plain) -> Plain:
    """The bundled rulesets, with all that may be chosen for them."""
    from tilewright.apps.web.offered import rulesets_json

    return {"rulesets": rulesets_json()}


def rulebook(payload: Plain) -> Plain:
    """The rulebook of `spec` in the language `lang`. Raises BadSpec with every problem of its documents."""
    from tilewright.apps.rulebook.book import rulebook_of
    from tilewright.apps.web.spec import BadSpec
    from tilewright.base.problem import RulesetError

    spec, language = read_spec(payload.get("spec")), str(payload.get("lang") or LANGUAGES[0])[:20]
    with folder_of_texts() as folder:
        try:
            name, settings, mods = asked_of(spec, folder)
            return rulebook_of(name, settings, mods, language).to_json()
        except RulesetError as error:
            raise BadSpec(folder.told(error.problems)) from None


JOBS: Mapping[str, Callable[[Plain], Plain]] = {"about-rulesets": rulesets, "about-rulebook": rulebook}
