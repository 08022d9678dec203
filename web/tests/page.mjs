// The page, as somebody uses it: finds a bug, steps through it, mends it, shares it; and what must not happen does not.
//
// node page.mjs CHROMIUM FOLDER [PICTURES] [NATIVE] [RELY]: FOLDER is the page, PICTURES where screenshots go, NATIVE the link of
// `rely serve`, RELY the program.
import assert from "node:assert/strict";
import { join } from "node:path";
import { Browser, serve } from "./browser.mjs";
import { openWindow } from "./window.mjs";

const [program, folder, pictures, native, rely] = process.argv.slice(2);
const server = await serve(folder);
const browser = await Browser.start(program);
const shoot = (page, name) => (pictures ? page.screenshot(join(pictures, `${name}.png`)) : null);

const VERDICT = (text) => `document.getElementById("verdicts").textContent.includes(${JSON.stringify(text)}) && !document.querySelector("tr.stale")`;
const setText = (page, text) =>
  page.eval(`(() => { const it = document.getElementById("editor"); it.value = ${JSON.stringify(text)}; it.dispatchEvent(new Event("input")); })()`);
const click = (page, selector) => page.eval(`document.querySelector(${JSON.stringify(selector)}).click()`);
const CURRENT = `Number(document.querySelector("#run input[type=range]").value)`;

async function bug(url, name) {
  const start = Date.now();
  const page = await browser.page(url);
  await page.until(VERDICT("✗ violated"));
  const first = Date.now() - start;
  await shoot(page, `${name}-verdicts`);
  // The run that shows it: lanes, automata and text show the same step.
  await click(page, "#verdicts tr.violated button");
  await page.until(`document.querySelectorAll("#run .cards svg").length === 10`);
  const length = await page.eval(`document.querySelectorAll("#run tbody tr").length - 1`);
  assert.equal(length, 10);
  for (let step = length; step >= 0; step--) {
    assert.equal(await page.eval(CURRENT), step);
    assert.equal(await page.eval(`[...document.querySelectorAll("#run tbody tr")].findIndex((row) => row.getAttribute("aria-current") === "step")`), step);
    assert.equal(await page.eval(`document.querySelectorAll("#run .cards svg .now").length`), 10);
    const moved = step === 0 ? 0 : await page.eval(`document.querySelectorAll("#run tbody tr.current .moves").length`);
    assert.equal(await page.eval(`document.querySelectorAll("#run .cards svg .taken").length`), moved, `step ${step}`);
    const marked = await page.eval(`[...document.querySelectorAll("#colours .step")].map((it) => it.textContent).join("")`);
    assert.equal(marked.length > 0, step > 0, `step ${step}: ${marked}`);
    if (step === 6) await shoot(page, `${name}-run`);
    await page.key("ArrowLeft", { alt: true });
  }
  // On from a step: what is possible, and why something is not.
  await page.eval(`(() => { const it = document.querySelector("#run input[type=range]"); it.value = 5; it.dispatchEvent(new Event("input")); })()`);
  await page.eval(`[...document.querySelectorAll("#run button")].find((it) => it.textContent === "Go on from here").click()`);
  await page.until(`document.querySelectorAll("#run .offers button").length > 0`);
  const refused = await page.eval(`document.querySelector("#run .refused").textContent`);
  assert.match(refused, /eat: .*PHIL is at .*, ready for/);
  await click(page, "#run .offers button");
  await page.until(`document.querySelectorAll("#run tbody tr").length === 7`);
  await page.eval(`document.querySelector("#run details").open = true`);
  await shoot(page, `${name}-simulate`);
  return { page, first };
}

const SIX = `document.querySelectorAll("#run tbody tr").length === 7`;

