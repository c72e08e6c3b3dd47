from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY


@pytest.fixture(scope="session")
def parser() -> BuiltinParser:
    return BuiltinParser(catalogue(), MEMORY, GAZETTEER)
