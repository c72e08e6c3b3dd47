"""Yes and no to what is pending: a confirmation, an offer, the question whether to leave. Nothing else is confirmed."""

from __future__ import annotations

import re

from agent.parsing.tasks import consent, giving_up
from agent.parsing.tasks.correcting import UNNAMED
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.phrases import compiled, said
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.unsupported import Unsupported, others
from agent.worksheets.statements import Confirm, Start, Unclear

_KINDS = ("confirm", "propose", "leave")
_HESITATES = compiled(r"^\W*(?:wait|hold on|hang on|stop|one (?:moment|second)|hm+|oh)\W*$")
_COURTESY = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|k|al(?:l )?right|right|fine|so|well|oh|ah)\W*)+$"
)  # may only open a sentence
_ASSESSES = re.compile(  # what approves is among the ways to say yes
    r"^\W*(?:but |and |though )?(?:(?:it|that|this|everything)(?:'s| is| was| sounds| looks| seems| feels)|"
    r"(?:those|these|they|all)(?:'re| are| were| sound| look| seem))(?: (?:an?|the|too|so|very|quite|rather|pretty|"
    r"really|a (?:bit|little)|like))* [a-z]+\W*$"
)
_RECALLS = re.compile(  # "yes, that's what I had heard": of what was just told, and nothing is agreed to
    r"^\W*(?:and |so )?(?:(?:it|that|this)(?:'s| is| was) )?(?:just |exactly |about )?(?:what|as|how|like) "
    r"(?:i|we|he|she|they|everybody|everyone|people)(?:'d|'ve| had| have| has)?(?: (?:always|also|already|just))* "
    r"(?:heard|thought|expected|feared|figured|assumed|suspected|guessed|read|understood|hoped|knew)\W*$"
)
_FILLERS = compiled(r"(?<!\w)(?:if (?:possible|you can|that's ok(?:ay)?|you could)|no problem)(?!\w)")
_ADDS = re.compile(r"^\W*(?:with|without|for|at|on|to|in)\b")
_RESERVES = compiled(
    r"\b(?:but|however|although|though|except|unless|until|if|provided|as long as|only|should|must|"
    r"needs? to|has to|{correction})(?!\w)"
)
_NOT_AFTER_ALL = compiled(  # "actually not", "I changed my mind": a no that does not say yet what should be different
    r"^\W*(?:(?:{filler}|{no}|or|rather)\W+)*(?:not|rather not|better not|no|"
    r"(?:i(?:'ve| have| just)* |we(?:'ve| have)? )?changed (?:my|our) minds?|i'?ve had second thoughts|"
    r"(?:i'?m |i am )?having second thoughts)\W*(?:(?:{filler}|after all)\W*)*$"
)
_ONE_MORE = re.compile(r"\W*(?:(?:please|thanks|thank you)\W+)*(?:and|also|plus)\b")
_LINKED = re.compile(r"\b(?:and|also|plus)\b")
_TOO = re.compile(r"\b(?:too|as well)\W*$")
_NOES = (Answer.NO, Answer.ENOUGH, Answer.NONE, Answer.REFUSED)
_PLAIN_NOES = (Answer.NO, Answer.REFUSED)  # "nothing else" is no "no" to what is shown
_OFFERS_VALUE = compiled(r"^\W*(?:{filler}\W+)*(?:make|put|place) (?:it|that|this|them|one)\W*$")  # "make that …"
_REFUSES = compiled(r"^\W*(?:(?:{filler}|{no})\W+)*(?:{quit})\W*(?:{filler}\W*)*$")


