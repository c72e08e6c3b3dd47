"""Checks of the ticket worksheets."""

from __future__ import annotations

from hybridchat.effects.actions.services import registry
from hybridchat.effects.checks.contact import name_check, past_date_check

registry.check("Main", "full_name")(name_check("full_name"))
registry.check("FormStatus", "submission_date")(past_date_check("submission_date", "A form's submission"))
registry.check("ExternalTestCredits", "time_of_test_score_submission")(
    past_date_check("time_of_test_score_submission", "The submission of scores")
)
