"""What is put right once all is shown: the value that was said replaces the old one, or it is asked what was meant."""

import pytest

from agent.worksheets.acts import ActKind
from agent.worksheets.state import InstanceStatus
from tests.agent.tasks.speaking import Talk, Understander

SHOWN = ("open a ticket: I can't drop CS 145", "it hangs", "please be quick", "Lee Parks")


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


def value(talk: Talk, instance: str, field: str) -> object:
    found = talk.state.instance(instance)
    return found.slot(field).value if found is not None else None


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("no, change the problem to: the page is blank", "the page is blank"),
        ("the problem: the page is blank", "the page is blank"),
        ("problem is that the page is blank", "the page is blank"),
        ("The problem should say: “the page is blank, and it beeps” please", "the page is blank, and it beeps"),
        ("correct the problem, it should be: the page is blank", "the page is blank"),
        ("the problem isn't that, it's that the page is blank", "the page is blank"),
        ("actually the error is 504", "the error is 504"),
    ],
)
def test_a_text_is_replaced_by_the_words_that_follow_its_name(services: Talk, said: str, problem: str) -> None:
    decision = services.say(*SHOWN, said)
    assert value(services, "change_course_1", "issue_description") == problem
    assert (decision.acts[-1].act, services.done) == (ActKind.CONFIRM, [])


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("it should be Leah Parker", "Leah Parker"),
        ("no, Leah Parker", "Leah Parker"),
        ("Leah Parker is my full name", "Leah Parker"),
        ("the name is Park, not Parks", "Lee Park"),
        ("not Parks but Park", "Lee Park"),
        ("replace Parks with Park", "Lee Park"),
        ("it's spelled Parkes", "Lee Parkes"),
        ("my last name is spelled P-a-r-k-e-r", "Lee Parker"),
        ("please correct my surname to Osei", "Lee Osei"),
        ("can you rename me to Leah Parker", "Leah Parker"),
        ("can you change the full name to Leah Parker?", "Leah Parker"),
        ("put Leah Parker as the name", "Leah Parker"),
        ("no I said Leigh", "Lee Parks"),  # which of the two words?
        ("no I said Biology", "Lee Parks"),
        ("it should be Add a Course", "Lee Parks"),
    ],
)
def test_a_name_is_put_right_by_what_is_denied_or_looks_like_it(services: Talk, said: str, name: str) -> None:
    services.say(*SHOWN, said)
    assert value(services, "main_1", "full_name") == name
    assert services.done == []


def test_what_follows_a_name_that_is_put_right_is_read_too(services: Talk) -> None:
    services.say(*SHOWN, "the name is Park, not Parks, and the course is CS 154")
    assert value(services, "main_1", "full_name") == "Lee Park"
    assert value(services, "change_course_1", "course_code") == "CS 154"


def test_two_corrections_in_one_breath_are_both_made(services: Talk) -> None:
    services.say(*SHOWN, "my name is Finn Doyle, and remove the further details", "yes")
    ((_, ticket),) = services.done
    assert (ticket["full_name"], "extra_details" in ticket) == ("Finn Doyle", False)


def test_what_is_to_be_added_is_added_to_the_details(services: Talk) -> None:
    services.say(*SHOWN, "also mention that I need it by Friday")
    assert value(services, "main_1", "extra_details") == "please be quick. I need it by Friday"


def test_the_only_course_is_put_right_by_naming_another(services: Talk) -> None:
    services.say(*SHOWN, "oh and it's about CS 154")
    assert value(services, "change_course_1", "course_code") == "CS 154"


def test_words_about_what_is_done_are_no_code(services: Talk) -> None:
    services.say("I need help with adding a course", "it's about dropping it again")
    assert value(services, "change_course_1", "course_code") is None
    assert value(services, "change_course_1", "change_type") == "Drop a Course"


def test_what_is_to_be_changed_is_asked_for_again_though_it_need_not_be_there(services: Talk) -> None:
    decision = services.say(*SHOWN, "edit the problem")
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "issue_description")
    services.say("it freezes", "yes")
    assert services.done[0][1]["trouble_shoot"]["change_course_issues"]["issue_description"] == "it freezes"


@pytest.mark.parametrize("said", ["make that it shows a red box", "yes, and it should say that it beeps"])
def test_a_correction_that_cannot_be_read_runs_nothing(services: Talk, said: str) -> None:
    decision = services.say(*SHOWN, said)
    assert services.done == []
    assert "could not tell what is to be changed" in decision.acts[0].text


def test_a_day_that_is_put_right_where_more_is_asked_for_is_no_more(services: Talk) -> None:
    services.say("my AP credit was never posted", "in July", "I sent them on July 2nd actually")
    assert value(services, "main_1", "extra_details") is None
    assert value(services, "external_test_credits_1", "time_of_test_score_submission") == "2026-07-02"


@pytest.mark.parametrize(
    ("said", "kind", "change"),
    [
        ("no, it is not about a waitlist", "Change Course", None),
        ("not a waitlist. It's another enrollment issue", "Change Course", "Other Enrollment Issues"),
    ],
)
def test_a_kind_that_is_denied_gives_way(services: Talk, said: str, kind: str, change: str | None) -> None:
    services.say("I need help with the waitlist for CS 145", said)
    assert value(services, "trouble_shoot_student_enrollment_1", "trouble_shoot_specific_issue") == kind
    assert value(services, "change_course_1", "change_type") == change
    assert services.state.instance("join_waitlist_1").status is InstanceStatus.ABANDONED


