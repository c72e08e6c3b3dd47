"""Statements and dialogue states in the Python notation of Genie Worksheets (figures 3 and 4, appendices D and L).

    book_restaurant_1 = BookRestaurant(date='2026-11-27', restaurant=answer('the best sushi in Palo Alto'))
    book_restaurant_1.number_of_people = 7
    answer('Is it noisy?')

What is read is parsed with `ast` and never run. Names may carry a counter or not (`course`, `course_1`). What the
notation of the paper has no words for is spelt as calls: `confirm(x)`, `deny(x)`, `abandon(x)`, `resume(x)`,
`unclear(x.field)`. "NA" is the value that a user would not or could not give, None takes a value back.
"""

from agent.worksheets.spelling.acts import read_pending
from agent.worksheets.spelling.notation import SpellingError
from agent.worksheets.spelling.statements import read_statements, write_statements
from agent.worksheets.spelling.states import read_state, write_state

__all__ = ["SpellingError", "read_pending", "read_state", "read_statements", "write_state", "write_statements"]
