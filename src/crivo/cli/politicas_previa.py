"""What publishing a draft would close and change, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from crivo.autorizacoes.palavras import count, day

if TYPE_CHECKING:
    from crivo.autorizacoes.politicas.service import Previa

_SHOWN: Final = 40
_MARKS: Final = {"acrescentada": "+ entra", "retirada": "- sai", "mudada": "~ muda"}


def told(previa: Previa) -> Iterator[str]:
    """The versions that end, and the regras that come, go or change; at most forty of these."""
    for um in previa.encerra:
        quando = f"vale até {day(um.depois)}" if um.depois else "deixa de valer"
        yield f"A versão {um.politica.versao} de “{um.politica.documento}” {quando}."
    if previa.comparacao is None:
        return
    mudadas = previa.comparacao.regras
    iguais = count(previa.comparacao.iguais, "regra igual", "regras iguais")
    yield f"{count(len(mudadas), 'regra difere', 'regras diferem')} da versão que se encerra; {iguais}."
    for uma in mudadas[:_SHOWN]:
        campos = "; ".join(f"{campo.campo}: {_value(campo.antes)} → {_value(campo.depois)}" for campo in uma.campos)
        yield f"  {_MARKS[uma.mudanca]} {uma.regra_id}{f' ({campos})' if campos else ''}"
    if len(mudadas) > _SHOWN:
        yield f"  … e mais {len(mudadas) - _SHOWN}."


def _value(valor: Any) -> str:
    return "não diz" if valor is None or valor in ((), []) else str(valor)
