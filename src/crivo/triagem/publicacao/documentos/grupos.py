"""The rows of a published result as a list tells them: those who competed together, and those who have no place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.classificacao.definicao import TODAS, Vagas
from crivo.triagem.condicao import Value
from crivo.triagem.palavras import count, shown
from crivo.triagem.publicacao.conteudo import Conteudo, Linha


class Grupo(Value, frozen=True):
    """Who competed together, the best first; `vagas` is None of a category that has none."""

    nome: str
    vagas: Vagas | None
    linhas: tuple[Linha, ...]

    @property
    def resumo(self) -> str:
        """`18 projetos, 8 vagas`."""
        return f"{count(len(self.linhas), 'projeto', 'projetos')}, {count(self.vagas.total if self.vagas else 0, 'vaga', 'vagas')}"


class Listagem(Value, frozen=True):
    """Every row once: grupo by grupo, then those without a place."""

    grupos: tuple[Grupo, ...]
    fora: tuple[Linha, ...]


def arrange(conteudo: Conteudo) -> Listagem:
    """The rows of a result, in their order. Vagas for which nobody competed have a grupo too, so that nobody looks for it in vain."""
    placed = [one for one in conteudo.linhas if one.lugar.posicao is not None]
    found = [_grupo(linhas, conteudo.regras.vagas) for linhas in _apart(placed)]
    empty = [Grupo(_named(one, conteudo.regras.vagas), one, ()) for one in conteudo.regras.vagas if all(it.vagas != one for it in found)]
    order = {one.categoria: at for at, one in enumerate(conteudo.regras.vagas)}
    grupos = sorted((*found, *empty), key=lambda one: order[one.vagas.categoria] if one.vagas else len(order))
    return Listagem(tuple(grupos), tuple([one for one in conteudo.linhas if one.lugar.posicao is None]))


def _apart(linhas: Sequence[Linha]) -> Iterator[tuple[Linha, ...]]:
    """Places count from 1 anew with each grupo."""
    number = 0

    def which(linha: Linha) -> int:
        nonlocal number
        number += linha.lugar.posicao == 1
        return number

    for _, together in groupby(linhas, key=which):
        yield tuple(together)


def _grupo(linhas: tuple[Linha, ...], todas: Sequence[Vagas]) -> Grupo:
    own = {fold(one.categoria): one for one in todas if one.categoria != TODAS}
    first = linhas[0].lugar.categoria
    vagas = own.get(fold(first)) or next((one for one in todas if one.categoria == TODAS), None)
    return Grupo(_named(vagas, todas) if vagas else shown(first) or "Sem categoria", vagas, linhas)


def _named(vagas: Vagas, todas: Sequence[Vagas]) -> str:
    if vagas.categoria != TODAS:
        return shown(vagas.categoria) or "Sem categoria"
    return "Todas as categorias" if len(todas) == 1 else "Demais categorias"
