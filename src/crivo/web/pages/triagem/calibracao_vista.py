"""A round of calibration as the page shows it: who has sent what, how far the notas agree, what beginning one would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from crivo.triagem.atos import name_of
from crivo.triagem.concordancia import Medida
from crivo.triagem.distribuicao.acordo import AcordoNoCriterio
from crivo.triagem.distribuicao.calibracoes import CalibracaoVista, PreviaDeCalibracao
from crivo.triagem.guardados import Cabecalho
from crivo.triagem.palavras import count, number, percent, shown
from crivo.web.pages.formatos import instante
from crivo.web.pages.triagem.vista import Quem


@dataclass(frozen=True, slots=True)
class CriterioVisto:
    """A critério over the common projects: each project's lowest, highest and mean, and the notas by name."""

    nome: str
    amplitude: str
    projetos: tuple[tuple[str, str, str, str, tuple[tuple[str, str], ...]], ...]

    @classmethod
    def of(cls, one: AcordoNoCriterio, nomes: Mapping[UUID, str]) -> CriterioVisto:
        """It in words."""
        return cls(
            shown(one.nome),
            percent(one.amplitude),
            tuple(
                [
                    (
                        at.projeto_id,
                        number(at.menor),
                        number(at.maior),
                        number(at.media.quantize(Decimal("0.01"))),
                        tuple(sorted([(shown(name_of(UUID(who), nomes)), number(nota)) for who, nota in at.notas])),
                    )
                    for at in one.projetos
                ]
            ),
        )


@dataclass(frozen=True, slots=True)
class RodadaVista:
    """The round that stands: its projects, who has sent how many, and how far they agree. `aberta`: who opened the rest, when and why."""

    projetos: tuple[Quem, ...]
    assinatura: str
    pessoas: tuple[tuple[str, int, int], ...]
    faltam: int
    em_curso: bool
    aberta: str
    motivo: str
    por_alguem: bool
    completas: int
    icc: str
    icc_razao: str
    criterios: tuple[CriterioVisto, ...]

    @classmethod
    def of(cls, vista: CalibracaoVista, cabecalhos: Mapping[str, Cabecalho]) -> RodadaVista | None:
        """It in words; None where there is none."""
        found, nomes, acordo = vista.calibracao, vista.nomes or {}, vista.acordo
        if found is None or acordo is None:
            return None
        by = f", por {shown(name_of(found.aberta_por, nomes))}" if found.aberta_por else ""
        return cls(
            tuple([Quem.of(codigo, cabecalhos.get(codigo)) for codigo in found.codigos]),
            f"{shown(name_of(found.por, nomes))}, {instante(found.em)}",
            tuple([(shown(one.nome), one.tem, one.enviou) for one in vista.pessoas]),
            sum(one.enviou < one.tem for one in vista.pessoas),
            vista.em_curso,
            f"{instante(found.aberta_em)}{by}" if found.aberta_em else "",
            shown(found.motivo),
            found.aberta_por is not None,
            acordo.completas,
            _icc(acordo.icc),
            acordo.icc.razao or "",
            tuple([CriterioVisto.of(one, nomes) for one in acordo.criterios if one.projetos]),
        )


@dataclass(frozen=True, slots=True)
class PreviaVista:
    """What beginning a round would do."""

    projetos: tuple[Quem, ...]
    codigos: str
    sorteados: bool
    semente: str
    pessoas: tuple[tuple[str, str], ...]
    ficam_sem: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, previa: PreviaDeCalibracao, cabecalhos: Mapping[str, Cabecalho]) -> PreviaVista:
        """The preview in words."""
        return cls(
            tuple([Quem.of(codigo, cabecalhos.get(codigo)) for codigo in previa.projetos]),
            "" if previa.sorteados else " ".join(previa.projetos),
            previa.sorteados,
            shown(previa.semente),
            tuple(
                [(shown(nome), count(many, "projeto", "projetos") if many else "já tem os que lhe cabem") for nome, many in previa.recebem]
            ),
            tuple(
                [
                    (
                        shown(one.nome),
                        one.projeto_id,
                        f"possível conflito: {' e '.join(one.em_comum)} com quem propõe"
                        if one.em_comum
                        else "impedimento, ou já teve o projeto",
                    )
                    for one in previa.ficam_sem
                ]
            ),
        )


def _icc(medida: Medida) -> str:
    if medida.valor is None:
        return ""
    said = number(Decimal(str(round(medida.valor, 2))), 2)
    if medida.inferior is None or medida.superior is None:
        return said
    return f"{said} (intervalo de 95%: de {number(medida.inferior, 2)} a {number(medida.superior, 2)})"
