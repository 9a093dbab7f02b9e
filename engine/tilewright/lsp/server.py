"""The server: a request of the protocol in, the answer of the editor service out. Nothing is decided here.

Problems come from the checker as they are found: those that need no game at once, those of examples later.
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from tilewright.authoring.coverage import COVERED
from tilewright.authoring.editor.completion import Suggestion, complete, describe, fixes, formatted, is_old, upgrade
from tilewright.authoring.editor.context import TextPlace, parsed
from tilewright.authoring.editor.navigation import (
    CannotRename,
    definition,
    references,
    rename,
    renamed_at,
    symbols_called,
)
from tilewright.authoring.editor.symbols import ExampleTally, outline
from tilewright.authoring.findings import OF_TRIALS, without_ignored
from tilewright.authoring.project import project_above
from tilewright.base.garbage import collect_rarely
from tilewright.base.problem import Place, Problem, RulesetError, Source, has_errors, str_of
from tilewright.base.version import __version__
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.library import SUFFIXES
from tilewright.lsp.answers import (
    OpenTexts,
    code_actions,
    completion_list,
    diagnostic,
    document_symbols,
    hover,
    inlay_hints,
    is_ours,
    markdown,
    upgrade_action,
    workspace_edit,
    workspace_symbols,
)
from tilewright.lsp.checker import CheckAnswer, Checker, Task

COVERAGE = "tilewright.coverage"
SHOW_COVERAGE, HIDE_COVERAGE = "Show what examples do not reach", "Hide what examples do not reach"
TRIGGERS = [" ", "[", "{", "(", ".", ","]
REQUEST_FAILED = -32803  # of the protocol: the request is valid, but cannot be done
At = (
    types.CompletionParams
    | types.HoverParams
    | types.DefinitionParams
    | types.ReferenceParams
    | types.PrepareRenameParams
    | types.RenameParams
)


class RequestFailed(JsonRpcException):
    """A request that cannot be done, with the reason for the person who made it."""

    CODE = REQUEST_FAILED
    MESSAGE = "Request failed"


def in_project(path: Path, problems: tuple[Problem, ...]) -> list[Problem]:
    """The problems of a document as its project has them. Mistakes in the project file stand at its first line."""
    try:
        return project_above(path).graded(problems)
    except RulesetError as error:
        first = Place(Source(str(path), ""), 1, 1)
        return [*(replace(one, message=str_of(one), hint=None, place=first) for one in error.problems), *problems]


class Server(LanguageServer):
    """The language server with the open texts, and what is known of them."""

    def __init__(self) -> None:
        super().__init__("tilewright", __version__)
        self.texts = OpenTexts()
        self.checker = Checker(lambda: dict(self.texts.texts), self.publish)
        self.problems: dict[Path, tuple[Problem, ...]] = {}
        self.tallies: dict[Path, tuple[ExampleTally, ...]] = {}
        self.uncovered: dict[Path, tuple[Problem, ...]] = {}  # of the documents whose coverage is shown
        self.offers: tuple[Suggestion, ...] = ()

    def begin(self) -> None:
        """Start checking. Called once the editor has said which characters it counts."""
        if encoding := self.workspace.position_encoding:
            self.texts.encoding = str(getattr(encoding, "value", encoding))
        self.checker.start()
        collect_rarely()

    def recheck(self, path: Path) -> None:
        """Check a text that was opened or edited; one that is none of ours has no problems."""
        if is_ours(path, self.texts.texts.get(path, "")):
            self.checker.check(path)
        elif path in self.problems:
            self.forget(path)

    def forget(self, path: Path) -> None:
        """A text was closed, or is none of ours any longer."""
        self.checker.forget(path)
        self.problems.pop(path, None)
        self.tallies.pop(path, None)
        self.uncovered.pop(path, None)
        self.show(path, ())

    def publish(self, task: Task, answer: CheckAnswer) -> None:
        """Show the problems of a document so far. While it is still checked, nothing that was wrong is taken back;
        until its examples were tried again, those that failed stay. What they do not reach is found last."""
        path = answer.path
        if task == "coverage":
            if path in self.uncovered:
                self.uncovered[path] = answer.problems
                self.show(path, self.problems.get(path, ()))
            return
        final = answer.done and task == "examples"
        found = answer.problems if final else tuple(without_ignored(answer.problems, None))
        if not found and not answer.done:
            return
        if not final and not has_errors(found):
            found += self.failing(path)
        self.problems[path] = found
        self.show(path, found)
        if final:
            self.tallies[path] = answer.tallies
            if path in self.uncovered:
                self.checker.cover(path)
            self.refresh("inlay_hint")

    def refresh(self, what: Literal["inlay_hint", "code_lens"]) -> None:
        """Have the editor ask for these anew, if it can."""
        support = getattr(self.client_capabilities.workspace, what, None)
        if support is not None and support.refresh_support:
            getattr(self, f"workspace_{what}_refresh")(None)

    def failing(self, path: Path) -> tuple[Problem, ...]:
        """The examples and cases that failed when they were last tried, in lines that have not changed."""
        text = Source(str(path), self.texts.text(path))
        return tuple(
            replace(one, place=replace(place, source=text))
            for one in self.problems.get(path, ())
            if one.code in OF_TRIALS and (place := one.place) is not None
            if place.source.name == str(path) and place.source.line(place.line) == text.line(place.line)
        )

    def has_coverage(self, path: Path) -> bool:
        """Whether an open document has examples that reach something: a ruleset or a mod."""
        if path not in self.texts.texts or not self.knows(path):
            return False
        with self.texts.workspace().reading():
            document = parsed(path)
        return document is not None and kind_of(document) in COVERED

    def toggle_coverage(self, path: Path) -> bool:
        """Begin or stop to show what no example of a document reaches; whether it is shown now."""
        if self.uncovered.pop(path, None) is None:
            self.uncovered[path] = ()
            self.checker.cover(path)
        self.show(path, self.problems.get(path, ()))
        return path in self.uncovered

    def show(self, path: Path, problems: tuple[Problem, ...]) -> None:
        """Send the problems of a document to the editor, and what is not covered if there are no errors."""
        uncovered = () if has_errors(problems) else self.uncovered.get(path, ())
        shown = [diagnostic(one, path, self.texts) for one in (*in_project(path, problems), *uncovered)]
        version = self.texts.versions.get(path)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(self.texts.uri(path), shown, version))

    def at(self, params: At) -> tuple[Path, TextPlace]:
        """The document and the place of a request."""
        path = self.texts.path(params.text_document.uri)
        return path, self.texts.place(path, params.position)

    def knows(self, path: Path) -> bool:
        """Whether something can be said of a document: one of ours, or one that is still empty."""
        text = self.texts.text(path)
        return path.suffix.lower() in SUFFIXES and (not text.strip() or is_ours(path, text))


def make_server() -> Server:
    """The server with all that it can do."""
    server = Server()
    follow_texts(server)
    tell(server)
    navigate(server)
    edit(server)
    cover(server)
    return server


def run_server() -> None:
    """Serve the editor on stdin and stdout until it says goodbye. What goes wrong is logged on stderr."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls.protocol.json_rpc").addFilter(is_mistake)
    server = make_server()
    try:
        server.start_io()
    finally:
        server.checker.end()


