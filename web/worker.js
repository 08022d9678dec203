// The engine in a thread of its own: messages in, answers out, one after the other.
import init, { Engine } from "./rely_wasm.js";

const ready = init().then(() => new Engine());

onmessage = async ({ data: { id, message } }) => {
  try {
    const engine = await ready;
    postMessage({ id, answer: engine.call(message) });
  } catch (error) {
    // A trap leaves the engine in no good state: whoever asked starts another one.
    postMessage({ id, error: String(error), broken: error instanceof WebAssembly.RuntimeError });
  }
};
ready.then(() => postMessage({ id: 0, answer: "{}" }), (error) => postMessage({ id: 0, error: String(error) }));
