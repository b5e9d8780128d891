"""What calls to models are called on pages: applications, agents, how a call ended, and what it was paid for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote
from uuid import UUID

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.llm.custos import PROVISORIA, RESPONDIDA

APLICACOES: Final[Mapping[str, str]] = {
    "autorizacoes": "Autorizações",
    "clinicas": "Clínicas",
    "triagem": "Triagem de editais",
    "": "Sem agente anotado",
}
AGENTES: Final[Mapping[str, str]] = {
    "autorizacoes.normalizacao": "Autorizações: leitura do pedido",
    "autorizacoes.parametros": "Autorizações: busca da regra",
    "autorizacoes.consulta": "Autorizações: regra encontrada",
    "autorizacoes.avaliacao": "Autorizações: avaliação pela regra",
    "autorizacoes.ajustes": "Autorizações: ajustes sugeridos",
    "autorizacoes.sintese": "Autorizações: decisão e mensagens",
    "autorizacoes.segunda_leitura": "Autorizações: segunda leitura dos textos",
    "autorizacoes.mapeamento": "Autorizações: nomes de campos",
    "autorizacoes.formato": "Autorizações: formatos",
    "clinicas.planner": "Clínicas: plano da conversa",
    "clinicas.planner_raciocinio": "Clínicas: plano com raciocínio",
    "clinicas.responder": "Clínicas: texto da resposta",
    "clinicas.verifier": "Clínicas: segunda opinião",
    "triagem.criterio": "Triagem: nota por critério",
    "triagem.habilitacao": "Triagem: documentos de habilitação",
    "triagem.embeddings": "Triagem: semelhança entre textos",
}
# How a call ended: its word, and the style of its badge.
DESFECHOS: Final[Mapping[str, tuple[str, str]]] = {
    RESPONDIDA: ("Respondida", "aprovado"),
    PROVISORIA: ("Com defeito, servida uma vez", "pendente"),
    "fora_do_ar": ("Fora do ar", "negado"),
    "limite_de_uso": ("Recusada por excesso de uso", "negado"),
    "demorou": ("Demorou demais", "negado"),
    "ilegivel": ("Resposta cortada ou ilegível", "negado"),
    "fora_do_formato": ("Fora da forma pedida", "negado"),
    "recusou": ("O modelo se recusou", "negado"),
    "nao_aceito": ("Chave ou nome não aceitos", "negado"),
}
_NOT_KNOWN: Final = ("Não se sabe", "neutro")
# What was paid for where no one thing was noted: its words, and where it is looked after.
_DE_TODOS: Final[Mapping[str, tuple[str, str]]] = {
    "autorizacoes:mapeamento": ("Nomes de campos", "/politicas/campos"),
    "autorizacoes:formato": ("Propostas de formato", "/formatos"),
    "autorizacoes:assistido": ("Pedidos, de antes de cada um ser anotado", ""),
    "autorizacoes:sombra": ("Comparações, de antes de cada uma ser anotada", ""),
}
_OF_DECISIONS: Final[Mapping[str, str]] = {"autorizacao": "Pedido", "sombra": "Comparação do pedido"}
OF_ONE: Final = (*_OF_DECISIONS, "execucao", "conversa")
"""The kinds of what is paid for by its id, as the ledger calls them: `kind:id`."""


@dataclass(frozen=True, slots=True)
class OrigemVista:
    """What a call was paid for, in words; `endereco` is empty where there is no page of it, or not for whoever looks."""

    codigo: str
    nome: str
    endereco: str


@dataclass(frozen=True, slots=True)
class Assuntos:
    """What origens on a page speak of, as far as whoever looks may know: numbers of pedidos and editais by id, conversations that wait."""

    pedidos: Mapping[UUID, str] = field(default_factory=dict)
    editais: Mapping[UUID, str] = field(default_factory=dict)
    conversas: Set[UUID] = frozenset()
    ve_decisoes: bool = False
    ve_triagens: bool = False

    def see(self, origem: str) -> OrigemVista:
        """One of them in words."""
        if origem.partition(":")[0] == "avaliar-modelo":
            return OrigemVista(origem, "Avaliação do modelo, por um comando", "")
        if origem in _DE_TODOS:
            nome, endereco = _DE_TODOS[origem]
            return OrigemVista(origem, nome, endereco if self.ve_decisoes else "")
        kind, _, rest = origem.partition(":")
        one = id_of(origem)
        if one is None:
            return OrigemVista(origem, rest or kind or "não anotado", "")
        if kind == "execucao":
            edital = self.editais.get(one)
            at = f"/admin/editais/{quote(edital, safe='')}/triagem-ia" if edital and self.ve_triagens else ""
            return OrigemVista(origem, f"Triagem de {edital}" if edital else "Triagem", at)
        if kind == "conversa":
            return OrigemVista(origem, "Conversa", f"/clinicas/atendimento/{one}" if one in self.conversas else "")
        numero = self.pedidos.get(one, "")
        at = f"/autorizacoes/{one}" if self.ve_decisoes else ""
        return OrigemVista(origem, mask_cpfs(f"{_OF_DECISIONS[kind]} {numero or 'sem número'}"), at)


def id_of(origem: str) -> UUID | None:
    """The id of the one thing that a call was paid for; None where it was none."""
    kind, _, rest = origem.partition(":")
    if kind not in OF_ONE:
        return None
    try:
        return UUID(rest)
    except ValueError:
        return None


def ids_of(origens: Iterable[str], *kinds: str) -> list[UUID]:
    """The ids of those of some kinds."""
    return [one for origem in origens if origem.partition(":")[0] in kinds and (one := id_of(origem)) is not None]


def aplicacao_dita(aplicacao: str) -> str:
    """An application in words."""
    return APLICACOES.get(aplicacao, aplicacao)


def agente_dito(agente: str) -> str:
    """An agent in words."""
    return AGENTES.get(agente, agente or APLICACOES[""])


def desfecho_dito(desfecho: str | None) -> tuple[str, str]:
    """How a call ended: its word, and the style of its badge."""
    return _NOT_KNOWN if desfecho is None else DESFECHOS.get(desfecho, (desfecho, "neutro"))
