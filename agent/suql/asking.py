"""Asking the reader, once for each value: memo first, then one call shared by every query that waits for the value.

`Ledger` lives as long as the engine and holds the calls in flight. `Asking` lives as long as one query: it keeps the
query's budget, what is known so far and the evidence for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.errors import BadReply, LanguageError
from agent.language.tasks import AnswerReply, AnswerRequest, MatchRequest, Reader, Span, SummaryRequest
from agent.suql.calls import Ask
from agent.suql.memo import Memo, key
from agent.suql.passages import Cut, Passages, texts_of
from agent.suql.result import Budget, Evidence, Usage
from agent.suql.values import canonical

BATCH = 8  # requests in one call of the reader
Item = tuple[Ask, str]  # what is asked, and the md5 of the content it is asked of


@dataclass(frozen=True, slots=True)
class Found:
    """A value with its evidence."""

    value: str | None
    evidence: tuple[Evidence, ...] = ()


@dataclass(slots=True)
class Ledger:
    """What an engine's queries share: the memo, and the values being asked for at this moment."""

    reader: Reader
    memo: Memo
    in_flight: dict[str, asyncio.Future[Found]] = field(default_factory=dict)

    def key(self, ask: Ask, content: str) -> str:
        """The memo's key of one value."""
        rarer = [part for part in (ask.example, "built" * ask.built, "image" * ask.image) if part]
        parts = ("answer", content, ask.question, ask.type, ask.options, ask.summary, *rarer)
        return key(*parts, self.reader.name, self.reader.version)


