"""Load all weights once, which checks them: `python -m agent.language.weights`, as the last step of an installation."""

from __future__ import annotations

from agent.language.builtin.reading.cross_encoder import CrossEncoder
from agent.language.encoder import Encoder
from agent.language.foreign import load
from agent.language.tagger import Tagger

if __name__ == "__main__":
    Encoder.load()
    CrossEncoder.load()
    Tagger.load()
    load()
