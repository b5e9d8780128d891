"""The six agents of a journey as a timeline: what each saw, concluded and answered, who wrote each field, and how long it took."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.contracts import Impacto
from crivo.autorizacoes.etapas.avaliacao import IDADE_NAO_CONFERIDA
from crivo.autorizacoes.mapeamento.midia import decode_table
from crivo.autorizacoes.modelo.segunda_leitura import SEGUNDA_LEITURA
from crivo.autorizacoes.motivos import frase
from crivo.autorizacoes.palavras import DECISOES, count, day, number
from crivo.autorizacoes.trilha import CampoEscrito, Escrita, Etapas, SegundaLeitura, Trilha
from crivo.kernel.agents.contract import AgentContract, Author
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.web.pages.autorizacoes.trilha import alerta, campo_da_trilha, falha_do_modelo, falha_do_texto
from crivo.web.pages.formatos import dolares
from crivo.web.pages.palavras import ETAPAS

_PRELIMINARES: Final = {
    "APROVAR_TOTAL": "Pode ser aprovado por inteiro.",
    "APROVAR_PARCIAL": "Pode ser aprovado em parte.",
    "NEGAR": "Não pode ser aprovado assim.",
}
_IMPACTOS: Final[Mapping[Impacto, str]] = {
    "RESOLVE_TOTAL": "resolve",
    "RESOLVE_PARCIAL": "resolve em parte",
    "NAO_RESOLVE": "não resolve",
}
_POSITION: Final = re.compile(r"\[(\d+)\]")
_decode_trilha = msgspec.json.Decoder(Trilha).decode


@dataclass(frozen=True, slots=True)
class CampoVisto:
    """A field of an answer, who wrote it, and why a model's text was not kept, where one was dropped."""

    nome: str
    autor: str
    falhas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EtapaVista:
    """One agent of a journey; `saida` is None where it did not run, `modelo` is empty where none was asked."""

    nome: str
    titulo: str
    tarefa: str
    ve: tuple[tuple[str, str], ...]
    conclusoes: tuple[str, ...]
    saida: str | None
    campos: tuple[CampoVisto, ...]
    autores: tuple[str, ...]
    modelo: str
    simulado: bool
    pergunta: tuple[tuple[str, str], ...]
    falha: str
    tempo: int | None


def read_trilha(raw: bytes) -> Trilha:
    """A stored trail."""
    return _decode_trilha(raw)


def etapas_vistas(trilha: Trilha) -> tuple[EtapaVista, ...]:
    """The six agents, in the order in which they worked."""
    autoria: Mapping[str, Mapping[str, str]] = msgspec.json.decode(trilha.autoria)
    asked = {escrita.etapa: escrita for escrita in trilha.escritas}
    return tuple([_etapa(contract, trilha, autoria.get(contract.stage, {}), asked.get(contract.stage)) for contract in AGENTES])


def pretty(raw: bytes) -> str:
    """JSON laid out for reading, CPFs masked."""
    return mask_cpfs(msgspec.json.format(raw, indent=2).decode())


