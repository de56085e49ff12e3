// The hands of position p, pale, and of p + k, dark; and the dot products of p with the positions around it.
const WIDTHS = [8, 16, 64], FARTHEST = 100, WIDE = 480, HIGH = 260, RADIUS = 50;

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
    return { d: 8, p: 50, k: 2 };
  }

  /** For each hand its turn over k tokens, in radians, and its tips at p and p + k; dot products with p, by distance. */
  compute({ d, p, k }) {
    const speeds = Array.from({ length: d / 2 }, (_, i) => 1 / 10000 ** (2 * i / d));
    const first = Math.max(-p, -FARTHEST);
    const away = Array.from({ length: FARTHEST + 1 - first }, (_, x) => first + x);
    const dot = x => speeds.reduce((sum, speed) => {
      const [a, b] = [tip(p * speed), tip((p + x) * speed)];
      return sum + a[0] * b[0] + a[1] * b[1];
    }, 0);
    return {
      turns: speeds.map(speed => k * speed),
      from: speeds.map(speed => tip(p * speed)),
      to: speeds.map(speed => tip((p + k) * speed)),
      away,
      dots: away.map(dot),
      dot: dot(k),
    };
  }

  build(panel) {
    const controls = html("div", { class: "controls" }, panel);
    choice(controls, "width d", WIDTHS, place => this.update({ d: WIDTHS[place] }));
    this.p = slider(controls, "position p", 0, 200, p => this.update({ p }));
    this.k = slider(controls, "k tokens further", 0, FARTHEST, k => this.update({ k }));
    this.faces = html("div", { class: "faces", role: "img" }, panel);
    this.curve = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "wide", role: "img" }, html("div", { class: "panels" }, panel));
  }

  draw(numbers) {
    const { d, p, k } = this.state;
    this.p.show(p, String(p));
    this.k.show(k, String(k));
    this.faces.replaceChildren();
    numbers.turns.forEach((turn, i) => this.drawFace(turn, numbers.from[i], numbers.to[i], i));
    this.faces.setAttribute("aria-label", `${d / 2} clock faces, one for each hand, at positions ${p} and ${p + k}.`);
    this.drawCurve(numbers);
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

  drawCurve({ away, dots, dot }) {
    const { d, p, k } = this.state;
    const half = d / 2;
    const right = x => 40 + (x + FARTHEST) * (WIDE - 60) / (2 * FARTHEST);
    const up = y => 225 - (y + half / 2) * 185 / (1.5 * half);
    const curve = this.curve;
    curve.replaceChildren();
    svg("text", { x: 0, y: 16, class: "title" }, curve, `Dot product of position ${p} with the position x tokens away`);
    for (const y of [0, half / 2, half]) {
      svg("path", { d: `M40 ${up(y)}H${WIDE - 20}`, stroke: FAINT, "stroke-width": y ? 0.4 : 1.2 }, curve);
      svg("text", { x: 32, y: up(y) + 5, "text-anchor": "end" }, curve, String(y));
    }
    for (const x of [-100, -50, 0, 50, 100]) svg("text", { x: right(x), y: 248, "text-anchor": "middle" }, curve, fixed(x, 0));
    const points = away.map((x, place) => `${right(x)},${up(dots[place])}`).join(" ");
    svg("polyline", { points, fill: "none", stroke: INK[0], "stroke-width": 1.6 }, curve);
    svg("path", { d: `M${right(k)} 225V${up(dot)}`, stroke: INK[1], "stroke-width": 1, "stroke-dasharray": "3 3" }, curve);
    svg("circle", { cx: right(k), cy: up(dot), r: 6, fill: INK[1] }, curve);
    curve.setAttribute("aria-label", `A curve that is highest, ${half}, at distance 0. At distance ${k} it is ${fixed(dot)}.`);
  }

  sentence({ turns, dot }) {
    const { d, p, k } = this.state;
    const shown = turns.slice(0, 4).map((turn, i) => `hand ${i} by ${radians(turn)}`);
    const more = turns.length > 4 ? ` (and ${turns.length - 4} slower hands)` : "";
    return `Width ${d}, position ${p} to ${p + k}: ${shown.join(", ")} radians${more}. Dot product: ${fixed(dot)} of at most ${d / 2}.`;
  }
}

define("course-clock", Clock);
