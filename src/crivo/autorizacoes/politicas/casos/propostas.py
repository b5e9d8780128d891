"""Cases for what none goes through yet: the smallest pedido that passes a regra, and one that fails each of its checks alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from datetime import date
from functools import partial
from itertools import islice
from typing import Final

from msgspec.structs import replace

from crivo.autorizacoes import motivos as razoes
from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.autorizacoes.politicas.casos.execucao import Check, Cobertura, checks_of, observed
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.exemplos import menor
from crivo.autorizacoes.trilha import Trilha

PROPOSTAS_MAXIMO: Final = 200
_EXPECTED: Final = ("decisao_final", "quantidade_aprovada", "motivos", "regra_id")
# What a case shows that fails a check: all its motivos under one name, or, where they say different things, each under its own; the first
# of them that a pedido is found for is proposed.
_FALHA: Final[Mapping[str, tuple[tuple[str, frozenset[str] | None], ...]]] = {
    "cobertura": (("sem cobertura", None),),
    "carencia": (("carência por cumprir", None),),
    "cpt": (("doença preexistente", None),),
    "idade": (("fora da idade", None),),
    "sexo": (("outro sexo", frozenset({razoes.SEXO})), ("sexo não informado", frozenset({razoes.SEM_SEXO}))),
    "rede": (("fora da rede", None),),
    "valor": (("acima do valor", frozenset({razoes.VALOR})), ("valor não informado", frozenset({razoes.SEM_VALOR}))),
    "quantidade": (("acima do limite", None),),
    "limites": (
        ("acima do limite por período", frozenset({razoes.PERIODO, razoes.ESGOTADO})),
        ("histórico não informado", frozenset({razoes.SEM_HISTORICO})),
    ),
    "documentos": (("sem os documentos", None),),
}


def propose(bancada: Bancada, cobertura: Cobertura) -> tuple[Caso, ...]:
    """Cases for what `cobertura` lacks, at most two hundred: each expects what the document decides today, for a person to accept."""
    return tuple(islice(_proposed(bancada, cobertura), PROPOSTAS_MAXIMO))


def apart(propostos: Sequence[Caso], nomes: Set[str]) -> tuple[Caso, ...]:
    """Proposed cases under names that no case has: one accepted takes the place of none, such as one that fails by now."""
    return tuple([replace(caso, nome=_free(caso.nome, nomes)) for caso in propostos])


def _free(nome: str, nomes: Set[str]) -> str:
    return next(um for um in (nome, *[f"{nome} ({numero})" for numero in range(2, len(nomes) + 3)]) if um not in nomes)


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
                yield from _failing(bancada, regra, checks, check)


def _failing(bancada: Bancada, regra: Regra, checks: tuple[Check, ...], check: Check) -> Iterator[Caso]:
    """The first case that fails the check and no other, named for how it does."""
    for nome, motivos in _FALHA[check.nome]:
        for caso in _caso(bancada, regra, f"{regra.regra_id}: {nome}", partial(_fails_alone, checks, check, motivos)):
            yield caso
            return


def _caso(bancada: Bancada, regra: Regra, nome: str, wanted: Callable[[Trilha], bool]) -> Iterator[Caso]:
    """The case of that name, where a pedido is found for it."""
    fluxo, inicio = bancada.sozinha, bancada.politica.vigencia_inicio
    recebido = date.fromisoformat(inicio)  # as the case is run once it is kept

    def shows(pedido: Bruto) -> bool:
        trilha = fluxo.decide_bruto(pedido | {"data_pedido": inicio}, recebido)
        return bancada.decided_by(trilha, regra) and wanted(trilha)

    for um in islice(bancada.pedidos_de(regra), 8):
        for pedido in _varied(bancada, regra, bancada.conforme(regra, um)):
            found = menor(pedido, shows)
            if found is not None:
                inteiro = found | {"data_pedido": inicio}
                obtidos = observed(fluxo.decide_bruto(inteiro, recebido))
                esperado = {campo: obtidos[campo] for campo in _EXPECTED}
                if obtidos["pendencias_documentais"]:
                    esperado["pendencias_documentais"] = obtidos["pendencias_documentais"]
                yield Caso(nome=nome, pedido=inteiro, esperado=esperado)
                return


def _varied(bancada: Bancada, regra: Regra, base: Bruto) -> Iterator[Bruto]:
    """The pedido and its variations, and last with a history that has used up the tightest of the limits by period."""
    yield from bancada.varied(base, regra)
    if regra.limites:
        usado = min(limite.quantidade for limite in regra.limites)
        uso = {"codigo": base["procedimento"]["codigo"], "data": bancada.politica.vigencia_inicio, "quantidade": usado}
        yield base | {"historico": [uso]}


def _passes(checks: tuple[Check, ...], trilha: Trilha) -> bool:
    avaliacao = trilha.etapas.avaliacao
    return avaliacao.conforme and all(check.made(avaliacao) and not check.failed(avaliacao) for check in checks)


def _fails_alone(checks: tuple[Check, ...], check: Check, motivos: frozenset[str] | None, trilha: Trilha) -> bool:
    avaliacao = trilha.etapas.avaliacao
    says = motivos is None or not motivos.isdisjoint(avaliacao.motivos)
    return says and check.failed(avaliacao) and not any(outro.failed(avaliacao) for outro in checks if outro is not check)
