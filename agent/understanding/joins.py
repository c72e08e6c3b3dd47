"""The FROM clause: tables joined over the links of a schema, with the tables between them where needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from agent.text.wordlists import words
from agent.understanding.schema import Schema

Link = tuple[int, int]


def both_ways(links: Iterable[Link]) -> list[Link]:
    """Return each link from either side."""
    return [pair for here, there in links for pair in ((here, there), (there, here))]


def preferred(schema: Schema, question_words: set[str], used: set[int]) -> list[Link]:
    """Return the links, those first whose columns the question names or needs: two tables may have several."""

    def rank(link: Link) -> int:
        words = set(schema.fields[link[0]].words.split()) - {"id"}
        named = sum(word in question_words or word + "s" in question_words for word in words)
        return -named - (link[0] in used)

    return sorted(schema.links, key=rank)


def column_name(schema: Schema, at: int) -> str:
    """Return a column with its table, as SQL."""
    one = schema.fields[at]
    return f"{identifier(schema.tables[one.table].name)}.{identifier(one.column.name)}"


def from_clause(
    schema: Schema, tables: Iterable[int], links: Sequence[Link], name: Callable[[int], str], first: int | None = None
) -> str:
    """Return FROM with each next table joined to those before it by a shortest path; `name` writes a column, `first` is
    the table whose rows are shown."""
    order = sorted(tables, key=lambda table: (table != first, table))
    joined, waiting = [order[0]], set(order[1:])
    text = f" FROM {_table(schema, order[0])}"
    while waiting:
        path = _shortest(schema, joined, waiting, links)
        if path is None:
            lost = min(waiting)
            text += f" CROSS JOIN {_table(schema, lost)}"
            joined.append(lost)
        for here, there in path or ():
            table = schema.fields[there].table
            one, other = comparable(schema, here, there, name)
            text += f" JOIN {_table(schema, table)} ON {one} = {other}"
            joined.append(table)
        waiting -= set(joined)
    return text


def comparable(schema: Schema, here: int, there: int, name: Callable[[int], str]) -> tuple[str, str]:
    """Return two columns as SQL that compares them: as texts where they are of different kinds."""
    same = schema.fields[here].column.kind is schema.fields[there].column.kind
    cast = "" if same else "::text"
    return name(here) + cast, name(there) + cast


def shared(schema: Schema, column: int, title: int, name: str) -> str:
    """Return the condition that a row has a value of a column in common with the one whose title is `name`, in SQL;
    that has the column, or rows of its table belong to it."""
    here, home = schema.table_of(column), schema.table_of(title)
    own, field = column_name(schema, column), identifier(schema.fields[column].column.name)
    known = f"{_table(schema, here)} AS known"
    named = f"known.{identifier(schema.fields[title].column.name)} = {name}"
    if here != home:
        link = next(pair for pair in both_ways(schema.links) if [*map(schema.table_of, pair)] == [here, home])
        key, other = (identifier(schema.fields[at].column.name) for at in link)
        titled = f"SELECT {other} FROM {_table(schema, home)} WHERE {column_name(schema, title)} = {name}"
        named = f"known.{key} IN ({titled})"
    if schema.is_list(column):
        return f"EXISTS (SELECT 1 FROM {known}, unnest(known.{field}) AS one WHERE {named} AND one = ANY({own}))"
    return f"{own} IN (SELECT known.{field} FROM {known} WHERE {named})"


def _shortest(schema: Schema, joined: Sequence[int], waiting: set[int], links: Sequence[Link]) -> list[Link] | None:
    """The links that lead from what is joined to the nearest of the tables that wait, or None."""
    paths: dict[int, list[Link]] = {table: [] for table in joined}
    queue = list(joined)
    steps = both_ways(links)
    for table in queue:
        for here, there in steps:
            target = schema.fields[there].table
            if schema.fields[here].table == table and target not in paths:
                paths[target] = [*paths[table], (here, there)]
                if target in waiting:
                    return paths[target]
                queue.append(target)
    return None


def _table(schema: Schema, table: int) -> str:
    return identifier(schema.tables[table].name)


def identifier(name: str) -> str:
    """Return a name as SQL writes it: quoted where it is no plain lower-case word."""
    plain = name.isidentifier() and name == name.lower() and name.isascii() and name not in RESERVED
    return name if plain else '"' + name.replace('"', '""') + '"'


#: Words that PostgreSQL reserves (appendix C of its manual), which a table or column may be called all the same.
RESERVED = frozenset(
    words(
        """
        all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation
        column concurrently constraint create cross current_catalog current_date current_role current_schema
        current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch
        for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral
        leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer
        overlaps placing primary references returning right select session_user similar some symmetric system_user
        table tablesample then to trailing true union unique user using variadic verbose when where window with
        """
    )
)
