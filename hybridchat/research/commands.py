"""What the commands share: the options every one has, and running many things at once."""

from __future__ import annotations

import asyncio
import random
import traceback
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.text import slugify
from pydantic import ValidationError

from agent.protocols.errors import AgentError
from corpora.models import Assistant
from hybridchat.agents import LANGUAGES
from hybridchat.chat.overrides import SYSTEMS, Overrides
from hybridchat.variants import Variant

UNDERSTANDINGS = ("rules", "catalogue")
Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def add_language(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--language", choices=LANGUAGES, default="", help="the backend (default: as set in the settings)"
    )


def add_understanding(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--understanding",
        choices=UNDERSTANDINGS,
        default="",
        help="builtin: read questions about restaurants by rules or by the catalogue alone (default: as set)",
    )


def spoken(options: dict[str, Any]) -> str:
    """The language that the options of `add_language`, `add_understanding` and `--arm` name, for `agent_for`."""
    variant = Variant.of(options["language"])
    return variant.model_copy(update={"understanding": options["understanding"] or variant.understanding}).name


def add_system(parser: ArgumentParser) -> None:
    parser.add_argument("--system", choices=SYSTEMS, default="suql", help="our own system (the default) or a baseline")
    parser.add_argument(
        "--arm",
        action=AsAnArm,
        metavar="JSON",
        help='what an arm of a study says: {"memory": false, "few_shot": "none"}',
    )


class AsAnArm(Action):
    """Sets the system and the language to those that an arm of a study with these overrides has."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None) -> None:
        try:
            arm = Overrides.model_validate_json(values)
        except ValidationError as error:
            raise CommandError(f"--arm: {'; '.join(one['msg'] for one in error.errors())}") from error
        namespace.system, namespace.language = arm.system, arm.spoken(arm.language or namespace.language)


def add_assistant(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--assistant", default="", help="the assistant's slug; without it, each question chooses its corpus"
    )


def check_assistant(name: str) -> str:
    """The slug of the assistant that has this slug or title (empty where none was asked for). Raises CommandError."""
    return _slug(name, _assistants())


def check_assistants(items: Iterable[dict[str, Any]], otherwise: str) -> list[dict[str, Any]]:
    """Lines, each with the slug of the assistant that it names, or the one for all that name none. Raises CommandError
    with the line's id."""
    known = _assistants()
    return [
        {**item, "assistant": _slug(item.get("assistant") or otherwise, known, of=f"{item['id']}: ")} for item in items
    ]


def _assistants() -> dict[str, str]:
    """The slug of each assistant, by what it may be called."""
    named = Assistant.objects.values_list("title", "slug")
    return {called: slug for title, slug in named for called in (slugify(title), slug)}


def _slug(name: object, known: dict[str, str], of: str = "") -> str:
    slug = known.get(slugify(str(name)), "")
    if name and not slug:
        choices = ", ".join(sorted(set(known.values())))
        raise CommandError(f"{of}There is no assistant {name!r}. There are: {choices}.")
    return slug


def clock(text: str | None) -> Callable[[], datetime]:
    """A clock that stands at the given local time, or the real one."""
    if not text:
        return timezone.localtime
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"--now {text!r} is not a time such as 2026-11-20T10:00.") from error
    fixed = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
    return lambda: fixed


class Failures:
    """The lines of a batch that could not be done: each is named on standard error, and the command's exit status is
    1 when it is over. `source` is where the lines come from."""

    def __init__(self, command: BaseCommand, source: str) -> None:
        self._command, self._source, self._count = command, source, 0

    def said(self, line: object, error: Exception) -> str:
        """Names a line that failed and returns what to write in its place. What nobody foresaw is told with where it
        happened, since that is a fault of the program."""
        self._count += 1
        if isinstance(error, AgentError):
            self._command.stderr.write(f"{self._source}, {line}: {error}")
            return str(error)
        self._command.stderr.write(f"{self._source}, {line}: {''.join(traceback.format_exception(error)).rstrip()}")
        return f"{type(error).__name__}: {error}"

    def settle(self) -> None:
        """Ends the command with status 1 if any line failed."""
        if self._count:
            lines = "1 line" if self._count == 1 else f"{self._count} lines"
            raise CommandError(f"{lines} could not be done; the others are written.")


def drawn(items: Sequence[Item], number: int, seed: int, part: Callable[[Item], Any] | None = None) -> list[Item]:
    """A random sample of that many, in the order of the items: the same for the same seed. Where the items have
    parts (`part` names an item's), each gives its share, rounded."""
    parts: dict[Any, list[int]] = {}
    for place, item in enumerate(items):
        parts.setdefault(part(item) if part else None, []).append(place)
    dice = random.Random(seed)  # noqa: S311  a sample for an evaluation
    shares = ((places, round(number * len(places) / len(items))) for places in parts.values())
    chosen = [place for places, share in shares for place in dice.sample(places, min(share, len(places)))]
    return [items[place] for place in sorted(chosen)]


async def at_once(work: Callable[[Item], Awaitable[Outcome]], items: Iterable[Item], width: int) -> list[Outcome]:
    """The outcomes in the order of the items, `width` of them under way at a time."""
    gate = asyncio.Semaphore(width)

    async def one(item: Item) -> Outcome:
        async with gate:
            return await work(item)

    return await asyncio.gather(*(one(item) for item in items))
