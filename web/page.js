// The page: texts, questions, answers. What is true is said by the engine; here it is only shown.

import { engine, Stopped } from "./engine.js";
import { Editor } from "./editor.js";
import { Player } from "./player.js";
import { Run } from "./trace.js";
import * as link from "./link.js";
import { copy, make, picture, plural } from "./parts.js";

const $ = (id) => document.getElementById(id);
const backend = engine();
const editor = new Editor();
const run = new Run($("run"), editor);

// What a search may hold while somebody types, and when it is asked for; wasm32 ends where it runs out of memory.
const WHILE_TYPING = 100000;
const MOST_BYTES = 1200 * 1024 * 1024;

const state = {
  files: {},
  file: "",
  // The answer of check, and the text that it is about.
  report: null,
  about: "",
  looked: null,
  // What the run is: of a target and property, or walked by hand.
  shown: null,
};

const say = (text) => ($("status").textContent = text);
const failed = (error) => {
  if (!(error instanceof Stopped)) say(`No answer: ${error.message}`);
};

// ---------------------------------------------------------------- texts

function open(name) {
  state.file = name;
  state.report = null;
  state.looked = null;
  state.shown = null;
  editor.show(state.files[name]);
  run.clear();
  $("picture").replaceChildren();
  showFiles();
  showVerdicts();
  return send();
}

function showFiles() {
  const options = Object.keys(state.files).map((name) => make("option", { value: name, selected: name === state.file }, name));
  $("files").replaceChildren(...options);
}

function load(files, file) {
  for (const name of Object.keys(state.files)) backend.call({ remove: name }).catch(() => {});
  state.files = files;
  for (const [name, text] of Object.entries(files)) backend.call({ set: { name, text } }).catch(failed);
  return open(file in files ? file : Object.keys(files)[0]);
}

function save() {
  try {
    localStorage.setItem("rely", JSON.stringify({ files: state.files, file: state.file }));
  } catch {
    // A browser that keeps nothing is no reason to stop.
  }
}

// ---------------------------------------------------------------- while somebody types

// Sends the text and shows what stands in it.
async function send() {
  const [name, text] = [state.file, editor.text];
  state.files[name] = text;
  save();
  try {
    await backend.call({ set: { name, text } }, "set");
    const looked = await backend.call({ look: { file: name, look: "text" } }, "look");
    if (name !== state.file || text !== editor.text) return;
    state.looked = looked;
    editor.tell(looked.colours, looked.findings);
    showProblems();
    showAssumption();
    if (!looked.is_model) return aboutView(looked.findings);
    if (!looked.findings.some((it) => it.severity === "error")) await check(true);
    else say(plural(looked.findings.filter((it) => it.severity === "error").length, "error"));
  } catch (error) {
    failed(error);
  }
}

let timer = 0;
editor.onedit = () => {
  showVerdicts();
  if (run.data) run.go(run.step, false);
  clearTimeout(timer);
  timer = setTimeout(() => {
    // A search about an old text is of no use.
    if (backend.queue.current?.key === "check") backend.stop();
    send();
  }, 120);
};

// What is asked about a place is about the text as it is now.
editor.ask = async (what) => {
  try {
    await backend.call({ set: { name: state.file, text: editor.text } });
    return await backend.call({ look: { file: state.file, ...what } }, what.look);
  } catch (error) {
    failed(error);
    return null;
  }
};

// A view or a picture has no verdicts, but something to show: the start of its model.
async function aboutView(findings) {
  const model = Object.keys(state.files).find((name) => !isOfView(name) && viewOf(name) === viewOf(state.file));
  say(findings.length > 0 ? plural(findings.length, "error") : model ? `This is shown with the runs of ${model}.` : "This is no model.");
}

function showProblems() {
  const findings = state.looked?.findings ?? [];
  $("problems-title").textContent = findings.length > 0 ? `Problems (${findings.length})` : "No problems";
  $("problems").replaceChildren(...findings.map((it) => {
    const place = it.line ? `${it.line}:${it.column} ` : "";
    const jump = make("button", { class: "plain", disabled: !it.at, onclick: () => editor.select(it.at[0], it.at[1]) },
      make("span", { class: `badge ${it.severity}` }, it.severity), ` ${place}${it.message} `, make("small", {}, it.code));
    const fixes = (it.fixes ?? []).map((fix) =>
      make("button", { onclick: () => mend(it, fix) }, `write ${fix.text}`));
    return make("li", {}, jump, it.help ? make("small", { class: "advice" }, it.help) : null, ...fixes);
  }));
}

function mend(finding, fix) {
  // A fix replaces the place of what was found.
  if (finding.at) editor.replace(finding.at[0], finding.at[1], fix.text);
}

