"""Scores a parse by its slots: what the SUQL asks for against what an annotator says the words ask for.

*Strict*: every slot is right, nothing is missing and nothing is added.
*Lenient*: the structured slots are right, where a dish may count as a kind of food and the other way round, and a bound
may be part of a wider range; of dishes and free text at most one is missing or added.

Default limits and orders that the user did not ask for do not count. Free text is compared by meaning with
`similarity` (a cosine of sentence embeddings, for instance) and by the words two phrases share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlglot
from rapidfuzz import fuzz
from sqlglot import exp

from agent.parsing.lexicon import load
from agent.text.letters import fold

Similarity = Callable[[str, str], float]
MEANS = 0.55  # similarity above which two phrases ask for the same


@dataclass(slots=True)
class Slots:
    """What a query asks for. Values are folded to lower case."""

    equal: dict[str, set[str]] = field(default_factory=dict)
    excluded: dict[str, set[str]] = field(default_factory=dict)
    bounds: dict[str, dict[str, float]] = field(default_factory=dict)  # column -> {"min": ..., "max": ...}
    dishes: list[str] = field(default_factory=list)
    free: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    limit: int | None = None
    aggregate: str = ""
    projections: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The score of one parse; `wrong` names the slots that differ, `structure` whether all but wishes are right."""

    strict: bool
    lenient: bool
    wrong: tuple[str, ...]
    structure: bool = False


def slots(suql: str) -> Slots:
    """The slots of a query. Raises sqlglot's ParseError where it does not parse."""
    tree = sqlglot.parse_one(suql, read="postgres")
    found = Slots()
    where = tree.find(exp.Where)
    if where is not None:
        for node in where.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In):
            _comparison(node, found)
        for call in where.find_all(exp.Anonymous):
            _answer(call, found)
    order = tree.args.get("order")
    found.order = [_ordered(term) for term in order.expressions] if order else []
    limit = tree.args.get("limit")
    found.limit = int(limit.expression.this) if limit else None
    for item in tree.expressions:
        _projected(item.unalias(), found)
    group = tree.args.get("group")
    if group:
        found.aggregate += " by " + ", ".join(_name(g) for g in group.expressions)
    return found


def _comparison(node: exp.Expr, found: Slots) -> None:
    left, right = node.this, node.args.get("expression")
    if isinstance(right, exp.Any):  # 'thai' = ANY(cuisines)
        left, right = right.this.unnest() if isinstance(right.this, exp.Paren) else right.this, left
    if not isinstance(left, exp.Column):
        return
    values = node.expressions if isinstance(node, exp.In) else [right]
    denied = isinstance(node, exp.NEQ) or _denied(node)
    for value in values:
        if isinstance(value, exp.Literal) and not value.is_string:
            _bound(found, left.name, type(node), float(value.this))
        elif isinstance(value, exp.Literal | exp.Boolean):
            place = found.excluded if denied else found.equal
            place.setdefault(left.name, set()).add(fold(str(value.this)))


def _bound(found: Slots, column: str, kind: type[exp.Expr], value: float) -> None:
    bounds = found.bounds.setdefault(column, {})
    if kind in (exp.GT, exp.GTE, exp.EQ):
        bounds["min"] = value
    if kind in (exp.LT, exp.LTE, exp.EQ):
        bounds["max"] = value


def _denied(node: exp.Expr) -> bool:
    return sum(1 for _ in _parents(node, exp.Not)) % 2 == 1


def _parents(node: exp.Expr, kind: type[exp.Expr]) -> Iterable[exp.Expr]:
    parent = node.parent
    while parent is not None and not isinstance(parent, exp.Where):
        if isinstance(parent, kind):
            yield parent
        parent = parent.parent


def _answer(call: exp.Anonymous, found: Slots) -> None:
    if str(call.this).lower() != "answer" or len(call.expressions) < 2:
        return
    column, question = call.expressions[0], str(call.expressions[1].this)
    compared = call.parent
    denied = _denied(call) != (isinstance(compared, exp.EQ) and fold(str(compared.expression.this)) == "no")
    said = ("not " if denied else "") + _asked(question)
    if column.name == "popular_dishes":
        found.dishes.append(said)
    elif said not in found.free and not any(_same_wish(other.sql(), question) for other in _parents(call, exp.Or)):
        found.free.append(said)  # one wish may be looked for in two columns


