"""A draw of who judges as the page shows it: who gets how many, which projects lack people and why, which ask for another person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crivo.triagem.distribuicao.sorteio import Falta, RazaoDaFalta
from crivo.triagem.distribuicao.sorteio_previa import PreviaDeSorteio
from crivo.triagem.distribuicao.sorteios import SorteioConferido
from crivo.triagem.distribuicao.terceira import PedeOutra
from crivo.triagem.guardados import Cabecalho
from crivo.triagem.impedidos import Causa
from crivo.triagem.palavras import count, number, shown
from crivo.web.pages.triagem.distribuicao_vista import LinhaDada
from crivo.web.pages.triagem.vista import Quem

_SHOWN: Final = 200  # lines of each kind: of more the number is told
_FALTAS: Final[Mapping[RazaoDaFalta, tuple[str, str]]] = {
    "impedidas": (
        "não pode: tem ou teve o projeto, tem impedimento ou um possível conflito",
        "não podem: têm ou tiveram o projeto, têm impedimento ou um possível conflito",
    ),
    "outra_categoria": ("só avalia outras categorias", "só avaliam outras categorias"),
    "no_limite": ("já está no limite de projetos", "já estão no limite de projetos"),
}
_CAUSA: Final[Mapping[Causa, str]] = {
    "acesso_retirado": "o acesso foi retirado",
    "papel_nao_avalia": "o papel não avalia",
    "sem_entrada": "ainda não entrou",
}


@dataclass(frozen=True, slots=True)
class SorteioVista:
    """What a draw would give. `restantes` is how many more there are than lines, of those drawn and of those that lack people."""

    alvo: str
    semente: str
    por_projeto: int
    entram: int
    dadas: int
    faltam: int
    completos: int
    pessoas: tuple[tuple[str, str, int, int, int], ...]
    nao_sorteadas: tuple[tuple[str, str], ...]
    linhas_faltam: tuple[LinhaDada, ...]
    linhas_entram: tuple[LinhaDada, ...]
    restantes: tuple[int, int]
    acao: str

    @classmethod
    def of(cls, previa: PreviaDeSorteio, cabecalhos: Mapping[str, Cabecalho]) -> SorteioVista:
        """The preview in words."""
        nomes = {one.id: shown(one.nome) for one in previa.pessoas}
        entram = [
            LinhaDada(Quem.of(one.projeto_id, cabecalhos.get(one.projeto_id)), tuple(sorted([nomes[who] for who in one.avaliadores])), "")
            for one in previa.entram[:_SHOWN]
        ]
        faltam = [LinhaDada(Quem.of(one.codigo, cabecalhos.get(one.codigo)), (), _lacking(one)) for one in previa.faltas[:_SHOWN]]
        return cls(
            previa.alvo,
            shown(previa.semente),
            previa.por_projeto,
            len(previa.entram),
            previa.dadas,
            len(previa.faltas),
            previa.completos,
            tuple([(shown(one.nome), ", ".join(map(shown, one.categorias)), one.tem, one.recebe, one.fica) for one in previa.pessoas]),
            tuple([(shown(one.nome), _CAUSA[one.causa]) for one in previa.nao_sorteadas]),
            tuple(faltam),
            tuple(entram),
            (max(0, len(previa.entram) - _SHOWN), max(0, len(previa.faltas) - _SHOWN)),
            f"Dar {count(previa.dadas, 'entrega sorteada', 'entregas sorteadas')}",
        )

    @staticmethod
    def named(previa: PreviaDeSorteio) -> list[str]:
        """The codes of the projects that have a line."""
        return [*[one.projeto_id for one in previa.entram[:_SHOWN]], *[one.codigo for one in previa.faltas[:_SHOWN]]]


@dataclass(frozen=True, slots=True)
class PedeOutraVista:
    """A project that asks for another person: why, in words, and where that stands."""

    quem: Quem
    razao: str
    situacao: str
    espera: bool

    @classmethod
    def of(cls, one: PedeOutra, cabecalho: Cabecalho | None) -> PedeOutraVista:
        """The project as a line."""
        if one.razao == "divergem":
            each = [f"{shown(at.criterio)}, {number(at.menor)} e {number(at.maior)}" for at in one.distancias]
            razao = f"Duas notas distam demais: {'; '.join(each)}"
        else:
            razao = "Uma pessoa saiu por impedimento, e faltam avaliações"
        underway = (
            f"{count(one.a_caminho, 'pessoa já tem', 'pessoas já têm')} o projeto e não {'enviou' if one.a_caminho == 1 else 'enviaram'}"
        )
        asks = f"pede mais {count(one.quantos, 'pessoa', 'pessoas')}"
        said = asks if not one.a_caminho else f"{asks}; {underway}" if one.quantos else underway
        return cls(Quem.of(one.projeto_id, cabecalho), razao, said, not one.quantos)


@dataclass(frozen=True, slots=True)
class ConferidoVista:
    """The last draw, made again."""

    semente: str
    projetos: int
    entregas: int
    confere: bool
    resumo: str

    @classmethod
    def of(cls, one: SorteioConferido) -> ConferidoVista:
        """It in words and figures."""
        pares = one.refeito.pares
        return cls(shown(one.sorteio.entrada.semente), len(pares), sum(len(who) for _, who in pares), one.confere, one.sorteio.pares_resumo)


def _lacking(falta: Falta) -> str:
    told = [f"{number(many)} {_FALTAS[razao][many != 1]}" for razao, many in falta.razoes.items()]
    said = f"{'falta' if falta.faltam == 1 else 'faltam'} {count(falta.faltam, 'pessoa', 'pessoas')}"
    return f"{said}: {'; '.join(told)}" if told else said
