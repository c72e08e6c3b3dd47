"""How much of a message is read."""

from agent.parsing.semantics.spelling import Speller
from agent.text.bounds import MESSAGE, QUESTIONS, WORD, bounded


def test_message_of_ordinary_length_is_read_as_it_is() -> None:
    said = "Thai in Sunnyvale, please!!! I'd like:\n\n- a patio\n- parking ... thanks :)"
    assert bounded(said).text == said
    assert bounded(said).note == ""


def test_long_message_is_cut_between_sentences_and_says_where() -> None:
    read = bounded("I want thai food. " * 200)
    assert len(read.text) <= MESSAGE
    assert read.text.endswith("food.")
    assert read.note.startswith("I read only the first part of that message, up to “I want thai food. I want")


def test_no_more_questions_are_read_than_anybody_asks_at_once() -> None:
    asked = "Is it loud?! " * QUESTIONS
    assert bounded(asked).text == asked
    read = bounded(asked + "Do they take cards?")
    assert read.text == asked.rstrip()
    assert read.unread.startswith("Do they take cards?")


def test_text_without_spaces_is_cut_all_the_same() -> None:
    read = bounded("寿司" * 5_000)
    assert len(read.text) == MESSAGE
    assert read.unread


def test_endless_row_of_signs_is_shortened_and_keeps_words_and_lines_apart() -> None:
    assert len(bounded("thai" + "-" * 300 + "sushi").text) < 40
    assert "\n" in bounded("thai" + "-" * 100 + "\n" + "-" * 100 + "sushi").text
    assert bounded("thai" + " " * 300 + "sushi").text.split() == ["thai", "sushi"]


def test_text_that_is_kept_is_what_its_writer_wrote() -> None:
    report = f"Paper jam in the lab:\n{'-' * 40}\nE 4711   tray_2 {'=' * 30} it began on Monday!!!"
    read = bounded(f"It broke. {report}")
    assert "-" * 20 not in read.text
    assert read.written(" ".join(read.text.removeprefix("It broke. ").split())) == report
    assert read.written("2026-11-27") == "2026-11-27"


def test_kept_text_that_was_cut_is_whole() -> None:
    report = "The printer jams and nobody repairs it. " * 100
    read = bounded(f"My report: {report}")
    assert read.written(read.text.removeprefix("My report: ")) == report.strip()
    assert read.written("The printer jams and nobody repairs it.") == "The printer jams and nobody repairs it."


def test_word_longer_than_any_is_never_put_right() -> None:
    speller = Speller(["restaurant"])
    assert speller.right("restaurantt") == "restaurant"
    long = "restaurantt" * (WORD // 11 + 1)
    assert speller.right(long) == long
    assert not speller.known(long)
