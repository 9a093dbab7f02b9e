"""The language server over stdio, as editors speak with it."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_lsp
from budget import budget
from editing import position, random_edit
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from test_editor import BASE, CHILD, MOD

from tilewright.authoring.editor.context import Workspace
from tilewright.authoring.editor.symbols import outline
from tilewright.authoring.format import format_text
from tilewright.language.documents.companions import whole_text
from tilewright.language.documents.library import path_of
from tilewright.lsp.answers import OpenTexts, document_symbols, is_ours

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("lsp")]
SECONDS = 60  # that anything may take on a busy machine
STARTED = [sys.executable, "-m", "tilewright", "lsp"]


@pytest_lsp.fixture(config=ClientServerConfig(server_command=STARTED), scope="module")
async def editor(lsp_client: LanguageClient) -> AsyncIterator[None]:
    lsp_client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda _: None)
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities("visual-studio-code"), root_uri=None)
    )
    yield
    await lsp_client.shutdown_session()


class OpenDocument:
    """A document that is open in the editor under test."""

    def __init__(self, editor: LanguageClient, path: Path, text: str) -> None:
        self.editor, self.path, self.text, self.version = editor, path, text, 1
        self.uri = path.as_uri()
        self.id = types.TextDocumentIdentifier(self.uri)
        item = types.TextDocumentItem(self.uri, "tilewright", 1, text)
        editor.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, change: Any, text: str) -> None:
        self.version += 1
        self.text = text
        id = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.editor.text_document_did_change(types.DidChangeTextDocumentParams(id, [change]))

    def set(self, text: str) -> None:
        self.change(types.TextDocumentContentChangeWholeDocument(text), text)

    def close(self) -> None:
        self.editor.text_document_did_close(types.DidCloseTextDocumentParams(self.id))

    def at(self, marked: str) -> types.Position:
        """The place of `|` in a part of the text."""
        before, _, after = marked.partition("|")
        return position(self.text, self.text.index(before + after) + len(before))

    def problems(self) -> list[types.Diagnostic]:
        return list(self.editor.diagnostics.get(self.uri, ()))

    async def until(self, holds: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """The problems, once they are as wanted."""
        async with asyncio.timeout(SECONDS):
            while not holds(self.problems()):
                await asyncio.sleep(0.02)
        return self.problems()


def having(*codes: str) -> Callable[[list[types.Diagnostic]], bool]:
    return lambda found: sorted(str(one.code) for one in found) == sorted(codes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("house", BASE), ("club", CHILD), ("twist", MOD)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


OF_PAIRS = whole_text(path_of("seven_pairs"))
SEVEN_PAIRS = OF_PAIRS.replace("for: [chinese]", "for: [cantonese]")  # with all others each look takes seconds
WITH_EXAMPLES = """tilewright: 2
kind: ruleset
id: mine
name: {en: Mine}
extends: standard
scoring: {measures: {points: {}}, best: points}
patterns:
  drawn:
    name: {en: Drawn}
    worth: 2
    when: self_draw
    examples: [{hand: 234m 567p 88s 234s CC, win: C, self_draw: true, yes: true}]
cases:
  claimed: {hand: 234m 567p 88s 234s CC, win_tile: C, expect: {total: 0}}
