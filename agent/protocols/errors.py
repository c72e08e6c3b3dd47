"""The exceptions of the engine.

AgentError
├── QueryError              the query cannot be run as written
│   ├── SyntaxProblem       it does not parse
│   ├── UnknownName         a table, column or function that is not in the catalogue
│   ├── TypeMismatch        types that do not fit together
│   ├── TooExpensive        it would cost many times what its budget allows
│   └── NotAllowed          something SUQL does not let a query do (writes, system catalogues, ...)
├── ExecutionError          the database could not finish it
│   ├── QueryTimeout
│   ├── DatabaseAway        no connection, or it was cut: the same query may succeed in a moment
│   └── ResultTooLarge
├── Cancelled               somebody pressed Stop
├── LanguageError           the language model could not be used
│   ├── ModelUnavailable    no connection, 5xx, time-out
│   ├── RateLimited         429; `retry_after` in seconds where the server says
│   ├── ModelRefused        the model declined
│   ├── BadReply            the reply does not fit the schema, twice
│   └── MissingRecording    the recorded backend has no completion for this request
├── ParseFailure            the user's words could not be turned into a query
└── SpecificationError      a worksheet as it is declared cannot be used: its curator has to change it
    └── ExpressionError     a predicate, validation or action; `line`, `column` and `reason` say where and why
"""

from __future__ import annotations


class AgentError(Exception):
    """The root. `sentence` is for the user, `detail` for the developer."""

    def __init__(self, sentence: str, detail: str = "") -> None:
        super().__init__(f"{sentence} ({detail})" if detail else sentence)
        self.sentence = sentence
        self.detail = detail


class QueryError(AgentError):
    """The query cannot be run as written. `position` is a character offset into the query, where one is known."""

    def __init__(self, sentence: str, detail: str = "", position: int | None = None) -> None:
        super().__init__(sentence, detail)
        self.position = position


class SyntaxProblem(QueryError):
    """The query does not parse."""


class UnknownName(QueryError):
    """A table, column or function that the catalogue does not have; the sentence suggests the nearest one."""


class TypeMismatch(QueryError):
    """Types that do not fit together."""


class NotAllowed(QueryError):
    """Something a SUQL query may not do."""


class TooExpensive(QueryError):
    """The query would cost many times what its budget allows; nothing has been spent."""


class ExecutionError(AgentError):
    """The database could not finish the query."""


class DatabaseAway(ExecutionError):
    """There is no connection to the database, or it was cut: the same query may succeed in a moment."""


class QueryTimeout(ExecutionError):
    """The time limit ran out inside the database."""


class ResultTooLarge(ExecutionError):
    """More rows or bytes than the limits allow."""


class Cancelled(AgentError):
    """The work was stopped on request."""


class LanguageError(AgentError):
    """The language model could not be used."""


class ModelUnavailable(LanguageError):
    """No connection, a server error, or no reply in time."""


class RateLimited(LanguageError):
    """The server asks to wait; `retry_after` seconds where it says how long."""

    def __init__(self, sentence: str, detail: str = "", retry_after: float | None = None) -> None:
        super().__init__(sentence, detail)
        self.retry_after = retry_after


class ModelRefused(LanguageError):
    """The model declined to answer."""


class BadReply(LanguageError):
    """The reply does not fit the task's schema, even after one retry that showed the error."""


class MissingRecording(LanguageError):
    """The recorded backend has no completion for this request."""


class ParseFailure(AgentError):
    """The user's words could not be turned into a query."""


class SpecificationError(AgentError):
    """A worksheet as it is declared cannot be used: its curator has to change it."""


class ExpressionError(SpecificationError):
    """A predicate, a validation or an action that cannot be read or run.

    `line` and `column` count from 1 in the text as the curator wrote it; `reason` is for the curator.
    """

    def __init__(self, reason: str, line: int = 1, column: int = 1, text: str = "") -> None:
        place = f"line {line}, column {column}: {reason}"
        super().__init__("A rule of this form does not work, so I cannot continue with it.", f"{place} in {text!r}")
        self.reason = reason
        self.line = line
        self.column = column
