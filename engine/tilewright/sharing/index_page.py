"""The page of an index: a listing in, one page out that says of each pack what it is, who wrote it, whether its check
is good, and how to add it. Self-contained, without scripts."""

from collections.abc import Iterable, Iterator

import htpy as h
from markupsafe import Markup

from tilewright.presentation.catalogue import chosen, say
from tilewright.presentation.markup import document, joined, lines
from tilewright.rulebook.pages import STYLE as BOOK_STYLE
from tilewright.sharing.index import INDEX, IndexEntry
from tilewright.sharing.listing import ListedPack, Listing

STYLE = Markup("""
header p { color: var(--soft) }
article { border-top: 1px solid var(--line); padding: 1.25rem 0 1rem }
article h2 { border: 0; margin: 0; padding: 0 } article h2 + p { margin-top: .15rem }
.name, code { font: .9rem/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; overflow-wrap: anywhere }
.name { color: var(--soft) }
code { background: var(--warm); border-radius: .35rem; padding: .15rem .4rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .75rem 0 }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
a { color: var(--accent) } .good { color: var(--accent); font-weight: 600 } .bad { color: var(--bad); font-weight: 600 }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr } dd { margin-bottom: .4rem } }
""")
MOST_PROBLEMS = 5  # of one pack that are shown


def index_page(listing: Listing, language: str, address: str) -> str:
    """The page. `address`: where the index will be; empty if that is not known."""
    title, count = listing.index.title, say("packs.count", language, count=len(listing.newest))
    older = (listing.index.packs[one.name][1:] for one in listing.newest)
    packs = (pack(one, rest, language, address or INDEX) for one, rest in zip(listing.newest, older, strict=True))
    head = h.header[h.h1[title], h.p[count, " ", h.a(href=INDEX)[INDEX]]]
    return document(language, title, BOOK_STYLE + STYLE, h.main[head, "\n", lines(packs)])


def pack(one: ListedPack, older: tuple[IndexEntry, ...], language: str, address: str) -> h.Element:
    """One pack: its title, its note, and rows of facts."""
    manifest, about = one.pack.manifest, chosen(one.pack.manifest.about, language)
    rows = (
        joined((h.dt[say(f"packs.{key}", language)], h.dd[value]))
        for key, value in facts(one, older, language, address)
    )
    return h.article(id=one.name)[
        h.h2[chosen(manifest.title, language) or one.name],
        h.p(".name")[one.name, " ", one.entry.version],
        h.p[about] if about else None,
        h.dl["\n", lines(rows)],
    ]


def facts(one: ListedPack, older: tuple[IndexEntry, ...], language: str, address: str) -> Iterator[tuple[str, h.Node]]:
    """The rows, as the keys of messages and what they say."""
    manifest, entry = one.pack.manifest, one.entry
    yield "documents", below(documents(one, language))
    yield "check", state_of(one, language)
    if manifest.authors:
        yield "authors", say("packs.comma", language).join(manifest.authors)
    yield "license", manifest.license or say("packs.no_license", language)
    if manifest.needs:
        yield "needs", below(h.code[f"{name}@{range}"] for name, range in manifest.needs.items())
    major = entry.version.partition(".")[0]
    asked = f"{one.name}@^{major if major != '0' else entry.version}"
    yield "add", h.code[f"tilewright add {asked} --index {address}"]
    yield "files", Markup(" ").join(h.a(href=each.file)[each.version] for each in (entry, *older))


def below(rows: Iterable[h.Element | Markup]) -> Markup:
    """One row below the other."""
    return Markup("<br>").join(rows)


def documents(one: ListedPack, language: str) -> Iterator[Markup]:
    """The documents of a pack, each with its kind, and links to its pages."""
    kinds = {each.id: (each.kind, chosen(each.name, language)) for each in one.pack.manifest.documents}
    cards = {file.removesuffix(".txt"): ("card", "") for file in one.pack.files if file.endswith(".txt")}
    for id, (kind, name) in {**kinds, **cards}.items():
        page, kind_name = one.entry.pages.get(id), say(f"packs.kind_{kind}", language)
        links = [joined((h.a(href=page)[name or id] if page else name or id, f" ({kind_name})"))]
        for key, files in (("score_card", one.entry.score_cards), ("report", one.entry.reports)):
            if id in files:
                links.append(Markup(h.a(href=files[id])[say(f"packs.{key}", language)]))
        yield Markup(" · ").join(links)


def state_of(one: ListedPack, language: str) -> h.Node:
    """What a check of a pack found."""
    state = one.entry.check
    if state is None:
        return h.span(".bad")[say("packs.unchecked", language, why=one.unchecked)]
    if not state.errors and not state.warnings:
        return h.span(".good")[say("packs.good", language, count=state.examples)]
    found = say("packs.problems", language, errors=state.errors, warnings=state.warnings)
    shown = (h.li[problem.message] for problem in one.problems[:MOST_PROBLEMS])
    return [h.span(".bad")[found], h.ul[joined(shown)]]
