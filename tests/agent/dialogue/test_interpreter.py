"""Messages in their conversation: what carries over, what is replaced, what points to rows shown before."""

from datetime import datetime

import pytest

from agent.language import ChatKind, Conversation, PastQuery, PastTurn, Understanding
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.parser import BuiltinParser
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY

SHOWN = (
    ("fig", "Fig & Foghorn", {"price": "expensive", "rating": 4.1, "num_reviews": 80}),
    ("kaveri", "Kaveri Tiffin Room", {"price": "moderate", "rating": 4.4, "num_reviews": 300}),
    ("quorum", "Quorum", {"price": "cheap", "rating": 3.8, "num_reviews": 40}),
)


class Talker:
    """Says messages one after the other; every list of restaurants shows the same three."""

    def __init__(self, assistant: str = "restaurants", tables: tuple[str, ...] = ("restaurants",)) -> None:
        tables_known = catalogue()
        selector = CorpusSelector(tables_known, MEMORY)
        self.interpreter = Interpreter(BuiltinParser(tables_known, MEMORY, GAZETTEER), tables_known, selector)
        self.assistant = assistant
        self.tables = tables
        self.past: tuple[PastTurn, ...] = ()

    def understand(self, message: str) -> Understanding:
        return self.interpreter.understand(message, self._conversation())

    def say(self, message: str) -> str:
        """The SUQL of a message's one question."""
        conversation = self._conversation()
        understood = self.interpreter.understand(message, conversation)
        (question,) = understood.questions
        parsed = self.interpreter.parse(question, conversation)
        frame = parsed.frame or {}
        counted = frame["aggregate"] is not None
        rows = [row for row in SHOWN if not counted and (not frame["among"] or row[0] in frame["among"])]
        query = PastQuery(
            question=question.words,
            suql=parsed.suql,
            table=parsed.tables[0],
            keys=tuple(key for key, _, _ in rows),
            titles=tuple(title for _, title, _ in rows),
            rows=tuple(values for _, _, values in rows),
            presentation=parsed.presentation,
            frame=frame,
        )
        self.past = (*self.past, PastTurn(user=message, agent="", queries=(query,), asked=understood.ask))
        return parsed.suql

    def _conversation(self) -> Conversation:
        now = datetime(2026, 11, 20, 10)
        return Conversation(assistant=self.assistant, tables=self.tables, past=self.past, now=now)


@pytest.fixture
def talk() -> Talker:
    return Talker()


def test_a_place_given_later_is_added(talk):
    talk.say("thai food")
    suql = talk.say("in Sunnyvale")
    assert "'thai' = ANY(cuisines)" in suql
    assert "location = 'Sunnyvale'" in suql


def test_a_missing_city_is_asked_for_once(talk):
    assert talk.understand("thai food").ask == "location"
    talk.say("thai food")
    assert talk.understand("not too loud").ask == ""


def test_a_named_place_settles_the_city(talk):
    assert talk.understand("is Quorum noisy?").ask == ""
    assert talk.understand("burgers near Apple Park").ask == ""


def test_instead_replaces_the_place_and_keeps_the_rest(talk):
    talk.say("cheap thai in Palo Alto")
    suql = talk.say("what about Cupertino instead")
    assert "location = 'Cupertino'" in suql
    assert "Palo Alto" not in suql
    assert "price = 'cheap'" in suql


def test_a_condition_can_be_taken_back(talk):
    talk.say("cheap thai in Palo Alto")
    suql = talk.say("drop the price")
    assert "price" not in suql
    assert "'thai' = ANY(cuisines)" in suql


def test_cheaper_means_cheaper_than_what_was_shown(talk):
    talk.say("thai in Palo Alto")
    assert "price < 'expensive'" in talk.say("something cheaper please")


def test_something_else_leaves_out_what_was_shown(talk):
    talk.say("thai in Palo Alto")
    suql = talk.say("something else")
    assert "slug NOT IN ('fig', 'kaveri', 'quorum')" in suql
    assert "'thai' = ANY(cuisines)" in suql


