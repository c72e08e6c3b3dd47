"""The table `articles`: help for students."""

from agent.catalogue.tables import Column, Kind, Saying, Table, Talk
from corpora.catalogue.cards import Part, Place

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
