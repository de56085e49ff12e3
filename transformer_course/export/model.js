// A language model of one page: its numbers, its tokens, and how it writes. It runs in a worker, or on the page itself.

/** A number of 16 bits. */
function half(bits) {
  const exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) return NaN; // of a damaged file: infinity is never stored
  const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
  return bits & 32768 ? -size : size;
}

/** The weights by their names, as packing.py has packed them. */
function unpacked(tensors, buffer) {
  const weights = {};
  for (const [name, count, format, start] of tensors) {
    const values = weights[name] = new Float32Array(count);
    if (format === "float16") {
      new Uint16Array(buffer, start, count).forEach((bits, k) => { values[k] = half(bits); });
    } else {
      const scales = new Uint16Array(buffer, start, Math.ceil(count / GROUP));
      const wholes = new Int8Array(buffer, start + scales.byteLength, count);
      scales.forEach((bits, group) => {
        const scale = half(bits), end = Math.min(count, GROUP * (group + 1));
        for (let k = GROUP * group; k < end; k++) values[k] = wholes[k] * scale;
      });
    }
  }
  return weights;
}
const GROUP = 32; // numbers that share one scale

class Model {
  constructor(sizes, weights) {
    Object.assign(this, { sizes, weights });
    this.restart();
  }

  /** Forget all tokens. */
  restart() {
    const { layers, context } = this.sizes;
    this.count = 0;
    this.caches = Array.from({ length: layers }, (_, layer) => {
      const row = this.weights[`blocks.${layer}.attention.w_k.weight`].length / this.sizes.width;
      return { keys: new Float32Array(context * row), values: new Float32Array(context * row), row };
    });
  }

  layer(name, x) {
    return product(this.weights[`${name}.weight`], x, this.weights[`${name}.bias`]);
  }

  norm(name, x) {
    return norm(x, this.weights[`${name}.gamma`], this.weights[`${name}.beta`], this.sizes.eps);
  }

  /** Read one token more. Returns the logits for the next one, the weights of all heads of each layer, and the residual stream
   *  before the first layer and after each. */
  read(id) {
    const { width, layers, heads, groups, pairs } = this.sizes;
    const position = this.count++;
    const row = (table, place) => table.subarray(place * width, (place + 1) * width);
    let x = row(this.weights["tokens.weight"], id).slice();
    const add = update => { x = x.map((each, k) => each + update[k]); };
    if (this.weights["positions.weight"]) add(row(this.weights["positions.weight"], position));
    const looks = [], streams = [x];
    for (let layer = 0; layer < layers; layer++) {
      const block = `blocks.${layer}`, cache = this.caches[layer];
      const normed = this.norm(`${block}.norm_1`, x);
      let [query, key, value] = ["w_q", "w_k", "w_v"].map(each => this.layer(`${block}.attention.${each}`, normed));
      if (pairs) [query, key] = [query, key].map(each => rotate(each, width / heads, position, pairs));
      cache.keys.set(key, position * cache.row);
      cache.values.set(value, position * cache.row);
      const { output, weights } = attention(query, cache.keys, cache.values, this.count, heads, groups);
      looks.push(weights);
      add(this.layer(`${block}.attention.w_o`, output));
      add(this.feedForward(`${block}.feed_forward`, this.norm(`${block}.norm_2`, x)));
      streams.push(x);
    }
    return { logits: this.logits(x), looks, streams };
  }

  /** What the last norm and the output layer make of a residual stream, also of one from an earlier layer (the logit lens). */
  logits(stream) {
    const output = this.weights[this.sizes.tied ? "tokens.weight" : "output.weight"];
    return product(output, this.norm("final_norm", stream), this.weights["output.bias"]);
  }

  feedForward(name, x) {
    if (this.sizes.activation !== "swiglu") {
      return this.layer(`${name}.w_2`, this.layer(`${name}.w_1`, x).map(ACTIVATIONS[this.sizes.activation]));
    }
    const gate = this.layer(`${name}.w_gate`, x), up = this.layer(`${name}.w_up`, x);
    return this.layer(`${name}.w_down`, up.map((each, k) => each * silu(gate[k])));
  }
}

/** Text to ids. Characters: each is a token. Byte pairs: as byte_pairs.py, whose words and spaces are Python's. */
class Tokenizer {
  constructor({ characters, merges, specials }) {
    if (characters) {
      this.bytes = characters.map(each => new TextEncoder().encode(each));
      this.ids = new Map(characters.map((each, id) => [each, id]));
    } else {
      const tokens = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
      this.ranks = new Map(merges.map(([left, right], rank) => [`${left} ${right}`, rank]));
      for (const [left, right] of merges) tokens.push(tokens[left] + tokens[right]);
      this.bytes = tokens.map(each => Uint8Array.from(each, letter => letter.charCodeAt(0)));
      for (const each of specials) this.bytes.push(new TextEncoder().encode(each));
    }
  }

  /** The ids of a text, and the characters that have none and were left out. */
  encode(text) {
    if (!this.ranks) {
      const letters = [...text];
      const unknown = [...new Set(letters.filter(each => !this.ids.has(each)))];
      return { ids: letters.filter(each => this.ids.has(each)).map(each => this.ids.get(each)), unknown };
    }
    return { ids: (text.match(WORD) ?? []).flatMap(word => this.encodeWord([...new TextEncoder().encode(word)])), unknown: [] };
  }

