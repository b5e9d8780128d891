"""Metrics have a port of their own: a chosen one is that one, another moves on where it is taken."""

from __future__ import annotations

import logging
import socket
from urllib.request import urlopen

import pytest
from prometheus_client import CollectorRegistry, Gauge

from crivo.kernel.settings import Settings
from crivo.vigia.porta import of_server, of_worker, served


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    Gauge("crivo_prova", "De teste", registry=registry).set(3)
    return registry


def _shown(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return str(answer.read().decode())


def _ports(caplog: pytest.LogCaptureFixture, event: str) -> list[int]:
    return [one.__dict__["porta"] for one in caplog.records if one.msg == event]


def _row(first: int) -> range:
    return range(first, first + 8)


def test_a_port_that_is_taken_is_passed_over_and_the_one_that_was_had_is_told(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[int | None] = []
    with socket.create_server(("127.0.0.1", 0)) as taken, caplog.at_level(logging.INFO, "crivo"):
        port = taken.getsockname()[1]
        with served("127.0.0.1", _row(port), _registry(), heard.append):
            (moved,) = _ports(caplog, "metricas_no_ar")
            assert moved > port
            assert "crivo_prova 3.0" in _shown(moved)
    assert heard == [moved]
    assert _ports(caplog, "porta_de_metricas_ocupada") == []


def test_where_every_port_is_taken_the_service_goes_on_without_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[int | None] = []
    with socket.create_server(("127.0.0.1", 0)) as taken, caplog.at_level(logging.INFO, "crivo"):
        port = taken.getsockname()[1]
        with served("127.0.0.1", (port,), _registry(), heard.append):
            assert _ports(caplog, "metricas_no_ar") == []
    assert (heard, _ports(caplog, "porta_de_metricas_ocupada")) == ([None], [port])


def test_two_processes_with_one_setting_have_a_port_each(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as found:
        ports = _row(found.getsockname()[1])
    with caplog.at_level(logging.INFO, "crivo"), served("127.0.0.1", ports, _registry()), served("127.0.0.1", ports, _registry()):
        assert len(set(_ports(caplog, "metricas_no_ar"))) == 2


def test_nothing_is_served_where_it_is_turned_off_and_the_port_is_free_again_after(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "crivo"), served("127.0.0.1", (), _registry()):
        assert (_ports(caplog, "metricas_no_ar"), _ports(caplog, "porta_de_metricas_ocupada")) == ([], [])
    with caplog.at_level(logging.INFO, "crivo"), served("127.0.0.1", (39_217,), _registry()):
        (port,) = _ports(caplog, "metricas_no_ar")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=1).close()


def test_an_address_that_is_not_this_machine_s_leaves_the_service_without_figures_and_is_told(caplog: pytest.LogCaptureFixture) -> None:
    with served("203.0.113.1", _row(39_300), _registry()):
        pass
    assert _ports(caplog, "porta_de_metricas_ocupada") == [39_300]


def test_a_port_that_was_chosen_is_that_one_and_a_worker_begins_at_the_next() -> None:
    """As `.env.example` says of it, and as the ports of pages and clinics are."""
    chosen = Settings(_env_file=None, porta_metricas=9700)
    assert of_server(chosen) == (9700,)
    assert of_worker(chosen)[:3] == (9701, 9702, 9703)


def test_a_port_that_nobody_chose_moves_and_never_to_one_that_a_stranger_would_have_to_guess() -> None:
    unset = Settings(_env_file=None)
    assert of_server(unset)[:2] == (9464, 9474)
    assert 0 not in of_server(unset)
    assert of_worker(unset)[0] == 9465


def test_metrics_that_are_turned_off_have_no_port_and_the_last_port_has_none_after_it() -> None:
    off, last = Settings(_env_file=None, porta_metricas=0), Settings(_env_file=None, porta_metricas=65_535)
    assert (of_server(off), of_worker(off)) == ((), ())
    assert (of_server(last), of_worker(last)) == ((65_535,), ())
