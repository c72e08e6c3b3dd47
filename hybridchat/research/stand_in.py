"""A stand-in for an embeddings endpoint: it speaks the protocol EMBEDDINGS_URL expects, and computes next to nothing.

What is measured with it is all that an import does besides embedding.
"""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from numpy.typing import NDArray

from hybridchat.research.bench_vectors import Clusters
from hybridchat.services.folder import CHECKOUT

DIGITS = 4  # of a number, so that writing them takes the server little time


class Handler(BaseHTTPRequestHandler):
    """POST …/embeddings, and nothing else."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a reply is two writes; the second would wait 40 ms for word of the first
    clusters = Clusters()

    def do_POST(self) -> None:
        """Answer with a vector for each text of `input`."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        vectors = asyncio.run(self.clusters.embed(body["input"]))
        said = _in_base64(vectors) if body.get("encoding_format") == "base64" else _in_digits(vectors)
        data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(said)]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        reply = json.dumps({"object": "list", "model": body["model"], "data": data, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *args: object) -> None:
        """Nobody reads of each request."""


def _in_base64(vectors: NDArray[np.float32]) -> list[str]:
    return [base64.b64encode(vector.tobytes()).decode() for vector in vectors.astype("<f4")]


def _in_digits(vectors: NDArray[np.float32]) -> list[list[float]]:
    found: list[list[float]] = np.round(vectors.astype(float), DIGITS).tolist()
    return found


@contextmanager
def stand_in() -> Iterator[str]:
    """Run one in a process of its own, and give its address."""
    with subprocess.Popen([sys.executable, "-m", __name__], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = process.stdout.readline().strip()
            if not port:
                raise RuntimeError("The stand-in for an embeddings endpoint did not start; what it said stands above.")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        print(server.server_port, flush=True)
        server.serve_forever()
