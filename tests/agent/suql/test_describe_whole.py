"""Every part of a query leaves a trace in its description."""

from __future__ import annotations

import random

import pytest

from agent.suql import allowed, check, describe
from agent.suql.walking import nodes
from tests.agent.suql.grammar import query
from tests.agent.suql.test_describe import CATALOGUE
from tests.agent.suql.world import CATALOGUE as WORLD

#: Parts of a query over hotels with the words that tell of them; each may stand beside any of another kind.
CONDITIONS = {
    "rating > 4.25": "4.25",
    "num_reviews BETWEEN 31 AND 37": "between 31 and 37",
    "name LIKE '%quill%'": "quill",
    "name NOT ILIKE '%gorse%'": "gorse",
    "phone SIMILAR TO '(4|5)%'": "(4|5)%",
    "phone ~ '^77'": "^77",
    "lower(phone) = 'zinnia'": "zinnia",
    "cardinality(styles) = 3": "exactly 3 styles",
    "num_reviews + 3 > min_guests * 17": "17",
    "rating >= (SELECT avg(rating) FROM hotels WHERE price = 'dear')": "the average rating of dear hotels",
    "id IN (SELECT hotel_id FROM rooms WHERE beds = 47)": "47",
    "id NOT IN (SELECT hotel_id FROM rooms WHERE beds = 49)": "49",
    "EXISTS (SELECT 1 FROM rooms r WHERE r.hotel_id = hotels.id AND r.beds > 43)": "43",
    "answer(reviews, 'is this hotel quaint?') = 'Yes'": "quaint",
    "answer(reviews, 'how many cats?') > 19": "19",
    "validate((SELECT description FROM hotels), 'all are calm')": "all are calm",
    "same(description, phone)": "mean the same",
    "matches(description, 'sea gulls')": "sea gulls",
    "CASE WHEN rating > 3.125 THEN has_pool ELSE FALSE END": "3.125",
    "opened > '2025-08-31'": "opened after August 31, 2025",
}
SELECTED = {
    "*": "hotels",
    "count(*)": "the number",
    "avg(rating), max(num_reviews), min(rating)": "the average rating, the highest reviews and the lowest rating",
    "stddev(rating)": "rating",
    "count(*) FILTER (WHERE rating > 2.375)": "2.375",
    "name, rank() OVER (ORDER BY num_reviews)": "num_reviews",
    "name, (SELECT count(*) FROM rooms WHERE beds = 41)": "41",
    "name, upper(answer(reviews, 'which song?'))": "which song?",
    "answer_all((SELECT description FROM hotels), 'which hymn?')": "which hymn?",
}
JOINS = {
    "": "hotels",
    "JOIN rooms ON rooms.hotel_id = hotels.id AND rooms.beds > 23": "23",
    "JOIN rooms ON same(rooms.season, hotels.phone)": "mean the same",
    "LEFT JOIN rooms ON rooms.hotel_id = hotels.id AND rooms.beds > 29": "29",
    "CROSS JOIN rooms": "rooms",
    "JOIN (SELECT hotel_id FROM rooms WHERE beds = 53) AS x ON x.hotel_id = hotels.id": "53",
    "CROSS JOIN LATERAL (SELECT beds FROM rooms WHERE rooms.hotel_id = hotels.id AND beds > 59) AS y": "59",
}
GROUPED = {"": "hotels", "GROUP BY price": "for each price", "GROUP BY length(phone)": "phone"}
ORDERED = {
    "": "hotels",
    "ORDER BY hotels.opened DESC": "latest opened first",
    "ORDER BY hotels.price, hotels.num_reviews DESC": "most reviews first",
    "ORDER BY length(hotels.phone)": "phone",
    "ORDER BY similar(hotels.reviews, 'sea view') DESC": "sea view",
}
CUT = {
    "": "hotels",
    "LIMIT 7": "7 at most",
    "LIMIT 1 OFFSET 1": "skipping the first one, one at most",
    "OFFSET 13": "skipping the first 13",
    "FETCH FIRST 9 ROWS ONLY": "9 at most",
    "LIMIT 2 + 61": "61",
}


def told(sql: str) -> str:
    return describe(sql, CATALOGUE).text


def test_each_part_is_told_whatever_stands_beside_it() -> None:
    chance, silent = random.Random(5), []
    for _ in range(1_500):
        conditions = chance.sample(list(CONDITIONS), chance.randrange(0, 4))
        joined, ordered, cut = (chance.choice(list(part)) for part in (JOINS, ORDERED, CUT))
        selected = chance.choice(list(SELECTED))
        where = f" WHERE {chance.choice((' AND ', ' OR ')).join(conditions)}" if conditions else ""
        if selected == "*":
            selected = "hotels.*"
        if "(" in selected and "name" not in selected:
            ordered = ""
        sql = f"SELECT {selected} FROM hotels {joined}{where} {ordered} {cut}".replace("WHERE id", "WHERE hotels.id")
        sql = sql.replace("AND id ", "AND hotels.id ").replace("OR id ", "OR hotels.id ")
        wanted = [CONDITIONS[one] for one in conditions]
        wanted += [JOINS[joined], ORDERED[ordered], CUT[cut], SELECTED.get(selected, "hotels")]
        text = told(sql)
        silent += [f"{word!r} of {sql}\n    {text}" for word in wanted if word not in text and word != "hotels"]
    assert not silent, f"{len(silent)}\n" + "\n".join(silent[:12])


@pytest.mark.parametrize("group", GROUPED)
@pytest.mark.parametrize("having", ["", "HAVING count(*) > 67", "HAVING avg(rating) < 3.625 AND max(id) = 71"])
def test_groups_and_what_is_asked_of_them_are_told(group: str, having: str) -> None:
    text = told(f"SELECT count(*), sum(num_reviews) FROM hotels {group} {having}")
    numbers = [word for word in having.split() if word[:1].isdigit()]
    assert all(number in text for number in numbers), text
    assert GROUPED[group] in text


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT name FROM hotels UNION SELECT name FROM hotels WHERE rating > 3 ORDER BY name LIMIT 5 OFFSET 2",
         ["by name", "5 at most", "skipping the first 2"]),
        ("SELECT DISTINCT ON (price) id FROM hotels ORDER BY price, num_reviews DESC", ["one for each price", "most"]),
        ("WITH c AS (SELECT * FROM rooms WHERE beds = 83) SELECT hotels.* FROM hotels JOIN c ON c.hotel_id = hotels.id",
         ["83"]),
        ("SELECT a.name FROM hotels a, hotels b WHERE a.rating > b.rating", ["rating"]),
    ],
)  # fmt: skip
def test_whole_queries_leave_nothing_out(sql: str, words: list[str]) -> None:
    assert [word for word in words if word not in told(sql)] == []


def test_random_queries_are_described_with_all_their_questions_and_numbers() -> None:
    chance, silent, kinds = random.Random(3), [], set()
    for _ in range(400):
        sql = query(chance)
        tree = check(sql, WORLD)
        kinds |= {type(node) for node in nodes(tree.tree)}
        text = describe(sql, WORLD).text
        limit = sql.rpartition(" LIMIT ")[2].split(" ")
        if " LIMIT " in sql and ")" not in limit[0] and f"{limit[0]} at most" not in text and limit[0] != "1":
            silent.append(f"LIMIT of {sql}\n    {text}")
    assert not silent, "\n".join(silent[:8])
    assert kinds <= allowed.NODES
