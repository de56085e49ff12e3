"""The names of Unicode's characters: real text, written by people, that comes with every Python."""

import sys
import unicodedata

from transformer_course.data.split import Split, split

# Scripts whose characters have numbers instead of names: "CJK UNIFIED IDEOGRAPH-4E00".
NUMBERED = {
    *("CJK", "HANGUL", "HANGZHOU", "TANGUT", "NUSHU", "KHITAN", "CUNEIFORM", "EGYPTIAN", "ANATOLIAN", "SIGNWRITING"),
    *("LINEAR", "BAMUM", "YI", "VARIATION", "KANGXI", "MEROITIC", "CYPRO-MINOAN"),
}


def character_names(test: int = 2_000, seed: int = 0) -> Split:
    """Return pairs of (name, general category), such as ``("LATIN SMALL LETTER A", "Ll")``: about 25,000 in all.

    The exact number depends on Python's version of Unicode (`unicodedata.unidata_version`).

    Raises ValueError unless both parts get at least one name.
    """
    characters = (
        (unicodedata.name(character, ""), unicodedata.category(character)) for character in map(chr, range(sys.maxunicode + 1))
    )
    return split([(name, category) for name, category in characters if name and name.split()[0] not in NUMBERED], test, seed)
