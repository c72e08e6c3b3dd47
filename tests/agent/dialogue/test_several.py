"""Messages that ask more than once: each question gets a query, and one that goes on from another its conditions."""

from datetime import datetime

import pytest

from agent.language import Conversation, PastQuery, PastTurn, Question
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.parser import BuiltinParser
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY

SHOWN = PastTurn(
    user="indian places in Palo Alto",
    agent="",
    queries=(
        PastQuery(
            question="indian places in Palo Alto",
            suql="SELECT * FROM restaurants WHERE 'indian' = ANY(cuisines) AND location = 'Palo Alto' LIMIT 3",
            table="restaurants",
            keys=("kaveri", "fig"),
            titles=("Kaveri Tiffin Room", "Fig & Foghorn"),
            rows=({"rating": 4.4}, {"rating": 4.1}),
        ),
    ),
)


@pytest.fixture(scope="module")
def interpreter() -> Interpreter:
    tables = catalogue()
    return Interpreter(BuiltinParser(tables, MEMORY, GAZETTEER), tables, CorpusSelector(tables, MEMORY))


def talk(*past: PastTurn) -> Conversation:
    return Conversation(assistant="restaurants", tables=("restaurants",), past=past, now=datetime(2026, 11, 20, 10))


def asked(interpreter: Interpreter, message: str) -> tuple[Question, ...]:
    return interpreter.understand(message, talk()).questions


def queries(interpreter: Interpreter, message: str, *past: PastTurn) -> list[str]:
    """What is asked of the database, in its order."""
    held = talk(*past)
    return [interpreter.parse(one, held).suql for one in interpreter.understand(message, held).questions]


