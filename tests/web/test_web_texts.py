"""A document with its texts and cases is one text in the workshop and at a table; its languages are offered there."""

import pytest

from tilewright.language.documents.whole import text_digest_of
from tilewright.language.elaborate import open_whole
from tilewright.language.load import load_data
from tilewright.presentation.rules_data import about_json
from tilewright.web.jobs.rules import most_alike
from tilewright.web.jobs.workshop import forked, opened
from tilewright.web.protocol.spec import are_bundled, kept_texts, read_spec, rules_of

pytestmark = pytest.mark.long
GERMAN = "---\ntilewright: 1\nkind: texts\nid: mine\nlanguage: de\nname: {en: My Riichi, de: Mein Riichi}\n"


def test_a_copy_has_all_languages_and_takes_another() -> None:
    """In one text: what one adds below `---` is offered where the rules are shown."""
    text = forked("riichi", "mine") + GERMAN
    assert text.count("\nid: mine\n") == 6 and "yaml-language-server" not in text
    with opened({"text": text}) as (rules, _):
        names = about_json(rules)["name"]
    assert names == {"en": "My Riichi", "zh": "日本麻將", "ja": "リーチ麻雀", "de": "Mein Riichi"}
    assert most_alike(text) == "riichi"


@pytest.mark.parametrize("id", ["cantonese", "sanma"])
def test_a_table_keeps_texts_and_cases_of_its_rules(id: str) -> None:
    spec = read_spec({"ruleset": {"id": id}})
    kept = kept_texts(spec, text_digest_of(open_whole(id)))
    assert kept is not None and are_bundled(kept) and "standard" in kept
    assert kept[id].count("\n---\n") >= 3
    changed = {**kept, id: kept[id] + "# once\n"}
    assert not are_bundled(changed)
    old, new = rules_of(spec, changed).data, load_data(id)
    assert (old.digest, old.name, len(old.cases)) == (new.digest, new.name, len(new.cases))
