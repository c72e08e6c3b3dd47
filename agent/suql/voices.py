"""What texts say of rows, in a sentence: "that reviewers call romantic", "whose description says it has a pool"."""

from __future__ import annotations

from dataclasses import dataclass

from agent.catalogue.tables import Table
from agent.suql.phrases import Claim


@dataclass(frozen=True, slots=True)
class Phrase:
    """`text` is what stands in the slot, `label` what stands alone, `clause` what has a subject of its own.

    `voice` says who claims it: "reviewers call", "whose description says it".
    """

    slot: str
    text: str
    label: str
    table: Table | None = None
    voice: str = ""
    clause: str = ""
    who: str = ""
    many: str = ""  # a claim of several: "serve crab"

    @property
    def whole(self) -> str:
        return self.clause or self.label


def claimed(found: Claim, positive: bool, who: str, table: Table | None) -> Phrase:
    """Return who says it and how: reviewers call or say it, a text says it."""
    text = found.said(positive)
    if found.form == "clause":
        if text.startswith(who):
            return Phrase("where", text, text, table)
        voice = f"{who} {_say(who)}"
        return Phrase("where", text, text, table, voice, f"{voice} {text}")
    if found.form == "adjective" and who == "reviewers":
        return Phrase("that", text, text, table, "reviewers call", f"reviewers call it {text}", who, f"are {text}")
    text = f"is {text}" if found.form == "adjective" else text
    clause = f"{who} {_say(who)} it {text}"
    if who in ("reviewers", "comments"):
        many = found.said(positive, many=True)
        return Phrase("that", many, text, table, f"{who} say", clause, who, many if found.form == "verb" else "")
    many = found.said(positive, many=True) if found.form == "verb" else f"are {found.said(positive)}"
    voice = f"whose {who.removeprefix('the ')} {_say(who)} it"
    return Phrase("whose", text, clause, table, voice, clause, who, many)


def not_claimed(found: Claim, positive: bool, who: str, table: Table | None) -> Phrase:
    """That nobody says so; a row of which nothing is said will do as well.

    What a no would say is denied by nobody: the yes is left possible ("perhaps dog friendly").
    """
    if not positive:
        return _not_denied(found, who, table)
    text = found.said(positive)
    said = text if found.form == "clause" else f"it {'is ' if found.form == 'adjective' else ''}{text}"
    clause = f"{who} {'do' if _say(who) == 'say' else 'does'} not say {said}"
    return Phrase("where", clause, clause, table)


def _not_denied(found: Claim, who: str, table: Table | None) -> Phrase:
    label = f"perhaps {found.yes}"
    nobody = f"no {who.removesuffix('s')} denies" if _say(who) == "say" else f"{who} does not deny"
    if found.form == "clause":
        return Phrase("where", f"{nobody} that {found.yes}", label, table)
    one = f"is {found.yes}" if found.form == "adjective" else found.yes
    many = f"are {found.yes}" if found.form == "adjective" else found.said(True, many=True)
    if who in ("reviewers", "comments"):
        return Phrase("that", many, label, table, nobody, f"{nobody} that it {one}")
    return Phrase("where", f"{nobody} that it {one}", f"{label} by {who}", table)


def _say(who: str) -> str:
    return "say" if who.endswith("s") or " and " in who else "says"
