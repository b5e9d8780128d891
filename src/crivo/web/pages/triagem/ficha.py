"""A project as it is read on a mesa: everything in words, nothing left for the template to work out."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from crivo.triagem.edital import Projeto
from crivo.triagem.palavras import day, number, shown
from crivo.web.pages.triagem.palavras import campo_name


@dataclass(frozen=True, slots=True)
class ProjetoVista:
    """A project at length."""

    codigo: str
    titulo: str
    categoria: str
    proponente: str
    resumo: str
    descricao: str
    campos: tuple[tuple[str, str], ...]
    itens: tuple[tuple[str, Decimal, Decimal, Decimal], ...]
    total: Decimal
    etapas: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, projeto: Projeto) -> ProjetoVista:
        """The project in words."""
        itens = projeto.orcamento_itens
        return cls(
            codigo=projeto.id,
            titulo=shown(projeto.titulo) or projeto.id,
            categoria=shown(projeto.categoria),
            proponente=shown(projeto.proponente.nome),
            resumo=shown(projeto.resumo),
            descricao=shown(projeto.descricao_tecnica),
            campos=tuple([(campo_name(nome), _declared(valor)) for nome, valor in projeto.campos.items()]),
            itens=tuple([(shown(one.descricao), one.quantidade, one.valor_unitario, one.total) for one in itens]),
            total=sum((one.total for one in itens), Decimal(0)),
            etapas=tuple(
                [(shown(one.nome), " a ".join(day(when) for when in (one.inicio, one.fim) if when)) for one in projeto.cronograma_etapas]
            ),
        )


_OF_MONEY: Final = 1_000  # from here on what has a part is an amount, and is said to the cent


def _declared(valor: object) -> str:
    if isinstance(valor, bool):
        return "Sim" if valor else "Não"
    if isinstance(valor, int | float | Decimal):
        return number(valor, 2 if valor % 1 and abs(float(valor)) >= _OF_MONEY else None)
    if isinstance(valor, list):
        return ", ".join(_declared(one) for one in valor)
    return shown(str(valor)) if valor is not None else "não informado"
