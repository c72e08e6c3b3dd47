"""What helps who is asked for a field again: examples, choices, and how to pass over it or to leave."""

from __future__ import annotations

from collections.abc import Sequence

from agent.text.english import listed
from agent.worksheets.specification import Basic, Field, Worksheet
from agent.worksheets.wording import small, title_of

EXAMPLES = {
    Basic.DATE: "For example “this Friday” or “December 4”.",
    Basic.TIME: "For example “7:30 pm”.",
    Basic.INTEGER: "A number such as 4.",
    Basic.BOOLEAN: "Yes or no is enough.",
}
MOST_CHOICES = 6


def helps_of(field: Field, options: Sequence[str]) -> str:
    """Return what the value can be, or looks like; "" if `options` tell it already."""
    if options:
        return ""
    if field.options:
        return f"It can be {listed(field.options[:MOST_CHOICES], 'or')}."
    example = EXAMPLES.get(field.type.basic) if field.type.basic else None
    return example or (f"That is: {small(field.description.rstrip('.'))}." if field.description else "")


def ways_out(field: Field, worksheet: Worksheet) -> str:
    """Return how to go on without telling it."""
    if not field.required:
        return "You can also say “skip it”."
    return f"You can also say “forget it” to leave the {title_of(worksheet)}."
