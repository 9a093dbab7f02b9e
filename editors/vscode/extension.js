// The client of `tilewright lsp`: starts it, and gives it the rulesets, mods, cards and case files that are open.

const { commands, window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const DOCUMENTS = [
  ...["tilewright", "yaml", "jsonl", "plaintext"].map((language) => ({ scheme: "file", language })),
  { scheme: "untitled", language: "tilewright" },
  { scheme: "file", pattern: "**/*.jsonl" },
];
let client, watcher;
let turn = Promise.resolve(); // a client that is starting cannot be stopped: starts and stops follow one another

async function activate(context) {
  watcher = workspace.createFileSystemWatcher("**/*.{yaml,yml,jsonl,txt,lock}");
  context.subscriptions.push(
    watcher,
    commands.registerCommand("tilewright.restart", restart),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("tilewright.command") && restart()),
  );
  await restart();
}

function restart() {
  turn = turn.then(stop).then(start);
  return turn;
}

async function start() {
  const [command, ...args] = workspace.getConfiguration("tilewright").get("command");
  const server = { command, args, transport: TransportKind.stdio };
  const started = new LanguageClient("tilewright", "Tilewright", server, {
    documentSelector: DOCUMENTS,
    synchronize: { fileEvents: watcher },
  });
  try {
    await started.start();
    client = started;
  } catch {
    void complain(command); // whoever reads it may take their time
  }
}

async function complain(command) {
  const chosen = await window.showErrorMessage(
    `The language server did not start (${command}): pip install 'tilewright[lsp]', or say in the settings where it is.`,
    "Settings",
  );
  if (chosen) await commands.executeCommand("workbench.action.openSettings", "tilewright.command");
}

async function stop() {
  const old = client;
  client = undefined;
  try {
    if (old?.needsStop()) await old.stop();
  } catch {
    // it has ended by itself, or does not answer; the next one starts anyway
  }
}

function deactivate() {
  turn = turn.then(stop);
  return turn;
}

module.exports = { activate, deactivate };