def test_the_second_one_is_the_second_row(talk):
    talk.say("thai in Palo Alto")
    suql = talk.say("what's the phone number of the second one?")
    assert "phone_number" in suql
    assert "slug IN ('kaveri')" in suql


def test_a_question_about_rows_is_not_a_new_condition(talk):
    talk.say("thai in Palo Alto")
    suql = talk.say("is it good for kids?")
    assert "slug IN ('fig')" in suql
    assert "= 'Yes'" not in suql


def test_which_of_these_chooses_among_the_rows(talk):
    talk.say("thai in Palo Alto")
    suql = talk.say("which of these is the cheapest?")
    assert "slug IN ('fig', 'kaveri', 'quorum')" in suql
    assert "ORDER BY price" in suql
    assert "LIMIT 1" in suql


def test_a_count_is_asked_again_of_another_place(talk):
    talk.say("how many thai restaurants are there in Palo Alto?")
    suql = talk.say("and in Sunnyvale?")
    assert "COUNT(*)" in suql
    assert "Sunnyvale" in suql


def test_starting_over_forgets(talk):
    talk.say("cheap thai in Palo Alto")
    suql = talk.say("start over: burgers in Cupertino")
    assert "thai" not in suql
    assert "price" not in suql


def test_a_condition_whose_chip_was_removed_does_not_come_back(talk):
    talk.say("cheap thai in Palo Alto")
    turn = talk.past[-1]
    (query,) = turn.queries
    smaller = query.model_copy(update={"suql": query.suql.replace(" AND location = 'Palo Alto'", "")})
    assert smaller.suql != query.suql
    talk.past = (turn.model_copy(update={"queries": (smaller,)}),)
    suql = talk.say("but not too loud")
    assert "Palo Alto" not in suql
    assert "price = 'cheap'" in suql


def test_what_somebody_just_had_is_left_out(talk):
    talk.say("somewhere quiet in Palo Alto")
    suql = talk.say("nah, I had thai yesterday")
    assert "NOT 'thai' = ANY(cuisines)" in suql
    assert "location = 'Palo Alto'" in suql


def test_too_widens(talk):
    talk.say("thai in Palo Alto")
    suql = talk.say("Sunnyvale too")
    assert "location = 'Palo Alto' OR location = 'Sunnyvale'" in suql


def test_what_others_like_is_a_condition_and_not_about_rows(talk):
    talk.say("somewhere quiet in Palo Alto")
    suql = talk.say("they like burgers")
    assert "slug" not in suql
    assert "burgers" in suql


def test_names_of_columns_ask_for_them(talk):
    talk.say("thai in Palo Alto")
    suql = talk.say("address and phone number?")
    assert suql.startswith("SELECT name, address, phone_number FROM restaurants")


def test_the_column_of_a_row_is_asked_for(talk):
    talk.say("thai in Palo Alto")
    assert "SELECT name, phone_number FROM restaurants WHERE slug IN ('fig')" in talk.say(
        "phone number of the first one"
    )


def test_another_city_leaves_the_rows_chosen_before(talk):
    talk.say("thai in Palo Alto")
    talk.say("which of these are cheap?")
    suql = talk.say("and in Sunnyvale instead?")
    assert "slug" not in suql
    assert "'thai' = ANY(cuisines)" in suql


def test_booking_is_not_a_search(talk):
    talk.say("thai in Palo Alto")
    understood = talk.understand("book me a table at the first one")
    assert understood.chat is ChatKind.OUT_OF_SCOPE
    assert understood.reply
    assert [question.words for question in understood.questions] == ["what is its phone number?"]


def test_general_knowledge_is_told_from_questions(talk):
    assert talk.understand("who won the election in 1992?").chat is ChatKind.GENERAL
    assert talk.understand("who has the best burgers in Palo Alto?").chat is None


def test_make_it_puts_another_kind_in_the_place_of_the_first() -> None:
    talker = Talker()
    talker.say("thai in Palo Alto")
    suql = talker.say("actually make it burgers")
    assert "'burgers' = ANY(cuisines)" in suql
    assert "thai" not in suql
    assert "location = 'Palo Alto'" in suql


