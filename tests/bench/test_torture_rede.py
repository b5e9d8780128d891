"""The installation on many hosts, tortured in sizes small enough for a test; and what its counts call a fault."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from bench.torture.atualizacao import Atualizacao, upgrade
from bench.torture.clientela import Clientela
from bench.torture.clientes import Cliente, Envio, Promessa
from bench.torture.distribuida import Distribuida
from bench.torture.frio import Frio
from bench.torture.primario import Primario, fail_over
from bench.torture.rede import RedeFailed, can_separate, network
from bench.torture.relato import _RELATOS

_GOOD: Final = {
    Atualizacao: {"trocas": 1, "confirmados": 2, "achados": 2},
    Primario: {"quedas": 1, "confirmados": 2, "achados": 2},
    Frio: {"quedas": 1, "confirmados": 2, "achados": 2},
    Distribuida: {"maquinas": 8},
}


@pytest.mark.parametrize("contas", _GOOD)
def test_counts_with_one_fault_are_not_whole(contas: type[Atualizacao] | type[Primario] | type[Frio] | type[Distribuida]) -> None:
    good = _GOOD[contas]
    assert contas(**good).whole  # type: ignore[arg-type]
    assert not contas().whole
    assert set(_RELATOS[contas].fatos) | set(_RELATOS[contas].faltas) == set(contas.__struct_fields__)
    for fault in _RELATOS[contas].faltas:
        assert not contas(**{**good, fault: 1}).whole, fault  # type: ignore[arg-type]


class Recusa(Cliente):
    """A server that promises nothing, or everything."""

    def __init__(self, answers: bool, asked: list[str]) -> None:
        super().__init__(1, "")
        self._answers, self._asked = answers, asked

    def send(self, envio: Envio) -> Promessa | None:
        self._asked.append(envio.chave)
        return Promessa(envio, f"/{envio.chave}", b"", repetida=False) if self._answers else None


def test_a_client_that_is_not_answered_asks_another_server_with_the_same_key() -> None:
    asked: tuple[list[str], list[str]] = ([], [])
    with Clientela(2, lambda at: Recusa(at == 1, asked[at]), [b"{}"], "t", clientes=1) as clientela:
        while len(clientela.atendimento.promessas) < 3:
            pass
    told = clientela.atendimento
    assert asked[0] == ["t-0"]
    assert asked[1][:3] == ["t-0", "t-1", "t-2"]
    assert (told.reenvios, told.desistencias) == (1, 0)


def test_hosts_of_the_loopback_have_addresses_and_folders_of_their_own(tmp_path: Path) -> None:
    with network(tmp_path / "rede", ["a", "b"], separadas=False) as rede:
        assert rede["a"].endereco != rede["b"].endereco
        assert rede["a"].pasta != rede["b"].pasta
        process = rede["a"].start("sleep", "60", env={})
    assert process.poll() is not None, "what runs on a host ends with the network"


@pytest.mark.skipif(not can_separate(), reason="needs root")
def test_a_network_is_taken_down_whatever_ends_it(tmp_path: Path) -> None:
    def leave() -> None:
        with network(tmp_path / "rede", ["a"]) as rede:
            assert rede.separadas
            assert subprocess.run(rede["a"].command("true"), check=False).returncode == 0
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leave()
    with network(tmp_path / "outra", ["a"]) as rede:
        assert rede["a"].espaco is not None
    left = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    assert rede["a"].espaco not in left


@pytest.mark.slow
@pytest.mark.parametrize("torture", [upgrade, fail_over])
def test_an_installation_that_is_replaced_or_loses_its_primary_under_load_keeps_all_it_promised(
    torture: Callable[..., Atualizacao | Primario], tmp_path: Path
) -> None:
    contas = torture(tmp_path / "rede", 1, projetos=4)
    assert contas.whole, contas


def test_a_network_that_cannot_be_made_says_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.torture.rede._sweep", lambda: None)
    monkeypatch.setattr(
        "bench.torture.rede.subprocess.run", lambda *_, **__: subprocess.CompletedProcess([], 2, "", "Operation not permitted")
    )
    with pytest.raises(RedeFailed, match="Operation not permitted"), network(tmp_path / "rede", ["a"], separadas=True):
        pass
