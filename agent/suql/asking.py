"""Asking the reader, once for each value: memo first, then one call shared by every query that waits for the value.

`Ledger` lives as long as the engine and holds the calls in flight. `Asking` lives as long as one query: it keeps the
query's budget, what is known so far and the evidence for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.protocols.errors import LanguageError
from agent.protocols.reading import AnswerReply, AnswerRequest, MatchRequest, Reader, SummaryRequest
from agent.suql.calls import Ask
from agent.suql.found import Found, evidence, from_memo, to_memo
from agent.suql.memo import Memo, key
from agent.suql.passages import ROWS, Cut, Passages, texts_of
from agent.suql.reading import SILENCE, OutOfBudget, Reading, Sizes
from agent.suql.reducing import Capacity, Reduced, reduced
from agent.suql.result import Budget, Usage
from agent.text.values import canonical

HURRIED = 0.3  # of the time of a query, when parts of rows that are not read yet are left out
CHOICES = 100  # values that one is compared with in one call, for same()
Item = tuple[Ask, str]  # what is asked, and the md5 of the content it is asked of
PairGroup = tuple[str, dict[Item, str]]  # one text, and those it is compared with
Landed = Callable[[int], None]


@dataclass(slots=True)
class Spent:
    """What one question took: values, its share of the calls, seconds of the model's work side by side."""

    values: int = 0
    calls: float = 0.0
    seconds: float = 0.0


@dataclass(slots=True)
class Ledger:
    """What an engine's queries share: the memo, and the values being asked for at this moment."""

    reader: Reader
    memo: Memo
    embedder: str = ""  # by which the passages to read are chosen
    in_flight: dict[str, asyncio.Future[Found]] = field(default_factory=dict)
    sizes: Sizes = field(init=False)

    def __post_init__(self) -> None:
        self.sizes = Sizes(self.reader)

    def key(self, ask: Ask, content: str) -> str:
        """Return the memo's key of one value."""
        told = ("built" * ask.built, "image" * ask.image, "whole" * ask.whole, "prose" * ask.prose)
        rarer = [part for part in (ask.example, *told, self.embedder) if part]
        parts = ("answer", content, ask.question, ask.type, ask.options, ask.summary, *rarer)
        return key(*parts, self.reader.name, self.reader.version)


