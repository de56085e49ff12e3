// What a visitor of the page sees and does. The model answers in messages (model.js).
const LENGTH = 100; // tokens that are written at once
const PACES = [["to read along", 40], ["slowly", 400], ["as fast as it can", 0]]; // milliseconds between two tokens
const NAMES = { user: "You: ", reply: "It: " };
const at = id => document.getElementById(id);
const percent = value => (value < 0.0005 ? "< 0.1%" : `${fixed(100 * value, value < 0.1 ? 1 : 0)}%`);

class Page {
  constructor() {
    this.spec = JSON.parse(at("spec").textContent);
    this.state = { temperature: 0.8, p: 0.9, pace: PACES[0][1], layer: this.spec.sizes.layers - 1, head: this.spec.sizes.heads };
    this.tokens = [];
    this.lit = [];
    this.chosen = -1;
    const found = at("weights")?.textContent.length ?? 0;
    if (found !== this.spec.characters) {
      const part = Math.floor(100 * found / this.spec.characters);
      this.say(`This file was cut short: it holds ${part}% of the model. Copy or download it again.`, true);
      return;
    }
    this.buildSettings();
    this.buildPanel();
    this.listen();
    this.connect();
  }

  say(sentence, wrong = false) {
    at("notice").textContent = sentence;
    at("notice").classList.toggle("wrong", wrong);
  }

  /** Start the model in a worker; where there are none, on this page. */
  connect() {
    const hear = message => this.hear(message);
    const onPage = () => {
      const writer = new Writer(hear);
      this.slow = "This browser runs nothing in the background, so the page may stutter while the model writes.";
      this.send = message => writer.hear(message);
      this.load();
    };
    try {
      const code = `${at("engine").textContent}\nconst writer = new Writer(message => postMessage(message));
        onmessage = ({ data }) => writer.hear(data);`;
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
      worker.onmessage = ({ data }) => hear(data);
      worker.onerror = event => {
        event.preventDefault();
        if (this.ready) this.say("The model has stopped because of an error. Load this page again.", true);
        else onPage();
      };
      this.send = message => worker.postMessage(message);
      this.load();
    } catch {
      onPage();
    }
  }

  load() {
    this.bytes = new Tokenizer(this.spec.tokenizer).bytes;
    this.send({ load: this.contents() });
  }

  /** The whole model, as this file holds it. */
  contents() {
    const { buffer } = Uint8Array.from(atob(at("weights").textContent), letter => letter.charCodeAt(0));
    return { ...this.spec, buffer };
  }

  hear({ ready, given, unknown, left, token, lens, done, finite, ended }) {
    if (ready) {
      this.ready = true;
      at("write").disabled = false;
      this.say(this.slow ?? "");
    }
    if (given !== undefined) this.tellPrompt(given, unknown, left);
    if (token) this.add(token);
    if (lens && lens.place === this.chosen) this.showLens(lens.rows);
    if (done) this.end(finite, ended);
  }

  tellPrompt(given, unknown, left) {
    const sentences = [];
    if (unknown.length) {
      const which = unknown.slice(0, 10).map(visible).join(" ") + (unknown.length > 10 ? " …" : "");
      sentences.push(`The model has never seen these characters, so they are left out: ${which}`);
    }
    if (left) sentences.push(`Your text has ${given} tokens, and the model sees ${given - left} at a time, so it reads only the end.`);
    this.told = sentences.join(" ");
    this.say(this.told);
  }

  write(fresh) {
    if (fresh && !this.spec.chat) this.clear();
    const text = fresh ? at("prompt").value : "";
    if (fresh) this.asked = text;
    if (this.spec.chat) at("prompt").value = "";
    this.begin({ text, fresh: fresh && !this.spec.chat });
  }

  /** Go back to the chosen token, write this one in its place, and go on from there. */
  instead(id) {
    if (this.writing) return;
    at("text").focus(); // the button that was pressed goes away
    const kept = this.tokens.slice(0, this.chosen);
    const tokens = kept.map(({ id, marker, written, node }) => ({ id, written, marker: node.hidden ? "stop" : marker }));
    this.clear();
    this.begin({ text: "", tokens: [...tokens, { id, written: true }], fresh: true }, tokens.length);
  }

  begin(what, from = this.tokens.length) {
    Object.assign(this, { from, writing: true, follow: true, held: false });
    at("result").hidden = false;
    at("text").scrollIntoView({ block: "nearest" }); // on a phone it is below the window
    this.enable();
    this.send({ write: { ...what, count: LENGTH, ...this.settings() } });
  }

  settings() {
    const { temperature, p, pace } = this.state;
    return { temperature, p, pace };
  }

  /** A setting has changed: what is being written goes on with it. */
  set(change) {
    Object.assign(this.state, change);
    if (this.writing) this.send({ settings: this.settings() });
  }