THAI, CHEAPEST = "'thai' = ANY(cuisines)", "ORDER BY price ASC LIMIT 1"
TWO = [
    (
        "how many restaurants in Cupertino are rated below 3.5, and which one is the worst?",
        "SELECT COUNT(*) AS count FROM restaurants WHERE location = 'Cupertino' AND rating < 3.5",
        "SELECT * FROM restaurants WHERE location = 'Cupertino' AND rating < 3.5 ORDER BY rating ASC LIMIT 1",
    ),
    (
        "How many thai places are there? What's their average rating?",
        f"SELECT COUNT(*) AS count FROM restaurants WHERE {THAI}",
        f"SELECT AVG(rating) AS avg FROM restaurants WHERE {THAI}",
    ),
    (
        "how many thai restaurants do you have and where are they",
        f"SELECT COUNT(*) AS count FROM restaurants WHERE {THAI}",
        f"SELECT name, address FROM restaurants WHERE {THAI}",
    ),
    (
        "how many thai places do you know, and what are they?",
        f"SELECT COUNT(*) AS count FROM restaurants WHERE {THAI}",
        f"SELECT * FROM restaurants WHERE {THAI}",
    ),
    (
        "how many places in Sunnyvale are open now, and are any of them thai?",
        "SELECT COUNT(*) AS count FROM restaurants WHERE location = 'Sunnyvale' AND opening_hours = 'open now'",
        f"SELECT * FROM restaurants WHERE location = 'Sunnyvale' AND opening_hours = 'open now' AND {THAI}",
    ),
    (
        "how many thai places are in San Francisco, and which of them are vegetarian?",
        f"SELECT COUNT(*) AS count FROM restaurants WHERE {THAI} AND location = 'San Francisco'",
        f"SELECT * FROM restaurants WHERE {THAI} AND location = 'San Francisco' AND 'vegetarian' = ANY(cuisines)",
    ),
    (
        "any thai place in Palo Alto? and how many burger joints are in Sunnyvale?",
        f"SELECT * FROM restaurants WHERE {THAI} AND location = 'Palo Alto' LIMIT 3",
        "SELECT COUNT(*) AS count FROM restaurants WHERE 'burgers' = ANY(cuisines) AND location = 'Sunnyvale'",
    ),
    (
        "I need a thai place in Palo Alto for tomorrow and burgers in Sunnyvale on Friday",
        f"SELECT * FROM restaurants WHERE {THAI} AND location = 'Palo Alto' AND opening_hours = 'open tomorrow'"
        " LIMIT 3",
        "SELECT * FROM restaurants WHERE 'burgers' = ANY(cuisines) AND location = 'Sunnyvale'"
        " AND opening_hours = 'open Friday' LIMIT 3",
    ),
    (
        "lunch in Palo Alto today and then dinner in Cupertino",
        "SELECT * FROM restaurants WHERE location = 'Palo Alto' AND opening_hours = 'open today for lunch' LIMIT 3",
        "SELECT * FROM restaurants WHERE opening_hours = 'open for dinner' AND location = 'Cupertino' LIMIT 3",
    ),
    (
        "What's the most expensive thai place, and what's the cheapest?",
        f"SELECT * FROM restaurants WHERE {THAI} ORDER BY price DESC NULLS LAST LIMIT 1",
        f"SELECT * FROM restaurants WHERE {THAI} {CHEAPEST}",
    ),
    (
        "what's the phone number of the best rated thai place in Cupertino? and is there anything indian near there?",
        f"SELECT name, phone_number FROM restaurants WHERE {THAI} AND location = 'Cupertino'"
        " ORDER BY rating DESC LIMIT 1",
        "SELECT * FROM restaurants WHERE 'indian' = ANY(cuisines) AND location = 'Cupertino' LIMIT 3",
    ),
    (
        "how many thai places in Sunnyvale are open right now? and on Saturday at 3pm?",
        f"SELECT COUNT(*) AS count FROM restaurants WHERE {THAI} AND location = 'Sunnyvale'"
        " AND opening_hours = 'open now'",
        f"SELECT COUNT(*) AS count FROM restaurants WHERE {THAI} AND location = 'Sunnyvale'"
        " AND opening_hours = 'open Saturday at 15:00'",
    ),
    (
        "Which city has the highest average rating for thai food, and how many of them are there in each city?",
        f"SELECT city, AVG(rating) AS avg FROM restaurants WHERE {THAI} GROUP BY city ORDER BY avg DESC LIMIT 1",
        f"SELECT city, COUNT(*) AS count FROM restaurants WHERE {THAI} GROUP BY city ORDER BY city",
    ),
    (
        "the best and worst rated place in Cupertino?",
        "SELECT * FROM restaurants WHERE location = 'Cupertino' ORDER BY rating DESC LIMIT 1",
        "SELECT * FROM restaurants WHERE location = 'Cupertino' ORDER BY rating ASC LIMIT 1",
    ),
]


@pytest.mark.parametrize(("message", "first", "second"), TWO)
def test_two_questions_are_two_queries(interpreter: Interpreter, message: str, first: str, second: str) -> None:
    assert queries(interpreter, message) == [first, second]


@pytest.mark.parametrize(
    "message",
    [
        "a quiet thai place in Palo Alto, and when does it open?",
        "which thai place has the most reviews and what's its phone number?",
        "thai or indian in Palo Alto and Sunnyvale",
        "somewhere in the Mission with parking and with outdoor seating",
        "I live in Palo Alto and want thai food in Sunnyvale",
        "is there a thai place in Cupertino? what are its opening hours?",
        "I'm starving, is there any thai place open now?",
        "cheapest or closest thai place to the Ferry Building",
    ],
)
def test_what_one_search_can_answer_is_one_question(interpreter: Interpreter, message: str) -> None:
    assert len(queries(interpreter, message)) == 1


def test_of_the_rows_shown_the_first_is_told_with_what_is_asked_of_it(interpreter: Interpreter) -> None:
    told = queries(interpreter, "which of those is the cheapest, and what's its phone number?", SHOWN)
    assert told == [f"SELECT name, phone_number FROM restaurants WHERE slug IN ('kaveri', 'fig') {CHEAPEST}"]


