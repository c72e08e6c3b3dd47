"""One process of a site: `process.py site PORT` or `process.py worker`; `--real` leaves the agent as it is.

Otherwise the agent is the scripted one of the chat's own tests; its rows are restaurants of the sample corpus, so that
a card has everything a card can have.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "hybridchat.settings"

import django
import uvicorn

django.setup()

from agent.record import Card, Constraint, Query  # noqa: E402
from agent.suql.describe import describe  # noqa: E402
from corpora.catalogue import catalogue  # noqa: E402
from corpora.models import Restaurant  # noqa: E402
from hybridchat.asgi import application  # noqa: E402
from hybridchat.celery import app  # noqa: E402
from tests.chat import fakes  # noqa: E402

scripted_query = fakes.query_for

SAYS = "It was the most romantic evening of the year, and nobody hurried us."
SAYS_TOO = "We got engaged in the corner by the window."
DENIES = "Romantic? The music was so loud that we left before the main course."
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def place(number: int) -> Card:
    """Restaurant `number` of the sample corpus, with two reviews for it and one against; the text of one is hostile."""
    slugs = list(Restaurant.objects.order_by("slug").values_list("slug", "name")[: number + 1])
    slug, name = slugs[number]
    return Card(
        values={"name": name, "answer": HOSTILE if number == 0 else "Indeed"},
        key=slug,
        table="restaurants",
        title=name,
        evidence=tuple(
            {
                "question": "is it romantic?",
                "value": "Yes",
                "text": f"{HOSTILE} {text} {'And the parking was easy. ' * 12}",
                "start": len(HOSTILE) + 1,
                "stop": len(HOSTILE) + 1 + len(text),
                "stance": stance,
                "label": author,
                "dated": "2026-10-03",
                "column": "reviews",
            }
            for text, stance, author in (
                (SAYS, "for", "Noor A."),
                (SAYS_TOO, "for", "Teo V."),
                (DENIES, "against", "Ana P."),
            )
        ),
    )


def query_for(message: str) -> Query:
    """The scripted query, with the description and the chips of the real language."""
    query = scripted_query(message)
    told = describe(query.suql, catalogue())
    chips = tuple(Constraint(id=one.id, label=one.label) for one in told.constraints)
    return query.model_copy(update={"description": told.text, "parts": told.parts, "constraints": chips})


def main() -> None:
    """Run as the arguments say, until told to stop."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # the script reads a name from the database between two awaits
    if "--real" not in sys.argv:
        fakes.install()
        fakes.card = place
        fakes.query_for = query_for
    if sys.argv[1] == "site":
        uvicorn.run(application, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
    else:
        app.conf.beat_schedule_filename = os.environ["BEAT_FILE"]
        app.worker_main(["worker", "--beat", "--concurrency=2", "--loglevel=WARNING", "--without-gossip"])


if __name__ == "__main__":
    main()