  clear() {
    at("text").replaceChildren();
    at("spoken").textContent = "";
    this.decoder = null;
    [this.tokens, this.lit, this.chosen] = [[], [], -1];
  }

  enable() {
    at("write").disabled = this.writing || !this.ready;
    const other = at("prompt").value !== this.asked; // another beginning, with which nothing goes on
    at("more").disabled = this.writing || !this.tokens.length || other;
    at("stop").disabled = !this.writing;
    at("copy").disabled = !this.tokens.length && !this.writing;
  }

  end(finite, ended) {
    this.writing = false;
    this.enable();
    if (ended) for (const token of this.tokens.slice(-this.spec.chat.stop.length)) token.node.hidden = true;
    const written = this.tokens.slice(this.from).filter(token => token.written);
    if (!finite) this.say("The numbers of this model are not finite (NaN), so it cannot write. Ask for another copy of the file.", true);
    else this.say([this.told, this.slow].filter(Boolean).join(" "));
    at("spoken").textContent = `It wrote: ${written.map(token => token.node.textContent).join("")}`;
    this.show();
  }

  /** A token's text: a character may have its bytes in several tokens, and belongs to the last of them. */
  add(token) {
    this.decoder ??= new TextDecoder();
    const before = this.tokens.at(-1)?.marker;
    let text = this.decoder.decode(this.bytes[token.id], { stream: true });
    if (token.marker) text = NAMES[token.marker] && before !== token.marker ? `${this.tokens.length ? "\n\n" : ""}${NAMES[token.marker]}` : "";
    const node = html("span", { role: "option", "aria-selected": false, id: `token-${this.tokens.length}` }, at("text"), text);
    if (!text.trim()) node.setAttribute("aria-label", { " ": "space", "\n": "line end" }[text] ?? "part of a character");
    node.className = token.marker ? "marker" : token.written ? "" : "given";
    node.hidden = !text && Boolean(token.marker);
    this.tokens.push({ ...token, node });
    if (this.follow && !this.waiting) {
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        if (this.follow && this.writing) this.choose(this.tokens.length - 1);
        at("text").scrollTop = at("text").scrollHeight;
      });
    }
  }

  buildSettings() {
    const add = (text, min, max, step, name, about) => {
      const control = slider(at("settings"), text, min, max, value => {
        this.set({ [name]: value });
        control.show(value, fixed(value, step < 0.1 ? 2 : 1));
      }, step);
      control.show(this.state[name], fixed(this.state[name], step < 0.1 ? 2 : 1));
      html("small", {}, at("settings").lastElementChild, about);
    };
    add("temperature", 0.1, 2, 0.1, "temperature", "Low: it takes what is most probable. High: it takes more risks.");
    add("top-p", 0.05, 1, 0.05, "p", "It draws among the most probable pieces that have this much together.");
    choice(at("settings"), "speed", PACES.map(([name]) => name), place => this.set({ pace: PACES[place][1] }));
  }

  buildPanel() {
    const { layers, heads } = this.spec.sizes;
    this.table = html("table", {}, at("panel"));
    const looks = html("div", { class: "looks" }, at("panel"));
    const count = number => Array.from({ length: number }, (_, k) => String(k + 1));
    choice(looks, "layer", count(layers), layer => this.look({ layer })).value = layers;
    choice(looks, "head", [...count(heads), "mean of all"], head => this.look({ head })).selectedIndex = heads;
    this.sentence = html("p", { role: "status" }, at("panel"));
    this.lens = html("details", {}, at("panel"));
    html("summary", {}, this.lens, "Halfway: what would it have written after each layer?");
    html("table", {}, this.lens);
    this.lens.addEventListener("toggle", () => this.askLens());
  }

  look(change) {
    Object.assign(this.state, change);
    this.show();
  }

  choose(place) {
    const token = this.tokens[place];
    if (!token) return;
    this.tokens[this.chosen]?.node.setAttribute("aria-selected", false);
    this.chosen = place;
    token.node.setAttribute("aria-selected", true);
    at("text").setAttribute("aria-activedescendant", token.node.id);
    this.show();
  }

  /** The alternatives to the chosen token, and where the model looked. */
  show() {
    const token = this.tokens[this.chosen];
    if (!token) return;
    this.table.replaceChildren();
    const name = `“${this.name(token.id)}”`;
    const free = token.written && !this.writing;
    const others = free ? "Press another of its choices, and it goes on from there:" : "Its choices were:";
    const beginning = token.written ? `It wrote ${name} here. ${others}` : `Here is ${name}, from your text. The model expected:`;
    html("caption", {}, this.table, token.rows.length ? beginning : `The text begins with ${name}.`);
    for (const [id, probability, kept] of token.rows) {
      const row = html("tr", { class: `${id === token.id ? "taken" : ""} ${kept ? "" : "cut"}` }, this.table);
      const shown = html("td", {}, row);
      if (free && id !== token.id) button(shown, this.name(id), () => this.instead(id));
      else shown.textContent = this.name(id);
      html("td", {}, row, percent(probability));
      const cell = html("td", {}, row);
      html("span", { class: "bar", style: `width: ${65 * probability}%` }, cell);
      cell.append(kept ? "" : "cut by top-p");
    }
    this.light(token);
    this.askLens();
  }

  /** Ask for what the model would have written after each layer, once a visitor wants to see it. */
  askLens() {
    const { streams } = this.tokens[this.chosen] ?? {};
    if (this.lens.open && !this.writing && streams?.length) this.send({ lens: { place: this.chosen, streams } });
    else this.lens.lastElementChild.replaceChildren();
  }

  showLens(rows) {
    const table = this.lens.lastElementChild;
    table.replaceChildren();
    html("caption", {}, table, "Its first choice, had the model ended there (before temperature and top-p):");
    rows.forEach(([id, probability], layer) => {
      const row = html("tr", {}, table);
      html("td", {}, row, layer ? `layer ${layer}` : "before layer 1");
      html("td", {}, row, this.name(id));
      html("td", {}, row, percent(probability));
    });
  }

  light(token) {
    for (const node of this.lit) node.removeAttribute("style");
    const { layer, head } = this.state;
    const { heads } = this.spec.sizes;
    const weights = token.looks[layer] ?? [];
    const count = weights.length / heads;
    const seen = Array.from({ length: count }, (_, key) => {
      if (head < heads) return weights[head * count + key];
      return Array.from({ length: heads }, (_, h) => weights[h * count + key]).reduce((sum, each) => sum + each, 0) / heads;
    });
    const most = Math.max(...seen);
    this.lit = seen.map((weight, key) => {
      const { node } = this.tokens[token.first + key];
      node.setAttribute("style", `--look: ${fixed(60 * weight / most, 0)}%`);
      return node;
    });
    const best = [...seen.keys()].sort((a, b) => seen[b] - seen[a]).slice(0, 3);
    const which = head < heads ? `Head ${head + 1} of layer ${layer + 1}` : `Layer ${layer + 1}, on average over its heads,`;
    const places = best.map(key => `“${this.name(this.tokens[token.first + key].id)}” (${percent(seen[key])})`);
    const looked = `Purple marks where the model looked to choose it. ${which} looked mostly at ${places.join(", ")}.`;
    this.sentence.textContent = this.writing || !count ? "" : looked;
  }

  /** A token as a word that can be seen: a space, a line end, and bytes that are no character. */
  name(id) {
    const bytes = this.bytes[id];
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll(" ", "␣").replaceAll("\n", "⏎");
    } catch {
      return [...bytes].map(byte => `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(" ");
    }
  }

  listen() {
    at("form").addEventListener("submit", event => {
      event.preventDefault();
      if (!this.writing) this.write(true);
    });
    at("prompt").addEventListener("input", () => this.enable());
    at("prompt").addEventListener("keydown", event => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("form").requestSubmit();
    });
    at("more").addEventListener("click", () => this.write(false));
    at("more").hidden = Boolean(this.spec.chat);
    at("stop").addEventListener("click", () => this.send({ stop: true }));
    at("copy").addEventListener("click", () => this.copy());
    const text = at("text");
    for (const kind of ["pointermove", "pointerdown"]) {
      text.addEventListener(kind, event => {
        const node = document.elementFromPoint(event.clientX, event.clientY)?.closest("#text span");
        if (!node || (this.held && !event.buttons)) return;
        const place = Number(node.id.slice("token-".length));
        if (kind === "pointerdown") this.held = !this.held || place !== this.chosen;
        this.point(place);
      });
    }
    text.addEventListener("focus", () => { if (this.chosen < 0) this.point(0); });
    text.addEventListener("keydown", event => {
      const seen = [...this.tokens.keys()].filter(each => !this.tokens[each].node.hidden);
      const now = seen.findLastIndex(each => each <= this.chosen), last = seen.length - 1;
      const place = { ArrowLeft: now - 1, ArrowRight: now + 1, ArrowUp: now - 10, ArrowDown: now + 10, Home: 0, End: last }[event.key];
      if (place === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.held = true; // a mouse that lies still chooses nothing
      this.point(seen[clamp(place, 0, last)]);
      this.tokens[this.chosen].node.scrollIntoView({ block: "nearest" });
    });
  }

  /** A visitor has chosen a token. From now on, the newest one is not chosen any more. */
  point(place) {
    this.follow = false;
    if (place !== this.chosen) this.choose(place);
  }

  async copy() {
    const text = this.tokens.filter(token => !token.node.hidden).map(token => token.node.textContent).join("");
    try {
      await navigator.clipboard.writeText(text);
    } catch { // a page inside another may not write there
      const field = html("textarea", {}, document.body);
      field.value = text;
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    this.say("Copied.");
  }
}

document.addEventListener("DOMContentLoaded", () => { window.page = new Page(); });
