"""Cases for what none goes through yet: the smallest pedido that passes a regra, and one that fails each of its checks alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Final

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.autorizacoes.politicas.casos.execucao import Check, Cobertura, checks_of, observed
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.exemplos import menor
from crivo.autorizacoes.trilha import Trilha

PROPOSTAS_MAXIMO: Final = 200
_EXPECTED: Final = ("decisao_final", "quantidade_aprovada", "motivos", "regra_id")
_FALHA: Final = {
    "cobertura": "sem cobertura",
    "carencia": "carência por cumprir",
    "cpt": "doença preexistente",
    "idade": "fora da idade",
    "sexo": "outro sexo",
    "rede": "fora da rede",
    "valor": "acima do valor",
    "quantidade": "acima do limite",
    "limites": "acima do limite por período",
    "documentos": "sem os documentos",
}


def propose(bancada: Bancada, cobertura: Cobertura) -> tuple[Caso, ...]:
    """Cases for what `cobertura` lacks, at most two hundred: each expects what the document decides today, for a person to accept."""
    return tuple(islice(_proposed(bancada, cobertura), PROPOSTAS_MAXIMO))


def _proposed(bancada: Bancada, cobertura: Cobertura) -> Iterator[Caso]:
    sem_caso = set(cobertura.sem_caso)
    passed = {(uma.regra, uma.nome) for uma in cobertura.verificacoes if uma.passou}
    failed = {(uma.regra, uma.nome) for uma in cobertura.verificacoes if uma.falhou}
    for regra in bancada.politica.regras:
        checks = checks_of(regra)
        if regra.cobertura != "NAO_COBERTA" and (
            regra.regra_id in sem_caso or any((regra.regra_id, check.nome) not in passed for check in checks)
        ):
            yield from _caso(bancada, regra, f"{regra.regra_id}: passa", partial(_passes, checks))
        for check in checks:
            if (regra.regra_id, check.nome) not in failed:
                yield from _caso(bancada, regra, f"{regra.regra_id}: {_FALHA[check.nome]}", partial(_fails_alone, checks, check))


def _caso(bancada: Bancada, regra: Regra, nome: str, wanted: Callable[[Trilha], bool]) -> Iterator[Caso]:
    """The case of that name, where a pedido is found for it."""
    fluxo, inicio = bancada.sozinha, bancada.politica.vigencia_inicio

    def shows(pedido: Bruto) -> bool:
        trilha = bancada.decide(pedido | {"data_pedido": inicio}, fluxo)
        return bancada.decided_by(trilha, regra) and wanted(trilha)

    for um in islice(bancada.pedidos_de(regra), 8):
        for pedido in bancada.varied(bancada.conforme(regra, um), regra):
            found = menor(pedido, shows)
            if found is not None:
                inteiro = found | {"data_pedido": inicio}
                obtidos = observed(bancada.decide(inteiro, fluxo))
                esperado = {campo: obtidos[campo] for campo in _EXPECTED}
                if obtidos["pendencias_documentais"]:
                    esperado["pendencias_documentais"] = obtidos["pendencias_documentais"]
                yield Caso(nome=nome, pedido=inteiro, esperado=esperado)
                return


def _passes(checks: tuple[Check, ...], trilha: Trilha) -> bool:
    avaliacao = trilha.etapas.avaliacao
    return avaliacao.conforme and all(check.made(avaliacao) and not check.failed(avaliacao) for check in checks)


def _fails_alone(checks: tuple[Check, ...], check: Check, trilha: Trilha) -> bool:
    avaliacao = trilha.etapas.avaliacao
    return check.failed(avaliacao) and not any(outro.failed(avaliacao) for outro in checks if outro is not check)