@pytest.mark.parametrize(
    "message", ["thai places in the Mission with their phone numbers", "thai places in the Mission, and their phones"]
)
def test_their_is_said_of_what_the_message_itself_looks_for(interpreter: Interpreter, message: str) -> None:
    found = f"SELECT name, phone_number FROM restaurants WHERE {THAI} AND location = 'Mission District' LIMIT 3"
    assert queries(interpreter, message, SHOWN) == [found]


def test_their_alone_is_said_of_the_rows_shown(interpreter: Interpreter) -> None:
    told = queries(interpreter, "what are their phone numbers?", SHOWN)
    assert told == ["SELECT name, phone_number FROM restaurants WHERE slug IN ('kaveri', 'fig')"]


AWAITING = [
    (
        "what's the best rated thai place in Cupertino and is it open on Sunday at 9pm?",
        f"SELECT * FROM restaurants WHERE {THAI} AND location = 'Cupertino' ORDER BY rating DESC LIMIT 1",
    ),
    (
        "which cuisine is most common in Sunnyvale, and which places have it?",
        "SELECT cuisine, COUNT(*) AS count FROM restaurants, unnest(cuisines) AS cuisine WHERE location = 'Sunnyvale'"
        " GROUP BY cuisine ORDER BY count DESC LIMIT 1",
    ),
]

AWAITS = [
    "thai in Cupertino for tonight, any ideas? and what should we order there",
    "I'm looking for a thai place in Cupertino. What do people say about it on weekends?",
    "Anything thai in Cupertino? And how late do they serve on a Sunday?",
    "tell me the best rated thai place in Cupertino and give me the number so I can book",
    "which cuisine is most common in Cupertino and how many places have it",
    "Kaveri Tiffin Room's address, please. And what do people say about it?",
    "is Kaveri Tiffin Room open on Sunday for dinner, what do people say about the dosas",
    "I need a thai place in Cupertino. Do they close early on Fridays?",
    "could you find a thai place in Cupertino, and tell me whether they take dogs?",
    "the best rated thai place in Cupertino, and is the food any good",
    "the cheapest indian place in Palo Alto, and how's the service",
    "the cheapest indian place in Palo Alto and what's the wait like?",
    "cheapest indian in Palo Alto open on Sunday? and does it have good food or is it just open",
]


@pytest.mark.parametrize("message", AWAITS)
def test_what_is_asked_of_what_is_found_awaits_it(interpreter: Interpreter, message: str) -> None:
    assert [one.awaits for one in asked(interpreter, message)] == [False, True]


def test_of_three_questions_only_the_second_awaits(interpreter: Interpreter) -> None:
    message = (
        "What's the best rated thai place in Cupertino and give me the number. And is there a cheap indian place too?"
    )
    assert [one.awaits for one in asked(interpreter, message)] == [False, True, False]
    assert "'indian' = ANY(cuisines)" in queries(interpreter, message)[2]


def test_what_is_not_wanted_ends_with_its_sentence(interpreter: Interpreter) -> None:
    (found,) = queries(interpreter, "I don't want to drive to Sunnyvale. Anything thai in Cupertino?", SHOWN)
    assert "NOT 'thai'" not in found
    assert "'thai' = ANY(cuisines)" in found


def test_a_start_over_is_said_as_one(interpreter: Interpreter) -> None:
    (told,) = queries(interpreter, "do they make the noodles from scratch?", SHOWN)
    assert "from scratch" in told
    (anew,) = queries(interpreter, "ok let's start over: burgers in Sunnyvale", SHOWN)
    assert "slug" not in anew
    assert "'burgers' = ANY(cuisines)" in anew