// ---------------------------------------------------------------- verdicts

async function check(isAutomatic) {
  const [name, text] = [state.file, editor.text];
  if (isAutomatic && state.report && state.about === text) return;
  const request = { file: name, query: { verb: "check" }, max_bytes: MOST_BYTES };
  if (isAutomatic) request.max_states = WHILE_TYPING;
  const start = performance.now();
  try {
    if (!isAutomatic) say("Checking …");
    const report = await backend.call({ ask: request }, "check");
    if (name !== state.file) return;
    state.report = report;
    state.about = text;
    showVerdicts();
    const counts = (verdict) => report.results.filter((it) => it.verdict === verdict).length;
    const parts = ["holds", "violated", "unknown"].map((it) => [counts(it), it]).filter(([count]) => count > 0);
    const time = Math.round(performance.now() - start);
    say(parts.length > 0 ? `${parts.map(([count, it]) => `${count} ${it}`).join(", ")} (${time} ms)` : "No verdicts: the text has errors");
  } catch (error) {
    if (error instanceof Stopped && !isAutomatic) say("Stopped. Nothing is known about this text.");
    else failed(error);
  }
}

const WORDS = { holds: "✓ holds", violated: "✗ violated", unknown: "? unknown" };

function showVerdicts() {
  const report = state.report;
  if (!report) {
    $("verdicts").replaceChildren(make("p", { class: "quiet" }, "No verdicts yet."));
    return;
  }
  const isStale = state.about !== editor.text;
  const rows = report.results.map((it) => {
    const question = it.property === it.kind ? it.kind : `${it.kind} ${it.property}`;
    const length = (it.trace?.length ?? 0) + (it.cycle?.length ?? 0);
    const what = [it.violates && it.violates !== it.property ? `by ${it.violates}` : "", it.expected === it.verdict ? "as expected" : it.expected ? `expected: ${it.expected}` : "", it.reason ?? "", ...(it.warnings ?? [])];
    const isTold = it.verdict === "violated" && (it.steps?.length > 0 || it.cycle_steps?.length > 0 || length === 0);
    const show = isTold ? make("button", { disabled: isStale, onclick: () => showTrace(it) }, length > 0 ? `show ${plural(length, "step")}` : "show") : "";
    return make("tr", { class: isStale ? "stale" : it.verdict },
      make("td", {}, it.target), make("td", {}, question), make("td", { class: "verdict" }, WORDS[it.verdict] ?? it.verdict),
      make("td", {}, String(it.states ?? "")), make("td", {}, show, make("small", {}, what.filter((text) => text).join("; "))));
  });
  const head = ["target", "question", "verdict", "states", ""].map((text) => make("th", { scope: "col" }, text));
  $("verdicts").replaceChildren(
    isStale ? make("p", { class: "notice" }, "The text has changed: these verdicts are about an earlier one.") : make("span", {}),
    report.results.length > 0
      ? make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))
      : make("p", { class: "quiet" }, "There are no verdicts: the text has errors."),
  );
}

// ---------------------------------------------------------------- runs

// The view of a model, and what is no model.
const isOfView = (name) => name.endsWith(".view.json") || name.endsWith(".svg");
const viewOf = (name) => `${name.replace(/(\.view)?\.[^.]*$/, "")}.view.json`;

// The picture of a run, if the model has a view: { drawn, player }.
async function animation(walk) {
  if (!(viewOf(state.file) in state.files)) return null;
  const seen = await backend.call({ view: { ...walk, file: state.file, view: "animation" } });
  const shown = seen.animation;
  if (!shown) return { reason: seen.nothing?.findings?.[0]?.message ?? seen.nothing?.reason ?? "there is no picture" };
  const drawn = picture(shown.svg, `${shown.walk.target} as a picture`);
  return { drawn, player: new Player(drawn, shown) };
}

async function pictures(target) {
  const seen = await backend.call({ view: { file: state.file, view: "components", target, max_states: WHILE_TYPING } });
  return seen.pictures ?? [];
}

async function showTrace(result, step) {
  try {
    const text = editor.text;
    const trace = [...(result.steps ?? []), ...(result.cycle_steps ?? [])];
    const walk = (await backend.call({ view: { file: state.file, view: "walk", target: result.target, trace } })).walk;
    const isWalked = walk && walk.left_out === 0;
    const data = {
      title: `${result.target}: ${result.property} ${result.verdict}`,
      components: result.components?.length ? result.components : (walk?.components ?? []),
      steps: result.steps ?? [],
      cycle: result.cycle_steps ?? [],
      // States of merged or hidden components are none of the target's own: then nothing is shown in pictures.
      tuples: isWalked ? walk.tuples : [],
      animation: isWalked ? await animation({ target: result.target, trace }) : null,
      pictures: await pictures(result.target),
      states: [],
      cause: result.cause,
      end: null,
      symbols: state.looked?.symbols ?? [],
      text,
    };
    state.shown = { target: result.target, property: result.property, trace };
    run.show(data, step);
    select("run");
  } catch (error) {
    failed(error);
  }
}

