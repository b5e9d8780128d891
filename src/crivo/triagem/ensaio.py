"""The use case of rules that somebody is writing: what they would give over the projects as they are; nothing of it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final

import msgspec

from crivo.kernel.access import asks
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import Concorrencia, Inscrito, campos_of, inscrito_of
from crivo.triagem.classificacao.declarados import CampoDeclarado, Declarados
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.classificacao.previsto import Prevista, foresee
from crivo.triagem.edital import Value
from crivo.triagem.lugares import as_corrected, load_given
from crivo.triagem.storage import editais, projetos, recursos

LONGEST_LOOK_SECONDS: Final = 10.0
"""For how long projects are opened for rules that somebody only tries; the rest are said not to be seen."""
_AT_ONCE: Final = 500


class Ensaiada(Value, frozen=True):
    """What came of it over the `vistos` projects of `total`; `prevista` is None where no rules were given to try.

    `campos` are those that the projects declare, with their values.
    """

    prevista: Prevista | None
    campos: tuple[CampoDeclarado, ...]
    vistos: int
    total: int


class Molde(Value, frozen=True):
    """An edital of the organisation whose rules may be copied."""

    edital_id: str
    nome: str


class Ensaio:
    """Rules for places, tried before they are kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asks("triagem.acompanhar")
    async def prever(
        self,
        scope: Scope,
        edital_id: str,
        regras: Classificacao | None,
        tick: Callable[[], float] = monotonic,
        seconds: float = LONGEST_LOOK_SECONDS,
    ) -> Ensaiada:
        """The places that these rules would give beside those of the rules that are kept, and what projects declare; after so many
        `seconds` the other projects stay unseen. Only what people sent and decided counts. Raises EditalNotFound.
        """
        began = tick()
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            kept = guardado.edital.classificacao
            campos = frozenset().union(*(campos_of(one) for one in (regras, kept) if one is not None))
            ids = list((await projetos.ids_of(uow, guardado.id)).values())
            corrected = await recursos.corrections_of(uow, guardado.id)
            declarados, inscritos, opened = Declarados(), list[Inscrito](), 0
            while opened < len(ids) and tick() - began <= seconds:
                some = await projetos.load_some(uow, ids[opened : opened + _AT_ONCE])
                opened += len(ids[opened : opened + _AT_ONCE])
                for one in some:
                    if not one.apagado:
                        declarados.add(one.projeto)
                        inscritos.append(as_corrected(inscrito_of(one.projeto, campos), corrected))
            given = await load_given(uow, guardado) if regras is not None else None
        prevista = None
        if regras is not None and given is not None:
            seen = {one.id for one in inscritos}
            avaliacoes = [one for one in given.avaliacoes if one.projeto in seen]
            prevista = await asyncio.to_thread(
                _foreseen, msgspec.structs.replace(given, inscritos=inscritos, avaliacoes=avaliacoes), regras, kept
            )
        return Ensaiada(prevista, declarados.campos(), opened, len(ids))

    @asks("triagem.acompanhar")
    async def copiaveis(self, scope: Scope, edital_id: str) -> tuple[Molde, ...]:
        """The other editais that say how notas become places, the one that came in last first."""
        async with self._database.unit_of_work(scope) as uow:
            found = await editais.list_with_rules(uow)
        return tuple([Molde(codigo, nome) for codigo, nome in found if codigo != edital_id])

    @asks("triagem.acompanhar")
    async def regras_de(self, scope: Scope, edital_id: str) -> Classificacao | None:
        """The rules of an edital as they are kept. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return (await editais.get_by_codigo(uow, edital_id)).edital.classificacao


def _foreseen(given: Concorrencia, regras: Classificacao, kept: Classificacao | None) -> Prevista:
    depois = classify(msgspec.structs.replace(given, classificacao=regras))
    if kept is None:
        return foresee(depois, None)
    antes = depois if kept == regras else classify(msgspec.structs.replace(given, classificacao=kept))
    return foresee(depois, antes)
