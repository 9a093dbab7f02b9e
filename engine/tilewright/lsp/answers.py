"""Between the editor and its service: open texts in, documents by path out; typed answers of the service in, types of
the protocol out.

The protocol counts lines and characters from 0, characters in units of an encoding that editor and server agree on.
Lines end with LF, CR LF or CR, for the protocol as for documents.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls import uris

from tilewright.authoring.case_files import kind_of_lines
from tilewright.authoring.editor.completion import Completion, Fix, Meaning, Suggestion
from tilewright.authoring.editor.context import TextEdit, TextLocation, TextPlace, TextRange, Workspace, path_in
from tilewright.authoring.editor.scanning import keys_in
from tilewright.authoring.editor.symbols import ExampleTally, OutlineSection, Symbol
from tilewright.authoring.findings import CASES, looks_like_a_card
from tilewright.base.problem import BREAK, Problem, Source, line_starts
from tilewright.language.documents.editions import NEWEST
from tilewright.language.documents.library import PLAIN, SUFFIXES, claims_to_be_ours

UNITS: dict[str, Callable[[str], int]] = {
    types.PositionEncodingKind.Utf8: lambda text: len(text.encode("utf-8", "surrogatepass")),
    types.PositionEncodingKind.Utf16: lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    types.PositionEncodingKind.Utf32: len,
}
OF_CASES = ('"hand"', '"ruleset"', '"play"', '"expect"')


# --- open texts


@dataclass(slots=True)
class OpenTexts:
    """The texts that are open in an editor, by path. `uris`: as the editor calls them; `encoding`: of characters."""

    texts: dict[Path, str] = field(default_factory=dict)
    versions: dict[Path, int] = field(default_factory=dict)
    uris: dict[Path, str] = field(default_factory=dict)
    encoding: str = types.PositionEncodingKind.Utf16

    def workspace(self) -> Workspace:
        """The open texts as they are now."""
        return Workspace(dict(self.texts))

    def path(self, uri: str) -> Path:
        """The path of a document; of one that has no file, a path that no file has."""
        found = uris.to_fs_path(uri) if uri.startswith("file:") else None
        if found is not None:
            return Path(found)
        name = "".join(char if char.isalnum() else "_" for char in uri)[-80:]
        return Path.cwd() / f"{name}.yaml"

    def uri(self, path: Path) -> str:
        """The name of a document for the editor."""
        return self.uris.get(path) or uris.from_fs_path(str(path)) or str(path)

    def open(self, uri: str, text: str, version: int) -> Path:
        path = self.path(uri)
        self.uris[path], self.texts[path], self.versions[path] = uri, text, version
        return path

    def close(self, uri: str) -> Path:
        path = self.path(uri)
        for kept in (self.uris, self.texts, self.versions):
            kept.pop(path, None)
        return path

    def change(self, uri: str, changes: list[Any], version: int) -> Path:
        """Apply changes of a text, each after the one before."""
        path = self.path(uri)
        text = self.texts.get(path, "")
        for change in changes:
            text = self.changed(text, change)
        self.texts[path], self.versions[path] = text, version
        self.uris.setdefault(path, uri)
        return path

    def changed(self, text: str, change: Any) -> str:
        """A text after a change: of a range of it, or of all of it."""
        range = getattr(change, "range", None)
        if range is None:
            return str(change.text)
        start, end = sorted((self.offset(text, range.start), self.offset(text, range.end)))
        return f"{text[:start]}{change.text}{text[end:]}"

    # --- places

    def offset(self, text: str, at: types.Position) -> int:
        """The offset of a place of the protocol; beyond the end of a line, that end."""
        starts = line_starts(text)
        if at.line >= len(starts):
            return len(text)
        return starts[at.line] + self.characters(line_of(text, at.line), at.character)

    def characters(self, line: str, units: int) -> int:
        """How many characters so many units of a line are."""
        if self.encoding == types.PositionEncodingKind.Utf32 or line.isascii():
            return max(0, min(units, len(line)))
        width, taken = UNITS[self.encoding], 0
        for count, char in enumerate(line):
            if taken >= units:
                return count
            taken += width(char)
        return len(line)

    def place(self, path: Path, at: types.Position) -> TextPlace:
        """A place of the protocol as a place of a document."""
        text = self.text(path)
        return TextPlace(at.line + 1, self.characters(line_of(text, at.line), at.character) + 1)

    def position(self, text: str, at: TextPlace) -> types.Position:
        """A place of a text as one of the protocol."""
        line = line_of(text, at.line - 1)
        before = line[: max(0, at.column - 1)]
        return types.Position(max(0, at.line - 1), len(before) if before.isascii() else UNITS[self.encoding](before))

    def range(self, text: str, range: TextRange) -> types.Range:
        return types.Range(self.position(text, range.start), self.position(text, range.end))

    def location(self, location: TextLocation) -> types.Location:
        return types.Location(self.uri(location.path), self.range(self.text(location.path), location.range))

    def edit(self, edit: TextEdit) -> types.TextEdit:
        return types.TextEdit(self.range(self.text(edit.path), edit.range), edit.text)

    def text(self, path: Path) -> str:
        """The text of a document, open or on disk."""
        return self.texts[path] if path in self.texts else Workspace().text(path)


def line_of(text: str, number: int) -> str:
    """A line of a text, counted from 0, without its break."""
    return Source("", text).line(number + 1)


def is_ours(path: Path, text: str) -> bool:
    """Whether a text is one that can be checked: other YAML, texts and lines of JSON are left alone."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return claims_to_be_ours(text)
    if suffix == CASES:
        first = BREAK.split(text.lstrip(), maxsplit=1)[0]
        return kind_of_lines(first) == "cases" and any(key in first for key in OF_CASES)
    return suffix in PLAIN and looks_like_a_card(text)