def is_mistake(record: logging.LogRecord) -> bool:
    """Whether what is logged is a mistake of ours, and not a request that cannot be done."""
    return not (record.exc_info and isinstance(record.exc_info[1], RequestFailed))


# --- texts


def follow_texts(server: Server) -> None:
    """Follow the texts as they are opened, edited and closed."""

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        server.begin()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.recheck(server.texts.open(document.uri, document.text, document.version))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        server.recheck(server.texts.change(document.uri, list(params.content_changes), document.version))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        path = server.texts.path(params.text_document.uri)
        server.forget(path)
        server.texts.close(params.text_document.uri)
        for other in server.checker.dependent(path):
            server.recheck(other)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        changed = [server.texts.path(one.uri) for one in params.changes]
        for other in dict.fromkeys(other for path in changed for other in server.checker.dependent(path)):
            server.recheck(other)


# --- what is there, and what could be


def tell(server: Server) -> None:
    """Completion, meanings, outline, tallies."""

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True)
    )
    def completed(params: types.CompletionParams) -> types.CompletionList:
        path, at = server.at(params)
        if not server.knows(path):
            return types.CompletionList(is_incomplete=False, items=[])
        found = complete(server.texts.workspace(), path, at)
        server.offers = found.offers
        return completion_list(found, at, path, server.texts)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolved(item: types.CompletionItem) -> types.CompletionItem:
        number = item.data if isinstance(item.data, int) else -1
        if 0 <= number < len(server.offers) and server.offers[number].label == item.label:
            item.documentation = markdown(server.offers[number])
        return item

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def meaning(params: types.HoverParams) -> types.Hover | None:
        path, at = server.at(params)
        return hover(describe(server.texts.workspace(), path, at), path, server.texts) if server.knows(path) else None

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        path = server.texts.path(params.text_document.uri)
        if not server.knows(path):
            return []
        return document_symbols(outline(server.texts.workspace(), path), path, server.texts)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def told(params: types.InlayHintParams) -> list[types.InlayHint]:
        path = server.texts.path(params.text_document.uri)
        return list(inlay_hints(server.tallies.get(path, ()), path, server.texts))


