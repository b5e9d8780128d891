"""A decision on many as its pages show it: before it is taken, and after, everything in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.atos import AtoAberto, NoAto, name_of, people_of
from crivo.triagem.guardados import Ato, Cabecalho, DecisaoHabilitacao
from crivo.triagem.palavras import HABILITACAO, count, number, shown
from crivo.triagem.previa import Entra, Fica, Previa
from crivo.web.pages.formatos import instante
from crivo.web.pages.triagem.palavras import DECIDIR, RAZAO, SORTE
from crivo.web.pages.triagem.vista import Quem

_SHOWN: Final = 200  # lines of each kind: of more the number is told
_MANY: Final[Mapping[HabilitacaoSugerida, tuple[str, str]]] = {
    "habilitado": ("será habilitado", "serão habilitados"),
    "inabilitado": ("será inabilitado", "serão inabilitados"),
    "pendencia": ("ficará com pendência", "ficarão com pendência"),
}


@dataclass(frozen=True, slots=True)
class LinhaDoLote:
    """A project of a preview: what stands now, None where nobody decided, signed; and why it stays out, empty where it enters."""

    quem: Quem
    agora: Rotulo | None
    assinatura: str
    razao: str


@dataclass(frozen=True, slots=True)
class LoteVista:
    """A preview. `restantes` is how many more enter, and how many more stay out, than there are lines."""

    decisao: HabilitacaoSugerida
    depois: Rotulo
    titulo: str
    acao: str
    entram: int
    ficam: int
    entram_dito: str
    linhas_ficam: tuple[LinhaDoLote, ...]
    linhas_entram: tuple[LinhaDoLote, ...]
    restantes: tuple[int, int]
    pede_motivo: bool
    codigos: str
    prevista: str

    @classmethod
    def of(cls, previa: Previa, cabecalhos: Mapping[str, Cabecalho], nomes: Mapping[UUID, str]) -> LoteVista:
        """The preview in words."""
        enter, stay = len(previa.entram), len(previa.ficam)
        one, many = _MANY[previa.decisao]

        def line(of: Entra | Fica) -> LinhaDoLote:
            razao = "" if isinstance(of, Entra) else _why(of)
            quem = Quem.of(of.projeto_id, cabecalhos.get(of.projeto_id))
            return LinhaDoLote(quem, *_now(of.agora, nomes), razao)

        return cls(
            decisao=previa.decisao,
            depois=HABILITACAO[previa.decisao],
            titulo=f"{DECIDIR[previa.decisao]} {count(enter, 'projeto', 'projetos')}" if enter else "Nenhum projeto entra nesta decisão",
            acao=f"{DECIDIR[previa.decisao]} {count(enter, 'projeto', 'projetos')}",
            entram=enter,
            ficam=stay,
            entram_dito=(one if enter == 1 else many).capitalize(),
            linhas_ficam=tuple([line(of) for of in previa.ficam[:_SHOWN]]),
            linhas_entram=tuple([line(of) for of in previa.entram[:_SHOWN]]),
            restantes=(max(0, enter - _SHOWN), max(0, stay - _SHOWN)),
            pede_motivo=previa.pede_motivo,
            codigos=" ".join([*[of.projeto_id for of in previa.entram], *[of.projeto_id for of in previa.ficam]]),
            prevista=previa.prevista,
        )

    @staticmethod
    def named(previa: Previa) -> list[str]:
        """The codes of the projects that have a line."""
        return [*[of.projeto_id for of in previa.entram[:_SHOWN]], *[of.projeto_id for of in previa.ficam[:_SHOWN]]]


@dataclass(frozen=True, slots=True)
class LinhaDoAto:
    """A project of an act: what became of the act's decision, what stands now, signed, and whether it can be undone by itself."""

    quem: Quem
    sorte: Rotulo
    agora: Rotulo | None
    assinatura: str
    em_vigor: bool


@dataclass(frozen=True, slots=True)
class AtoVista:
    """An act as a line, or with its projects: `resumo` says how many it decided and what became of them, `quais` names the first."""

    id: str
    rotulo: Rotulo
    resumo: str
    assinatura: str
    em_vigor: int
    pode_desfazer: bool
    quais: str = ""
    projetos: tuple[LinhaDoAto, ...] = ()
    restantes: int = 0

    @classmethod
    def of(cls, ato: Ato, nomes: Mapping[UUID, str], *, mine: bool) -> AtoVista:
        """The act; `mine`: whoever looks may undo it."""
        said = count(ato.quantos, "projeto", "projetos")
        later = ato.quantos - ato.em_vigor - ato.desfeitas
        parts = [count(ato.desfeitas, "desfeito", "desfeitos")] if ato.desfeitas else []
        parts += [count(later, "mudou depois", "mudaram depois")] if later > 0 else []
        return cls(
            str(ato.id),
            HABILITACAO[ato.decisao],
            f"{said}: {', '.join(parts)}" if parts else said,
            f"{shown(name_of(ato.feito_por, nomes))}, {instante(ato.feito_em)}",
            ato.em_vigor,
            mine and ato.em_vigor > 0,
            ", ".join(ato.codigos) + (f" e mais {number(rest)}" if (rest := ato.quantos - len(ato.codigos)) > 0 and ato.codigos else ""),
        )

    @classmethod
    def opened(cls, aberto: AtoAberto, cabecalhos: Mapping[str, Cabecalho]) -> AtoVista:
        """The act with its projects, those that are not in force any more first."""

        def line(of: NoAto) -> LinhaDoAto:
            quem = Quem.of(of.projeto_id, cabecalhos.get(of.projeto_id))
            return LinhaDoAto(quem, SORTE[of.sorte], *_now(of.agora, aberto.nomes), of.sorte == "em_vigor")

        whole = cls.of(aberto.ato, aberto.nomes, mine=aberto.pode_desfazer)
        ordered = sorted(aberto.projetos, key=lambda of: of.sorte == "em_vigor")
        lines = tuple([line(of) for of in ordered[:_SHOWN]])
        return cls(
            whole.id,
            whole.rotulo,
            whole.resumo,
            whole.assinatura,
            whole.em_vigor,
            whole.pode_desfazer,
            whole.quais,
            lines,
            max(0, len(ordered) - _SHOWN),
        )


def people_in(previa: Previa) -> set[UUID]:
    """Who decided what a preview tells of."""
    told: Iterable[Entra | Fica] = (*previa.entram[:_SHOWN], *previa.ficam[:_SHOWN])
    return people_of([of.agora for of in told])


def _now(agora: DecisaoHabilitacao | None, nomes: Mapping[UUID, str]) -> tuple[Rotulo | None, str]:
    if agora is None:
        return None, ""
    return HABILITACAO[agora.decisao], f"{shown(name_of(agora.decidido_por, nomes))}, {instante(agora.decidido_em)}"


def _why(of: Fica) -> str:
    said = RAZAO[of.razao]
    return f"{said}: {', '.join(shown(caso) for caso in of.casos)}" if of.casos and of.razao == "caso_aberto" else said
