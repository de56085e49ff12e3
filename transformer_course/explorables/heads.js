// What every head looks at from one token, and what the model predicts without a head, or without all heads of an attention.
class Heads extends Explorable {
  start() {
    return { side: 1, token: 0, norms: false, off: -1 };
  }

  /** For each attention of the chosen token's side, each head's row, which sums to 1; and the predictions with what is left. */
  compute({ side, token, norms, off }) {
    const { attentions, predictions, without } = this.content;
    const rows = attentions.map(each => (each.queries === side ? each.weights.map((head, h) => {
      const parts = head[token].map((weight, key) => weight * (norms ? each.norms[h][key] : 1));
      const total = parts.reduce((sum, part) => sum + part, 0);
      return parts.map(part => part / total);
    }) : []));
    const now = off < 0 ? predictions : without.flat()[off];
    const changed = now.filter(([output], place) => output !== predictions[place][0]).length;
    return { rows, predictions: now, changed };
  }

  build(panel) {
    const { task, tokens, attentions } = this.content;
    const group = `token ${Math.random()}`; // its own for each copy
    const choose = side => token => this.update({ side, token });
    html("p", { class: "task" }, panel, task);
    tokenRow(panel, "Source", tokens[0], group, () => false, choose(0));
    this.below = tokenRow(panel, "Target, given", tokens[1], group, place => place === 0, choose(1));
    const target = this.below[0].parentElement.parentElement;
    target.classList.add("predicted");
    target.style.gridTemplateColumns = `repeat(auto-fill, ${0.54 * this.widest() + 0.3}em)`;
    html("p", { class: "note" }, panel, "Source tokens show the heads of the encoder, target tokens those of the decoder.");
    const controls = html("div", { class: "controls" }, panel);
    toggle(controls, "weight × length of the value", norms => this.update({ norms }));
    button(controls, "all heads back", () => this.update({ off: -1 }));
    // What can be removed, in the order of `without`: the heads of each attention, and all of them.
    this.removable = attentions.flatMap(({ title, weights }) => (
      [...weights.map((_, h) => `head ${h + 1} of ${title}`), `all ${weights.length} heads of ${title}`]
    ));
    this.maps = html("div", { class: "attentions" }, panel);
  }

  /** Characters of the longest line below a token, whatever is removed, so that no removal moves the others. */
  widest() {
    const { predictions, without } = this.content;
    const lines = [predictions, ...without.flat()].flatMap(now => now.flatMap((_, place) => this.lines(now, place)));
    return Math.max(...lines.map(line => line.length), ...this.content.tokens[1].map(name => name.length + 1));
  }

  lines(now, place) {
    const { outputs, predictions } = this.content;
    const [[output, hundredths], [before, its]] = [now[place], predictions[place]];
    const was = output !== before ? `was ${outputs[before]}` : hundredths !== its ? `was ${fixed(its / 100)}` : "";
    return [`→ ${outputs[output]}`, fixed(hundredths / 100), was];
  }

  draw({ rows, predictions }) {
    const { side, token, off } = this.state;
    if (this.drawn !== side) this.layOut(side);
    predictions.forEach(([output], place) => {
      this.below[place].textContent = this.lines(predictions, place).join("\n");
      this.below[place].className = output === this.content.predictions[place][0] ? "" : "changed";
    });
    for (const { press, removal } of this.presses) press.setAttribute("aria-pressed", removal === off);
    for (const { a, h, line, map, cells, most, removals } of this.heads) {
      const { queries, keys } = this.content.attentions[a];
      const row = rows[a][h];
      const best = row.indexOf(Math.max(...row));
      line.classList.toggle("off", removals.includes(off));
      map.setAttribute("aria-label", `mostly ${placed(this.content.tokens[keys], best)}`);
      most.textContent = fixed(row[best]);
      cells.forEach((cell, key) => {
        const masked = queries && keys && key > token;
        cell.style.background = masked ? "" : purple(row[key])[0];
        cell.className = key === best ? "best" : masked ? "masked" : "";
      });
    }
  }

  /** The attentions of one side: a row for each head, under the names of the tokens that it can look at. */
  layOut(side) {
    this.drawn = side;
    [this.presses, this.heads] = [[], []];
    this.maps.replaceChildren();
    let removal = 0;
    this.content.attentions.forEach(({ title, queries, keys, weights }, a) => {
      const all = removal + weights.length;
      if (queries === side) {
        const names = this.content.tokens[keys];
        const part = html("div", {}, this.maps);
        const style = `grid-template-columns: repeat(${names.length}, minmax(0, 2.4em))`;
        html("p", { class: "title" }, part, title[0].toUpperCase() + title.slice(1));
        const top = html("div", { class: "head", "aria-hidden": true }, part);
        html("span", {}, top);
        const columns = html("span", { class: "map names", style }, top);
        for (const name of names) html("span", { class: name.length > 3 ? "upright" : "" }, columns, visible(name));
        weights.forEach((_, h) => {
          const line = html("div", { class: "head" }, part);
          this.removing(line, `Head ${h + 1}`, removal + h);
          const map = html("span", { class: "map", role: "img", style }, line);
          const cells = names.map(() => html("span", {}, map));
          this.heads.push({ a, h, line, map, cells, most: html("span", {}, line), removals: [removal + h, all] });
        });
        this.removing(html("div", { class: "head" }, part), `All ${weights.length}`, all);
      }
      removal = all + 1;
    });
  }

  /** A button that removes a head, or all heads of an attention, and puts back what it has removed. */
  removing(parent, text, removal) {
    const press = html("button", { type: "button", "aria-label": `Remove ${this.removable[removal]}` }, parent, text);
    press.addEventListener("click", () => this.update({ off: this.state.off === removal ? -1 : removal }));
    this.presses.push({ press, removal });
  }

  sentence({ rows, predictions, changed }) {
    const { side, token, norms, off } = this.state;
    const { attentions, tokens, outputs } = this.content;
    const last = rows.findLastIndex(each => each.length);
    const names = tokens[attentions[last].keys];
    const most = rows[last].map(row => placed(names, row.indexOf(Math.max(...row)))).join(", ");
    const what = norms ? "largest weight × length" : "largest weight";
    const [output, hundredths] = predictions[side ? token : 0];
    const next = side ? ` The model predicts ${outputs[output]} next, with probability ${fixed(hundredths / 100)}.` : "";
    const without = off < 0 ? "" : ` Without ${this.removable[off]}, ${changed} of ${predictions.length} predictions change.`;
    const start = `From ${side ? "target" : "source"} ${token + 1}, ${spoken(tokens[side][token])}:`;
    return `${start} in ${attentions[last].title}, the ${what} of each head is on ${most}.${next}${without}`;
  }
}

/** A token's name, with its place if there are several of that name. */
function placed(names, place) {
  const isOnly = names.indexOf(names[place]) === names.lastIndexOf(names[place]);
  return spoken(names[place]) + (isOnly ? "" : ` (token ${place + 1})`);
}

define("course-heads", Heads);