def test_what_one_answer_holds_is_asked_once(interpreter: Interpreter) -> None:
    message = "What's the phone number of Kaveri Tiffin Room, and what neighborhood is it in?"
    (told,) = queries(interpreter, message)
    assert told.startswith(
        "SELECT name, phone_number, neighbourhood FROM restaurants WHERE name = 'Kaveri Tiffin Room'"
    )


def test_a_time_of_day_names_nothing(interpreter: Interpreter) -> None:
    (found,) = queries(interpreter, "thai in Cupertino that is open before noon on Sundays")
    assert "opening_hours = 'open Sunday before 12:00'" in found
    assert "name =" not in found


def test_the_top_one_is_the_first(interpreter: Interpreter) -> None:
    (told,) = queries(interpreter, "is the service any good at the top one?", SHOWN)
    assert "slug IN ('kaveri')" in told


@pytest.mark.parametrize(("message", "first"), AWAITING)
def test_a_question_awaits_what_the_one_before_it_finds(interpreter: Interpreter, message: str, first: str) -> None:
    _, other = asked(interpreter, message)
    assert queries(interpreter, message)[0] == first
    assert other.awaits


def test_the_group_told_of_takes_the_place_of_the_word_for_it(interpreter: Interpreter) -> None:
    told = PastTurn(
        user="which cuisine is most common in Sunnyvale?",
        agent="",
        queries=(
            PastQuery(
                question="which cuisine is most common in Sunnyvale?",
                suql=AWAITING[-1][1],
                table="restaurants",
                rows=({"cuisine": "thai", "count": 3},),
                presentation="aggregate",
                frame={
                    "tables": ("restaurants",),
                    "where": (
                        {"kind": "condition", "table": "restaurants", "column": "location", "values": ("Sunnyvale",)},
                    ),
                    "aggregate": {"function": "count", "table": "", "group": (("restaurants", "cuisines"),)},
                },
            ),
        ),
    )
    places = queries(interpreter, "which places have it?", told)
    assert places == ["SELECT * FROM restaurants WHERE location = 'Sunnyvale' AND 'thai' = ANY(cuisines) LIMIT 3"]


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (
            "find me a thai place in Cupertino and a coffee shop nearby",
            (("thai", "Cupertino"), ("coffee", "Cupertino")),
        ),
        (
            "show me the thai places in Cupertino, and which of them is the cheapest?",
            (("thai", "LIMIT 3"), ("thai", "price ASC LIMIT 1")),
        ),
        (
            "a thai place in Cupertino and another one near the Ferry Building",
            (("thai", "Cupertino"), ("thai", "Ferry Building")),
        ),
        (
            "Any indian place in Cupertino? is there also a thai one?",
            (("indian", "Cupertino"), ("thai", "Cupertino")),
        ),
    ],
)
def test_two_things_are_looked_for_apart(
    interpreter: Interpreter, message: str, parts: tuple[tuple[str, ...], ...]
) -> None:
    found = queries(interpreter, message)
    assert len(found) == len(parts)
    assert all(word in suql for suql, words in zip(found, parts, strict=True) for word in words)


@pytest.mark.parametrize(
    "message",
    [
        "how many places in Cupertino are open now and are cheap?",
        "an italian place in Palo Alto with a patio and a full bar",
        "a thai place in Cupertino, also with parking",
    ],
)
def test_one_question_is_not_taken_apart(interpreter: Interpreter, message: str) -> None:
    assert len(queries(interpreter, message)) == 1


def test_of_two_things_compared_the_winner_comes_first(interpreter: Interpreter) -> None:
    names = "WHERE name IN ('Kaveri Tiffin Room', 'Fig & Foghorn')"
    told = queries(interpreter, "which is cheaper, Kaveri Tiffin Room or Fig & Foghorn?")
    assert told == [f"SELECT name, price FROM restaurants {names} ORDER BY price ASC"]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "Is Kaveri Tiffin Room open at 9 tonight? also are the dosas any good",
            ("Is Kaveri Tiffin Room open at 9 tonight?", "are the dosas any good"),
        ),
        (
            "We want thai in Cupertino. Where should we go? Is it the kind of place with a long wait?",
            ("We want thai in Cupertino. Where should we go?", "Is it the kind of place with a long wait?"),
        ),
        (
            "Which places in Palo Alto are thai, and which are indian?",
            ("Which places in Palo Alto are thai", "which are indian?"),
        ),
    ],
)
def test_where_one_question_ends(interpreter: Interpreter, message: str, words: tuple[str, ...]) -> None:
    assert tuple(one.words for one in asked(interpreter, message)) == words


