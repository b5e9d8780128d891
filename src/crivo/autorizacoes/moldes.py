"""What RF5 and RF6 write, for many pedidos: once for all that differ only in what they do not say, or say in one known place.

The stages write every mould; nothing here states a rule. What a mould is kept by is all that RF5 and RF6 read of a pedido for which RF4
found the same. Of two pedidos under one key, one's answers are the other's with its own number and day.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from crivo.autorizacoes.contracts import Ajustes, Avaliacao, Consulta, Decisao, DecisaoFinal, Mensagens, Normalizacao
from crivo.autorizacoes.etapas.avaliacao import states_later
from crivo.autorizacoes.etapas.sintese import sintetizar
from crivo.autorizacoes.motivos import CARENCIA, IDADE
from crivo.autorizacoes.palavras import day

Documento = tuple[bytes, DecisaoFinal]
Sugerir = Callable[[Normalizacao, Consulta, Avaliacao], Ajustes]

_LONGEST_NAME: Final = 200
# What stands for the number and the day while a mould is written; answers in which either is found elsewhere too make none.
_NUMERO: Final = "\ue000\ue001\ue000"
_DIA: Final = "\ue000\ue001\ue002\ue003-\ue004\ue005-\ue006\ue007"
_DIA_DITO: Final = day(_DIA)
_encode = msgspec.json.Encoder().encode


class _Molde(NamedTuple):
    """What was written of a pedido with a number and a day that nobody has, and its document in the pieces between them."""

    ajustes: Ajustes | None
    decisao: Decisao
    inicio: bytes
    meio: bytes
    antes: bytes
    fim: bytes
    diz_o_dia: bool


class Moldes:
    """RF5 and RF6 over one set of published políticas, with so many moulds of what they wrote; a thousand take 5.5 MB."""

    def __init__(self, sugerir: Sugerir, most: int) -> None:
        self._sugerir, self._most = sugerir, most
        self._moldes: dict[object, _Molde] = {}

    def sugerir(self, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> Ajustes:
        """RF5's answer."""
        molde = self._find(normalizacao, consulta, avaliacao)
        if molde is None or molde.ajustes is None:
            return self._sugerir(normalizacao, consulta, avaliacao)
        return Ajustes(avaliacao.pedido_id, molde.ajustes.ajustes_sugeridos, molde.ajustes.resumo_efeito)

    def sintetizar(self, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao, ajustes: Ajustes | None) -> Decisao:
        """RF6's answer."""
        molde = self._find(normalizacao, consulta, avaliacao)
        if molde is None:
            return sintetizar(normalizacao, consulta, avaliacao, ajustes)
        pedido = normalizacao.pedido_normalizado
        written = molde.decisao
        tecnica = written.mensagens.para_solicitante
        if molde.diz_o_dia:
            tecnica = tecnica.replace(_DIA_DITO, day(pedido.data_prevista or ""))
        tecnica = tecnica.replace(_NUMERO, pedido.pedido_id or "")
        mensagens = Mensagens(tecnica, written.mensagens.para_beneficiario)
        return Decisao(pedido.pedido_id, written.decisao_final, written.detalhe_decisao, mensagens, written.artefato_registro)

    def documento(self, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> Documento:
        """RF6's answer as JSON, byte for byte, and how it ends."""
        molde = self._find(normalizacao, consulta, avaliacao)
        if molde is None:
            decisao = self._escrever(normalizacao, consulta, avaliacao)[1]
            return _encode(decisao), decisao.decisao_final
        pedido = normalizacao.pedido_normalizado
        _, decisao, inicio, meio, antes, fim, diz_o_dia = molde
        numero = _encode(pedido.pedido_id)[1:-1]
        quando = day(pedido.data_prevista or "").encode() if diz_o_dia else b""
        return b"".join((inicio, numero, meio, numero, antes, quando, fim)), decisao.decisao_final

    def _find(self, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> _Molde | None:
        key = _key(normalizacao, consulta, avaliacao)
        return None if key is None else self._moldes.get(key) or self._cast(key, normalizacao, consulta, avaliacao)

    def _escrever(self, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> tuple[Ajustes | None, Decisao]:
        ajustes = self._sugerir(normalizacao, consulta, avaliacao) if nao_conforme(normalizacao, consulta, avaliacao) else None
        return ajustes, sintetizar(normalizacao, consulta, avaliacao, ajustes)

    def _cast(self, key: object, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> _Molde | None:
        pedido = normalizacao.pedido_normalizado
        blank = replace(pedido, pedido_id=_NUMERO, data_prevista=_DIA if pedido.data_prevista is not None else None)
        written = self._escrever(replace(normalizacao, pedido_normalizado=blank), consulta, replace(avaliacao, pedido_id=_NUMERO))
        pieces = _encode(written[1]).split(_NUMERO.encode())
        if len(pieces) != 3:
            return None
        inicio, meio, rest = pieces
        antes, *after = rest.split(_DIA_DITO.encode())
        if len(after) > 1:
            return None
        if len(self._moldes) >= self._most:
            self._moldes.clear()
        molde = _Molde(*written, inicio, meio, antes, b"".join(after), bool(after))
        self._moldes[key] = molde
        return molde


def nao_conforme(normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> bool:
    """RF5 runs only on its trigger. Source: PRD RF5 5.3.1, `gatilho_pedido_nao_conforme`."""
    return avaliacao.gatilho_pedido_nao_conforme


def _key(normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> object:
    """What of a pedido under a regra RF5 and RF6 read; None where they may read more, and each document is written by itself.

    An age or a waiting period that holds is read nowhere: whichever it is, evaluating the pedido once more finds that it holds.
    """
    regra = consulta.regras_recuperadas
    if regra is None or regra.cobertura == "NAO_COBERTA" or states_later(regra) or not _is_plain(normalizacao):
        return None
    pedido, motivos = normalizacao.pedido_normalizado, avaliacao.motivos
    procedimento, beneficiario = pedido.procedimento, pedido.beneficiario
    if len(procedimento.codigo or "") + len(procedimento.descricao or "") > _LONGEST_NAME:
        return None
    return (
        regra,
        consulta.fonte_regras,
        motivos,
        avaliacao.pendencias_documentais,
        procedimento,
        pedido.prestador.tipo,
        pedido.urgencia,
        pedido.data_prevista is None,
        beneficiario.carencia_cumprida_dias if CARENCIA in motivos else None,
        beneficiario.idade if IDADE in motivos else None,
    )


def _is_plain(normalizacao: Normalizacao) -> bool:
    """Whether nothing is told of a valid pedido but what its fields are called by whoever sent it."""
    alertas = normalizacao.alertas
    return normalizacao.pedido_valido and (not alertas or all(alerta.startswith("campo_mapeado:") for alerta in alertas))
