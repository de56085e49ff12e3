"""An exported model in a browser, opened from the disk while every request to a network is refused."""

import json
import re

import pytest
import torch
from axe import serious_faults
from playwright.sync_api import Page, expect
from small_gpts import LETTERS, MERGES, MODELS, gpt, of_byte_pairs

from transformer_course.byte_pairs import BytePairs
from transformer_course.export import Chat, open_model
from transformer_course.export.packing import pack
from transformer_course.export.page import SAMPLES
from transformer_course.export.sizes import sizes_of

LOGITS = """prompts => {
  const { sizes, tensors, buffer } = page.contents();
  const model = new Model(sizes, unpacked(tensors, buffer));
  return prompts.map(ids => {
    model.restart();
    return [...ids.map(id => model.read(id)).at(-1).logits];
  });
}"""
FAST = "page.state.pace = 0"
ALWAYS_THE_SAME = "page.state.p = 1e-9"  # by chance, a piece may be a line end, which a mouse cannot point at
TEXT = "page.tokens.map(token => token.node.textContent).join('')"


def prompts(vocabulary: int, context: int, count: int) -> list[list[int]]:
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(1, context + 1, (count,), generator=generator).tolist()
    return [torch.randint(vocabulary, (length,), generator=generator).tolist() for length in lengths]


def largest_difference(page: Page, model, count: int) -> float:
    """Between the page's logits and those of the learner's own class with the same weights, as they were stored."""
    sizes, weights = sizes_of(model, 13)
    model.load_state_dict(pack(sizes, weights).weights, strict=not sizes.tied)
    texts = prompts(sizes.vocabulary, sizes.context, count)
    seen = page.evaluate(LOGITS, texts)
    with torch.no_grad():
        wanted = [model(torch.tensor([ids]))[0, -1] for ids in texts]
    return max(float((torch.tensor(row) - each).abs().max()) for row, each in zip(seen, wanted, strict=True))


def write(page: Page, prompt: str) -> None:
    page.get_by_role("textbox").fill(prompt)
    press_and_wait(page, "Write")


def press_and_wait(page: Page, name: str) -> None:
    """While the model writes, the button is disabled. (The page's policy refuses `wait_for_function`, which evaluates.)"""
    button = page.get_by_role("button", name=name)
    button.click()
    expect(button).to_be_enabled()


@pytest.mark.parametrize("name", MODELS)
def test_its_logits_are_those_of_torch_and_it_writes(name, show):
    make, tokenizer = MODELS[name]
    page = show(make(), tokenizer)
    assert largest_difference(page, make(), 20) < 1e-4
    page.evaluate(FAST)
    write(page, "abc ab")
    given = page.evaluate("page.tokens.filter(token => !token.written).length")
    assert page.evaluate("page.tokens.length") == given + 100
    assert page.evaluate(TEXT).startswith("abc ab")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prose", "prose-large"])
def test_the_shipped_models_give_torchs_logits_on_100_prompts(name, show):
    model, tokenizer, about = open_model(name)
    assert largest_difference(show(model, tokenizer, **about), model, 100) < 1e-4


def test_at_top_p_near_zero_it_writes_what_is_most_probable_beyond_its_context_too(show):
    """Whenever the context of 13 is full, the last 7 tokens are read again, as the first ones."""
    model = gpt(seed=2)  # which repeats no letter for ever
    page = show(model, LETTERS)
    model.load_state_dict(pack(*sizes_of(model, 13)).weights)
    page.evaluate(f"{FAST}; page.state.p = 1e-9")
    write(page, "abc")
    ids = [LETTERS.index(letter) for letter in "abc"]
    view, firsts = list(ids), [0, 0, 0]  # the place of the first token that the model sees
    with torch.no_grad():
        while len(ids) < 103:
            firsts.append(len(ids) - len(view))
            ids.append(int(model(torch.tensor([view]))[0, -1].argmax()))
            view = ids[-7:] if len(view) == 13 else [*view, ids[-1]]
    assert len({*ids}) > 6
    assert page.evaluate("page.tokens.map(token => token.id)") == ids
    assert page.evaluate("page.tokens.map(token => token.first)") == firsts  # or the page marks other words than it looked at


def test_it_splits_texts_as_python_does(show):
    merges = [*MERGES, (" ", "x"), ("2", ","), ("\n", "\n"), ("é", "s")]
    samples = [
        *SAMPLES,
        "a\x1cb\x85\u2028\ufeffc",
        "e\u0301 n\u0303 ǅ ª ² ½ 〇 ௧ ௰",
        "a\u200bb \u3000 _9",
        "".join(map(chr, range(1, 700))),
    ]
    tokenizer = BytePairs([pair for pair in merges if len({*"".join(pair)}) > 1 or pair == ("\n", "\n")])
    page = show(gpt(len(tokenizer)), tokenizer)
    seen = page.evaluate("texts => texts.map(text => new Tokenizer(page.spec.tokenizer).encode(text).ids)", samples)
    assert seen == [tokenizer.encode(sample) for sample in samples]


