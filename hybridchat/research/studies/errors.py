"""Why somebody cannot take part.

TurnedAway
├── NotOpen          the study is over, or has not begun
├── Full             everybody it wanted has come
├── Duplicate        this person, or this browser, takes part already as somebody else
└── Unidentified     the link lacks the identifier that the recruiting site gives
"""

from __future__ import annotations


class TurnedAway(Exception):
    """The root. `title` and `sentence` are for the person."""

    title = "You cannot take part"
    sentence = "This study cannot be taken part in just now."
    status = 403
    screened = False  # whether it is the study's doing, so that the recruiting site is told by a code


class NotOpen(TurnedAway):
    """The study is over, or has not begun."""

    title = "This study is closed"
    sentence = "Nobody new can join it any more. Thank you for your interest."


class Full(TurnedAway):
    """Everybody it wanted has come."""

    title = "This study is full"
    screened = True
    sentence = (
        "All its places are taken. Should somebody leave, a place becomes free: you can try this link again later."
    )


class Duplicate(TurnedAway):
    """This person, or this browser, takes part already as somebody else."""

    title = "You have taken part already"
    sentence = (
        "Somebody has joined this study in this browser under another identifier, and everybody can take part once. "
        "If that was not you, open the link in another browser."
    )


class Unidentified(TurnedAway):
    """The link lacks the identifier that the recruiting site gives."""

    title = "This link is not complete"
    sentence = "It should carry your participant number. Please open the study from the site that invited you."
