"""The language of predicates, validations and actions (Genie Worksheets section 4, appendix B).

    program = parse("self.number_of_people <= 20", specification, "BookRestaurant")
    holds(program, scope)                                   # a predicate or validation
    run(parse('if self.confirm == False: >say("…") >exitws()', …), scope)    # an action: a list of steps

Python's syntax, parsed with `ast`, checked against an allow-list and the specification, and interpreted with a step
limit. Published spellings run unchanged. `self` is the instance, `user_info` that of another worksheet, `value` what
is about to be assigned, `today` the date and `now` the time of day ("19:30").
"""

from agent.protocols.errors import ExpressionError
from agent.worksheets.expressions.grammar import FUNCTIONS, ActionCall, Place, Program, parse
from agent.worksheets.expressions.interpreter import evaluate, holds, run
from agent.worksheets.expressions.scope import (
    AskConfirmation,
    CallAction,
    ExitWorksheet,
    Nested,
    Propose,
    Say,
    Scope,
    SetField,
    Step,
)

__all__ = [
    "FUNCTIONS",
    "ActionCall",
    "AskConfirmation",
    "CallAction",
    "ExitWorksheet",
    "ExpressionError",
    "Nested",
    "Place",
    "Program",
    "Propose",
    "Say",
    "Scope",
    "SetField",
    "Step",
    "evaluate",
    "holds",
    "parse",
    "run",
]