def test_the_other_kind_is_looked_for_where_the_first_was(interpreter: Interpreter) -> None:
    found = queries(interpreter, "Which places in Palo Alto are thai, and which are indian?")
    assert found[1] == "SELECT * FROM restaurants WHERE location = 'Palo Alto' AND 'indian' = ANY(cuisines)"


def test_of_the_rows_shown_one_is_picked(interpreter: Interpreter) -> None:
    (picked,) = queries(interpreter, "Which has more reviews?", SHOWN)
    assert picked.endswith("WHERE slug IN ('kaveri', 'fig') ORDER BY num_reviews DESC LIMIT 1")
    first, _ = queries(interpreter, "which is better rated, and does it take cards?", SHOWN)
    assert first.endswith("WHERE slug IN ('kaveri', 'fig') ORDER BY rating DESC LIMIT 1")
    (compared,) = queries(interpreter, "is the first cheaper than the second?", SHOWN)
    assert compared.startswith("SELECT name, price FROM restaurants WHERE slug IN ('kaveri', 'fig')")


@pytest.mark.parametrize(
    ("message", "first", "second"),
    [
        ("phone number, and is the parking free?", "phone_number", "have free parking?"),
        ("address and are there high chairs", "address", "have high chairs?"),
        ("How long is the wait there at noon? and can I pay by card", "wait", "accept credit cards?"),
        (
            "do they have a private room, and what's the cheapest thing at lunch",
            "private room",
            "cheapest thing at lunch?",
        ),
    ],
)
def test_two_things_are_asked_of_what_was_shown(
    interpreter: Interpreter, message: str, first: str, second: str
) -> None:
    found = queries(interpreter, message, SHOWN)
    assert len(found) == 2
    assert first in found[0]
    assert second in found[1]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Any dim sum in SF? And is there one among them where you can book?", "is there one among them"),
        ("Is Kaveri Tiffin Room open at 9 tonight? also are the dosas any good", "are the dosas"),
        ("cafes in Palo Alto, also is any of them quiet enough to read", "is any of them quiet"),
        ("what's the cheapest thai place in Sunnyvale and does it have parking", "does it have parking"),
    ],
)
def test_what_is_asked_of_those_found_awaits_them(interpreter: Interpreter, message: str, words: str) -> None:
    first, second = asked(interpreter, message)
    assert second.words.startswith(words)
    assert second.following == first.words
    assert second.awaits


def test_a_yes_or_no_that_nothing_was_understood_of_is_asked_of_what_was_shown(interpreter: Interpreter) -> None:
    (found,) = queries(interpreter, "would I need a jacket?", SHOWN)
    assert found == (
        "SELECT name, answer(reviews, 'would I need a jacket?') AS answer FROM restaurants "
        "WHERE slug IN ('kaveri', 'fig')"
    )


def test_of_a_named_place_a_price_is_no_number_of_places(interpreter: Interpreter) -> None:
    (found,) = queries(interpreter, "is Quorum open on monday and roughly how expensive is it")
    assert found == "SELECT name, opening_hours, price FROM restaurants WHERE name = 'Quorum'"


def test_what_is_shown_is_counted_before_one_of_it_is_chosen(interpreter: Interpreter) -> None:
    counted, chosen = queries(interpreter, "how many is that and which has the best rating", SHOWN)
    assert counted.startswith("SELECT COUNT(*) AS count FROM restaurants")
    assert chosen.endswith("ORDER BY rating DESC LIMIT 1")