def test_attention_and_probabilities_are_those_of_the_model(show):
    model = gpt()
    page = show(model, LETTERS)
    model.load_state_dict(pack(*sizes_of(model, 13)).weights)
    page.evaluate(f"{FAST}; page.state.temperature = 0.5; page.state.p = 0.7")
    write(page, "abcde")
    token = page.evaluate("(({ rows, looks, id }) => ({ rows, looks: looks.map(each => [...each]), id }))(page.tokens[4])")
    ids = torch.tensor([[LETTERS.index(letter) for letter in "abcd"]])
    seen = {}
    model.blocks[0].register_forward_pre_hook(lambda _, inputs: seen.update(x=inputs[0]))
    with torch.no_grad():
        probabilities = (model(ids)[0, -1] / 0.5).softmax(-1)
        attention, y = model.blocks[0].attention, model.blocks[0].norm_1(seen["x"])
        q, k = attention.split(attention.w_q(y)), attention.split(attention.w_k(y))
        weights = (q[0, :, -1:] @ k[0].mT / 2).softmax(-1)
    assert token["id"] == LETTERS.index("e")
    torch.testing.assert_close(torch.tensor(token["looks"][0]), weights.flatten(), atol=1e-5, rtol=0)
    best = probabilities.argsort(descending=True).tolist()
    assert [row[0] for row in token["rows"]][:8] == best[:8]
    for rank, (each, probability, kept) in enumerate(token["rows"][:8]):
        assert probability == pytest.approx(float(probabilities[each]), abs=1e-5)
        assert kept == (float(probabilities[best[:rank]].sum()) < 0.7)


def test_the_lens_shows_the_first_choice_after_each_layer(show):
    model = gpt(seed=2)
    page = show(model, LETTERS)
    model.load_state_dict(pack(*sizes_of(model, 13)).weights)
    page.evaluate(FAST)
    write(page, "abcde")
    page.get_by_text("Halfway: what would it have written").click()
    page.evaluate("page.point(4)")
    rows = page.locator("details table tr")
    expect(rows).to_have_count(1 + len(model.blocks))
    streams = []
    model.blocks[0].register_forward_pre_hook(lambda _, inputs: streams.append(inputs[0]))
    for block in model.blocks:
        block.register_forward_hook(lambda module, inputs, output: streams.append(output))
    with torch.no_grad():
        model(torch.tensor([[LETTERS.index(letter) for letter in "abcd"]]))
        seen = [model.output(model.final_norm(stream[0, -1])).softmax(-1) for stream in streams]
    names = [LETTERS[int(each.argmax())].replace(" ", "␣").replace("\n", "⏎") for each in seen]
    assert [row.split("\t")[1] for row in rows.all_inner_texts()] == names
    assert page.evaluate("page.lens.textContent").count("%") == len(seen)


def test_a_chat_has_turns_until_the_stop_token(show):
    """The model draws "a" or the stop token, whatever came before."""
    specials = ["<user>", "<model>", "<end>"]
    pairs = BytePairs(MERGES)
    tokenizer = type("Special", (BytePairs,), {"__len__": lambda self: len(self.tokens)})(MERGES)
    tokenizer.tokens = [*pairs.tokens, *specials]
    user, reply, end = (tokenizer.tokens.index(each) for each in specials)
    model = gpt(len(tokenizer))
    with torch.no_grad():
        model.final_norm.gamma.zero_()
        model.final_norm.beta.copy_(torch.eye(12)[0])
        model.output.weight.zero_()
        model.output.weight[:, 0] = -60
        model.output.weight[[ord("a"), end], 0] = torch.tensor([1.0, 0.0])
    page = show(model, tokenizer, chat=Chat([user], [reply], [end]))
    page.evaluate(FAST)
    for message in ("hi", "ab"):
        page.get_by_role("textbox", name="Your message").fill(message)
        press_and_wait(page, "Send")
    turn = rf"{user},{{}},{reply},(97,)*{end}"
    ids = ",".join(map(str, page.evaluate("page.tokens.map(token => token.id)")))
    assert re.fullmatch(f"{turn.format('104,105')},{turn.format('256')}", ids), ids
    shown = page.locator("#text").inner_text()
    assert re.fullmatch(r"You: hi\s+It:\s+a*\s+You: ab\s+It:\s*a*", shown.strip()), shown
    page.get_by_role("listbox").focus()
    page.keyboard.press("End")
    assert page.locator("[aria-selected=true]").is_visible()  # and not the token that ended the reply
    first = ids[: ids.index(f"{user},256")]
    page.evaluate(f"page.point(page.tokens.findLastIndex(token => token.id === {reply}) + 1); page.instead(97)")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    ids = ",".join(map(str, page.evaluate("page.tokens.map(token => token.id)")))
    assert re.fullmatch(f"{first}{user},256,{reply},97,(97,)*{end}", ids), ids
    shown = page.locator("#text").inner_text()
    assert re.fullmatch(r"You: hi\s+It:\s+a*\s+You: ab\s+It:\s*a+", shown.strip()), shown
    assert serious_faults(page) == []