def test_why_shows_what_was_searched_for_of_the_row() -> None:
    talker = Talker()
    talker.say("romantic thai in Palo Alto")
    suql = talker.say("why did you pick that one?")
    assert "answer(reviews, 'is this restaurant romantic?')" in suql
    assert "slug IN ('fig')" in suql


def test_the_runner_up_is_the_second() -> None:
    talker = Talker()
    talker.say("thai in Palo Alto")
    assert "slug IN ('kaveri')" in talker.say("what's the runner up's phone number?")


def test_a_question_after_an_answer_is_about_the_same_rows() -> None:
    talker = Talker()
    talker.say("thai in Palo Alto")
    talker.say("is the first one quiet?")
    suql = talker.say("and gluten free options?")
    assert "slug IN ('fig')" in suql
    assert "location" not in suql


def test_closest_orders_the_rows_shown_instead_of_filtering_them() -> None:
    talker = Talker()
    talker.say("thai in Palo Alto")
    suql = talker.say("which one is closest to Apple Park?")
    assert "slug IN ('fig', 'kaveri', 'quorum')" in suql
    assert "location" not in suql.partition(" ORDER BY ")[0]
    assert "power(latitude" in suql


@pytest.mark.parametrize("words", ["what made you choose the second one?", "why is the second one on the list"])
def test_why_a_row_was_chosen_is_asked_in_other_words(talk: Talker, words: str) -> None:
    talk.say("romantic thai in Palo Alto")
    suql = talk.say(words)
    assert "slug IN ('kaveri')" in suql
    assert "is this restaurant romantic?" in suql


def test_what_else_they_serve_is_asked_of_the_rows_shown(talk: Talker) -> None:
    talk.say("thai in Palo Alto")
    suql = talk.say("what else do they serve?")
    assert "popular_dishes" in suql
    assert "NOT IN" not in suql


def test_none_of_these_asks_for_others(talk: Talker) -> None:
    talk.say("thai in Palo Alto")
    suql = talk.say("none of these, something cheaper")
    assert "slug NOT IN ('fig', 'kaveri', 'quorum')" in suql
    assert "price <" in suql


def test_the_city_is_dropped_by_its_everyday_name(talk: Talker) -> None:
    talk.say("thai in Palo Alto")
    assert "location" not in talk.say("drop the city")


def test_how_rows_compare_shows_their_columns(talk: Talker) -> None:
    talk.say("thai in Palo Alto")
    suql = talk.say("how do the first two compare?")
    assert "slug IN ('fig', 'kaveri')" in suql
    assert "price, rating" in suql


def test_anything_closer_is_ordered_by_distance(talk: Talker) -> None:
    talk.say("thai in Cupertino")
    assert "power(latitude" in talk.say("anything closer to Apple Park?")


def test_an_opinion_asked_for_is_about_the_rows_shown(talk: Talker) -> None:
    talk.say("is Quorum noisy?")
    suql = talk.say("what do people complain about")
    assert "slug IN" in suql
    assert "complain" in suql


def test_what_is_to_be_forgotten_is_not_wanted() -> None:
    talk = Talker()
    talk.say("sushi in san francisco")
    suql = talk.say("forget sushi, i want pho")
    assert "pho" in suql
    assert "'sushi' = ANY(cuisines)" not in suql.replace("NOT 'sushi' = ANY(cuisines)", "")
    assert "forget" not in suql


def test_a_comparison_with_a_number_means_the_number() -> None:
    talker = Talker()
    talker.say("thai places in Sunnyvale")
    assert "num_reviews >= 500" in talker.say("more popular ones, at least 500 reviews")
    talker.say("thai places in Sunnyvale")
    assert "price < 'expensive'" in talker.say("cheaper, under 20 dollars")


