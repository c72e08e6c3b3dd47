"""What is asked of a language in one turn: understand, parse and answer, each a typed request and reply.

A backend (`agent.backends.openai`, `.builtin`, `.recorded`) implements `Language`, which can also do all that
`agent.protocols.reading.Reader` does. Each method takes one request; texts in requests come from users and corpora:
they are data, delimited in prompts and never obeyed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import Field

from agent.catalogue.tables import Saying
from agent.protocols.reading import Reader, Task
from agent.protocols.tools import Tool, ToolRound
from agent.worksheets.acts import Act
from agent.worksheets.specification import Specification
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Statement

SO, OUT_OF = "so", "out_of"  # columns of a share: the rows for which something holds, and all of them
CLOSENESS = "closeness"  # begins the names of columns that only tell the order of rows, and nothing of them


# -- understanding and parsing ---------------------------------------------------------------------------------------


class PastQuery(Task):
    """A query of an earlier turn, with what it found. `frame` is the builtin parser's own memory of it (opaque)."""

    question: str
    suql: str
    description: str = ""
    table: str = ""
    keys: tuple[str, ...] = ()  # entities of the rows shown, in order
    titles: tuple[str, ...] = ()  # their names, in order
    nearest: str = ""  # the name of the row whose text was read and did not answer
    rows: tuple[dict[str, Any], ...] = ()  # their plain values (numbers, words), in order
    presentation: str = "list"
    frame: dict[str, Any] | None = None


class PastTurn(Task):
    """An earlier turn of the conversation, as the parser needs it."""

    user: str
    agent: str
    queries: tuple[PastQuery, ...] = ()
    asked: str = ""  # what the agent asked for at the end of the turn, e.g. "location"


class Conversation(Task):
    """What a turn is understood against. `assistant` is a slug; `tables` what it may query, most relevant first.

    `state` is the dialogue state that the last turn left, None if the assistant has no worksheets; `acts` are what
    the agent did in that turn.
    """

    assistant: str
    tables: tuple[str, ...]
    past: tuple[PastTurn, ...] = ()
    now: datetime
    schema_text: str = ""  # the tables, their columns and sample values, written for a prompt
    id: str = ""  # which conversation it is, for what actions do in its name
    state: DialogueState | None = None
    acts: tuple[Act, ...] = ()


class ChatKind(StrEnum):
    """What a message is when it is not (only) a question to the corpora."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    CAPABILITIES = "capabilities"  # what can you do?
    SMALL_TALK = "small talk"
    GENERAL = "general knowledge"  # answerable, but not from the corpora
    OUT_OF_SCOPE = "out of scope"  # something this assistant cannot do or know
    DONT_CARE = "no preference"  # "anywhere", "I don't mind" as an answer to what was asked
    UNCLEAR = "unclear"


class Question(Task):
    """One question to the corpora, in words that stand alone ("Which of the three is open past 22:00?"), or that go on
    from another question of the same message, `following` ("and which is the worst?"): from what that one finds, where
    the question `awaits` it ("the best rated place in Palo Alto, and is it quiet?")."""

    words: str
    following: str = ""
    awaits: bool = False
    tables: tuple[str, ...] = ()  # where the answer is looked for; empty: stage 2 chooses


class UnderstandRequest(Task):
    """`specification` is the assistant's, in the version that `conversation.state` was begun with."""

    message: str
    conversation: Conversation
    specification: Specification | None = None


class Understanding(Task):
    """Stage 1: what does this turn want? Either part may be empty, not both.

    `reply` is what to say to the chat part, where the backend can phrase it. `ask` names what has to be asked before
    anything can be searched, or what would narrow down what was searched ("location"), once.

    `statements` are what the message does to the worksheets; a `Fill` among them points at the question that finds
    its value. All of them apply, or none. `unused` are stretches of the message that none of the questions uses;
    `unread` says which part of a long message was not read.
    """

    chat: ChatKind | None = None
    questions: tuple[Question, ...] = ()
    reply: str = ""
    unused: tuple[str, ...] = ()
    ask: Literal["", "location", "what"] = ""
    statements: tuple[Statement, ...] = ()
    unread: str = ""


class SearchWish(Task):
    """What to search for by similarity: a short query, or none, with what to say instead."""

    query: str = ""
    chat: ChatKind | None = None
    reply: str = ""


class ToolRequest(Task):
    """A turn that a model handles by calling functions: what it may call, by which policy, and what it has called."""

    message: str
    conversation: Conversation
    policy: str = ""
    tools: tuple[Tool, ...]
    rounds: tuple[ToolRound, ...] = ()


class ParseRequest(Task):
    """Stage 2: one question into SUQL. `problem` holds the error of the previous attempt, `previous` its query."""

    question: Question
    conversation: Conversation
    message: str
    previous: str = ""
    problem: str = ""


