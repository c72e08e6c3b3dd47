"""The address a run listens on."""

from __future__ import annotations

import errno
import socket


class PortTaken(Exception):
    """Another program listens there; the message says how to choose another port."""


def take(host: str, port: int) -> socket.socket:
    """A socket bound to the address and not yet listening, so that a page asked for too early fails at once.

    Raises PortTaken, or OSError where the host is not an address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
    except OSError as error:
        door.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"Port {port} is taken by another program (perhaps another checkout of this one). "
                f"Choose another port: make run PORT={free_port(host, port + 1)}"
            ) from error
        if error.errno == errno.EACCES:
            raise PortTaken("Ports below 1024 need special rights. Choose another port: make run PORT=8765") from error
        raise
    return door


def free_port(host: str, first: int) -> int:
    """The first port from `first` on that nobody listens on."""
    for port in range(first, first + 1000):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            if probe.connect_ex((host, port)) != 0:
                return port
    return 0
