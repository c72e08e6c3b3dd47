"""Replies from templates: short, friendly, and with nothing in them that the rows do not say."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from typing import Any

from agent.backends.builtin.facts import both, brief, fact, has_words, is_known, is_pair, moment
from agent.backends.builtin.suggestions import suggestions
from agent.backends.builtin.talking import Talking
from agent.backends.builtin.wording import OnDays, days_named, number, on_days, readable, said_plainly, silence, unheard
from agent.language import CLOSENESS, OUT_OF, SO, ChatKind, Found, Reply, RespondRequest
from agent.parsing.dialogue.cues import comparative
from agent.parsing.unanswered import NEAREST
from agent.suql.describe import kind_described
from agent.suql.phrases import claim
from agent.text.english import listed
from agent.worksheets.acts import ActKind

CHAT = {
    ChatKind.GREETING: "Hello! I can {about}. What are you looking for?",
    ChatKind.THANKS: "You're welcome. Anything else?",
    ChatKind.FAREWELL: "Goodbye, and come back any time.",
    ChatKind.CAPABILITIES: "I can {about}. What I tell you comes from the data, and I show the sentence it rests on.",
    ChatKind.SMALL_TALK: "I'm better at searching than at conversation, but thank you. I can {about}.",
    ChatKind.GENERAL: "That is general knowledge, and I only answer from my own data. I can {about}.",
    ChatKind.OUT_OF_SCOPE: "I'm sorry, that is something I can't do here. I can {about}.",
    ChatKind.DONT_CARE: "All right. What should it be like?",
    ChatKind.UNCLEAR: "I'm not sure what you are looking for. I can {about}.",
}
ANYWHERE = "All right. These results are from all of them."
WHAT = "What should I look for? {hints}: anything helps."
HINTS = "A name, a kind, a wish"

WORTH_A_LOOK = "The closest I found:"
READ = ("answer", "summary")  # columns of what was read in texts
FEW = 3  # columns that were asked for rather than shown with all the others
_COUNTED = "the number of "
_OF_MANY = re.compile(r"\b(?:are|have|were|do|serve|offer)\b")
_LONG = 100  # characters of a description that is repeated in an answer
MANY = 6  # columns: a row with more was selected whole, and nobody asked for each
_ADDRESS = re.compile(r"(?:https?://|/)\S+")  # a card has it for pressing
CONTACT = "contact"  # a column that tells whom to ask, in full

_OWN_VERDICT = re.compile(r"(?:yes|no)\b", re.IGNORECASE)
_ASKS_WHOM = re.compile(
    r"\bcontacts?\b|\b(?:which|what) (?:office|team|desk|department|person)\b|"
    r"\bwho(?:m)?\b.*\b(?:ask|asks|call|ring|phone|e-?mail|write|talk|speak|turn|reach|help)\b|"
    r"\b(?:phone|telephone) number\b|\be-?mail address of\b|\bhow (?:do|can) i reach\b",
    re.IGNORECASE,
)


def respond(request: RespondRequest, talking: Talking | None = None) -> Reply:
    """The words of a turn: the chat part, what each question found, what the policy decided, what is asked back."""
    now, talking = request.conversation.now, talking or Talking()
    found = [_on_days(one.model_copy(update={"sayings": talking.sayings}), now) for one in request.found]
    answers = "\n\n".join(map(answer, found)).split("\n\n")
    paragraphs = [*_chat(request, talking), *dict.fromkeys(answers), *_acts(request)]  # what answers two is said once
    if request.ask == "location":
        paragraphs.append(talking.asking_where())
    elif request.ask:
        paragraphs.append(WHAT.format(hints=talking.hints or HINTS))
    paragraphs.append(request.unread)
    return Reply(text="\n\n".join(filter(None, paragraphs)), suggestions=suggestions(request, talking))


def _chat(request: RespondRequest, talking: Talking) -> Iterable[str]:
    if request.chat_reply:
        yield request.chat_reply
    elif request.chat is not None and not (request.ask or request.found or _acts(request)):
        if request.chat is ChatKind.DONT_CARE and [turn.asked for turn in request.conversation.past[-1:]] == [
            "location"
        ]:
            yield ANYWHERE
        else:
            yield CHAT[request.chat].format(about=talking.offer)


def _acts(request: RespondRequest) -> list[str]:
    """The acts in words, but for those that report a question, which `answer` says."""
    told = [act for act in request.acts if act.query is None or act.act is ActKind.ASK]
    return [act.text for act in told if act.text]


def answer(found: Found) -> str:
    """Return what one query found, in words."""
    if found.error:
        return found.error
    if not found.rows:
        return _nothing(found)
    if found.holds is not None and (told := _checked(found)):
        return "\n\n".join([told, *_notes(found)])
    by_presentation = {"aggregate": _aggregate, "detail": _detail, "comparison": _detail, "article": _article}
    lines = [by_presentation.get(found.presentation, _entities)(found)]
    if found.relaxed:
        left_out = listed([f"*{label}*" for label in found.relaxed])
        lines.insert(0, f"I found nothing that fits all of that. Leaving out {left_out}:")
    if found.holds is False and len(set(_titles(found))) > 1:  # of several that were asked about: what is so of each
        lines.insert(0, f"{_none_of(len(set(_titles(found))))}, as far as I can tell:")
    return "\n\n".join([*lines, *_notes(found)])


def _none_of(number_asked: int) -> str:
    return {1: "No", 2: "Neither of the two"}.get(number_asked, f"None of the {number(number_asked)}")


def _on_days(found: Found, now: datetime.datetime) -> Found:
    """What was found, with opening hours only of the days that the question names."""
    days = days_named(found.question, now)
    if not days:
        return found
    told = [
        {name: on_days(value, days) if isinstance(value, dict) else value for name, value in row.items()}
        for row in found.rows
    ]
    return found.model_copy(update={"rows": tuple(told)})


def _checked(found: Found) -> str:
    """The answer to a question of fact about one thing, with what is so of it; "" if several are meant."""
    titles = set(_titles(found))
    if len(titles) != 1 or not (title := titles.pop()):
        return ""
    columns = [name for name in found.columns if _is_told(name, ..., title)]
    if any(name.startswith(READ) for name in columns):
        return ""  # what was read of it says yes or no itself
    told = fact(title, found.rows, columns, found.sayings)
    if not is_known(found.rows, columns):
        return f"I have no information on that: what I know of **{title}** does not say."
    verdict = "Yes" if found.holds else "No"
    if len(found.rows) > 1 and len(columns) > 1:
        return f"{verdict}.\n\n{_detail(found)}"  # what belongs together of each row
    return f"{verdict}. {told}" if told else f"{verdict}."


def _nothing(found: Found) -> str:
    if not found.complete:
        return "\n\n".join(["I found nothing before I had to stop looking.", *_notes(found)])
    if found.presentation == "article":
        notes = _notes(found)
        if _ASKS_WHOM.search(found.question) and len(notes) > 1:
            return " ".join(reversed(notes))  # whom to ask, which is what was asked, and where it stands
        return " ".join([_silent(found), *notes])
    if found.presentation in ("detail", "comparison"):
        return f"I know of no {listed(found.unknown, 'or')}." if found.unknown else "I have nothing on that."
    if found.among:
        them = "it" if found.among == 1 else "them"
        return f"{_none_of(found.among)}, as far as I can tell from what I have on {them}."
    if (wish := comparative(found.question)) is not None:
        label = said_plainly(wish.column, end="").lower()
        return f"I found no {found.noun[1]} whose {label} is {'lower' if wish.less else 'higher'} than that."
    if found.besides:
        return f"I found no other {found.noun[1]} that fit."
    return f"I found no {_searched(found)}. You can take a condition away above, or ask for something near it."


def _searched(found: Found) -> str:
    """What was looked for: "Turkish restaurants in San Francisco"; that nothing fits, where that is long to say."""
    described = kind_described(found.description)
    short = described.casefold().split(" ")[0] != "the" and 0 < len(described) <= _LONG
    return described if short and found.noun[1] in described else f"{found.noun[1]} that fit"


def _notes(found: Found) -> list[str]:
    return [said_plainly(note) for note in found.notes]


def _entities(found: Found) -> str:
    keys = found.keys if len(found.keys) == len(found.titles) else tuple(map(str, range(len(found.titles))))
    # An entity that comes twice, since what it is joined to does, is one.
    titles = [f"**{title}**" for title, _ in dict.fromkeys(zip(found.titles, keys, strict=True)) if title]
    if not titles:
        return _table(found)
    called = list(zip(found.rows, _titles(found), strict=True))
    asked = [name for name in found.columns if any(_is_told(name, row.get(name), title) for row, title in called)]
    if 1 <= len(asked) <= FEW and len(found.titles) == len(found.rows):
        return _detail(found)  # "their addresses": what was asked for is told
    if len(titles) == 1:
        return f"That would be {titles[0]}{_by_what(found)}." if found.first else f"{titles[0]} fits."
    return f"{number(len(titles)).capitalize()} {found.noun[1]} that fit: {listed(titles)}."  # there may be more


def _by_what(found: Found) -> str:
    """What puts a row before all others, in parentheses: its rating, its price."""
    values = {name: found.rows[0].get(name) for name in found.first[:1]}
    known = {name: value for name, value in values.items() if isinstance(value, int | float | str)}
    return f" ({_facts(known, '', found)})" if known else ""


def _aggregate(found: Found) -> str:
    """One number in a sentence, or a line per group."""
    if len(found.rows) == 1 and set(found.rows[0]) == {SO, OUT_OF}:
        so, all_ = (found.rows[0][name] for name in (SO, OUT_OF))
        if not all_:
            return f"I found no {found.noun[1]} to take a share of."
        return f"**{round(100 * so / all_)} %**: {readable(so)} of {readable(all_)} {found.noun[all_ != 1]}."
    if len(found.rows) == 1 and len(found.rows[0]) == 1:
        ((name, value),) = found.rows[0].items()
        if value is None:
            return "There is nothing to count or to average."
        described = found.description if len(found.description) <= _LONG and not found.among else ""
        if name.startswith("count") and found.among > 1:
            return f"That is **{readable(value)}** of the {number(found.among)}."
        if name.startswith("count"):
            counted = described.removeprefix(_COUNTED) if described.startswith(_COUNTED) else ""
            if value == 1:  # "1 Thai restaurant in Palo Alto", unless a verb speaks of several
                counted = "" if _OF_MANY.search(counted) else counted.replace(found.noun[1], found.noun[0], 1)
            return f"There {'is' if value == 1 else 'are'} **{readable(value)}** {counted or found.noun[value != 1]}."
        if name == CONTACT:
            return f"{value}."
        what = described or f"the {said_plainly(name, end='')}"
        return f"{what[:1].upper()}{what[1:]} is **{_readable(name, value)}**."
    return _table(found)


def _table(found: Found) -> str:
    lines = []
    for row in found.rows:
        (_, first), *rest = row.items()
        values = ", ".join(_measured(name, value, found) for name, value in rest)
        lines.append(f"**{readable(first)}**" + (f": {values}" if values else ""))
    return (
        "\n".join(f"- {line}" for line in lines) if len(lines) > 1 or not found.first else f"That would be {lines[0]}."
    )


def _measured(name: str, value: Any, found: Found) -> str:
    """What was counted or averaged for a group: "3 restaurants", "average 4.76"."""
    if name.startswith("count"):
        return f"{readable(value)} {found.noun[value != 1]}"
    return f"{said_plainly(name, end='').lower()} {_readable(name, value)}"


def _detail(found: Found) -> str:
    """What was asked about each entity: one in a sentence or two, several as a list."""
    rows = _of_each(found)
    shared = _shared(rows, found)
    told = [(title, _facts(row, title, found, shared, alone=not shared and len(rows) == 1)) for title, row in rows]
    if len(told) == 1:
        ((title, text),) = told
        said = _yes_or_no(found, *rows[0]) or _sentence(*rows[0], found) or (f"**{title}**: {text}" if title else text)
        return _with_near(said, _near(found, title))
    if told and told[0][0] and len({title for title, _ in told}) == 1:
        title, row = rows[0]
        once = _facts({name: row[name] for name in shared}, title, found, alone=False) if shared else ""
        return "\n".join([f"**{title}**: {once}".rstrip() + "\n", *(f"- {text}" for _, text in told)])
    few = len(told) <= FEW  # of more, the sentences would hide what is known
    return "\n".join(
        f"- {_with_near(f'**{title}**: {text}', _near(found, title) if few else '')}" for title, text in told
    )


def _near(found: Found, title: str) -> str:
    """Of a thing that nothing answers for, the sentence that comes nearest to the question; "" if none does."""
    if len(found.nearest) != len(found.rows) or not title:
        return ""
    own = [at for at, name in enumerate(_titles(found)) if name == title]
    silent = any(all(found.rows[at].get(name) is None for at in own) for name in found.asked)
    return next((found.nearest[at].rstrip(".") for at in own if found.nearest[at]), "") if silent else ""


def _with_near(said: str, near: str) -> str:
    """What is told of a thing and the sentence that comes nearest to what is not known of it."""
    return f"{said.rstrip('.')}. {WORTH_A_LOOK} “{near}”." if near else said


def _yes_or_no(found: Found, title: str, row: dict[str, Any]) -> str:
    """What was read of one entity, where that is a yes, a no or silence: "Yes, **Alder** has parking."; else ""."""
    told = [(name, value) for name, value in row.items() if _is_told(name, value, title)]
    if not title or len(told) != 1 or told[0][1] not in ("Yes", "No", None) or told[0][0] not in found.asked:
        return ""
    ((name, value),) = told
    says, near = claim(found.asked[name], (*found.noun, "row", "rows")), _near(found, title)
    if says is None:
        return ""
    text = re.sub(rf" (?:at|of|in|for|with) this {found.noun[0]}\b", "", says.said(value != "No"))
    if says.form == "clause":
        return f"**{title}**: {value.lower()}, {text}." if value else f"**{title}**: {silence(near)} whether {text}."
    text = f"is {text}" if says.form == "adjective" else text
    unsaid = silence(near)
    return f"{value}, **{title}** {text}." if value else f"{unsaid[:1].upper()}{unsaid[1:]} whether **{title}** {text}."


def _sentence(title: str, row: dict[str, Any], found: Found) -> str:
    """One known fact of one entity: "The phone number of **Alder** is 555-0100."; "" if it is no single one."""
    told = [(name, value) for name, value in row.items() if _is_told(name, value, title)]
    if title and is_pair(columns := [name for name, _ in told], found.sayings):
        return fact(title, [row], columns, found.sayings)
    if not title or len(told) != 1 or told[0][1] in (None, [], "") or told[0][0].startswith(READ):
        return ""
    ((name, value),) = told
    if isinstance(value, OnDays) or has_words(name, found.sayings):
        return fact(title, [row], [name], found.sayings)
    called = said_plainly(name, end="").lower()
    if isinstance(value, list) and len(value) == 1:
        called = re.sub(r"(?<![es])s$", "", called)  # one instructor; several dishes
    are = called.endswith("s") and not called.endswith("ss") and not isinstance(value, int | float)
    return f"The {called} of **{title}** {'are' if are else 'is'} {_readable(name, value)}."


def _of_each(found: Found) -> list[tuple[str, dict[str, Any]]]:
    """The rows by title. Several rows that tell one thing of the same entity are one, with all that they tell."""
    rows: list[tuple[str, dict[str, Any]]] = []
    for title, row in zip(_titles(found), found.rows, strict=True):
        told = [name for name, value in row.items() if _is_told(name, value, title)]
        before = rows[-1] if rows else None
        if title and before is not None and before[0] == title and (met := _met(before[1], row, told, found)):
            rows[-1] = (title, {**before[1], **met})
        elif title and len(told) == 1 and before is not None and before[0] == title:
            (name,) = told
            known, more = (value if isinstance(value, list) else [value] for value in (before[1][name], row[name]))
            rows[-1] = (title, {**before[1], name: _together([*known, *(item for item in more if item not in known)])})
        else:
            rows.append((title, row))
    return rows


def _met(one: dict[str, Any], other: dict[str, Any], told: Sequence[str], found: Found) -> dict[str, Any]:
    """What two rows of one thing tell, where one of them says nothing of what was read that the other does not say;
    empty where they differ."""
    met: dict[str, Any] = {}
    for name in told:
        values = [value for value in (one.get(name), other.get(name)) if value is not None or name not in found.asked]
        if len(values) > 1 and values[0] != values[1]:
            return {}
        met[name] = values[0] if values else None
    return met


def _together(values: list[Any]) -> Any:
    """What several texts of one thing say: those that are silent take nothing from those that speak."""
    spoken = [value for value in values if value is not None]
    return spoken[0] if len(spoken) == 1 else spoken or None


def _is_told(name: str, value: Any, title: str) -> bool:
    """Whether a column says something beside what the entity is called."""
    return value != title and name not in ("slug", "id", "title", "name") and not name.startswith(CLOSENESS)


def _is_worth_telling(name: str, value: Any) -> bool:
    """Whether a value of a whole record belongs in words: it is known, no address, and not all that people wrote."""
    texts = value if isinstance(value, list) else []
    written = any(isinstance(text, str) and len(text) > _LONG for text in texts)
    return value not in (None, "", []) and not written and not (isinstance(value, str) and _ADDRESS.fullmatch(value))


def _said(row: dict[str, Any]) -> str:
    """The answer that was read from a row's text, if one was."""
    return next((str(value) for name, value in row.items() if name.startswith("answer") and value), "")


