"""What was done, and what was not: "is it submitted?", "what is its number?", "withdraw the ticket I sent".

Answered from the dialogue state alone. Whoever asks for what no worksheet can do is told so.
"""

from __future__ import annotations

import re

from agent.parsing.tasks.knowledge import fits_any, leads_on, told
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.phrases import compiled, said
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.similarity import Closeness, meanings, spoken, telling
from agent.parsing.tasks.spotting import ordered, startable
from agent.parsing.tasks.workspace import Place, Workspace
from agent.text.english import listed
from agent.worksheets.specification import Worksheet
from agent.worksheets.state import Instance, InstanceStatus
from agent.worksheets.verbalise import value_lines
from agent.worksheets.wording import title_of

_SUBJECT = (
    r"(?:it|that|this|everything|anything|something|i|you|we|"
    r"(?:the|my|our|that|this|a|any|an?y? of my|both|those|these)(?: [a-z]+)?(?: [a-z]+)?)"
)
_BETWEEN = (
    r"(?: (?:already|now|yet|been|actually|really|just|even|all|get|got|gotten|ever|to|be|not|still|successfully))*"
)
_PASSED = (
    r"(?:gone|went|go|come|came|been|put|got) through|sent(?: off| in)?|send|done|made|placed|completed?|finished|"
    r"processed|filed|handed in"
)
_AFTER = (
    r"(?:,? (?:it|them|anything|something|that|this|yet|now|already|in|off|for me|yes or no|or not|right|correct|"
    r"correctly|properly|successfully|so far|by you|before|the [a-z]+|a [a-z]+|my [a-z]+|any [a-z]+|then|yes|no|really|"
    r"today))*"
)
_CHOSEN = (
    r"got|picked|pick|chosen|chose|choose|selected|select|signed up|sign up|taken|take|taking|added|add|put down|"
    r"put in|told|said|asked|ordered|order|given|entered|noted|book(?:ed)?|reserved?|enrol+(?:ed)?|submit(?:ted)?|"
    r"register(?:ed)?"
)
_JUST = r"(?: (?:already|now|just|actually|really|all|even|still|ever))*"
_NOW = r"so far|until now|up to now|right now|just now|by now|now"
_SO_FAR = rf"(?: (?:for me|you|this|yet|already|at the moment|currently|here|today|{_NOW}))*"
_SO_FAR_SURELY = rf"(?: (?:down|in|on|for me))*(?: (?:{_NOW}))+"
_AUX = r"(?:is|isn'?t|was|wasn'?t|has|hasn'?t|have|haven'?t|had|did|didn'?t|are|am|were|weren'?t)"
_STATE = re.compile(
    r"\b(?:status|state|progress|number|reference|transaction(?: id)?|id|fate)\b.*\b(?:of|for|on)\b|"
    r"\bwhat(?:'s| is| was| happened to| became of| about)\b|\bwhere(?:'s| is| are)\b|"
    r"\bany (?:news|answer|reply|update)\b|\b(?:look up|find|see|check|show)\b"
)
_UNDO = re.compile(
    r"\b(?:cancel(?:l?ed|ling)?|withdraw(?:n|ing)?|retract(?:ed)?|revoked?|delete[ds]?|undo|undone|recall(?:ed)?|"
    r"take (?:it |that |my [a-z]+ |the [a-z]+ )?back|call(?:ed)? off|rescind)\b"
)
_ORDERS_UNDO = compiled(rf"^\W*(?:(?:{{filler}}|{{no}})[\s,.!;:-]+)*(?:{_UNDO.pattern})")
_SENT = re.compile(
    r"\b(?:sent|submitted|filed|opened|made|placed|put in|raised|created|yesterday|earlier|already|previous|old|"
    r"last (?:week|month|night|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|before|ago)\b|"
    r"\b(?=[a-z0-9]*\d)[a-z0-9]{4,}\b|#\s?\d+"
)
_AGREES = compiled(r"\b(?:yes|yeah|yep|yup|confirm(?:ed)?|submit|proceed|go ahead|do it)\b")
_NONE_OF = re.compile(
    r"\b(?:none|neither|not any|no one)\b(?: of (?:these|those|them|the (?:above|options|choices)))?|"
    r"\b(?:not|isn'?t|nothing to do with) (?:about |any |on )?|\bsomething (?:else|different)\b|\bdifferent\b"
)
_CAN_HELP = re.compile(
    r"\b(?:can|can'?t|could|couldn'?t|do|don'?t|will|won'?t) (?:you|this|it)(?: even| also| not| really)? "
    r"(?:help|assist|deal|handle|take care|do anything|cover)\b"
)


