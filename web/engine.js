// Who answers: the engine in a worker, or the program that serves this page. Both take and give the same JSON.
//
// One message is under way at a time. A message with a key takes the place of a waiting one with the same key, so that of
// many edits only the newest is looked at.

export class Stopped extends Error {}

class Queue {
  constructor(send) {
    this.send = send;
    this.waiting = [];
    this.current = null;
    this.onbusy = () => {};
  }

  call(message, key = null) {
    return new Promise((resolve, reject) => {
      const entry = { message, key, resolve, reject };
      const place = key === null ? -1 : this.waiting.findIndex((other) => other.key === key);
      if (place >= 0) {
        this.waiting[place].reject(new Stopped("there is a newer one"));
        this.waiting[place] = entry;
      } else {
        this.waiting.push(entry);
      }
      this.next();
    });
  }

  async next() {
    if (this.current || this.waiting.length === 0) return;
    const entry = (this.current = this.waiting.shift());
    this.onbusy(entry.key ?? "");
    try {
      const answer = JSON.parse(await this.send(JSON.stringify(entry.message)));
      if (answer !== null && typeof answer.error === "string" && Object.keys(answer).length === 1 && !("look" in entry.message)) {
        throw new Error(answer.error);
      }
      entry.resolve(answer);
    } catch (error) {
      entry.reject(error);
    }
    if (this.current === entry) this.current = null;
    if (!this.current) this.onbusy(null);
    this.next();
  }

  // Everything that waits or is under way is given up.
  drop() {
    const dropped = [...(this.current ? [this.current] : []), ...this.waiting];
    this.current = null;
    this.waiting = [];
    dropped.forEach((entry) => entry.reject(new Stopped("stopped")));
    this.onbusy(null);
  }
}

class InWorker {
  constructor() {
    this.queue = new Queue((message) => this.post(message));
    this.texts = new Map();
    this.start();
  }

  start() {
    this.worker = new Worker("worker.js", { type: "module" });
    this.pending = new Map();
    this.count = 0;
    this.ready = new Promise((resolve, reject) => this.pending.set(0, { resolve, reject }));
    this.ready.catch(() => {});
    this.worker.onmessage = ({ data }) => {
      const pending = this.pending.get(data.id);
      this.pending.delete(data.id);
      if (data.broken) this.restart();
      if ("error" in data) pending?.reject(new Error(data.error));
      else pending?.resolve(data.answer);
    };
    this.worker.onerror = () => {
      const error = new Error("the engine could not be loaded");
      this.pending.forEach((pending) => pending.reject(error));
      this.pending.clear();
    };
  }

  post(message) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.worker.postMessage({ id, message });
    });
  }

  call(message, key) {
    if (message.set) this.texts.set(message.set.name, message.set.text);
    if (message.remove) this.texts.delete(message.remove);
    return this.queue.call(message, key);
  }

  restart() {
    this.worker.terminate();
    this.start();
    for (const [name, text] of this.texts) this.post(JSON.stringify({ set: { name, text } })).catch(() => {});
  }

  // A search cannot be asked to stop: its thread is ended, and another one starts with the same texts.
  stop() {
    this.restart();
    this.queue.drop();
  }
}

class Native {
  constructor(token) {
    this.token = token;
    this.queue = new Queue((message) => this.post("/call", message));
    this.ready = this.post("/start", "").then((text) => (this.first = JSON.parse(text)));
  }

  async post(path, body) {
    const answer = await fetch(path, { method: "POST", headers: { "X-Rely-Token": this.token }, body });
    if (!answer.ok) throw new Error((await answer.text()).trim());
    return answer.text();
  }

  call(message, key) {
    return this.queue.call(message, key);
  }

  stop() {
    this.post("/stop", "").catch(() => {});
    this.queue.drop();
  }
}

// The page in a window of an editor, which passes messages on to the server that it talks to anyway.
class InEditor {
  constructor(api) {
    this.api = api;
    this.pending = new Map();
    this.count = 0;
    this.onmessage = () => {};
    addEventListener("message", ({ data }) => {
      const pending = this.pending.get(data.id);
      if (!pending) return this.onmessage(data);
      this.pending.delete(data.id);
      if ("error" in data) pending.reject(new Error(data.error));
      else pending.resolve(data.answer);
    });
    this.queue = new Queue((message) => this.post({ message }));
    this.ready = this.post({ start: true }).then((text) => (this.first = JSON.parse(text)));
  }

  post(what) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.api.postMessage({ ...what, id });
    });
  }

  call(message, key) {
    return this.queue.call(message, key);
  }

  stop() {
    this.api.postMessage({ stop: true });
    this.queue.drop();
  }

  // Shows places of the text, in UTF-16 code units.
  reveal(places) {
    this.api.postMessage({ places });
  }
}

export function engine() {
  const kind = document.querySelector("meta[name=engine]").content;
  document.body.classList.add(`in-${kind}`);
  if (kind === "editor") return new InEditor(acquireVsCodeApi());
  if (document.querySelector("meta[name=engine]").content !== "native") return new InWorker();
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    sessionStorage.setItem("token", token);
    history.replaceState(null, "", location.pathname);
  }
  return new Native(sessionStorage.getItem("token") ?? "");
}
