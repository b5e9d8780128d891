"""What keeps people from projects, and until when their notas are taken, as pages show it: everything in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from crivo.triagem.atos import name_of
from crivo.triagem.distribuicao.guardados import Impedimento, PrazoReaberto
from crivo.triagem.distribuicao.prazos import PrazosDoEdital
from crivo.triagem.guardados import Cabecalho
from crivo.triagem.palavras import number, shown
from crivo.web.pages.formatos import dia, instante
from crivo.web.pages.triagem.vista import Quem


@dataclass(frozen=True, slots=True)
class ImpedimentoVista:
    """An impediment as a line; `notas` are critério, nota and text of what counted until then. `desfeito`: by whom and when, or empty."""

    id: str
    pessoa: str
    quem: Quem
    nome: str
    motivo: str
    assinatura: str
    desfeito: str
    efeito: str
    notas: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, one: Impedimento, nomes: Mapping[UUID, str], cabecalho: Cabecalho | None, criterios: Mapping[str, str]) -> ImpedimentoVista:
        """It in words."""
        by = "declarado por ela mesma" if one.por == one.avaliador else f"por {shown(name_of(one.por, nomes))}"
        undone = (
            f"Desfeito por {shown(name_of(one.desfeito_por, nomes))}, {instante(one.desfeito_em)}"
            if one.desfeito_por and one.desfeito_em
            else ""
        )
        return cls(
            str(one.id),
            str(one.avaliador),
            Quem.of(one.projeto_id, cabecalho),
            shown(name_of(one.avaliador, nomes)),
            "O motivo foi apagado com o projeto." if one.motivo is None else shown(one.motivo),
            f"{instante(one.em)}, {by}",
            undone,
            "As notas que voltaram a contar" if undone else "As notas que não contam mais",
            tuple([(criterios.get(at.criterio, shown(at.criterio)), number(at.nota), shown(at.texto)) for at in one.notas]),
        )


@dataclass(frozen=True, slots=True)
class ReabertoVista:
    """A later day as a line."""

    id: str
    ate: str
    motivo: str
    assinatura: str
    desfeito: str

    @classmethod
    def of(cls, one: PrazoReaberto, nomes: Mapping[UUID, str]) -> ReabertoVista:
        """It in words."""
        undone = f"desfeito por {shown(name_of(one.desfeito_por, nomes))}" if one.desfeito_por else ""
        motivo = "o motivo foi apagado com a conta" if one.motivo is None else shown(one.motivo)
        return cls(str(one.id), dia(one.ate), motivo, f"{shown(name_of(one.por, nomes))}, {instante(one.em)}", undone)


@dataclass(frozen=True, slots=True)
class PrazoVista:
    """The last day of an edital, and of one person; both empty where notas are taken for ever."""

    dito: str
    dela: str
    reabertos: tuple[ReabertoVista, ...]

    @classmethod
    def of(cls, prazos: PrazosDoEdital, pessoa: UUID | None) -> PrazoVista:
        """The days in words; of nobody, those of the edital alone."""
        if prazos.ultimo_dia is None:
            return cls("", "", ())
        verb = "terminou" if prazos.encerrado else "vai até o fim do dia"
        dito = f"O prazo das notas {verb} {'em ' if prazos.encerrado else ''}{dia(prazos.ultimo_dia)}."
        theirs = [one for one in prazos.reabertos if one.avaliador == pessoa]
        later = max([one.ate for one in theirs if one.desfeito_em is None], default=None)
        dela = f"As notas desta pessoa são aceitas até o fim do dia {dia(later)}." if later and later > prazos.ultimo_dia else dito
        return cls(dito, dela, tuple([ReabertoVista.of(one, prazos.nomes) for one in theirs]))