def test_somewhere_else_to_eat_is_looked_for_in_the_same_city(interpreter: Interpreter) -> None:
    message = "a thai place in Palo Alto for lunch, and then somewhere for a quiet dinner that same evening"
    lunch, dinner = queries(interpreter, message)
    assert "thai" in lunch
    assert "quiet" in dinner
    assert "location = 'Palo Alto'" in dinner
    assert "thai" not in dinner


NEPALESE = PastTurn(
    user="nepalese places",
    agent="",
    queries=(
        PastQuery(
            question="nepalese places",
            suql="SELECT * FROM restaurants WHERE 'nepalese' = ANY(cuisines) LIMIT 3",
            table="restaurants",
            keys=("pa1", "sv1"),
            titles=("Yak", "Stairs"),
            rows=({"rating": 4.8}, {"rating": 4.1}),
        ),
    ),
)


def test_the_one_at_a_place_is_one_of_those_shown(interpreter: Interpreter) -> None:
    (told,) = queries(interpreter, "does the one in Sunnyvale do lunch on Thursdays?", NEPALESE)
    assert told == (
        "SELECT name, opening_hours FROM restaurants WHERE slug IN ('pa1', 'sv1') AND location = 'Sunnyvale'"
    )


def test_two_choices_among_those_shown_are_apart(interpreter: Interpreter) -> None:
    message = "do any of these have parking? also which ones are open on Sunday"
    parking, sunday = queries(interpreter, message, NEPALESE)
    assert "parking" in parking
    assert "opening_hours" not in parking
    assert "slug IN ('pa1', 'sv1')" in sunday
    assert "open on Sunday" not in parking


def test_how_one_does_something_is_no_summary(interpreter: Interpreter) -> None:
    (told,) = queries(interpreter, "how do you even get in at Quorum?")
    assert "answer(reviews, 'how do you even get in at this restaurant?')" in told


def test_what_something_is_like_is_asked_of_what_was_shown(interpreter: Interpreter) -> None:
    (told,) = queries(interpreter, "what's the wait like?", SHOWN)
    assert told.startswith("SELECT name, answer(reviews, ")
    assert "slug IN ('kaveri', 'fig')" in told


def test_how_bad_something_is_is_asked_of_what_was_shown(interpreter: Interpreter) -> None:
    message = "Do they have anything gluten free there? How bad is the wait on a Saturday morning"
    free, wait = queries(interpreter, message, SHOWN)
    assert "gluten" in free
    assert "is there a long wait at this restaurant?" in wait
    assert "slug IN ('kaveri'" in wait


def test_the_same_elsewhere_is_a_second_search(interpreter: Interpreter) -> None:
    message = "Where could I eat thai in Palo Alto, and what's my option if we end up in Cupertino?"
    here, there = queries(interpreter, message)
    assert "location = 'Palo Alto'" in here
    assert there == "SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND location = 'Cupertino'"


def test_something_else_close_by_has_no_wish_of_the_first(interpreter: Interpreter) -> None:
    message = "a cafe in Palo Alto with wifi. also a late night spot close by for after"
    cafe, spot = queries(interpreter, message)
    assert "wifi" in cafe
    assert "wifi" not in spot
    assert "location = 'Palo Alto'" in spot


def test_the_nearest_of_two_that_are_named_is_found(interpreter: Interpreter) -> None:
    message = "which is closer to Ferry Building, Kaveri Tiffin Room or Fig & Foghorn, and which one is good for kids"
    nearer, suited = queries(interpreter, message)
    both = "WHERE name IN ('Kaveri Tiffin Room', 'Fig & Foghorn')"
    assert f"{both} ORDER BY power(latitude" in nearer
    assert nearer.endswith("ASC LIMIT 1")
    assert f"{both} AND answer(reviews, 'is this restaurant good for kids?')" in suited


