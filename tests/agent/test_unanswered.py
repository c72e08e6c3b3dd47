"""A text that does not answer is told in full where the conditions say which one is meant."""

from agent.parsing.unanswered import in_full, is_beside_the_point, nearest
from agent.suql import Evidence, Result, Row
from agent.suql.result import Step, Usage


def test_one_row_by_its_values_is_told_in_full() -> None:
    suql = "SELECT name, answer(sheet, 'how long?') AS answer FROM programs WHERE level = 'MS' LIMIT 1"
    assert in_full(suql) == "SELECT name, sheet AS answer FROM programs WHERE level = 'MS' LIMIT 1"


def test_the_nearest_of_all_texts_is_not() -> None:
    assert in_full("SELECT title, answer(body, 'how long?') AS answer FROM articles LIMIT 1") == ""


def test_a_row_told_by_its_text_is_not() -> None:
    assert in_full("SELECT answer(body, 'a?') AS answer FROM articles WHERE answer(body, 'b?') = 'Yes'") == ""


def _nearest_to(answer: str, confidence: float = 0.5) -> Result:
    values = {"title": "Repeating a course", "answer": answer}
    found = Evidence("", answer, answer, 0, len(answer), confidence=confidence)
    row = Row(values=values, key="repeat", title="Repeating a course", evidence=(found,))
    return Result(columns=("title", "answer"), rows=(row,), usage=Usage(), plan=Step("scan", "articles"))


def test_a_text_that_hardly_speaks_of_what_was_told_is_beside_the_point() -> None:
    near = _nearest_to("Both attempts remain on the transcript.")
    assert is_beside_the_point(near, "I was charged twice for my transcript")
    assert not is_beside_the_point(near, "both my attempts are on the transcript")


def test_a_text_close_in_meaning_is_not_whatever_words_it_says() -> None:
    assert not is_beside_the_point(_nearest_to("Both attempts remain.", 0.7), "I sat the same class two times")
    assert is_beside_the_point(_nearest_to("Both attempts remain.", 0.5), "I sat the same class two times")


def test_what_was_asked_is_for_the_reader_to_judge() -> None:
    assert not is_beside_the_point(_nearest_to("Both attempts remain."), "why was I charged twice?")


def test_what_is_told_before_a_question_is_not_judged_for_itself() -> None:
    assert not is_beside_the_point(_nearest_to("Both attempts remain."), "my bike has a flat, where is it mended")
    assert is_beside_the_point(_nearest_to("Both attempts remain."), "my bike has a flat")


def test_where_nothing_answers_the_words_that_come_nearest_are_told() -> None:
    text = "Attempts. Both attempts remain. They count once."
    near = Evidence("do both count?", None, text, 10, 31)
    values = {"title": "Repeating a course", "answer": None, "contact": "the Desk"}
    row = Row(values=values, key="repeat", title="Repeating a course", evidence=(near,))
    result = Result(columns=("title", "answer", "contact"), rows=(row,), usage=Usage(), plan=Step("scan", "articles"))
    assert nearest(result) == (
        "The closest I found is in “Repeating a course”: “Both attempts remain”",
        "You can ask: the Desk",
    )
    assert nearest(result, beside=True) == ("You can ask: the Desk",)
