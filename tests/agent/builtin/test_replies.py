"""Replies from templates: every fact in them is in the rows."""

from datetime import datetime

import pytest

from agent.backends.builtin.replies import respond
from agent.backends.builtin.talking import Talking
from agent.backends.builtin.wording import hours, readable
from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.language import ChatKind, Conversation, Found, PastTurn, Reply, RespondRequest
from agent.text.english import listed
from corpora.catalogue import catalogue

NOW = datetime(2026, 11, 20, 10)
TALK = Conversation(assistant="restaurants", tables=("restaurants",), now=NOW)
MEMORY = ValueMemory({"restaurants.city": ["Cupertino", "Palo Alto", "San Francisco"]})
EVERYTHING = Talking.of(catalogue(), (), MEMORY)
NOUN = ("restaurant", "restaurants")


def replied(request: RespondRequest) -> Reply:
    return respond(request, Talking.of(catalogue(), request.conversation.tables, MEMORY))


def say(**found: object) -> str:
    one = Found.model_validate({"question": "q", "description": "d", "noun": NOUN, **found})
    return respond(RespondRequest(message="m", conversation=TALK, found=(one,)), EVERYTHING).text


def test_entities_are_named_and_counted():
    text = say(rows=({"name": "Alder"}, {"name": "Birch"}), titles=("Alder", "Birch"))
    assert text == "Two restaurants that fit: **Alder** and **Birch**."
    alone = say(rows=({"model": "Alder"}, {"model": "Birch"}), titles=("Alder", "Birch"), columns=("model",))
    assert alone == text, "what they are called is not told of them"


def test_columns_that_were_asked_for_are_told():
    rows = ({"name": "Alder", "phone_number": "555-0100"}, {"name": "Birch", "phone_number": "555-0101"})
    text = say(rows=rows, titles=("Alder", "Birch"), columns=("name", "phone_number"))
    assert text == "- **Alder**: phone number 555-0100\n- **Birch**: phone number 555-0101"
    text = say(rows=rows[:1], titles=("Alder",), columns=("name", "phone_number"))
    assert text == "The phone number of **Alder** is 555-0100."


def test_how_many_of_how_many_is_one_sentence():
    rows = ({"title": "Alder", "capacity": 36, "enrolled": 30},)
    text = say(rows=rows, titles=("Alder",), columns=("title", "capacity", "enrolled"))
    assert text == "**Alder** has 30 of 36 seats taken."
    more = (*rows, {"title": "Birch", "capacity": 60, "enrolled": 60})
    text = say(rows=more, titles=("Alder", "Birch"), columns=("title", "capacity", "enrolled"))
    assert text == "- **Alder**: 30 of 36 seats taken\n- **Birch**: 60 of 60 seats taken"


def test_nothing_is_said_plainly():
    assert say().startswith("I found no restaurants that fit.")
    searched = "Turkish restaurants in San Francisco, best rated first, 3 at most"
    assert say(description=searched).startswith("I found no Turkish restaurants in San Francisco. You can")
    assert say(description="restaurants " * 20).startswith("I found no restaurants that fit.")


def test_an_error_is_not_taken_for_nothing():
    text = say(error="The database did not answer in time; try again.")
    assert text == "The database did not answer in time; try again."


def test_running_out_of_budget_is_not_taken_for_nothing():
    text = say(complete=False, notes=("12 of 40 restaurants were not looked at",))
    assert "had to stop" in text
    assert "12 of 40 restaurants were not looked at." in text


def test_what_was_left_out_is_said_first():
    text = say(rows=({"name": "Alder"},), titles=("Alder",), relaxed=("cheap", "open now"))
    assert text.startswith("I found nothing that fits all of that. Leaving out *cheap* and *open now*:")


