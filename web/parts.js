// Small pieces of the page.

// An element with attributes and children; texts are always texts, never markup.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const DRAWN = new Set([
  "svg", "title", "desc", "rect", "g", "path", "polygon", "polyline", "line", "circle", "ellipse", "text", "tspan", "defs", "use", "symbol",
  "linearGradient", "radialGradient", "stop", "marker",
]);
// What no picture of the engine has: scripts, styles, and references to anything but itself.
const isKept = (name, value) =>
  !/^on|^style$|[:]/i.test(name) && (name !== "href" || value.startsWith("#")) && !/url\((?!#)|javascript:/i.test(value);
const SVG = "http://www.w3.org/2000/svg";

// A picture that the engine drew. Only what it draws is taken over: no scripts, no styles, no links.
export function picture(svg, name) {
  // Its style is the page's, and the policy of the page allows no other.
  const plain = svg.replace(/<style>[^<]*<\/style>/g, "");
  const source = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  const copy = (from) => {
    if (from.namespaceURI !== SVG || !DRAWN.has(from.localName)) return null;
    const to = document.createElementNS(SVG, from.localName);
    for (const { name, value } of from.attributes) if (isKept(name, value)) to.setAttribute(name, value);
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.append(child.data);
      else if (child.nodeType === Node.ELEMENT_NODE) to.append(copy(child) ?? "");
    }
    return to;
  };
  const drawn = copy(source);
  if (!drawn) return make("p", {}, "There is no picture.");
  drawn.setAttribute("aria-label", name);
  return drawn;
}

// Shows in a picture where a component is, and the step that led there.
export function mark(drawn, before, after, moved) {
  drawn.querySelectorAll(".now, .was, .taken").forEach((it) => it.classList.remove("now", "was", "taken"));
  drawn.querySelector(`[data-state="${Number(after)}"]`)?.classList.add("now");
  if (moved) {
    drawn.querySelector(`[data-state="${Number(before)}"]`)?.classList.add("was");
    drawn.querySelector(`[data-from="${Number(before)}"][data-to="${Number(after)}"]`)?.classList.add("taken");
  }
}

// The places of bytes of UTF-8 in a string.
export function units(text, bytes) {
  const wanted = [...new Set(bytes)].sort((a, b) => a - b);
  const places = new Map();
  let byte = 0;
  let unit = 0;
  let next = 0;
  for (const character of text) {
    while (next < wanted.length && wanted[next] <= byte) places.set(wanted[next++], unit);
    if (next === wanted.length) break;
    const code = character.codePointAt(0);
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    unit += character.length;
  }
  while (next < wanted.length) places.set(wanted[next++], unit);
  return places;
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