async function mendAndShare(page, url, name) {
  // The link opens at the same step of the same run.
  await click(page, "#share");
  await page.until(`location.hash.startsWith("#m=")`);
  const fragment = await page.eval("location.hash");
  const text = await page.eval(`document.getElementById("editor").value`);
  if (url) {
    const other = await browser.page(url + fragment);
    await other.until(SIX);
    assert.equal(await other.eval(CURRENT), await page.eval(CURRENT));
    assert.equal(await other.eval(`document.getElementById("editor").value`), text);
    assert.deepEqual(other.faults, []);
  }
  // Half of the philosophers take the left fork first.
  const mended = text.replace("PHIL = (sitdown -> right.get -> left.get -> eat -> left.put -> right.put -> arise -> PHIL).",
    "PHIL(I=0) = (when (I%2==0) sitdown -> left.get -> right.get -> eat -> left.put -> right.put -> arise -> PHIL\n|when (I%2==1) sitdown -> right.get -> left.get -> eat -> left.put -> right.put -> arise -> PHIL).")
    .replace("phil[i]:PHIL", "phil[i]:PHIL(i)");
  assert.notEqual(mended, text);
  await setText(page, mended);
  assert.equal(await page.eval(`document.querySelectorAll("tr.stale").length > 0`), true, "old verdicts are shown as stale");
  await page.until(VERDICT("deadlock✓ holds"));
  await click(page, "#format");
  await page.until(`document.getElementById("editor").value.includes("        |when (I%2==1)")`);
  await shoot(page, `${name}-mended`);
}

async function stop(page) {
  const large = await page.eval(`document.getElementById("editor").value.replace(/const N = \\d+/, "const N = 13")`);
  await setText(page, large.replaceAll("-> eat ->", "-> eat -> a -> b -> c -> d -> e ->") + "\nprogress EATS = {phil[0].eat}\n");
  await page.until(`document.querySelector("#verdicts").textContent.includes("? unknown") && !document.querySelector("tr.stale")`);
  await click(page, "#check");
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(await page.eval(`document.getElementById("stop").disabled`), false);
  const start = Date.now();
  await click(page, "#stop");
  await page.until(`document.getElementById("status").textContent.startsWith("Stopped")`);
  await setText(page, "P = (a -> P).");
  await page.until(VERDICT("DEFAULT"));
  return Date.now() - start;
}

