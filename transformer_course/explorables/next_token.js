// The distribution over a model's next token: temperature, top-k, top-p, and 1,000 draws.
const KEEP = [1, 2, 3, 5, 10, 20, 40, 80, 160, 320, 640, Infinity], DRAWS = 1000;
const ROW = 24, LEFT = 96, BAR = 170, ALL = 380;

/** Counts of 1,000 draws, the same for the same seed: a multiplicative congruential generator (Park and Miller 1988). */
function draws(probabilities, seed) {
  const counts = probabilities.map(() => 0);
  let state = seed * 48271 + 1;
  for (let n = 0; n < DRAWS; n++) {
    state = (state * 48271) % 2147483647;
    counts[drawn(probabilities, state / 2147483647)]++;
  }
  return counts;
}

const grouped = count => count.toLocaleString("en");

class NextToken extends Explorable {
  start() {
    return { text: 0, T: 1, k: KEEP.length - 1, p: 1, seed: 0 };
  }

  /** The probabilities of all tokens before and after top-k and top-p, how many are left, and the counts of the draws. */
  compute({ text, T, k, p, seed }) {
    const before = softmax(this.content.logits[text].map(logit => logit / T));
    const after = cut(before, KEEP[k], p);
    const kept = after.filter(each => each > 0).length;
    return { before, after, kept, counts: seed ? draws(after, seed) : [] };
  }

  build(panel) {
    const controls = html("div", { class: "controls" }, panel);
    choice(controls, "after", this.content.texts, text => this.update({ text }));
    this.T = slider(controls, "temperature", 0.1, 3, T => this.update({ T }), 0.1);
    this.k = slider(controls, "top-k", 0, KEEP.length - 1, k => this.update({ k }));
    this.p = slider(controls, "top-p", 0.05, 1, p => this.update({ p }), 0.05);
    button(controls, "Draw 1,000 tokens", () => this.update({ seed: this.state.seed + 1 }));
    const rows = this.content.names[0].length + 2;
    const panels = html("div", { class: "panels" }, panel);
    this.bars = svg("svg", { viewBox: `0 0 ${ALL} ${rows * ROW}`, role: "img" }, panels);
  }

  draw({ before, after, kept, counts }) {
    const { text, T, k, p } = this.state;
    this.T.show(T, fixed(T, 1));
    this.k.show(k, k < KEEP.length - 1 ? String(KEEP[k]) : "off");
    this.p.show(p, p < 1 ? fixed(p) : "off");
    const names = this.content.names[text];
    const bars = this.bars;
    bars.replaceChildren();
    const most = Math.max(before[0], after[0]); // the bar of the most probable token has the whole width
    const length = value => (value > most ? 0 : (BAR * value) / most);
    svg("text", { x: 0, y: 15, class: "title" }, bars, "Probability (outline: before cutting)");
    if (counts.length) svg("text", { x: ALL, y: 15, class: "title", "text-anchor": "end" }, bars, "drawn");
    const rest = values => values.slice(names.length).reduce((sum, each) => sum + each, 0);
    const [others, left] = [before, after].map(values => values.slice(names.length).filter(each => each > 0).length);
    const labels = [...names, "others"];
    const count = ` (${left < others ? `${grouped(left)} of ` : ""}${grouped(others)} tokens)`;
    labels.forEach((label, row) => {
      const [all, now, drawn] = [before, after, counts].map(values => (row < names.length ? values[row] : rest(values)));
      const y = (row + 1) * ROW;
      const ink = row < names.length ? INK[0] : FAINT;
      svg("text", { x: LEFT - 6, y: y + 16, "text-anchor": "end" }, bars, label);
      svg("rect", { x: LEFT, y: y + 3, width: length(now), height: ROW - 6, fill: ink }, bars);
      svg("rect", { x: LEFT, y: y + 3, width: length(all), height: ROW - 6, fill: "none", stroke: INK[1] }, bars);
      svg("text", { x: LEFT + length(Math.max(all, now)) + 6, y: y + 16 }, bars, (now > 0 ? fixed(now, 3) : "cut") + (row < names.length ? "" : count));
      if (counts.length) svg("text", { x: ALL, y: y + 16, "text-anchor": "end" }, bars, String(drawn));
    });
    const spoken = names.map((name, row) => `${name} ${after[row] > 0 ? fixed(after[row], 3) : "cut"}`);
    bars.setAttribute("aria-label", `Bars for ${names.length} tokens: ${spoken.join(", ")}; all others ${fixed(rest(after), 3)}.`);
  }

  sentence({ after, kept, counts }) {
    const { text } = this.state;
    const drawn = counts.length ? ` 1,000 draws gave ${counts.filter(each => each > 0).length} different tokens.` : "";
    const [name] = this.content.names[text];
    const elsewhere = this.content.texts.flatMap((other, place) => (
      place === text ? [] : `${grouped(this.compute({ ...this.state, text: place, seed: 0 }).kept)} after “${other}”`
    ));
    const start = `After “${this.content.texts[text]}”, ${grouped(kept)} of ${grouped(after.length)} tokens are kept`;
    return `${start} (with the same settings: ${elsewhere.join(", ")}). The probability of “${name}” is ${fixed(after[0], 3)}.${drawn}`;
  }
}

define("course-next-token", NextToken);
