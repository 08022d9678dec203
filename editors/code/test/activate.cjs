// Activates the extension in a host that only writes down what it is told: no test has run it in the editor itself.
const assert = require("node:assert/strict");
const Module = require("node:module");

const told = [];
const commands = new Map();
const vscode = {
  workspace: { getConfiguration: () => ({ get: (name) => ({ path: "/opt/rely", timeout: "5s", tasks: true })[name] }) },
  window: {
    activeTextEditor: { document: { uri: { toString: () => "file:///m.lts", fsPath: "/m.lts" } } },
    createTerminal: (options) => (told.push(["terminal", options]), { show() {} }),
    showErrorMessage: (text) => told.push(["error", text]),
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
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);

(async () => {
  const { activate, deactivate } = require("../extension.js");
  const { contributes } = require("../package.json");
  await activate({ subscriptions: [] });
  const [, id, , server, options] = told.shift();
  assert.equal(id, "rely");
  assert.deepEqual(server, { command: "/opt/rely", args: ["lsp", "--timeout", "5s"] });
  assert.deepEqual(options.documentSelector.map((it) => it.language), ["fsp", "rely-reactive", "rely-messages", "ada"]);
  assert.deepEqual([...commands.keys()].sort(), contributes.commands.map((it) => it.command).sort());
  commands.get("rely.checkThis")();
  assert.deepEqual(told.shift(), ["rely.check", "file:///m.lts"]);
  commands.get("rely.openPage")();
  assert.deepEqual(told.shift()[1].shellArgs, ["serve", "/m.lts"]);
  await deactivate();
  assert.deepEqual(told.shift(), ["stopped"]);
  LanguageClient.fails = true;
  await activate({ subscriptions: [] });
  assert.match(told.at(-1)[1], /rely does not start/);
  console.log("code: the extension is activated in a host that stands for the editor");
})();