def _same_wish(alternatives: str, question: str) -> bool:
    """Whether a question only widens a wish counted already: a dish on the menu, or a diet among the kinds of food."""
    kind = re.search(r"'([^']+)' = ANY\(\w*\.?cuisines\)", alternatives)
    return "popular_dishes" in alternatives or (kind is not None and fold(kind[1]) in fold(question))


def _asked(question: str) -> str:
    """The gist of a question: "is this restaurant romantic?" is "romantic"."""
    words = fold(question).rstrip("? ")
    words = re.sub(r"^(is|are|does|do|can|was|has|have|will) ", "", words)
    words = re.sub(r"\b(at |of |in )?(this|the) (restaurant|course|place|article)s?('s)? ?", "", words)
    return re.sub(r"^(serve|have|the) ", "", words).strip()


def _ordered(term: exp.Expr) -> str:
    best = term.this.this if isinstance(term.this, exp.Max | exp.Min) else term.this
    return f"{_name(best)} {'DESC' if term.args.get('desc') else 'ASC'}"


def _name(node: exp.Expr) -> str:
    return node.name if isinstance(node, exp.Column) else node.sql().lower()


def _projected(item: exp.Expr, found: Slots) -> None:
    if isinstance(item, exp.Coalesce):
        item = item.this  # the same is asked of another text
    if isinstance(item, exp.AggFunc):
        inner = item.this.name if isinstance(item.this, exp.Column) else ""
        found.aggregate = f"{item.key} {inner}".strip()
    elif isinstance(item, exp.Anonymous):
        found.projections.append(_asked(str(item.expressions[1].this)) if len(item.expressions) > 1 else item.sql())
    elif isinstance(item, exp.Column) and item.name not in ("name", "title", "*"):
        found.projections.append(item.name)