class Confirming:
    """Finds the yes or no at the head of a message; `settle` says it, unless the message changes values as well."""

    def __init__(self, draft: Draft, message: Message) -> None:
        self.draft, self.message = draft, message
        self.pending = draft.workspace.state.pending
        self._answer: Answer | None = None
        self.accepts = False  # an offer is taken up
        self._led = False  # the message goes on after it
        self._head = 0  # where it goes on
        self._courteous = False  # "ok, I'm back" says yes to nothing

    def whole(self) -> bool:
        """Whether the message is nothing but a yes or no to what is pending."""
        if self.pending is None or self.pending.kind not in (*_KINDS, "clarify", "which"):
            return False
        low = self.message.low
        leaves = self.pending.kind != "propose" and giving_up.for_now(self.draft.workspace, low) is not None
        if self._orders() or leaves or UNNAMED.match(low):
            return False
        if self.pending.kind == "which":
            none = answers.whole(low, *_NOES) is not None or _REFUSES.match(low) is not None
            self._answer = Answer.NO if none else None
            return none
        said_no = _PLAIN_NOES if self.pending.kind == "confirm" else _NOES
        found = answers.whole(low, *said_no, Answer.YES)
        if self.pending.kind == "confirm" and _NOT_AFTER_ALL.match(low):
            self._answer = Answer.NO
            return True
        if self.pending.kind in consent.BOUND:
            found = self._consent(low) or (None if found is Answer.YES else found)
        elif found is None and self.pending.kind == "propose" and self._by_verb(low):
            found = Answer.YES
        if self.pending.kind == "clarify":
            asked = self.draft.workspace.asked
            found = Answer.NO if found in _NOES and (asked is None or not self.pending.field) else None
        elif self.pending.kind == "propose" and found is None and (_REFUSES.match(low) or self._wants_none(low)):
            found = Answer.NO
        elif (
            self.pending.kind == "confirm"
            and _REFUSES.match(low)
            and not re.search(r"\b(?:don'?t|do not|not|stop|wait)\b", low)
        ):
            return False
        self._answer = found
        return found is not None

    def lead(self) -> None:
        """A yes or no that the message begins with, before it goes on."""
        if self.pending is None or self.pending.kind not in _KINDS:
            return
        led = answers.lead(self.message.low)
        if led is None and self.pending.kind == "propose":
            self._last_word()
        if led is not None and all(start >= led.stop for start, _ in self.message.claimed):
            asks = any(sentence.form is not Form.STATEMENT for sentence in self.message.sentences)
            rest = self.message.low[led.stop :]
            if (
                self.pending.kind == "confirm"
                and led.answer is Answer.YES
                and (_disapproves(rest) or _RECALLS.match(rest))
            ):
                return
            hesitates = _HESITATES.match(self.message.low[: led.stop]) is not None
            offers = _OFFERS_VALUE.match(self.message.low[: led.stop]) is not None
            self._answer = None if (asks and hesitates) or offers else led.answer
            self._courteous = _COURTESY.match(self.message.low[: led.stop]) is not None
            self._led, self._head = True, led.stop
            self.message.claim(0, led.stop)

    def _last_word(self) -> None:
        """ "Use the same address. Yes": an offer that is taken up in the end."""
        last = self.message.sentences[-1]
        if last.start and answers.whole(self.message.low[last.start : last.stop], Answer.YES) is not None:
            self._answer = Answer.YES
            self.message.claim(last.start, last.stop)

    @property
    def agrees(self) -> bool:
        """Whether the message begins with a yes to what is to be confirmed, even if it then takes something back."""
        confirms = self.pending is not None and self.pending.kind == "confirm"
        return confirms and self._led and self._answer is Answer.YES

    @property
    def answers(self) -> bool:
        """Whether the message says yes or no to what is pending, and not only "ok" before something else."""
        return self._answer is not None and not self._courteous

    @property
    def declines(self) -> bool:
        """Whether an offer is declined."""
        return self._answer is Answer.NO and self.pending is not None and self.pending.kind == "propose"

    def settle(self, *, changed: bool) -> None:
        """Says the yes or no. One that comes with changes is none: what was changed is shown and asked again."""
        if self._answer is None or self.pending is None:
            return
        offers = self.pending.kind == "propose"
        if changed and not offers:
            return
        if self._courteous and re.search(r"\w", self.message.rest(0, len(self.message.text))):
            return
        if self.agrees and (self._wishes() or (not self._goes_on() and self._reserves())):
            return
        if self._led and self._answer is Answer.YES and self.pending.kind in consent.BOUND and not self._is_plain():
            return
        if (changed or self.draft.restated) and self._answer is not Answer.YES:
            return
        yes = self._answer is Answer.YES
        self.accepts = yes and offers
        self.draft.add(
            Confirm(instance=self.pending.instance, field=self.pending.field, yes=yes, words=self.message.text.strip())
        )

    def _wants_none(self, low: str) -> bool:
        sheet = self.draft.workspace.sheet(self.pending.instance) if self.pending else None
        return sheet is not None and giving_up.wants_none(sheet.root.worksheet, low)

    def _wishes(self) -> bool:
        """Whether the message wishes for something in what is shown that no field takes: it is told first."""
        return any(isinstance(item, Unclear) for item in self.draft.statements)

    def _goes_on(self) -> bool:
        """Whether the message then begins another task."""
        return any(isinstance(item, Start) and not item.parent and not item.offered for item in self.draft.statements)

    def _reserves(self) -> bool:
        """ "Yes, but only if …": what is not understood of a yes takes something of it back."""
        rest = _FILLERS.sub(" ", self.message.rest(0, len(self.message.text)).lower())
        sheet = self.draft.workspace.sheet(self.pending.instance) if self.pending else None
        adds = _ADDS.match(rest) is not None and (sheet is None or others(sheet.root, rest))
        return adds or _RESERVES.search(rest) is not None

    def _is_plain(self) -> bool:
        """Whether the yes that the message begins with, and all that nothing else has taken, is a plain one."""
        head = self.message.low[: self._head]
        apart = self._goes_on() or self._adds()
        rest = "" if apart else self.message.rest(self._head, len(self.message.text)).lower()
        return self._consent(head) is Answer.YES and self._consent(f"{head} {rest}") is Answer.YES

    def _adds(self) -> bool:
        """Whether what follows only asks for one more thing that no task does: "yes, and book a taxi"."""
        sheet = self.draft.workspace.sheet(self.pending.instance) if self.pending else None
        rest = self.message.low[self._head :]
        more = _LINKED.search(self.message.low[: self._head]) or _ONE_MORE.match(rest) or _TOO.search(rest)
        return bool(more) and sheet is not None and bool(Unsupported(self.draft, self.message, sheet.root).reply())

    def _orders(self) -> bool:
        """ "set confirm to true" is no yes."""
        return said("order", self.message.low) is not None

    def _consent(self, words: str) -> Answer | None:
        """A plain yes to the question that is pending, and no other."""
        workspace = self.draft.workspace
        question = consent.asked(workspace.state, workspace.specification, workspace.now.date())
        return Answer.YES if consent.reading(words, question) is consent.Consent.YES else None

    def _by_verb(self, low: str) -> bool:
        """ "reserve it", "yes, enroll me": what confirming does, by the worksheet's own verb."""
        sheet = self.draft.workspace.sheet(self.pending.instance) if self.pending else None
        verb = sheet.root.worksheet.verb if sheet else ""
        if not verb:
            return False
        title = re.escape(sheet.root.worksheet.title.lower()) if sheet else ""
        pattern = compiled(
            rf"^\W*(?:(?:{{filler}}|{{yes}}|go ahead and|you can|"
            rf"you may)\W+)*{re.escape(verb.lower())}(?: (?:it|that|this|them|me|us|now|(?:the |"
            rf"my )?{title}))*\W*(?:{{filler}}\W*)*$"
        )
        return bool(pattern.match(low))


def _disapproves(rest: str) -> bool:
    """ "Yes, that sounds hard": what is said of it is no approval, so that the yes is none to it."""
    return _ASSESSES.match(rest) is not None and answers.whole(rest, Answer.YES) is None
