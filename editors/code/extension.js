// The extension: starts `rely lsp`, shows what it answers, and shows runs in the page of rely.
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client = null;

function selector() {
  const languages = ["fsp", "rely-reactive", "rely-messages"];
  if (vscode.workspace.getConfiguration("rely").get("tasks")) languages.push("ada");
  return languages.map((language) => ({ scheme: "file", language }));
}

// The program: the one that is set, else the one in the package, else one that is installed.
function program(context, settings) {
  const bundled = context.asAbsolutePath(path.join("bin", "rely"));
  return settings.get("path") || (fs.existsSync(bundled) ? bundled : "rely");
}

// The view of a model and its picture, which lie beside it.
async function others(document) {
  const read = async (name) => {
    const uri = vscode.Uri.joinPath(document.uri, "..", name);
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  };
  try {
    const view = path.basename(document.uri.fsPath).replace(/\.[^.]*$/, ".view.json");
    const text = await read(view);
    const { picture } = JSON.parse(text);
    return { [view]: text, [picture]: await read(picture) };
  } catch {
    return {};
  }
}

// The page, with the addresses that a window of the editor may load.
function html(folder, webview) {
  const base = webview.asWebviewUri(vscode.Uri.file(folder)).toString();
  const own = webview.cspSource;
  const policy = `default-src 'none'; script-src ${own}; style-src ${own}; img-src ${own} data:`;
  return fs.readFileSync(path.join(folder, "index.html"), "utf8")
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('name="engine" content="wasm"', 'name="engine" content="editor"')
    .replace(/(href|src)="([a-z]+\.(?:css|js))"/g, (_, name, file) => `${name}="${base}/${file}"`);
}

// Opens a window beside the text, at a run if one is named.
async function open(context, document, target, property) {
  const folder = context.asAbsolutePath(path.join("dist", "page"));
  const name = path.basename(document.uri.fsPath);
  const panel = vscode.window.createWebviewPanel("rely", `rely: ${name}`, vscode.ViewColumn.Beside, {
    enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [vscode.Uri.file(folder)],
  });
  const { webview } = panel;
  const mark = vscode.window.createTextEditorDecorationType({ backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground") });
  const listeners = [
    mark,
    webview.onDidReceiveMessage(async ({ id, message, start, stop, places }) => {
      if (stop) return client.sendNotification("rely/stop");
      if (places) return reveal(document, mark, places);
      try {
        const answer = start
          ? JSON.stringify({ name, text: document.getText(), others: await others(document), target, property })
          : await client.sendRequest("rely/call", { message });
        webview.postMessage({ id, answer });
      } catch (error) {
        webview.postMessage({ id, error: String(error.message ?? error) });
      }
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) webview.postMessage({ text: document.getText() });
    }),
  ];
  panel.onDidDispose(() => listeners.forEach((listener) => listener.dispose()));
  webview.html = html(folder, webview);
}

// Shows places of the text, of the current step.
function reveal(document, mark, places) {
  const editor = vscode.window.visibleTextEditors.find((it) => it.document === document);
  if (!editor) return;
  const ranges = places.map(([start, end]) => new vscode.Range(document.positionAt(start), document.positionAt(end)));
  editor.setDecorations(mark, ranges);
  if (ranges.length > 0) editor.revealRange(ranges[0]);
}

async function activate(context) {
  const settings = vscode.workspace.getConfiguration("rely");
  const command = program(context, settings);
  const server = { command, args: ["lsp", "--timeout", settings.get("timeout")] };
  const document = () => vscode.window.activeTextEditor?.document;
  const executeCommand = async (name, words, next) => {
    const shown = name === "rely.trace" && vscode.workspace.textDocuments.find((it) => it.uri.toString() === words[0]);
    return shown ? open(context, shown, words[1], words[2]) : next(name, words);
  };
  client = new LanguageClient("rely", "rely", server, { documentSelector: selector(), middleware: { executeCommand } });
  // The commands of the server need to be told which file is meant.
  const about = (name) => () => document() && vscode.commands.executeCommand(name, document().uri.toString());
  context.subscriptions.push(
    vscode.commands.registerCommand("rely.checkThis", about("rely.check")),
    vscode.commands.registerCommand("rely.stop", about("rely.cancel")),
    vscode.commands.registerCommand("rely.showRuns", () => document() && open(context, document())),
    vscode.commands.registerCommand("rely.openPage", () => {
      const file = document()?.uri.fsPath;
      if (!file) return;
      // The link appears in the terminal, which makes it one to click.
      const terminal = vscode.window.createTerminal({ name: "rely serve", shellPath: command, shellArgs: ["serve", file] });
      terminal.show();
    }),
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`rely does not start (${error.message}): is it installed, and is rely.path right?`);
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
