// The extension: starts `rely lsp`, and shows what it answers.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client = null;

function selector() {
  const languages = ["fsp", "rely-reactive", "rely-messages"];
  if (vscode.workspace.getConfiguration("rely").get("tasks")) languages.push("ada");
  return languages.map((language) => ({ scheme: "file", language }));
}

async function activate(context) {
  const settings = vscode.workspace.getConfiguration("rely");
  const command = settings.get("path");
  const server = { command, args: ["lsp", "--timeout", settings.get("timeout")] };
  client = new LanguageClient("rely", "rely", server, { documentSelector: selector() });
  const active = () => vscode.window.activeTextEditor?.document.uri.toString();
  // The commands of the server need to be told which file is meant.
  const about = (name) => () => active() && vscode.commands.executeCommand(name, active());
  context.subscriptions.push(
    vscode.commands.registerCommand("rely.checkThis", about("rely.check")),
    vscode.commands.registerCommand("rely.stop", about("rely.cancel")),
    vscode.commands.registerCommand("rely.openPage", () => {
      const file = vscode.window.activeTextEditor?.document.uri.fsPath;
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