class Parsed(Task):
    """A query, or none with the reason (`problem`) in a sentence for the user.

    `presentation` tells the reply what was asked about: "list" of entities, a "detail" of known ones, a "count"
    or other aggregate, a "comparison". `soft` holds fragments of conditions the user would like but does not insist
    on (a question, a value): they are the first to be given up when nothing is found. `firm` holds fragments of what
    the message is about ("cheaper"), which is never given up; those of `unsure`, of which it is not sure that they were
    wished for, are given up together; `cities` are those of the places named. A yes/no question about a known entity
    has a `test`: a query with rows exactly where the answer is yes (no, where what is asked is `denied`); `suql` then
    tells what is so. `instead` is what to tell of the entity, or of each of a few that it is asked of, where `suql`
    finds nothing or the test fails, and `beside` the words it is then told without; `unknown` names are nobody's;
    `unused` are stretches of the question that `suql` does not use.
    """

    suql: str = ""
    tables: tuple[str, ...] = ()
    presentation: Literal["list", "detail", "aggregate", "comparison", "article"] = "list"
    problem: str = ""
    soft: tuple[str, ...] = ()
    firm: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    cities: dict[str, str] = {}
    test: str = ""
    denied: bool = False
    instead: str = ""
    beside: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    frame: dict[str, Any] | None = None


# -- answering -------------------------------------------------------------------------------------------------------


class Voice(Task):
    """A stretch of a text that decided an answer about a row, or spoke against it and was outvoted."""

    text: str
    supports: bool = True


class Found(Task):
    """What one query found, as the reply needs it. `relaxed` names what was dropped to find anything.

    `asked` are the questions that were put to texts, by the column that holds the answers. `among` is how many rows of
    before it was asked of ("which of these"), 0 if it was asked of all; `besides` how many rows of before were not
    wanted again ("something else"). `holds` answers a yes/no question about an entity, whose rows tell what is so, or
    is False if none of several is as asked; it is None if nothing of the kind was asked. `unknown` are names in
    the question that nothing is called by. `first`: the columns in whose order the one row that was wanted comes first
    ("the cheapest"), empty where it was not wanted for that; `more`: there are as many rows as were wanted at most.
    """

    question: str
    description: str
    presentation: str = "list"
    columns: tuple[str, ...] = ()
    rows: tuple[dict[str, Any], ...] = ()
    titles: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()  # the entities of the rows, where every row is one's
    quotes: tuple[str, ...] = ()  # deciding sentences, one per row where there is one
    voices: tuple[tuple[Voice, ...], ...] = ()  # for each row what decided it, for and against, a few of them
    nearest: tuple[str, ...] = ()  # the sentence that comes nearest to what nothing answered, one per row, may be empty
    relaxed: tuple[str, ...] = ()
    complete: bool = True
    notes: tuple[str, ...] = ()
    noun: tuple[str, str] = ("row", "rows")
    error: str = ""
    total: int | None = None
    asked: dict[str, str] = {}
    among: int = 0
    besides: int = 0
    holds: bool | None = None
    unknown: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    more: bool = False
    sayings: dict[str, Saying] = Field(default={}, exclude=True, repr=False)  # how one speaks of its columns


class RespondRequest(Task):
    message: str
    conversation: Conversation
    chat: ChatKind | None = None
    chat_reply: str = ""
    ask: str = ""
    unused: tuple[str, ...] = ()  # what was said and not used, which may not go unsaid
    found: tuple[Found, ...] = ()
    acts: tuple[Act, ...] = ()  # what the policy decided, each with its words; none may go unsaid
    unread: str = ""  # what to say of the part of the message that was not read


class Reply(Task):
    """The words of a turn (a small Markdown subset), and suggestions for what to say next."""

    text: str
    suggestions: tuple[str, ...] = Field(default=(), max_length=4)


@runtime_checkable
class Language(Reader, Protocol):
    """A backend: everything that is asked of a language model.

    Errors are `agent.protocols.errors.LanguageError`s. `notice` is shown in the interface; "" where there is nothing to
    say.
    """

    notice: str

    async def understand(self, request: UnderstandRequest) -> Understanding: ...

    async def parse(self, request: ParseRequest) -> Parsed: ...

    async def respond(self, request: RespondRequest) -> Reply: ...


@runtime_checkable
class StreamingLanguage(Language, Protocol):
    """A backend that can show its reply while it is being written.

    `on_text` is called with the whole text so far; a later call replaces what an earlier one said. The `Reply` that is
    returned at the end is the one that counts.
    """

    async def respond_streaming(self, request: RespondRequest, on_text: Callable[[str], None]) -> Reply: ...
