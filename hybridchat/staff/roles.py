"""The roles there are after `migrate`, each with what it may do.

They are the product's: each `migrate` sets them to what stands here, so that a new page comes with its rights. Other
mixtures are groups of one's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import transaction

EVERYTHING = ("view", "add", "change", "delete")
LOOK = ("view",)

# By role, what may be done with which models: "app.*" is every model of an app.
ROLES: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "curator": (
        ("corpora.*", EVERYTHING),
        ("effects.seating", EVERYTHING),
        ("effects.closure", EVERYTHING),
        ("effects.reservation", LOOK),
        ("effects.enrollment", LOOK),
        ("chat.conversation", LOOK),
        ("chat.turn", LOOK),
        ("chat.feedback", ("view", "change")),
        ("research.*", EVERYTHING),
    ),
    "support": (
        ("effects.ticket", ("view", "change")),
        ("effects.ticketreply", ("view", "add")),
        ("effects.reservation", LOOK),
        ("effects.enrollment", LOOK),
        ("effects.letter", LOOK),
        ("corpora.article", LOOK),
        ("corpora.articlequestion", LOOK),
        ("chat.conversation", LOOK),
        ("chat.feedback", ("view", "change")),
        ("research.feedbackanswer", ("view", "add")),
    ),
    "researcher": (
        ("chat.conversation", LOOK),
        ("chat.turn", LOOK),
        ("chat.turnevent", LOOK),
        ("chat.feedback", LOOK),
        ("chat.configuration", LOOK),
        ("chat.modelchoice", LOOK),
        ("corpora.*", LOOK),
        ("research.*", EVERYTHING),
    ),
    "operator": (
        ("auth.user", EVERYTHING),
        ("auth.group", LOOK),
        ("axes.*", ("view", "delete")),
        ("chat.configuration", LOOK),
        ("chat.modelchoice", LOOK),
        ("corpora.modelcall", LOOK),
        ("corpora.corpuslimit", EVERYTHING),
        ("effects.letter", LOOK),
    ),
}
HELD_BACK = "corpora.corpuslimit"  # what "corpora.*" leaves out: nobody lifts their own limits


def make_roles(**_: Any) -> None:
    """Make the roles, or set them to what they should be."""
    for role in ROLES:
        with transaction.atomic():
            group, _made = Group.objects.get_or_create(name=role)
            group.permissions.set(permissions_of(role))


def permissions_of(role: str) -> list[Permission]:
    """Return the permissions that a role has, of the models that are installed."""
    return [one for one in Permission.objects.select_related("content_type") if _is_among(one, ROLES[role])]


def _is_among(permission: Permission, wanted: Iterable[tuple[str, tuple[str, ...]]]) -> bool:
    app, model = permission.content_type.app_label, permission.content_type.model
    names = {f"{app}.{model}"} | ({f"{app}.*"} if f"{app}.{model}" != HELD_BACK else set())
    return any(name in names and permission.codename in {f"{verb}_{model}" for verb in verbs} for name, verbs in wanted)
