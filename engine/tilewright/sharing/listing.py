"""Listing: a folder of packs in; its index and the pages about them out: one that says of each pack what it is, who
wrote it, whether its check is good, and how to add it, without scripts; and those of its documents.

Each pack is read as one that is added, and the newest version of each is checked, with the packs that it needs if they
are listed, too: its documents, examples and cases.
"""

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import htpy as h
import msgspec
from markupsafe import Markup

from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import outcomes
from tilewright.base.problem import Problem, RulesetError, has_errors
from tilewright.language.check import problems_of
from tilewright.language.documents.library import is_document, read_card
from tilewright.language.documents.packs import LOCK, folder_of
from tilewright.paper.html import show_html
from tilewright.presentation.catalogue import chosen, say
from tilewright.presentation.markup import document, joined, lines
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import STYLE as BOOK_STYLE
from tilewright.rulebook.pages import page as rulebook_page
from tilewright.rulebook.score_card import score_card_of
from tilewright.rulebook.score_card_sheet import score_card_page
from tilewright.sharing.adding import PackFolder, named
from tilewright.sharing.archive import Say, read_archive
from tilewright.sharing.contents import INDEX, CheckState, IndexEntry, PackContents, PackIndex, order_of

MOST_PACKS = 2_000  # archives in one index


