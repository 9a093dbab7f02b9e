// As much of VS Code as the client asks for: documents, diagnostics and providers are kept, everything else does nothing.

const { pathToFileURL, fileURLToPath } = require("node:url");

class Disposable {
  constructor(dispose = () => {}) {
    this.dispose = dispose;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
}

class EventEmitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = self ? listener.bind(self) : listener;
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(what) {
    for (const listener of [...this.listeners]) listener(what);
  }
  dispose() {
    this.listeners.clear();
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end, line, character) {
    const flat = typeof start === "number";
    this.start = flat ? new Position(start, end) : start;
    this.end = flat ? new Position(line, character) : end;
  }
}

class Uri {
  constructor(href) {
    const { protocol, pathname } = new URL(href);
    Object.assign(this, { href, scheme: protocol.slice(0, -1), path: pathname });
    this.fsPath = this.scheme === "file" ? fileURLToPath(href) : pathname;
  }
  static parse = (href) => new Uri(href);
  static file = (path) => new Uri(pathToFileURL(path).href);
  toString() {
    return this.href;
  }
}

class Plain {
  constructor(...given) {
    this.given = given;
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class CompletionItem {
  constructor(label, kind) {
    Object.assign(this, { label, kind });
  }
}

class CompletionList {
  constructor(items, isIncomplete) {
    Object.assign(this, { items, isIncomplete });
  }
}

class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
  static replace = (range, newText) => new TextEdit(range, newText);
}

const enumeration = new Proxy({}, { get: (_, name) => (typeof name === "string" ? name : undefined) });
const source = () => {
  const emitter = new EventEmitter();
  return {
    token: { isCancellationRequested: false, onCancellationRequested: emitter.event },
    cancel() {},
    dispose() {},
  };
};

// What the test looks at.
const kept = { diagnostics: new Map(), providers: {}, commands: {}, errors: [], watchers: 0, settings: {} };
const emitters = {};
const emitter = (name) => (emitters[name] ??= new EventEmitter());
const withEvents = (own) =>
  new Proxy(own, {
    get: (all, name) => (name in all ? all[name] : /^on(Did|Will)/.test(name) ? emitter(name).event : undefined),
  });

const workspace = withEvents({
  textDocuments: [],
  notebookDocuments: [],
  workspaceFolders: undefined,
  getConfiguration: (section) => ({
    get: (name, otherwise) => kept.settings[[section, name].filter(Boolean).join(".")] ?? otherwise,
    inspect: () => undefined,
    has: () => false,
  }),
  getWorkspaceFolder: () => undefined,
  createFileSystemWatcher: () => {
    kept.watchers += 1;
    const none = new EventEmitter();
    const ended = () => void (kept.watchers -= 1);
    return { onDidCreate: none.event, onDidChange: none.event, onDidDelete: none.event, dispose: ended };
  },
  applyEdit: async () => true,
  fs: {},
});

const fits = (selector, document) =>
  [selector]
    .flat()
    .some(
      (one) =>
        (!one.language || one.language === document.languageId) &&
        (!one.scheme || one.scheme === document.uri.scheme) &&
        (!one.pattern || document.uri.path.endsWith(String(one.pattern).replace(/^\*\*\/\*/, ""))),
    );

const languages = new Proxy(
  {
    match: (selector, document) => (fits(selector, document) ? 10 : 0),
    createDiagnosticCollection: () => ({
      set: (uri, found) => kept.diagnostics.set(String(uri), found),
      delete: (uri) => kept.diagnostics.delete(String(uri)),
      clear: () => kept.diagnostics.clear(),
      dispose() {},
    }),
  },
  {
    get: (own, name) =>
      own[name] ??
      ((selector, provider) => {
        kept.providers[name] = { selector, provider };
        return new Disposable(() => delete kept.providers[name]);
      }),
  },
);

const channel = {
  append() {},
  appendLine() {},
  clear() {},
  show() {},
  hide() {},
  dispose() {},
  name: "",
  replace() {},
};
const window = withEvents({
  activeTextEditor: undefined,
  visibleTextEditors: [],
  tabGroups: { all: [], onDidChangeTabs: emitter("tabs").event, onDidChangeTabGroups: emitter("groups").event },
  createOutputChannel: () => channel,
  showErrorMessage: async (...said) => void kept.errors.push(said[0]),
  showWarningMessage: async () => undefined,
  showInformationMessage: async () => undefined,
  withProgress: async (_, task) => task({ report() {} }, source().token),
});

const commands = {
  registerCommand: (name, does) => {
    if (name in kept.commands) throw new Error(`command '${name}' already exists`);
    kept.commands[name] = does;
    return new Disposable(() => delete kept.commands[name]);
  },
  executeCommand: async (name, ...given) => kept.commands[name]?.(...given),
};

const known = {
  ...{ Disposable, EventEmitter, Position, Range, Uri, Diagnostic, CompletionItem, CompletionList, TextEdit },
  ...{ workspace, languages, window, commands, kept, emitter, source },
  CancellationTokenSource: class {
    constructor() {
      Object.assign(this, source());
    }
  },
  CancellationError: class extends Error {},
  env: { appName: "none", language: "en", openExternal: async () => true },
  version: "1.91.0",
  extensions: { getExtension: () => undefined },
};
const CLASSES =
  /^(CodeAction|CodeLens|DocumentLink|InlayHint|InlayHintLabelPart|SymbolInformation|CallHierarchyItem|TypeHierarchyItem|MarkdownString|Hover|Location|SnippetString|WorkspaceEdit|RelativePattern|DocumentSymbol|DiagnosticRelatedInformation|LinkedEditingRanges|SemanticTokensLegend)$/;

module.exports = new Proxy(known, {
  get: (own, name) => own[name] ?? (CLASSES.test(name) ? Plain : enumeration),
});
