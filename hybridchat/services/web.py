"""Serve the site on a socket that is already open.

    python -m hybridchat.services.web DESCRIPTOR

The socket belongs to the supervisor, so that browsers that connect while the site is restarted wait instead of failing.
"""

import socket
import sys

import uvicorn


def main(descriptor: int) -> None:
    """Serve until told to stop. Open websockets get a second to be told goodbye."""
    config = uvicorn.Config(
        "hybridchat.asgi:application",
        lifespan="off",
        log_level="info",
        timeout_graceful_shutdown=1,
        ws_max_size=256 * 1024,
        proxy_headers=False,  # hybridchat.addresses reads them, from the proxies that the settings name
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
