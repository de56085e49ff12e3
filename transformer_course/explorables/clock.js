// The hands of position p, pale, and of p + k, dark.
const WIDTHS = [8, 16, 64], RADIUS = 50;

/** Dimensions 2i and 2i + 1 of a position: the tip of hand i, to the right and up. */
const tip = angle => [Math.sin(angle), Math.cos(angle)];

const TURN = 2 * Math.PI;

const radians = turn => fixed(turn, turn > 0 && turn < 0.1 ? 4 : 2);

/** 63 radians are "10 turns + 0.17". */
function turned(turn) {
  const whole = Math.floor(turn / TURN);
  return whole ? `${whole} turn${whole > 1 ? "s" : ""} + ${fixed(turn % TURN)}` : "";
}

class Clock extends Explorable {
  start() {
    return { d: 8, p: this.content.position, k: this.content.shift };
  }

  /** For each hand its turn over k tokens, in radians, and its tips at p and p + k. */
  compute({ d, p, k }) {
    const speeds = Array.from({ length: d / 2 }, (_, i) => 1 / 10000 ** (2 * i / d));
    return {
      turns: speeds.map(speed => k * speed),
      from: speeds.map(speed => tip(p * speed)),
      to: speeds.map(speed => tip((p + k) * speed)),
    };
  }

  build(panel) {
    const controls = html("div", { class: "controls" }, panel);
    choice(controls, "width d", WIDTHS, place => this.update({ d: WIDTHS[place] }));
    this.p = slider(controls, "position p", 0, 200, p => this.update({ p }));
    this.k = slider(controls, "k tokens further", 0, 100, k => this.update({ k }));
    this.faces = html("div", { class: "faces", role: "img" }, panel);
  }

  draw(numbers) {
    const { d, p, k } = this.state;
    this.p.show(p, String(p));
    this.k.show(k, String(k));
    this.faces.replaceChildren();
    numbers.turns.forEach((turn, i) => this.drawFace(turn, numbers.from[i], numbers.to[i], i));
    this.faces.setAttribute("aria-label", `${d / 2} clock faces, one for each hand, at positions ${p} and ${p + k}.`);
  }

  drawFace(turn, from, to, i) {
    const small = this.state.d > 16;
    const face = svg("svg", { viewBox: `-65 -60 130 ${small ? 145 : 160}`, width: small ? 74 : 150, class: small ? "small" : "" }, this.faces);
    const place = ([x, y], length) => `${length * x} ${-length * y}`;
    svg("circle", { r: RADIUS, fill: "none", stroke: FAINT, "stroke-width": 1.5 }, face);
    const rest = turn % TURN;
    const sector = `M0 0L${place(from, 30)}A30 30 0 ${Number(rest > Math.PI)} 1 ${place(to, 30)}Z`;
    const ink = INK[i % INK.length];
    if (rest > 1e-9) svg("path", { d: sector, fill: ink, "fill-opacity": 0.35 }, face);
    for (const [end, opacity] of [[from, 0.45], [to, 1]]) {
      const hand = svg("g", { opacity }, face);
      svg("path", { d: `M0 0L${place(end, RADIUS)}`, stroke: ink, "stroke-width": 3 }, hand);
      svg("circle", { cx: RADIUS * end[0], cy: -RADIUS * end[1], r: 5, fill: ink }, hand);
    }
    const below = small ? [radians(turn)] : [`hand ${i}: ${radians(turn)} rad`, turned(turn) && `= ${turned(turn)}`];
    below.forEach((text, line) => svg("text", { x: 0, y: (small ? 78 : 70) + 18 * line, "text-anchor": "middle" }, face, text));
  }

  sentence({ turns }) {
    const { d, p, k } = this.state;
    const shown = turns.slice(0, 4).map((turn, i) => `hand ${i} by ${radians(turn)}`);
    const more = turns.length > 4 ? ` (and ${turns.length - 4} slower hands)` : "";
    return `Width ${d}, position ${p} to ${p + k}: ${shown.join(", ")} radians${more}.`;
  }
}

define("course-clock", Clock);
