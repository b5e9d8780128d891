"""What an import says of the projects that it left out: their people had asked for what was held of them to be erased."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from crivo.kernel.clock import BRASILIA
from crivo.triagem.edital import Value
from crivo.triagem.palavras import count

CODIGO = "pessoa_apagada"
_SHOWN = 10


class ProjetoFora(Value, frozen=True):
    """A project that was left out, as what was held of its people was erased at their request; then, where it is known."""

    projeto_id: str
    apagado_em: datetime | None


def told(fora: Sequence[ProjetoFora], avaliadores: int = 0) -> tuple[str, ...]:
    """One line (pt-BR) a day of erasure, with the projects' codes, and one that counts the `avaliadores` erased."""
    by_day: dict[str, list[str]] = {}
    for one in fora:
        by_day.setdefault(f" em {one.apagado_em.astimezone(BRASILIA):%d/%m/%Y}" if one.apagado_em else "", []).append(one.projeto_id)
    judging = count(avaliadores, "pessoa que avalia ficou de fora", "pessoas que avaliam ficaram de fora")
    lines = [_line(codigos, day) for day, codigos in by_day.items()]
    return (*lines, f"{judging}: os seus dados foram apagados a pedido.") if avaliadores else tuple(lines)


def _line(codigos: Sequence[str], day: str) -> str:
    many = len(codigos)
    named = ", ".join(codigos[:_SHOWN]) + (f" e mais {many - _SHOWN}" if many > _SHOWN else "")
    whose = "dessa pessoa" if many == 1 else "dessas pessoas"
    left = "ficou de fora" if many == 1 else "ficaram de fora"
    return f"{count(many, 'projeto', 'projetos')} {left} ({named}): os dados {whose} foram apagados a pedido{day}."
