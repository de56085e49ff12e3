// What every head looks at from one token, and what the model predicts without one of its heads.
class Heads extends Explorable {
  start() {
    return { side: 1, token: 0, norms: false, off: -1 };
  }

  /** For each attention of the chosen token's side, each head's row, which sums to 1; and the predictions without a head. */
  compute({ side, token, norms, off }) {
    const { attentions, predictions, without } = this.content;
    const rows = attentions.map(each => (each.queries === side ? each.weights.map((head, h) => {
      const parts = head[token].map((weight, key) => weight * (norms ? each.norms[h][key] : 1));
      const total = parts.reduce((sum, part) => sum + part, 0);
      return parts.map(part => part / total);
    }) : []));
    const now = off < 0 ? predictions : without.flat()[off];
    return { rows, predictions: now, changed: now.filter(([output], place) => output !== predictions[place][0]).length };
  }

  build(panel) {
    const { tokens, attentions } = this.content;
    const group = `token ${Math.random()}`; // its own for each copy
    const choose = side => token => this.update({ side, token });
    tokenRow(panel, "Source", tokens[0], group, () => false, choose(0));
    this.below = tokenRow(panel, "Target", tokens[1], group, place => place === 0, choose(1));
    const controls = html("div", { class: "controls" }, panel);
    const heads = attentions.flatMap(each => each.weights.map((_, h) => `all but head ${h + 1} of ${each.title}`));
    choice(controls, "predictions with", ["all heads", ...heads], place => this.update({ off: place - 1 }));
    toggle(controls, "weight × length of the value", norms => this.update({ norms }));
    this.maps = html("div", {}, panel);
  }

  draw({ rows, predictions }) {
    const { attentions, tokens, outputs } = this.content;
    predictions.forEach(([output, hundredths], place) => {
      const isChanged = output !== this.content.predictions[place][0];
      this.below[place].textContent = `→ ${outputs[output]}${hundredths < 99 ? ` ${fixed(hundredths / 100)}` : ""}`;
      this.below[place].className = isChanged ? "changed" : "";
    });
    this.maps.replaceChildren();
    attentions.forEach((each, a) => {
      if (!rows[a].length) return;
      html("p", { class: "title" }, this.maps, `${each.title[0].toUpperCase()}${each.title.slice(1)}, over the ${each.keys ? "target" : "source"}`);
      const heads = html("div", { class: "heads" }, this.maps);
      rows[a].forEach((row, h) => this.drawHead(heads, row, tokens[each.keys], `Head ${h + 1}`));
    });
  }

  drawHead(heads, row, names, title) {
    const best = row.indexOf(Math.max(...row));
    const head = html("p", {}, heads, `${title}: ${fixed(row[best])}`);
    const map = html("span", { class: "map", role: "img", "aria-label": `mostly ${spoken(names[best])}` }, head);
    row.forEach((weight, key) => {
      const [ground, ink] = purple(weight);
      html("span", { style: `background: ${ground}; color: ${ink}` }, map, names[key]);
    });
  }

  sentence({ rows, predictions, changed }) {
    const { side, token, norms, off } = this.state;
    const { attentions, tokens, outputs } = this.content;
    const last = rows.findLastIndex(each => each.length);
    const names = tokens[attentions[last].keys];
    const most = rows[last].map(row => spoken(names[row.indexOf(Math.max(...row))])).join(", ");
    const what = norms ? "largest weight × length" : "largest weight";
    const next = side ? ` The model predicts ${outputs[predictions[token][0]]} next, with ${fixed(predictions[token][1] / 100)}.` : "";
    const without = off < 0 ? "" : ` Without one head, ${changed} of ${predictions.length} predictions change.`;
    const start = `From ${side ? "target" : "source"} ${token + 1}, ${spoken(tokens[side][token])}:`;
    return `${start} in the last layer shown, the ${what} of each head is on ${most}.${next}${without}`;
  }
}

define("course-heads", Heads);