// A run that somebody makes, from the start or from a step of a trace.
async function simulate(target, trace, choices, from = null) {
  try {
    const text = editor.text;
    const seen = await backend.call({ view: { file: state.file, view: "walk", target, trace, choices } });
    if (!seen.walk) {
      say(seen.nothing?.reason ?? seen.nothing?.findings?.[0]?.message ?? "There is nothing to simulate.");
      return;
    }
    const walk = seen.walk;
    const isSame = state.shown?.pictures?.target === walk.target && state.shown.pictures.text === text;
    const drawn = isSame ? state.shown.pictures : { target: walk.target, text, list: await pictures(walk.target) };
    state.shown = { target: walk.target, trace, choices, from, pictures: drawn, property: from === null ? null : state.shown?.property };
    run.show({
      title: `${walk.target}, step by step`,
      components: walk.components, steps: walk.steps, cycle: [], tuples: walk.tuples, pictures: drawn.list, states: walk.states,
      animation: await animation({ target: walk.target, trace, choices }),
      cause: walk.cause, end: walk.end, symbols: state.looked?.symbols ?? [], walk, choices, text,
    });
    select("run");
  } catch (error) {
    failed(error);
  }
}

run.ongo = (step) => {
  if (step === null) return simulate(firstTarget(), [], []);
  return simulate(state.shown.target, state.shown.trace.slice(0, step), [], step);
};
run.onchoose = (choices) => simulate(state.shown.target, state.shown.trace, choices, state.shown.from);

function firstTarget() {
  return state.report?.results[0]?.target ?? null;
}

// ---------------------------------------------------------------- pictures and assumptions

async function showPicture() {
  const target = firstTarget();
  try {
    const seen = await backend.call({ view: { file: state.file, view: "whole", target, max_states: WHILE_TYPING, max_bytes: MOST_BYTES } });
    const it = seen.pictures?.[0];
    if (!it) {
      $("picture").replaceChildren(make("p", { class: "quiet" }, seen.nothing?.reason ?? "The text has errors, so there is no picture."));
      return;
    }
    $("picture").replaceChildren(
      make("h2", {}, it.name), make("p", {}, `${plural(it.states, "state")}. ${it.remark ?? ""}`),
      make("div", { class: "scroll" }, it.svg ? picture(it.svg, it.name) : ""));
  } catch (error) {
    failed(error);
  }
}

function showAssumption() {
  const symbols = state.looked?.symbols ?? [];
  const named = (...classes) => symbols.filter((it) => classes.includes(it.class)).map((it) => it.name);
  const processes = named("process", "composite");
  const properties = named("property");
  const known = JSON.stringify([processes, properties]);
  if ($("assumption").dataset.known === known) return;
  $("assumption").dataset.known = known;
  if (processes.length === 0 || properties.length === 0) {
    $("assumption").replaceChildren(make("p", { class: "quiet" }, "What components need of their environment can be asked where a text has a process and a property. The example mutex-writer.lts has both."));
    return;
  }
  const boxes = (kind) => processes.map((name) => make("label", {}, make("input", { type: "checkbox", name: kind, value: name }), ` ${name}`));
  const chosen = (kind) => [...form.querySelectorAll(`input[name=${kind}]:checked`)].map((box) => box.value);
  const property = make("select", { name: "property" }, ...properties.map((name) => make("option", {}, name)));
  const answer = make("div", {});
  const form = make("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const components = chosen("component");
      if (components.length === 0) {
        answer.replaceChildren(make("p", { class: "notice" }, "Choose at least one component."));
        return;
      }
      answer.replaceChildren(make("p", { class: "quiet" }, "Looking …"));
      try {
        const seen = await backend.call({
          view: {
            file: state.file, view: "assumption", components, property: property.value, environment: chosen("environment"), max_bytes: MOST_BYTES,
          },
        });
        answer.replaceChildren(...told(seen.assumption));
      } catch (error) {
        answer.replaceChildren();
        failed(error);
      }
    },
  },
    make("fieldset", {}, make("legend", {}, "Which components?"), ...boxes("component")),
    make("fieldset", {}, make("legend", {}, "In which environment? Any, if none is chosen; else its actions are the interface"), ...boxes("environment")),
    make("label", {}, "Which property? ", property), " ",
    make("button", { class: "primary" }, "What do they need?"));
  $("assumption").replaceChildren(form, answer);
}