def test_what_was_told_before_a_question_is_no_question(interpreter: Interpreter) -> None:
    (found,) = queries(interpreter, "I read that Kaveri Tiffin Room changed owners. Is the food better or worse since?")
    assert "'is the food better or worse since?'" in found


def test_the_cheapest_of_a_menu_orders_no_places(interpreter: Interpreter) -> None:
    (dish,) = queries(interpreter, "what is the cheapest dish at lunch", SHOWN)
    assert "'what is the cheapest dish at lunch?'" in dish
    assert "ORDER BY" not in dish
    (place,) = queries(interpreter, "which is the cheapest", SHOWN)
    assert "ORDER BY price ASC LIMIT 1" in place


@pytest.mark.parametrize(
    ("message", "first", "second"),
    [
        (
            "a sushi place in Palo Alto, oh and somewhere for ice cream",
            "'sushi' = ANY(cuisines)",
            "'ice cream' = ANY(cuisines)",
        ),
    ],
)
def test_two_questions_are_told_apart_however_they_are_joined(
    interpreter: Interpreter, message: str, first: str, second: str
) -> None:
    one, other = queries(interpreter, message)
    assert first in one
    assert second in other
    assert second not in one


def test_it_is_the_first_of_the_list_whatever_was_told_of_its_rows(interpreter: Interpreter) -> None:
    (listed,) = SHOWN.queries
    told = listed.model_copy(
        update={
            "keys": listed.keys[::-1],
            "titles": listed.titles[::-1],
            "rows": listed.rows[::-1],
            "presentation": "detail",
        }
    )
    both = SHOWN.model_copy(update={"queries": (listed, told)})

    (query,) = queries(interpreter, "what is its phone number?", both)

    assert "'kaveri'" in query
    assert "'fig'" not in query


JOINTS = (" and {}?", ", {}?", "? {}?", "? and {}?", " - {}?", ". {}?", ", also {}?", " + {}", "? oh and {}?")


@pytest.mark.parametrize(
    ("first", "second", "number"),
    [
        ("cheapest thai in Cupertino", "is the food any good", 2),
        ("cheapest thai in Cupertino", "is it noisy", 2),
        ("quiet cafe in Palo Alto", "how much does it cost", 2),
        ("how many thai places are there in Cupertino", "do they take reservations", 2),
        ("where is Quorum", "any dessert place nearby", 2),
        ("best rated thai in Palo Alto", "is there one in Cupertino too", 2),
    ],
)
def test_two_questions_are_two_however_they_are_joined(
    interpreter: Interpreter, first: str, second: str, number: int
) -> None:
    counts = {joint: len(asked(interpreter, first + joint.format(second))) for joint in JOINTS}
    assert counts == dict.fromkeys(JOINTS, number)


@pytest.mark.parametrize(
    "question", ["how's the service?", "what should I order?", "any complaints?", "is it any good?"]
)
def test_an_open_question_after_one_row_is_asked_of_it(interpreter: Interpreter, question: str) -> None:
    one = SHOWN.queries[0].model_copy(update={"keys": ("kaveri",), "titles": ("Kaveri Tiffin Room",)})
    (told,) = queries(interpreter, question, SHOWN.model_copy(update={"queries": (one,)}))
    assert "WHERE slug IN ('kaveri')" in told
    assert "popular_dishes" in told or "answer(reviews" in told


def test_a_question_after_a_name_is_asked_of_it(interpreter: Interpreter) -> None:
    (told,) = queries(interpreter, "Quorum - is it loud?")
    assert told.startswith("SELECT name, answer(reviews, 'is this restaurant noisy?') AS answer")


