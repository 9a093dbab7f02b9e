"""What one plays for: the note on a game, its aim, the mods and the card that it is played with."""

from collections.abc import Iterator

from tilewright.language.documents.fields import kind_of, text_at, texts
from tilewright.language.documents.options import presets_of
from tilewright.paper.sheet import sections_of
from tilewright.rulebook.sentences.words import sentence
from tilewright.rulebook.writing.blocks import BookBlock
from tilewright.rulebook.writing.teller import Teller


def what(teller: Teller) -> Iterator[BookBlock]:
    if published := published_as(teller):
        yield BookBlock("text", published)
    if about := teller.note():
        yield BookBlock("text", about)
    yield BookBlock("text", aim(teller))
    mods = [doc for doc in teller.sources if kind_of(doc) == "mod"]
    presets = [one for one in presets_of(teller.whole.full) if one.id in teller.data.presets]
    names = [teller.say.named(one.id, one.name) for one in presets]
    names += [teller.say.named(text_at(mod, "id"), texts(mod.get("name"))) for mod in mods]
    if names:
        yield BookBlock("text", teller.frame("played_with", mods=teller.say.listed(names, "and")))
    if mods:
        abouts = [teller.say.named("", texts(mod.get("about"))) for mod in mods]
        yield BookBlock("list", items=tuple(sentence(about) for about in abouts if about))


def aim(teller: Teller) -> str:
    """What one plays for, in a hand and in the match."""
    forms = teller.say.listed([teller.say.form(form.id) for form in teller.data.forms])
    sentences = [teller.frame("aim", forms=forms)]
    if teller.data.play is not None and teller.data.play.match.score is not None:
        sentences.append(teller.frame("aim_score"))
    return " ".join(sentences)


def published_as(teller: Teller) -> str:
    """The version, the authors and the licence of the rules; empty if none is given."""
    data = teller.data
    authors = teller.say.listed(list(data.authors), "and") if data.authors else ""
    return teller.frame("published", version=data.version, authors=authors, license=data.license).strip()


def card(teller: Teller) -> Iterator[BookBlock]:
    """The lines of the card that is played, with their descriptions."""
    for option, played in teller.whole.cards.items():
        yield BookBlock("heading", teller.say.named(option, played.card.card.name))
        for one in sections_of(played.card.card):
            rows = [
                (
                    row.text,
                    str(row.line.value) if row.line else "",
                    teller.within("open" if row.line and row.line.exposed else "closed"),
                    row.said(teller.say.language),
                )
                for row in one.rows
            ]
            yield BookBlock("heading", one.group.title + (f" ({one.group.note})" if one.group.note else ""))
            head = tuple(teller.within(key) for key in ("line", "value", "shown", "meaning"))
            yield BookBlock("table", head=head, rows=tuple(rows))