class Standing:
    """Reads one message for what it asks about things done."""

    def __init__(self, workspace: Workspace, message: Message, closeness: Closeness) -> None:
        self.workspace, self.message, self._closeness = workspace, message, closeness
        self._low = message.low
        self._tasks = startable(workspace.specification)

    def reply(self) -> str:
        """What to say; empty where the message is about something else."""
        task = self._named()
        if task is not None and self._undoes():
            return self._cannot_undo(task)
        if self._asks_what():
            return self._what_there_is()
        if self._asks_whether_done() or (task is not None and self._asks_after()):
            return self._what_was_done(task)
        pending, asked = self.workspace.state.pending, self.workspace.asked
        if asked is not None and asked.shape is Shape.CHOICE and _CAN_HELP.search(self._low):
            return self.beyond(asked)
        if pending is None and self._agrees_to_nothing():
            return "There is nothing to confirm: nothing is waiting to be done."
        return ""

    def beyond(self, place: Place, low: str = "") -> str:
        """That a choice has no other values than it has, where a message, or the `low` part of it, says that it is none
        of them."""
        asks = _CAN_HELP.search(self._low) is not None
        another = self._names_another(place, low or self._low)
        if not asks and not _NONE_OF.search(self._low) and not another:
            return ""
        if not asks and place.sheet.parent is not None:
            return f"The {place.field.label} can only be {listed(place.field.options, 'or')}."
        title = title_of(place.sheet.root.worksheet)
        asked = f"What can a {title} be about, and whom can I ask about anything else?"
        only = f"The {place.field.label} of a {title} can only be {listed(place.field.options, 'or')}."
        return told(asked, self.workspace.specification, self._closeness) or only

    def _names_another(self, place: Place, low: str) -> bool:
        """Whether the message names, in a few words, what none of the choices comes near to ("billing")."""
        said = spoken(low)
        told = self.message.of(Form.STATEMENT, Form.SUGGESTION)
        if not told or not 0 < len(said) <= _BRIEF or answers.whole(low) is not None:
            return False
        if re.search(r"\d", low) or re.search(r"[^\W_]{3}", low) is None:
            return False
        if leads_on(place):
            return not fits_any(low, place, self.workspace.specification, self._closeness)
        return (
            max(telling(low, [f"{one.value} {one.description}" for one in place.field.enum_values]), default=0.0) == 0
        )

    # -- what is asked -------------------------------------------------------------------------------------------------

    def _named(self) -> Worksheet | None:
        """The task that the message calls by its title."""
        words = frozenset(name for item in spoken(self._low) for name in item.names)
        for task in self._tasks:
            title = meanings(title_of(task))
            if title and all(item & words for item in title):
                return task
        return None

    def _undoes(self) -> bool:
        """Something done earlier is to be undone, and no task does that; not the one that is being filled in."""
        cancels = [task for task in self._tasks if any(one & two for one in meanings(task.verb) for two in _CANCEL)]
        if cancels or not (_UNDO.search(self._low) and self._wants()):
            return False
        return bool(_SENT.search(self._low)) or (self.workspace.focus is None and bool(self._done()))

    def _wants(self) -> bool:
        """Whether the message asks for something, rather than telling what happened."""
        asks = bool(self.message.of(Form.QUESTION, Form.REQUEST, Form.SUGGESTION)) or said("request", self._low)
        return bool(asks) or _ORDERS_UNDO.match(self._low) is not None

    def _asks_whether_done(self) -> bool:
        verbs = {form for task in self._tasks for form in _forms(task.verb)}
        pattern = (
            rf"^\W*(?:(?:{{filler}})[\s,]+)*(?:{_AUX} {_SUBJECT}|{_SUBJECT}(?: {_AUX}|'s|'re|'m)?)"
            rf"{_BETWEEN} (?:{'|'.join(sorted(verbs))}|{_PASSED}){_AFTER}\W*$"
        )
        asks = self._low.rstrip().endswith("?") or re.match(
            rf"^\W*(?:(?:so|and|but|wait|ok|hey)\W+)*{_AUX}\b", self._low
        )
        asks = asks or re.search(r"\b(?:right|or not|yes or no|correct)\W*$", self._low)
        return bool(asks) and compiled(pattern).match(self._low) is not None

    def _asks_what(self) -> bool:
        """ "What did I just book?", "what have I got so far?", "what's in my enrollment now?": asks for what was done
        here, or is being filled in."""
        verbs = "|".join(sorted({form for task in self._tasks for form in _forms(task.verb)}))
        titles = "|".join(sorted({re.escape(title_of(task)) for task in self._tasks}))
        did = rf"(?:{verbs}|{_PASSED}|{_CHOSEN})(?: (?:in|for|to|up for|with))?"
        held = rf"(?:have|got|get|know|note)?(?: (?:about|of|from|for) me)?{_SO_FAR_SURELY}"
        there = rf"(?:already |now |currently )?(?:in|on) (?:my|the|that|this) (?:{titles}){_SO_FAR}"
        asked = (
            rf"(?:did|have|had|'ve) (?:i|we|you|u){_JUST} {did}{_SO_FAR}|"
            rf"(?:i|we|you)(?: have| had|'ve|'m| am| just| already){_JUST} {did}{_SO_FAR}|"
            rf"(?:have|do|did|'ve) (?:i|we|you|u) {held}|"
            rf"(?:am|are|was) (?:i|we){_JUST} {did}{_SO_FAR}|"
            rf"(?:is|'s|are|do i have) {there}"
        )
        which = r"(?:what(?: all| else| exactly)?|which (?:[a-z]+ ){0,2}[a-z]+|what (?:other )?[a-z]+)"
        lead = r"(?:(?:so|and|wait|ok|now|again|remind me|show me|tell me|list|can you (?:show|tell|remind) me)\W+)*"
        pattern = rf"^\W*(?:(?:{{filler}})[\s,]+)*{lead}{which}(?: |(?='))(?:{asked})\W*$"
        return compiled(pattern).match(self._low) is not None

    def _asks_after(self) -> bool:
        """ "What's the status of my ticket?", of one that was sent: not how one is made."""
        asks = bool(self.message.of(Form.QUESTION, Form.SUGGESTION)) or re.match(r"\W*(?:check|show)\b", self._low)
        mine = re.search(r"\b(?:my|the|that|our)\b", self._low) is not None
        return bool(asks) and mine and bool(_STATE.search(self._low)) and len(spoken(self._low)) <= _BRIEF

    def _agrees_to_nothing(self) -> bool:
        gone = (InstanceStatus.PROPOSED, InstanceStatus.ABANDONED)
        offered = any(one.offered and one.status in gone for one in self.workspace.state.instances)
        said = answers.whole(self._low, Answer.YES) is not None and not offered
        agrees = said and _AGREES.search(self._low) is not None and self.workspace.focus is None
        return agrees and not any(self._takes_row(task) and ordered(self.message, task) for task in self._tasks)

    def _takes_row(self, task: Worksheet) -> bool:
        """Whether a task is done to a row of a corpus, so that "yes, book it" may begin it with what was shown."""
        kinds = [self.workspace.specification.by_name.get(one.type.name) for one in task.fields]
        return any(kind is not None and bool(kind.table) for kind in kinds)

    # -- what is told --------------------------------------------------------------------------------------------------

    def _done(self, task: Worksheet | None = None) -> list[Instance]:
        done = [one for one in self.workspace.state.instances if one.status is InstanceStatus.DONE and not one.parent]
        tasks = [one.name for one in self._tasks if task is None or one is task]
        return [one for one in done if one.worksheet in tasks]

    def _what_was_done(self, task: Worksheet | None) -> str:
        """What the actions said of the things done in this conversation, and what is still open."""
        sentences = [str((one.result or {}).get("sentence", "")) for one in self._done(task)]
        focus, pending = self.workspace.focus, self.workspace.state.pending
        title = title_of(focus.worksheet) if focus else title_of(task) if task else ""
        if focus is not None and pending is not None and pending.kind == "confirm":
            open_ = f"The {title} that is shown has not been sent: nothing is done before you say yes."
        elif focus is not None:
            open_ = f"The {title} is still being filled in, and nothing of it has been sent."
        else:
            open_ = ""
        if sentences:
            return " ".join(filter(None, ("Yes." if not open_ else "In this conversation:", *sentences, open_)))
        if open_:
            return f"No. {open_}"
        nothing = f"No {title} was sent" if title else "Nothing was done"
        return f"{nothing} in this conversation. {self._where(task)}".strip()

    def _what_there_is(self) -> str:
        """What was done in this conversation, and the values of what is still being filled in."""
        sentences = [str((one.result or {}).get("sentence", "")) for one in self._done()]
        told = " ".join(filter(None, ("In this conversation:" if sentences else "", *sentences)))
        focus = self.workspace.focus
        if focus is None or focus.instance is None:
            return told or "Nothing was done in this conversation so far."
        state, specification = self.workspace.state, self.workspace.specification
        today = self.workspace.now.date()
        lines = list(value_lines(state, focus.instance, specification, today))
        title = title_of(focus.worksheet)
        if self.workspace.state.pending is not None and self.workspace.state.pending.kind == "confirm":
            return f"{told} The {title} has not been sent; nothing is done before you say yes.".strip()
        if not lines:
            return f"{told} The {title} holds nothing yet.".strip()
        open_ = f"So far the {title} holds, and nothing of it has been sent:"
        return "\n".join([f"{told} {open_}".strip(), *lines])

    def _cannot_undo(self, task: Worksheet) -> str:
        sentences = [str((one.result or {}).get("sentence", "")) for one in self._done(task)]
        known = f"In this conversation: {' '.join(sentences)}" if sentences else ""
        beginning = f"I can't undo the {title_of(task)} here once it was sent."
        return " ".join(filter(None, (beginning, self._where(task), known)))

    def _where(self, task: Worksheet | None) -> str:
        """What the specification tells about things of the kind once they are sent."""
        if task is None:
            return ""
        asked = f"Can a {title_of(task)} that was sent be taken back, and where are sent ones?"
        return told(asked, self.workspace.specification, self._closeness)


_CANCEL = meanings("cancel")
_BRIEF = 6  # content words: who asks after a thing says little else


def _forms(verb: str) -> list[str]:
    """How a verb is said of what was done: "submit", "submitted"."""
    if not verb or " " in verb:
        return []
    low = re.escape(verb.lower())
    return [rf"{low}(?:ed|d|ing|s)?", rf"{low}{low[-1]}(?:ed|ing)"]