const OUTCOMES = {
  "holds-always": "The property holds in every environment.",
  "fails-always": "The property fails in every environment.",
  assumption: "The property holds exactly in the environments that satisfy this assumption:",
  unknown: "The answer is not known.",
};

function told(shown) {
  const result = shown?.report?.results?.[0];
  if (!result) {
    const first = shown?.report?.diagnostics?.find((it) => it.severity === "error");
    return [make("p", { class: "notice" }, first?.message ?? "The text has errors.")];
  }
  const rules = (result.forbids ?? []).map((it) => {
    const after = it.after.length > 0 ? `after ${it.after.join(", ")}` : "at the start";
    return make("li", {}, `${after}, the environment must not do ${it.actions.join(", ")}`);
  });
  return [
    make("p", {}, OUTCOMES[result.outcome] ?? result.outcome, result.reason ? ` ${result.reason}` : ""),
    ...(rules.length > 0 ? [make("ul", {}, ...rules)] : []),
    ...(result.further > 0 ? [make("p", {}, `${plural(result.further, "further state")} forbid something.`)] : []),
    ...(result.trace.length > 0 ? [make("p", {}, `The property is broken by: ${result.trace.join(", ")}`)] : []),
    ...(shown.picture?.svg ? [make("div", { class: "scroll" }, picture(shown.picture.svg, "The assumption as an automaton"))] : []),
    ...(shown.fsp ? [make("pre", { class: "code" }, shown.fsp), make("button", { onclick: async () => say((await copy(shown.fsp)) ? "Copied." : "The browser does not allow to copy.") }, "Copy FSP")] : []),
  ];
}

// ---------------------------------------------------------------- links

async function toLink() {
  const shown = state.shown;
  return link.write({
    v: 1, files: state.files, file: state.file, target: shown?.target, property: shown?.property, step: run.data ? run.step : undefined,
    choices: shown?.choices, from: shown?.from ?? undefined,
  });
}

async function fromLink(fragment) {
  const held = await link.read(fragment);
  if (!held) return false;
  await load(held.files, held.file);
  const result = state.report?.results.find((it) => it.target === held.target && it.property === held.property);
  if (held.choices) {
    const trace = result && held.from !== null ? [...result.steps, ...(result.cycle_steps ?? [])].slice(0, held.from) : [];
    state.shown = { property: held.property };
    await simulate(held.target, trace, held.choices, held.from);
    if (held.step !== null) run.go(held.step, false);
  } else if (result && result.verdict === "violated") {
    await showTrace(result, held.step ?? undefined);
  }
  return true;
}

$("share").onclick = async () => {
  const fragment = await toLink();
  history.replaceState(null, "", fragment);
  const isCopied = await copy(location.href);
  say(isCopied ? "The link is copied. It holds the texts, the run and the step." : "The link is in the address line.");
};

