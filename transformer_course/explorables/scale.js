// One row of weights from random scores, with and without the division by √d_k, and the slopes of its weights.
const MOVABLE = 1e-3, LINE = 26;

class Scale extends Explorable {
  start() {
    return { width: this.content.widths.length - 1, draw: 0, divided: false };
  }

  /** The weights of a row, their slopes a(1 − a), and how many weights can still be moved. */
  compute({ width, draw, divided }) {
    const weights = this.weightsOf(width, draw, divided);
    const slopes = weights.map(slope);
    return { weights, slopes, movable: slopes.filter(slope => slope > MOVABLE).length };
  }

  weightsOf(width, draw, divided) {
    const factor = divided ? 1 / Math.sqrt(this.content.widths[width]) : 1;
    return softmax(this.content.scores[width][draw].map(score => score * factor));
  }

  build(panel) {
    const { widths, scores } = this.content;
    const controls = html("div", { class: "controls" }, panel);
    this.width = slider(controls, "d_k", 0, widths.length - 1, width => this.update({ width }));
    this.drawn = slider(controls, "draw", 1, scores[0].length, draw => this.update({ draw: draw - 1 }));
    toggle(controls, "divide the scores by √d_k", divided => this.update({ divided }));
    const size = `0 0 380 ${LINE * (scores[0][0].length + 1)}`;
    const panels = html("div", { class: "panels" }, panel);
    this.weights = svg("svg", { viewBox: size, role: "img" }, panels);
    this.slopes = svg("svg", { viewBox: size, role: "img" }, panels);
  }

  draw({ weights, slopes }) {
    const { width, draw, divided } = this.state;
    const others = this.weightsOf(width, draw, !divided);
    const outline = `outline: ${divided ? "not " : ""}divided`;
    this.width.show(width, String(this.content.widths[width]));
    this.drawn.show(draw + 1, `${draw + 1} of ${this.content.scores[0].length}`);
    this.drawBars(this.weights, `Weight a, from 0 to 1 (${outline})`, weights, others, 1, INK[0], 3);
    this.drawBars(this.slopes, `Slope a(1 − a), from 0 to 0.25 (${outline})`, slopes, others.map(slope), 0.25, INK[1], 4);
  }

  drawBars(bars, title, values, others, most, ink, digits) {
    bars.replaceChildren();
    svg("text", { x: 0, y: 16, class: "title" }, bars, title);
    values.forEach((value, j) => {
      const y = (j + 1) * LINE;
      svg("text", { x: 50, y: y + 17, "text-anchor": "end" }, bars, `key ${j + 1}`);
      svg("path", { d: `M58 ${y}V${y + LINE}`, stroke: FAINT }, bars);
      svg("rect", { x: 58, y: y + 4, width: (250 * value) / most, height: LINE - 8, fill: ink }, bars);
      svg("rect", { x: 58, y: y + 4, width: (250 * others[j]) / most, height: LINE - 8, fill: "none", stroke: FAINT }, bars);
      const x = 64 + (250 * Math.max(value, others[j])) / most;
      svg("text", { x, y: y + 17, class: value > 0.5 * most && value === Math.max(...values) ? "title" : "" }, bars, fixed(value, digits));
    });
    bars.setAttribute("aria-label", `${title}: ${values.map((value, j) => `key ${j + 1} ${fixed(value, digits)}`).join(", ")}.`);
  }

  sentence({ weights, movable }) {
    const { width, divided } = this.state;
    const largest = Math.max(...weights);
    const scores = `d_k = ${this.content.widths[width]}, scores ${divided ? "" : "not "}divided`;
    const winner = `key ${weights.indexOf(largest) + 1} has the most weight, ${fixed(largest, 3)}`;
    return `${scores}: ${winner}; ${movable} of ${weights.length} slopes are above 0.001.`;
  }
}

const slope = weight => weight * (1 - weight);

define("course-scale", Scale);
