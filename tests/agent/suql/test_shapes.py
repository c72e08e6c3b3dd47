"""Every shape of query: the same rows as PostgreSQL's own evaluation, in the same order where one is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from agent.errors import AgentError
from agent.suql import Engine
from agent.suql.check import check
from tests.agent.suql.oracle import right_rows
from tests.agent.suql.world import CATALOGUE, PairReader, fill

SHAPES = [
    line.strip()
    for line in """
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes'
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' OR answer(about, 'kids?') = 'Yes'
    SELECT id FROM venues WHERE city = 'Aldo' OR answer(about, 'kids?') = 'Yes'
    SELECT id FROM venues WHERE NOT answer(about, 'quiet?') = 'Yes'
    SELECT id FROM venues WHERE NOT (answer(about, 'quiet?') = 'Yes' AND answer(notes, 'kids?') = 'No')
    SELECT id FROM venues WHERE answer(about, 'quiet?') IS NOT NULL
    SELECT id FROM venues WHERE answer(about, 'quiet?') IS NULL
    SELECT id FROM venues WHERE answer(about, 'quiet?')
    SELECT id FROM venues WHERE answer(about, 'wait?') < 5
    SELECT id FROM venues WHERE answer(about, 'wait?')::int BETWEEN 2 AND 5
    SELECT id FROM venues WHERE answer(about, 'wait?')::int > stars
    SELECT id FROM venues WHERE answer(about, 'mood?') IN ('calm', 'upbeat')
    SELECT id FROM venues WHERE answer(about, 'mood?') <> 'Calm'
    SELECT id FROM venues WHERE answer(about, 'opened?')::date > '2016-01-01'
    SELECT id FROM venues WHERE answer(about, 'quiet?') = answer(notes, 'quiet?')
    SELECT id, answer(about, 'mood?') FROM venues
    SELECT id, answer(about, 'wait?')::int + 1 AS more FROM venues ORDER BY id
    SELECT id, summary(notes) FROM venues WHERE answer(notes, 'kids?') = 'Yes' ORDER BY id
    SELECT id, answer(about || '; ' || coalesce(name, ''), 'mood?') FROM venues
    SELECT id FROM venues WHERE answer(array_to_string(notes, '; '), 'quiet?') = 'Yes'
    SELECT id FROM venues WHERE answer(notes[1], 'quiet?') = 'Yes'
    SELECT count(*) FROM venues WHERE answer(about, 'quiet?') = 'Yes'
    SELECT count(*) FROM venues WHERE answer(about, 'quiet?') = 'Yes' LIMIT 1
    SELECT avg(answer(about, 'wait?')::int) FROM venues WHERE city = 'Aldo'
    SELECT sum(answer(about, 'wait?')) FROM venues
    SELECT max(answer(about, 'opened?')::date) FROM venues
    SELECT count(*) FILTER (WHERE answer(about, 'quiet?') = 'Yes') FROM venues
    SELECT city, count(*) FROM venues WHERE answer(about, 'quiet?') = 'Yes' GROUP BY city
    SELECT answer(about, 'mood?') AS mood, count(*) FROM venues GROUP BY mood
    SELECT answer(about, 'mood?') AS mood, count(*) FROM venues GROUP BY 1 HAVING count(*) > 2 ORDER BY 2 DESC, 1
    SELECT city FROM venues GROUP BY city HAVING bool_or(answer(about, 'kids?') = 'Yes')
    SELECT city, answer(string_agg(about, '; ' ORDER BY id), 'mood?') FROM venues GROUP BY city
    SELECT city FROM venues GROUP BY city HAVING answer(string_agg(about, '; ' ORDER BY id), 'quiet?') = 'Yes'
    SELECT DISTINCT city FROM venues WHERE answer(about, 'quiet?') = 'Yes'
    SELECT DISTINCT city FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY city LIMIT 2
    SELECT DISTINCT answer(about, 'mood?') FROM venues
    SELECT DISTINCT ON (city) city, id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY city, id
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY stars DESC NULLS LAST, id LIMIT 3
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 2 OFFSET 3
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 1+1
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' OR answer(about, 'kids?') = 'Yes' ORDER BY id LIMIT 4
    SELECT id FROM venues WHERE NOT (answer(about, 'quiet?') = 'Yes' OR stars > 3) ORDER BY id LIMIT 4
    SELECT id, answer(about, 'wait?')::int AS w FROM venues ORDER BY w DESC NULLS LAST, id LIMIT 3
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY answer(about, 'wait?')::int, id LIMIT 3
    SELECT id, answer(about, 'mood?') FROM venues ORDER BY id LIMIT 3
    SELECT v.id, e.id FROM venues v JOIN events e ON e.venue_id = v.id WHERE answer(e.blurb, 'kids?') = 'Yes' AND answer(v.about, 'quiet?') = 'Yes'
    SELECT v.id, e.id FROM venues v JOIN events e ON e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'Yes'
    SELECT v.id, e.id FROM venues v LEFT JOIN events e ON e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'Yes'
    SELECT v.id, e.id FROM venues v LEFT JOIN events e ON e.venue_id = v.id WHERE answer(e.blurb, 'kids?') IS NULL
    SELECT v.id, e.id FROM venues v FULL JOIN events e ON e.venue_id = v.id AND answer(v.about, 'quiet?') = 'Yes'
    SELECT v.id, e.id FROM venues v, events e WHERE answer(v.about, 'mood?') = answer(e.blurb, 'mood?') AND v.id < 6 AND e.id < 6
    SELECT a.id, b.id FROM venues a JOIN venues b ON a.city = b.city AND a.id < b.id WHERE answer(a.about, 'quiet?') = 'Yes' AND answer(b.about, 'quiet?') = 'No'
    SELECT id, title FROM venues JOIN events USING (id) WHERE answer(about, 'quiet?') = 'Yes'
    SELECT id, n FROM venues, unnest(notes) AS n WHERE answer(n, 'quiet?') = 'Yes'
    SELECT v.id, one FROM venues AS v, unnest(v.notes) AS one WHERE v.city = 'Aldo' AND answer(one, 'quiet?') = 'Yes' LIMIT 50
    SELECT id, unnest(notes) AS n FROM venues
    SELECT answer(n, 'mood?') AS m, count(*) FROM (SELECT unnest(notes) AS n FROM venues) AS t GROUP BY m
    SELECT id, answer(unnest(notes), 'mood?') FROM venues
    SELECT id FROM venues WHERE id IN (SELECT venue_id FROM events WHERE answer(blurb, 'kids?') = 'Yes')
    SELECT id FROM venues WHERE id NOT IN (SELECT venue_id FROM events WHERE answer(blurb, 'kids?') = 'Yes' AND venue_id IS NOT NULL)
    SELECT id FROM venues v WHERE EXISTS (SELECT 1 FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'Yes')
    SELECT id FROM venues v WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'Yes') ORDER BY id LIMIT 5
    SELECT id FROM venues v WHERE EXISTS (SELECT 1 FROM unnest(v.notes) AS n WHERE answer(n, 'quiet?') = 'Yes') AND answer(about, 'kids?') = 'No'
    SELECT id FROM venues v WHERE answer(about, 'wait?')::int > (SELECT avg(answer(w.about, 'wait?')::int) FROM venues w WHERE w.city = v.city)
    SELECT id, (SELECT count(*) FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'No') AS n FROM venues v
    SELECT id, (SELECT max(answer(e.blurb, 'wait?')::int) FROM events e WHERE e.venue_id = v.id) AS n FROM venues v WHERE answer(v.about, 'quiet?') = 'Yes' ORDER BY id LIMIT 3
    SELECT id FROM venues WHERE stars > (SELECT avg(stars) FROM venues WHERE answer(about, 'quiet?') = 'Yes')
    SELECT t.id FROM (SELECT id, about FROM venues WHERE stars > 2) AS t WHERE answer(t.about, 'quiet?') = 'Yes'
    SELECT about, count(*) FROM (SELECT about FROM venues) AS t WHERE answer(about, 'quiet?') = 'Yes' GROUP BY about
    SELECT t.m, count(*) FROM (SELECT answer(about, 'mood?') AS m FROM venues) AS t WHERE t.m IS NOT NULL GROUP BY t.m
    WITH q AS (SELECT id, city FROM venues WHERE answer(about, 'quiet?') = 'Yes') SELECT city, count(*) FROM q GROUP BY city
    WITH q AS (SELECT about FROM venues) SELECT count(*) FROM q WHERE answer(about, 'quiet?') = 'Yes'
    WITH q AS (SELECT id, answer(about, 'wait?')::int AS w FROM venues), m AS (SELECT max(w) AS w FROM q) SELECT q.id FROM q JOIN m ON q.w = m.w
    WITH q AS (SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 3) SELECT e.id FROM events e JOIN q ON q.id = e.venue_id WHERE answer(e.blurb, 'kids?') = 'No'
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' UNION SELECT venue_id FROM events WHERE answer(blurb, 'kids?') = 'Yes'
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' UNION ALL SELECT id FROM venues WHERE answer(about, 'kids?') = 'Yes' ORDER BY id LIMIT 6
    SELECT id FROM venues EXCEPT SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes'
    SELECT city FROM venues INTERSECT SELECT city FROM venues WHERE answer(about, 'quiet?') = 'Yes'
    SELECT id, CASE WHEN answer(about, 'quiet?') = 'Yes' THEN 'q' WHEN answer(about, 'kids?') THEN 'k' ELSE city END AS c FROM venues
    SELECT id, CASE answer(about, 'mood?') WHEN 'calm' THEN 1 ELSE 2 END AS c FROM venues
    SELECT id, coalesce(answer(about, 'mood?'), answer(notes, 'mood?'), '-') AS c FROM venues
    SELECT id FROM venues WHERE coalesce(answer(about, 'quiet?'), 'No') = 'No'
    SELECT id FROM venues WHERE CASE WHEN stars > 3 THEN answer(about, 'quiet?') = 'Yes' ELSE answer(about, 'kids?') = 'Yes' END
    SELECT id, row_number() OVER (PARTITION BY city ORDER BY id) AS r FROM venues WHERE answer(about, 'quiet?') = 'Yes'
    SELECT id, rank() OVER (ORDER BY answer(about, 'wait?')::int) AS r FROM venues
    SELECT id, r FROM (SELECT id, row_number() OVER (ORDER BY id) AS r FROM venues WHERE answer(about, 'quiet?') = 'Yes') AS t WHERE r <= 2
    SELECT id, row_number() OVER (ORDER BY id) AS r FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id LIMIT 2
    SELECT v.id, l.t FROM venues v CROSS JOIN LATERAL (SELECT e.title AS t FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'No' ORDER BY e.id LIMIT 1) AS l
    SELECT v.id, l.t FROM venues v LEFT JOIN LATERAL (SELECT answer(e.blurb, 'mood?') AS t FROM events e WHERE e.venue_id = v.id) AS l ON TRUE WHERE answer(v.about, 'quiet?') = 'Yes'
    SELECT id FROM venues WHERE answer(about, 'mood?') LIKE 'c%'
    SELECT id FROM venues WHERE lower(answer(about, 'mood?')) = ANY (ARRAY['calm', 'formal'])
    SELECT id FROM venues WHERE (answer(about, 'quiet?') = 'Yes') IS TRUE
    SELECT id FROM venues WHERE (answer(about, 'quiet?') = 'Yes') IS NOT TRUE ORDER BY id LIMIT 5
    SELECT id FROM venues WHERE answer(about, 'quiet?') IS DISTINCT FROM 'Yes'
    SELECT answer('quiet=Yes', 'quiet?') AS a
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(about, 'quiet?') = 'No'
    SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' LIMIT 0
    SELECT id FROM venues WHERE 1 = 0 AND answer(about, 'quiet?') = 'Yes'
    SELECT id FROM venues WHERE answer(about, 'mood?', options => ARRAY['calm', 'upbeat', 'formal']) = 'calm'
    """.splitlines()
    if line.strip()
]


def same(sql: str, mine: list[tuple[Any, ...]], right: list[tuple[Any, ...]]) -> bool:
    """Equal as lists where the query orders its rows, else as bags."""
    ordered = check(sql, CATALOGUE).tree.args.get("order")
    if ordered:
        return mine == right
    return Counter(map(repr, mine)) == Counter(map(repr, right))


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_shape_gives_the_rows_postgresql_gives(
    world: psycopg.Connection[Any], connect: Callable[[], Any], seed: int
) -> None:
    fill(world, seed)
    wrong = []
    for sql in SHAPES:
        reader = PairReader()
        try:
            result = await Engine(connect, CATALOGUE, reader).run(sql)
        except AgentError as error:
            wrong.append(f"{sql}\n   {error}")
            continue
        mine = [tuple(row.values.values()) for row in result.rows]
        right = right_rows(world, sql)
        if not same(sql, mine, right) or not result.complete:
            wrong.append(f"{sql}\n   mine  {mine}\n   right {right}\n   {result.notes}")
        asked = [request.model_dump_json() for request in reader.requests]
        if len(asked) != len(set(asked)):
            wrong.append(f"{sql}\n   asks the same value twice")
    assert not wrong, "\n".join(wrong)