def _titles(found: Found) -> Sequence[str]:
    return found.titles if len(found.titles) == len(found.rows) else [""] * len(found.rows)


def _shared(rows: Sequence[tuple[str, dict[str, Any]]], found: Found) -> tuple[str, ...]:
    """What is the same in all rows of one thing, where something was read of it."""
    if len(rows) < 2 or not found.asked or len({title for title, _ in rows}) > 1:
        return ()
    title, first = rows[0]
    told = [name for name, value in first.items() if _is_told(name, value, title)]
    return tuple(name for name in told if all(row.get(name) == first[name] for _, row in rows))


def _facts(row: dict[str, Any], title: str, found: Found, apart: Sequence[str] = (), *, alone: bool = True) -> str:
    """What a row tells, one after the other, but for the columns that are told `apart` from it. What stands `alone`
    needs no saying what it answers."""
    told = {name: value for name, value in row.items() if _is_told(name, value, title) and name not in apart}
    if len(told) > MANY:
        told = {name: value for name, value in told.items() if name in found.asked or _is_worth_telling(name, value)}
    near = _near(found, title)
    pairs = {name: text for name, one in found.sayings.items() if (text := both(told, name, one))}
    paired = {*pairs, *(found.sayings[name].other for name in pairs)}
    pieces: list[str] = []
    for name, value in told.items():
        if name in paired:
            continue
        unsaid = unheard(found.asked.get(name, ""), near) if name.startswith(READ) else "not known"
        shown = _readable(name, value) if value is not None else unsaid
        named = not (name.startswith(READ) or isinstance(value, OnDays))
        spelt = _spelt_out(found, name, value, near) if len(told) > 1 or not alone else ""
        if name.startswith("summary") and pieces:
            shown = f"what people say: {shown}"
        known = value not in (None, [], "")
        told_so = brief(name, shown, found.sayings) if known else f"{said_plainly(name, end='').lower()} {shown}"
        pieces.append(spelt or (told_so if named else shown))
    together = [(found.sayings[name].brief or "{}").format(text) for name, text in pairs.items()]
    pieces = [*pieces, *together] or ["that is all I have"]
    return "; ".join([*(piece.removesuffix(".") for piece in pieces[:-1]), pieces[-1]])


