"""What the chat refuses, and why; each carries a sentence for the person who asked.

ChatError
├── Refused              the request cannot be done as asked
│   ├── Busy             the conversation is still on its last turn
│   ├── Closed           the conversation is over
│   ├── TooFast          more than a person, an address or the site may send
│   │   └── Flood        so much more that the connection is closed
│   ├── TooMuch          a day's share of the language model is spent
│   ├── TooLong          a message or a frame above the limit
│   └── Malformed        not something the protocol knows
├── NotFound             no such conversation, turn or constraint, or it belongs to somebody else
└── LeaseLost            another process has taken the turn over, or it is finished
"""

from __future__ import annotations


class ChatError(Exception):
    """The root. `sentence` is for the user."""

    status = 400  # of an HTTP response that says so

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Refused(ChatError):
    """The request cannot be done as asked."""


class Busy(Refused):
    """The conversation is still on its last turn."""


class Closed(Refused):
    """The conversation is over."""


class TooFast(Refused):
    """More messages than a person, an address or the whole site may send in a period."""

    status = 429


class Flood(TooFast):
    """So many frames, or so many malformed ones, that the connection is closed."""


class TooMuch(Refused):
    """A daily limit of the language model is used up."""

    status = 429


class TooLong(Refused):
    """A message or a frame above the limit."""

    status = 413


class Malformed(Refused):
    """A frame that does not follow the protocol."""


class NotFound(ChatError):
    """No such conversation, turn or constraint; or it belongs to somebody else, which looks the same from outside."""


class LeaseLost(ChatError):
    """The process no longer holds the turn's lease and must not write to it."""
