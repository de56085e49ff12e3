"""The kinds of exercises, each with its way to judge. All of them see data alone: outcomes in, a verdict out."""

from .construct import Construct
from .counterexample import Counterexample
from .experiment import Experiment
from .implement import Implement, Law
from .number import Number
from .repair import Repair
from .two_tier import TwoTier
from .write_test import WriteTest

__all__ = ["Construct", "Counterexample", "Experiment", "Implement", "Law", "Number", "Repair", "TwoTier", "WriteTest"]