class Asking:
    """The values of one query: `known` by what is asked and of which content, `unread` what could not be read."""

    def __init__(self, ledger: Ledger, budget: Budget, passages: Passages, usage: Usage) -> None:
        self._ledger = ledger
        self._budget = budget
        self._passages = passages
        self.usage = usage
        self.known: dict[Ask, dict[str, str | None]] = {}
        self.found: dict[Item, Found] = {}
        self.unread: dict[Item, str] = {}
        self._questions: dict[Item, str] = {}  # of items whose question is part of their content
        self.exhausted = ""  # which limit of the budget ran out
        self._started = time.monotonic()
        self._heard = False  # has the reader answered anything yet?

    def is_open(self, ask: Ask, content: str) -> bool:
        """Is the value still to be asked for?"""
        return content not in self.known.get(ask, {}) and (ask, content) not in self.unread

    def allowed(self, wanted: int) -> int:
        """How many more calls the budget allows, at most `wanted`; says so in `exhausted` where it is none."""
        limits = [(self._budget.calls, self.usage.calls, "calls"), (self._budget.tokens, self.usage.tokens, "tokens")]
        for limit, used, name in limits:
            if limit is not None and used >= limit:
                self.exhausted = name
                return 0
        if self._budget.cost is not None and self.usage.cost >= self._budget.cost:
            self.exhausted = "cost"
            return 0
        if self.seconds_left() <= 0:
            self.exhausted = "seconds"
            return 0
        left = wanted if self._budget.calls is None else self._budget.calls - self.usage.calls
        return min(wanted, left)

    def seconds_left(self) -> float:
        """Seconds until the budget's time is over."""
        if self._budget.seconds is None:
            return float("inf")
        return self._budget.seconds - (time.monotonic() - self._started)

    async def resolve(self, contents: dict[Item, Any], landed: Callable[[int], None] = lambda done: None) -> None:
        """Makes values known, from the memo or by asking. Stops where the budget ends. `landed` hears of each batch.

        Raises a `LanguageError` where nothing at all could be read.
        """
        wanted = {item: self._texts(item, content) for item, content in contents.items() if self.is_open(*item)}
        for item, texts in list(wanted.items()):
            if not texts:
                self._learn(item, Found(None))
                del wanted[item]
        for item in await self.recall(list(wanted)):
            del wanted[item]
        mine, others = self._divide(wanted)
        allowed = self.allowed(len(mine)) if mine else 0
        if len(mine) > allowed:
            self.exhausted = self.exhausted or "calls"
            for item in list(mine)[allowed:]:
                self._give_back(item)
                del mine[item]
        await self._ask_all(mine, landed)
        await self._wait_for(others, wanted, landed)

    def _texts(self, item: Item, content: Any) -> list[str]:
        """The texts to read; a question that came with them is kept. None where there is nothing to ask."""
        if not item[0].built:
            return texts_of(content)
        self._questions[item] = content["question"].strip()
        return texts_of(content["text"]) if self._questions[item] else []

    def _question(self, item: Item) -> str:
        return self._questions.get(item, item[0].question)

    async def recall(self, items: Sequence[Item]) -> list[Item]:
        """Takes what the memo has of some values, and says which those are."""
        keys = {self._ledger.key(*item): item for item in items}
        stored = await self._ledger.memo.get_many(list(keys)) if keys else {}
        for name, value in stored.items():
            self._learn(keys[name], _from_memo(keys[name][0], value))
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

    async def _ask_all(self, mine: dict[Item, list[str]], landed: Callable[[int], None]) -> None:
        """Asks in batches, side by side, within the time that is left."""
        items = sorted(mine, key=lambda item: mine[item][0] if item[0].same else "")  # pairs by their first text
        batches = [items[start : start + BATCH] for start in range(0, len(items), BATCH)]
        left = self.seconds_left()
        try:
            async with asyncio.timeout(None if left == float("inf") else max(left, 0.01)):
                outcomes = await asyncio.gather(
                    *(self._ask(batch, [mine[item] for item in batch], landed) for batch in batches),
                    return_exceptions=True,
                )
        except TimeoutError:
            self.exhausted = "seconds"
            return
        finally:
            for item in items:
                self._give_back(item)
        self._note_failures(batches, outcomes)

    def _note_failures(self, batches: list[list[Item]], outcomes: Sequence[BaseException | None]) -> None:
        """A batch the model failed on is named as unread; when nothing was ever read, the failure is the outcome."""
        failures = [outcome for outcome in outcomes if outcome is not None]
        for outcome in failures:
            if not isinstance(outcome, LanguageError):
                raise outcome
        if failures and len(failures) == len(batches) and not self._heard:
            raise failures[0]
        for batch, result in zip(batches, outcomes, strict=True):
            if isinstance(result, LanguageError):
                self.unread.update((item, result.sentence) for item in batch)

    async def _ask(self, batch: list[Item], texts: list[list[str]], landed: Callable[[int], None]) -> None:
        """One batch: its passages, one call of the reader for answers and one for summaries, the replies kept."""
        cuts = await self._cuts(batch, texts)
        learned: dict[str, Any] = {}
        await self._match_pairs(
            [(item, pair) for item, pair in zip(batch, texts, strict=True) if item[0].same], learned
        )
        for group in (_positions(batch, summary=False), _positions(batch, summary=True)):
            if not group:
                continue
            self.usage.calls += len(group)
            self.usage.values += len(group)
            replies = await self._read([batch[at] for at in group], [cuts[at] for at in group])
            if len(replies) != len(group):
                raise BadReply("The language model left questions unanswered.", f"{len(replies)} of {len(group)}")
            for at, reply in zip(group, replies, strict=True):
                self._keep(batch[at], cuts[at], reply, learned)
        await self._ledger.memo.put_many(learned)
        landed(len(batch))

    async def _match_pairs(self, pairs: list[tuple[Item, list[str]]], learned: dict[str, Any]) -> None:
        """Which of the other texts mean what the first one does: one question for all pairs that share their first."""
        by_first: dict[str, list[tuple[Item, str]]] = {}
        for item, pair in pairs:
            if len(pair) < 2:
                self._learn(item, Found(None))
            else:
                by_first.setdefault(pair[0], []).append((item, pair[1]))
        for first, others in by_first.items():
            values = tuple(dict.fromkeys(other for _, other in others))
            self.usage.calls += 1
            self.usage.values += len(values)
            (reply,) = await self._ledger.reader.match_values([MatchRequest(wanted=first, values=values)])
            self._heard = True
            for item, other in others:
                self._settle(item, Found("Yes" if other in reply.values else "No"), learned)

    async def _cuts(self, batch: list[Item], texts: list[list[str]]) -> list[list[Cut]]:
        """The passages of each item, looked up together for items that ask the same."""
        cuts: list[list[Cut]] = [[] for _ in batch]
        by_question: dict[tuple[str, bool], list[int]] = {}
        for at, item in enumerate(batch):
            if item[0].image:
                cuts[at] = [Cut("", picture, 0, number, image=picture) for number, picture in enumerate(texts[at])]
            elif not item[0].same:
                by_question.setdefault((self._question(item), item[0].summary), []).append(at)
        for (question, summary), places in by_question.items():
            nearest = await self._passages.nearest(question, [texts[at] for at in places], summary=summary)
            for at, found in zip(places, nearest, strict=True):
                cuts[at] = found
        return cuts

    async def _read(self, items: list[Item], cuts: list[list[Cut]]) -> list[AnswerReply]:
        passages = [tuple(each.shown() for each in found) for found in cuts]
        if items[0][0].summary:
            return await self._ledger.reader.summarise([SummaryRequest(passages=shown) for shown in passages])
        requests = [
            AnswerRequest(
                question=self._question(item),
                passages=shown,
                type=item[0].type,
                options=item[0].options,
                example=item[0].example,
            )
            for item, shown in zip(items, passages, strict=True)
        ]
        return await self._ledger.reader.answer(requests)

    def _keep(self, item: Item, cuts: list[Cut], reply: AnswerReply, learned: dict[str, Any]) -> None:
        if reply.problem:
            self.unread[item] = reply.problem
            return
        self._heard = True
        ask = item[0]
        value = canonical(reply.value, ask.type, ask.options)
        question = self._question(item)
        found = Found(value, _evidence(question, value, reply.spans, cuts) if value is not None else ())
        self._settle(item, found, learned)

    def _settle(self, item: Item, found: Found, learned: dict[str, Any]) -> None:
        """Keeps a value, for this query, for those that wait for it, and for later ones."""
        self._learn(item, found)
        learned[self._ledger.key(*item)] = _to_memo(found)
        future = self._ledger.in_flight.get(self._ledger.key(*item))
        if future is not None and not future.done():
            future.set_result(found)

    async def _wait_for(
        self, others: dict[Item, asyncio.Future[Found]], wanted: dict[Item, list[str]], landed: Callable[[int], None]
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

    async def match(self, request: MatchRequest) -> tuple[str, ...]:
        """The values of a vocabulary that mean what is wanted; remembered like answers."""
        reader = self._ledger.reader
        name = key("match", request.wanted.lower(), request.values, request.column, reader.name, reader.version)
        stored = (await self._ledger.memo.get_many([name])).get(name)
        if stored is not None:
            self.usage.cached += 1
            return tuple(stored)
        if not self.allowed(1):
            return ()
        self.usage.calls += 1
        (reply,) = await reader.match_values([request])
        values = tuple(value for value in reply.values if value in request.values)
        await self._ledger.memo.put_many({name: list(values)})
        return values


def _positions(batch: Iterable[Item], *, summary: bool) -> list[int]:
    return [at for at, (ask, _) in enumerate(batch) if ask.summary is summary and not ask.same]


def _evidence(question: str, value: str | None, spans: Sequence[Span], cuts: list[Cut]) -> tuple[Evidence, ...]:
    """The deciding stretches, in their whole texts. A span outside its passage is a mistake and is left out."""
    found = []
    for span in spans:
        if not 0 <= span.passage < len(cuts):
            continue
        cut = cuts[span.passage]
        start, stop = max(span.start, 0), min(span.stop, len(cut.body))
        if start < stop:
            stance = "for" if span.supports else "against"
            found.append(
                Evidence(question, value, cut.text, cut.start + start, cut.start + stop, stance, cut.label, cut.dated)
            )
    return tuple(found)


def _to_memo(found: Found) -> dict[str, Any]:
    evidence = [[each.text, each.start, each.stop, each.stance, each.label, each.dated] for each in found.evidence]
    question = found.evidence[0].question if found.evidence else ""
    return {"value": found.value, "evidence": evidence, "question": question}


def _from_memo(ask: Ask, stored: dict[str, Any]) -> Found:
    question = stored.get("question") or ask.question
    return Found(stored["value"], tuple(Evidence(question, stored["value"], *each) for each in stored["evidence"]))
