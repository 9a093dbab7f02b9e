// The client of `tilewright lsp`: starts it, and gives it the rulesets, mods, cards and case files that are open.

const { commands, window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const DOCUMENTS = [
  ...["tilewright", "yaml", "jsonl", "plaintext"].map((language) => ({ scheme: "file", language })),
  { scheme: "untitled", language: "tilewright" },
  { scheme: "file", pattern: "**/*.jsonl" },
];
let client;

async function activate(context) {
  context.subscriptions.push(commands.registerCommand("tilewright.restart", restart));
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("tilewright.command") && restart()),
  );
  await start();
}

async function start() {
  const [command, ...args] = workspace.getConfiguration("tilewright").get("command");
  const server = { command, args, transport: TransportKind.stdio };
  client = new LanguageClient("tilewright", "Tilewright", server, {
    documentSelector: DOCUMENTS,
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{yaml,yml,jsonl,txt,lock}") },
  });
  try {
    await client.start();
  } catch (error) {
    const chosen = await window.showErrorMessage(
      `The language server did not start (${command}): pip install 'tilewright[lsp]', or say in the settings where it is.`,
      "Settings",
    );
    if (chosen) await commands.executeCommand("workbench.action.openSettings", "tilewright.command");
  }
}

async function restart() {
  await deactivate();
  await start();
}

async function deactivate() {
  const old = client;
  client = undefined;
  if (old?.needsStop()) await old.stop();
}

module.exports = { activate, deactivate };