async function hostile(url) {
  const page = await browser.page(url);
  await page.until(VERDICT("violated"));
  const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  await setText(page, `// ${evil}\nP = (a -> "${evil}" -> </textarea>${evil} Q).\n||S = (p["${evil}"]:P).`);
  await page.until(`document.querySelectorAll("#problems li").length > 0`);
  await page.until(`document.querySelector("#verdicts").textContent.includes("an earlier one")`);
  for (const fragment of ["#m=", "#m=%%%", "#m=AAAA", `#m=${"A".repeat(5000)}`, "#m=<script>", "#m=q1YqVrJSqlayMqgFAA"]) {
    await page.eval(`location.hash = ${JSON.stringify(fragment)}`);
  }
  // Something small that unpacks to much is refused.
  await page.eval(`(async () => {
    const packed = new Blob([JSON.stringify({ files: { "x.lts": "a".repeat(50e6) } })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    let text = ""; for (const byte of bytes) text += String.fromCharCode(byte);
    location.hash = "#m=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  })()`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(await page.eval("window.hacked"), undefined);
  assert.equal((await page.eval(`document.getElementById("editor").value.length`)) < 1000, true);
  assert.equal(await page.eval(`document.querySelectorAll("#problems img, #verdicts img, script:not([src])").length`), 0);
  assert.deepEqual(page.dialogs, []);
}

const SAYS = (phil) => `document.querySelector('#run [id="view-says-${phil}"]').textContent`;

// The picture that somebody drew changes with the run, and can be clicked; a hostile one does nothing.
async function animation(url) {
  const page = await browser.page(url);
  await page.until(VERDICT("violated"));
  await click(page, "#verdicts tr.violated button");
  await page.until(`document.querySelector("#run .drawing svg") !== null`);
  assert.equal(await page.eval(SAYS(3)), "has one fork");
  await shoot(page, "readme");
  await click(page, "#run .bar button");
  assert.equal(await page.eval(SAYS(3)), "thinks");
  await page.eval(`[...document.querySelectorAll("#run button")].find((it) => it.textContent === "Go on from here").click()`);
  const rows = (count) => page.until(`document.querySelectorAll("#run tbody tr").length === ${count + 1} && document.querySelector("#run .offers")`);
  await rows(0);
  await page.eval(`document.querySelector('[id="view-phil-2"]').dispatchEvent(new MouseEvent("click", { bubbles: true }))`);
  await rows(1);
  assert.equal(await page.eval(SAYS(2)), "is hungry");
  // With keys, too.
  await page.eval(`document.querySelector('[id="view-phil-2"]').focus()`);
  await page.key("Enter");
  await rows(2);
  assert.equal(await page.eval(SAYS(2)), "has one fork");
  await shoot(page, "animation");
  // The view is a file like the others: what it names and is not there is found.
  await page.eval(`(() => { const it = document.getElementById("files"); it.value = "philosophers.view.json"; it.onchange(); })()`);
  await page.until(`document.getElementById("status").textContent.includes("philosophers.lts")`);
  await setText(page, (await page.eval(`document.getElementById("editor").value`)).replace('"body-0"', '"boddy-0"'));
  await page.until(`document.getElementById("problems").textContent.includes("did you mean \`body-0\`")`);
  assert.deepEqual(page.faults, []);

  const evil = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"><script>window.hacked=1</script><g id="a"><image href="x" onerror="window.hacked=1"/>
    <foreignObject><img src="x" onerror="window.hacked=1"/></foreignObject><a href="javascript:window.hacked=1"><text>a</text></a><text id="t">a</text></g></svg>`;
  const view = `{"picture": "x.svg", "items": [{"id": "t", "attribute": "text", "actions": {"a": "<img src=x onerror=window.hacked=1>"}}], "clicks": [{"id": "a", "action": "a"}]}`;
  const files = { "x.lts": "P = (a -> STOP).", "x.view.json": view, "x.svg": evil };
  const other = await browser.page(url);
  await other.until(`document.body.dataset.ready === "yes"`);
  await other.eval(`import("./link.js").then((it) => it.write(${JSON.stringify({ files, file: "x.lts", target: "DEFAULT", choices: [0], step: 1 })})).then((it) => (location.hash = it))`);
  await other.until(`document.querySelector("#run .drawing svg") !== null`);
  assert.equal(await other.eval(`document.querySelectorAll("#run :is(script, image, img, foreignObject, a)").length`), 0);
  await other.eval(`document.querySelector("#run .drawing svg").dispatchEvent(new Event("load"))`);
  assert.equal(await other.eval("window.hacked"), undefined);
}

// The same page in a window of an editor, at a run that the editor names.
async function editorWindow(url, text) {
  const shown = await openWindow(browser, url, rely, { name: "d.lts", text, others: {}, target: "DINERS", property: "deadlock" });
  const { page, server } = shown;
  await page.until(`document.querySelectorAll("#run tbody tr").length === 11`);
  assert.equal(await page.eval(`getComputedStyle(document.querySelector("header")).display`), "none");
  const last = shown.places;
  assert.equal(last.length > 0, true, "the editor is told where the step stands");
  await page.key("ArrowLeft", { alt: true });
  await page.until(`${CURRENT} === 9`);
  await shoot(page, "window");
  // The editor says that the text has changed.
  await page.eval(`window.postMessage(${JSON.stringify({ text: "P = (a -> P)." })}, "*")`);
  await page.until(VERDICT("DEFAULT"));
  assert.deepEqual(page.faults, []);
  await server.end();
}

async function examples(url) {
  const page = await browser.page(url);
  await page.until(`document.body.dataset.ready === "yes"`);
  // The gallery opens an example at its bug.
  await click(page, "#tab-gallery");
  await shoot(page, "gallery");
  await page.eval(`[...document.querySelectorAll("#gallery button")].find((it) => it.textContent.includes("traffic-light.lts")).click()`);
  await page.until(`document.querySelector("#run .drawing svg") !== null && !document.getElementById("run").hidden`);
  await shoot(page, "crossing");
  const names = await page.eval(`[...document.querySelectorAll("#examples option")].map((it) => it.value).filter((it) => it)`);
  const slow = [];
  for (const name of names) {
    await page.eval(`(() => { const it = document.getElementById("examples"); it.value = ${JSON.stringify(name)}; it.onchange(); })()`);
    await page.until(`document.getElementById("files").value === ${JSON.stringify(name)} && document.querySelector("#verdicts tbody tr") && !document.querySelector("tr.stale")`);
    // From an edit to the verdict, without the pause that waits for further keys.
    const time = await page.eval(`new Promise((resolve) => {
      const area = document.getElementById("editor");
      area.value += "\\n";
      area.dispatchEvent(new Event("input"));
      const start = performance.now() + 120;
      const look = () => (document.querySelector("#verdicts tbody tr") && !document.querySelector("tr.stale") ? resolve(performance.now() - start) : setTimeout(look, 1));
      look();
    })`);
    if (time > 150) slow.push(`${name}: ${Math.round(time)} ms`);
  }
  assert.deepEqual(page.faults, []);
  return { count: names.length, slow };
}

async function assumption(url) {
  const page = await browser.page(url);
  await page.until(`document.body.dataset.ready === "yes"`);
  await page.eval(`(() => { const it = document.getElementById("examples"); it.value = "mutex-writer.lts"; it.onchange(); })()`);
  await page.until(`document.querySelectorAll("#assumption input").length > 3`);
  await click(page, "#tab-assumption");
  await page.eval(`document.querySelectorAll("#assumption input").forEach((it) => (it.checked = (it.name === "component" ? ["WRITER", "MUTEX"] : ["HASTY"]).includes(it.value)))`);
  await click(page, "#assumption button.primary");
  await page.until(`document.querySelector("#assumption svg") !== null`);
  assert.match(await page.eval(`document.getElementById("assumption").innerText`), /must not do e\.enterCS/);
  await shoot(page, "assumption");
  await click(page, "#tab-picture");
  await page.until(`document.querySelector("#picture svg") !== null`);
  // A name: hover, definition, completion.
  const at = (text) => page.eval(`(() => { const it = document.getElementById("editor"); const at = it.value.indexOf(${JSON.stringify(text)}); it.focus(); it.setSelectionRange(at + 1, at + 1); return at; })()`);
  await at("WRITER || MUTEX");
  await page.key("F12");
  await page.until(`document.getElementById("editor").selectionEnd === document.getElementById("editor").value.indexOf("WRITER = ") + 6`);
  await page.eval(`(() => { const it = document.getElementById("editor"); it.setSelectionRange(it.value.length, it.value.length); })()`);
  await page.type("\n||T = (WRI");
  await page.key(" ", { ctrl: true });
  await page.until(`!document.getElementById("proposals").hidden`);
  assert.match(await page.eval(`document.getElementById("proposals").innerText`), /WRITER/);
  await shoot(page, "completion");
  await page.key("Enter");
  assert.deepEqual(page.faults, []);
}

// With keys alone: from the text to the run.
async function keyboard(url) {
  const page = await browser.page(url);
  await page.until(VERDICT("violated"));
  await page.eval(`document.getElementById("editor").focus()`);
  await page.key("Enter", { ctrl: true });
  await page.until(VERDICT("violated"));
  let found = false;
  for (let i = 0; i < 40 && !found; i++) {
    await page.key("Tab");
    found = await page.eval(`document.activeElement.matches("#verdicts tr.violated button")`);
  }
  assert.equal(found, true, "the button beside the verdict is reached with Tab");
  await page.key("Enter");
  await page.until(`document.querySelector("#run .lanes") !== null && !document.getElementById("run").hidden`);
}

const started = Date.now();
const { page, first } = await bug(server.url, "wasm");
const philosophers = await page.eval(`document.getElementById("editor").value`);
await mendAndShare(page, server.url, "wasm");
const stopped = await stop(page);
assert.deepEqual(page.faults, []);
await hostile(server.url);
const { count, slow } = await examples(server.url);
await animation(server.url);
if (rely) await editorWindow(server.url, philosophers);
await assumption(server.url);
await keyboard(server.url);
const phone = await browser.page(server.url, { width: 390, height: 800, mobile: true });
await phone.until(VERDICT("violated"));
assert.equal(await phone.eval("document.documentElement.scrollWidth <= 390"), true, "nothing is wider than a phone");
await shoot(phone, "phone");
const dark = await browser.page(server.url, { dark: true });
await dark.until(VERDICT("violated"));
await click(dark, "#verdicts tr.violated button");
await dark.until(`document.querySelectorAll("#run .cards svg").length === 10`);
await shoot(dark, "dark");
if (native) {
  const { page } = await bug(native, "native");
  await mendAndShare(page, null, "native");
  await stop(page);
  assert.deepEqual(page.faults, []);
}
await browser.close();
server.close();
console.log(`page: first verdict after ${first} ms, ready ${stopped} ms after a stop, ${count} examples; from edit to verdict more than 150 ms: ${slow.join(", ") || "none"}; ${Math.round((Date.now() - started) / 1000)} s`);
