"""What only the production form does: hashed static files, secure cookies, HTTPS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import Client, override_settings

MANIFEST = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}


@pytest.fixture
def gathered(tmp_path: Path) -> Iterator[Path]:
    """The static files as the image has them. Fails where a stylesheet refers to a file that is not there."""
    with override_settings(STORAGES=MANIFEST, STATIC_ROOT=tmp_path, WHITENOISE_USE_FINDERS=False):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield tmp_path


def test_static_files_have_names_that_change_with_their_content(gathered: Path) -> None:
    url = staticfiles_storage.url("css/hybridchat.css")
    assert re.fullmatch(r"/static/css/hybridchat\.[0-9a-f]{12}\.css", url)
    assert (gathered / url.removeprefix("/static/")).exists()
    assert (gathered / f"{url.removeprefix('/static/')}.gz").exists()


@pytest.mark.django_db
def test_every_static_file_of_the_first_page_is_gathered(gathered: Path, client: Client) -> None:
    page = client.get("/").content.decode()
    files = re.findall(r'(?:href|src)="/static/([^"#?]+)', page)
    assert len(files) > 3
    assert not [name for name in files if not (gathered / name).exists()]


@pytest.mark.django_db
def test_with_ssl_redirect_visitors_go_to_https_and_health_checks_do_not(client: Client) -> None:
    with override_settings(SECURE_SSL_REDIRECT=True):
        fresh = Client()
        assert fresh.get("/")["Location"] == "https://testserver/"
        assert fresh.get("/health/?only=web").status_code == 200
