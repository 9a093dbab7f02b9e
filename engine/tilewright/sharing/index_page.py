"""The page of an index: a listing in, one page out that says of each pack what it is, who wrote it, whether its check
is good, and how to add it. Self-contained, without scripts."""

from collections.abc import Iterator
from html import escape

from tilewright.base.texts.visible import seen
from tilewright.presentation.catalogue import chosen, say
from tilewright.rulebook.pages import STYLE as BOOK_STYLE
from tilewright.sharing.index import INDEX, IndexEntry
from tilewright.sharing.listing import ListedPack, Listing

STYLE = """
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
"""
MOST_PROBLEMS = 5  # of one pack that are shown


def index_page(listing: Listing, language: str, address: str) -> str:
    """The page. `address`: where the index will be; empty if that is not known."""
    return "\n".join(page_lines(listing, language, address or INDEX)) + "\n"


def page_lines(listing: Listing, language: str, address: str) -> Iterator[str]:
    title = text_of(listing.index.title)
    yield "<!DOCTYPE html>"
    yield f'<html lang="{escape(language)}">'
    yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{BOOK_STYLE}{STYLE}</style></head>"
    counted = say("packs.count", language, count=len(listing.newest))
    yield f"<body><main><header><h1>{title}</h1><p>{text_of(counted)} "
    yield f'<a href="{INDEX}">{INDEX}</a></p></header>'
    for one in listing.newest:
        yield from pack_lines(one, listing.index.packs[one.name][1:], language, address)
    yield "</main></body></html>"


def pack_lines(one: ListedPack, older: tuple[IndexEntry, ...], language: str, address: str) -> Iterator[str]:
    """One pack: its title, its note, and rows of facts."""
    manifest, entry = one.pack.manifest, one.entry
    yield f'<article id="{escape(one.name)}"><h2>{text_of(chosen(manifest.title, language) or one.name)}</h2>'
    yield f'<p class="name">{text_of(one.name)} {text_of(entry.version)}</p>'
    if about := chosen(manifest.about, language):
        yield f"<p>{text_of(about)}</p>"
    yield "<dl>"
    for key, value in facts(one, older, language, address):
        heading = say(f"packs.{key}", language)
        yield f"<dt>{text_of(heading)}</dt><dd>{value}</dd>"
    yield "</dl></article>"


def facts(one: ListedPack, older: tuple[IndexEntry, ...], language: str, address: str) -> Iterator[tuple[str, str]]:
    """The rows, as the keys of messages and HTML."""
    manifest, entry = one.pack.manifest, one.entry
    yield "documents", "<br>".join(documents(one, language))
    yield "check", state_of(one, language)
    if manifest.authors:
        yield "authors", text_of(say("packs.comma", language).join(manifest.authors))
    yield "license", text_of(manifest.license or say("packs.no_license", language))
    if manifest.needs:
        yield (
            "needs",
            "<br>".join(f"<code>{text_of(f'{name}@{range}')}</code>" for name, range in manifest.needs.items()),
        )
    major = entry.version.partition(".")[0]
    asked = f"{one.name}@^{major if major != '0' else entry.version}"
    yield "add", f"<code>{text_of(f'tilewright add {asked} --index {address}')}</code>"
    files = (f'<a href="{escape(each.file)}">{text_of(each.version)}</a>' for each in (entry, *older))
    yield "files", " ".join(files)


def documents(one: ListedPack, language: str) -> Iterator[str]:
    """The documents of a pack, each with its kind, and links to its pages."""
    kinds = {each.id: (each.kind, chosen(each.name, language)) for each in one.pack.manifest.documents}
    cards = {file.removesuffix(".txt"): ("card", "") for file in one.pack.files if file.endswith(".txt")}
    for id, (kind, name) in {**kinds, **cards}.items():
        title, said = text_of(name or id), text_of(say(f"packs.kind_{kind}", language))
        page = one.entry.pages.get(id)
        links = [f'<a href="{escape(page)}">{title}</a> ({said})' if page else f"{title} ({said})"]
        for key, files in (("score_card", one.entry.score_cards), ("report", one.entry.reports)):
            if id in files:
                links.append(f'<a href="{escape(files[id])}">{text_of(say(f"packs.{key}", language))}</a>')
        yield " · ".join(links)


def state_of(one: ListedPack, language: str) -> str:
    """What a check of a pack found."""
    state = one.entry.check
    if state is None:
        return f'<span class="bad">{text_of(say("packs.unchecked", language, why=one.unchecked))}</span>'
    if not state.errors and not state.warnings:
        return f'<span class="good">{text_of(say("packs.good", language, count=state.examples))}</span>'
    found = say("packs.problems", language, errors=state.errors, warnings=state.warnings)
    shown = "".join(f"<li>{text_of(problem.message)}</li>" for problem in one.problems[:MOST_PROBLEMS])
    return f'<span class="bad">{text_of(found)}</span><ul>{shown}</ul>'


def text_of(text: str) -> str:
    """A text escaped for HTML and visible."""
    return escape(seen(text))