def test_a_count_is_a_sentence():
    assert say(presentation="aggregate", rows=({"count": 1},)) == "There is **1** restaurant."
    one = say(presentation="aggregate", rows=({"count": 1},), description="the number of Thai restaurants in Cupertino")
    assert one == "There is **1** Thai restaurant in Cupertino."
    of_many = "the number of restaurants that are not thai"
    assert say(presentation="aggregate", rows=({"count": 1},), description=of_many) == "There is **1** restaurant."
    assert say(presentation="aggregate", rows=({"count": 0},)) == "There are **0** restaurants."


def test_a_number_says_what_of() -> None:
    counted = {"presentation": "aggregate", "description": "the number of Thai restaurants in Cupertino"}
    assert say(**counted, rows=({"count": 4},)) == "There are **4** Thai restaurants in Cupertino."
    assert say(**counted, rows=({"count": 4},), among=5) == "That is **4** of the five."
    average = {"presentation": "aggregate", "description": "the average rating of Thai restaurants"}
    assert say(**average, rows=({"avg": 4.25},)) == "The average rating of Thai restaurants is **4.25**."


def test_the_first_of_an_order_is_the_answer() -> None:
    rows = {"rows": ({"name": "Alder", "rating": 4.5},), "titles": ("Alder",), "columns": ("name",)}
    assert say(**rows, first=("rating", "name")) == "That would be **Alder** (rated 4.5)."
    assert say(**rows, first=("distance",)) == "That would be **Alder**."
    assert say(**rows) == "**Alder** fits."


def test_the_first_of_some_groups_is_the_answer() -> None:
    counted = {"presentation": "aggregate", "rows": ({"city": "Cupertino", "count": 3},)}
    assert say(**counted, first=("count",)) == "That would be **Cupertino**: 3 restaurants."
    averaged = ({"city": "Cupertino", "avg": 4.2}, {"city": "Sunnyvale", "avg": 4.1})
    assert say(presentation="aggregate", rows=averaged) == "- **Cupertino**: average 4.2\n- **Sunnyvale**: average 4.1"


def test_yes_and_no_beside_other_facts_say_what_they_are_about() -> None:
    asked = {"answer": "does this restaurant have a patio?", "answer_2": "is this restaurant noisy?"}
    row = {"name": "Alder", "price": "cheap", "answer": "Yes", "answer_2": None}
    text = say(presentation="detail", rows=(row,), titles=("Alder",), asked=asked)
    assert text == "**Alder**: cheap prices; yes, it has a patio; nobody says whether it is noisy"


def test_a_yes_of_each_of_several_says_what_it_is_about() -> None:
    rows = ({"name": "Alder", "answer": "Yes"}, {"name": "Birch", "answer": None})
    asked = {"answer": "is this restaurant quiet?"}
    text = say(presentation="detail", rows=rows, titles=("Alder", "Birch"), asked=asked)
    assert text == "- **Alder**: yes, it is quiet\n- **Birch**: nobody says whether it is quiet"


def test_what_was_read_of_one_thing_is_told_once_beside_its_rows() -> None:
    rows = tuple({"title": "Logic", "instructor_names": [who], "answer": "No"} for who in ("Ada", "Bo"))
    asked = {"answer": "is this course hard?"}
    text = say(presentation="detail", rows=rows, titles=("Logic", "Logic"), asked=asked, noun=("course", "courses"))
    assert text == "**Logic**: no, it is not hard\n\n- taught by Ada\n- taught by Bo"


def test_rows_of_one_thing_that_are_silent_take_nothing_from_those_that_speak() -> None:
    rows = tuple({"title": "Logic", "average_hours_spent": 9, "answer": said} for said in (None, "Yes", None))
    asked = {"answer": "does this course have exams?"}
    text = say(presentation="detail", rows=rows, titles=("Logic",) * 3, asked=asked, noun=("course", "courses"))
    assert text == "**Logic**: 9 hours a week; yes, it has exams"


def test_texts_that_disagree_are_said_to() -> None:
    rows = tuple({"title": "Logic", "answer": said} for said in ("Yes", "No"))
    text = say(presentation="detail", rows=rows, titles=("Logic",) * 2, asked={"answer": "is it fun?"})
    assert text == "**Logic**: some say yes, some no"