"""


async def test_problems_come_as_one_types(editor: LanguageClient, tmp_path: Path) -> None:
    """Of expressions at once, of examples later; none is left when it is mended, and none once it is closed."""
    document = OpenDocument(editor, tmp_path / "mine.yaml", WITH_EXAMPLES)
    document.set(WITH_EXAMPLES.replace("when: self_draw", "when: self_drawn"))
    (problem,) = await document.until(having("unknown-word"))
    assert problem.range == types.Range(document.at("when: |self_drawn"), document.at("when: self_drawn|"))
    assert "did you mean" in problem.message
    document.set(WITH_EXAMPLES.replace("total: 0", "total: 1"))
    (problem,) = await document.until(having("case-fails"))
    document.set(WITH_EXAMPLES)
    await document.until(having())
    document.set("tilewright: 1\nkind: ruleset\nid: [")
    await document.until(bool)
    document.close()
    await document.until(having())


OLD = """tilewright: 1
kind: mod
id: mine
name: {en: Mine}
for: [{only: riichi}]
add: {patterns: {late: {name: {en: Late}, worth: 1, when: {marks: [ready, last_tile]}}}}   # old
"""


async def test_the_name_that_was_meant_is_a_fix(editor: LanguageClient, folder: Path) -> None:
    document = OpenDocument(editor, folder / "house.yaml", BASE.replace("when: blessed", "when: blesed"))
    (problem, *_) = await document.until(lambda found: "unknown-word" in [one.code for one in found])
    actions = await editor.text_document_code_action_async(
        types.CodeActionParams(document.id, problem.range, types.CodeActionContext([problem]))
    )
    (action,) = [one for one in actions or () if isinstance(one, types.CodeAction) and one.is_preferred]
    assert action.edit is not None and action.edit.changes is not None
    assert edited(document.text, list(action.edit.changes[document.uri])) == BASE
    document.close()


async def test_an_old_document_is_upgraded(editor: LanguageClient, tmp_path: Path) -> None:
    """By a fix at an old name, which also renames that name alone."""
    document = OpenDocument(editor, tmp_path / "mine.yaml", OLD)
    (problem,) = await document.until(having("old-name"))
    actions = await editor.text_document_code_action_async(
        types.CodeActionParams(document.id, problem.range, types.CodeActionContext([problem]))
    )
    made = {one.title: one.edit for one in actions or () if isinstance(one, types.CodeAction)}
    assert document.text == OLD
    results = {
        title: edited(OLD, list(edit.changes[document.uri])) for title, edit in made.items() if edit and edit.changes
    }
    assert results["Change to riichi"] == OLD.replace("ready", "riichi")
    assert results["Upgrade this document to edition 2"] == OLD.replace("ready", "riichi").replace(": 1\n", ": 2\n", 1)
    document.close()


async def test_unsaved_documents_see_each_other(editor: LanguageClient, folder: Path) -> None:
    house = OpenDocument(editor, folder / "house.yaml", BASE)
    club = OpenDocument(editor, folder / "club.yaml", CHILD)
    await club.until(bool)  # options and marks of the test that nothing sets
    house.set(BASE.replace("blessed", "hallowed"))
    await club.until(lambda found: "unknown-word" in [one.code for one in found])
    (found,) = await located(editor.text_document_definition_async(types.DefinitionParams(club.id, club.at("re|d,"))))
    assert (found.uri, found.range.start) == (house.uri, types.Position(6, 2))
    house.set(BASE)
    await club.until(lambda found: "unknown-word" not in [one.code for one in found])
    club.close()
    house.close()


async def located(answer: Any) -> list[types.Location]:
    return list(await answer or ())


async def test_names_of_the_folder_are_found(editor: LanguageClient, folder: Path) -> None:
    club = OpenDocument(editor, folder / "club.yaml", CHILD)
    found = await editor.workspace_symbol_async(types.WorkspaceSymbolParams("blessed"))
    assert [(one.name, one.container_name) for one in found or ()][:1] == [("blessed", "house: terms")]
    club.close()


async def test_a_name_is_renamed_in_every_document(editor: LanguageClient, folder: Path) -> None:
    house = OpenDocument(editor, folder / "house.yaml", BASE)
    asked = types.PrepareRenameParams(house.id, house.at("  bless|ing:"))
    assert await editor.text_document_prepare_rename_async(asked)
    wanted = types.RenameParams(house.id, house.at("  bless|ing:"), "grace")
    edit = await editor.text_document_rename_async(wanted)
    assert edit is not None and edit.changes is not None
    texts = {
        (folder / f"{name}.yaml").as_uri(): text for name, text in (("house", BASE), ("club", CHILD), ("twist", MOD))
    }
    after = {uri: edited(texts[uri], list(edits)) for uri, edits in edit.changes.items()}
    assert after == {uri: text.replace("blessing", "grace") for uri, text in texts.items()}
    used = await located(
        editor.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(False), house.id, house.at("  bless|ing:"))
        )
    )
    assert len(used) == 3
    with pytest.raises(Exception, match="is no name"):
        await editor.text_document_rename_async(types.RenameParams(house.id, house.at("  bless|ing:"), "No!"))
    house.close()


async def test_what_can_be_written_and_what_it_means(editor: LanguageClient, folder: Path) -> None:
    club = OpenDocument(editor, folder / "club.yaml", CHILD)
    found = await editor.text_document_completion_async(types.CompletionParams(club.id, club.at("when: ble|ssed")))
    assert isinstance(found, types.CompletionList) and {"ble" in one.label for one in found.items} == {True}
    found = await editor.text_document_completion_async(types.CompletionParams(club.id, club.at("when: |blessed")))
    assert isinstance(found, types.CompletionList)
    item = next(one for one in found.items if one.label == "blessed")
    assert isinstance(item.text_edit, types.TextEdit)
    assert item.text_edit.range == types.Range(club.at("when: |blessed"), club.at("when: blessed|"))
    item = next(one for one in found.items if one.label == "waits")
    assert "waits" in str((await editor.completion_item_resolve_async(item)).documentation)
    hover = await editor.text_document_hover_async(types.HoverParams(club.id, club.at("[bless|ing, ch")))
    assert hover is not None and isinstance(hover.contents, types.MarkupContent)
    assert "From above." in hover.contents.value
    symbols = await editor.text_document_document_symbol_async(types.DocumentSymbolParams(club.id))
    assert [one.name for one in symbols or ()] == ["patterns", "cases"]
    club.close()


async def test_a_document_is_laid_out(editor: LanguageClient, folder: Path) -> None:
    text = CHILD.replace("worth: 3", "worth:   3").replace("\n", "\r\n")
    club = OpenDocument(editor, folder / "club.yaml", text)
    asked = types.DocumentFormattingParams(club.id, types.FormattingOptions(2, True))
    edits = await editor.text_document_formatting_async(asked)
    assert edited(text, list(edits or ())) == format_text(text)
    club.close()


async def test_what_no_example_reaches_is_shown_and_hidden(editor: LanguageClient, tmp_path: Path) -> None:
    """By a command above a ruleset, again when it was edited; a card has none."""
    text = WITH_EXAMPLES.partition("    examples:")[0]
    document = OpenDocument(editor, tmp_path / "mine.yaml", text)
    (lens,) = await editor.text_document_code_lens_async(types.CodeLensParams(document.id)) or ()
    assert lens.command is not None and lens.command.title.startswith("Show")
    run = types.ExecuteCommandParams(lens.command.command, lens.command.arguments)
    await document.until(having())
    assert await editor.workspace_execute_command_async(run) is True
    notes = await document.until(bool)
    assert {one.code for one in notes} == {"not-covered"}
    assert {one.severity for one in notes} == {types.DiagnosticSeverity.Information}
    document.set(text.replace("when: self_draw", "when: self_drawn"))
    await document.until(having("unknown-word"))
    document.set(text)
    await document.until(having(*["not-covered"] * len(notes)))
    (lens,) = await editor.text_document_code_lens_async(types.CodeLensParams(document.id)) or ()
    assert lens.command is not None and lens.command.title.startswith("Hide")
    assert await editor.workspace_execute_command_async(run) is False
    await document.until(having())
    document.close()
    card = OpenDocument(editor, tmp_path / "kite.yaml", "tilewright: 1\nkind: card\nid: kite\nname: Kite\n")
    assert not await editor.text_document_code_lens_async(types.CodeLensParams(card.id))
    card.close()


async def test_examples_are_counted_beside_patterns(editor: LanguageClient, tmp_path: Path) -> None:
    text = SEVEN_PAIRS.replace("EE C, win: C, yes: true", "EE C, win: C, yes: false", 1)
    document = OpenDocument(editor, tmp_path / "seven_pairs.yaml", text)
    await document.until(lambda found: {one.code for one in found} == {"example-fails"})
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    hint, of_cases = await editor.text_document_inlay_hint_async(types.InlayHintParams(document.id, everything)) or ()
    line = document.at("patterns:\n    seven|_pairs").line
    assert (hint.label, hint.position.line) == ("✗ 2/3", line)
    assert of_cases.label == "✓ 2/2"
    document.close()


async def test_cases_and_cards_are_checked(editor: LanguageClient, tmp_path: Path) -> None:
    case = '{"hand": "222p 333s 88m EE", "melds": ["444p"], "win": "E", "expect": {"total": 1}}\n'
    cases = OpenDocument(editor, tmp_path / "zung_jung_plus.jsonl", case)
    await cases.until(having("case-fails"))
    cases.set(case + "{,\n")
    await cases.until(having("case-fails", "not-json"))
    card = OpenDocument(editor, tmp_path / "card.txt", 'Mine\n"Evens"\n22 444 666 88 DD X25\n')
    await card.until(lambda found: len(found) == 1)
    cases.close()
    card.close()


async def test_other_texts_are_left_alone(editor: LanguageClient, tmp_path: Path) -> None:
    other = OpenDocument(editor, tmp_path / "compose.yaml", "services:\n  web: {image: nginx}\n")
    rules = OpenDocument(editor, tmp_path / "rules.yaml", "tilewright: 1\nkind: nothing\n")
    await rules.until(bool)
    assert other.problems() == []
    asked = types.CompletionParams(other.id, types.Position(1, 2))
    found = await editor.text_document_completion_async(asked)
    assert isinstance(found, types.CompletionList) and not found.items
    other.close()
    rules.close()


def edited(text: str, edits: list[Any]) -> str:
    """A text after edits of the protocol, whose characters are UTF-16 units."""
    texts = OpenTexts()
    return applied_at(
        text, [(texts.offset(text, one.range.start), texts.offset(text, one.range.end), one.new_text) for one in edits]
    )


def applied_at(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


# --- random edits


@pytest.mark.parametrize("name", ["cantonese", "seven_pairs"])
async def test_random_edits_do_no_harm(editor: LanguageClient, tmp_path: Path, name: str) -> None:
    """Whatever is typed, the server keeps the same text, answers all, and finds the problems of the last text."""
    await random_edits(editor, tmp_path / f"{name}.yaml", budget(10), seed=len(name))


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", ["riichi", "american"])
async def test_five_thousand_random_edits_do_no_harm(editor: LanguageClient, tmp_path: Path, name: str) -> None:
    await random_edits(editor, tmp_path / f"{name}.yaml", 5_000, seed=len(name))


async def random_edits(editor: LanguageClient, path: Path, count: int, seed: int) -> None:
    random = Random(seed)
    good = whole_text(path_of(path.stem))
    document = OpenDocument(editor, path, good)
    for number in range(count):
        if number % 100 == 99:
            document.set(good)
        change, text = random_edit(document.text, random)
        document.change(change, text)
        if random.random() < 0.3:
            await asked_something(editor, document, random)
        if random.random() < 0.1:
            await asyncio.sleep(random.random() / 4)
    symbols = await editor.text_document_document_symbol_async(types.DocumentSymbolParams(document.id))
    own = OpenTexts()
    own.open(document.uri, document.text, 1)
    sections = outline(Workspace({path: document.text}), path) if is_ours(path, document.text) else ()
    wanted = document_symbols(sections, path, own)
    assert named(symbols or ()) == named(wanted)
    document.set(good)
    await document.until(having())
    document.close()


def named(symbols: Sequence[Any]) -> list[Any]:
    """Symbols with their ranges, and those in them."""
    return [(one.name, one.range, one.selection_range, named(one.children or ())) for one in symbols]


async def asked_something(editor: LanguageClient, document: OpenDocument, random: Random) -> None:
    """One request at a random place; only what cannot be formatted or renamed may be refused."""
    id, at = document.id, position(document.text, random.randrange(len(document.text) + 1))
    whole = types.Range(types.Position(0, 0), at)
    asked = [
        lambda: editor.text_document_completion_async(types.CompletionParams(id, at)),
        lambda: editor.text_document_hover_async(types.HoverParams(id, at)),
        lambda: editor.text_document_definition_async(types.DefinitionParams(id, at)),
        lambda: editor.text_document_document_symbol_async(types.DocumentSymbolParams(id)),
        lambda: editor.text_document_inlay_hint_async(types.InlayHintParams(id, whole)),
        lambda: editor.text_document_code_action_async(types.CodeActionParams(id, whole, types.CodeActionContext([]))),
        lambda: editor.text_document_references_async(types.ReferenceParams(types.ReferenceContext(True), id, at)),
        lambda: editor.text_document_rename_async(types.RenameParams(id, at, "another")),
        lambda: editor.text_document_formatting_async(
            types.DocumentFormattingParams(id, types.FormattingOptions(2, True))
        ),
    ]
    question = random.choice(asked)
    try:
        async with asyncio.timeout(SECONDS):
            await question()
    except Exception as error:
        if asked.index(question) < len(asked) - 2 or "-32803" not in repr(vars(error)):
            raise
