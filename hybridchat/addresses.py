"""Where a request comes from: the connection's other end, or what a proxy that is trusted says about it.

A proxy appends to `X-Forwarded-For` the address it was spoken to from; what stood there before, anybody may have
written. So the header is read from its end, and only as far as the proxies of `TRUSTED_PROXIES` reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

HEADER = "x-forwarded-for"
ONE_HOUSEHOLD = 64  # bits of an IPv6 address that a provider gives to one customer as a whole


def client_address(request: HttpRequest) -> str:
    """The address of who sent the request; "" where it is not known."""
    return _behind(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))


def client_address_of(scope: Mapping[str, Any]) -> str:
    """The same for a websocket's ASGI scope."""
    peer = (scope.get("client") or ("", 0))[0]
    forwarded = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == HEADER.encode()]
    return _behind(peer, ",".join(forwarded))


def address_key(address: str) -> str:
    """The keyed hash that stands for an address in the database; of an IPv6 address, for its household."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 6:
        mapped = parsed.ipv4_mapped
        parsed = mapped or ip_network((parsed, ONE_HOUSEHOLD), strict=False).network_address
    return salted_hmac("hybridchat.address", str(parsed), algorithm="sha256").hexdigest()


def _behind(peer: str, forwarded: str) -> str:
    hops = [*(hop.strip() for hop in forwarded.split(",") if hop.strip()), peer]
    while len(hops) > 1 and _is_trusted(hops[-1], settings.TRUSTED_PROXIES):
        hops.pop()
    return hops[-1]


def _is_trusted(address: str, proxies: Sequence[str]) -> bool:
    try:
        return any(ip_address(address) in ip_network(proxy) for proxy in proxies)
    except ValueError:
        return False
