"""Whether a person's decision can stand, and the two messages that go with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal, Mensagens
from crivo.autorizacoes.motivos import QUANTIDADE_INVALIDA
from crivo.autorizacoes.palavras import count, fonte_simples, fonte_tecnica, number
from crivo.autorizacoes.revisao.contracts import RevisaoProposta
from crivo.autorizacoes.revisao.erros import RevisaoInvalida
from crivo.kernel.errors import Problem

SHORTEST_REASON: Final = 10
LONGEST_REASON: Final = 2_000
LONGEST_MESSAGE: Final = 4_000
_TECNICA: Final[Mapping[DecisaoFinal, str]] = {
    "APROVADO": "Decisão revista por uma pessoa: aprovado.",
    "APROVADO_PARCIAL": "Decisão revista por uma pessoa: aprovado em parte.",
    "NEGADO": "Decisão revista por uma pessoa: negado.",
    "PENDENTE_AJUSTES": "Decisão revista por uma pessoa: pendente de ajustes.",
}
_SIMPLES: Final[Mapping[DecisaoFinal, str]] = {
    "APROVADO": "Uma pessoa analisou o seu pedido de novo, e ele foi aprovado. Você já pode agendar.",
    "APROVADO_PARCIAL": "Uma pessoa analisou o seu pedido de novo, e ele foi aprovado em parte.",
    "NEGADO": "Uma pessoa analisou o seu pedido de novo, e ele não foi aprovado.",
    "PENDENTE_AJUSTES": "Uma pessoa analisou o seu pedido de novo, e ainda falta algo para ele ser aprovado.",
}


def check_proposta(proposta: RevisaoProposta, pedida: int | float | None) -> None:
    """Raises RevisaoInvalida with every fault; `pedida` is the quantity that was asked for, where it is known."""
    problems = list(_faults(proposta, pedida))
    if problems:
        raise RevisaoInvalida(problems[0].mensagem, problems)


def mensagens_of(proposta: RevisaoProposta, decisao: Decisao) -> Mensagens:
    """The messages of a review: the person's own, or else out of the reason and, where there is one, the regra's source."""
    if proposta.mensagens is not None:
        return proposta.mensagens
    fonte = decisao.artefato_registro.fonte_regras
    motivo = proposta.motivo.strip()
    partial = proposta.decisao_final == "APROVADO_PARCIAL" and proposta.quantidade_aprovada is not None
    quantidade = f" Quantidade aprovada: {count(proposta.quantidade_aprovada or 0, 'unidade', 'unidades')}." if partial else ""
    technical = f"{_TECNICA[proposta.decisao_final]}{quantidade} Motivo: {motivo}"
    plain = f"{_SIMPLES[proposta.decisao_final]}{quantidade} O motivo é este: {motivo}"
    return Mensagens(
        para_solicitante=" ".join((_ended(technical), *([fonte_tecnica(fonte)] if fonte else []))),
        para_beneficiario=" ".join((_ended(plain), *([fonte_simples(fonte)] if fonte else []))),
    )


def _is_whole(quantidade: int | float) -> bool:
    return float(quantidade).is_integer()


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _faults(proposta: RevisaoProposta, pedida: int | float | None) -> Iterator[Problem]:
    if not SHORTEST_REASON <= len(proposta.motivo.strip()) <= LONGEST_REASON or "\0" in proposta.motivo:
        said = f"Escreva o motivo, com {SHORTEST_REASON} a {LONGEST_REASON} caracteres: ele vai na resposta e fica na auditoria."
        yield Problem(said, "motivo", codigo="motivo_invalido")
    yield from _of_quantity(proposta, pedida)
    if proposta.mensagens is not None:
        for name in ("para_solicitante", "para_beneficiario"):
            if not 1 <= len(getattr(proposta.mensagens, name).strip()) <= LONGEST_MESSAGE:
                said = f"Cada mensagem deve ter de 1 a {LONGEST_MESSAGE} caracteres."
                yield Problem(said, f"mensagens.{name}", codigo="mensagem_invalida")


def _of_quantity(proposta: RevisaoProposta, pedida: int | float | None) -> Iterator[Problem]:
    quantidade = proposta.quantidade_aprovada
    if proposta.decisao_final == "APROVADO_PARCIAL":
        if quantidade is None:
            yield Problem("Diga quanto foi aprovado.", "quantidade_aprovada", codigo=QUANTIDADE_INVALIDA)
        elif quantidade <= 0:
            said = "A quantidade aprovada é maior que zero; para não aprovar nada, escolha negado."
            yield Problem(said, "quantidade_aprovada", codigo=QUANTIDADE_INVALIDA)
        elif pedida is not None and quantidade >= pedida:
            said = "Aprovado em parte é menos do que foi pedido; para aprovar tudo, escolha aprovado."
            yield Problem(said, "quantidade_aprovada", codigo=QUANTIDADE_INVALIDA)
        elif pedida is not None and _is_whole(pedida) and not _is_whole(quantidade):
            said = f"Foram pedidas unidades inteiras ({number(pedida)}): aprove um número inteiro, sem vírgula."
            yield Problem(said, "quantidade_aprovada", codigo=QUANTIDADE_INVALIDA)
    elif quantidade is not None:
        yield Problem("Só uma aprovação em parte tem quantidade.", "quantidade_aprovada", codigo=QUANTIDADE_INVALIDA)
