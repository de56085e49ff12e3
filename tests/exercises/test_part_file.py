"""Parts go into a file in their order; what was changed there by hand stays."""

import pytest

from transformer_course.exercises.definitions import needs
from transformer_course.exercises.part_file import Conflict, PartFile, sorted_imports

ORDER = ["First", "Second", "Third"]
START = '"""Mine."""\n'
IMPORTS = "import math\nimport torch.nn.functional as F\nfrom torch import nn, Tensor"
HELPER = "def half(x):\n    return x / 2"
FIRST = "class First(nn.Module):\n    pass"
SECOND = "class Second:\n    def forward(self, x: Tensor):\n        return half(math.sqrt(x))"
THIRD = "class Third:\n    def forward(self, x):\n        return Second()(half(x))"


def grown(file, part, *cells):
    """The file after one more part, read anew as another check would."""
    file.put(part, needs(part, [IMPORTS, *cells]))
    return PartFile(file.text, ORDER, file.written)


def empty():
    return PartFile(START, ORDER, {})


def full():
    return grown(grown(grown(empty(), "First", FIRST), "Second", HELPER, SECOND), "Third", HELPER, SECOND, THIRD)


TEXT = f"{START}\nimport math\n\nfrom torch import Tensor, nn\n\n\n{FIRST}\n\n\n{HELPER}\n\n\n{SECOND}\n\n\n{THIRD}\n"


def test_parts_come_in_their_order_with_imports_gathered_and_sorted():
    assert full().text == TEXT
    file = grown(empty(), "Second", HELPER, SECOND)
    assert grown(grown(file, "First", FIRST), "Third", HELPER, SECOND, THIRD).text == TEXT


def test_a_part_again_changes_nothing_and_another_version_takes_its_place():
    assert grown(full(), "Second", HELPER, SECOND).text == TEXT
    newer = "# Now without the root.\nclass Second:\n    def forward(self, x):\n        return half(x)"
    file = grown(full(), "Second", HELPER, newer)
    assert file.text == TEXT.replace("import math\n\n", "").replace("Tensor, ", "").replace(SECOND, newer)
    assert grown(file, "Second", HELPER, SECOND).text == TEXT


def test_a_helper_that_nothing_needs_any_more_goes_unless_it_was_changed_by_hand():
    alone = "class Second:\n    pass"
    file = grown(empty(), "Second", HELPER, SECOND)
    assert "half" not in grown(PartFile(file.text, ORDER, file.written), "Second", alone).text
    by_hand = PartFile(file.text.replace("x / 2", "x * 0.5"), ORDER, file.written)
    assert "x * 0.5" in grown(by_hand, "Second", alone).text


@pytest.mark.parametrize("change", [("pass", "depth = 3"), ("class First", "# My first.\nclass First")])
def test_what_was_changed_by_hand_stays(change):
    text = TEXT.replace(*change)
    file = PartFile(text, ORDER, full().written)
    file.put("First", needs("First", [IMPORTS, FIRST + "\n    new = 1"]))
    assert (file.text, file.kept) == (text, ["First"])


def test_what_was_added_by_hand_stays_where_it_is():
    text = TEXT.replace(FIRST, f"# Here I begin.\n\n{FIRST}\n\n\nmine = 1; his = 2  # and this").replace(
        "import math", "import math  # for the root\nimport sys"
    )
    file = PartFile(f"{text}\n\nif __name__ == '__main__':\n    print(mine)\n\n# The end.\n", ORDER, full().written)
    before = file.text
    file.put("First", needs("First", [IMPORTS, FIRST + "\n    new = F"]))
    expected = before.replace(FIRST, FIRST + "\n    new = F").replace(
        "import Tensor, nn", "import Tensor, nn\nimport torch.nn.functional as F"
    )
    assert (file.text, file.kept) == (expected, [])


def test_a_file_that_the_learner_began_is_added_to():
    file = PartFile("x = 1", ORDER, {})
    file.put("First", needs("First", [IMPORTS, FIRST]))
    assert file.text == f"from torch import nn\n\n\nx = 1\n\n\n{FIRST}\n"


def test_what_was_deleted_comes_back_with_its_next_pass():
    file = PartFile(TEXT.replace(f"{FIRST}\n\n\n", ""), ORDER, full().written)
    assert grown(file, "First", FIRST).text == TEXT


def test_a_helper_that_others_need_is_not_replaced_under_them():
    other = HELPER.replace("x / 2", "x // 2")
    with pytest.raises(Conflict, match="another `half`, which other parts need; give yours a different name"):
        full().put("Third", needs("Third", [other, "class Third:\n    f = half"]))
    with pytest.raises(Conflict, match="changed `Second` since it was checked; run its check again first"):
        full().put("Third", needs("Third", [IMPORTS, HELPER, SECOND + " + 1", THIRD]))
    # Its own helper, which only the part itself uses, may change, and so may one that uses another of its own.
    file = grown(empty(), "Second", HELPER, SECOND)
    assert "x // 2" in grown(grown(file, "Third", "class Third(Second): pass", SECOND, HELPER), "Second", other, SECOND).text
    twice = "def twice(x):\n    return half(half(x))\nclass First:\n    f = twice"
    assert "x // 2" in grown(grown(empty(), "First", HELPER, twice), "First", other, twice).text


@pytest.mark.parametrize(
    ("present", "reason"),
    [
        (
            "from math import floor as F\nprint(F)",
            "the file has `from math import floor as F`, and your cells have `import torch",
        ),
        ("F = 3", "the file has a `F` of its own, and your cells have `import torch.nn.functional as F`; rename one"),
    ],
)
def test_one_name_for_two_things_is_reported(present, reason):
    with pytest.raises(Conflict, match=reason):
        PartFile(present, ORDER, {}).put("First", needs("First", [IMPORTS, "class First:\n    f = F"]))


def test_two_spellings_of_an_import_are_one():
    file = PartFile("from torch.nn import functional as F\n", ORDER, {})
    file.put("First", needs("First", [IMPORTS, "class First:\n    f = F"]))
    assert file.text.count("import") == 1


def test_the_files_own_syntax_errors_are_reported():
    with pytest.raises(SyntaxError):
        PartFile("class First(:\n", ORDER, {})


def test_imports_are_sorted_with_pythons_own_first():
    lines = ["import torch", "from torch import nn", "import math", "from torch import Tensor", "from functools import cache"]
    lines += [f"from torch import {name}" for name in ("ones", "zeros", "exp", "arange", "outer", "stack", "cat")]  # a set
    names = "Tensor, arange, cat, exp, nn, ones, outer, stack, zeros"
    assert sorted_imports(lines) == f"import math\nfrom functools import cache\n\nimport torch\nfrom torch import {names}"
