"""How several workers index one corpus: each takes parts of its tables that nobody else has.

Who has a part holds a lock of its database session, which goes when the process goes, however it ends. What is done is
told by the passages that there are; so a part may be done twice, and whoever began with the tables looks at the end
whether what others took was done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection

from agent.catalogue.tables import Table
from corpora.locks import give_back, take
from corpora.passages.texts import Part

PAUSE = 0.2  # seconds between two looks at a part that somebody else has

#: Told which tables are left, and after which row of the first of them, by its key.
Wanted = Callable[[list[str], str | None], None]


@contextmanager
def claimed(part: Part, wait: Callable[[], None] | None = None) -> Iterator[bool]:
    """Hold a part for oneself; whether it is, or, with `wait`, which is called now and then, once it is."""
    name = f"passages of {part}"
    while not (free := take(name)) and wait is not None:
        wait()
        time.sleep(PAUSE)
    try:
        yield free
    finally:
        if free:
            give_back(name)


def view_of(schema: str, table: Table, *, keep: bool = False) -> int | None:
    """Return what tells apart the views that a table has had; to `keep` it keeps this one until the transaction ends.

    The views are made anew whenever the rows of a corpus are replaced.
    """
    quote = connection.ops.quote_name
    name = f"{quote(schema)}.{quote(table.name)}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)::oid", [name])
        (found,) = cursor.fetchone()
        if found is None or not keep:
            return None if found is None else int(found)
        cursor.execute(f"SELECT FROM {name} LIMIT 0")
        cursor.execute("SELECT to_regclass(%s)::oid", [name])  # another may have come while one waited for it
        (found,) = cursor.fetchone()
        return None if found is None else int(found)