def test_a_model_of_single_questions_reads_each_turn_alone(show):
    page = show(gpt(), LETTERS, chat=Chat([3], [4], [5], alone=True))
    page.evaluate(FAST)
    for _ in range(2):
        page.get_by_role("textbox", name="Your message").fill("ab")
        press_and_wait(page, "Send")
    turns = page.evaluate("page.tokens.map(({ id, first, rows }) => [id, first, rows.length])")
    begins = [place for place, (id, *_) in enumerate(turns) if id == 3 and turns[place][2] == 0]
    assert begins[0] == 0
    assert len(begins) == 2
    assert [first for _, first, _ in turns[begins[1] :]][:4] == [begins[1]] * 4
    page.evaluate("place => { page.chosen = place; page.instead(1); }", begins[1] + 4)  # another first token of the answer
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    again = page.evaluate("page.tokens.map(token => token.first)")
    assert again[begins[1] : begins[1] + 3] == [begins[1]] * 3


def test_another_choice_is_written_in_its_place_and_all_before_it_stays(show):
    """A click keeps a piece of the text chosen while the mouse goes to its choices."""
    page = show(gpt(seed=2), LETTERS)
    page.evaluate(f"{FAST}; {ALWAYS_THE_SAME}")
    write(page, "abcde")
    page.locator("#token-40").click()
    page.locator("#token-12").hover()
    assert page.evaluate("page.chosen") == 40
    kept = "page.tokens.slice(0, 40).map(({ id, written, rows }) => [id, written, rows])"
    before = page.evaluate(kept)
    other = page.locator("#panel td").get_by_role("button").last
    name = other.inner_text()
    other.click()
    expect(page.get_by_role("button", name="Write")).to_be_enabled()
    assert page.evaluate(kept) == before
    assert page.evaluate("page.name(page.tokens[40].id)") == name
    assert page.evaluate("page.tokens.filter(token => token.written).length") == 136
    page.locator("#token-30").click()
    page.locator("#token-30").click()
    page.locator("#token-12").hover()
    assert page.evaluate("page.chosen") == 12


def press(page: Page, way: str, part, key: str = "Enter") -> None:
    if way == "keyboard":
        part.focus()
        page.keyboard.press(key)
    else:
        getattr(part, "tap" if way == "touch" else "click")()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1366])
@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_each_control_can_be_used(way, width, show):
    page = show(gpt(), LETTERS, width=width, browsers={"has_touch": way == "touch"})
    state = "page.state"
    press(page, way, page.get_by_text("Settings"))
    for name, key in {"temperature": "temperature", "top-p": "p"}.items():
        before = page.evaluate(state)[key]
        press(page, way, page.get_by_role("slider", name=name), "ArrowLeft")
        assert page.evaluate(state)[key] != before
    for name, key in {"speed": "pace"}.items():
        before = page.evaluate(state)[key]
        select(page, way, name, "slowly")
        assert page.evaluate(state)[key] != before
    button = {name: page.get_by_role("button", name=name) for name in ("Write", "Go on", "Stop", "Copy the text")}
    press(page, way, page.get_by_role("textbox"))
    page.keyboard.type("ab")
    press(page, way, button["Write"])
    expect(button["Write"]).to_be_disabled()
    expect(page.locator("#text span:not(.given)").first).to_be_attached()
    press(page, way, button["Stop"])
    expect(button["Go on"]).to_be_enabled()
    count = page.evaluate("page.tokens.length")
    press(page, way, button["Go on"])
    expect(button["Stop"]).to_be_enabled()
    select(page, way, "speed", "as fast as it can")  # what is being written goes on with it
    expect(button["Go on"]).to_be_enabled()
    assert page.evaluate("page.tokens.length") == count + 100
    page.evaluate("navigator.clipboard.writeText = text => { window.copied = text; }")
    press(page, way, button["Copy the text"])
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("copied") == page.evaluate(TEXT)
    listbox = page.get_by_role("listbox", name="The text")
    if way == "keyboard":
        listbox.focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
    elif way == "mouse":
        page.locator("#token-2").hover()
    else:
        page.locator("#token-2").tap()
    assert page.evaluate("page.chosen") == 2
    expect(page.get_by_text("Purple marks where the model looked")).to_be_visible()
    press(page, way, page.get_by_text("Halfway: what would it have written"))
    expect(page.get_by_text("had the model ended there")).to_be_visible()
    for name, option in {"layer": "1", "head": "2"}.items():
        select(page, way, name, option)
    expect(page.get_by_text("Head 2 of layer 1 looked mostly at")).to_be_visible()
    page.evaluate(f"page.point({count})")
    press(page, way, page.locator("#panel td").get_by_role("button").first)
    expect(button["Write"]).to_be_enabled()
    assert page.evaluate("page.tokens.length") == count + 101
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def select(page: Page, way: str, name: str, option: str) -> None:
    """A list's choices are the browser's own, outside of the page. The keyboard chooses by the first letters."""
    part = page.get_by_role("combobox", name=name)
    if way == "keyboard":
        part.focus()
        page.keyboard.type(option.split()[0])  # a space may open the list
    else:
        part.select_option(option)