def test_what_is_looked_for_elsewhere_is_not_asked_of_the_one_named(interpreter: Interpreter) -> None:
    _, other = queries(interpreter, "is Quorum open? also is there anywhere in Cupertino with a patio")
    assert "Quorum" not in other
    assert "location = 'Cupertino'" in other


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "Two things: where can I get ramen in Sunnyvale tonight, and is there a coffee place in Cupertino?",
            ("where can I get ramen in Sunnyvale tonight?", "is there a coffee place in Cupertino?"),
        ),
        (
            "is Quorum loud? Also I need to know if the patio at Kaveri Tiffin Room is heated",
            ("is Quorum loud?", "is the patio at Kaveri Tiffin Room heated"),
        ),
    ],
)
def test_how_questions_are_announced_is_no_part_of_them(
    interpreter: Interpreter, message: str, words: tuple[str, ...]
) -> None:
    assert tuple(question.words for question in asked(interpreter, message)) == words


def test_the_city_alone_is_a_place(interpreter: Interpreter) -> None:
    (query,) = queries(interpreter, "ok the city then", SHOWN)
    assert "location = 'San Francisco'" in query


@pytest.mark.parametrize(
    ("message", "second"),
    [
        (
            "any thai in Sunnyvale? Oh and what's the best place in Cupertino",
            "SELECT * FROM restaurants WHERE location = 'Cupertino' ORDER BY rating DESC LIMIT 1",
        ),
        (
            "how many indian places do you know, and at which ones can I get a dosa?",
            "SELECT * FROM restaurants WHERE 'indian' = ANY(cuisines) AND "
            "(answer(popular_dishes, 'does this restaurant serve dosa?') = 'Yes' OR "
            "answer(reviews, 'does this restaurant serve dosa?') = 'Yes')",
        ),
    ],
)
def test_an_aside_asks_anew_and_which_ones_asks_of_those_counted(
    interpreter: Interpreter, message: str, second: str
) -> None:
    assert queries(interpreter, message)[1:] == [second]


def test_what_only_leads_up_to_a_question_is_none(interpreter: Interpreter) -> None:
    message = "landing at SFO late tonight, where can we eat in San Francisco at 2am"
    assert [(one.words, one.following) for one in asked(interpreter, message)] == [(message, "")]


def test_a_statement_after_a_question_is_not_put_to_the_texts(interpreter: Interpreter) -> None:
    message = "Do they let children in at Quorum? Ours is nine and hungry. Also which thai place in Cupertino is cheap"
    first, second = queries(interpreter, message)
    assert "'do they let children in at this restaurant?'" in first
    assert "'thai' = ANY(cuisines)" in second


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "is Quorum loud? and do you know a place in Cupertino that does breakfast",
            ("is Quorum loud?", "do you know a place in Cupertino that does breakfast"),
        ),
        (
            "which thai place is best rated, and also where in Sunnyvale can we get ramen at 11 tonight?",
            ("which thai place is best rated", "where in Sunnyvale can we get ramen at 11 tonight?"),
        ),
        (
            "Settle it please: what is the highest rated thai place in Cupertino?",
            ("Settle it please: what is the highest rated thai place in Cupertino?",),
        ),
    ],
)
def test_what_looks_for_something_of_its_own_is_a_question_of_its_own(
    interpreter: Interpreter, message: str, words: tuple[str, ...]
) -> None:
    found = asked(interpreter, message)
    assert tuple(one.words for one in found) == words
    assert not any(one.following for one in found)


@pytest.mark.parametrize(
    ("message", "second"),
    [
        ("can I still see a doctor, and how often?", "how often can I still see a doctor?"),
        ("could we bring our own wine and what would they charge?", "what would they charge to bring our own wine?"),
        ("can I park there and is there a fee", "is there a fee to park there?"),
    ],
)
def test_a_question_that_only_asks_how_or_what_for_is_filled_up(
    interpreter: Interpreter, message: str, second: str
) -> None:
    held = Conversation(assistant="restaurants", tables=("restaurants",), past=(SHOWN,), now=datetime(2026, 11, 20, 10))
    _, other = interpreter.understand(message, held).questions
    assert other.words == second
