// The page in a window of an editor: its messages go through the editor to `rely lsp`, as the extension passes them on.
import { spawn } from "node:child_process";

// A client that can do no more than ask.
class Server {
  constructor(program) {
    this.process = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    this.pending = new Map();
    this.count = 0;
    let rest = Buffer.alloc(0);
    this.process.stdout.on("data", (data) => {
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const head = rest.indexOf("\r\n\r\n");
        const length = head < 0 ? 0 : Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, head).toString())[1]);
        if (head < 0 || rest.length < head + 4 + length) return;
        const message = JSON.parse(rest.subarray(head + 4, head + 4 + length).toString());
        rest = rest.subarray(head + 4 + length);
        const pending = this.pending.get(message.id);
        this.pending.delete(message.id);
        if (message.error) pending?.reject(new Error(message.error.message));
        else pending?.resolve(message.result);
      }
    });
  }

  write(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  ask(method, params) {
    const id = ++this.count;
    this.write({ id, method, params });
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }

  async end() {
    await this.ask("shutdown", null);
    this.write({ method: "exit" });
    await new Promise((resolve) => this.process.on("exit", resolve));
  }
}

// Opens the window: { page, server, places } with the places of the current step that it was told last.
export async function openWindow(browser, url, program, start) {
  const server = new Server(program);
  await server.ask("initialize", { capabilities: {} });
  const shown = { server, places: [] };
  const before = async (page) => {
    await page.send("Runtime.addBinding", { name: "toEditor" });
    const source = "globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => toEditor(JSON.stringify(message)) });";
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source });
    page.onbinding = async (payload) => {
      const { id, message, start: begins, stop, places } = JSON.parse(payload);
      if (stop) return server.write({ method: "rely/stop" });
      if (places) return (shown.places = places);
      const answer = begins ? JSON.stringify(start) : await server.ask("rely/call", { message });
      await page.eval(`window.postMessage(${JSON.stringify({ id, answer })}, "*")`);
    };
  };
  shown.page = await browser.page(`${url}window.html`, { width: 700, height: 800, before });
  return shown;
}