def test_a_setting_counts_in_the_middle_of_a_text_and_another_beginning_is_not_gone_on_with(show):
    page = show(gpt(), LETTERS)
    page.get_by_role("textbox").fill("ab")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#text span:not(.given)").first).to_be_attached()
    page.evaluate("page.set({ p: 1, pace: 0 })")
    expect(page.get_by_role("button", name="Go on")).to_be_enabled()
    written = "page.tokens.filter(token => token.written)"
    nothing_cut = page.evaluate(f"{written}.map(token => token.rows.every(([,, inside]) => inside))")
    assert not nothing_cut[0]
    assert nothing_cut[-1]
    page.get_by_role("textbox").fill("abc")
    expect(page.get_by_role("button", name="Go on")).to_be_disabled()


def test_what_is_wrong_is_told_on_the_page(show):
    def told(change=lambda text: text, script="", prompt="abé日c" + 10 * "abc"):
        page = show(gpt(), LETTERS, change, script)
        notice = page.locator("#notice")
        if not prompt:
            return notice.inner_text()
        expect(notice).not_to_contain_text("Loading")
        if page.get_by_role("button", name="Write").is_enabled():
            page.evaluate(FAST)
            write(page, prompt)
        return notice.inner_text()

    assert told() == (
        "The model has never seen these characters, so they are left out: é 日 "
        "Your text has 33 tokens, and the model sees 13 at a time, so it reads only the end."
    )
    assert told(lambda text: text[: text.index('id="weights">') + 2000]).startswith("This file was cut short: it holds ")
    assert told(lambda text: text[: text.index('id="engine">')], prompt="").startswith(
        "Loading the model. If this sentence stays"
    )
    assert "not finite (NaN), so it cannot write" in told(with_nan, prompt="ab")
    for broken in ("delete window.Worker", "window.Worker = class { constructor() { throw new Error('refused') } }"):
        assert "runs nothing in the background" in told(script=broken, prompt="ab")


def with_nan(text: str) -> str:
    """A page whose last weights, those of the output, are spoilt: a scale of 16 bits that is no number."""
    spec = json.loads(re.search(r'id="spec">(.*?)</script>', text)[1])
    *_, (_, _, _, start) = spec["tensors"]
    place = text.index('id="weights">') + len('id="weights">') + start // 3 * 4
    return text[:place] + "/" * 8 + text[place + 8 :]


def test_an_empty_text_begins_with_a_line_end(show):
    page = show(gpt(), LETTERS)
    page.evaluate(FAST)
    write(page, "")
    assert page.evaluate("page.tokens[0].id") == LETTERS.index("\n")


def test_a_new_text_does_not_begin_with_half_a_character_of_the_last_one(show):
    tokenizer = BytePairs(MERGES)
    page = show(of_byte_pairs(), tokenizer)
    (first, *_), (letter,) = tokenizer.encode("日"), tokenizer.encode("a")
    page.evaluate(f"page.add({{ id: {first} }}); page.clear(); page.add({{ id: {letter} }})")
    assert page.evaluate(TEXT) == "a"


def test_nothing_may_come_from_a_network(show):
    page = show(of_byte_pairs(), BytePairs(MERGES))
    refused = page.evaluate("fetch('https://example.org').then(() => false, error => error.message)")
    assert refused == "Failed to fetch"
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
