// The arithmetic of a Transformer, on one token at a time: for explorables, and for a model on a page of its own.

/** W x + bias, for a matrix whose rows lie one after another. */
function product(matrix, x, bias) {
  const width = x.length, result = new x.constructor(matrix.length / width);
  for (let row = 0, at = 0; row < result.length; row++) {
    let a = bias ? bias[row] : 0, b = 0, c = 0, d = 0, k = 0; // four sums, of which the processor computes several at once
    for (; k + 3 < width; k += 4, at += 4) {
      a += matrix[at] * x[k];
      b += matrix[at + 1] * x[k + 1];
      c += matrix[at + 2] * x[k + 2];
      d += matrix[at + 3] * x[k + 3];
    }
    for (; k < width; k++, at++) a += matrix[at] * x[k];
    result[row] = a + b + c + d;
  }
  return result;
}

function softmax(scores) {
  const largest = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  return normalised(scores.map(score => Math.exp(score - largest)));
}

function normalised(values) {
  const total = values.reduce((sum, each) => sum + each, 0);
  return values.map(each => each / total);
}

/** Top-k and top-p, for probabilities in falling order: as next_token_distribution in decoding.py. */
function cut(probabilities, k, p) {
  const best = normalised(probabilities.map((each, rank) => (rank < k ? each : 0)));
  if (p >= 1) return best;
  let before = 0;
  return normalised(best.map(each => {
    const kept = before < p ? each : 0;
    before += each;
    return kept;
  }));
}

/** The rank that a number from 0 to 1 draws, for probabilities that fall to 0. */
function drawn(probabilities, number) {
  let rest = number, rank = 0;
  while (rest >= probabilities[rank] && probabilities[rank + 1] > 0) rest -= probabilities[rank++];
  return rank;
}

/** LayerNorm; without beta, RMSNorm, which subtracts no mean. */
function norm(x, gamma, beta, eps) {
  const mean = beta ? x.reduce((sum, each) => sum + each, 0) / x.length : 0;
  const square = x.reduce((sum, each) => sum + (each - mean) ** 2, 0) / x.length;
  const root = Math.sqrt(square + eps);
  return x.map((each, k) => gamma[k] * (each - mean) / root + (beta ? beta[k] : 0));
}

/** Turn each pair of numbers of each head by the token's position: neighbours, or each number with the one half a head further. */
function rotate(x, width, position, pairs) {
  const result = x.slice(), half = width / 2;
  for (let head = 0; head < x.length; head += width) {
    for (let i = 0; i < half; i++) {
      const [a, b] = pairs === "adjacent" ? [head + 2 * i, head + 2 * i + 1] : [head + i, head + i + half];
      const angle = position / 10000 ** (2 * i / width), cos = Math.cos(angle), sin = Math.sin(angle);
      result[a] = x[a] * cos - x[b] * sin;
      result[b] = x[a] * sin + x[b] * cos;
    }
  }
  return result;
}

/**
 * What each head of one token takes from the values of the first `count` tokens, one head after another; and the weights, in the
 * same order. The rows of `keys` and `values` may belong to fewer heads than the query has, in groups.
 */
function attention(query, keys, values, count, heads, groups) {
  const width = query.length / heads, row = width * groups;
  const output = new Float32Array(query.length), weights = new Float32Array(heads * count);
  for (let head = 0; head < heads; head++) {
    const from = head * width, group = Math.floor(head * groups / heads) * width;
    const scores = new Float32Array(count);
    for (let token = 0; token < count; token++) {
      let score = 0;
      for (let k = 0; k < width; k++) score += query[from + k] * keys[token * row + group + k];
      scores[token] = score / Math.sqrt(width);
    }
    const shares = softmax(scores);
    weights.set(shares, head * count);
    for (let token = 0; token < count; token++) {
      for (let k = 0; k < width; k++) output[from + k] += shares[token] * values[token * row + group + k];
    }
  }
  return { output, weights };
}

const silu = x => x / (1 + Math.exp(-x)); // of which SwiGLU makes its gate
const ACTIVATIONS = {
  relu: x => Math.max(x, 0),
  gelu: x => x * (1 + erf(x / Math.SQRT2)) / 2,
  gelu_tanh: x => x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))) / 2,
};

/** The error function, right to seven digits (Abramowitz and Stegun 1964, 7.1.26). */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592].reduce((sum, each) => (sum + each) * t, 0);
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
