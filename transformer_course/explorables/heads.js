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
    return { rows, predictions: now, changed: changes(now, predictions) };
  }

  build(panel) {
    const { tokens, attentions, predictions, without } = this.content;
    const group = `token ${Math.random()}`; // its own for each copy
    const choose = side => token => this.update({ side, token });
    tokenRow(panel, "Source", tokens[0], group, () => false, choose(0));
    this.below = tokenRow(panel, "Target, given", tokens[1], group, place => place === 0, choose(1));
    html("p", { class: "note" }, panel, "Source tokens show the heads of the encoder, target tokens those of the decoder. Click a head to remove it.");
    const controls = html("div", { class: "controls" }, panel);
    this.heads = attentions.flatMap(each => each.weights.map((_, h) => `head ${h + 1} of ${each.title}`));
    const options = without.flat().map((now, place) => {
      const changed = changes(now, predictions);
      return `all but ${this.heads[place]}${changed ? ` (${changed} changed)` : ""}`;
    });
    this.kept = choice(controls, "predictions with", ["all heads", ...options], place => this.update({ off: place - 1 }));
    toggle(controls, "weight × length of the value", norms => this.update({ norms }));
    this.maps = html("div", {}, panel);
  }

  draw({ rows, predictions }) {
    const { attentions, outputs } = this.content;
    const { off } = this.state;
    this.kept.selectedIndex = off + 1;
    predictions.forEach(([output, hundredths], place) => {
      const [before, its] = this.content.predictions[place];
      const was = off < 0 ? "" : `\nwas ${output === before ? "" : `${outputs[before]} `}${fixed(its / 100)}`;
      this.below[place].textContent = `→ ${outputs[output]}\n${fixed(hundredths / 100)}${was}`;
      this.below[place].className = output === before ? "" : "changed";
    });
    this.maps.replaceChildren();
    let first = 0; // the number of an attention's first head
    attentions.forEach((each, a) => {
      if (rows[a].length) {
        html("p", { class: "title" }, this.maps, `${each.title[0].toUpperCase()}${each.title.slice(1)}, over the ${each.keys ? "target" : "source"}`);
        const heads = html("div", { class: "heads" }, this.maps);
        rows[a].forEach((row, h) => this.drawHead(heads, row, each, first + h, `Head ${h + 1}`));
      }
      first += each.weights.length;
    });
  }

  /** One head's row. A click removes the head, or puts it back; with the keyboard, the list above does the same. */
  drawHead(heads, row, { queries, keys }, number, title) {
    const { off, token } = this.state;
    const names = this.content.tokens[keys];
    const best = row.indexOf(Math.max(...row));
    const head = html("p", { class: number === off ? "off" : "" }, heads, `${title}: ${fixed(row[best])}`);
    head.addEventListener("click", () => this.update({ off: number === off ? -1 : number }));
    const map = html("span", { class: "map", role: "img", "aria-label": `mostly ${spoken(names[best])}` }, head);
    row.forEach((weight, key) => {
      const [ground, ink] = purple(weight);
      const kind = key === best ? "best" : queries && keys && key > token ? "masked" : "";
      html("span", { style: `background: ${ground}; color: ${ink}`, class: kind }, map, visible(names[key]));
    });
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
    const without = off < 0 ? "" : ` Without ${this.heads[off]}, ${changed} of ${predictions.length} predictions change.`;
    const start = `From ${side ? "target" : "source"} ${token + 1}, ${spoken(tokens[side][token])}:`;
    return `${start} in ${attentions[last].title}, the ${what} of each head is on ${most}.${next}${without}`;
  }
}

const changes = (now, before) => now.filter(([output], place) => output !== before[place][0]).length;

/** A token's name, with its place if there are several of that name. */
function placed(names, place) {
  const isOnly = names.indexOf(names[place]) === names.lastIndexOf(names[place]);
  return spoken(names[place]) + (isOnly ? "" : ` (token ${place + 1})`);
}

define("course-heads", Heads);