def test_what_answers_two_questions_is_said_once() -> None:
    silent = Found(question="q", description="d", presentation="article", noun=("article", "articles"))
    request = RespondRequest(message="m", conversation=TALK, found=(silent, silent))
    assert replied(request).text == "The articles don't say."


def test_a_detail_names_what_is_not_known():
    text = say(presentation="detail", rows=({"name": "Alder", "phone_number": None},), titles=("Alder",))
    assert text == "**Alder**: phone number not known"


def test_of_a_whole_record_what_has_its_place_on_the_card_or_is_not_known_is_not_told() -> None:
    review = "The patties are thinner than they were a year ago, and the price went the other way; the fries are fine."
    row = {
        "name": "Alder",
        "cuisines": ["burgers"],
        "price": "cheap",
        "rating": 3.7,
        "city": "Palo Alto",
        "popular_dishes": ["tots"],
        "reviews": [review, "its fine"],
        "picture": "/pictures/pa-alder.svg",
        "link": None,
    }
    text = say(presentation="detail", rows=(row,), titles=("Alder",))
    assert text == "**Alder**: burgers; cheap prices; rated 3.7; city Palo Alto; popular dishes tots"
    asked = say(presentation="detail", rows=({"name": "Alder", "link": "alder.example"},), titles=("Alder",))
    assert asked == "The link of **Alder** is alder.example."


def test_rows_that_tell_one_thing_of_the_same_entity_are_one() -> None:
    rows = ({"title": "Logic", "instructor_names": ["Ada", "Bo"]}, {"title": "Logic", "instructor_names": ["Bo", "Cy"]})
    text = say(presentation="detail", rows=rows, titles=("Logic", "Logic"))
    assert text == "**Logic** is taught by Ada, Bo and Cy."


def test_rows_that_tell_several_things_of_one_entity_stay_apart() -> None:
    rows = (
        {"season": "autumn", "days": ["Mon"], "start_time": "09:30", "end_time": "10:20"},
        {"season": "winter", "days": ["Tue"], "start_time": "13:00", "end_time": None},
    )
    text = say(presentation="detail", rows=rows, titles=("Logic", "Logic"))
    assert text == (
        "**Logic**:\n\n- autumn; Mon; 9:30 am to 10:20 am\n- winter; Tue; start time 1:00 pm; end time not known"
    )


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("num_reviews", 3120, "**Alder** has 3120 reviews."),
        ("address", "1 Elm Street", "The address of **Alder** is 1 Elm Street."),
        ("popular_dishes", ["soup", "pie"], "The popular dishes of **Alder** are soup and pie."),
        ("instructor_names", ["Ada"], "**Alder** is taught by Ada."),
        ("rating", 4.5, "**Alder** is rated 4.5."),
    ],
)
def test_one_fact_agrees_in_number(column: str, value: object, said: str) -> None:
    assert say(presentation="detail", rows=({"name": "Alder", column: value},), titles=("Alder",)) == said


def test_one_fact_is_a_sentence() -> None:
    text = say(presentation="detail", rows=({"name": "Alder", "phone_number": "555-0100"},), titles=("Alder",))
    assert text == "The phone number of **Alder** is 555-0100."
    text = say(presentation="detail", rows=({"name": "Alder", "answer": "Twenty minutes"},), titles=("Alder",))
    assert text == "**Alder**: Twenty minutes"


@pytest.mark.parametrize(
    ("asked", "value", "said"),
    [
        ("does this restaurant have parking?", "Yes", "Yes, **Alder** has parking."),
        ("does this restaurant still have the carts?", "No", "No, **Alder** no longer has the carts."),
        ("do this restaurant still serve dim sum?", "Yes", "Yes, **Alder** still serves dim sum."),
        ("is this restaurant noisy?", "No", "No, **Alder** is not noisy."),
        ("is this restaurant noisy?", None, "Nobody says whether **Alder** is noisy."),
        ("is there a long wait at this restaurant?", "No", "**Alder**: no, there is no long wait."),
        ("how long is the wait?", "an hour", "**Alder**: an hour"),
    ],
)
def test_a_yes_or_no_is_a_sentence(asked: str, value: str | None, said: str) -> None:
    row = {"name": "Alder", "answer": value}
    assert say(presentation="detail", rows=(row,), titles=("Alder",), asked={"answer": asked}) == said


