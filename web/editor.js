// The editor: a plain text area, which everything that helps people to type works with, over a layer that shows colours, what is
// wrong, and the current step.

import { make } from "./parts.js";

export class Editor {
  constructor() {
    this.area = document.getElementById("editor");
    this.layer = document.getElementById("colours");
    this.gutter = document.getElementById("gutter");
    this.list = document.getElementById("proposals");
    this.bubble = document.getElementById("hover");
    this.colours = [];
    this.findings = [];
    this.marks = [];
    this.onedit = () => {};
    this.onkey = () => {};
    this.onmark = () => {};
    this.ask = async () => null;
    this.area.addEventListener("input", () => this.edited());
    this.area.addEventListener("scroll", () => this.scrolled());
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("blur", () => setTimeout(() => this.close(), 200));
    this.area.addEventListener("mousemove", (event) => this.pointed(event));
    this.area.addEventListener("mouseleave", () => this.unpoint());
    this.area.addEventListener("click", () => this.close());
  }

  get text() {
    return this.area.value;
  }

  // Another text, as if a file were opened.
  show(text) {
    this.area.value = text;
    this.reset();
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.draw();
  }

  // Another text in the place of this one; the browser's undo brings the old one back where it can.
  replace(start, end, text) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    const done = document.execCommand?.("insertText", false, text);
    if (!done) {
      this.area.setRangeText(text, start, end, "end");
      this.edited();
    }
  }

  reset() {
    this.colours = [];
    this.findings = [];
    this.marks = [];
    this.close();
  }

  edited() {
    // Until the new text has been looked at, the old colours would stand at wrong places.
    this.colours = [];
    this.findings = [];
    this.marks = [];
    this.draw();
    this.onedit();
    this.unpoint();
    if (!this.list.hidden) this.complete();
  }

  // What was found in the text.
  tell(colours, findings) {
    this.colours = colours;
    this.findings = findings.filter((it) => it.at).map((it) => ({ start: it.at[0], end: Math.max(it.at[1], it.at[0] + 1), severity: it.severity }));
    this.draw();
  }

  // The places of the current step.
  mark(places) {
    this.marks = places;
    this.onmark(places);
    this.draw();
    if (places.length > 0) this.reveal(places[0][0]);
  }

  reveal(place) {
    const line = this.text.slice(0, place).split("\n").length - 1;
    const height = this.lineHeight();
    const top = line * height;
    if (top < this.area.scrollTop || top + 2 * height > this.area.scrollTop + this.area.clientHeight) {
      this.area.scrollTop = Math.max(0, top - this.area.clientHeight / 3);
    }
    this.scrolled();
  }

  select(start, end) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    this.reveal(start);
  }

  draw() {
    const text = this.text;
    const edges = new Set([0, text.length]);
    const spans = [];
    const add = (start, end, name) => {
      if (start < end && end <= text.length) {
        spans.push({ start, end, name });
        edges.add(start).add(end);
      }
    };
    for (const [start, end, name] of this.colours) add(start, end, `c-${name}`);
    for (const { start, end, severity } of this.findings) add(start, Math.min(end, text.length), `f-${severity}`);
    for (const [start, end] of this.marks) add(start, end, "step");
    const sorted = [...edges].sort((a, b) => a - b);
    const opening = new Map();
    for (const span of spans) opening.set(span.start, [...(opening.get(span.start) ?? []), span]);
    let open = [];
    const pieces = [];
    for (let i = 0; i + 1 < sorted.length; i++) {
      const [start, end] = [sorted[i], sorted[i + 1]];
      open = open.filter((span) => span.end > start).concat(opening.get(start) ?? []);
      const piece = text.slice(start, end);
      pieces.push(open.length > 0 ? make("span", { class: open.map((span) => span.name).join(" ") }, piece) : piece);
    }
    this.layer.replaceChildren(...pieces, "\n");
    const count = text.split("\n").length;
    if (count !== this.lines) {
      this.lines = count;
      this.gutter.textContent = Array.from({ length: count }, (_, i) => i + 1).join("\n") + "\n";
    }
    this.scrolled();
  }

  scrolled() {
    this.layer.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
    this.gutter.style.transform = `translateY(${-this.area.scrollTop}px)`;
  }

  lineHeight() {
    return parseFloat(getComputedStyle(this.area).lineHeight);
  }

  // Where a place of the text is to be seen, within the frame of the layers.
  point(place) {
    const before = this.text.slice(0, place).split("\n");
    const style = getComputedStyle(this.area);
    const left = parseFloat(style.paddingLeft) + before.at(-1).length * this.characterWidth() - this.area.scrollLeft;
    const top = parseFloat(style.paddingTop) + before.length * this.lineHeight() - this.area.scrollTop;
    return { left, top };
  }

  characterWidth() {
    if (!this.width) {
      const probe = make("span", {}, "x".repeat(100));
      this.layer.append(probe);
      this.width = probe.getBoundingClientRect().width / 100;
      probe.remove();
    }
    return this.width || 8;
  }

  // The place of the text that a pointer is at; null beside the text.
  under(event) {
    const box = this.area.getBoundingClientRect();
    const style = getComputedStyle(this.area);
    const row = Math.floor((event.clientY - box.top - parseFloat(style.paddingTop) + this.area.scrollTop) / this.lineHeight());
    const column = Math.floor((event.clientX - box.left - parseFloat(style.paddingLeft) + this.area.scrollLeft) / this.characterWidth());
    const lines = this.text.split("\n");
    if (row < 0 || row >= lines.length || column < 0 || column >= lines[row].length) return null;
    return lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + column;
  }

  pointed(event) {
    clearTimeout(this.pointing);
    const place = this.under(event);
    if (place === null) return this.unpoint();
    this.pointing = setTimeout(() => this.explain(place), 400);
  }

  unpoint() {
    clearTimeout(this.pointing);
    this.bubble.hidden = true;
  }

  async explain(place) {
    const hover = await this.ask({ look: "hover", at: place });
    if (!hover) return this.unpoint();
    const paragraphs = hover.text.map((text) => make("p", {}, text.replaceAll("`", "")));
    this.bubble.replaceChildren(
      make("strong", {}, hover.title.replaceAll("`", "")),
      ...(hover.code ? [make("code", {}, hover.code)] : []),
      ...paragraphs,
    );
    this.put(this.bubble, hover.place[0]);
  }

  put(element, place) {
    const { left, top } = this.point(place);
    element.hidden = false;
    const most = this.area.clientWidth - element.offsetWidth - 4;
    element.style.left = `${Math.max(0, Math.min(left, most))}px`;
    const above = top + element.offsetHeight > this.area.clientHeight;
    element.style.top = `${above ? Math.max(0, top - this.lineHeight() - element.offsetHeight) : top}px`;
  }

  async complete() {
    const answer = await this.ask({ look: "complete", at: this.area.selectionStart });
    if (!answer) return this.close();
    const typed = this.text.slice(answer.typed[0], this.area.selectionStart).toLowerCase();
    const fitting = answer.proposals.filter((it) => it.word.toLowerCase().startsWith(typed) && it.word.toLowerCase() !== typed);
    if (fitting.length === 0) return this.close();
    this.proposals = fitting.slice(0, 50);
    this.typed = answer.typed;
    this.chosen = 0;
    this.list.replaceChildren(
      ...this.proposals.map((it, i) =>
        make("li", { role: "option", id: `proposal-${i}`, onmousedown: (event) => { event.preventDefault(); this.accept(i); } },
          it.word, make("small", {}, it.class ?? "reserved word"))),
    );
    this.choose(0);
    this.put(this.list, answer.typed[0]);
  }

  choose(i) {
    this.chosen = (i + this.proposals.length) % this.proposals.length;
    [...this.list.children].forEach((item, place) => item.setAttribute("aria-selected", place === this.chosen));
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.area.setAttribute("aria-activedescendant", `proposal-${this.chosen}`);
  }

  accept(i) {
    const [start] = this.typed;
    const word = this.proposals[i].word;
    this.close();
    this.replace(start, this.area.selectionStart, word);
  }

  close() {
    this.list.hidden = true;
    this.area.removeAttribute("aria-activedescendant");
  }

  key(event) {
    if (!this.list.hidden) {
      const moves = { ArrowDown: 1, ArrowUp: -1 };
      if (event.key in moves) {
        event.preventDefault();
        return this.choose(this.chosen + moves[event.key]);
      }
      if (event.key === "Enter") {
        event.preventDefault();
        return this.accept(this.chosen);
      }
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        return this.close();
      }
    }
    if (event.key === "Escape" && !this.bubble.hidden) {
      event.stopPropagation();
      return this.unpoint();
    }
    if (event.ctrlKey && event.key === " ") {
      event.preventDefault();
      return this.complete();
    }
    this.onkey(event);
  }
}
