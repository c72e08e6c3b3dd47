"""The development sets: single messages against a state, over all applications and one that no application has.

Of the first, every third is tried; FULL_SWEEP=1 tries all.
"""

from pathlib import Path

import pytest

from tests.agent.tasks.cases import matches
from tests.agent.tasks.speaking import Understander, cases
from tests.drawn import FULL

DEVELOPMENT = Path("hybridchat/research/development/understanding.jsonl")
INVENTED = Path(__file__).with_name("clinic.jsonl")
LEAST = 0.97  # of the development set: it was developed on


@pytest.mark.timeout(600)  # the encoder, three hundred times
@pytest.mark.parametrize(("path", "least"), [(DEVELOPMENT, LEAST), (INVENTED, 0.9)], ids=["development", "invented"])
def test_messages_do_what_is_expected_of_them(understander: Understander, path: Path, least: float) -> None:
    wrong = []
    told = cases(path)
    told = told if FULL or path != DEVELOPMENT else told[::3]
    for case in told:
        found = understander.short(case)
        if not matches(case, found):
            wrong.append(f"{case['id']} {case['user']!r}: {found} instead of {case['expect']}")
    print(f"\n{len(told) - len(wrong)} of {len(told)} as expected", *wrong, sep="\n")
    assert len(wrong) <= (1 - least) * len(told), "\n".join(wrong)


def test_a_case_is_wrong_where_something_is_missing_or_added() -> None:
    case = {"expect": ["a_1.day = 2026-11-27", "yes a_1"]}
    assert matches(case, ["yes a_1", "a_1.day = 2026-11-27"])
    assert not matches(case, ["yes a_1"])
    assert not matches(case, ["yes a_1", "a_1.day = 2026-11-27", "question"])
    assert not matches(case, ["no a_1", "a_1.day = 2026-11-27"])