# --- where names are


def navigate(server: Server) -> None:
    """Definitions and references, which may read many documents, in threads of their own."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    @server.thread()
    def declared(params: types.DefinitionParams) -> list[types.Location]:
        path, at = server.at(params)
        if not server.knows(path):
            return []
        return [server.texts.location(one) for one in definition(server.texts.workspace(), path, at)]

    @server.feature(types.WORKSPACE_SYMBOL)
    @server.thread()
    def called(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        return workspace_symbols(symbols_called(server.texts.workspace(), params.query), server.texts)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    @server.thread()
    def used(params: types.ReferenceParams) -> list[types.Location]:
        path, at = server.at(params)
        if not server.knows(path):
            return []
        found = references(server.texts.workspace(), path, at, params.context.include_declaration)
        return [server.texts.location(one) for one in found]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    @server.thread()
    def can_be_renamed(params: types.PrepareRenameParams) -> types.Range | None:
        path, at = server.at(params)
        found = renamed_at(server.texts.workspace(), path, at) if server.knows(path) else None
        return None if found is None else server.texts.range(server.texts.text(path), found)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    @server.thread()
    def renamed(params: types.RenameParams) -> types.WorkspaceEdit:
        path, at = server.at(params)
        with said_to_the_person():
            return workspace_edit(rename(server.texts.workspace(), path, at, params.new_name), server.texts)


# --- edits


def edit(server: Server) -> None:
    """Formatting, and fixes of problems."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def laid_out(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        path = server.texts.path(params.text_document.uri)
        if not server.knows(path):
            return []
        with said_to_the_person():
            return [server.texts.edit(one) for one in formatted(server.texts.workspace(), path)]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def fixed(params: types.CodeActionParams) -> list[types.CodeAction]:
        path = server.texts.path(params.text_document.uri)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        own = [
            one
            for one in server.problems.get(path, ())
            if one.place is not None and one.place.source.name == str(path) and first <= one.place.line <= last
        ]
        actions = [*code_actions(fixes(own), path, server.texts)]
        if first == 1 or any(one.code == "old-name" for one in own):
            actions += upgrade_actions(server, path)
        return actions


def upgrade_actions(server: Server, path: Path) -> Iterator[types.CodeAction]:
    """The upgrade of a document that is of an older edition or has old names."""
    workspace = server.texts.workspace()
    if server.knows(path) and is_old(workspace, path, server.problems.get(path, ())):
        with suppress(RulesetError):
            yield upgrade_action(upgrade(workspace, path)[0], server.texts)


# --- coverage


def cover(server: Server) -> None:
    """What examples do not reach: shown and hidden by a command, which stands above the document."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        path = server.texts.path(params.text_document.uri)
        if not server.has_coverage(path):
            return []
        title = HIDE_COVERAGE if path in server.uncovered else SHOW_COVERAGE
        command = types.Command(title, COVERAGE, arguments=[params.text_document.uri])
        return [types.CodeLens(types.Range(types.Position(0, 0), types.Position(0, 0)), command)]

    @server.command(COVERAGE)
    def toggled(uri: str) -> bool:
        path = server.texts.path(uri)
        shown = server.has_coverage(path) and server.toggle_coverage(path)
        server.refresh("code_lens")
        return shown


@contextmanager
def said_to_the_person() -> Iterator[None]:
    """What cannot be done is an error of the request, with its reason."""
    try:
        yield
    except CannotRename as error:
        raise RequestFailed(str(error)) from None
    except RulesetError as error:
        raise RequestFailed(error.problems[0].message) from None
