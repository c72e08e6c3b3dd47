"""Load all weights once, which checks them: `python -m agent.networks.weights`, as the last step of an installation."""

from __future__ import annotations

from agent.networks.cross_encoder import CrossEncoder
from agent.networks.encoder import Encoder
from agent.networks.foreign import load
from agent.networks.tagger import Tagger

if __name__ == "__main__":
    Encoder.load()
    CrossEncoder.load()
    Tagger.load()
    load()