class Scorer:
    """Compares queries with gold annotations of restaurants."""

    def __init__(self, similarity: Similarity | None = None) -> None:
        self.similarity = similarity
        self._canonical = {
            fold(other): fold(canonical)
            for canonical, others in load("food")["cuisines"].items()
            for other in (canonical, *others)
        }

    def score(self, suql: str, gold: Mapping[str, Any]) -> Verdict:
        """The verdict on one query."""
        try:
            said = slots(suql)
        except sqlglot.ParseError:
            return Verdict(strict=False, lenient=False, wrong=("syntax",))
        wrong = [name for name, fits in self._structured(said, gold).items() if not fits]
        missing, added, forgiven = self._texts(said, gold)
        strict = not wrong and not missing and not added
        hard = [
            name for name in wrong if not (name == "cuisines" and forgiven) and not self._near_enough(name, said, gold)
        ]
        lenient = not hard and max(len(missing), len(added)) <= 1
        texts = (*(f"-{m}" for m in missing), *(f"+{a}" for a in added))
        return Verdict(strict, lenient, (*wrong, *texts), not wrong)

    # -- structured slots --------------------------------------------------------------------------------------------

    def _structured(self, said: Slots, gold: Mapping[str, Any]) -> dict[str, bool]:
        rating, reviews = said.bounds.get("rating", {}), said.bounds.get("num_reviews", {})
        return {
            "location": self._location(said, gold),
            "cuisines": self._kinds(said.equal) == self._gold_kinds(gold),
            "not cuisines": self._same_kinds(said.excluded, gold.get("not_cuisines") or []),
            "price": said.equal.get("price", set()) == set(gold.get("price") or []),
            "min rating": rating.get("min") == gold.get("min_rating"),
            "max rating": rating.get("max") == gold.get("max_rating"),
            "reviews": reviews.get("min") == gold.get("min_reviews"),
            "name": self._names(said, gold),
            "hours": bool(
                said.equal.get("opening_hours") or ("opening_hours" in said.projections and gold.get("projection"))
            )
            >= bool(gold.get("opening_hours"))
            >= bool(said.equal.get("opening_hours")),
            "order": not gold.get("order_by") or gold["order_by"].split()[0] in " ".join(said.order),
            "limit": not gold.get("limit") or said.limit == gold["limit"],
            "aggregate": bool(said.aggregate) == bool(gold.get("aggregate"))
            or "distinct" in str(gold.get("aggregate")),
        }

    @staticmethod
    def _location(said: Slots, gold: Mapping[str, Any]) -> bool:
        values = said.equal.get("location", set())
        wanted = [fold(v) for v in (gold.get("near"), gold.get("location")) if v]
        if not wanted:
            return not values or " or " in str(gold.get("logic") or "").lower()
        return any(fuzz.token_set_ratio(value.replace(",", " "), wanted[0]) > 84 for value in values)

    def _kinds(self, chosen: Mapping[str, set[str]]) -> set[str]:
        return {self._canonical.get(value, value) for value in chosen.get("cuisines", set())}

    def _gold_kinds(self, gold: Mapping[str, Any]) -> set[str]:
        return {self._canonical.get(fold(value), fold(value)) for value in gold.get("cuisines") or []}

    def _same_kinds(self, chosen: Mapping[str, set[str]], wanted: list[str]) -> bool:
        mine, theirs = self._kinds(chosen), {self._canonical.get(fold(v), fold(v)) for v in wanted}
        return len(mine) == len(theirs) and all(any(a in b or b in a for b in theirs) for a in mine)

    @staticmethod
    def _names(said: Slots, gold: Mapping[str, Any]) -> bool:
        wanted = {fold(name) for name in (gold.get("name") or "").split("; ") if name}
        chosen = said.equal.get("name", set())
        return len(wanted) == len(chosen) and all(any(fuzz.ratio(a, b) > 84 for b in chosen) for a in wanted)

    def _near_enough(self, name: str, said: Slots, gold: Mapping[str, Any]) -> bool:
        """Prices that overlap, a kind of food that was left to a dish, hours that were left to a question."""
        if name == "price":
            return bool(said.equal.get("price", set()) & set(gold.get("price") or []))
        if name == "hours":
            return any(word in " ".join(said.free) for word in ("lunch", "dinner", "late", "open", "breakfast"))
        return False

    # -- dishes and free text ----------------------------------------------------------------------------------------

    def _texts(self, said: Slots, gold: Mapping[str, Any]) -> tuple[list[str], list[str], bool]:
        """Gold texts nobody asked for, asked ones nobody wanted, and whether all kinds of food are met by dishes."""
        texts = [*said.dishes, *said.free]
        kinds = self._kinds(said.equal)
        wanted = [*(gold.get("popular_dishes") or []), *(gold.get("free_text") or [])]
        gold_kinds = self._gold_kinds(gold)
        missing = [w for w in wanted if not any(self._means(w, t) for t in (*texts, *kinds))]
        asked = [*(gold.get("projection") or []), *gold_kinds]
        added = [t for t in texts if not any(self._means(w, t) for w in (*wanted, *asked))]
        for projection in gold.get("projection") or []:
            if not any(self._means(projection.replace("_", " "), p.replace("_", " ")) for p in said.projections):
                missing.append(projection)
        uncovered = gold_kinds - kinds
        forgiven = all(any(self._means(k, t) for t in texts) for k in uncovered) and all(
            any(self._means(k, w) for w in (*wanted, *gold_kinds)) for k in kinds - gold_kinds
        )
        return missing, added, forgiven

    def _means(self, gold: str, said: str) -> bool:
        return means(gold, said, self.similarity)


def means(gold: str, said: str, similarity: Similarity | None = None) -> bool:
    """Whether two phrases ask for the same: by the words they share, or by `similarity`."""
    ours, theirs = _stems(said), _stems(gold)
    if theirs and (theirs <= ours or ours <= theirs or len(theirs & ours) >= max(2, len(theirs) - 1)):
        return True
    return similarity is not None and similarity(gold, said) >= MEANS


def _stems(words: str) -> set[str]:
    plain = re.findall(r"[a-z]{2,}", fold(words))
    skip = {
        "good",
        "great",
        "the",
        "for",
        "of",
        "with",
        "and",
        "is",
        "to",
        "in",
        "do",
        "reviews",
        "say",
        "about",
        "what",
        "at",
        "very",
        "really",
        "nice",
        "free",
    }
    return {re.sub(r"(ies|es|s|ing|ly|ed|y)$", "", word)[:6] for word in plain if word not in skip}
