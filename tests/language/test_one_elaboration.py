"""One elaboration for all options: a ruleset opened after others is the same as one that is opened first."""

from collections.abc import Iterator, Mapping
from unittest.mock import Mock

import pytest
from bundled_mods import fitting
from games import MOSTLY_SOAKED, PLAYED, mostly_soaked

from tilewright.base.node import Mapping as Node
from tilewright.base.problem import RulesetError
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.cards import card_options
from tilewright.language.documents.library import path_of, read_document
from tilewright.language.documents.options import choices_of, choose, number_at
from tilewright.language.documents.whole import ExtendedDocument, extended
from tilewright.language.elaborate import assemble, compiled
from tilewright.language.expressions import lower
from tilewright.language.load import load_data

Setting = Mapping[str, object]
TWO = mostly_soaked(PLAYED, ("american", "sichuan"))


def settings_of(document: ExtendedDocument) -> Iterator[Setting]:
    """Every option with another value than the usual one: truths, ends of numbers, choices."""
    options = document.full.get("options")
    usual, _ = choose(options, {})
    for id, node in options.items() if isinstance(options, Node) else ():
        assert isinstance(node, Node)
        others = [True, False] if "flag" in node.entries else choices_of(node)
        numbers = [number_at(node, "from"), number_at(node, "to")] if "number" in node.entries else []
        yield from ({id: value} for value in (*others, *numbers) if value not in (None, usual[id].chosen))


def opened(document: ExtendedDocument, setting: Setting, mods: tuple[str, ...] = ()) -> CompiledRuleset | list[str]:
    """The ruleset, or what is wrong with it."""
    try:
        return compiled(assemble(document, [read_document(path_of(mod)) for mod in mods], setting))
    except RulesetError as error:
        return [problem.message for problem in error.problems]


def anew(document: ExtendedDocument) -> ExtendedDocument:
    """The same, of which nothing is known yet."""
    return ExtendedDocument(document.full, document.line)


@pytest.mark.slow
@pytest.mark.parametrize("id", TWO)
def test_every_option_is_as_if_it_were_set_first(id: str) -> None:
    document = anew(extended(path_of(id)))
    for setting in ({}, *settings_of(document), {}):
        assert repr(opened(document, setting)) == repr(opened(anew(document), setting)), setting


@pytest.mark.slow
@pytest.mark.parametrize("id", TWO)
def test_every_mod_is_as_if_it_were_applied_first(id: str) -> None:
    document = anew(extended(path_of(id)))
    for mod in fitting(id):
        setting: Setting = next(settings_of(document), {})
        for options in ({}, setting):
            assert repr(opened(document, options, (mod,))) == repr(opened(anew(document), options, (mod,))), mod


@pytest.mark.long
@pytest.mark.parametrize("id", MOSTLY_SOAKED)
def test_another_option_costs_a_fraction(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most half of the expressions are compiled again, and hardly any the second time. Another card has other hands,
    which are found when it is first played."""
    counted = Mock(wraps=lower.Lowering)
    monkeypatch.setattr(lower, "Lowering", counted)
    document = anew(extended(path_of(id)))
    cards = card_options(document.full)
    setting = next((setting for setting in settings_of(document) if cards.isdisjoint(setting)), {})
    numbers = []
    for options in ({}, setting, setting):
        counted.reset_mock()
        opened(document, options)
        numbers.append(counted.call_count)
    first, other, again = numbers
    assert first > 100 and other <= first / 2 and again <= first / 20


def test_parts_that_do_not_name_an_option_are_the_very_same_with_it() -> None:
    document = anew(extended(path_of("riichi")))
    before, after = opened(document, {}), opened(document, {"target": 50_000})
    assert isinstance(before, CompiledRuleset) and isinstance(after, CompiledRuleset) and before.play and after.play
    assert all(one is other for one, other in zip(before.patterns, after.patterns, strict=True))
    assert all(before.play.phases[id] is phase for id, phase in after.play.phases.items())
    others = {id for id, action in after.play.actions.items() if before.play.actions[id] is not action}
    assert others == {"end_of_hand"}


def test_settings_of_presets_and_texts_are_the_same() -> None:
    """Through the cache and around it."""
    for setting in ("true", "false", "true"):
        assert load_data("riichi", {"open_tanyao": setting}).options["open_tanyao"] is (setting == "true")
