// A run: as lanes, in the automaton of each component, and in the text. There is one current step, and everything shows it.

import { make, mark, picture, plural, units } from "./parts.js";

export class Run {
  constructor(panel, editor) {
    this.panel = panel;
    this.editor = editor;
    this.onstep = () => {};
    this.onchoose = () => {};
    this.ongo = () => {};
    this.clear();
  }

  clear() {
    this.data = null;
    this.step = 0;
    this.panel.replaceChildren(make("p", { class: "quiet" }, "There is no run yet. Press show beside a verdict that is violated, or begin one:"),
      make("button", { onclick: () => this.ongo(null) }, "Simulate"));
  }

  // A run: { title, components, steps, cycle, tuples, pictures, states, walk, text, stale }.
  show(data, step) {
    this.data = data;
    this.rows = [];
    const all = [...data.steps, ...data.cycle];
    this.places = this.inText(all);
    this.panel.replaceChildren(
      make("h2", {}, data.title),
      this.controls(all.length),
      ...(data.walk ? [this.choices(data.walk)] : []),
      this.animation(),
      this.lanes(all),
      this.automata(),
      this.cause(),
    );
    this.go(Math.min(step ?? all.length, all.length), false);
  }

  // The places of each step in the text, in the units of the editor.
  inText(all) {
    const bytes = all.flatMap((step) => (step.places ?? []).flatMap((place) => place.bytes));
    const places = units(this.data.text, bytes);
    return all.map((step) => {
      const told = (step.places ?? []).map((place) => place.bytes.map((byte) => places.get(byte)));
      return told.length > 0 ? told : this.definitions(step);
    });
  }

  // Where a language does not tell where a step stands, the definitions of those who take part are shown.
  definitions(step) {
    const names = step.components.map((component) => this.data.components[component].split(":").at(-1).split("(")[0]);
    return this.data.symbols.filter((it) => names.includes(it.name)).map((it) => [it.place[0], Math.max(it.place[1], it.extent[1])]);
  }

  controls(length) {
    this.slider = make("input", {
      type: "range", min: 0, max: length, "aria-label": "Step of the run", oninput: () => this.go(Number(this.slider.value)),
    });
    this.counter = make("output", {});
    return make("div", { class: "bar" },
      make("button", { onclick: () => this.go(0), title: "to the start" }, "|◀"),
      make("button", { onclick: () => this.go(this.step - 1), title: "Alt+←" }, "◀"),
      this.slider,
      make("button", { onclick: () => this.go(this.step + 1), title: "Alt+→" }, "▶"),
      make("button", { onclick: () => this.go(length), title: "to the end" }, "▶|"),
      this.counter,
      this.data.walk ? null : make("button", { onclick: () => this.ongo(this.step) }, "Go on from here"));
  }

