"""A PostgreSQL database as a source: what comes along, what is said when it does not, and what it must not reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.forms import model_to_dict
from django.urls import reverse

from corpora.importing import postgresql
from corpora.importing.addresses import Address, read_address, seal, unseal
from corpora.importing.databases import sqlite
from corpora.importing.drafting import draft
from corpora.importing.postgresql import copy_database
from corpora.importing.source import Source
from corpora.loading.sources import Unreadable
from corpora.models import Import
from hybridchat import services
from tests.corpora.conftest import CountingEmbedder
from tests.corpora.importing.conftest import Guided, drop_imported
from tests.corpora.importing.test_importing import rows

SHOP = """
CREATE TYPE grade AS ENUM ('plain', 'fine');
CREATE TABLE makers (id int PRIMARY KEY, name text NOT NULL, founded date, mark bytea);
CREATE TABLE pots (
    code text PRIMARY KEY, maker int REFERENCES makers, grade grade, price numeric(8, 2), glazed boolean,
    made timestamptz, colours text[], size jsonb, opens time, note text
);
CREATE SCHEMA hidden; CREATE TABLE hidden.costs (id int PRIMARY KEY, amount money);
CREATE VIEW cheap AS SELECT code, price FROM pots WHERE price < 10;
INSERT INTO makers VALUES (1, 'Ada Holm', '1990-02-03', '\\x00'), (2, 'Bo "B" Lind', NULL, NULL);
INSERT INTO pots VALUES
    ('P1', 1, 'fine', 12.50, true, '2024-05-03 23:30:00+02', '{blue,"sea green"}', '{"height": 20}', '09:30', NULL),
    ('P2', 2, 'plain', 8, false, NULL, NULL, '{"height": 9, "width": 4}', NULL, E'two\\nlines, "quoted"'),
    ('P3', NULL, NULL, NULL, NULL, NULL, '{}', NULL, NULL, '');
"""


@pytest.fixture(scope="module")
def shop(embedded_services: None) -> Iterator[Address]:
    """A database of somebody else's on the embedded server, with a user of its own who may only read."""
    server = services.postgres().server
    with psycopg.connect(server.database_url("postgres"), autocommit=True) as owner:
        owner.execute("DROP DATABASE IF EXISTS pottery WITH (FORCE)")
        owner.execute("CREATE DATABASE pottery")
    with psycopg.connect(server.database_url("pottery")) as owner:
        owner.execute(SHOP)
        owner.execute("DROP ROLE IF EXISTS pottery_reader")
        owner.execute("CREATE ROLE pottery_reader LOGIN; GRANT SELECT ON makers, pots, cheap TO pottery_reader")
    yield Address(str(server.socket), "pottery", "pottery_reader", password="s3cret-word")
    with psycopg.connect(server.database_url("postgres"), autocommit=True) as owner:
        owner.execute("DROP DATABASE pottery WITH (FORCE)")
        owner.execute("DROP ROLE pottery_reader")


def copied(address: Address, folder: Path, **how: Any) -> dict[str, Source]:
    copy_database(address, folder / "pottery.sqlite", trusted=True, **how)
    return {source.part: source for source in sqlite(folder / "pottery.sqlite")}


def test_rows_types_keys_and_links_come_along(shop: Address, tmp_path: Path) -> None:
    tables = copied(shop, tmp_path)
    assert set(tables) == {"makers", "pots"}, "what the user may not read, and views, are not copied"
    _, first = next(iter(tables["pots"].rows()))
    assert first == {
        "code": "P1", "maker": 1, "grade": "fine", "price": 12.5, "glazed": True, "made": "2024-05-03 21:30:00+00",
        "colours": ["blue", "sea green"], "size.height": 20, "opens": "09:30:00", "note": None,
    }  # fmt: skip
    assert list(tables["pots"].rows())[1][1]["note"] == 'two\nlines, "quoted"'
    assert tables["makers"].notes == ("the column mark is left out: bytea is nothing that can be read",)
    spec, _ = draft("pottery", list(tables.values()))
    pots = spec.table("pots")
    assert pots is not None
    assert pots.key == "code"
    assert [(link.column, link.table, link.target) for link in pots.links] == [("maker", "makers", "id")]
    kinds = {column.name: column.kind.value for column in pots.columns}
    assert kinds == {
        "code": "TEXT", "maker": "NUMBER", "grade": "ENUM", "price": "NUMBER", "glazed": "BOOLEAN", "made": "DATE",
        "colours": "ENUM[]", "size_height": "NUMBER", "size_width": "NUMBER", "opens": "TIME", "note": "TEXT",
    }  # fmt: skip


def test_tables_that_are_named_are_copied_alone_and_views_where_named(shop: Address, tmp_path: Path) -> None:
    assert set(copied(shop, tmp_path, only=["cheap"])) == {"cheap"}
    with pytest.raises(Unreadable, match=r"There is no table 'costs'.*There are: makers, pots, cheap\."):
        copy_database(shop, tmp_path / "other.sqlite", only=["costs"], trusted=True)


