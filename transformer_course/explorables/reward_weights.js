// Answers whose probability rises with their reward: p · exp(reward / β), as in Rafailov et al. 2023, equation 4.
const LEFT = 80, BAR = 120, LINE = 26, ALL = 380;

class RewardWeights extends Explorable {
  start() {
    return { weights: this.content.weights, beta: this.content.beta };
  }

  /** What each answer is paid, and the probabilities among these answers before and after. */
  compute({ weights, beta }) {
    const { logits, pays, betas } = this.content;
    const rewards = logits.map((_, answer) => weights.reduce((sum, weight, k) => sum + weight * pays[k][answer], 0));
    return { rewards, before: softmax(logits), after: softmax(logits.map((logit, answer) => logit + rewards[answer] / betas[beta])) };
  }

  build(panel) {
    const { answers, betas, rewards } = this.content;
    const controls = html("div", { class: "controls" }, panel);
    this.weights = rewards.map((name, place) => (
      slider(controls, `pay for ${name}`, 0, 2, weight => this.weigh(place, weight), 0.1)
    ));
    this.beta = slider(controls, "β", 0, betas.length - 1, beta => this.update({ beta }));
    const panels = html("div", { class: "panels" }, panel);
    this.bars = svg("svg", { viewBox: `0 0 ${ALL} ${LINE * (answers.length + 1)}`, role: "img" }, panels);
  }

  weigh(place, weight) {
    this.update({ weights: this.state.weights.map((each, k) => (k === place ? weight : each)) });
  }

  draw({ rewards, before, after }) {
    const { weights, beta } = this.state;
    const { answers, betas } = this.content;
    weights.forEach((weight, k) => this.weights[k].show(weight, fixed(weight, 1)));
    this.beta.show(beta, String(betas[beta]));
    const bars = this.bars;
    bars.replaceChildren();
    svg("text", { x: 0, y: 16, class: "title" }, bars, "Probability (outline: before)");
    svg("text", { x: ALL - 66, y: 16, class: "title", "text-anchor": "end" }, bars, "before");
    svg("text", { x: ALL, y: 16, class: "title", "text-anchor": "end" }, bars, "reward");
    const best = after.indexOf(Math.max(...after));
    answers.forEach((answer, row) => {
      const y = (row + 1) * LINE, title = row === best ? "title" : "";
      svg("text", { x: LEFT - 6, y: y + 17, class: title, "text-anchor": "end" }, bars, answer);
      svg("path", { d: `M${LEFT} ${y}V${y + LINE}`, stroke: FAINT }, bars);
      svg("rect", { x: LEFT, y: y + 4, width: BAR * after[row], height: LINE - 8, fill: INK[0] }, bars);
      svg("rect", { x: LEFT, y: y + 4, width: BAR * before[row], height: LINE - 8, fill: "none", stroke: INK[1] }, bars);
      const x = LEFT + 6 + BAR * Math.max(after[row], before[row]);
      svg("text", { x, y: y + 17, class: title }, bars, fixed(after[row], 2));
      svg("text", { x: ALL - 66, y: y + 17, "text-anchor": "end" }, bars, small(before[row]));
      svg("text", { x: ALL, y: y + 17, "text-anchor": "end" }, bars, fixed(rewards[row], 1));
    });
    const spoken = answers.map((answer, row) => `${answer} ${fixed(after[row], 2)}, before ${small(before[row])}, reward ${fixed(rewards[row], 1)}`);
    bars.setAttribute("aria-label", `Probabilities: ${spoken.join("; ")}.`);
  }

  sentence({ rewards, before, after }) {
    const { answers, betas } = this.content;
    const [likely, paid] = [after, rewards].map(values => values.indexOf(Math.max(...values)));
    const most = `β = ${betas[this.state.beta]}: “${answers[likely]}” is the most probable answer, ${fixed(after[likely], 2)} (before: ${small(before[likely])})`;
    const same = rewards[likely] === rewards[paid];
    return `${most}. It earns ${fixed(rewards[likely], 1)}${same ? ", and none earns more" : `; “${answers[paid]}” would earn ${fixed(rewards[paid], 1)}`}.`;
  }
}

const SMALL = [..."⁰¹²³⁴⁵⁶⁷⁸⁹"];

/** A probability with two digits, or its power of ten if none of them would be left. */
function small(probability) {
  if (probability >= 0.005) return fixed(probability, 2);
  return `10⁻${[...String(Math.round(-Math.log10(probability)))].map(digit => SMALL[digit]).join("")}`;
}

define("course-reward-weights", RewardWeights);
