"""Metrics have a port of their own, which moves on where it is taken."""

from __future__ import annotations

import logging
import socket
from urllib.request import urlopen

import pytest
from prometheus_client import CollectorRegistry, Gauge

from crivo.vigia.porta import served


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    Gauge("crivo_prova", "De teste", registry=registry).set(3)
    return registry


def _shown(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return str(answer.read().decode())


def _ports(caplog: pytest.LogCaptureFixture, event: str) -> list[int]:
    return [one.__dict__["porta"] for one in caplog.records if one.msg == event]


def test_a_port_that_is_taken_is_passed_over_and_both_are_told(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, caplog.at_level(logging.INFO, "crivo"):
        port = taken.getsockname()[1]
        with served("127.0.0.1", port, _registry()):
            (moved,) = _ports(caplog, "metricas_no_ar")
            assert moved > port
            assert "crivo_prova 3.0" in _shown(moved)
    assert _ports(caplog, "porta_de_metricas_ocupada") == [port]


def test_two_processes_with_one_setting_have_a_port_each(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    with caplog.at_level(logging.INFO, "crivo"), served("127.0.0.1", port, _registry()), served("127.0.0.1", port, _registry()):
        assert len(set(_ports(caplog, "metricas_no_ar"))) == 2


def test_nothing_is_served_where_it_is_turned_off_and_the_port_is_free_again_after(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "crivo"), served("127.0.0.1", 0, _registry()):
        assert _ports(caplog, "metricas_no_ar") == []
    with caplog.at_level(logging.INFO, "crivo"), served("127.0.0.1", 39_217, _registry()):
        (port,) = _ports(caplog, "metricas_no_ar")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=1).close()


def test_an_address_that_is_not_this_machine_s_leaves_the_service_without_figures() -> None:
    with served("203.0.113.1", 39_300, _registry()):
        pass
