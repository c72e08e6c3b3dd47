"""Pictures from elsewhere: fetched once by a worker, checked, and served from here; nothing inside is reached."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from corpora import descriptions, kept_pictures
from corpora.catalogue.cards import Place
from corpora.catalogue.said import ColumnSaid, CorpusSaid, TableSaid
from corpora.models import FetchedPicture, Picture
from corpora.pictures import fetching
from corpora.pictures.fetching import fetch, is_public
from corpora.pictures.files import LARGEST, NotAPicture
from hybridchat.chat.display import displays
from tests.corpora.test_descriptions import CSV, bring

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40


class Pages(BaseHTTPRequestHandler):
    """A web server with a picture, with what is none, and with redirects."""

    def do_GET(self) -> None:
        if self.path == "/moved.png":
            self.answer(302, b"", Location="/1.png")
        elif self.path == "/inside.png":
            self.answer(302, b"", Location="http://169.254.169.254/latest/meta-data/")
        elif self.path == "/round.png":
            self.answer(302, b"", Location="/round.png")
        else:
            found = {"/1.png": PNG, "/page.png": b"<script>alert(1)</script>", "/large.png": PNG + b"0" * LARGEST}
            self.answer(200 if self.path in found else 404, found.get(self.path, b""))

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def web() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def anywhere(address: str) -> bool:
    """This machine's own address counts as public here; what the redirect leads to does not."""
    return address == "127.0.0.1" or is_public(address)


def test_a_picture_is_fetched_also_where_it_has_moved(web: str) -> None:
    assert fetch(f"{web}/1.png", anywhere) == ("image/png", PNG)
    assert fetch(f"{web}/moved.png", anywhere) == ("image/png", PNG)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/page.png", "no PNG"),
        ("/large.png", "the limit is 2 MB"),
        ("/none.png", "answers 404"),
        ("/round.png", "redirected too often"),
        ("/inside.png", "none of the internet"),
    ],
)
def test_what_is_no_picture_or_leads_inside_is_refused(web: str, path: str, said: str) -> None:
    with pytest.raises(NotAPicture, match=said):
        fetch(f"{web}{path}", anywhere)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/1.png",
        "http://localhost:6379/1.png",
        "http://[::1]/1.png",
        "http://10.0.0.1/1.png",
        "http://[::ffff:10.0.0.1]/1.png",
        "http://169.254.169.254/latest/meta-data/",
        "ftp://a.example/1.png",
        "file:///etc/passwd",
        "http://user:secret@a.example/1.png",
        "http://a.example:notaport/1.png",
    ],
)
def test_no_address_inside_is_ever_connected_to(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def connected(*_: Any, **__: Any) -> None:
        pytest.fail("a connection was opened")

    monkeypatch.setattr(fetching.socket, "create_connection", connected)
    with pytest.raises(NotAPicture):
        fetch(url)


@pytest.fixture
def inns(tmp_path: Path, db: None, web: str) -> str:
    bring(tmp_path, CSV.replace("https://a.example", web))
    told = {
        "photo": ColumnSaid(kind="IMAGE"),
        "price": ColumnSaid(card=Place.FACT),
        "style": ColumnSaid(card=Place.BADGE),
    }
    descriptions.save("inns", CorpusSaid(tables={"inns": TableSaid(columns=told)}))
    return web


def card_of(key: str) -> Any:
    return displays({("inns", key)})["inns", key]


def test_a_card_shows_what_curators_say_and_its_picture_from_here(
    inns: str, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(kept_pictures.current_app, "send_task", lambda name, args: sent.append((name, *args)))
    with django_capture_on_commit_callbacks(execute=True):
        card = card_of("I1")
    assert (card["badges"], card["lines"], card["picture"]) == (["rustic"], [("Price", "€80")], "")
    asked = FetchedPicture.objects.get()
    assert sent == [(kept_pictures.FETCH, asked.pk)]
    monkeypatch.setattr(kept_pictures.fetching, "fetch", lambda url: fetch(url, anywhere))
    kept_pictures.fetch(asked.pk)
    kept_pictures.fetch(asked.pk)
    with django_capture_on_commit_callbacks(execute=True):
        address = card_of("I1")["picture"]
    assert len(sent) == 1, "a picture that is here is not asked for again"
    served = Client().get(address)
    assert (served.content, served.headers["Content-Type"]) == (PNG, "image/png")
    assert served.headers["X-Content-Type-Options"] == "nosniff"


def test_a_picture_that_cannot_be_fetched_says_why_and_is_given_up(inns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    card_of("I2")
    asked = FetchedPicture.objects.get()
    tried: list[str] = []
    monkeypatch.setattr(kept_pictures.fetching, "fetch", lambda url: tried.append(url) or fetch(url, anywhere))
    for _ in range(5):
        kept_pictures.fetch(asked.pk)
    asked.refresh_from_db()
    assert asked.problem == "Its server answers 404."
    assert len(tried) == kept_pictures.TRIES
    assert not Picture.objects.exists()
    assert card_of("I2")["picture"] == ""
