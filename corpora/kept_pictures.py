"""Pictures that cards show: those of this site as they are, those from elsewhere fetched once and served from here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from celery import current_app
from django.db import transaction
from django.db.models import F

from corpora.models import FetchedPicture, Picture
from corpora.models.columns import is_web_link
from corpora.pictures import fetching
from corpora.pictures.files import NotAPicture

FETCH = "hybridchat.chat.tasks.fetch_picture"
TRIES = 3
LONGEST = 2000  # characters of an address


def keep(body: bytes, content_type: str) -> Picture:
    """Store a checked picture; the same one twice is one."""
    digest = hashlib.sha256(body).hexdigest()
    found, _ = Picture.objects.get_or_create(digest=digest, defaults={"content_type": content_type, "body": body})
    return found


def kept(addresses: Iterable[str]) -> dict[str, str]:
    """Return the digest of each picture that is here by its address; those that are not are asked for."""
    wanted = {address for address in addresses if is_web_link(address) and len(address) <= LONGEST}
    known = {one.url: one for one in FetchedPicture.objects.filter(url__in=wanted)}
    missing = [FetchedPicture(url=url) for url in sorted(wanted - known.keys())]
    if missing:
        FetchedPicture.objects.bulk_create(missing, ignore_conflicts=True)
        for one in FetchedPicture.objects.filter(url__in=[one.url for one in missing]):
            ask_for(one)
    return {url: one.picture_id for url, one in known.items() if one.picture_id}


def ask_for(one: FetchedPicture) -> None:
    """Have a worker fetch it, after commit."""
    transaction.on_commit(lambda: current_app.send_task(FETCH, [one.pk]), robust=True)


def fetch(key: int) -> None:
    """Fetch a picture that was asked for, unless it is here or was tried often enough. Safe to run twice."""
    one = FetchedPicture.objects.filter(pk=key, picture=None, tries__lt=TRIES).first()
    if one is None:
        return
    FetchedPicture.objects.filter(pk=key).update(tries=F("tries") + 1)
    try:
        content_type, body = fetching.fetch(one.url)
    except NotAPicture as error:
        FetchedPicture.objects.filter(pk=key).update(problem=str(error)[:300])
        return
    FetchedPicture.objects.filter(pk=key).update(picture=keep(body, content_type), problem="")