def test_something_else_without_what_was_had() -> None:
    talker = Talker()
    talker.say("thai places in Sunnyvale with outdoor seating")
    other = talker.say("something else, we had thai yesterday")
    assert "NOT 'thai' = ANY(cuisines)" in other
    assert "outdoor seating" in other


@pytest.mark.parametrize("message", ["what about other cities?", "and in a different town?"])
def test_another_city_takes_the_place_of_the_one_searched(talk, message):
    talk.say("thai food in Palo Alto")
    asked = talk.understand(message).ask
    suql = talk.say(message)
    assert "'thai' = ANY(cuisines)" in suql
    assert "location" not in suql
    assert not asked


def test_somewhere_else_is_in_the_same_city_while_there_was_something(talk):
    talk.say("thai food in Palo Alto")
    assert "location = 'Palo Alto'" in talk.say("somewhere else?")


def test_anywhere_else_is_any_city_after_nothing_was_found(talk):
    talk.say("thai food in Palo Alto")
    nothing = talk.past[-1].queries[0].model_copy(update={"keys": (), "titles": (), "rows": ()})
    talk.past = (talk.past[-1].model_copy(update={"queries": (nothing,)}),)
    suql = talk.say("ok, anywhere else then?")
    assert "'thai' = ANY(cuisines)" in suql
    assert "location" not in suql


def test_what_is_wanted_nowhere_is_no_wish(talk):
    talk.say("quiet places in Sunnyvale")
    assert "NOT 'pizza' = ANY(cuisines)" in talk.say("no pizza please")


def test_no_before_a_pause_takes_back_what_was_searched_for(talk):
    talk.say("thai in Palo Alto")
    assert "NOT" not in talk.say("no, chinese!")


@pytest.mark.parametrize("message", ["which one would you pick?", "what's your recommendation?"])
def test_advice_is_the_best_rated_of_what_was_shown(talk, message):
    talk.say("thai in Palo Alto")
    assert talk.say(message).endswith("WHERE slug IN ('fig', 'kaveri', 'quorum') ORDER BY rating DESC LIMIT 1")


def test_one_in_each_city_needs_no_city(talk):
    assert not talk.understand("the best rated in each city").ask


def one_shown(talk: Talker, message: str) -> None:
    """Says a message that shows one restaurant."""
    talk.say(message)
    last = talk.past[-1]
    query = last.queries[0].model_copy(update={"keys": ("quorum",), "titles": ("Quorum",), "rows": (SHOWN[2][2],)})
    talk.past = (*talk.past[:-1], PastTurn(user=last.user, agent="", queries=(query,)))


@pytest.mark.parametrize(
    ("message", "ends"),
    [
        ("need one for tuesday evening", "opening_hours = 'open Tuesday evening'"),
        ("which of those is the cheapest?", "ORDER BY price ASC LIMIT 1"),
    ],
)
def test_what_was_counted_is_shown_when_some_of_it_is_wanted(message: str, ends: str) -> None:
    talk = Talker()
    talk.say("how many indian places are there in Palo Alto")
    suql = talk.say(message)
    assert suql.startswith("SELECT * FROM restaurants WHERE 'indian' = ANY(cuisines)")
    assert suql.endswith(ends)


def test_a_number_asked_again_stays_a_number() -> None:
    talk = Talker()
    talk.say("how many indian places are there in Palo Alto")
    assert talk.say("and in Cupertino?").startswith("SELECT COUNT(*)")


def test_something_cheaper_than_what_was_named_is_something_else() -> None:
    talk = Talker()
    one_shown(talk, "tell me about Quorum")
    suql = talk.say("Bit pricey. Anything cheaper around there with a patio?")
    assert "NOT name = 'Quorum'" in suql
    assert "price < (SELECT price FROM restaurants WHERE name = 'Quorum' LIMIT 1)" in suql
    assert "does this restaurant have a patio?" in suql


def test_message_where_there_is_nothing_to_search_finds_no_table() -> None:
    talker = Talker("trivia", ())
    assert talker.understand("cheap thai food").chat is ChatKind.OUT_OF_SCOPE
    assert talker.understand("thanks!").chat is ChatKind.THANKS
