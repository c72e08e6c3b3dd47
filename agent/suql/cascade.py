"""A cascade: a condition on texts is decided by their similarity to the question where that is sure enough.

Never unless the caller asks for it, with targets (`thresholds.Cascade`). A sample of the texts is read; from it come
two thresholds of the score, and only the texts between them are asked about. What is decided by score holds for this
one query: it is not remembered, has no evidence, and rows that hang on it say so (`Row.by_score`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from agent.suql.asking import Asking, Item
from agent.suql.calls import asked
from agent.suql.candidates import Candidates
from agent.suql.database import Database
from agent.suql.logic import Both, Formula, Leaf
from agent.suql.names import Names
from agent.suql.result import Step
from agent.suql.scopes import Block, calls_in
from agent.suql.similarity import Similarity
from agent.suql.thresholds import Cascade, Decision, decide
from agent.suql.tree import inner
from agent.text.values import AnswerType

FEW = 200  # texts; so few are simply asked
MOST = 200_000  # texts whose scores are looked at
RECALLED = 5_000  # values looked up in the memo at a time

NOTHING = Decision(why="the query has no condition that reads texts")

Read = Callable[[list[Item]], Awaitable[None]]


@dataclass(slots=True)
class Outcome:
    """What became of a cascade: the question, how many texts there were, and what was decided."""

    question: str = ""
    texts: int = 0
    decision: Decision = NOTHING

    @property
    def decided(self) -> int:
        return len(self.decision.accepted) + len(self.decision.rejected)


class Cascading:
    """One query's cascade. `apply` runs it; then `outcome` says what came of it."""

    def __init__(
        self, wanted: Cascade, names: Names, database: Database, asking: Asking, similarity: Similarity
    ) -> None:
        self.wanted = wanted
        self.outcome = Outcome()
        self._names = names
        self._database = database
        self._asking = asking
        self._similarity = similarity

    async def apply(self, block: Block, found: Candidates, read: Read) -> None:
        """Decide by score what can be, for the SELECT whose candidates are given. `read` asks about some texts."""
        leaf, why = self._leaf(block)
        if leaf is None:
            self.outcome.decision = Decision(why=why)
            return
        while block.widen is not None and await block.widen():  # rows that are far from the question count, too
            pass
        (call,) = calls_in(leaf.node)
        ask = asked(call)
        self.outcome.question = ask.question
        scores = await self._scores(call, found)
        self.outcome.texts = len(scores)
        if not FEW <= len(scores) <= MOST:
            self.outcome.decision = Decision(why="there are too " + ("few" if len(scores) < FEW else "many") + " texts")
            return
        items = [(ask, content) for content in scores]
        for start in range(0, len(items), RECALLED):
            await self._asking.recall([item for item in items[start : start + RECALLED] if self._asking.is_open(*item)])

        async def label(contents: Sequence[str]) -> dict[str, bool]:
            opened = [(ask, content) for content in contents if self._asking.is_open(ask, content)]
            if opened and not self._asking.exhausted:
                await read(opened)
            known = self._asking.known.get(ask, {})
            return {content: known[content] == "Yes" for content in contents if content in known}

        decision = await decide(scores, self._shuffled(scores), self.wanted, label)
        if self._asking.exhausted:
            decision = Decision(sampled=decision.sampled, why="the budget ran out while the sample was read")
        for value, contents in (("Yes", decision.accepted), ("No", decision.rejected)):
            self._asking.assume([(ask, content) for content in contents if self._asking.is_open(ask, content)], value)
        self.outcome.decision = decision

    def _leaf(self, block: Block) -> tuple[Leaf | None, str]:
        """The condition that a score may decide: the first yes/no question that every row of the result has to pass."""
        if block.select.args.get("limit") is not None:
            return None, "LIMIT reads only a few texts"
        for leaf in _required(block.where):
            if leaf.free and self._is_plain(leaf.node, block):
                return leaf, ""
        return None, "no yes/no question about a column's texts has to be answered with Yes by every row"

    def _is_plain(self, node: exp.Expr, block: Block) -> bool:
        """Is it `answer(column, 'question') = 'Yes'`, asked in this SELECT alone and in one place of its condition?"""
        call = inner(node.this) if isinstance(node, exp.EQ) else None
        if call is None or not call.meta.get("ask") or calls_in(node) != [call]:
            return False
        ask = asked(call)
        right = inner(node.expression)
        plain = ask.type is AnswerType.BOOLEAN and not (ask.same or ask.built or ask.image)
        same_ask = [each for each in self._names.tree.walk() if each.meta.get("ask") == ask]
        own = [each for each in calls_in(block.select) if asked(each) == ask]
        where = block.select.args["where"]
        return (
            plain
            and isinstance(right, exp.Literal)
            and right.name == "Yes"
            and isinstance(inner(call.expressions[0]), exp.Column)
            and len(same_ask) == len(own)
            and sum(asked(each) == ask for each in calls_in(where)) == 1
        )

    async def _scores(self, call: exp.Expr, found: Candidates) -> dict[str, float]:
        """How near each text that a row may still match by is to the question, by the hash of its content."""
        column = inner(call.expressions[0]).copy()
        similar = exp.Anonymous(this="similar", expressions=[column, exp.Literal.string(asked(call).question)])
        await self._similarity.prepare(exp.Paren(this=similar))
        statement = found.statement()
        items = [statement.hash(call), self._similarity.score(similar, statement)]
        inside = found.build(statement, items, [f"NOT {statement.dead(found.condition)}"])
        rows = await self._database.rows(
            f"SELECT c0, max(c1)::float8 FROM ({inside}) AS _scored WHERE c0 IS NOT NULL GROUP BY c0 LIMIT {MOST + 1}",
            statement.parameters,
        )
        return dict(rows)

    def _shuffled(self, contents: dict[str, float]) -> list[str]:
        """In an order that depends on the seed and nothing else."""
        return sorted(contents, key=lambda content: hashlib.sha256(f"{self.wanted.seed} {content}".encode()).digest())

    # -- in words ------------------------------------------------------------------------------------------------------

    def note(self) -> str:
        """For who reads the result."""
        outcome, decision = self.outcome, self.outcome.decision
        if decision.why:
            return f"Nothing was decided by similarity: {decision.why}."
        return (
            f"Of {outcome.texts:,} texts, {outcome.decided:,} were decided by their similarity to “{outcome.question}” "
            f"and not read: {len(decision.accepted):,} taken for Yes, {len(decision.rejected):,} for No. "
            f"{self._targets()}, by a sample of {decision.sampled:,}."
        )

    def step(self, *, done: bool) -> Step:
        """For the plan."""
        decision = self.outcome.decision
        title = "Decide by similarity first where a sample shows that it is sure enough"
        if not done:
            return Step(title, self._targets())
        counts = {
            "texts": self.outcome.texts,
            "sampled": decision.sampled,
            "accepted": len(decision.accepted),
            "rejected": len(decision.rejected),
        }
        return Step(title, self.note(), actual=counts)

    def _targets(self) -> str:
        wanted = self.wanted
        goals = [
            f"at least {share:.0%} of {what}"
            for share, what in (
                (wanted.recall, "the matches are found"),
                (wanted.precision, "what is found matches"),
            )
            if share < 1
        ]
        return f"With {wanted.confidence:.0%} confidence, " + " and ".join(goals or ["everything is asked"])


def _required(condition: Formula | None) -> Iterator[Leaf]:
    """The leaves that a row has to pass, each for itself."""
    if isinstance(condition, Leaf):
        yield condition
    elif isinstance(condition, Both):
        for part in condition.parts:
            yield from _required(part)