class Asking:
    """The values of one query: `known` by what is asked and of which content, `unread` what could not be read."""

    def __init__(
        self, ledger: Ledger, budget: Budget, passages: Passages, usage: Usage, silence: float = SILENCE
    ) -> None:
        self._ledger = ledger
        self._budget = budget
        self._passages = passages
        self.usage = usage
        self._capacity = Capacity.of(ledger.reader)
        self._reading = Reading(ledger.reader, ledger.sizes, usage, silence, self._is_over)
        self.known: dict[Ask, dict[str, str | None]] = {}
        self.found: dict[Item, Found] = {}
        self.unread: dict[Item, str] = {}
        self.partly: dict[Item, tuple[int, int]] = {}  # how many rows were read of how many
        self.assumed: dict[Item, str] = {}  # values that nobody was asked for
        self.nearest = 0  # rows that were read, in the order of their nearness, where the rest were not
        self._questions: dict[Item, str] = {}  # of items whose question is part of their content
        self.exhausted = ""  # which limit of the budget ran out
        self._started = time.monotonic()
        self.spent: dict[Ask, Spent] = {}
        self._planned = 0  # values whose question is still to be put
        self._heard = False  # has the reader answered anything yet?

    @property
    def capped(self) -> int:
        """Passages that were not compared with a question by meaning, since they were too many."""
        return self._passages.capped

    @property
    def fruitless(self) -> int | None:
        """Rows nearest to a question that may be read in vain: what the budget says, or, for one, the reader."""
        declared = getattr(self._ledger.reader, "fruitless", None) if self._budget.calls is not None else None
        return declared if self._budget.fruitless is None else self._budget.fruitless

    @property
    def sifts(self) -> int:
        """Return how many of the nearest rows the reader reads to show those that it is surest of: see `surest`."""
        return int(getattr(self._ledger.reader, "sifts", 0))

    @property
    def batch(self) -> int:
        """Texts that one call reads."""
        return self._reading.texts(1)

    @property
    def together(self) -> int:
        """Texts that are read at once."""
        return self._reading.sizes.current * self._reading.concurrency

    def calls(self, values: int, ask: Ask | None = None) -> int:
        """Return how many calls so many values take, of texts or, where two are compared, of pairs."""
        return -(-values // CHOICES) if ask is not None and ask.same else self._reading.calls(values)

    def is_open(self, ask: Ask, content: str) -> bool:
        """Is the value still to be asked for?"""
        return content not in self.known.get(ask, {}) and (ask, content) not in self.unread

    def allowed(self, wanted: int) -> int:
        """Return how many more texts the budget allows, at most `wanted`; says so in `exhausted` where it is none."""
        if self._is_over():
            return 0
        if self._budget.calls is None:
            return wanted
        return min(wanted, self._reading.texts(self._budget.calls - self.usage.calls))

    def _is_over(self) -> bool:
        """Has the budget run out? What ran out is kept in `exhausted`."""
        usage, budget = self.usage, self._budget
        for name in ("calls", "tokens", "cost"):
            limit = getattr(budget, name)
            if limit is not None and getattr(usage, name) >= limit:
                self.exhausted = name
                return True
        if self.seconds_left() <= 0:
            self.exhausted = "seconds"
        return self.exhausted == "seconds"

    def seconds_left(self) -> float:
        """Seconds until the budget's time is over."""
        if self._budget.seconds is None:
            return float("inf")
        return self._budget.seconds - (time.monotonic() - self._started)

    async def resolve(self, contents: dict[Item, Any], landed: Landed = lambda done: None) -> None:
        """Make values known, from the memo or by asking. Stops where the budget ends. `landed` hears of each batch.

        Raises a `LanguageError` where nothing at all could be read.
        """
        wanted = {item: self._texts(item, content) for item, content in contents.items() if self.is_open(*item)}
        empty = [item for item, texts in wanted.items() if not texts]
        for item in empty:
            self._learn(item, Found(None))
            del wanted[item]
        if empty:  # remembered, so that the same query again does not ask something else of these rows
            await self._ledger.memo.put_many({self._ledger.key(*item): to_memo(Found(None)) for item in empty})
        for item in await self.recall(list(wanted)):
            del wanted[item]
        mine, others = self._divide(wanted)
        read = [item for item in mine if not item[0].same]  # a call compares many pairs, and looks at the budget itself
        allowed = self.allowed(len(read)) if read else 0
        if len(read) > allowed:
            self.exhausted = self.exhausted or "calls"
            for item in read[allowed:]:
                self._give_back(item)
                del mine[item]
        await self._ask_all(mine, landed)
        await self._wait_for(others, wanted, landed)

    def _texts(self, item: Item, content: Any) -> list[str]:
        """The texts to read; a question that came with them is kept. None if there is nothing to ask."""
        if item[0].same and len(texts_of(content)) < 2:
            return []
        if not item[0].built:
            return texts_of(content)
        self._questions[item] = content["question"].strip()
        return texts_of(content["text"]) if self._questions[item] else []

    def has_text(self, item: Item, content: Any) -> bool:
        """Is there anything to read?"""
        return bool(self._texts(item, content))

    def _question(self, item: Item) -> str:
        return self._questions.get(item, item[0].question)

    async def recall(self, items: Sequence[Item]) -> list[Item]:
        """Take the values that the memo has, and say which those are."""
        keys = {self._ledger.key(*item): item for item in items}
        stored = await self._ledger.memo.get_many(list(keys)) if keys else {}
        for name, value in stored.items():
            self._learn(keys[name], from_memo(keys[name][0], value))
        self.usage.cached += len(stored)
        return [keys[name] for name in stored]

    def _divide(self, wanted: dict[Item, list[str]]) -> tuple[dict[Item, list[str]], dict[Item, asyncio.Future[Found]]]:
        """What this query asks itself, and what another one is asking already."""
        mine: dict[Item, list[str]] = {}
        others: dict[Item, asyncio.Future[Found]] = {}
        for item, texts in wanted.items():
            name = self._ledger.key(*item)
            if name in self._ledger.in_flight:
                others[item] = self._ledger.in_flight[name]
            else:
                self._ledger.in_flight[name] = asyncio.get_running_loop().create_future()
                mine[item] = texts
        return mine, others

    def _give_back(self, item: Item) -> None:
        future = self._ledger.in_flight.pop(self._ledger.key(*item), None)
        if future is not None and not future.done():
            future.cancel()

    async def _ask_all(self, mine: dict[Item, list[str]], landed: Landed) -> None:
        """Asks in prompts, side by side, within the time that is left."""
        left = self.seconds_left()
        prompts = [self._ask(batch, [mine[item] for item in batch], landed) for batch in self._batches(mine)]
        pairs = [self._match_pairs(group, landed) for group in pair_groups(mine)]
        outcomes: list[Any] = []
        self._planned = sum(not item[0].same for item in mine)
        try:
            async with asyncio.timeout(None if left == float("inf") else max(left, 0.01)):
                outcomes = await asyncio.gather(*prompts, *pairs, return_exceptions=True)
        except TimeoutError:
            self.exhausted = "seconds"
            return
        finally:
            for item in mine:
                self._give_back(item)
        self._note_failures(outcomes)

    def _batches(self, mine: dict[Item, list[str]]) -> Iterator[list[Item]]:
        """What goes into one prompt: answers and summaries apart, the questions on one text together."""
        for summary in (False, True):
            items = [item for item in mine if not item[0].same and item[0].summary is summary]
            first = {content: place for place, (_, content) in reversed(list(enumerate(items)))}
            items.sort(key=lambda item: first[item[1]])
            size = self._reading.sizes.current
            yield from (items[start : start + size] for start in range(0, len(items), size))

    def _note_failures(self, outcomes: Sequence[Any]) -> None:
        """What the model failed on is named as unread; when nothing was ever read, the failure is the outcome."""
        failed: dict[Item, LanguageError] = {}
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
            failed.update(outcome)
        if failed and not self._heard:
            raise next(iter(failed.values()))
        self.unread.update((item, error.sentence) for item, error in failed.items())

    async def _ask(self, batch: list[Item], texts: list[list[str]], landed: Landed) -> dict[Item, LanguageError]:
        """One prompt: its passages, the reader's replies, each kept or named as failed."""
        cuts = await self._cuts(batch, texts)
        learned: dict[str, Any] = {}
        failed: dict[Item, LanguageError] = {}
        self.usage.values += len(batch)
        started = time.monotonic()
        replies, cuts = await self._read(batch, cuts)
        self._count(batch, time.monotonic() - started)
        for item, found, reply in zip(batch, cuts, replies, strict=True):
            if isinstance(reply, OutOfBudget):
                continue
            if isinstance(reply, LanguageError):
                failed[item] = reply
            else:
                self._keep(item, found, reply, learned)
        await self._ledger.memo.put_many(learned)
        landed(len(batch))
        return failed

    def _count(self, batch: list[Item], seconds: float) -> None:
        for ask, _ in batch:
            spent = self.spent.setdefault(ask, Spent())
            spent.values += 1
            spent.calls += self.calls(len(batch), ask) / len(batch)
            spent.seconds += seconds / len(batch)

    async def _match_pairs(self, group: PairGroup, landed: Landed) -> dict[Item, LanguageError]:
        """Which of several texts mean what one does: one question for all pairs that share it."""
        wanted, others = group
        learned: dict[str, Any] = {}
        values = tuple(dict.fromkeys(others.values()))
        self.usage.values += len(values)
        try:
            reply = await self._reading.match(MatchRequest(wanted=wanted, values=values))
        except OutOfBudget:
            return {}
        except LanguageError as error:
            return dict.fromkeys(others, error)
        self._heard = True
        self._count(list(others), 0.0)
        for item, other in others.items():
            self._settle(item, Found("Yes" if other in reply.values else "No"), learned)
        await self._ledger.memo.put_many(learned)
        landed(len(others))
        return {}

    async def _cuts(self, batch: list[Item], texts: list[list[str]]) -> list[list[Cut]]:
        """The passages of each item, looked up together for items that ask the same."""
        cuts: list[list[Cut]] = [[] for _ in batch]
        by_question: dict[tuple[str, bool, bool], list[int]] = {}
        for at, item in enumerate(batch):
            if item[0].image:
                cuts[at] = [Cut("", picture, 0, number, image=picture) for number, picture in enumerate(texts[at])]
            elif not item[0].same:
                by_question.setdefault((self._question(item), item[0].summary, item[0].whole), []).append(at)
        for (question, summary, whole), places in by_question.items():
            find = self._passages.all if whole else self._passages.nearest
            passages = await find(question, [texts[at][:ROWS] for at in places], summary=summary)
            for at, found in zip(places, passages, strict=True):
                cuts[at] = found
        for at, item in enumerate(batch):
            if item[0].whole and len(texts[at]) > ROWS:
                self.partly[item] = (ROWS, len(texts[at]))
        return cuts

    async def _read(
        self, items: list[Item], cuts: list[list[Cut]]
    ) -> tuple[list[AnswerReply | LanguageError], list[list[Cut]]]:
        """The replies, and the passages that their spans are in: fewer, where there were more than a request holds."""
        large = [at for at, found in enumerate(cuts) if items[at][0].whole and not self._capacity.holds(found)]
        small = [at for at in range(len(items)) if at not in large]
        replies: dict[int, AnswerReply | LanguageError] = {}
        if small:
            told = await self._prompt([items[at] for at in small], [cuts[at] for at in small])
            replies = dict(zip(small, told, strict=True))
        self._planned -= len(small)
        for at in large:  # one after the other: each looks at what the ones before left of the budget
            found = await self._reduce(items[at], cuts[at])
            self._planned -= 1
            replies[at], cuts[at] = found.reply, found.cuts
        return [replies[at] for at in range(len(items))], cuts

    async def _reduce(self, item: Item, cuts: list[Cut]) -> Reduced:
        """The answer over more than a request holds; what was not read of it within the budget is noted."""

        async def ask(parts: Sequence[list[Cut]]) -> list[AnswerReply | LanguageError]:
            replies: list[AnswerReply | LanguageError] = []
            while len(replies) < len(parts):
                wave = parts[len(replies) : len(replies) + self.together]
                spare = self._planned if len(wave) > 1 else 0  # one for each question that is still to be asked
                wave = wave[: self.allowed(len(wave) + spare) - spare]
                if not wave or (replies and self._is_hurried()):
                    break
                size = self._reading.sizes.current
                batches = [wave[at : at + size] for at in range(0, len(wave), size)]
                told = await asyncio.gather(*(self._prompt([item] * len(batch), batch) for batch in batches))
                replies += [reply for batch in told for reply in batch]
            return replies

        found = await reduced(cuts, item[0], self._capacity, ask)
        rows = len({cut.document for cut in cuts})
        if len(found.read) < rows and isinstance(found.reply, AnswerReply):
            self.partly[item] = (len(found.read), max(rows, self.partly.get(item, (0, 0))[1]))
        return found

    def _is_hurried(self) -> bool:
        """Is most of the time over?"""
        return self._budget.seconds is not None and self.seconds_left() < HURRIED * self._budget.seconds

    async def _prompt(self, items: Sequence[Item], cuts: Sequence[list[Cut]]) -> list[AnswerReply | LanguageError]:
        passages = [tuple(each.shown() for each in found) for found in cuts]
        if items[0][0].summary:
            return await self._reading.summaries([SummaryRequest(passages=shown) for shown in passages])
        requests = [
            AnswerRequest(
                question=self._question(item),
                passages=shown,
                type=item[0].type,
                options=item[0].options,
                example=item[0].example,
                prose=item[0].prose,
            )
            for item, shown in zip(items, passages, strict=True)
        ]
        return await self._reading.answers(requests)

    def _keep(self, item: Item, cuts: list[Cut], reply: AnswerReply, learned: dict[str, Any]) -> None:
        if reply.problem:
            self.unread[item] = reply.problem
            return
        self._heard = True
        ask = item[0]
        value = canonical(reply.value, ask.type, ask.options)
        question = self._question(item)
        found = Found(value, evidence(question, value, reply, cuts))
        whole = not any(each.provisional for each in cuts) and item not in self.partly
        self._settle(item, found, learned if reply.lasting and whole else {})

    def _settle(self, item: Item, found: Found, learned: dict[str, Any]) -> None:
        """Keeps a value, for this query, for those that wait for it, and in `learned` for later ones."""
        self._learn(item, found)
        learned[self._ledger.key(*item)] = to_memo(found)
        future = self._ledger.in_flight.get(self._ledger.key(*item))
        if future is not None and not future.done():
            future.set_result(found)

    async def _wait_for(
        self, others: dict[Item, asyncio.Future[Found]], wanted: dict[Item, list[str]], landed: Landed
    ) -> None:
        """Takes what other queries were asking; asks itself where one of them gave up."""
        left: dict[Item, Any] = {}
        if not others:
            return
        timeout = self.seconds_left()
        await asyncio.wait(others.values(), timeout=None if timeout == float("inf") else max(timeout, 0.0))
        for item, future in others.items():
            if future.done() and not future.cancelled():
                self._learn(item, future.result())
                self.usage.cached += 1
            else:
                left[item] = wanted[item]
        if left and self.allowed(len(left)):
            await self.resolve(left, landed)

    def _learn(self, item: Item, found: Found) -> None:
        ask, content = item
        self.known.setdefault(ask, {})[content] = found.value
        self.found[item] = found

    def assume(self, items: Sequence[Item], value: str) -> None:
        """Take a value as known, for this query alone: it is not remembered, and nothing in the texts bears it out."""
        for item in items:
            self.known.setdefault(item[0], {})[item[1]] = value
            self.assumed[item] = value
        self.usage.by_score += len(items)

    async def match(self, request: MatchRequest) -> tuple[str, ...]:
        """Return the values of a vocabulary that mean what is wanted; remembered like answers."""
        reader = self._ledger.reader
        asked = (request.wanted.lower(), request.values, request.known, request.column)
        name = key("match", *asked, reader.name, reader.version)
        stored = (await self._ledger.memo.get_many([name])).get(name)
        if stored is not None:
            self.usage.cached += 1
            return tuple(stored)
        if not self.allowed(1):
            return ()
        reply = await self._reading.match(request)
        values = tuple(value for value in reply.values if value in request.values)
        await self._ledger.memo.put_many({name: list(values)})
        return values


def pair_groups(mine: dict[Item, list[str]]) -> list[PairGroup]:
    """Return the pairs by one of their sides, the one with fewer texts, each with not too many of the other."""
    pairs = {item: texts for item, texts in mine.items() if item[0].same}
    sides = [len({texts[side] for texts in pairs.values()}) for side in (0, 1)] if pairs else [0, 0]
    side = 0 if sides[0] <= sides[1] else 1
    by_text: dict[str, dict[Item, str]] = {}
    for item, texts in pairs.items():
        by_text.setdefault(texts[side], {})[item] = texts[1 - side]
    groups: list[PairGroup] = []
    for wanted, others in by_text.items():
        items = list(others)
        for start in range(0, len(items), CHOICES):
            groups.append((wanted, {item: others[item] for item in items[start : start + CHOICES]}))
    return groups
