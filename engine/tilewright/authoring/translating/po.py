"""PO: translations as a file of gettext, which translators' tools read and write; with polib, of the extra `po`.

An entry has the place of its text as context. What is stale is fuzzy, with the text that it was made of.
"""

from collections.abc import Iterator
from dataclasses import replace

from tilewright.authoring.open_rules import CannotBegin
from tilewright.authoring.translating.layout import Path
from tilewright.authoring.translating.translations import TranslatedText, Translations
from tilewright.language.companions.freshness import is_same

BETWEEN = "/"  # the keys of a place
FUZZY = "fuzzy"


def as_po(found: Translations) -> str:
    """The translations as the text of a PO file."""
    import polib

    file = polib.POFile(wrapwidth=100)
    file.metadata = {
        "Project-Id-Version": found.id,
        "Language": found.language.replace("-", "_"),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    for one in found.texts:
        if not one.inline:
            entry = polib.POEntry(msgctxt=BETWEEN.join(one.path), msgid=one.source, msgstr=one.translation)
            if one.was:
                entry.flags, entry.previous_msgid = [FUZZY], one.was
            file.append(entry)
    return f"{file}\n"


def with_po(found: Translations, text: str) -> tuple[Translations, tuple[str, ...]]:
    """The translations with those of a PO file, and the places in it that the document does not have. Raises
    CannotBegin if the text is no PO file."""
    import polib

    try:
        file = polib.pofile(text) if "msgid" in text else None
    except (OSError, ValueError, UnicodeError) as error:
        raise CannotBegin(f"this is no PO file: {error}") from None
    if file is None:
        raise CannotBegin("this is no PO file: it has no msgid")
    new: dict[Path, TranslatedText] = {}
    for entry in file:
        if not entry.obsolete and entry.msgctxt:
            path = tuple(entry.msgctxt.split(BETWEEN))
            was = entry.previous_msgid or entry.msgid if FUZZY in entry.flags else ""
            new[path] = TranslatedText(path, entry.msgid, entry.msgstr, was)
    own = {one.path for one in found.texts}
    texts = tuple(taken(found, new))
    return replace(found, texts=texts), tuple(BETWEEN.join(path) for path in new if path not in own)


def taken(found: Translations, new: dict[Path, TranslatedText]) -> Iterator[TranslatedText]:
    """Each text with its translation of the file, if that has one."""
    for one in found.texts:
        given = new.get(one.path)
        if given is None or not given.translation or one.inline:
            yield one
        else:
            was = given.was or ("" if is_same(given.source, one.source) else given.source)
            yield replace(one, translation=given.translation, was=was)
