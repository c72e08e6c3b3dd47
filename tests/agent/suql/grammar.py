"""A grammar of random queries over the small world."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

QUESTIONS = ("quiet?", "kids?")


@dataclass(frozen=True)
class Scope:
    """The names in sight: which text and structured expressions can be written."""

    texts: tuple[str, ...]
    numbers: tuple[str, ...]
    key: tuple[str, ...]
    city: str = ""


def query(chance: Random) -> str:
    """A random query of the whole language."""
    form = chance.random()
    if form < 0.12:
        operator = chance.choice(("UNION", "UNION ALL", "INTERSECT", "EXCEPT"))
        left = f"SELECT id FROM venues{_where(chance, VENUES, 2)}"
        return f"{left} {operator} SELECT venue_id FROM events{_where(chance, EVENTS, 2)}"
    if form < 0.24:
        inner = f"SELECT id, about, notes, stars, city FROM venues{_where(chance, VENUES, 1)}"
        cut = f" ORDER BY id LIMIT {chance.randrange(1, 9)}" if chance.random() < 0.4 else ""
        outer = Scope(("q.about", "q.notes"), ("q.stars",), ("q.id",), "q.city")
        if chance.random() < 0.5:
            return f"WITH q AS ({inner}{cut}) {_select(chance, 'q', outer)}"
        return _select(chance, f"({inner}{cut}) AS q", outer)
    if form < 0.42:
        return _select(chance, _join(chance), JOINED)
    if form < 0.62:
        return chance.choice((_nested_sets, _steps, _lateral, _distinct_on, _windowed, _narrowed))(chance)
    if form < 0.72:
        one = Scope(("n", "v.about"), ("v.stars",), ("v.id", "n"), "v.city")
        return _select(chance, "venues v, unnest(v.notes) AS n", one)
    return _select(chance, "venues v", Scope(("v.about", "v.notes"), ("v.stars",), ("v.id",), "v.city"))


VENUES = Scope(("about", "notes"), ("stars",), ("id",), "city")
EVENTS = Scope(("blurb",), ("price",), ("id",))
JOINED = Scope(("v.about", "v.notes", "e.blurb"), ("v.stars", "e.price"), ("v.id", "e.id"), "v.city")


def _nested_sets(chance: Random) -> str:
    """Set operations inside one another, with and without an order."""
    branches = [f"(SELECT id FROM venues{_where(chance, VENUES, 1)})", "(SELECT venue_id FROM events)"]
    branches += [f"(SELECT venue_id FROM events{_where(chance, EVENTS, 1)})", "(SELECT id FROM venues WHERE stars > 2)"]
    chance.shuffle(branches)
    one, two, three = (chance.choice(("UNION", "UNION ALL", "INTERSECT", "EXCEPT")) for _ in range(3))
    tail = f" ORDER BY 1 LIMIT {chance.randrange(1, 8)}" if chance.random() < 0.4 else ""
    if chance.random() < 0.5:
        return f"({branches[0]} {one} {branches[1]}) {two} ({branches[2]} {three} {branches[3]}){tail}"
    return f"{branches[0]} {one} {branches[1]} {two} {branches[2]}{tail}"


def _steps(chance: Random) -> str:
    """Steps of WITH on one another, used once, twice or not at all."""
    first = (
        f"SELECT id, about, notes, stars, city, answer(about, 'mood?') AS mood FROM venues{_where(chance, VENUES, 1)}"
    )
    second = (
        f"SELECT id, city, stars, about FROM q WHERE {_condition(chance, Scope(('about',), ('stars',), ('id',)), 1)}"
    )
    ends = (
        "SELECT r.id FROM r WHERE r.stars > 2",
        "SELECT a.id, b.id FROM r AS a JOIN q AS b ON a.id = b.id WHERE b.city = 'Aldo' AND a.stars > 1",
        f"SELECT r.id FROM r WHERE r.city = 'Brea' AND {_asked(chance, 'r.about')} ORDER BY r.id LIMIT 3",
        "SELECT q.id FROM q WHERE q.id < 9 AND q.mood = 'calm'",
        "SELECT count(*) FROM q WHERE q.stars >= 2",
        "SELECT t.id FROM (SELECT r.id, r.city, r.stars FROM r) AS t LEFT JOIN q ON q.id = t.id WHERE t.city <> 'Cove'",
    )
    return f"WITH q AS ({first}), r AS ({second}) {chance.choice(ends)}"


def _lateral(chance: Random) -> str:
    """The first rows of a subquery for each row."""
    kind, on = chance.choice((("CROSS JOIN LATERAL", ""), ("LEFT JOIN LATERAL", " ON TRUE")))
    order = chance.choice(("x.id", "x.price DESC NULLS LAST, x.id"))
    inner = f"SELECT x.id, x.blurb, x.price FROM events x WHERE x.venue_id = v.id AND {_asked(chance, 'x.blurb')}"
    tail = f" WHERE {chance.choice(('v.stars > 2', 'v.city IS NOT NULL', _asked(chance, 'v.about')))}"
    rows = f"({inner} ORDER BY {order} LIMIT {chance.randrange(1, 3)})"
    return f"SELECT v.id, t.id FROM venues v {kind} {rows} AS t{on}{tail}"


def _distinct_on(chance: Random) -> str:
    where = _where(chance, VENUES, 2)
    order = chance.choice(("city, id", "city, stars DESC, id", "city DESC NULLS LAST, id"))
    shown = chance.choice(("id", "answer(about, 'mood?') AS m", "stars"))
    cut = f" LIMIT {chance.randrange(1, 4)}" if chance.random() < 0.4 else ""
    return f"SELECT DISTINCT ON (city) city, id AS i, {shown} FROM venues{where} ORDER BY {order}{cut}"


def _windowed(chance: Random) -> str:
    window = chance.choice(
        (
            "rank() OVER (PARTITION BY city ORDER BY stars, id)",
            "count(*) OVER (PARTITION BY answer(about, 'mood?'))",
            "sum(answer(about, 'wait?')::int) OVER (ORDER BY id)",
        )
    )
    inner = f"SELECT id, city, stars, {window} AS w FROM venues{_where(chance, VENUES, 1)}"
    return chance.choice((inner, f"SELECT t.id FROM ({inner}) AS t WHERE t.w < 3 AND t.city = 'Aldo'"))


def _narrowed(chance: Random) -> str:
    """Conditions beside subqueries that only rows of theirs can meet; first by a column, then by an answer."""
    inner = f"SELECT x.venue_id FROM events x WHERE {_asked(chance, 'x.blurb')}"
    some = chance.choice(("city = 'Aldo'", "stars > 2", "id < 12"))
    more = chance.choice(("", " AND x.venue_id IS NOT NULL"))
    return chance.choice(
        (
            f"SELECT id FROM venues WHERE {some} AND id IN ({inner})",
            f"SELECT id FROM venues WHERE {some} AND id NOT IN ({inner}{more})",
            f"SELECT id FROM venues WHERE {some} AND (id IN ({inner}) OR {_asked(chance, 'about')})",
            "SELECT id FROM events WHERE price > 4 AND venue_id NOT IN "
            f"(SELECT id FROM venues WHERE {_asked(chance, 'about')})",
            f"SELECT EXISTS ({inner}), {chance.randrange(9)}",
            f"SELECT id FROM venues WHERE {some} AND EXISTS (SELECT 1 FROM events x WHERE {_asked(chance, 'x.blurb')})",
            f"SELECT id FROM venues ORDER BY stars, {_wait(chance, VENUES)}, id LIMIT {chance.randrange(1, 6)}",
            f"SELECT id FROM venues WHERE {_asked(chance, 'about')} ORDER BY stars DESC, "
            f"{_wait(chance, VENUES)}, id LIMIT {chance.randrange(1, 6)}",
        )
    )


def _join(chance: Random) -> str:
    kind = chance.choice(("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"))
    on = "e.venue_id = v.id"
    if chance.random() < 0.35:
        text = chance.choice(("e.blurb", "v.about"))
        on += f" AND {_asked(chance, text)}"
    return f"venues v {kind} events e ON {on}"


def _select(chance: Random, source: str, scope: Scope) -> str:
    where = _where(chance, scope, 3)
    form = chance.random()
    if form < 0.15:
        measure = chance.choice(("count(*)", f"sum({_wait(chance, scope)})", f"max({scope.numbers[0]})"))
        return f"SELECT {measure} FROM {source}{where}" + (" LIMIT 1" if chance.random() < 0.3 else "")
    if form < 0.3:
        group = chance.choice((scope.city or scope.key[0], f"answer({scope.texts[0]}, 'mood?')"))
        having = f" HAVING count(*) > {chance.randrange(3)}" if chance.random() < 0.4 else ""
        return f"SELECT {group} AS g, count(*) AS n FROM {source}{where} GROUP BY {group}{having}"
    if form < 0.4:
        shown = chance.choice((scope.city or scope.key[0], f"answer({scope.texts[0]}, 'mood?')"))
        cut = f" ORDER BY 1 LIMIT {chance.randrange(1, 4)}" if chance.random() < 0.5 else ""
        return f"SELECT DISTINCT {shown} AS d FROM {source}{where}{cut}"
    shown = list(scope.key)
    if chance.random() < 0.4:
        shown.append(f"{_shown(chance, scope)} AS a")
    if chance.random() < 0.15:
        shown.append(f"row_number() OVER (ORDER BY {', '.join(scope.key)}) AS r")
    return f"SELECT {', '.join(shown)} FROM {source}{where}{_order(chance, scope)}"


def _shown(chance: Random, scope: Scope) -> str:
    text, other = chance.choice(scope.texts), chance.choice(scope.texts)
    return chance.choice(
        (
            f"answer({text}, '{chance.choice(('mood?', 'quiet?', 'wait?'))}')",
            f"coalesce(answer({text}, 'mood?'), answer({other}, 'mood?'), '-')",
            f"CASE WHEN {scope.numbers[0]} > 2 THEN answer({text}, 'mood?') ELSE answer({other}, 'gist?') END",
        )
    )


def _order(chance: Random, scope: Scope) -> str:
    if chance.random() < 0.4:
        return ""
    first = chance.choice((scope.numbers[0], scope.numbers[-1], _wait(chance, scope), scope.key[0]))
    order = f" ORDER BY {first}{chance.choice(('', ' DESC', ' NULLS FIRST'))}, {', '.join(scope.key)}"
    if chance.random() < 0.6:
        order += f" LIMIT {chance.randrange(0, 6)}"
        order += f" OFFSET {chance.randrange(1, 4)}" if chance.random() < 0.3 else ""
    return order


def _where(chance: Random, scope: Scope, depth: int) -> str:
    return f" WHERE {_condition(chance, scope, depth)}" if chance.random() < 0.85 else ""


def _condition(chance: Random, scope: Scope, depth: int) -> str:
    form = chance.random()
    if depth and form < 0.45:
        operator = chance.choice((" AND ", " OR "))
        parts = [_condition(chance, scope, depth - 1) for _ in range(chance.choice((2, 2, 3)))]
        return f"({operator.join(parts)})"
    if depth and form < 0.55:
        return f"NOT ({_condition(chance, scope, depth - 1)})"
    if depth and form < 0.65 and not scope.key[0].startswith("e."):
        return _subquery(chance, scope)
    if form < 0.75:
        return _structured(chance, scope)
    return _asked(chance, chance.choice(scope.texts))


def _structured(chance: Random, scope: Scope) -> str:
    number = chance.choice(scope.numbers)
    city = scope.city or scope.key[0] + "::text"
    return chance.choice(
        (f"{number} > {chance.randrange(1, 12)}", f"{number} IS NULL", f"{city} = 'Aldo'", f"{city} <> 'Brea'")
    )


def _asked(chance: Random, text: str) -> str:
    question = chance.choice(QUESTIONS)
    return chance.choice(
        (
            f"answer({text}, '{question}') = 'Yes'",
            f"answer({text}, '{question}') = 'Yes'",
            f"answer({text}, '{question}') = 'No'",
            f"answer({text}, '{question}') <> 'Yes'",
            f"answer({text}, '{question}')",
            f"answer({text}, '{question}') IS NULL",
            f"answer({text}, '{question}') IS NOT NULL",
            f"answer({text}, 'wait?') > {chance.randrange(8)}",
            f"answer({text}, 'wait?')::int BETWEEN 1 AND {chance.randrange(8)}",
            f"answer({text}, 'mood?') IN ('calm', 'formal')",
            f"coalesce(answer({text}, '{question}'), 'No') = 'No'",
            f"CASE WHEN answer({text}, '{question}') THEN answer({text}, 'wait?') > 3 ELSE {text} IS NULL END",
        )
    )


def _wait(chance: Random, scope: Scope) -> str:
    return f"answer({chance.choice(scope.texts)}, 'wait?')::int"


def _subquery(chance: Random, scope: Scope) -> str:
    inner = f"answer(x.blurb, '{chance.choice(QUESTIONS)}') = '{chance.choice(('Yes', 'No'))}'"
    key, city = scope.key[0], scope.city or "NULL"
    return chance.choice(
        (
            f"{key} IN (SELECT x.venue_id FROM events x WHERE {inner})",
            f"EXISTS (SELECT 1 FROM events x WHERE x.venue_id = {key} AND {inner})",
            f"NOT EXISTS (SELECT 1 FROM events x WHERE x.venue_id = {key} AND {inner} AND x.price > 5)",
            f"{scope.numbers[0]} >= (SELECT avg(y.stars) FROM venues y WHERE answer(y.about, 'quiet?') = 'Yes')",
            f"1 < (SELECT count(*) FROM venues y WHERE y.city = {city} AND answer(y.about, 'kids?') = 'No')",
        )
    )
