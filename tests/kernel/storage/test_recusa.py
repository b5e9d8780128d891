"""Why a database was not reached is told apart, in whatever language its server speaks, and never with the password."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from crivo.kernel.errors import CrivoError
from crivo.kernel.storage.errors import BancoIndisponivel, unavailable
from crivo.kernel.storage.recusa import crivo_error_from
from crivo.kernel.storage.sondagem import ask
from crivo.kernel.storage.urls import is_badly_escaped, libpq_url

SECRET = "segredo-7f3"


@contextmanager
def that_says(*fields: str, asks: bool = False) -> Iterator[str]:
    """A server that refuses every connection with these fields of an error; with `asks` it wants a password first. Its host and port."""
    body = b"".join(one.encode() + b"\0" for one in fields) + b"\0"
    refusal = b"E" + struct.pack(">I", len(body) + 4) + body
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = listening.accept()
            except OSError:
                return
            with line:
                line.settimeout(5)
                while (first := line.recv(4096))[4:8] in {struct.pack(">I", 80877103), struct.pack(">I", 80877104)}:
                    line.sendall(b"N")  # neither TLS nor GSSAPI
                if asks and first:
                    line.sendall(b"R" + struct.pack(">II", 8, 3))
                    line.recv(4096)
                line.sendall(refusal)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.close()


def told(url: str) -> CrivoError:
    with pytest.raises(psycopg.Error) as raised:
        psycopg.connect(libpq_url(url), connect_timeout=5).close()
    found = crivo_error_from(raised.value, url)
    assert found is not None
    assert SECRET not in found.mensagem
    return found


@pytest.mark.parametrize(
    ("code", "said", "expected"),
    [
        ("28P01", 'password authentication failed for user "ana"', "recusou o papel 'ana' ou a senha dele"),
        ("28P01", 'autenticação do tipo senha falhou para o usuário "ana"', "recusou o papel 'ana' ou a senha dele"),
        ("28000", 'role "ana" does not exist', "recusou o papel 'ana' ou a senha dele"),
        ("3D000", 'database "casa" does not exist', "não tem o banco 'casa'"),
        ("3D000", 'banco de dados "casa" não existe', "não tem o banco 'casa'"),
        ("28000", 'no pg_hba.conf entry for host "127.0.0.1", user "ana", database "casa", no encryption', "Confira o pg_hba.conf"),
        ("57P03", "the database system is starting up", "não respondeu ou recusou a conexão"),
        ("53300", "sorry, too many clients already", "não respondeu ou recusou a conexão"),
    ],
)
def test_what_a_server_refuses_is_told_by_what_it_named(code: str, said: str, expected: str) -> None:
    with that_says("SFATAL", "VFATAL", f"C{code}", f"M{said}", asks=code == "28P01") as where:
        found = told(f"postgresql://ana:{SECRET}@{where}/casa")
    assert isinstance(found, BancoIndisponivel)
    assert expected in found.mensagem
    assert (where in found.mensagem) is (found.mensagem != unavailable().mensagem)


def test_a_password_that_is_asked_for_and_not_given_is_told() -> None:
    with that_says("SFATAL", "VFATAL", "C28P01", "Mx", asks=True) as where:
        assert "pede a senha do papel 'ana'" in told(f"postgresql://ana@{where}/casa").mensagem


def test_a_server_that_is_away_is_told_with_its_place() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert f"Não há PostgreSQL que atenda em 127.0.0.1:{port}." in told(f"postgresql://ana:{SECRET}@127.0.0.1:{port}/casa").mensagem
    assert "O nome do servidor de nao.ha.invalid:5432 não é conhecido" in told(f"postgresql://ana:{SECRET}@nao.ha.invalid/casa").mensagem


@pytest.mark.parametrize("char", ["@", "/", "?", "%", "/@", "%zz", "a/b?c@d", "[/", "?12"])
def test_a_character_that_was_not_escaped_is_told_and_nothing_of_the_password_is(char: str) -> None:
    found = told(f"postgresql://ana:{SECRET}{char}{SECRET}@127.0.0.1:1/casa")
    assert "@ como %40" in found.mensagem


@pytest.mark.parametrize("url", ["postgresql://ana:12?34@127.0.0.1:1/casa", "postgresql://ana:12/34@127.0.0.1:1/casa"])
def test_a_piece_of_a_password_is_not_taken_for_a_port(url: str) -> None:
    assert "@ como %40" in told(url).mensagem


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ana:a%40b%2F%25@h/casa",
        "postgresql://h/casa?user=ana@casa&password=a@b",
        "postgresql://ana@h:5432,i:5433/casa?target_session_attrs=any",
        "postgresql://[fe80::a]/casa",
        "postgresql://h:5432/casa?user=ana@casa",
        "postgresql:///casa?host=/tmp/x@y",
        "postgresql://ana:a:b+c!d@[::1]:5432/casa",
    ],
)
def test_an_address_that_is_written_right_is_not_taken_for_a_wrong_one(url: str) -> None:
    assert not is_badly_escaped(url)


def test_who_examines_is_not_told_to_examine() -> None:
    with (
        that_says("SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up") as where,
        pytest.raises(BancoIndisponivel) as raised,
    ):
        ask(f"postgresql://ana:{SECRET}@{where}/casa", "local")
    assert "crivo doutor" not in raised.value.mensagem
    assert "confira CRIVO_DATABASE_URL" in raised.value.mensagem