def test_nothing_among_the_rows_of_before_is_no_search_without_results() -> None:
    assert say(among=3).startswith("None of the three, as far as I can tell")
    assert say(among=2).startswith("Neither of the two, as far as I can tell")
    assert say(among=1).startswith("No, as far as I can tell")


def test_a_missing_city_is_asked_for():
    text = replied(RespondRequest(message="m", conversation=TALK, ask="location")).text
    assert "Which city" in text


def test_a_greeting_says_what_can_be_asked():
    reply = replied(RespondRequest(message="hi", conversation=TALK, chat=ChatKind.GREETING))
    assert "restaurants" in reply.text
    assert reply.suggestions


def test_what_was_told_is_not_suggested() -> None:
    told = {
        "titles": ("Alder",),
        "rows": ({"name": "Alder", "opening_hours": {}},),
        "columns": ("name", "opening_hours"),
    }
    one = Found.model_validate({"question": "q", "description": "d", "presentation": "detail", **told})
    after = replied(RespondRequest(message="m", conversation=TALK, found=(one,))).suggestions
    assert "When is it open?" not in after
    assert len(after) == 3
    listed_with_all = one.model_copy(update={"presentation": "list"})
    assert (
        "When is it open?"
        in replied(RespondRequest(message="m", conversation=TALK, found=(listed_with_all,))).suggestions
    )


def test_more_is_offered_where_there_may_be_more() -> None:
    three = {"titles": ("Alder", "Birch", "Cedar"), "rows": ({"name": "Alder"}, {"name": "Birch"}, {"name": "Cedar"})}
    full = Found.model_validate({"question": "q", "description": "d", "more": True, **three})
    asked = RespondRequest(message="m", conversation=TALK, found=(full,))
    assert replied(asked).suggestions[-1] == "Show more"
    all_there_are = RespondRequest(message="m", conversation=TALK, found=(full.model_copy(update={"more": False}),))
    assert "Show more" not in replied(all_there_are).suggestions


def test_values_read_as_people_write_them():
    assert readable(4.50) == "4.5"
    assert readable(["a", "b", "c"]) == "a, b and c"
    assert listed(["a"]) == "a"
    assert (
        hours({"mon": [["11:00", "14:00"]], "tue": [["11:00", "14:00"]]})
        == "Mon-Tue 11:00 am to 2:00 pm; Wed-Sun closed"
    )


