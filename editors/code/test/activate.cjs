// Activates the extension in a host that only writes down what it is told: no test has run it in the editor itself.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const told = [];
const commands = new Map();
const listeners = {};
const uri = (fsPath) => ({ fsPath, toString: () => `file://${fsPath}` });
const text = "P = (a -> b -> P).\n";
const document = { uri: uri("/m.lts"), getText: () => text, positionAt: (offset) => ({ line: 0, character: offset }) };
const editor = {
  document,
  setDecorations: (mark, ranges) => told.push(["marked", ranges]),
  revealRange: (range) => told.push(["revealed", range]),
};
const panel = {
  webview: {
    cspSource: "https://own", asWebviewUri: (it) => ({ toString: () => `https://own${it.fsPath}` }),
    onDidReceiveMessage: (listener) => ((listeners.message = listener), { dispose() {} }),
    postMessage: (message) => told.push(["posted", message]),
  },
  onDidDispose: (listener) => (listeners.dispose = listener),
};
const SETTINGS = { path: "", timeout: "5s", tasks: true };
const vscode = {
  Uri: { file: uri, joinPath: (base, up, name) => uri(path.join(base.fsPath, up, name)) },
  ViewColumn: { Beside: 2 },
  ThemeColor: class {},
  Range: class { constructor(start, end) { Object.assign(this, { start, end }); } },
  workspace: {
    textDocuments: [document],
    getConfiguration: () => ({ get: (name) => SETTINGS[name] }),
    onDidChangeTextDocument: (listener) => ((listeners.change = listener), { dispose: () => (listeners.change = null) }),
    fs: {
      readFile: async ({ fsPath }) => {
        const files = { "/m.view.json": '{"picture": "m.svg"}', "/m.svg": "<svg/>" };
        if (!(fsPath in files)) throw new Error("no such file");
        return new TextEncoder().encode(files[fsPath]);
      },
    },
  },
  window: {
    activeTextEditor: editor,
    visibleTextEditors: [editor],
    createTerminal: (options) => (told.push(["terminal", options]), { show() {} }),
    createWebviewPanel: (...words) => (told.push(["panel", ...words]), panel),
    createTextEditorDecorationType: () => ({ dispose() {} }),
    showErrorMessage: (message) => told.push(["error", message]),
  },
  commands: {
    registerCommand: (name, run) => (commands.set(name, run), { dispose() {} }),
    executeCommand: (...words) => told.push(words),
  },
};
class LanguageClient {
  constructor(...words) { told.push(["client", ...words]); }
  async start() { if (this.constructor.fails) throw new Error("no such file"); }
  async stop() { told.push(["stopped"]); }
  async sendRequest(method, params) {
    told.push([method, params]);
    if (params.message === "wrong") throw new Error("no sense");
    return "{}";
  }
  sendNotification(method) { told.push([method]); }
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);

const root = path.join(__dirname, "..");
const context = { subscriptions: [], asAbsolutePath: (name) => path.join(root, name) };

(async () => {
  const { activate, deactivate } = require("../extension.js");
  const { contributes } = require("../package.json");
  await activate(context);
  const [, id, , server, options] = told.shift();
  assert.equal(id, "rely");
  assert.deepEqual(server, { command: "rely", args: ["lsp", "--timeout", "5s"] });
  assert.deepEqual(options.documentSelector.map((it) => it.language), ["fsp", "rely-reactive", "rely-messages", "ada"]);
  assert.deepEqual([...commands.keys()].sort(), contributes.commands.map((it) => it.command).sort());
  commands.get("rely.checkThis")();
  assert.deepEqual(told.shift(), ["rely.check", "file:///m.lts"]);
  commands.get("rely.openPage")();
  assert.deepEqual(told.shift()[1].shellArgs, ["serve", "/m.lts"]);

  // The line above a composite opens the window of runs; other commands go to the server.
  const { executeCommand } = options.middleware;
  executeCommand("rely.check", ["file:///m.lts"], (...words) => told.push(["next", ...words]));
  assert.deepEqual(told.shift(), ["next", "rely.check", ["file:///m.lts"]]);
  await executeCommand("rely.trace", ["file:///m.lts", "S", "deadlock"], () => assert.fail("it is shown here"));
  assert.deepEqual(told.shift().slice(0, 4), ["panel", "rely", "rely: m.lts", 2]);
  // The page loads its own files only, and asks the editor.
  const page = panel.webview.html;
  assert.match(page, /name="engine" content="editor"/);
  assert.match(page, /default-src 'none'; script-src https:\/\/own;/);
  const loaded = [...page.matchAll(/(?:src|href)="(https:\/\/own[^"]*)"/g)].map(([, address]) => address.replace("https://own", ""));
  assert.equal(loaded.length, 2);
  for (const file of loaded) assert.ok(fs.existsSync(file), `${file} is in the package`);
  assert.doesNotMatch(page, /wasm-unsafe-eval|content="wasm"/);
  const posted = async (message) => (await listeners.message(message), told.pop()[1]);
  const start = await posted({ id: 1, start: true });
  assert.deepEqual(JSON.parse(start.answer), {
    name: "m.lts", text, others: { "m.view.json": '{"picture": "m.svg"}', "m.svg": "<svg/>" }, target: "S", property: "deadlock",
  });
  assert.deepEqual(await posted({ id: 2, message: "{}" }), { id: 2, answer: "{}" });
  assert.deepEqual(told.shift(), ["rely/call", { message: "{}" }]);
  assert.deepEqual(await posted({ id: 3, message: "wrong" }), { id: 3, error: "no sense" });
  told.length = 0;
  await listeners.message({ stop: true });
  assert.deepEqual(told.shift(), ["rely/stop"]);
  await listeners.message({ places: [[5, 6]] });
  assert.deepEqual(told.shift()[1].map((it) => [it.start.character, it.end.character]), [[5, 6]]);
  assert.equal(told.shift()[0], "revealed");
  listeners.change({ document: {} });
  assert.equal(told.length, 0);
  listeners.change({ document });
  assert.deepEqual(told.shift(), ["posted", { text }]);
  listeners.dispose();
  assert.equal(listeners.change, null);

  await deactivate();
  assert.deepEqual(told.shift(), ["stopped"]);
  SETTINGS.path = "/opt/rely";
  LanguageClient.fails = true;
  await activate(context);
  assert.equal(told[0][3].command, "/opt/rely");
  assert.match(told.at(-1)[1], /rely does not start/);
  console.log("code: the extension is activated in a host that stands for the editor");
})();
