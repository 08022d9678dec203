// A browser that is driven over a pipe, with nothing but Node: starts Chromium, opens pages, presses keys, takes pictures.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

// Serves a folder, as any static server does; `/window.html` is the page as a window of an editor has it.
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(request.url.split(/[?#]/)[0]));
    try {
      if (path === "/window.html") {
        const page = await readFile(join(folder, "index.html"), "utf8");
        return response.writeHead(200, { "Content-Type": "text/html" }).end(page.replace('name="engine" content="wasm"', 'name="engine" content="editor"'));
      }
      const file = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "Content-Type": KINDS[extname(path)] ?? "text/html" }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export class Browser {
  static async start(program) {
    const browser = new Browser();
    browser.folder = await mkdtemp(join(tmpdir(), "rely-browser-"));
    const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
      `--user-data-dir=${browser.folder}`, "about:blank"];
    browser.process = spawn(program, options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.pending = new Map();
    browser.listeners = new Set();
    browser.count = 0;
    let rest = Buffer.alloc(0);
    browser.process.stdio[4].on("data", (data) => {
      rest = Buffer.concat([rest, data]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        const message = JSON.parse(rest.subarray(0, end).toString());
        rest = rest.subarray(end + 1);
        const pending = browser.pending.get(message.id);
        browser.pending.delete(message.id);
        if (message.error) pending?.reject(new Error(message.error.message));
        else pending?.resolve(message.result);
        if (message.method) browser.listeners.forEach((listener) => listener(message));
      }
    });
    return browser;
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.count;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }

  async page(url, { width = 1300, height = 850, dark = false, mobile = false, before = null } = {}) {
    const { browserContextId } = await this.send("Target.createBrowserContext");
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId);
    this.listeners.add((message) => message.sessionId === sessionId && page.hear(message));
    for (const domain of ["Page", "Runtime", "Log"]) await page.send(`${domain}.enable`);
    if (before) await before(page);
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await page.send("Page.navigate", { url });
    return page;
  }

  async close() {
    await this.send("Browser.close").catch(() => {});
    await new Promise((resolve) => (this.process.exitCode === null ? this.process.on("exit", resolve) : resolve()));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const CODES = { Enter: 13, Escape: 27, ArrowLeft: 37, ArrowRight: 39, ArrowDown: 40, Tab: 9, F2: 113, F12: 123, " ": 32 };

class Page {
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
    this.faults = [];
    this.dialogs = [];
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  hear({ method, params }) {
    if (method === "Runtime.exceptionThrown") this.faults.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Log.entryAdded" && params.entry.level === "error") this.faults.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    if (method === "Runtime.bindingCalled") this.onbinding?.(params.payload);
    if (method === "Page.javascriptDialogOpening") {
      this.dialogs.push(params.message);
      this.send("Page.handleJavaScriptDialog", { accept: true, promptText: this.answer ?? "" });
    }
  }

  async eval(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // Waits until something is so.
  async until(expression, time = 60000) {
    for (const start = Date.now(); Date.now() - start < time; ) {
      if (await this.eval(expression).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`it never came to be: ${expression}\n${await this.eval("document.body.innerText").catch(() => "")}\n${this.faults.join("\n")}`);
  }

  async key(key, modifiers = {}) {
    const bits = (modifiers.alt ? 1 : 0) | (modifiers.ctrl ? 2 : 0) | (modifiers.shift ? 8 : 0);
    const text = key === "Enter" ? "\r" : key.length === 1 && !bits ? key : undefined;
    const code = CODES[key] ?? key.toUpperCase().charCodeAt(0);
    const common = { key, code: key.length === 1 ? undefined : key, windowsVirtualKeyCode: code, modifiers: bits };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...common });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }

  async type(text) {
    await this.send("Input.insertText", { text });
  }

  async screenshot(path) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    await writeFile(path, Buffer.from(data, "base64"));
  }
}