  encodeWord(ids) {
    for (;;) {
      let best = Infinity, place = -1;
      for (let k = 0; k + 1 < ids.length; k++) {
        const rank = this.ranks.get(`${ids[k]} ${ids[k + 1]}`) ?? Infinity;
        if (rank < best) [best, place] = [rank, k];
      }
      if (best === Infinity) return ids;
      ids.splice(place, 2, 256 + best);
    }
  }
}

const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const WORD = new RegExp(` ?[\\p{L}\\p{Nl}\\p{No}]+| ?(?:[\\p{Nd}_]|[^\\p{L}\\p{N}_${SPACE}])+|[${SPACE}]`, "gu");
const SHOWN = 8; // tokens whose probabilities are told

/** Answers messages by messages: `tell` sends them. */
class Writer {
  constructor(tell) {
    this.tell = tell;
    this.turn = 0; // a new one ends the one before
    this.ids = []; // the whole text
  }

  async hear({ load, write, stop, lens, settings }) {
    if (load) {
      this.model = new Model(load.sizes, unpacked(load.tensors, load.buffer));
      this.tokenizer = new Tokenizer(load.tokenizer);
      this.chat = load.chat;
      this.begin = load.begin; // the ids of an empty text
      this.tell({ ready: true });
    }
    if (stop) this.turn++;
    if (settings) this.settings = settings; // in the middle of a text, too
    if (lens) this.tell({ lens: { place: lens.place, rows: lens.streams.map(stream => mostProbable(this.model.logits(stream))) } });
    if (write) {
      const finite = await this.write(write, ++this.turn);
      this.tell({ done: true, finite, ended: this.ended() });
    }
  }

  /** Begin a text, or go on with one, or with `tokens` from an earlier place of it, and tell each token. Returns false if the
   *  model's numbers are not finite. */
  async write({ text, tokens, fresh, count, ...settings }, turn) {
    this.settings = settings;
    if (fresh || !this.ids.length) this.restart();
    const { ids, unknown } = this.tokenizer.encode(text);
    const asked = tokens ?? this.asked(ids);
    const left = tokens ? 0 : Math.max(0, asked.length - this.model.sizes.context); // of a text that is too long
    this.tell({ unknown, left, given: asked.length });
    const given = asked.slice(left);
    for (let n = 0; n < given.length + count && turn === this.turn; n++) {
      if (this.chat?.alone && given[n]?.marker === "user" && given[n - 1]?.marker !== "user") this.forget();
      if (!this.add(given[n] ?? {})) return false;
      if (n >= given.length && this.ended()) break;
      if (n >= given.length || n % 16 === 0) await pause(n < given.length ? 0 : this.settings.pace);
    }
    return true;
  }

  restart() {
    this.model.restart();
    [this.ids, this.first, this.expected] = [[], 0, null];
  }

  /** Read what follows as if nothing had come before. */
  forget() {
    this.model.restart();
    [this.first, this.expected] = [this.ids.length, null];
  }

  /** What a reader has written, as the model reads it: ids, and which of them are markers of a chat. */
  asked(ids) {
    if (!this.chat) return marked(this.ids.length || ids.length ? ids : this.begin);
    const { user, reply, stop, alone } = this.chat;
    const cut = this.ids.length && !alone && !this.ended() ? stop : []; // of a reply that was stopped
    return [...marked(cut, "stop"), ...marked(user, "user"), ...marked(ids), ...marked(reply, "reply")];
  }

  /** Whether a reply has ended. */
  ended() {
    return Boolean(this.chat) && this.chat.stop.every((id, k) => id === this.ids.at(k - this.chat.stop.length));
  }

  /** Tell a token, or draw and tell one, with what the model expected there and where it looked. Then read it. */
  add(given) {
    const { temperature, p } = this.settings;
    const ranks = this.expected && ranked(this.expected.logits, temperature, p);
    const id = given.id ?? ranks.order[drawn(ranks.after, Math.random())];
    const rows = ranks ? alternatives(ranks, id) : [];
    const { first, expected } = this;
    this.tell({ token: { id, marker: given.marker, written: given.written ?? !("id" in given), first, rows, looks: expected?.looks ?? [], streams: expected?.streams ?? [] } });
    this.ids.push(id);
    if (this.model.count === this.model.sizes.context) this.forgetHalf();
    this.expected = this.model.read(id);
    return this.expected.logits.every(Number.isFinite);
  }

  /** A text has become longer than what the model sees at a time. Its last half gets new positions, so the cache is of no use. */
  forgetHalf() {
    this.model.restart();
    this.first = this.ids.length - Math.ceil(this.model.sizes.context / 2);
    for (const id of this.ids.slice(this.first, -1)) this.model.read(id);
  }
}

const marked = (ids, marker) => ids.map(id => ({ id, marker }));

/** The ids in the order of their probability at a temperature, these probabilities, and those after top-p. */
function ranked(logits, temperature, p) {
  const probabilities = softmax(logits.map(logit => logit / temperature));
  const order = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a]);
  const before = order.map(id => probabilities[id]);
  return { order, before, after: cut(before, Infinity, p) };
}

/** The most probable tokens, and the token that came: [id, probability, whether top-p left it]. */
function alternatives({ order, before, after }, id) {
  const ranks = [...order.keys()].filter(rank => rank < SHOWN || order[rank] === id);
  return ranks.map(rank => [order[rank], before[rank], after[rank] > 0]);
}

/** The most probable token of logits, and its probability. */
function mostProbable(logits) {
  const { order, before } = ranked(logits, 1, 1);
  return [order[0], before[0]];
}

/** Let messages come in. A timer of 0 would wait for four milliseconds. */
function pause(milliseconds) {
  return new Promise(resolve => {
    if (milliseconds) return setTimeout(resolve, milliseconds);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
}
