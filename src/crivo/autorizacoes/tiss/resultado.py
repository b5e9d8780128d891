"""What came of each procedimento of a guia, read from what is stored, and what it makes of the guia: its status, its senha, its lines.

Source: Padrão TISS 4.03.00, `autorizacaoServicos`; design, "Standards"; decision 0081.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal
from crivo.autorizacoes.etapas.avaliacao import IDADE_NAO_CONFERIDA
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.itens import APROVADAS, Respondido, numero_of, repartir
from crivo.autorizacoes.motivos import CARENCIA, DOCUMENTOS, IDADE, QUANTIDADE, REGRA_NAO_ENCONTRADA, SEM_SEXO
from crivo.autorizacoes.revisao.contracts import Revisao
from crivo.autorizacoes.tiss.erros import SemGuia
from crivo.autorizacoes.tiss.guia import DE_QUEM_ENVIA, DITOS, MOST_ITEMS, DeUmaGuia, Linha

Status = Literal["1", "2", "3", "4", "5", "6", "7"]
AUTORIZADO: Final = "1"
EM_ANALISE: Final = "2"
NEGADO: Final = "3"
JUSTIFICATIVA: Final = "4"
DOCUMENTACAO: Final = "5"
CANCELADA: Final = "6"
PARCIAL: Final = "7"
_SEM_PLANO: Final = "campo_obrigatorio_ausente:plano_id"


class _Normalizacao(msgspec.Struct):
    alertas: tuple[str, ...] = ()
    erros_bloqueantes: tuple[str, ...] = ()


class _Avaliacao(msgspec.Struct):
    pendencias_documentais: tuple[str, ...] = ()
    restricoes_aplicadas: tuple[str, ...] = ()


class _Etapas(msgspec.Struct):
    normalizacao: _Normalizacao
    avaliacao: _Avaliacao
    sintese: Decisao


class _Trilha(msgspec.Struct):
    etapas: _Etapas


class _Pedido(msgspec.Struct):
    tiss: DeUmaGuia | None = None
    beneficiario: dict[str, Any] = {}


_read_trilha = msgspec.json.Decoder(_Trilha).decode
_read_pedido = msgspec.json.Decoder(_Pedido).decode


@dataclass(frozen=True, slots=True)
class Resultado(Respondido):
    """What came of one procedimento; `nao_veio` is what the guia does not say and was needed, `ate_dias` how long it is valid.

    `do_codigo` is what was decided first, by the code, whatever a person decided since; `ditos` is what was said of the beneficiário
    beside the guia, and `faltam` the documents that were missing. `a_dizer` is whether also an approval has words that nothing else has:
    a person's, or on what condition. `substituta` is the senha of a later message of the guia that stands in its place: what this one was
    given holds no more.
    """

    id: UUID
    de: DeUmaGuia
    decisao: DecisaoFinal
    quantidade: int
    motivos: tuple[str, ...]
    palavras: str
    nao_veio: tuple[str, ...]
    ate_dias: int | None
    em: datetime
    recebida: date
    do_codigo: DecisaoFinal
    ditos: tuple[str, ...] = ()
    faltam: tuple[str, ...] = ()
    a_dizer: bool = False
    substituta: str | None = None


def guia_of(autorizacao: Autorizacao) -> DeUmaGuia:
    """What a stored pedido keeps of its guia. Raises `SemGuia` where it came by another door."""
    return _read(autorizacao)[0]


def _read(autorizacao: Autorizacao) -> tuple[DeUmaGuia, dict[str, Any]]:
    try:
        pedido = _read_pedido(autorizacao.pedido)
    except msgspec.DecodeError:
        raise SemGuia from None
    if pedido.tiss is None or not _is_of_a_guia(pedido.tiss):
        raise SemGuia
    return pedido.tiss, pedido.beneficiario


def _is_of_a_guia(de: DeUmaGuia) -> bool:
    """Whether it was written here: a pedido in JSON may bring anything under the same name."""
    return 0 < de.item <= de.itens <= MOST_ITEMS and de.guia.origem.por in DE_QUEM_ENVIA


def resultado_of(autorizacao: Autorizacao, revisao: Revisao | None = None) -> Resultado:
    """What was decided of one procedimento: by a person where there is a review, else by the code. Raises `SemGuia`."""
    de, beneficiario = _read(autorizacao)
    etapas = _read_trilha(autorizacao.trilha).etapas
    sintese = etapas.sintese
    prazo = sintese.detalhe_decisao.prazo_validade_autorizacao_dias
    condicionada = sintese.decisao_final in APROVADAS and bool(sintese.detalhe_decisao.condicionantes)
    if revisao is None:
        aprovada, motivos = sintese.detalhe_decisao.quantidade_aprovada, sintese.artefato_registro.motivos
        decisao, palavras, em = sintese.decisao_final, sintese.mensagens.para_solicitante, autorizacao.recebida_em
    else:
        aprovada, motivos = revisao.quantidade_aprovada, _reviewed(revisao, sintese.artefato_registro.motivos)
        decisao, palavras, em = revisao.decisao_final, revisao.mensagens.para_solicitante, revisao.decidida_em
    asked = de.procedimento.quantidade
    quantidade = int(asked if aprovada is None else min(aprovada, asked)) if decisao in APROVADAS else 0
    return Resultado(
        autorizacao.id,
        de,
        decisao,
        quantidade,
        motivos,
        palavras,
        tuple(_nao_veio(etapas)),
        prazo,
        em,
        autorizacao.data_recebimento,
        sintese.decisao_final,
        tuple([nome for nome in DITOS if nome in beneficiario]),
        etapas.avaliacao.pendencias_documentais,
        revisao is not None or condicionada,
    )


def _nao_veio(etapas: _Etapas) -> Iterator[str]:
    """What no guia says of the beneficiário and this decision would have needed."""
    if _SEM_PLANO in etapas.normalizacao.erros_bloqueantes:
        yield "o plano"
    if IDADE_NAO_CONFERIDA in etapas.avaliacao.restricoes_aplicadas:
        yield "a idade"
    if CARENCIA in etapas.sintese.artefato_registro.motivos and "carencia_nao_informada" in etapas.normalizacao.alertas:
        yield "a carência já cumprida"
    if SEM_SEXO in etapas.sintese.artefato_registro.motivos:
        yield "o sexo"


def _reviewed(revisao: Revisao, motivos: tuple[str, ...]) -> tuple[str, ...]:
    match revisao.decisao_final:
        case "APROVADO":
            return ()
        case "APROVADO_PARCIAL":
            return (QUANTIDADE,)
        case _:
            return motivos


def status_of(resultados: Sequence[Resultado]) -> Status:
    """The `statusSolicitacao` of a guia. What waits for who asked goes before what waits for the operadora."""
    decisoes = {one.decisao for one in resultados}
    if cancelada_por(resultados) is not None:
        return CANCELADA
    if decisoes == {"APROVADO"}:
        return AUTORIZADO
    if decisoes & APROVADAS:
        return PARCIAL
    if decisoes == {"NEGADO"}:
        return NEGADO
    waits = {_waits_for(one) for one in resultados if one.decisao == "PENDENTE_AJUSTES"}
    for status in (DOCUMENTACAO, JUSTIFICATIVA):
        if status in waits:
            return status
    return EM_ANALISE


def cancelada_por(resultados: Sequence[Resultado]) -> str | None:
    """The senha that replaces what was given; None where it holds, or nothing was."""
    return next((one.substituta for one in resultados if one.decisao in APROVADAS), None)


def _waits_for(resultado: Resultado) -> Status:
    motivos = set(resultado.motivos)
    if motivos == {DOCUMENTOS}:
        return DOCUMENTACAO
    if REGRA_NAO_ENCONTRADA in motivos or motivos == {IDADE}:
        return EM_ANALISE
    return JUSTIFICATIVA


def senha_of(resultados: Sequence[Resultado]) -> str | None:
    """The senha of a guia, None where nothing of it is approved. One that was given stays, whatever people decide afterwards."""
    if not any(one.decisao in APROVADAS for one in resultados):
        return None
    return numero_of(next((one for one in resultados if one.do_codigo in APROVADAS), resultados[0]).id)


class Respondida(NamedTuple):
    """One line of a guia, with what it has of what was decided of its procedimento."""

    sequencia: int
    pedida: int
    autorizada: int
    resultado: Resultado


def linhas_of(one: Resultado) -> list[Respondida]:
    """The lines that a procedimento was asked in, with what each has of what was approved."""
    linhas = one.de.linhas or (Linha(one.de.item, one.de.procedimento.quantidade),)
    autorizadas = repartir(0 if one.substituta else one.quantidade, [linha.quantidade for linha in linhas])
    return [Respondida(linha.sequencia, linha.quantidade, int(given), one) for linha, given in zip(linhas, autorizadas, strict=True)]
