"""Checks of the worksheets of STAR's tasks."""

from __future__ import annotations

from hybridchat.effects.actions.star import registry
from hybridchat.effects.checks.contact import birth_date_check, name_check

registry.check("Main", "full_name")(name_check("full_name"))
registry.check("SecondAuthentication", "date_of_birth")(birth_date_check("date_of_birth"))
