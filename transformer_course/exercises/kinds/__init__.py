"""The kinds of exercises. Each judges in its own way, from data alone: outcomes in, a verdict out."""

from .construct import Construct, Counterexample
from .experiment import Experiment
from .implement import Implement, Property
from .module import Dropped, Method, Module
from .number import Number
from .other_results import ImplementPair, ImplementStrings
from .parsons_problem import ParsonsProblem
from .two_tier import TwoTier
from .write_test import Target, WriteTest

__all__ = [
    "Construct",
    "Counterexample",
    "Dropped",
    "Experiment",
    "Implement",
    "ImplementPair",
    "ImplementStrings",
    "Method",
    "Module",
    "Number",
    "ParsonsProblem",
    "Property",
    "Target",
    "TwoTier",
    "WriteTest",
]
