// What all explorables share. Without scripts, the picture in the output stays as it is.
const INK = ["var(--query)", "var(--key)", "var(--value)", "var(--fourth)"]; // the colours of figures/style.py
const FAINT = "var(--faint)";
const PURPLES = ["fcfbfd", "efedf5", "dadaeb", "bcbddc", "9e9ac8", "807dba", "6a51a3", "54278f", "3f007d"]; // from 0 to 1

class Explorable extends HTMLElement {
  connectedCallback() {
    if (this.content) return; // JupyterLab takes cells out of the page and puts them back
    this.content = JSON.parse(this.dataset.content);
    this.listen();
    const panel = document.createElement("div");
    this.state = this.start();
    this.build(panel);
    this.status = html("p", { role: "status" }, panel);
    this.replaceChildren(panel);
    this.update({});
  }

  // Keys and clicks stay here: JupyterLab and slides have commands for many of them. Shift + Enter still runs a cell.
  listen() {
    this.addEventListener("keydown", event => {
      const theirs = event.ctrlKey || event.altKey || event.metaKey || (event.key === "Enter" && event.shiftKey);
      if (!theirs) event.stopPropagation();
    });
    for (const kind of ["pointerdown", "mousedown", "touchstart", "touchmove", "click", "dblclick", "focusin"]) {
      this.addEventListener(kind, event => event.stopPropagation(), { passive: true });
    }
  }

  update(change) {
    Object.assign(this.state, change);
    const numbers = this.compute(this.state);
    this.draw(numbers);
    this.status.textContent = this.sentence(numbers);
  }
}

function html(tag, attributes, parent, text = "") {
  const node = parent.appendChild(document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

function svg(tag, attributes, parent, text = "") {
  const node = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", tag));
  set(node, attributes);
  if (text) node.textContent = text;
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

function button(parent, text, press) {
  html("button", { type: "button" }, parent, text).addEventListener("click", press);
}

function toggle(parent, text, change) {
  const label = html("label", {}, parent);
  const box = html("input", { type: "checkbox" }, label);
  label.append(text);
  box.addEventListener("change", () => change(box.checked));
  return box;
}

/** A slider of whole numbers, or of steps. `show` sets it, with a text for the value. */
function slider(parent, text, min, max, change, step = 1) {
  const label = html("label", {}, parent, `${text} `);
  const input = html("input", { type: "range", min, max, step }, label);
  const value = html("span", { class: "value", "aria-hidden": true }, label);
  input.addEventListener("input", () => change(Number(input.value)));
  return {
    show(number, words) {
      input.value = number;
      input.setAttribute("aria-valuetext", words);
      value.textContent = words;
    },
  };
}

/** Tokens of which one is chosen, with the mouse or the arrow keys. Returns, for each, a line of text below it. */
function tokenRow(parent, title, names, group, isChosen, choose) {
  const row = html("div", { class: "tokens", role: "radiogroup", "aria-label": title }, parent);
  html("b", {}, row, title);
  return names.map((name, place) => {
    const label = html("label", { class: "token" }, row);
    const input = html("input", { type: "radio", name: group, "aria-label": `${title} ${place + 1}: ${spoken(name)}` }, label);
    input.checked = isChosen(place);
    html("span", {}, label, visible(name));
    input.addEventListener("change", () => choose(place));
    return html("small", {}, label);
  });
}

function choice(parent, text, values, change) {
  const select = html("select", {}, html("label", {}, parent, `${text} `));
  for (const value of values) html("option", {}, select, value);
  select.addEventListener("change", () => change(select.selectedIndex));
  return select;
}

/** A point to drag, or to move with the arrow keys. `move` gets the new place in the picture, or the arrow's step. */
function handle(parent, label, radius, move) {
  const group = svg("g", { class: "handle", tabindex: 0, role: "slider", "aria-label": label }, parent);
  svg("circle", { class: "halo", r: radius }, group);
  const picture = group.ownerSVGElement;
  group.addEventListener("touchstart", event => event.preventDefault()); // a finger drags the point, and does not scroll the page
  group.addEventListener("pointerdown", event => {
    group.setPointerCapture(event.pointerId);
    group.focus();
  });
  group.addEventListener("pointermove", event => {
    if (!group.hasPointerCapture(event.pointerId)) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    move({ x, y });
  });
  group.addEventListener("keydown", event => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    move({ step });
  });
  return group;
}

/** A marker as in figures/style.py, around (0, 0): they tell tokens apart without colour. */
function marker(parent, kind, attributes) {
  const shape = ["M-6 0A6 6 0 1 1 6 0A6 6 0 1 1 -6 0Z", "M-5.5 -5.5H5.5V5.5H-5.5Z", "M0 -7L6.5 5.5H-6.5Z", "M0 -7L7 0L0 7L-7 0Z"][kind];
  return svg("path", { d: shape, ...attributes }, parent);
}

const spoken = name => name.trim() || "space";
const visible = name => (name.trim() ? name : "␣");
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const fixed = (value, digits = 2) => (Number(value.toFixed(digits)) + 0).toFixed(digits).replace("-", "−"); // no −0
const vector = values => `[${values.map(value => fixed(value)).join(", ")}]`;

/** The colour of a weight from 0 to 1, and black or white for text on it, whichever is easier to read. */
function purple(weight) {
  const place = clamp(weight, 0, 1) * (PURPLES.length - 1);
  const low = Math.min(Math.floor(place), PURPLES.length - 2);
  const channels = [0, 2, 4].map(k => {
    const [a, b] = [PURPLES[low], PURPLES[low + 1]].map(colour => parseInt(colour.slice(k, k + 2), 16));
    return Math.round(a + (place - low) * (b - a));
  });
  const [red, green, blue] = channels.map(value => (value / 255) ** 2.2);
  return [`rgb(${channels.join(", ")})`, 0.21 * red + 0.72 * green + 0.07 * blue < 0.179 ? "white" : "black"];
}

function define(name, element) {
  if (!customElements.get(name)) customElements.define(name, element);
}
