"""What a specification tells: knowledge worksheets that are a text and stand for no table, and how a task is done
("how do I cancel?"); and whether what somebody tells is anything that a choice stands for."""

from __future__ import annotations

import math
import re

from agent.parsing.tasks.gates import implied
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.similarity import Closeness, meanings, spoken
from agent.parsing.tasks.spotting import startable
from agent.parsing.tasks.workspace import Place
from agent.text.frequencies import english_rank
from agent.text.words import words_of
from agent.worksheets.specification import Specification, Worksheet, WorksheetKind
from agent.worksheets.wording import title_of

_LIKE = 0.5  # cosine of a question and a sentence that answers it
_SHORTEST = 5  # words: what has no more is a heading
_NEARLY = 0.08  # how much farther a second sentence may be and still be told
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_HOW = compiled(r"^\W*(?:{filler}\W+)*(?:{how}|{asking})\b")
_SPEAKS_OF = 0.5  # cosine of a question and what the task is for
_FEW = 2  # content words that a question about a task has beside those of the task
_EXPLAINED = 0.55  # share of what is told that the words of a choice explain, a rarer word counting for more
_PHRASE = 5  # words: a label or a title is too short to be compared in meaning
_RAREST = 20_000


def texts(specification: Specification) -> list[str]:
    """The texts of a specification."""
    worksheets = specification.worksheets
    return [one.description for one in worksheets if one.kind is WorksheetKind.KNOWLEDGE and not one.table]


def told(question: str, specification: Specification, closeness: Closeness, *, loosely: bool = True) -> str:
    """The sentences of the specification's texts that speak to a question; empty where none does. `loosely`: one that
    is not near, and shares a turn of phrase with it, does as well; without, only what shares a word with it does."""
    sentences = [sentence for text in texts(specification) for sentence in _SENTENCE.split(text)]
    sentences = [sentence for sentence in sentences if len(sentence.split()) > _SHORTEST]
    if not loosely:
        sentences = [sentence for sentence in sentences if words_of(sentence) & words_of(question)]
    scores = closeness.between(question, sentences)
    best = max(scores, default=0.0)
    if best < _LIKE:
        return next((sentence for sentence in sentences if loosely and _speaks_of(sentence, question)), "")
    near = [(score, text) for score, text in zip(scores, sentences, strict=True) if score >= max(best - _NEARLY, _LIKE)]
    return " ".join(text for _, text in sorted(near, key=lambda pair: -pair[0]))


def _speaks_of(sentence: str, question: str) -> bool:
    """Whether a sentence says a turn of phrase of the question in its own words ("don't show up", "does not come"),
    and there is little else in the question."""
    said = frozenset(name for names in meanings(sentence) for name in names)
    asked = spoken(question)
    hits = [item for item in asked if item.names & said]
    return any(" " in question[item.start : item.stop] for item in hits) and 3 * len(hits) >= len(asked)


def asked_about(text: str, specification: Specification, closeness: Closeness) -> Worksheet | None:
    """The task whose doing a question asks about: it says its verb, and little else. None where there is none, and
    where the specification has no words of its own, since its articles then tell how things are done."""
    low = text.lower()
    if _HOW.match(low) is None or not texts(specification):
        return None
    best = None
    for task in startable(specification):
        named = meanings(task.verb) + meanings(task.title)
        words = spoken(_HOW.sub("", low))
        does = any(item.names & one for item in words for one in meanings(task.verb))
        others = [item for item in words if not any(item.names & one for one in named)]
        if not does or len(others) > _FEW:
            continue
        near = closeness.between(text, [_described(task)])[0]
        if near >= _SPEAKS_OF and (best is None or near > best[0]):
            best = (near, task)
    return best[1] if best else None


def explained(text: str, task: Worksheet, specification: Specification, closeness: Closeness) -> str:
    """What is told of how a task is done."""
    return told(text, specification, closeness) or f"That is done here. {task.description}"


def _described(task: Worksheet) -> str:
    return f"{task.verb} a {title_of(task)}: {task.description}"


# -- what a choice stands for ----------------------------------------------------------------------------------------


def leads_on(place: Place) -> bool:
    """Whether the values of a choice open worksheets of their own: then each is a matter, and not any word is one."""
    gates = [child.held_by.predicate for child in place.sheet.children if child.held_by is not None]
    return any(re.search(rf"\b{re.escape(place.field.name)}\b", gate) for gate in gates)


def fits(low: str, place: Place, value: str, specification: Specification, closeness: Closeness) -> bool:
    """Whether lower-cased words can be about one value of a choice."""
    texts = _texts(place, value, specification)
    known = frozenset(name for text in texts for names in meanings(text) for name in names)
    said = spoken(low)
    weights = [_weight(low[item.start : item.stop]) for item in said]
    explained = sum(weight for weight, item in zip(weights, said, strict=True) if item.names & known)
    if not said or explained >= _EXPLAINED * sum(weights):
        return True
    phrases = [text for text in texts if len(text.split()) >= _PHRASE]
    return max(closeness.between(low, phrases), default=0.0) >= _LIKE


def fits_any(low: str, place: Place, specification: Specification, closeness: Closeness) -> bool:
    """Whether the words can be about any value of a choice."""
    return any(fits(low, place, one.value, specification, closeness) for one in place.field.enum_values)


def _texts(place: Place, value: str, specification: Specification) -> list[str]:
    """What the specification says of a value, and of the worksheets that it opens."""
    texts = [value, *(one.description for one in place.field.enum_values if one.value == value)]
    for child in place.sheet.children:
        held = child.held_by
        wanted = implied(specification, place.sheet.worksheet.name, held.predicate) if held is not None else ()
        if any(one.field == place.field.name and one.value == value for one in wanted):
            for sheet in child.tree():
                texts += [sheet.worksheet.title, sheet.worksheet.description]
                for field in sheet.worksheet.fields:
                    texts += [
                        field.label,
                        *(text for one in field.enum_values for text in (one.value, one.description)),
                    ]
    return [text for text in dict.fromkeys(texts) if text]


def _weight(word: str) -> float:
    return math.log(2 + min(english_rank().get(word, _RAREST), _RAREST))
