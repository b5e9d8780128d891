"""The three tabs of a result: which projects or signs are searched for, and the page of them to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from crivo.triagem.achados import Resultado
from crivo.triagem.edital import Chamada
from crivo.triagem.storage.avaliacoes import Avaliacao
from crivo.web.pages.triagem_lista import Fatia, cut, link, matches
from crivo.web.pages.triagem_sinais import SinalVista, kinds
from crivo.web.pages.triagem_vista import AvaliacaoVista, HabilitacaoVista, Quem, group_of, groups, people_of

Aba = Literal["habilitacao", "avaliacao", "irregularidades"]
_PER_PAGE: Final = 25
_NOMES: Final[tuple[tuple[Aba, str], ...]] = (
    ("habilitacao", "Habilitação"),
    ("avaliacao", "Avaliação"),
    ("irregularidades", "Irregularidades"),
)


@dataclass(frozen=True, slots=True)
class Busca:
    """What the address asks for."""

    aba: Aba = "habilitacao"
    q: str = ""
    filtro: str = ""
    pagina: int = 1

    @property
    def query(self) -> dict[str, str]:
        """All but the page, as an address says it."""
        return {"aba": self.aba, "q": self.q, "filtro": self.filtro}


@dataclass(frozen=True, slots=True)
class Aberto:
    """The chosen tab. `abas`: code, name, how many, query; `filtros`: code and name of each that finds anything.

    `tratada`: whether the last finished screening dealt with it at all. `sem_modelo`: no nota was suggested.
    """

    abas: tuple[tuple[Aba, str, int, str], ...]
    filtros: tuple[tuple[str, str], ...]
    fatia: Fatia[HabilitacaoVista | AvaliacaoVista | SinalVista]
    tratada: bool
    sem_modelo: bool


def open_tab(chamada: Chamada, resultado: Resultado, notas: Sequence[Avaliacao], busca: Busca) -> Aberto:
    """The tab that is asked for, with one page of its lines."""
    quem = people_of(chamada, resultado)
    judged = [one for one in resultado.projetos if one.habilitacao_sugerida is not None or one.erro is not None]
    read = [one for one in resultado.projetos if one.notas or one.leitura]
    sinais = resultado.irregularidades
    totals = {"habilitacao": len(judged), "avaliacao": len(read), "irregularidades": len(sinais)}
    filtros: tuple[tuple[str, str], ...] = ()
    fatia: Fatia[HabilitacaoVista | AvaliacaoVista | SinalVista]
    match busca.aba:
        case "habilitacao":
            filtros = groups(judged)
            wanted = [one for one in judged if busca.filtro in ("", group_of(one)) and _is_about(quem[one.projeto_id], busca.q)]
            fatia = cut(wanted, lambda one: HabilitacaoVista.of(one, quem[one.projeto_id]), busca.pagina, _PER_PAGE, busca.query)
        case "avaliacao":
            given: dict[str, list[Avaliacao]] = {}
            for nota in notas:
                given.setdefault(nota.projeto_id, []).append(nota)
            wanted = [one for one in read if _is_about(quem[one.projeto_id], busca.q)]
            fatia = cut(
                wanted,
                lambda one: AvaliacaoVista.of(one, quem[one.projeto_id], chamada.criterios, given.get(one.projeto_id, ())),
                busca.pagina,
                _PER_PAGE,
                busca.query,
            )
        case "irregularidades":
            filtros = kinds(sinais)
            signs = [
                one
                for one in sinais
                if busca.filtro in ("", one.tipo)
                and (matches(busca.q, one.achado) or any(_is_about(quem[codigo], busca.q) for codigo in one.projetos))
            ]
            fatia = cut(signs, lambda one: SinalVista.of(one, quem), busca.pagina, _PER_PAGE, busca.query)
        case _:
            assert_never(busca.aba)
    abas = tuple([(aba, nome, totals[aba], link({}, aba=aba)) for aba, nome in _NOMES])
    return Aberto(abas, filtros, fatia, totals[busca.aba] > 0, not any(one.notas for one in resultado.projetos))


def _is_about(quem: Quem, words: str) -> bool:
    return matches(words, quem.codigo, quem.titulo, quem.proponente, quem.categoria)
