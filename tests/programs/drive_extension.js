// Runs the packed client of the extension in an editor that only pretends (programs/vscode) with the real server:
// node drive_extension.js EXTENSION FOLDER COMMAND... prints what was seen as JSON.

const [, , extension, folder, ...command] = process.argv;
const { join } = require("node:path");
const vscode = require("vscode");
const { activate, deactivate } = require(join(extension, "dist", "extension.js"));

const PATIENCE = 40_000;
const text =
  "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\npatterns: {p: {name: P, worth: wrod}}\n\n";

function document(name, languageId, content) {
  const lines = () => self.content.split("\n");
  const self = {
    uri: vscode.Uri.file(join(folder, name)),
    languageId,
    version: 1,
    content,
    isClosed: false,
    getText: () => self.content,
    lineAt: (line) => ({ text: lines()[line] }),
    get lineCount() {
      return lines().length;
    },
  };
  return self;
}

async function until(what) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await what();
    if (found) return found;
    if (Date.now() > end) throw new Error(`too late: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const { kept } = vscode;
const problems = (one) => kept.diagnostics.get(String(one.uri))?.map((each) => each.message);

async function main() {
  const seen = {};
  const subscriptions = [];
  kept.settings["tilewright.command"] = ["/nowhere/tilewright", "lsp"];
  await activate({ subscriptions });
  seen.errors = [...kept.errors];

  kept.settings["tilewright.command"] = command;
  const one = document("mine.yaml", "yaml", text);
  const other = document("notes.md", "markdown", text);
  vscode.workspace.textDocuments.push(one, other);
  const changed = { affectsConfiguration: (name) => name === "tilewright.command" };
  vscode.emitter("onDidChangeConfiguration").fire(changed);
  await kept.commands["tilewright.restart"](); // both at once: one server must be left
  seen.problems = await until(() => problems(one)?.length && problems(one));
  seen.others = problems(other) ?? null;

  const { provider } = await until(() => kept.providers.registerCompletionItemProvider);
  const at = new vscode.Position(6, 0);
  const offered = await provider.provideCompletionItems(one, at, vscode.source().token, { triggerKind: 0 });
  seen.offered = (offered.items ?? offered).map((item) => item.label).slice(0, 400);
  const format = kept.providers.registerDocumentFormattingEditProvider.provider;
  const edits = await format.provideDocumentFormattingEdits(
    one,
    { tabSize: 2, insertSpaces: true },
    vscode.source().token,
  );
  seen.edits = edits?.length ?? 0;

  const before = one.content;
  one.content = before.replace("wrod", "1");
  one.version += 1;
  const range = new vscode.Range(5, 31, 5, 35);
  const change = { range, rangeOffset: before.indexOf("wrod"), rangeLength: 4, text: "1" };
  vscode.emitter("onDidChangeTextDocument").fire({ document: one, contentChanges: [change], reason: undefined });
  seen.mended = await until(() => problems(one)?.every((message) => !message.includes("wrod")) && problems(one));

  await deactivate();
  for (const each of subscriptions) each.dispose();
  seen.watchers = kept.watchers;
  seen.providers = Object.keys(kept.providers);
  return seen;
}

main().then(
  (seen) => (process.stdout.write(JSON.stringify(seen)), process.exit(0)),
  (error) => (console.error(error), process.exit(1)),
);
