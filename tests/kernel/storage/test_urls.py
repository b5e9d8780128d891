"""One address, of one host or of several, as each of its readers wants it."""

from __future__ import annotations

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import make_url
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from crivo.kernel.storage.urls import Preferencia, is_postgres, libpq_url, sqlalchemy_url


def asked_by_sqlalchemy(url: str) -> dict[str, object]:
    return dict(PGDialect_psycopg().create_connect_args(make_url(sqlalchemy_url(url)))[1])  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_an_address_of_one_host_is_left_as_it_is(scheme: str) -> None:
    assert libpq_url(f"{scheme}://u:p@h:5433/banco?sslmode=require") == "postgresql://u:p@h:5433/banco?sslmode=require"
    assert sqlalchemy_url(f"{scheme}://u:p@h:5433/banco") == "postgresql+psycopg://u:p@h:5433/banco"
    assert is_postgres(f"{scheme}://h/banco")


@pytest.mark.parametrize(
    ("url", "hosts", "ports"),
    [
        ("postgresql://u:p@h1:5432,h2:5433/banco", "h1,h2", "5432,5433"),
        ("postgresql://u:p@h1,h2:5433/banco", "h1,h2", "5432,5433"),
        ("postgresql://u:p@[fd00::1]:5432,[fd00::2]:5433/banco", "fd00::1,fd00::2", "5432,5433"),
        ("postgresql://u:p@h1,h2,h3/banco", "h1,h2,h3", "5432,5432,5432"),
    ],
)
def test_of_several_hosts_both_readers_take_all_and_want_the_one_that_takes_writes(url: str, hosts: str, ports: str) -> None:
    asked, told = asked_by_sqlalchemy(url), conninfo_to_dict(libpq_url(url))
    assert (asked["host"], asked["port"]) == (hosts, ports)
    assert asked["target_session_attrs"] == told["target_session_attrs"] == "read-write"
    assert (asked["user"], asked["password"], asked["dbname"]) == ("u", "p", "banco") == (told["user"], told["password"], told["dbname"])
    assert str(told["host"]).split(",") == hosts.split(",")


@pytest.mark.parametrize("hosts", ["h1,", ",h2", "h1:abc,h2", "h1,,h2", "h1:1:2,h2", "h1:123456,h2"])
def test_hosts_that_cannot_be_read_are_no_address(hosts: str) -> None:
    assert not is_postgres(f"postgresql://u:p@{hosts}/banco")


def test_a_password_with_commas_makes_no_more_hosts() -> None:
    assert is_postgres("postgresql://u:p,q@h/banco")
    assert sqlalchemy_url("postgresql://u:p,q@h/banco") == "postgresql+psycopg://u:p,q@h/banco"


def test_what_the_address_says_of_its_hosts_is_kept() -> None:
    url = "postgresql://u:p%40%2C@h1,h2/banco?target_session_attrs=primary&sslmode=require"
    asked = asked_by_sqlalchemy(url)
    assert (asked["target_session_attrs"], asked["sslmode"], asked["password"]) == ("primary", "require", "p@,")
    assert conninfo_to_dict(libpq_url(url))["target_session_attrs"] == "primary"


def test_a_host_that_does_not_answer_is_tried_last_the_next_time() -> None:
    preferencia, asked = Preferencia(), {"host": "h1,h2", "port": "5432,5433"}
    preferencia.before(asked)
    assert asked == {"host": "h1,h2", "port": "5432,5433"}
    preferencia.before(asked)  # the first try came to nothing
    assert asked == {"host": "h2,h1", "port": "5433,5432"}
    preferencia.answered("h2", 5433)
    for _ in range(3):
        preferencia.before(asked)
        assert asked["host"] == "h2,h1"
        preferencia.answered("h2", 5433)


def test_a_host_whose_connections_break_is_tried_after_the_others() -> None:
    preferencia, asked = Preferencia(), {"host": "h1,h2,h3", "port": "1,2,3"}
    preferencia.before(asked)
    preferencia.answered("h1", 1)
    preferencia.lost("h1", 1)
    preferencia.before(asked)
    assert str(asked["host"]).split(",")[-1] == "h1"


def test_one_host_is_no_choice() -> None:
    asked = {"host": "h", "port": "5432"}
    Preferencia().before(asked)
    assert asked == {"host": "h", "port": "5432"}