  lanes(all) {
    const head = make("tr", {}, make("th", { scope: "col" }, "#"), make("th", { scope: "col" }, "action"),
      ...this.data.components.map((name) => make("th", { scope: "col", title: name }, make("span", {}, name))));
    const start = make("tr", { onclick: () => this.go(0) }, make("td", {}, "0"), make("td", {}, make("button", { class: "plain" }, "start")),
      ...this.data.components.map(() => make("td", {})));
    const rows = all.map((step, i) => {
      const cells = this.data.components.map((name, component) => {
        const place = step.components.indexOf(component);
        if (place < 0) return make("td", { class: "idle" }, "");
        const change = step.states?.[place];
        const title = change ? `${name}: ${change.from} → ${change.to}` : name;
        return make("td", { class: "moves", title }, "●");
      });
      const changes = (step.changes ?? []).map((it) => `${it.variable}: ${it.from} → ${it.to}`).join(", ");
      const repeats = i === this.data.steps.length ? make("small", {}, "for ever: ") : null;
      return make("tr", { onclick: () => this.go(i + 1), class: i >= this.data.steps.length ? "repeats" : "" },
        make("td", {}, String(i + 1)),
        make("td", {}, repeats, make("button", { class: "plain" }, step.action), changes ? make("small", {}, ` ${changes}`) : null),
        ...cells);
    });
    this.rows = [start, ...rows];
    return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The run, a column for each component" },
      make("table", { class: "lanes" }, make("thead", {}, head), make("tbody", {}, ...this.rows)));
  }

  // The picture that somebody drew for the model. The lanes below say the same in words.
  animation() {
    const { animation, walk, choices } = this.data;
    if (!animation) return make("span", {});
    if (!animation.drawn) return make("p", { class: "notice" }, `The view is not shown: ${animation.reason}`);
    const said = make("output", {});
    if (walk) {
      animation.player.onclick = ({ action, choice, reason }) => {
        if (choice === null) said.textContent = `${action}: ${reason}`;
        else this.onchoose([...choices, choice]);
      };
      animation.player.listen();
    }
    return make("figure", { class: "drawing" }, animation.drawn, make("figcaption", {}, walk ? "Click in the picture, or choose above. " : "", said));
  }

  cause() {
    const { cause, components, end } = this.data;
    const lines = [];
    if (end) lines.push(make("p", {}, end));
    for (const it of cause?.waiting ?? []) {
      const name = components[it.component];
      const waits = it.actions.map((action) => `${action.action} (refused by ${action.refused_by.map((by) => components[by]).join(", ")})`);
      lines.push(make("li", {}, waits.length > 0 ? `${name} waits for ${waits.join(", or ")}` : `${name} does nothing any more`));
    }
    if (cause?.failure) {
      const allowed = cause.failure.allowed ?? [];
      lines.push(make("li", {}, `${components[cause.failure.component]} fails; it would have allowed ${allowed.join(", ") || "nothing"}`));
    }
    return lines.length > 0 ? make("section", { "aria-label": "Why" }, make("h3", {}, "At the end"), make("ul", { class: "cause" }, ...lines)) : make("span", {});
  }

  automata() {
    this.drawn = [];
    const pictures = this.data.pictures ?? [];
    if (pictures.length === 0) {
      return make("p", { class: "quiet" }, "The components of this target are no automata that can be drawn; the table above tells their steps.");
    }
    const cards = pictures.map((it, i) => {
      const drawn = it.svg ? picture(it.svg, `${it.name} as an automaton`) : null;
      const state = make("output", {});
      this.drawn.push({ drawn, state });
      return make("figure", {}, make("figcaption", {}, make("strong", {}, it.name), " ", state), drawn ?? make("p", { class: "quiet" }, it.remark ?? ""));
    });
    return make("section", { "aria-label": "Automata" }, make("h3", {}, "Where everybody is"), make("div", { class: "cards" }, ...cards));
  }

  // Makes a step the current one.
  go(step, tell = true) {
    if (!this.data) return;
    const length = this.data.steps.length + this.data.cycle.length;
    this.step = Math.max(0, Math.min(step, length));
    this.slider.value = this.step;
    this.counter.textContent = `step ${this.step} of ${length}`;
    this.rows.forEach((row, i) => {
      row.classList.toggle("current", i === this.step);
      if (i === this.step) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
    const row = this.rows[this.step];
    const frame = row?.closest(".scroll");
    if (frame) {
      const [top, bottom] = [row.offsetTop - 40, row.offsetTop + row.offsetHeight];
      if (top < frame.scrollTop) frame.scrollTop = top;
      else if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight;
    }
    const all = [...this.data.steps, ...this.data.cycle];
    const taken = this.step > 0 ? all[this.step - 1] : null;
    const after = this.data.tuples[this.step];
    const before = this.data.tuples[this.step - 1];
    this.drawn.forEach(({ drawn, state }, i) => {
      state.textContent = this.nameOf(i, all);
      if (drawn && after) mark(drawn, before?.[i], after[i], taken?.components.includes(i) ?? false);
    });
    this.data.animation?.player?.go(this.step);
    // Where the text has changed since, places mean nothing.
    const isSame = this.editor.text === this.data.text;
    this.editor.mark(isSame && taken ? this.places[this.step - 1] : []);
    if (tell) this.onstep(this.step);
  }

  // The name of the state that a component is in, as the steps tell it.
  nameOf(component, all) {
    for (let i = this.step; i > 0; i--) {
      const place = all[i - 1].components.indexOf(component);
      if (place >= 0) return all[i - 1].states?.[place]?.to ?? "";
    }
    for (let i = this.step; i < all.length; i++) {
      const place = all[i].components.indexOf(component);
      if (place >= 0) return all[i].states?.[place]?.from ?? "";
    }
    return this.data.states?.[component]?.state ?? "";
  }

  // What can be done next, and why everything else cannot.
  choices(walk) {
    const offers = walk.choices.map((it, i) => {
      const who = it.components.map((component) => walk.components[component]).join(", ");
      return make("button", { class: it.fails ? "fails" : "", title: who, onclick: () => this.onchoose([...this.data.choices, i]) },
        it.action, make("small", {}, ` ${who}${it.fails ? ": error" : ""}`));
    });
    const refused = walk.refused.map((it) =>
      make("li", {}, make("strong", {}, it.action), ": ", it.reasons.join("; ")));
    const back = (count) => this.data.choices.slice(0, Math.max(0, this.data.choices.length - count));
    return make("section", { "aria-label": "What is possible" },
      make("div", { class: "bar" },
        make("button", { disabled: this.data.choices.length === 0, onclick: () => this.onchoose(back(1)) }, "Back"),
        make("button", { disabled: this.data.choices.length === 0, onclick: () => this.onchoose([]) }, "Again"),
        make("button", {
          disabled: offers.length === 0,
          onclick: () => this.onchoose([...this.data.choices, Math.floor(Math.random() * offers.length)]),
        }, "By chance")),
      make("h3", {}, offers.length > 0 ? `${plural(offers.length, "step")} possible` : "Nothing is possible"),
      make("div", { class: "offers" }, ...offers),
      make("details", {}, make("summary", {}, `${plural(refused.length, "action")} not possible: why?`), make("ul", { class: "refused" }, ...refused)));
  }
}