def test_a_night_belongs_to_the_day_it_begins_on() -> None:
    late = {"fri": [["17:00", "24:00"]], "sat": [["00:00", "02:00"], ["12:00", "24:00"]], "sun": [["00:00", "02:00"]]}
    assert hours(late) == "Mon-Thu closed; Fri 5:00 pm to 2:00 am; Sat 12:00 noon to 2:00 am; Sun closed"
    always = {day: [["00:00", "24:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
    assert hours(always) == "Mon-Sun around the clock"


DESK = "Student Desk, 555-0140"
ARTICLE = ("article", "articles")


def article(question: str, answer: str | None) -> str:
    row = {"slug": "drop", "answer": answer, "contact": DESK}
    return say(question=question, presentation="article", rows=(row,), titles=("Dropping a class",), noun=ARTICLE)


def test_an_articles_answer_says_where_it_stands():
    assert article("how do I drop a class?", "Press Drop.") == "Press Drop.\n\nFrom *Dropping a class*."


def test_whom_to_ask_is_said_when_asked_for():
    assert article("who can I call about this?", "Press Drop.").startswith(f"You can ask: {DESK}.")


def test_an_article_that_does_not_answer_is_not_made_to():
    assert article("where is the pool?", None) == "The articles don't say."


def test_texts_that_are_no_articles_are_called_what_they_are():
    text = say(presentation="article", rows=(), titles=(), noun=("program", "programs"))
    assert text == "The programs don't say."


def test_where_no_article_answers_the_nearest_and_whom_to_ask_are_named():
    notes = ("The article nearest to it is “Dropping a class”", f"You can ask: {DESK}")
    text = say(question="where is the pool?", presentation="article", noun=ARTICLE, rows=(), titles=(), notes=notes)
    assert text.startswith("The articles don't say.")
    assert "Dropping a class" in text
    assert DESK in text


def test_an_identifier_of_a_vocabulary_is_said_in_words() -> None:
    assert readable(["people_and_society", "systems"]) == "people and society and systems"
    assert readable("CS_106B") == "CS_106B"


def test_who_does_not_mind_where_is_told_that_all_cities_were_searched() -> None:
    past = PastTurn(user="sushi", agent="Three fit.", asked="location")
    conversation = Conversation(
        assistant="restaurants", tables=("restaurants",), past=(past,), now=datetime(2026, 11, 20)
    )
    request = RespondRequest(message="anywhere", conversation=conversation, chat=ChatKind.DONT_CARE)
    assert replied(request).text == "All right. These results are from all of them."


def test_who_asks_whom_to_call_is_told_whom_first():
    notes = ("The article nearest to it is “Dropping a class”", f"You can ask: {DESK}")
    text = say(question="who can I talk to?", presentation="article", noun=ARTICLE, rows=(), titles=(), notes=notes)
    assert text.startswith(f"You can ask: {DESK}")


def test_a_question_of_fact_is_answered_and_the_fact_told():
    rows = ({"title": "Botany", "season": "autumn"}, {"title": "Botany", "season": "winter"})
    text = say(presentation="detail", holds=False, rows=rows, titles=("Botany", "Botany"), columns=("title", "season"))
    assert text == "No. **Botany** is offered in autumn and winter."


def test_an_empty_list_is_a_fact_and_a_missing_value_is_none():
    one = {"presentation": "detail", "titles": ("Botany",), "holds": False}
    needs = ({"title": "Botany", "prerequisite_course_codes": []},)
    text = say(**one, rows=needs, columns=("title", "prerequisite_course_codes"))
    assert text == "No. **Botany** has no prerequisites."
    text = say(**one, rows=({"title": "Botany", "room": None},), columns=("title", "room"))
    assert text.startswith("I have no information on that")


def test_silence_of_one_text_takes_nothing_from_what_another_says():
    rows = ({"title": "Botany", "answer": "No"}, {"title": "Botany", "answer": None})
    text = say(
        presentation="detail",
        rows=rows,
        titles=("Botany", "Botany"),
        columns=("title", "answer"),
        asked={"answer": "does this course have exams?"},
        noun=("course", "courses"),
    )
    assert text == "No, **Botany** does not have exams."


def test_a_name_that_nothing_goes_by_is_said():
    assert say(presentation="detail", unknown=("CS 777",)) == "I know of no CS 777."


WEEK = {"mon": [["11:00", "22:00"]], "thu": [["11:00", "24:00"]], "fri": [["00:00", "01:00"], ["11:00", "24:00"]]}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("is it open on Tuesdays?", "**Alder** is closed on Tuesday."),
        ("how late on thursday", "**Alder** is open on Thursday 11:00 am to 1:00 am."),
        ("when does it open tomorrow?", "**Alder** is closed on Saturday."),
        ("is it open monday or tue", "**Alder** is open on Monday 11:00 am to 10:00 pm and closed on Tuesday."),
        ("when is it open?", "The opening hours of **Alder** are Mon 11:00 am to 10:00 pm;"),
    ],
)
def test_hours_are_told_of_the_days_that_are_asked_about(question: str, said: str) -> None:
    found = Found(
        question=question,
        description="d",
        presentation="detail",
        columns=("name", "opening_hours"),
        rows=({"name": "Alder", "opening_hours": WEEK},),
        titles=("Alder",),
    )
    assert TALK.now.weekday() == 4
    assert replied(RespondRequest(message="m", conversation=TALK, found=(found,))).text.startswith(said)


def test_where_none_is_as_asked_what_is_so_of_each_is_told() -> None:
    rows = ({"name": "Alder", "answer": "No"}, {"name": "Birch", "answer": None})
    told = say(
        presentation="detail", rows=rows, titles=("Alder", "Birch"), asked={"answer": "is this restaurant quiet?"},
        holds=False,
    )  # fmt: skip
    assert told.startswith("Neither of the two, as far as I can tell:")
    assert "**Alder**: no, it is not quiet" in told
    assert "**Birch**: nobody says whether it is quiet" in told


QUIET = {"answer": "is this restaurant quiet?"}


def test_what_comes_near_is_told_where_nobody_says():
    rows = ({"name": "Alder", "answer": None}, {"name": "Birch", "answer": "Yes"})
    told = {"columns": ("name", "answer"), "asked": QUIET, "presentation": "detail"}
    one = say(rows=rows[:1], titles=("Alder",), nearest=("We could hear the sea.",), **told)
    assert one == "I'm not sure whether **Alder** is quiet. The closest I found: “We could hear the sea”."
    both = say(rows=rows, titles=("Alder", "Birch"), nearest=("We could hear the sea.", "A hush."), **told)
    assert both.splitlines() == [
        "- **Alder**: I'm not sure whether it is quiet. The closest I found: “We could hear the sea”.",
        "- **Birch**: yes, it is quiet",  # it was answered: there is nothing to look for
    ]


def test_a_text_that_is_silent_beside_one_that_speaks_leads_nowhere():
    rows = ({"title": "Alder", "answer": None}, {"title": "Alder", "answer": "No"})
    text = say(
        rows=rows,
        titles=("Alder", "Alder"),
        columns=("title", "answer"),
        asked=QUIET,
        presentation="detail",
        nearest=("A hush.", ""),
    )
    assert "nearest" not in text


def test_several_times_of_a_group_are_all_told() -> None:
    rows = ({"season": "autumn", "start_time": ["10:00:00", None, "13:30:00"], "end_time": ["11:00:00", "15:00:00"]},)
    text = say(rows=rows, columns=("season", "start_time", "end_time"))
    assert "10:00 am and 1:30 pm" in text
    assert "11:00 am and 3:00 pm" in text


def test_lists_of_anything_can_be_told() -> None:
    for value in ([], [None], [["a", "b"], ["c"]], [1.5, None], ["Yes", "No", "Yes"]):
        assert say(rows=({"name": "Alder", "found": value},), titles=("Alder",), columns=("name", "found"))


def test_what_was_left_unread_is_said() -> None:
    request = RespondRequest(
        message="m", conversation=TALK, chat=ChatKind.GREETING, unread="I read only the first part."
    )
    assert replied(request).text.endswith("\n\nI read only the first part.")


def test_of_a_corpus_that_brings_no_words_nothing_of_another_is_said() -> None:
    bridges = Table(name="bridges", columns=(Column("name", Kind.TEXT),), noun=("bridge", "bridges"))
    talking = Talking.of(Catalogue((*catalogue(), bridges)), ("bridges",), MEMORY)
    talk = Conversation(assistant="bridges", tables=("bridges",), now=NOW)
    greeting = respond(RespondRequest(message="hi", conversation=talk, chat=ChatKind.GREETING), talking)
    assert greeting.text == "Hello! I can look for bridges. What are you looking for?"
    assert greeting.suggestions == ()
    asked = respond(RespondRequest(message="somewhere", conversation=talk, ask="location"), talking)
    assert asked.text == "Which place should I look in? Or say *anywhere*."
    assert asked.suggestions == ("Anywhere",)
