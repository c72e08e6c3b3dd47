"""What an assistant without a beginning of its own begins with: a welcome, and questions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from corpora.catalogue.drafted import examples
from corpora.catalogue.imported import State, catalogue_of, said_of, state_of_corpora
from corpora.rights import corpora_of

MOST = 4


def questions_of(tables: Iterable[str]) -> tuple[str, ...]:
    """Return what curators wrote of the corpora of these tables, or else what the data itself suggests."""
    return _questions(tuple(tables), state_of_corpora())


def welcome_of(tables: Iterable[str]) -> str:
    """Return what curators wrote to begin with of the corpora of these tables."""
    return _welcome(tuple(tables), state_of_corpora())


@lru_cache(maxsize=256)
def _welcome(names: tuple[str, ...], state: State) -> str:
    return next((said for corpus in sorted(corpora_of(names)) if (said := said_of(corpus).welcome)), "")


@lru_cache(maxsize=256)
def _questions(names: tuple[str, ...], state: State) -> tuple[str, ...]:
    written = [question for corpus in sorted(corpora_of(names)) for question in said_of(corpus).examples or ()]
    if written:
        return tuple(written[:MOST])
    known = catalogue_of(state)
    return tuple(examples([found for name in names if (found := known.table(name))], known.schema)[:MOST])
