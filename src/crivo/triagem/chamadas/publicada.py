"""What a published result holds of the rules by which it was made: another draw is refused, any other change has a reason."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from crivo.kernel.errors import Problem
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.edital import Edital
from crivo.triagem.erros import MudancaSemMotivo, SementePublicada
from crivo.triagem.palavras import number
from crivo.triagem.storage import registros
from crivo.triagem.storage.editais import EditalGuardado

MOTIVO_MINIMO: Final = 10
MOTIVO_MAXIMO: Final = 2_000

Published = Callable[[UnitOfWork, UUID], Awaitable[str | None]]
"""The semente of the result that an edital has published, or None where it has published none."""


def semente_of(edital: Edital) -> str:
    """What an edital draws with."""
    return (edital.classificacao or Classificacao()).semente or edital.id


def check_published(antes: Edital, depois: Edital, semente: str | None, motivo: str) -> None:
    """Whether the rules may change so, where a result was published with this `semente` (None: none was).

    Raises SementePublicada; MudancaSemMotivo where what changes is not said why.
    """
    if semente is None or antes.classificacao == depois.classificacao:
        return
    onde = "edital.classificacao.semente"
    if semente_of(depois) != semente:
        mensagem = (
            f"O resultado publicado foi sorteado com a semente “{semente}”, e outra mudaria quem venceu os empates. Deixe-a como está."
        )
        raise SementePublicada(mensagem, [Problem(mensagem, onde, codigo=SementePublicada.codigo)], campo="semente")
    if not MOTIVO_MINIMO <= len(motivo.strip()) <= MOTIVO_MAXIMO:
        how_long = f"{number(MOTIVO_MINIMO)} a {number(MOTIVO_MAXIMO)} letras"
        where = "na página das regras de classificação, ou como `motivo` da importação"
        mensagem = f"Este edital já publicou resultado, e as regras mudariam. Diga por que, em {how_long}: {where}."
        raise MudancaSemMotivo(mensagem, campo="motivo")


async def note_rules(uow: UnitOfWork, new_id: UUID, em: datetime, guardado: EditalGuardado, antes: Edital, motivo: str) -> None:
    """Note that the rules for places are others: each that changed, before and after, and why where somebody said so.

    Nothing where they are as they were. Call it last, as `registros.note`.
    """
    was, now = antes.classificacao, guardado.edital.classificacao
    if was == now:
        return
    before, after = _plain(was), _plain(now)
    names = [nome for nome in Classificacao.__struct_fields__ if before.get(nome) != after.get(nome)]
    dados: dict[str, Any] = {
        "antes": {nome: before[nome] for nome in names if nome in before},
        "depois": {nome: after[nome] for nome in names if nome in after},
    }
    if motivo.strip():
        dados["motivo"] = motivo.strip()
    await registros.note(uow, new_id, em, "edital.regras_mudadas", guardado.edital.id, "edital", str(guardado.id), dados)


def _plain(regras: Classificacao | None) -> dict[str, Any]:
    """The rules as JSON holds them, numbers exact; nothing where there are none."""
    return {} if regras is None else dict(msgspec.to_builtins(regras, str_keys=True))