def as_sent(raw: bytes) -> str:
    """What came, laid out for reading where it is JSON, and as its own text where a mapping read something else; CPFs masked."""
    try:
        return pretty(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return mask_cpfs(decode_table(raw))


def _etapa(contract: AgentContract, trilha: Trilha, autoria: Mapping[str, str], escrita: Escrita | None) -> EtapaVista:
    answer = getattr(trilha.etapas, contract.stage)
    return EtapaVista(
        contract.stage,
        ETAPAS[contract.stage],
        contract.tarefa,
        tuple([(nome, ETAPAS[nome]) for nome in contract.sees]),
        () if answer is None else tuple([mask_cpfs(one) for one in _CONCLUSIONS.get(contract.stage, _nothing)(trilha.etapas)]),
        None if answer is None else pretty(msgspec.json.encode(answer)),
        tuple(_campos(autoria, {} if escrita is None else escrita.campos)),
        tuple(dict.fromkeys(autoria.values())),
        "" if escrita is None else escrita.modelo,
        escrita is not None and escrita.simulado,
        () if escrita is None else (*_question(escrita), *_reading(escrita, trilha.leitura)),
        "" if escrita is None or escrita.falha is None else falha_do_modelo(escrita.falha),
        None if answer is None else trilha.tempos_us.get(contract.stage, 0),
    )


def _campos(autoria: Mapping[str, str], escritos: Mapping[str, CampoEscrito]) -> Iterator[CampoVisto]:
    told = {path: one.falhas for path, one in escritos.items() if one.falhas}
    for path, autor in autoria.items():
        its = [falhas for other, falhas in told.items() if path in (other, _POSITION.sub("", other))]
        kinds = dict.fromkeys([kind for falhas in its for kind in falhas])
        yield CampoVisto(campo_da_trilha(path), autor, tuple([falha_do_texto(kind) for kind in kinds]))


def _question(escrita: Escrita) -> Iterator[tuple[str, str]]:
    yield "Modelo", f"{escrita.modelo} (simulado)" if escrita.simulado else escrita.modelo
    yield "Instruções", f"versão {escrita.prompt_versao}"
    yield "Tempo do modelo", f"{number(escrita.duracao_ms)} ms"
    yield "Tokens", f"{number(escrita.tokens_entrada)} lidos, {number(escrita.tokens_saida)} escritos"
    if escrita.custo is not None:
        yield "Custo", dolares(escrita.custo, 4)
    if escrita.repetida:
        yield "Resposta", "já guardada de uma pergunta igual; nada foi pago de novo"
    if escrita.provisoria is True:
        yield "Correção", "o modelo não respondeu quando foi avisado do que corrigir; o que não passou ficou com o texto do código"


def _reading(escrita: Escrita, leitura: SegundaLeitura | None) -> Iterator[tuple[str, str]]:
    """What is told of the second reading beside an agent some of whose texts came to it; one reading is of all agents."""
    if leitura is None or not any(_was_read(campo) for campo in escrita.campos.values()):
        return
    if leitura.falha is not None:
        yield "Segunda leitura", f"não foi feita ({falha_do_modelo(leitura.falha)}); os textos passaram só na conferência do código"
        return
    held = sum(SEGUNDA_LEITURA in campo.falhas for campo in escrita.campos.values())
    told = count(held, "texto ficou de fora", "textos ficaram de fora") if held else "nada a apontar"
    tokens = f"{number(leitura.tokens_entrada)} tokens lidos, {number(leitura.tokens_saida)} escritos"
    cost = "" if leitura.custo is None else f"; {dolares(leitura.custo, 4)}"
    yield (
        "Segunda leitura",
        f"{told}; versão {leitura.prompt_versao}, de todos os textos em {number(leitura.duracao_ms)} ms, {tokens}{cost}",
    )


def _was_read(campo: CampoEscrito) -> bool:
    return campo.autor == Author.MODEL or SEGUNDA_LEITURA in campo.falhas


# --- what each agent concluded, in sentences


def _normalizacao(etapas: Etapas) -> Iterator[str]:
    answer = etapas.normalizacao
    yield "O pedido pode ser avaliado." if answer.pedido_valido else "O pedido não pode ser avaliado como veio."
    yield from [f"{frase(erro)}." for erro in answer.erros_bloqueantes]
    yield from [alerta(codigo, answer.pedido_normalizado.extras) for codigo in answer.alertas]


def _parametros(etapas: Etapas) -> Iterator[str]:
    params = etapas.parametros.params_consulta_regras
    if not etapas.parametros.consulta_pronta:
        yield "Não havia o bastante para procurar uma regra."
        return
    data = day(params.data_referencia) if params.data_referencia else "a data do pedido"
    yield f"Procurar a regra do procedimento {params.codigo_procedimento}, no plano {params.plano_id}, em {data}."


def _consulta(etapas: Etapas) -> Iterator[str]:
    fonte = etapas.consulta.fonte_regras
    if fonte is None:
        yield "Nenhuma regra publicada trata deste pedido nesta data."
    else:
        yield f"Regra {fonte.regra_id}, de “{fonte.documento}”, versão {fonte.versao}."


def _avaliacao(etapas: Etapas) -> Iterator[str]:
    answer = etapas.avaliacao
    yield _PRELIMINARES[answer.decisao_preliminar]
    yield from [f"{frase(codigo)}." for codigo in answer.motivos]
    if IDADE_NAO_CONFERIDA in answer.restricoes_aplicadas:
        yield "A regra restringe a idade e ela não é conhecida: não foi conferida."
    if answer.quantidade_aprovavel is not None:
        yield f"Quantidade que pode ser aprovada: {number(answer.quantidade_aprovavel)}."


def _ajustes(etapas: Etapas) -> Iterator[str]:
    answer = etapas.ajustes
    if answer is not None:
        yield from [f"{one.justificativa} ({_IMPACTOS[one.impacto_conformidade]})" for one in answer.ajustes_sugeridos]
        yield answer.resumo_efeito


def _sintese(etapas: Etapas) -> Iterator[str]:
    answer = etapas.sintese
    conditions = len(answer.detalhe_decisao.condicionantes)
    told = f", com {count(conditions, 'condição', 'condições')}" if conditions else ""
    yield f"{DECISOES[answer.decisao_final].palavra}{told}."


def _nothing(etapas: Etapas) -> Iterator[str]:
    """A stage that has no sentences yet shows its answer alone."""
    return iter(())


_CONCLUSIONS: Final[Mapping[str, Callable[[Etapas], Iterator[str]]]] = {
    "normalizacao": _normalizacao,
    "parametros": _parametros,
    "consulta": _consulta,
    "avaliacao": _avaliacao,
    "ajustes": _ajustes,
    "sintese": _sintese,
}
