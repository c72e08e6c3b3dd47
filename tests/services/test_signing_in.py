"""Whoever guesses passwords of the admin is locked out, and nobody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db
RIGHT = "correct horse battery"


@pytest.fixture
def curator() -> User:
    return User.objects.create_user("curator", password=RIGHT, is_staff=True)


def sign_in(name: str, password: str, address: str = "192.0.2.1"):
    form = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post(reverse("admin:login"), form)


def guess(name: str, address: str = "192.0.2.1"):
    answers = [sign_in(name, f"guess {number}", address) for number in range(settings.AXES_FAILURE_LIMIT)]
    return answers[-1]


def test_the_right_password_is_refused_after_too_many_wrong_ones(curator: User) -> None:
    locked = guess("curator")
    assert locked.status_code == 429
    assert "locked for 15 minutes" in locked.content.decode()
    assert locked.headers["Retry-After"] == "900"
    assert sign_in("curator", RIGHT).status_code == 429


def test_others_and_other_addresses_are_not_locked_out(curator: User) -> None:
    guess("curator")
    User.objects.create_user("other", password=RIGHT, is_staff=True)
    assert sign_in("other", RIGHT).status_code == 302
    assert sign_in("curator", RIGHT, "192.0.2.2").status_code == 302


def test_an_account_that_does_not_exist_answers_alike(curator: User) -> None:
    assert guess("nobody").content == guess("curator").content


def test_the_lock_ends_after_a_quarter_of_an_hour(curator: User) -> None:
    guess("curator")
    for attempt in AccessAttempt.objects.all():
        AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=attempt.attempt_time - timedelta(minutes=16))
    assert sign_in("curator", RIGHT).status_code == 302


def test_a_success_forgets_the_failures_before_it(curator: User) -> None:
    sign_in("curator", "typo")
    assert sign_in("curator", RIGHT).status_code == 302
    assert not AccessAttempt.objects.exists()
