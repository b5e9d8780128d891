"""Where a person can go from any page: the areas of the product, each place only for whoever may open it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crivo.kernel.access import Algum, may
from crivo.kernel.autorizar import DA_INSTALACAO
from crivo.kernel.tenancy import Scope
from crivo.web.access import ACCESS, PUBLIC, Admission


@dataclass(frozen=True, slots=True)
class Lugar:
    """A page of the navigation; `secao` is what the pages under it call themselves, `icone` a symbol of the sprite."""

    nome: str
    endereco: str
    icone: str
    secao: str


@dataclass(frozen=True, slots=True)
class Area:
    """Places that belong together; the first area needs no title."""

    titulo: str
    lugares: tuple[Lugar, ...]


AREAS: Final = (
    Area("", (Lugar("Início", "/", "casa", "inicio"),)),
    Area(
        "Editais de fomento",
        (Lugar("Editais", "/admin/editais", "pasta", "editais"), Lugar("Avaliação", "/avaliacao", "balanca", "avaliacao")),
    ),
    Area(
        "Benefícios de saúde",
        (
            Lugar("Autorizações", "/autorizacoes", "escudo", "autorizacoes"),
            Lugar("Fila de revisão", "/autorizacoes/fila", "olho", "fila"),
            Lugar("Políticas", "/politicas", "documento", "politicas"),
            Lugar("Formatos", "/formatos", "colunas", "formatos"),
        ),
    ),
    Area(
        "Clínicas",
        (
            Lugar("Consultas", "/clinicas/conversa", "calendario", "clinicas"),
            Lugar("Minhas consultas", "/minhas-consultas", "calendario", "minhas"),
            Lugar("Contas de pacientes", "/clinicas/contas", "pessoa", "contas"),
            Lugar("Atendimento", "/clinicas/atendimento", "conversa", "atendimento"),
            Lugar("Situação", "/clinicas/situacao", "clinica", "situacao"),
            Lugar("Qualidade", "/clinicas/avaliacao", "grafico", "qualidade"),
        ),
    ),
    Area(
        "Administração",
        (
            Lugar("Execuções e custos", "/admin/execucoes", "relogio", "execucoes"),
            Lugar("Cartas", "/admin/cartas", "enviar", "cartas"),
            Lugar("Entregas", "/admin/entregas", "enviar", "entregas"),
            Lugar("Auditoria", "/admin/auditoria", "elo", "auditoria"),
            Lugar("Pessoas e papéis", "/admin/pessoas", "pessoas", "pessoas"),
            Lugar("Chaves de API", "/admin/chaves", "chave", "chaves"),
            Lugar("Uso e cotas", "/admin/cotas", "grafico", "cotas"),
            Lugar("Organizações", "/admin/organizacoes", "casa", "organizacoes"),
        ),
    ),
)


def areas_of(scope: Scope, table: Mapping[tuple[str, str], Admission] = ACCESS, *, casa: str = "") -> tuple[Area, ...]:
    """The areas with a place for whoever acts in the scope, by the table of addresses; `casa` is the installation's own organisation."""
    found = [
        Area(area.titulo, tuple([lugar for lugar in area.lugares if may_open(scope, lugar.endereco, table, casa=casa)])) for area in AREAS
    ]
    return tuple([area for area in found if area.lugares])


def may_open(scope: Scope, endereco: str, table: Mapping[tuple[str, str], Admission] = ACCESS, *, casa: str = "") -> bool:
    """Whether there is a page at that address for people who have signed in, and whoever acts in the scope may open it.

    What is of the whole installation opens to nobody where `casa` is not told.
    """
    admission = table.get(("GET", endereco), PUBLIC)
    if admission == "publica":
        return False
    if admission in DA_INSTALACAO:
        return scope.tenant_id == casa and may(scope.sujeito, admission, Algum(casa))
    return may(scope.sujeito, admission, Algum(scope.tenant_id))


def iniciais(nome: str) -> str:
    """At most two letters that stand for a person: the first and the last name's."""
    words = [word for word in nome.split() if word[0].isalpha()]
    return "".join([word[0] for word in (words[:1] + words[1:][-1:])]).upper()
