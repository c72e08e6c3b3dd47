"""The table `articles`: help for students."""

from agent.catalogue.tables import Column, Kind, Saying, Table, Talk
from corpora.catalogue.cards import Part, Place

# What offices call things, and what students call them: both are looked for.
CALLED = {
    "F-1": "f1",
    "I-20": "i20",
    "J-1": "j1",
    "appointment time": "time slot, timeslot, enrollment time, enrolment time, enrollment window, registration time",
    "automatic enrollment from the waitlist": "off the waitlist",
    "campus card": "student id, student card, university card, university id, campus id, id card, my id, an id",
    "campus housing": "dorm, residence hall",
    "ceremony": "commencement",
    "counselling": "therapy, counseling",
    "counsellor": "therapist, psychologist, shrink, counselor",
    "credit/no credit": "pass/fail, pass fail, pass or fail, pass/no pass, pass no pass, pass or no pass",
    "death in the family": "died, passed away, funeral",
    "degree verification": "background check, confirm I graduated, confirm that I graduated, verify degree, "
    "verify that I graduated, prove I graduated, prove that I graduated",
    "disability accommodation": "dyslexia, adhd, extra time, disabled, disability",
    "discontinue": "quit, quitting, drop out, dropped out, dropping out, leave school, leave college, "
    "leave the university, leave for good, leaving for good, leaving school",
    "discontinued, reinstatement": "kicked out, no longer a student, struck off",
    "documentation": "paperwork, papers, doctor's note, doctor's letter, medical note, medical letter",
    "e-mail": "inbox, mailbox",
    "enroll": "register, registering, sign up for class, sign up for classes, signing up for classes",
    "enrollment": "registration",
    "enrollment certificate": "proof of enrollment, proof of enrolment",
    "enrollment hold": "blocked, can't enroll, cannot enroll, can't register, cannot register, unable to enroll, "
    "unable to register, won't let me enroll, won't let me register, won't let me sign up, won't let me add, "
    "doesn't let me sign up, didn't let me sign up, flag on account, red flag",
    "extend": "prolong, prolonging, lengthen, stay away longer",
    "first-year student": "freshman, freshmen, fresher",
    "grade average": "gpa, grade point average",
    "health insurance": "health plan, health coverage",
    "immunization": "vaccine, vaccination, shots",
    "installments": "two parts, three parts, four parts, several parts, monthly parts, in parts, over several months",
    "instructor": "prof, professor, teacher, lecturer",
    "late payment fee": "pay late, paying late, paid late, pay tuition late, paying tuition late, late on bill, "
    "late on payment, late on tuition, late with payment, late with bill, days late",
    "leave of absence": "time off, gap year, gap term, gap quarter, break from school, break from studies, year off, "
    "quarter off, term off, semester off, pause studies, year away, quarter away, term away",
    "legal name": "name after marriage, name after divorce, last name, surname, got married, just married, "
    "got divorced, not married anymore, not married any more",
    "locked": "shut out, locked out",
    "not appeared": "not show, not shown, not showing, not appear, hasn't appeared, haven't appeared, hasn't shown up, "
    "hasn't arrived, haven't arrived, hasn't posted, never appeared, never arrived, doesn't show, don't show",
    "overlap, time conflict": "clash, overlap, overlapping, at the same time",
    "payment plan, installments": "installment, instalment, monthly payment, split tuition, split bill, split payment, "
    "split up tuition, split it, split it up, splitting tuition, in one go, all at once, bit by bit",
    "quarter": "semester",
    "refund": "money back, reimburse, reimbursed, reimbursement, money I paid, do I get back, get it back",
    "reinstatement": "reinstated, let back in, readmitted",
    "repeat": "retake, retaking, redo, redoing, take it again, take class again, take course again, take class twice, "
    "take it twice, second try, second attempt",
    "return early from leave": "come back early, come back earlier, come back sooner, coming back early, "
    "go back early, back early, back earlier, back sooner",
    "robes": "cap and gown, gown",
    "transcript": "grades sent, send grades, official grades, official record",
    "two-step login": "2fa, mfa, two factor, second factor, can't log in, can't login, cannot log in, cant log in, "
    "can't sign in, cannot sign in, can't get past, verification code, authenticator, authenticator app",
    "waitlist position": "first in line, second in line, third in line, in line for",
    "withdraw": "get out of class, get out of course, getting out of class, out of class, out of course",
    "withdraw from a class": "quit class, quitting class",
}

ARTICLES = Table(
    name="articles",
    noun=("article", "articles"),
    description="Help articles: enrollment, waitlists, leave of absence, test credits, records, fees, housing, health.",
    synonyms=("help", "help articles", "help pages", "policies", "policy", "guides", "rules", "FAQ", "instructions"),
    key=("id",),
    entity="slug",
    title="title",
    talk=Talk(
        offer="answer questions about enrollment, leave, test credit, fees and the like from the help articles",
        hints="A form, a deadline, a fee",
        first=(
            "How do I drop a class?",
            "How long can a leave of absence be?",
            "Do I get credit for AP scores?",
        ),
        after_one=(("Whom do I contact?", ""),),
        after_several=(("Whom do I contact?", ""),),
    ),
    columns=(
        Column("id", Kind.NUMBER, integer=True, hidden=True, description="Internal number"),
        Column("slug", Kind.TEXT, hidden=True, description="Internal name"),
        Column("title", Kind.TEXT, description="The article's title", synonyms=("headline", "name", "called")),
        Column(
            "category",
            Kind.ENUM,
            description="What it is about, broadly",
            synonyms=("topic", "subject", "section", "area", "kind"),
        ),
        Column(
            "audience",
            Kind.ENUM,
            description="Whom it is for: 'all', 'undergraduate'",
            synonyms=("for whom", "for", "applies to", "who is it for"),
        ),
        Column(
            "updated",
            Kind.DATE,
            saying=Saying("was last updated on {}", brief="updated on {}"),
            description="When it was last changed",
            synonyms=("last updated", "changed", "date", "recent", "newest", "latest"),
        ),
        Column(
            "body",
            Kind.FREE_TEXT,
            description="The article: rules, deadlines, fees, steps, exceptions",
            synonyms=("text", "content", "says", "deadline", "how to", "how do I", "steps", "fee"),
            value_words=tuple((term, tuple(said.split(", "))) for term, said in CALLED.items()),
        ),
        Column(
            "questions",
            Kind.FREE_TEXT,
            many=True,
            hidden=True,
            description="What people ask that the article answers, in their own words; an article may have none",
        ),
        Column(
            "contact",
            Kind.TEXT,
            description="Whom to ask: office, room, telephone, e-mail",
            synonyms=("office", "email", "e-mail", "phone", "who to contact", "help desk", "whom to ask"),
        ),
    ),
)

CARDS = {
    "articles": (
        Part(Place.ABOVE, ("category",)),
        Part(Place.OPENING, ("body",)),
        Part(Place.LINK, ("updated",), "Updated"),
        Part(Place.LINK, ("contact",)),
    )
}