@dataclass(frozen=True, slots=True)
class ListedPack:
    """The newest version of a pack, with what is shown of it. `problems`: what its check found; `unchecked`: why it was
    not checked."""

    name: str
    pack: PackContents
    entry: IndexEntry
    problems: tuple[Problem, ...] = ()
    unchecked: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The index; of each pack the newest version, by name; and pages about documents, by file name."""

    index: PackIndex
    newest: tuple[ListedPack, ...]
    pages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """A page about a document, as a file beside the index."""

    document: str
    file: str
    text: str
    is_score_card: bool = False


# --- a folder of packs


def listed(folder: Path, title: str, language: str, say: Say = lambda _: None) -> Listing:
    """Everything about the packs in a folder. `say`: is told each pack before it is checked. Raises RulesetError for
    what is no pack."""
    packs = read_packs(folder)
    entries: dict[str, list[IndexEntry]] = {}
    for file, (content, pack) in packs.items():
        entries.setdefault(pack.manifest.name, []).append(entry_of(file, content, pack))
    for versions in entries.values():
        versions.sort(key=lambda one: order_of(one.version), reverse=True)
    first = PackIndex(1, title, {name: tuple(found) for name, found in sorted(entries.items())})
    newest, pages = list[ListedPack](), dict[str, str]()
    for name, (latest, *_) in first.packs.items():
        say(f"{name} {latest.version}")
        one, own = examined(name, latest, packs[latest.file][1], folder, first, language)
        newest.append(one)
        pages |= own
    packs_now = {one.name: (one.entry, *first.packs[one.name][1:]) for one in newest}
    return Listing(PackIndex(1, title, packs_now), tuple(newest), pages)


def read_packs(folder: Path) -> dict[str, tuple[bytes, PackContents]]:
    """The archives of a folder by file name. Raises RulesetError with the problems of all of them."""
    found: dict[str, tuple[bytes, PackContents]] = {}
    versions: dict[tuple[str, str], str] = {}
    problems: list[Problem] = []
    files = sorted(path for path in folder.glob("*.zip") if path.is_file())
    if len(files) > MOST_PACKS:
        raise RulesetError([Problem("too-many-packs", f"an index has at most {MOST_PACKS:,} archives")])
    for path in files:
        content = path.read_bytes()
        try:
            pack = read_archive(content)
        except RulesetError as error:
            problems += [named(one, path.name) for one in error.problems]
            continue
        key = (pack.manifest.name, pack.manifest.version)
        if (other := versions.setdefault(key, path.name)) != path.name:
            message = f"{path.name} and {other} are both {' '.join(key)}"
            problems.append(Problem("same-version", message, None, "keep one of them"))
        found[path.name] = (content, pack)
    if problems:
        raise RulesetError(problems)
    return found


def entry_of(file: str, content: bytes, pack: PackContents) -> IndexEntry:
    manifest = pack.manifest
    return IndexEntry(
        version=manifest.version,
        file=file,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        language=manifest.language,
        needs=manifest.needs,
        title=manifest.title,
        license=manifest.license,
        authors=manifest.authors,
    )


# --- one pack


def examined(
    name: str, entry: IndexEntry, pack: PackContents, folder: Path, index: PackIndex, language: str
) -> tuple[ListedPack, dict[str, str]]:
    """A pack checked where it is added alone, and pages about its documents."""
    with tempfile.TemporaryDirectory(prefix="packs-") as place:
        root = Path(place).resolve()
        source = str((folder / INDEX).resolve())
        packs = PackFolder.open(root)
        packs.indexes[packs.source_of(source)] = index
        try:
            packs.add([f"{name}@{entry.version}"], source)
        except RulesetError as error:
            return ListedPack(name, pack, entry, unchecked=error.problems[0].message), {}
        home = folder_of(root / LOCK, name)
        state, problems = checked(home, pack)
        written = list(pages_of(home, pack, entry, language))
    shown = tuple(replace(one, place=None) for one in problems)
    entry = msgspec.structs.replace(
        entry,
        check=state,
        pages={one.document: one.file for one in written if not one.is_score_card},
        score_cards={one.document: one.file for one in written if one.is_score_card},
        reports=reports_in(folder, pack, entry),
    )
    return ListedPack(name, pack, entry, shown), {one.file: one.text for one in written}


def checked(home: Path, pack: PackContents) -> tuple[CheckState, list[Problem]]:
    """What a check of all documents of a pack finds."""
    problems, examples = list[Problem](), 0
    for path in documents_in(home, pack):
        found = list(problems_of(path))
        if is_document(path) and not has_errors(found):
            try:
                for outcome in outcomes(path, RulesChoice()):
                    found += (*outcome.problems, *outcome.inherited)
                    examples += outcome.examples + outcome.cases
            except RulesetError as error:
                found += error.problems
        problems += dict.fromkeys(found)
    errors = sum(one.severity == "error" for one in problems)
    warnings = sum(one.severity == "warning" for one in problems)
    return CheckState(errors, warnings, examples), problems


def documents_in(home: Path, pack: PackContents) -> Sequence[Path]:
    """The documents of a pack, plain-text cards among them."""
    return [home / file for file in sorted(pack.files) if file.endswith((".yaml", ".txt"))]


def pages_of(home: Path, pack: PackContents, entry: IndexEntry, language: str) -> Iterator[DocumentPage]:
    """The rulebook and the score card of each ruleset, and cards as printed. Those that cannot be read have none."""
    kinds = {one.id: one.kind for one in pack.manifest.documents}
    for path in documents_in(home, pack):
        kind, id = kinds.get(path.stem, "card") if is_document(path) else "card", path.stem
        with suppress(RulesetError):
            if kind == "ruleset":
                yield DocumentPage(id, page_name(entry, id), rulebook_page(rulebook_of(str(path), language=language)))
                card = score_card_of(str(path), language=language)
                yield DocumentPage(id, page_name(entry, f"{id}-score-card"), score_card_page(card), is_score_card=True)
            elif kind == "card":
                yield DocumentPage(id, page_name(entry, id), show_html(read_card(path)[0]))


def reports_in(folder: Path, pack: PackContents, entry: IndexEntry) -> dict[str, str]:
    """The reports that lie in the folder, by ruleset; games take long, so none is made here."""
    names = {one.id: page_name(entry, f"{one.id}-report") for one in pack.manifest.documents if one.kind == "ruleset"}
    return {id: name for id, name in names.items() if (folder / name).is_file()}


def page_name(entry: IndexEntry, about: str) -> str:
    """The name of a page beside the archive."""
    return f"{entry.file.removesuffix('.zip')}-{about}.html"


# --- its page


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
