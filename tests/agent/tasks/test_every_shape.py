"""What is said where an answer cannot be read, for every shape that a field has."""

from agent.parsing.tasks.answering import WHY
from agent.parsing.tasks.shapes import Shape


def test_answer_that_cannot_be_read_is_explained_for_every_shape() -> None:
    assert set(WHY) == set(Shape)
