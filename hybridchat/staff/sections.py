"""What the admin offers, by task. A page that belongs to no model is listed here as well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest

from corpora.rights import assistants_within, limits
from hybridchat.effects.models import Ticket
from hybridchat.research.selectors import open_feedback


@dataclass(frozen=True, slots=True)
class Entry:
    """A model's pages. `begin` says how its first row comes about, `waiting` counts what somebody has to see to."""

    model: str  # "app.Model"
    about: str
    name: str = ""
    begin: str = ""
    waiting: Callable[[HttpRequest], int] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of its own: the name of its view, and the permission without which it is not offered.

    One `across` all corpora is not offered to whoever is limited to some. The pages below `over`, an address within the
    admin, are parts of it.
    """

    name: str
    view: str
    permission: str
    about: str
    across: bool = False
    over: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    entries: tuple[Entry | Page, ...]


def _open_tickets(request: HttpRequest) -> int:
    return Ticket.objects.filter(status=Ticket.Status.OPEN).count()


def _open_feedback(request: HttpRequest) -> int:
    limited = limits(request.user)
    return open_feedback(None if limited is None else [one.slug for one in assistants_within(limited)])


SECTIONS = (
    Section(
        "Assistants",
        (
            Entry("corpora.Assistant", "What people choose on the first page."),
            Entry(
                "corpora.WorksheetEdition",
                "What people can get done, and how they are asked.",
                "Worksheets",
                begin="Add one here, or choose “Copy the worksheets of” in an assistant's form.",
            ),
        ),
    ),
    Section(
        "Corpora",
        (
            Entry("corpora.Import", "Bring data in files, step by step.", "Imports"),
            Page(
                "All corpora",
                "admin:corpora_corpora",
                "corpora.view_corpusdescription",
                "Their tables and columns, and the words for them.",
                over="corpora/rowchange/of/",
            ),
            Entry(
                "corpora.CorpusVersion",
                "What was brought in files, version by version.",
                "Imported versions",
                begin="Bring data under Imports: each import is a version, and so is each edit after it.",
            ),
            Entry(
                "corpora.CorpusDescription",
                "Who described which corpus, and when.",
                "Versions of descriptions",
                begin="Open a corpus under All corpora, say what its columns mean, and save.",
            ),
            Entry(
                "corpora.RowChange",
                "What rows were before they were changed.",
                "Changed rows",
                begin="Open a table under All corpora or at the end of an import, and edit a row of it.",
            ),
            Entry(
                "corpora.ImportFile",
                "Files as they were uploaded.",
                "Uploaded files",
                begin="Files lie here once they are uploaded under Imports.",
            ),
            Entry("corpora.Place", "Cities, districts and landmarks, with their other names."),
            Entry(
                "corpora.Passage",
                "The stretches in which free text is searched.",
                begin="Texts are cut into passages when rows with prose are imported or saved.",
            ),
            Entry(
                "corpora.HandEdit",
                "Rows that no file writes over.",
                begin="A row stands here once somebody edits it in the admin.",
            ),
        ),
    ),
    Section(
        "Better answers",
        (
            Entry(
                "chat.Feedback",
                "What people said of answers, and replies.",
                waiting=_open_feedback,
                begin="People leave it with the thumbs, the reasons and “I meant …” below each answer.",
            ),
            Entry(
                "research.CorpusHealth",
                "What a corpus lacks, and what people asked in vain.",
                "Health",
                begin="There is a page for each assistant: make one under Assistants.",
            ),
            Entry("research.PlaygroundRun", "Try a question or a query, and see each step.", "Playground"),
            Entry(
                "corpora.FewShotPair",
                "Messages with their queries, which the parser learns from.",
                begin="Write one here, or save one from the playground or from feedback.",
            ),
            Entry(
                "research.RegressionCase",
                "Questions that must go on being answered.",
                begin="Write one here, or save one from the playground or from feedback.",
            ),
            Entry(
                "research.RegressionRun",
                "What passed when, and what changed.",
                begin="Write regression cases of a corpus first; then run them with the button above.",
            ),
        ),
    ),
    Section(
        "Restaurants",
        (
            Entry("corpora.Restaurant", "Places to eat."),
            Entry("corpora.Review", "What guests wrote."),
            Entry("effects.Seating", "How many people each takes."),
            Entry("effects.Closure", "Days on which they are closed."),
            Entry("effects.Reservation", "Tables that people booked.", begin="People book tables in the chat."),
        ),
    ),
    Section(
        "Courses",
        (
            Entry("corpora.Course", "The catalogue."),
            Entry("corpora.Offering", "When and with whom."),
            Entry("corpora.Rating", "What students wrote."),
            Entry("corpora.Program", "Degrees and what they ask for."),
            Entry("effects.Enrollment", "Places that people took.", begin="People enroll in courses in the chat."),
        ),
    ),
    Section(
        "Student services",
        (
            Entry("corpora.Article", "Help articles, and the questions they answer."),
            Entry("corpora.ArticleQuestion", "How people ask for what an article says.", "Questions people ask"),
            Entry(
                "effects.Ticket",
                "Requests to the staff, and replies.",
                waiting=_open_tickets,
                begin="People write them in the chat, with the assistant of student services.",
            ),
            Entry(
                "effects.Letter",
                "E-mails, with those that could not be sent.",
                begin="The site writes them: confirmations of bookings, and replies to tickets.",
            ),
        ),
    ),
    Section(
        "Conversations",
        (
            Entry(
                "chat.Conversation",
                "What was said, to read and export.",
                begin="Ask an assistant something in the chat.",
            ),
            Entry("chat.Turn", "Single messages, with what failed.", begin="Ask an assistant something in the chat."),
            Entry("chat.TurnEvent", "Each step of each turn.", begin="Ask an assistant something in the chat."),
        ),
    ),
    Section(
        "Research",
        (
            Entry("research.Study", "Studies with people: consent, arms, questionnaires, and how they are going."),
            Entry(
                "research.Participation",
                "Who takes part, and how far they have come.",
                begin="People come by the invitation of a study that is open.",
            ),
            Entry("research.Project", "Turns to be annotated, agreement, and figures.", "Annotation projects"),
            Entry("research.Scheme", "What annotators are asked, and their guidelines.", "Annotation schemes"),
            Entry(
                "research.Annotation",
                "What each annotator said.",
                begin="Make an annotation project, and open it from the list of projects.",
            ),
            Entry("research.Export", "Conversations to take away, and who took them."),
            Entry("research.Run", "Conversations held again, evaluations and benchmarks."),
            Page(
                "Over time", "admin:research_run_over_time", "research.view_run", "Evaluations in plots.", across=True
            ),
            Entry(
                "chat.Configuration",
                "What turns were answered with: release, models, prompts, corpora.",
                begin="One is noted with the first turn that is answered.",
            ),
        ),
    ),
    Section(
        "Running the site",
        (
            Entry(
                "corpora.ModelCall",
                "What language models were asked, and what it cost.",
                begin="Calls are noted once a language model is connected.",
            ),
            Entry(
                "chat.ModelChoice", "Which model was connected when.", begin="Connect a model on the chat's first page."
            ),
            Entry("auth.User", "Accounts."),
            Entry("auth.Group", "Roles, and what each may do.", "Roles"),
            Entry("axes.AccessAttempt", "Wrong passwords.", begin="Nobody has mistyped a password."),
            Entry(
                "axes.AccessFailureLog", "Failures to sign in, each on its own.", begin="Nobody has failed to sign in."
            ),
            Entry("axes.AccessLog", "Who signed in.", begin="It fills as people sign in."),
        ),
    ),
)
