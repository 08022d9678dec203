// Plays an animation in a picture: sets attributes step by step, and tells what was clicked. What the values are is said by the
// engine; the page, an editor and the files that `rely draw --view` writes use this player.

export class Player {
  // shown: { items, clicks } of the engine's answer; the picture holds its elements.
  constructor(picture, shown) {
    const find = (id) => picture.querySelector(`[id="${CSS.escape(id)}"]`);
    this.items = shown.items.map(({ id, attribute, values }) => {
      const element = find(id);
      const drawn = attribute === "text" ? element?.textContent : element?.getAttribute(attribute);
      return { element, attribute, values, drawn: drawn ?? null };
    }).filter(({ element }) => element);
    this.clicks = shown.clicks.map((click) => ({ ...click, element: find(click.id) })).filter(({ element }) => element);
    this.onclick = () => {};
  }

  // Shows a step. Of several items that change the same attribute the last one that has a value counts.
  go(step) {
    for (const { element, attribute, drawn } of this.items) set(element, attribute, drawn);
    for (const { element, attribute, values } of this.items) {
      const value = values[Math.min(step, values.length - 1)] ?? null;
      if (value !== null) set(element, attribute, value);
    }
  }

  // Lets elements be clicked, or reached and pressed with keys.
  listen() {
    for (const click of this.clicks) {
      const { element, action, choice, reason } = click;
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", "0");
      element.setAttribute("aria-disabled", choice === null);
      element.setAttribute("aria-label", choice === null ? `${action}: not possible, ${reason}` : action);
      element.addEventListener("click", () => this.onclick(click));
      element.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          this.onclick(click);
        }
      });
    }
  }
}

function set(element, attribute, value) {
  if (attribute === "text") element.textContent = value ?? "";
  else if (value === null) element.removeAttribute(attribute);
  else element.setAttribute(attribute, value);
}