def test_the_command_imports_a_database(
    transactional_db: None, shop: Address, tmp_path: Path, embedded: CountingEmbedder, capsys: Any
) -> None:
    call_command("import_corpus", "pottery", str(shop), draft=True)
    (tmp_path / "corpus.json").write_text(capsys.readouterr().out)
    call_command("import_corpus", "pottery", str(shop), spec=tmp_path / "corpus.json", yes=True)
    assert rows("SELECT code, price, glazed, made::text FROM kb.pots ORDER BY code")[0] == (
        "P1", 12.5, True, "2024-05-03",
    )  # fmt: skip
    drop_imported()


# -- What it must not reach, and never says ---------------------------------------------------------------------------


def test_nothing_can_be_written_through_the_connection(shop: Address) -> None:
    with pytest.raises(Unreadable, match="read-only"), postgresql._connected(shop, trusted=True) as server:
        server.execute("CREATE TEMPORARY TABLE x (n int); DELETE FROM public.pots")


def test_a_step_that_takes_too_long_is_left(shop: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "STATEMENT_SECONDS", 1)
    with pytest.raises(Unreadable, match="more than 1 seconds"), postgresql._connected(shop, True) as server:
        server.execute("SELECT pg_sleep(5)")


@pytest.mark.django_db
def test_the_sites_own_database_is_known_whatever_it_is_called(tmp_path: Path) -> None:
    own = connection.settings_dict
    socket = str(services.postgres().server.socket)
    address = Address(socket, str(own["NAME"]), "postgres")
    with pytest.raises(Unreadable, match="is the database of this site"):
        copy_database(address, tmp_path / "own.sqlite")


