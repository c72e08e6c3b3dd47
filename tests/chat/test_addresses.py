"""Where a request comes from, believed from trusted proxies only."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import RequestFactory
from django.utils import timezone

from hybridchat.addresses import address_key, client_address, client_address_of
from hybridchat.chat import limits, services
from hybridchat.chat.errors import TooFast
from hybridchat.chat.models import Turn
from hybridchat.chat.owners import Owner, key_of
from hybridchat.chat.tasks import forget_addresses


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),  # no proxy of ours: the header is the visitor's own word
        ("10.0.0.2", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.2", "1.1.1.1, 198.51.100.1", "198.51.100.1"),  # what the visitor put in front is not believed
        ("10.0.0.2", "198.51.100.1, 10.0.0.7", "198.51.100.1"),
        ("10.0.0.2", "10.0.0.9", "10.0.0.9"),
        ("10.0.0.2", "", "10.0.0.2"),
    ],
)
def test_only_trusted_proxies_say_where_a_request_comes_from(
    settings: Any, peer: str, forwarded: str, found: str
) -> None:
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    given = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    assert client_address(RequestFactory(REMOTE_ADDR=peer).get("/", **given)) == found
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    assert client_address_of({"client": (peer, 1234), "headers": headers}) == found


def test_addresses_of_one_household_are_one() -> None:
    assert address_key("2001:db8:1:2::5") == address_key("2001:db8:1:2:ffff::1") != address_key("2001:db8:1:3::5")
    assert address_key("::ffff:203.0.113.9") == address_key("203.0.113.9") != address_key("203.0.113.10")
    assert address_key("not an address") == ""


def test_where_a_turn_came_from_is_forgotten_after_a_day(turn: Turn, owner: Owner) -> None:
    other = services.receive(services.new_conversation(owner, "courses"), uuid4(), "logic", address_key("::1"))[0]
    services.request_stop(turn)
    services.request_stop(other)
    Turn.objects.filter(pk=turn.pk).update(
        address_key="a key", created=timezone.now() - timedelta(hours=25), finished_at=timezone.now()
    )
    assert forget_addresses() == 1
    assert set(Turn.objects.values_list("address_key", flat=True)) == {"", address_key("::1")}


def test_new_names_do_not_help_an_address_over_its_pace(transactional_db: None, settings: Any) -> None:
    settings.ADDRESS_PACE = 2
    address = address_key("203.0.113.9")
    for number in range(2 * limits.TURNS_PER_MINUTE):
        limits.check_pace(Owner(key_of(f"cookie {number}")), address)
    with pytest.raises(TooFast, match="your network"):
        limits.check_pace(Owner(key_of("one more cookie")), address)
    limits.check_pace(Owner(key_of("one more cookie")), address_key("203.0.113.10"))
