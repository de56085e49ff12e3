// Three tokens to drag, and their self-attention: the row of one query, or all rows with the outputs.
const SIDE = 380, MARGIN = 34, LOW = -1.5, HIGH = 2.5, STEP = 0.1;
const unit = (SIDE - 2 * MARGIN) / (HIGH - LOW);
const right = x => MARGIN + (x - LOW) * unit;
const up = y => SIDE - MARGIN - (y - LOW) * unit;

class DragTokens extends Explorable {
  start() {
    return { tokens: this.content.tokens.map(token => [...token]), query: 0 };
  }

  /** Scores (3, 3), weights (3, 3) and outputs (3, 2). Queries, keys and values are the tokens. */
  compute({ tokens }) {
    const columns = [0, 1].map(c => tokens.map(token => token[c]));
    const scores = tokens.map(query => product(tokens.flat(), query));
    const weights = scores.map(softmax);
    const outputs = weights.map(row => product(columns.flat(), row));
    return { scores, weights, outputs };
  }

  build(panel) {
    const controls = html("div", { class: "controls" }, panel);
    const rows = [...this.content.names, ...(this.content.outputs ? ["all, with their outputs"] : [])];
    this.query = choice(this.content.goal ? document.createElement("div") : controls, "row of", rows, query => this.update({ query }));
    button(controls, "Reset to the example", () => this.update(this.start()));
    const panels = html("div", { class: "panels" }, panel);
    this.buildPlane(svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "group", "aria-label": "Plane of tokens" }, panels));
    this.table = svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img" }, panels);
  }

  buildPlane(plane) {
    for (const k of [-1, 0, 1, 2]) {
      const line = { stroke: FAINT, "stroke-width": k ? 0.4 : 1.2 };
      svg("path", { d: `M${right(k)} ${up(LOW)}V${up(HIGH)}M${right(LOW)} ${up(k)}H${right(HIGH)}`, ...line }, plane);
      svg("text", { x: right(k), y: up(LOW) + 17, "text-anchor": "middle" }, plane, fixed(k, 0));
      svg("text", { x: right(LOW) - 7, y: up(k) + 5, "text-anchor": "end" }, plane, fixed(k, 0));
    }
    svg("text", { x: right(HIGH), y: up(LOW) - 6, "text-anchor": "end" }, plane, "first number");
    const [beside, top] = [right(LOW) + 15, up(HIGH)];
    svg("text", { x: beside, y: top, "text-anchor": "end", transform: `rotate(-90 ${beside} ${top})` }, plane, "second number");
    this.mirror = svg("g", {}, plane);
    svg("path", { d: `M${right(LOW)} ${up(LOW)}L${right(HIGH)} ${up(HIGH)}`, stroke: FAINT, "stroke-dasharray": "5 4" }, this.mirror);
    const [a, b] = [right(2.1), up(2.1) - 8];
    svg("text", { x: a, y: b, "text-anchor": "middle", transform: `rotate(-45 ${a} ${b})` }, this.mirror, "mirror");
    this.heading = svg("text", { x: right(LOW), y: 14, class: "title" }, plane, "Tokens");
    this.hull = svg("polygon", { fill: FAINT, "fill-opacity": 0.25 }, plane);
    this.outputs = svg("g", {}, plane);
    this.labels = this.content.names.map(name => svg("text", {}, plane, name));
    this.handles = this.content.names.map((name, i) => {
      const group = handle(plane, `${name}, a point in the plane`, 25, change => this.move(i, change));
      set(group, { "aria-valuemin": LOW, "aria-valuemax": HIGH });
      marker(group, i, { fill: "none", stroke: INK[this.content.inks[i]], "stroke-width": 2.5 });
      return group;
    });
  }

  move(i, { x, y, step }) {
    const { tokens } = this.state;
    const place = step ? tokens[i].map((value, c) => value + STEP * step[c]) : [LOW + (x - MARGIN) / unit, LOW + (up(LOW) - y) / unit];
    const token = place.map(value => Math.round(20 * clamp(value, LOW, HIGH)) / 20);
    this.update({ tokens: tokens.map((each, k) => (k === i ? token : each)) });
  }

  /** Whether the row of every query is shown. */
  all() {
    return this.state.query === this.content.names.length;
  }

  draw({ scores, weights, outputs }) {
    const { tokens, query } = this.state;
    const inks = this.content.inks.map(ink => INK[ink]);
    this.query.selectedIndex = query;
    this.mirror.setAttribute("visibility", this.all() ? "visible" : "hidden"); // until then, readers find it themselves
    this.heading.textContent = this.all() ? "Tokens (hollow) and outputs (filled)" : "Tokens";
    this.hull.setAttribute("points", this.all() ? tokens.map(([x, y]) => `${right(x)},${up(y)}`).join(" ") : "");
    this.outputs.replaceChildren();
    tokens.forEach(([x, y], i) => {
      if (this.all()) {
        const [a, b] = [right(outputs[i][0]), up(outputs[i][1])];
        svg("line", { x1: right(x), y1: up(y), x2: a, y2: b, stroke: inks[i], "stroke-width": 2 }, this.outputs);
        marker(this.outputs, i, { fill: inks[i], transform: `translate(${a} ${b})` });
      }
      const outside = x > HIGH - 0.8; // there would be no room for the name on the right
      const near = tokens.slice(0, i).filter(([a, b]) => Math.abs(a - x) < 0.7 && Math.abs(b - y) < 0.5).length; // their names are here
      const below = [-9, 20, 35][near];
      set(this.labels[i], { x: right(x) + (outside ? -10 : 10), y: up(y) + below, "text-anchor": outside ? "end" : "start" });
      set(this.handles[i], { transform: `translate(${right(x)} ${up(y)})`, "aria-valuenow": x, "aria-valuetext": vector([x, y]) });
    });
    this.drawTable(scores, weights);
  }

  drawTable(scores, weights) {
    const { names } = this.content;
    const table = this.table;
    table.replaceChildren();
    const [left, top, cell] = [72, 40, 102];
    const rows = names.map((_, i) => i).filter(i => this.shows(i));
    set(table, { viewBox: `0 0 ${SIDE} ${top + rows.length * cell}` });
    svg("text", { x: left, y: 14, class: "title" }, table, "Weights: each row sums to 1");
    names.forEach((name, j) => svg("text", { x: left + (j + 0.5) * cell, y: top - 6, "text-anchor": "middle" }, table, name));
    rows.forEach((i, place) => {
      svg("text", { x: left - 8, y: top + (place + 0.5) * cell + 5, "text-anchor": "end" }, table, names[i]);
      weights[i].forEach((weight, j) => {
        const [ground, ink] = purple(weight);
        const [x, y] = [left + j * cell, top + place * cell];
        svg("rect", { x, y, width: cell - 2, height: cell - 2, fill: ground, stroke: FAINT, "stroke-width": 0.5 }, table);
        const middle = { x: x + cell / 2, "text-anchor": "middle", style: `fill: ${ink}` };
        svg("text", { ...middle, y: y + 28 }, table, `score ${fixed(scores[i][j])}`);
        svg("text", { ...middle, y: y + 48 }, table, `exp ${exponential(scores[i][j])}`);
        svg("text", { ...middle, y: y + 78, class: "large" }, table, fixed(weight, 4));
      });
    });
    const spoken = rows.map(i => `${names[i]}: ${four(weights[i])}`).join("; ");
    table.setAttribute("aria-label", `Weights over ${names.join(", ")}. ${spoken}.`);
  }

  shows(i) {
    return this.all() || i === this.state.query;
  }

  sentence({ scores, weights, outputs }) {
    const { tokens, query } = this.state;
    const { names, goal } = this.content;
    const reached = goal && weights[0][1] > goal ? ` ${names[0]} takes more than ${goal} from ${names[1]}: you found a way.` : "";
    if (!this.all()) return `${names[query]}: scores ${scores[query].map(score => fixed(score)).join(", ")} → weights ${four(weights[query])}.${reached}`;
    return `Token → output: ${names.map((name, i) => `${name} ${vector(tokens[i])} → ${vector(outputs[i])}`).join("; ")}.`;
  }
}

const four = weights => weights.map(weight => fixed(weight, 4)).join(", ");
const exponential = score => fixed(Math.exp(score), score < 7 ? 2 : 0);

define("course-drag-tokens", DragTokens);
