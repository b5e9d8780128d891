"""What publishing a draft would close and change, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from crivo.autorizacoes.palavras import count, day, listing

if TYPE_CHECKING:
    from crivo.autorizacoes.politicas.comparacao import CampoMudado, Comparacao
    from crivo.autorizacoes.politicas.service import Previa

_SHOWN: Final = 40
_TOLD_ABOVE: Final = ("documento", "versao", "vigencia_inicio")
_MARKS: Final = {"acrescentada": "+ entra", "retirada": "- sai", "mudada": "~ muda"}


def told(previa: Previa) -> Iterator[str]:
    """The versions that end, what the document's head says otherwise, and the regras that come, go or change; at most forty of these."""
    for um in previa.encerra:
        quando = f"vale até {day(um.depois)}" if um.depois else "deixa de valer"
        yield f"A versão {um.politica.versao} de “{um.politica.documento}” {quando}."
    if previa.comparacao is None:
        return
    yield from _head(previa.comparacao)
    mudadas = previa.comparacao.regras
    iguais = count(previa.comparacao.iguais, "regra igual", "regras iguais")
    yield f"{count(len(mudadas), 'regra difere', 'regras diferem')} da versão que se encerra; {iguais}."
    for uma in mudadas[:_SHOWN]:
        campos = "; ".join([_changed(campo) for campo in uma.campos])
        yield f"  {_MARKS[uma.mudanca]} {uma.regra_id}{f' ({campos})' if campos else ''}"
    if len(mudadas) > _SHOWN:
        yield f"  … e mais {len(mudadas) - _SHOWN}."


def _head(comparacao: Comparacao) -> Iterator[str]:
    for campo in comparacao.cabecalho:
        if campo.campo not in _TOLD_ABOVE:
            yield f"  ~ muda no documento ({_changed(campo)})"
    if comparacao.planos_perdidos:
        sai, os = ("sai o plano", "o") if len(comparacao.planos_perdidos) == 1 else ("saem os planos", "os")
        yield f"  - {sai} {listing(comparacao.planos_perdidos)}: a versão nova não {os} traz; confira se é isso mesmo."


def _changed(campo: CampoMudado) -> str:
    from crivo.autorizacoes.politicas.ditos import TITULOS, say

    return f"{TITULOS[campo.campo]}: {say(campo.campo, campo.antes)} → {say(campo.campo, campo.depois)}"
