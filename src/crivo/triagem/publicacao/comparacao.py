"""Two results side by side: what became of each project that does not stand where it stood."""

from __future__ import annotations

from crivo.triagem.classificacao.publicado import LugarPublicado
from crivo.triagem.edital import Value
from crivo.triagem.publicacao.conteudo import Conteudo


class Mudanca(Value, frozen=True):
    """A project whose row differs; None on the side where it is not."""

    projeto_id: str
    titulo: str
    antes: LugarPublicado | None
    depois: LugarPublicado | None

    @property
    def entrou(self) -> bool:
        """Whether it is selected now and was not."""
        return _selected(self.depois) and not _selected(self.antes)

    @property
    def saiu(self) -> bool:
        """Whether it was selected and is no longer."""
        return _selected(self.antes) and not _selected(self.depois)


def compare(antes: Conteudo, depois: Conteudo) -> tuple[Mudanca, ...]:
    """The projects whose rows differ, in the order of `depois`, then those that are in `antes` alone."""
    before = {one.lugar.projeto_id: one for one in antes.linhas}
    after = {one.lugar.projeto_id: one for one in depois.linhas}
    stayed = [
        Mudanca(codigo, one.projeto.titulo, before[codigo].lugar if codigo in before else None, one.lugar)
        for codigo, one in after.items()
        if codigo not in before or before[codigo].lugar != one.lugar
    ]
    gone = [Mudanca(codigo, one.projeto.titulo, one.lugar, None) for codigo, one in before.items() if codigo not in after]
    return (*stayed, *gone)


def _selected(lugar: LugarPublicado | None) -> bool:
    return lugar is not None and lugar.situacao == "selecionado"