# --- problems and fixes


SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
KINDS = {
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "name": types.CompletionItemKind.Reference,
    "word": types.CompletionItemKind.Function,
    "quantifier": types.CompletionItemKind.Keyword,
}
SYMBOLS = {
    "patterns": types.SymbolKind.Event,
    "options": types.SymbolKind.Property,
    "phases": types.SymbolKind.Method,
    "cases": types.SymbolKind.Constant,
}
SOURCE = "tilewright"
MOST_SHOWN = 150  # suggestions; as more is typed, fewer fit
START = TextRange(TextPlace(1, 1), TextPlace(1, 1))


# --- problems


def diagnostic(problem: Problem, path: Path, texts: OpenTexts) -> types.Diagnostic:
    """A problem of a document. One at a place of another document is shown at the beginning, with that place."""
    text = texts.text(path)
    message = f"{problem.message}\n{problem.hint}" if problem.hint else problem.message
    place = problem.place
    related = None
    where = START
    if place is not None and path_in(place) == path:
        where = TextRange.of(place)
    elif place is not None:
        other = path_in(place)
        location = types.Location(texts.uri(other), texts.range(place.source.text, TextRange.of(place)))
        related = [types.DiagnosticRelatedInformation(location, problem.message)]
        message = f"{other.name}:{place.line}: {message}"
    return types.Diagnostic(
        range=texts.range(text, where),
        message=message,
        severity=SEVERITIES[problem.severity],
        code=problem.code,
        source=SOURCE,
        related_information=related,
    )


def code_actions(fixes: Iterable[Fix], path: Path, texts: OpenTexts) -> Iterator[types.CodeAction]:
    """What may be done about problems."""
    for fix in fixes:
        yield types.CodeAction(
            title=f"Change to {fix.what}" if fix.kind == "meant" else f"Ignore {fix.what} here",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic(fix.problem, path, texts)],
            edit=workspace_edit(fix.edits, texts),
            is_preferred=fix.kind == "meant",
        )


def upgrade_action(edits: Iterable[TextEdit], texts: OpenTexts) -> types.CodeAction:
    """The upgrade of a whole document."""
    return types.CodeAction(
        title=f"Upgrade this document to edition {NEWEST}",
        kind=types.CodeActionKind.QuickFix,
        edit=workspace_edit(edits, texts),
    )


def workspace_edit(edits: Iterable[TextEdit], texts: OpenTexts) -> types.WorkspaceEdit:
    """Edits of several documents."""
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        changes.setdefault(texts.uri(edit.path), []).append(texts.edit(edit))
    return types.WorkspaceEdit(changes=changes)


# --- what is written, and what could be


