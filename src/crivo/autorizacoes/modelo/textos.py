"""The texts that a model may write, as the contracts name them: their shapes, where they stand, and how they are put in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from crivo.autorizacoes.agentes import AJUSTES, AVALIACAO, SINTESE
from crivo.autorizacoes.contracts import Mensagens
from crivo.autorizacoes.redacao import Campo, Decidido
from crivo.autorizacoes.trilha import Etapas
from crivo.kernel.agents.contract import AgentContract

Lugar = tuple[str, str]  # a stage, and a path within its answer


class Justificado(msgspec.Struct, frozen=True):
    """The words of one adjustment."""

    justificativa: Annotated[str, Meta(description="Por que este ajuste é preciso e o que fazer, em uma ou duas frases.")]


class TextosAjustes(msgspec.Struct, frozen=True):
    """What a model writes of RF5."""

    ajustes_sugeridos: Annotated[tuple[Justificado, ...], Meta(description="Um item para cada ajuste do rascunho, na mesma ordem.")]
    resumo_efeito: Annotated[str, Meta(description="O efeito provado dos ajustes, em uma ou duas frases.")]


class MensagensEscritas(msgspec.Struct, frozen=True):
    """Both messages of RF6."""

    para_solicitante: Annotated[str, Meta(description="A mensagem técnica, a quem fez o pedido.")]
    para_beneficiario: Annotated[str, Meta(description="A mensagem em linguagem de todo dia, a quem vai ser atendido.")]


class TextosSintese(msgspec.Struct, frozen=True):
    """What a model writes of RF6."""

    mensagens: MensagensEscritas


Textos = TextosAjustes | TextosSintese

# RF4 has a text too, of one wording that code knows: no model is asked for it.
ESCRITORES: Final[tuple[tuple[AgentContract, type[Textos]], ...]] = ((AJUSTES, TextosAjustes), (SINTESE, TextosSintese))
_CAMPOS: Final[Mapping[str, Campo]] = {campo: campo for campo in get_args(Campo)}


def campo_of(path: str) -> Campo:
    """What kind of text stands at a path."""
    return _CAMPOS[path.rpartition(".")[2]]


def texts_of(contract: AgentContract, answer: msgspec.Struct | None) -> dict[str, str]:
    """The model-written texts of an answer, whoever wrote them, by path with positions: `ajustes_sugeridos[0].justificativa`."""
    value = msgspec.to_builtins(answer)
    return {place: text for path in contract.model_writes for place, text in _leaves(value, path.split("."))}


def _leaves(value: Any, path: Sequence[str], place: str = "") -> list[tuple[str, str]]:
    if isinstance(value, (list, tuple)):
        return [leaf for position, one in enumerate(value) for leaf in _leaves(one, path, f"{place}[{position}]")]
    if not path:
        return [(place, value)]
    return _leaves(value[path[0]], path[1:], f"{place}.{path[0]}" if place else path[0]) if value else []


def without_texts(contract: AgentContract, answer: msgspec.Struct) -> Any:
    """An answer as plain values, without what a model may write of it."""
    value = msgspec.to_builtins(answer)
    for path in contract.model_writes:
        _remove(value, path.split("."))
    return value


def _remove(value: Any, path: Sequence[str]) -> None:
    for one in value if isinstance(value, (list, tuple)) else [value]:
        if len(path) == 1:
            one.pop(path[0], None)
        else:
            _remove(one[path[0]], path[1:])


def put_in_place(etapas: Etapas, textos: Mapping[Lugar, str]) -> Etapas:
    """The answers with other texts, and nothing else changed: no other field can be named. A place that is not there is passed over."""

    def told(contract: AgentContract, path: str, before: str) -> str:
        return textos.get((contract.stage, path), before)

    avaliacao, ajustes, sintese = etapas.avaliacao, etapas.ajustes, etapas.sintese
    minimos = [
        replace(one, justificativa=told(AVALIACAO, f"ajustes_minimos_requeridos[{position}].justificativa", one.justificativa))
        for position, one in enumerate(avaliacao.ajustes_minimos_requeridos)
    ]
    if ajustes is not None:
        sugeridos = [
            replace(one, justificativa=told(AJUSTES, f"ajustes_sugeridos[{position}].justificativa", one.justificativa))
            for position, one in enumerate(ajustes.ajustes_sugeridos)
        ]
        resumo = told(AJUSTES, "resumo_efeito", ajustes.resumo_efeito)
        ajustes = replace(ajustes, ajustes_sugeridos=tuple(sugeridos), resumo_efeito=resumo)
    mensagens = Mensagens(
        told(SINTESE, "mensagens.para_solicitante", sintese.mensagens.para_solicitante),
        told(SINTESE, "mensagens.para_beneficiario", sintese.mensagens.para_beneficiario),
    )
    return replace(
        etapas,
        avaliacao=replace(avaliacao, ajustes_minimos_requeridos=tuple(minimos)),
        ajustes=ajustes,
        sintese=replace(sintese, mensagens=mensagens),
    )


def decidido_of(etapas: Etapas) -> Decidido:
    """What the texts of a journey are held against: the code's own answers."""
    return Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)