def _readable(name: str, value: Any) -> str:
    """A value in words; of what was read, the sentences one after the other."""
    if isinstance(value, list):
        several = [one for one in value if one is not None]
        if {str(one) for one in several} == {"Yes", "No"}:
            return "some say yes, some no"
        if name.startswith(READ):
            return readable(" ".join(map(str, several)))
        return listed([_readable(name, one) for one in several]) or readable(value)
    return moment(value)


def _spelt_out(found: Found, name: str, value: Any, near: str) -> str:
    """A yes, a no or silence beside other facts, with what it is about: "yes, it has a patio"; else ""."""
    says = claim(found.asked[name], (*found.noun, "row", "rows")) if name in found.asked else None
    if says is None or value not in ("Yes", "No", None):
        return ""
    itself = rf" (?:at|of|in|for|with) this {found.noun[0]}\b"
    text = re.sub(itself, "", says.said(value != "No"))
    whole = text if says.form == "clause" else f"it {'is ' if says.form == 'adjective' else ''}{text}"
    return f"{silence(near)} whether {whole}" if value is None else f"{value.lower()}, {whole}"


def _silent(found: Found) -> str:
    """That the texts that were read do not answer, or may where a sentence comes near."""
    texts = f"the {found.noun[1]}"
    if any(note.startswith(NEAREST) for note in found.notes):
        return f"I'm not sure that {texts} answer that."
    return f"{texts[:1].upper()}{texts[1:]} don't say."


def _article(found: Found) -> str:
    """What the best article that answers says, with where it stands; and whom to ask, where that is wanted."""
    answered = [
        (row, title, value) for row, title in zip(found.rows, _titles(found), strict=True) if (value := _said(row))
    ]
    if not answered:
        return _silent(found)
    row, title, value = answered[0]
    if title.endswith("?") and _OWN_VERDICT.match(value):  # whose yes or no it is: another may have been asked for
        paragraphs = [f"*{title}* {value}"]
    else:
        paragraphs = [value, f"From *{title}*." if title else ""]
    if row.get(CONTACT) and _ASKS_WHOM.search(found.question):
        paragraphs.insert(0, f"You can ask: {row[CONTACT]}.")
    return "\n\n".join(filter(None, paragraphs))