def completion_list(found: Completion, at: TextPlace, path: Path, texts: OpenTexts) -> types.CompletionList:
    """Suggestions that have what is typed before a place, in their order, the likeliest of them; their descriptions are
    asked for one by one."""
    text = texts.text(path)
    range = texts.range(text, found.range)
    line = line_of(text, found.range.end.line - 1)
    rest, typed = line[found.range.end.column - 1 :], line[found.range.start.column - 1 : at.column - 1].lower()
    fitting = [(number, offer) for number, offer in enumerate(found.offers) if typed in offer.label.lower()]
    items = [completion_item(offer, number, range, rest) for number, offer in fitting[:MOST_SHOWN]]
    return types.CompletionList(is_incomplete=len(fitting) > MOST_SHOWN, items=items)


def completion_item(offer: Suggestion, number: int, range: types.Range, rest: str) -> types.CompletionItem:
    key = offer.kind == "key" and not rest.lstrip().startswith(":")
    return types.CompletionItem(
        label=offer.label,
        kind=KINDS[offer.kind],
        detail=offer.type or None,
        sort_text=f"{number:04}",
        filter_text=offer.label,
        text_edit=types.TextEdit(range, f"{offer.label}: " if key else offer.label),
        data=number,
    )


def hover(found: Meaning, path: Path, texts: OpenTexts) -> types.Hover | None:
    """The meaning of a word."""
    if found.found is None:
        return None
    return types.Hover(contents=markdown(found.found, titled=True), range=texts.range(texts.text(path), found.range))


def markdown(said: Suggestion, titled: bool = False) -> types.MarkupContent:
    """The description of a word, with its example."""
    title = f"**{said.label}** {said.type}".rstrip()
    example = f"```yaml\n{said.example}\n```" if said.example else ""
    parts = [title if titled else "", said.doc, example]
    return types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(filter(None, parts)))


def workspace_symbols(
    found: Sequence[tuple[str, Symbol, TextLocation]], texts: OpenTexts
) -> list[types.WorkspaceSymbol]:
    """Names of several documents."""
    return [
        types.WorkspaceSymbol(
            location=texts.location(where),
            name=symbol.name,
            kind=SYMBOLS.get(symbol.section, types.SymbolKind.Object),
            container_name=f"{document}: {symbol.section}",
        )
        for document, symbol, where in found
    ]


def document_symbols(sections: Iterable[OutlineSection], path: Path, texts: OpenTexts) -> list[types.DocumentSymbol]:
    """The outline of a document."""
    text = texts.text(path)

    def symbol(id: str, detail: str, kind: types.SymbolKind, where: TextRange) -> types.DocumentSymbol:
        name = TextRange.in_line(where.start.line, where.start.column, where.start.column + len(id))
        whole, key = texts.range(text, where), texts.range(text, name)
        inside = (whole.end.line, whole.end.character) >= (key.end.line, key.end.character)
        return types.DocumentSymbol(id, kind, whole, key if inside else whole, detail or None, children=[])

    found = []
    for section in sections:
        top = symbol(section.id, "", types.SymbolKind.Module, section.range)
        top.children = [
            symbol(
                one.id,
                one.within if one.within != section.id else "",
                SYMBOLS.get(one.within, types.SymbolKind.Object),
                one.range,
            )
            for one in section.entries
        ]
        found.append(top)
    return found


def inlay_hints(told: Iterable[ExampleTally], path: Path, texts: OpenTexts) -> Iterator[types.InlayHint]:
    """How many examples hold, behind the key that they belong to, wherever that is by now."""
    text = texts.text(path)
    keys = keys_in(text)
    for one in told:
        key = keys.find(one.key)
        if key is None:
            continue
        line = keys.line(key.line)
        at = texts.position(text, TextPlace(key.line, len(line.rstrip()) + 1))
        holds = "all hold" if one.held == one.tried else f"{one.tried - one.held} fail"
        noun = "example" if one.key[-1] != "cases" else "case"
        count = f"{one.tried} {noun}" + ("" if one.tried == 1 else "s")
        label = f"{'✓' if one.held == one.tried else '✗'} {one.held}/{one.tried}"
        yield types.InlayHint(at, label, tooltip=f"{count}: {holds}", padding_left=True)