def test_a_choice_that_is_denied_is_asked_for_again_and_none_is_guessed(services: Talk) -> None:
    services.say("I want to submit my A level scores", "physics", "no", "Carl Rossi")
    decision = services.say("no, not physics")
    assert decision.acts[-1].field == "subjects_for_unit_awards"
    services.say("biology")
    assert value(services, "external_test_credits_1", "subjects_for_unit_awards") is None


@pytest.mark.parametrize(
    "said",
    [
        "no, cancel it",
        "no, cancel please",
        "everything, forget the whole ticket",
        "no ticket please, thanks, bye",
        "no, nothing. I don't want a ticket",
        "no, don't submit anything",
    ],
)
def test_a_task_is_given_up_with_a_no_before_it(services: Talk, said: str) -> None:
    services.say(*SHOWN, said)
    assert services.state.instance("main_1").status is InstanceStatus.ABANDONED
    assert services.done == []


@pytest.mark.parametrize("said", ["no ticket please. thanks, bye", "I don't want a ticket", "no ticket"])
def test_what_nobody_wants_is_not_begun(services: Talk, said: str) -> None:
    services.say(said)
    assert services.state.instances == ()


def test_a_no_to_an_offer_begins_what_is_wanted_instead(services: Talk) -> None:
    services.say("I forgot to add a class before the deadline", "no. I want to submit my A level scores")
    assert [one.status for one in services.state.instances if not one.parent] == [
        InstanceStatus.ABANDONED,
        InstanceStatus.ACTIVE,
    ]
    assert value(services, "main_2", "student_task") == "External Test Credits"


def test_a_question_beside_a_no_is_answered_too(understander: Understander) -> None:
    talk = Talk(understander, "courses")
    talk.say("enroll me in CS 140, 3 units, letter, and CS 152, 3 units, letter")
    decision = talk.say("no. By the way, who teaches CS 140?")
    assert "who teaches CS 140" in talk.asked
    assert decision.acts[-1].act is ActKind.CONFIRM


@pytest.mark.parametrize(
    ("said", "first", "second"),
    [
        ("CS 140 for 5 units. all letter except CS 152, which is pass/fail", ("Letter", 5), ("Credit/No Credit", None)),
        ("letter for both, CS 152 for 3 units", ("Letter", None), ("Letter", 3)),
        ("CS 140 for 5 units and CS 152 for 4", (None, 5), (None, 4)),
        ("both for 3 units, the first for a letter, the other pass/fail", ("Letter", 3), ("Credit/No Credit", 3)),
        ("CS 152 credit/no credit, the rest letter", ("Letter", None), ("Credit/No Credit", None)),
        ("letter. And 3 units. CS 152 for 4 units", ("Letter", 3), (None, 4)),
        ("letter for all but CS 152", ("Letter", None), (None, None)),
    ],
)
def test_each_value_goes_to_the_course_it_is_said_of(
    understander: Understander, said: str, first: tuple[object, object], second: tuple[object, object]
) -> None:
    talk = Talk(understander, "courses")
    talk.say("enroll me in CS 140 and CS 152", said)
    found = [
        (value(talk, name, "grade_type"), value(talk, name, "course_num_units")) for name in ("course_1", "course_2")
    ]
    assert found == [first, second]


def test_a_number_that_was_asked_for_is_given_to_each_by_its_place(understander: Understander) -> None:
    talk = Talk(understander, "courses")
    talk.say("enroll me in CS 140 and CS 152, letter for both", "3 for the first and 4 for the second", "no")
    talk.say("the second one should be 3 units, not 4", "CS 140: 5 units", "not CS 152 but CS 154")
    assert [value(talk, f"course_{at}", "course_num_units") for at in (1, 2)] == [5, 3]
    assert value(talk, "course_2", "course_name") == "CS 154"


def test_a_no_before_an_answer_denies_it_not_twice(understander: Understander) -> None:
    talk = Talk(understander, "courses")
    talk.say(
        "enroll me in CS 140, 3 units, letter", "no", "yes", "Ana Ruiz, 05990011, ana@mail.example", "no I'm domestic"
    )
    assert value(talk, "student_info_1", "is_international_student") is False


@pytest.mark.parametrize("said", ["no contact", "no contact needed, thanks", "you don't need to reach me"])
def test_who_need_not_be_reached_leaves_no_request(understander: Understander, said: str) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("book Quorum for 2 on Friday at 8", said, "yes")
    assert set(talk.done[0][1]) == {"restaurant", "date", "time", "number_of_people"}


def test_the_second_of_two_tasks_is_taken_up_by_its_name(understander: Understander) -> None:
    talk = Talk(understander, "restaurants")
    talk.say(
        "book Fig & Foghorn on Saturday at 6 for 2, and Kaveri Tiffin Room on Sunday at 6 for 4", "jo@mail.example"
    )
    talk.say("yes", "use the same e-mail. yes", "go on with the Kaveri Tiffin Room reservation", "yes")
    assert [(ran["restaurant"], ran["email"]) for _, ran in talk.done] == [
        ("fig & foghorn", "jo@mail.example"),
        ("kaveri tiffin room", "jo@mail.example"),
    ]


def test_a_choice_is_nobodys_name(services: Talk) -> None:
    services.say("open a ticket", "External Test Credits")
    assert value(services, "main_1", "full_name") is None


def test_an_introduction_is_no_part_of_a_name(services: Talk) -> None:
    services.say(*SHOWN[:3], "ok it's Finn")
    assert value(services, "main_1", "full_name") == "Finn"