def test_only_hosts_that_an_operator_lists_are_allowed() -> None:
    listed = ["db.example.org", "other.example.org:6543", "[2001:db8::1]:5432", "/run/pg"]
    for good in ("db.example.org", "other.example.org:6543", "[2001:db8::1]"):
        assert read_address(f"postgresql://u@{good}/d").is_allowed(listed), good
    assert Address("/run/pg", "d", "u").is_allowed(listed)
    for bad in ("db.example.org:6543", "other.example.org", "localhost", "127.0.0.1", "sub.db.example.org", "DB"):
        assert not read_address(f"postgresql://u@{bad}/d").is_allowed(listed), bad
    assert not Address("/run/other", "d", "u").is_allowed(listed)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("postgresql://u:pw@h/d?passfile=/etc/passwd", "cannot have the option passfile"),
        ("postgresql://u:pw@h/d?sslkey=/etc/key", "cannot have the option sslkey"),
        ("postgresql://u:pw@h/d?hostaddr=127.0.0.1", "cannot have the option hostaddr"),
        ("postgresql://u:pw@h/d?options=-c%20role=x", "cannot have the option options"),
        ("postgresql://u:pw@h/d?service=x", "cannot have the option service"),
        ("postgresql://u:pw@a,b/d", "has a user, a host and a database"),
        ("postgresql://u:pw@h/", "has a user, a host and a database"),
        ("postgresql://:pw@h/d", "has a user, a host and a database"),
        ("postgresql://u:pw@h:port/d", "cannot be read"),
        ("postgresql://u:pw@[h/d", "cannot be read"),
        ("postgresql://u:pw@h/d?sslmode=allow", "sslmode is one of"),
        ("mysql://u:pw@h/d", "has a user, a host and a database"),
    ],
)
def test_an_address_that_says_more_or_less_is_refused_without_its_password(text: str, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_address(text)
    assert said in str(caught.value)
    assert "pw" not in str(caught.value)


def test_an_address_is_shown_without_its_password_and_reads_back_as_it_was() -> None:
    for text in (
        "postgresql://u@h/d", "postgresql://u%40x@h:99/d%20e?sslmode=require", "postgresql://u@/d?host=/run/a",
        "postgresql://u@[::1]/d",
    ):  # fmt: skip
        assert str(read_address(text)) == text
    address = read_address("postgresql://u:p%40ss:w@h/d")
    assert address.password == "p@ss:w"
    assert "ss:w" not in f"{address} {address!r}"


def test_a_login_of_the_server_is_lent_to_nobody() -> None:
    """Without it, an empty password would be looked up in ~/.pgpass, PGPASSWORD and ~/.postgresql."""
    lent = Address("h", "d", "u").parameters(trusted=False)
    assert (lent["password"], lent["passfile"], lent["sslcertmode"]) == ("", "/dev/null", "disable")
    assert "password" not in Address("h", "d", "u").parameters(trusted=True)


def test_a_sealed_password_is_not_readable_with_another_key(settings: Any) -> None:
    sealed = seal("s3cret-word")
    assert "s3cret" not in sealed
    assert unseal(sealed) == "s3cret-word"
    settings.SECRET_KEY = "another"
    with pytest.raises(Unreadable, match="enter the address and password again"):
        unseal(sealed)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"database": "nowhere"}, "has no database 'nowhere'"),
        ({"user": "nobody_there"}, "no user 'nobody_there'"),
        ({"host": "/nowhere"}, "No PostgreSQL listens at"),
        ({"host": "127.0.0.1", "port": 1}, "No PostgreSQL listens at 127.0.0.1, port 1"),
        ({"host": "no-such-host.invalid"}, "There is no host 'no-such-host.invalid'"),
    ],
)
def test_a_connection_that_fails_says_what_to_correct(
    shop: Address, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(Unreadable) as caught:
        copy_database(replace(shop, **change), tmp_path / "x.sqlite")
    assert said in str(caught.value)
    assert "s3cret" not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_the_command_says_no_password(shop: Address) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("import_corpus", "pottery", "postgresql://u:s3cret-word@/nowhere?host=/nowhere", draft=True)
    assert "s3cret" not in str(caught.value)


# -- In the admin -----------------------------------------------------------------------------------------------------


@pytest.fixture
def listed(shop: Address, settings: Any) -> Address:
    """The database of others, on a host that the operator lists."""
    settings.IMPORT_DATABASE_HOSTS = [shop.host]
    return shop


def send(guided: Guided, address: str, password: str = "", only: str = "") -> Any:
    said = {"corpus": "pottery", "address": address, "password": password, "only": only}
    return guided.client.post(reverse("admin:corpora_import_add"), said)


def test_a_database_leads_to_an_assistant_and_its_password_is_gone(guided: Guided, listed: Address) -> None:
    assert send(guided, str(listed), listed.password, "pots, makers").status_code == 302
    guided.pk = Import.objects.get().pk
    waiting = guided.one
    assert (waiting.state, waiting.address) == (Import.State.COPYING, str(listed))
    assert waiting.sealed
    assert listed.password not in f"{model_to_dict(waiting)} {waiting.sealed}"
    assert listed.password not in guided.client.get(guided.address).content.decode()
    one = guided.work()
    assert (one.state, one.sealed) == (Import.State.DESCRIBING, ""), one.problem
    with psycopg.connect(services.postgres().server.database_url("pottery")) as owner:
        owner.execute("UPDATE pots SET price = price + 1")
    guided.dry_run()
    one = guided.step("go-on")
    with psycopg.connect(services.postgres().server.database_url("pottery")) as owner:
        owner.execute("UPDATE pots SET price = price - 1")
    assert one.state == Import.State.DONE, one.problem
    assert rows("SELECT price FROM kb.pots WHERE code = 'P1'") == [(12.5,)], "what was looked at is what is imported"
    again = guided.client.get(reverse("admin:corpora_import_add"), {"corpus": "pottery"}).content.decode()
    assert "pottery_reader@" in again
    assert "pots, makers" in again


def test_a_copy_that_fails_says_why_and_forgets_the_password(guided: Guided, listed: Address) -> None:
    send(guided, str(replace(listed, database="nowhere")), listed.password)
    guided.pk = Import.objects.get().pk
    one = guided.work()
    assert (one.state, one.sealed) == (Import.State.FAILED, "")
    page = guided.client.get(guided.address).content.decode()
    assert "has no database" in page
    assert "Give the address again" in page
    assert "Try again" not in page
    assert guided.step("try-again").state == Import.State.FAILED


def test_a_copy_whose_worker_dies_is_made_by_the_next(
    guided: Guided, listed: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(guided, str(listed), listed.password)
    guided.pk = Import.objects.get().pk

    def died(*_: Any, **__: Any) -> None:
        raise OperationalError("the connection is gone")

    with monkeypatch.context() as patch, pytest.raises(OperationalError):
        patch.setattr("corpora.importing.working.copy_database", died)
        guided.work()
    assert guided.one.state == Import.State.COPYING
    assert guided.work().state == Import.State.DESCRIBING


def test_a_password_in_the_address_goes_where_passwords_go(guided: Guided, listed: Address) -> None:
    response = send(guided, "postgresql://u:s3cret-word@elsewhere.example.org/d")
    page = response.content.decode()
    assert "Data cannot be copied from elsewhere.example.org, port 5432" in page
    assert "s3cret-word" not in page
    assert "s3cret-word" not in send(guided, "postgresql://u:s3cret-word@h/d?sslkey=x").content.decode()
    assert not Import.objects.exists()


def test_without_hosts_of_an_operator_nobody_is_asked_for_a_database(guided: Guided, shop: Address) -> None:
    assert "PostgreSQL database" not in guided.client.get(reverse("admin:corpora_import_add")).content.decode()
    assert "Choose at least one file" in send(guided, str(shop), "x").content.decode()
    assert not Import.objects.exists()


def test_a_host_that_was_struck_out_meanwhile_is_not_reached(guided: Guided, listed: Address, settings: Any) -> None:
    send(guided, str(listed), listed.password)
    guided.pk = Import.objects.get().pk
    settings.IMPORT_DATABASE_HOSTS = []
    one = guided.work()
    assert one.state == Import.State.FAILED
    assert "not among the hosts" in one.problem


def test_the_database_of_the_site_is_refused_though_its_host_is_listed(guided: Guided, listed: Address) -> None:
    own = Address(listed.host, str(connection.settings_dict["NAME"]), "postgres")
    send(guided, str(own))
    guided.pk = Import.objects.get().pk
    assert "is the database of this site" in guided.work().problem
