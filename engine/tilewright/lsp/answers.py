"""Typed answers of the editor service as types of the protocol."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types

from tilewright.authoring.editor.completion import Completion, Fix, Meaning, Suggestion
from tilewright.authoring.editor.context import TextEdit, TextLocation, TextPlace, TextRange, path_in
from tilewright.authoring.editor.scanning import keys_in
from tilewright.authoring.editor.symbols import ExampleTally, OutlineSection, Symbol
from tilewright.base.problem import Problem
from tilewright.language.documents.editions import NEWEST
from tilewright.lsp.texts import OpenTexts, line_of

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
