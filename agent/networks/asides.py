"""Tells messages that search nothing ("what is the weather tomorrow") by the sentence encoder's vectors.

The weights are a logistic regression that `hybridchat.research.train_asides` learns from CLINC150 (Larson et al. 2019,
CC BY 3.0) and the development sets.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

LIKELY, SURE = 0.5, 2.0
"""Log odds from which a message is taken to search nothing, at the start of a talk and later, where much is left out.

Of the 612 questions of the development sets that `Scope` lets come this far none reaches the first.
"""


@cache
def _weights() -> tuple[NDArray[np.float32], float]:
    with (files(__package__) / "data" / "asides.npz").open("rb") as file, np.load(file) as stored:
        return stored["weights"], float(stored["bias"])


def aside_odds(vector: NDArray[np.float32]) -> float:
    """Return the log odds that the message of a sentence vector searches nothing."""
    weights, bias = _weights()
    return float(vector @ weights) + bias
