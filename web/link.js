// Links that hold a whole state: the texts, what is looked at, and the step. They are in the fragment, which is sent nowhere.

const LONGEST = 1 << 20;

export async function write(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const data = new Uint8Array(await new Response(packed).arrayBuffer());
  let text = "";
  for (const byte of data) text += String.fromCharCode(byte);
  return "#m=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The state that a fragment holds; null if it holds none. What unpacks to more than a megabyte is refused.
export async function read(fragment) {
  const packed = new URLSearchParams(fragment.replace(/^#/, "")).get("m");
  if (!packed || packed.length > LONGEST) return null;
  try {
    const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const data = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const pieces = [];
    let length = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      length += piece.value.length;
      if (length > LONGEST) {
        reader.cancel().catch(() => {});
        return null;
      }
      pieces.push(piece.value);
    }
    return checked(JSON.parse(await new Blob(pieces).text()));
  } catch {
    return null;
  }
}

// What somebody else wrote is taken only where it has the right form.
function checked(state) {
  if (typeof state !== "object" || state === null || typeof state.files !== "object" || state.files === null) return null;
  const files = Object.entries(state.files).filter(([name, text]) => isName(name) && typeof text === "string");
  if (files.length === 0 || files.length > 50) return null;
  const text = (value) => (typeof value === "string" && value.length < 1000 ? value : null);
  const number = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : null);
  const choices = Array.isArray(state.choices) ? state.choices.filter((it) => number(it) !== null).slice(0, 10000) : null;
  return {
    files: Object.fromEntries(files),
    file: text(state.file),
    target: text(state.target),
    property: text(state.property),
    step: number(state.step),
    choices,
    from: number(state.from),
  };
}

export function isName(name) {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,99}$/u.test(name);
}