$("markdown").onclick = async () => {
  const isStale = state.about !== editor.text;
  const verdicts = (state.report?.results ?? []).map((it) => `- ${it.target}: ${it.property} **${it.verdict}**`);
  const trace = run.data ? [...run.data.steps, ...run.data.cycle].map((step, i) => `${i + 1}. ${step.action} (${step.components.map((it) => run.data.components[it]).join(", ")})`) : [];
  const fence = "`".repeat(Math.max(3, ...[...editor.text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  const href = location.href.split("#")[0] + (await toLink());
  const parts = [`${fence}fsp`, editor.text.trimEnd(), fence, "", ...(isStale ? ["The verdicts are about an earlier text."] : []), ...verdicts, "", ...trace, "", `[open](${href})`];
  say((await copy(parts.join("\n"))) ? "Copied as Markdown." : "The browser does not allow to copy.");
};

// ---------------------------------------------------------------- controls

const tabs = [...document.querySelectorAll("[role=tab]")];

function select(name) {
  for (const tab of tabs) {
    const isChosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  if (name === "picture") showPicture();
}

tabs.forEach((tab, i) => {
  tab.onclick = () => select(tab.getAttribute("aria-controls"));
  tab.onkeydown = (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (move) {
      const next = tabs[(i + move + tabs.length) % tabs.length];
      next.focus();
      next.click();
    }
  };
});

$("check").onclick = () => check(false);
$("stop").onclick = () => backend.stop();
$("files").onchange = () => open($("files").value);
$("examples").onchange = () => {
  const example = examples.find((it) => it.name === $("examples").value);
  if (example) openExample(example);
};
$("new-file").onclick = () => {
  const name = prompt("The name of the file; its ending says the language.", "model.lts");
  if (name === null) return;
  if (!link.isName(name)) return say("This is no name for a file.");
  state.files[name] ??= "";
  open(name);
};
$("format").onclick = async () => {
  const text = await editor.ask({ look: "format" });
  if (text === null) say("This text has mistakes, or its language has no usual layout.");
  else if (text !== editor.text) editor.replace(0, editor.text.length, text);
};
$("theme").onclick = () => {
  const isDark = getComputedStyle(document.documentElement).colorScheme.includes("dark");
  const isNowDark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : isDark && matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isNowDark ? "light" : "dark";
};

backend.queue.onbusy = (key) => {
  $("stop").disabled = key === null;
  document.body.classList.toggle("busy", key !== null);
};

editor.onkey = async (event) => {
  const at = editor.area.selectionStart;
  if (event.key === "F12") {
    event.preventDefault();
    const place = await editor.ask({ look: "definition", at });
    if (place) editor.select(place[0], place[1]);
    else say("There is no definition of this.");
  } else if (event.key === "F1") {
    event.preventDefault();
    editor.explain(at);
  } else if (event.key === "F2") {
    event.preventDefault();
    const to = prompt("The new name");
    if (!to) return;
    const answer = await editor.ask({ look: "rename", at, to });
    if (!answer || answer.error) return say(answer?.error ?? "It cannot be renamed.");
    let text = editor.text;
    for (const [start, end] of [...answer.places].reverse()) text = text.slice(0, start) + to + text.slice(end);
    editor.replace(0, editor.text.length, text);
    editor.area.setSelectionRange(at, at);
  }
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.key === "Enter") {
    event.preventDefault();
    check(false);
  } else if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === "f") {
    event.preventDefault();
    $("format").click();
  } else if (event.altKey && event.key === "ArrowLeft") {
    event.preventDefault();
    run.go(run.step - 1);
  } else if (event.altKey && event.key === "ArrowRight") {
    event.preventDefault();
    run.go(run.step + 1);
  } else if (event.key === "Escape" && !$("stop").disabled) {
    backend.stop();
  }
});

// In a window of an editor, the text is the editor's: it is shown there, and comes from there.
backend.onmessage = ({ text }) => {
  if (typeof text === "string" && text !== editor.text) {
    editor.area.value = text;
    editor.edited();
  }
};
editor.onmark = (places) => backend.reveal?.(places);

addEventListener("hashchange", () => fromLink(location.hash));

// ---------------------------------------------------------------- the beginning

// Opens an example, at its bug if it has one.
async function openExample(example) {
  await load(filesOf(example), example.name);
  const isBug = (it) => it.verdict === "violated" && it.steps?.length > 0;
  const bug = state.file === example.name && state.about === example.text ? state.report?.results.find(isBug) : null;
  if (bug) await showTrace(bug);
  else select("verdicts");
}

// The examples, each with its question.
function showGallery() {
  const cards = examples.map((it) =>
    make("li", {}, make("button", { onclick: () => openExample(it) }, make("strong", {}, it.question), make("small", {}, ` ${it.name}${it.others.length > 0 ? ", with a picture that moves" : ""}`))));
  $("gallery").replaceChildren(make("p", { class: "quiet" }, "Each opens with its answers, or with the run that shows what is wrong."), make("ul", { class: "gallery" }, ...cards));
}

// An example with its further files: a view and a picture.
const filesOf = (example) => ({ [example.name]: example.text, ...Object.fromEntries(example.others) });

let examples = [];

async function begin() {
  try {
    await backend.ready;
    examples = await backend.call({ examples: {} });
  } catch (error) {
    say(`The engine does not answer: ${error.message}`);
    return;
  }
  $("examples").append(...examples.map((it) => make("option", { value: it.name, title: it.question }, `${it.name}: ${it.question}`)));
  showGallery();
  document.body.dataset.ready = "yes";
  if (await fromLink(location.hash)) return;
  if (backend.first?.text !== undefined) {
    const { name, text, others, target, property } = backend.first;
    await load({ [name]: text, ...others }, name);
    const result = state.report?.results.find((it) => it.target === target && it.property === property);
    if (result) await showTrace(result);
    return;
  }
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem("rely"));
  } catch {
    // What cannot be read is as good as nothing.
  }
  const hasKept = kept && typeof kept.files === "object" && Object.values(kept.files).some((text) => typeof text === "string");
  await (hasKept ? load(kept.files, kept.file) : load(filesOf(examples[0]), examples[0].name));
}

begin();
