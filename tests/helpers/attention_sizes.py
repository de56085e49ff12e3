"""Sizes for tests of attention, all different."""

from hypothesis import strategies as st

SIZES = st.integers(1, 7)
