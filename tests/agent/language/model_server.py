"""A local HTTP server that speaks chat completions, well or badly, as a test tells it to.

`ModelServer.will(*replies)` queues what it does with the next requests; the last one is repeated. `requests` keeps the
bodies it was sent. Nothing of it is mocked: the tests go through real sockets and the real `openai` client.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass
class Say:
    """A whole reply: the text (or one made from the request), streamed in pieces where that is asked for."""

    text: str | Callable[[Body], str] = "{}"
    refusal: str | None = None
    finish: str = "stop"
    usage: dict[str, Any] | None = field(default_factory=lambda: {"prompt_tokens": 1000, "completion_tokens": 100})
    after: float = 0.0  # seconds
    cut_after: int | None = None  # pieces of a stream, before the connection breaks off
    pieces: int = 7  # characters of a piece
    calls: tuple[tuple[str, Any], ...] = ()  # functions with their arguments, as text or to be written as JSON


@dataclass
class Fail:
    """An error with a status code and a body as servers send it."""

    status: int
    message: str = "no"
    code: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Garble:
    """A 200 whose body is not what it should be."""

    body: bytes = b"<html>Welcome to the router</html>"
    kind: str = "text/html"


Plain = Say | Fail | Garble
Behaviour = Plain | Callable[[Body], Plain]


def called(name: str, arguments: Any) -> Body:
    """A call of a function as servers write it."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": f"call-{name}", "type": "function", "function": {"name": name, "arguments": text}}


class ModelServer:
    """The server, on a port of its own until the test ends."""

    def __init__(self) -> None:
        self.requests: list[Body] = []
        self.dropped = 0  # connections the client closed before it had its reply
        self.busiest = 0  # requests in flight at once, at most
        self.models = ["small-model"]
        self._busy = 0
        self._queue: list[Behaviour] = [Say()]
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def will(self, *behaviour: Behaviour) -> None:
        self._queue = list(behaviour)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _next(self) -> Behaviour:
        with self._lock:
            return self._queue.pop(0) if len(self._queue) > 1 else self._queue[0]

    def _count(self, change: int) -> None:
        with self._lock:
            self._busy += change
            self.busiest = max(self.busiest, self._busy)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in server.models]}
                self.send(200, "application/json", json.dumps(listed).encode())

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(body)
                server._count(+1)
                try:
                    behaviour = server._next()
                    self.behave(behaviour(body) if callable(behaviour) else behaviour, body)
                except (BrokenPipeError, ConnectionResetError):
                    server.dropped += 1
                finally:
                    server._count(-1)

            def behave(self, behaviour: Plain, body: Body) -> None:
                match behaviour:
                    case Fail():
                        error = {"error": {"message": behaviour.message, "type": "error", "code": behaviour.code}}
                        self.send(behaviour.status, "application/json", json.dumps(error).encode(), **behaviour.headers)
                    case Garble():
                        self.send(200, behaviour.kind, behaviour.body)
                    case Say():
                        self.wait(behaviour.after)
                        text = behaviour.text if isinstance(behaviour.text, str) else behaviour.text(body)
                        say = self.stream if body.get("stream") else self.whole
                        say(behaviour, text, body)

            def wait(self, seconds: float) -> None:
                """Sleeps, and notices when the client goes away meanwhile."""
                self.connection.settimeout(0.02)
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    try:
                        if self.connection.recv(1) == b"":
                            raise BrokenPipeError
                    except TimeoutError:
                        continue
                self.connection.settimeout(None)

            def whole(self, say: Say, text: str, body: Body) -> None:
                message = {"role": "assistant", "content": None if say.refusal else text, "refusal": say.refusal}
                if say.calls:
                    message |= {"content": None, "tool_calls": [called(*call) for call in say.calls]}
                reply = {
                    "id": "x",
                    "object": "chat.completion",
                    "created": 0,
                    "model": body["model"],
                    "choices": [{"index": 0, "finish_reason": say.finish, "message": message}],
                }
                if say.usage:
                    reply["usage"] = {"total_tokens": 0, **say.usage}
                self.send(200, "application/json", json.dumps(reply).encode())

            def stream(self, say: Say, text: str, body: Body) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                pieces = [text[n : n + say.pieces] for n in range(0, len(text), say.pieces)]
                for number, piece in enumerate(pieces):
                    if number == say.cut_after:
                        self.connection.close()
                        raise BrokenPipeError
                    self.event({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}, body)
                self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": say.finish}]}, body)
                if say.usage and (body.get("stream_options") or {}).get("include_usage"):
                    self.event({"choices": [], "usage": {"total_tokens": 0, **say.usage}}, body)
                self.wfile.write(b"data: [DONE]\n\n")
                self.close_connection = True

            def event(self, part: Body, body: Body) -> None:
                whole = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": body["model"], **part}
                self.wfile.write(f"data: {json.dumps(whole)}\n\n".encode())
                self.wfile.flush()

            def send(self, status: int, kind: str, data: bytes, **headers: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(data)

        return Handler
