"""Ports: which are tried, which is had, and who holds one that is taken."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

from crivo.kernel.portas import ANY, Faixa, bound, holder_of, is_free, near, port_of, read_faixa, tried


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("9001", Faixa((9001,), aberta=True)),
        (" 9001 - 9003 ", Faixa((9001, 9002, 9003))),
        ("9001, 9005,9007-9008", Faixa((9001, 9005, 9007, 9008))),
        ("9001-9001", Faixa((9001,))),
    ],
)
def test_a_first_port_a_range_and_a_list_are_told_apart(text: str, read: Faixa) -> None:
    assert read_faixa(text) == read


@pytest.mark.parametrize("text", ["", ",", "0", "65536", "9003-9001", "nove", "9001,9001", "9001-", "-1", "9001-9100000"])
def test_what_names_no_port_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_faixa(text)


def test_a_taken_port_moves_by_tens_and_at_last_to_any() -> None:
    assert near(8001)[:3] == (8001, 8011, 8021)
    assert near(8001)[-1] == ANY
    assert near(65530) == (65530, ANY)


def test_nobody_tries_what_is_another_s_first() -> None:
    """Six clinics start at once: one whose port is taken must not take its neighbour's."""
    faixa = read_faixa("9001-9004")
    assert [tried(faixa, place, 2) for place in range(2)] == [(9001, 9003, 9004), (9002, 9003, 9004)]
    first = read_faixa("9001")
    assert not set(tried(first, 0, 6)[:-1]) & set(tried(first, 1, 6)[:-1])
    assert tried(read_faixa("9001,9002"), 2, 3) == ()


def test_the_first_free_port_is_had_and_where_none_is_that_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = port_of(taken)
        assert not is_free("127.0.0.1", port)
        with bound("127.0.0.1", (port, ANY)) as had:
            assert port_of(had) != port
        with pytest.raises(OSError, match=os.strerror(errno.EADDRINUSE)):
            bound("127.0.0.1", (port,))
    assert is_free("127.0.0.1", port)


def test_who_holds_a_port_is_known_by_its_process() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        found = holder_of(port_of(taken))
        assert found is not None
        assert found.pid == os.getpid()
    assert holder_of(port_of_nobody()) is None


def test_where_the_system_tells_nothing_nobody_is_named(tmp_path: Path) -> None:
    assert holder_of(8000, tmp_path) is None


def port_of_nobody() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return port_of(found)
