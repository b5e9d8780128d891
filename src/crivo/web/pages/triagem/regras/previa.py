"""What rules would give, as it is shown beside them while somebody writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from crivo.triagem.classificacao.clausulas import category_said
from crivo.triagem.classificacao.definicao import AMPLA
from crivo.triagem.classificacao.numeros import nota_said
from crivo.triagem.classificacao.palavras import SITUACAO
from crivo.triagem.classificacao.previsto import CategoriaPrevista, Prevista, Troca, VagasPrevistas
from crivo.triagem.classificacao.resultado import Situacao
from crivo.triagem.ensaio import Ensaiada
from crivo.triagem.palavras import count, shown
from crivo.web.pages.formatos import numero
from crivo.web.pages.triagem.chamada.leitura import Erro
from crivo.web.pages.triagem.chamada.vista import places_of
from crivo.web.pages.triagem.regras.vista import ParteVista

_PLURAL: Final[Mapping[Situacao, str]] = {
    "selecionado": "Selecionados",
    "suplente": "Suplentes",
    "nao_classificado": "Não classificados",
    "desclassificado": "Desclassificados",
    "inabilitado": "Inabilitados",
    "pendente": "Pendentes",
}


@dataclass(frozen=True, slots=True)
class TipoVisto:
    """Places of one kind: which, how many of how many, and the last that has one."""

    nome: str
    ocupadas: str
    corte: str
    ultimo: str
    concorrem: str
    cheia: bool


@dataclass(frozen=True, slots=True)
class CategoriaVista:
    """Who competes together: how full its vagas are, kind by kind, and what became of the projects."""

    nome: str
    vagas: str
    tipos: tuple[TipoVisto, ...]
    notas: tuple[str, ...]
    situacoes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PreviaVista:
    """All of it. `falta` says what is missing for there to be places at all; `trocas` compares with the rules that are kept."""

    visto: str = ""
    falta: tuple[str, ...] = ()
    totais: tuple[tuple[str, str, str], ...] = ()
    categorias: tuple[CategoriaVista, ...] = ()
    sem_vagas: tuple[tuple[str, str], ...] = ()
    trocas: str = ""
    entram: tuple[tuple[str, str, str], ...] = ()
    saem: tuple[tuple[str, str, str], ...] = ()
    mais: tuple[int, int] = (0, 0)
    avisos: tuple[tuple[str, str, str], ...] = ()
    erros: tuple[tuple[str, str, str], ...] = ()
    partes: tuple[ParteVista, ...] = field(default=())

    @classmethod
    def of(cls, ensaiada: Ensaiada, avisos: Sequence[Erro], partes: tuple[ParteVista, ...]) -> PreviaVista:
        """What came of rules that could be read."""
        prevista = ensaiada.prevista
        if prevista is None:
            return cls(partes=partes)
        situations = _totals(prevista)
        with_vagas = [one for one in prevista.categorias if one.vagas is not None]
        without = [one for one in prevista.categorias if one.vagas is None]
        return cls(
            visto=_seen(ensaiada, prevista),
            falta=_lacking(prevista, has_vagas=bool(with_vagas)),
            totais=tuple([(_PLURAL[nome], numero(situations.get(nome, 0)), nome) for nome in _PLURAL]),
            categorias=tuple([_category(one) for one in with_vagas]),
            sem_vagas=tuple([(shown(one.categoria) or "Sem categoria", count(one.concorrem, "projeto", "projetos")) for one in without]),
            trocas=_changes(prevista),
            entram=tuple([_change(one) for one in prevista.entram]),
            saem=tuple([_change(one) for one in prevista.saem]),
            mais=(prevista.quantos_entram - len(prevista.entram), prevista.quantos_saem - len(prevista.saem)),
            avisos=places_of(avisos),
            partes=partes,
        )

    @classmethod
    def wrong(cls, erros: Sequence[Erro]) -> PreviaVista:
        """What is to be put right before there is anything to show."""
        return cls(erros=places_of(erros))


def _totals(prevista: Prevista) -> dict[Situacao, int]:
    found: dict[Situacao, int] = dict(prevista.fora)
    for categoria in prevista.categorias:
        for situacao, quantos in categoria.situacoes.items():
            found[situacao] = found.get(situacao, 0) + quantos
    return found


def _seen(ensaiada: Ensaiada, prevista: Prevista) -> str:
    if not ensaiada.total:
        return ""
    if ensaiada.vistos < ensaiada.total:
        seen = f"{numero(ensaiada.vistos)} de {numero(ensaiada.total)} projetos"
        return f"Houve tempo para {seen}: os outros não estão nestas contas."
    return f"Sobre {count(prevista.projetos, 'projeto', 'projetos')} e só as notas que pessoas enviaram. Nada foi gravado."


def _lacking(prevista: Prevista, *, has_vagas: bool) -> tuple[str, ...]:
    told = []
    if not prevista.projetos:
        told.append("Ainda não há projetos: abaixo está só a forma das vagas.")
    elif not prevista.notas:
        told.append("Ninguém enviou notas ainda: sem elas, todos ficam pendentes, e abaixo está só a forma das vagas.")
    if not has_vagas:
        told.append("Ainda não há vagas: dê ao menos uma a uma categoria para que alguém seja selecionado.")
    return tuple(told)


def _category(categoria: CategoriaPrevista) -> CategoriaVista:
    total, seated = categoria.vagas or 0, categoria.situacoes.get("selecionado", 0)
    notas = []
    if categoria.remanejadas:
        notas.append(f"{count(categoria.remanejadas, 'vaga remanejada chegou', 'vagas remanejadas chegaram')} a projetos daqui.")
    if categoria.vazias:
        notas.append(f"{count(categoria.vazias, 'vaga fica vazia', 'vagas ficam vazias')}: não há mais quem se classifique.")
    return CategoriaVista(
        category_said(categoria.categoria),
        f"{count(seated, 'selecionado', 'selecionados')} para {count(total, 'vaga', 'vagas')}",
        tuple([_kind(one) for one in categoria.por_tipo]),
        tuple(notas),
        tuple([(_PLURAL[nome], numero(quantos)) for nome in _PLURAL if (quantos := categoria.situacoes.get(nome, 0))]),
    )


def _kind(vagas: VagasPrevistas) -> TipoVisto:
    return TipoVisto(
        "Ampla concorrência" if vagas.id == AMPLA else f"Cota {vagas.id}",
        f"{numero(vagas.ocupadas)} de {numero(vagas.total)}",
        nota_said(vagas.corte) if vagas.corte is not None else "",
        vagas.ultimo,
        "" if vagas.optantes is None else count(vagas.optantes, "concorre", "concorrem"),
        vagas.ocupadas >= vagas.total,
    )


def _changes(prevista: Prevista) -> str:
    if not prevista.projetos or not prevista.notas:
        return ""
    if not prevista.compara:
        return "Este edital ainda não tem regras salvas: estes são os primeiros lugares dele."
    if not (prevista.quantos_entram or prevista.quantos_saem or prevista.outras):
        return "Ninguém muda de situação em relação às regras salvas."
    parts = [
        f"{count(prevista.quantos_entram, 'projeto entra', 'projetos entram')}" if prevista.quantos_entram else "",
        f"{count(prevista.quantos_saem, 'sai', 'saem')}" if prevista.quantos_saem else "",
        f"{count(prevista.outras, 'outro muda de situação', 'outros mudam de situação')}" if prevista.outras else "",
    ]
    return f"Em relação às regras salvas: {', '.join(filter(None, parts))}."


def _change(troca: Troca) -> tuple[str, str, str]:
    before = SITUACAO[troca.antes].lower() if troca.antes else ""
    return troca.projeto, before, SITUACAO[troca.depois].lower()
