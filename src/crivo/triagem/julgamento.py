"""Use cases of the people who judge: the projects that were given to them, and the notas that they give.

A person sees what was given to them and nothing else; for the rest it is as if it did not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel.access import SemPermissao
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import ProjetoTriado
from crivo.triagem.edital import Criterio, Edital, Projeto
from crivo.triagem.erros import NotaInvalida, ProjetoNotFound
from crivo.triagem.storage import avaliacoes, editais, execucoes, projetos, resultados
from crivo.triagem.storage.avaliacoes import Atribuicao, Avaliacao
from crivo.triagem.storage.editais import EditalGuardado

LONGEST_TEXT: Final = 20_000


@dataclass(frozen=True, slots=True)
class ParaAvaliar:
    """A project before whoever judges it, with the notas they gave and what may be shown to them of the last screening.

    Where the edital asks for one's own nota first, `triado` has no hint for a critério before its nota is given.
    """

    edital: Edital
    projeto: Projeto
    criterios: tuple[Criterio, ...]
    minhas: tuple[Avaliacao, ...]
    triado: ProjetoTriado | None


class Julgamento:
    """The projects and notas of whoever acts in the scope."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def meus_projetos(self, scope: Scope) -> tuple[Atribuicao, ...]:
        """What was given to the acting person. Raises SemPermissao where no person acts."""
        async with self._database.unit_of_work(scope) as uow:
            return await avaliacoes.atribuicoes_of(uow, (await _person(uow)).id)

    async def projeto(self, scope: Scope, edital_id: str, projeto_id: str) -> ParaAvaliar:
        """A project that was given to the acting person. Raises SemPermissao, ProjetoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            guardado, of = await _given(uow, person, edital_id, projeto_id)
            minhas = tuple(
                one for one in await avaliacoes.list_of(uow, guardado.id) if (one.avaliador, one.projeto_id) == (person.id, projeto_id)
            )
            criterios = tuple(one.criterio for one in await editais.criterios_of(uow, guardado.id))
            projeto = (await projetos.load_one(uow, of)).projeto
            last = await execucoes.find_last_finished(uow, guardado.id)
            triados = () if last is None else await resultados.load(uow, last.id, of)
        given = {one.criterio for one in minhas} if guardado.edital.nota_antes_da_dica else {one.id for one in criterios}
        return ParaAvaliar(guardado.edital, projeto, criterios, minhas, _hints(triados[0], given) if triados else None)

    async def registrar_nota(self, scope: Scope, edital_id: str, projeto_id: str, criterio_id: str, nota: Decimal, texto: str) -> None:
        """Give a nota, or another in its place. Raises SemPermissao, ProjetoNotFound, NotaInvalida."""
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            guardado, of = await _given(uow, person, edital_id, projeto_id)
            found = next((one for one in await editais.criterios_of(uow, guardado.id) if one.criterio.id == criterio_id), None)
            if found is None:
                raise NotaInvalida("Este edital não tem esse critério. Abra o projeto de novo para ver os que valem.")
            _check(found.criterio, nota, texto)
            await avaliacoes.save(uow, of, found.id, person.id, nota, texto, self._clock.now())

    async def notas(self, scope: Scope, edital_id: str) -> tuple[Avaliacao, ...]:
        """Every nota that people gave in an edital, to hold suggestions against. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return await avaliacoes.list_of(uow, (await editais.get_by_codigo(uow, edital_id)).id)


def _hints(triado: ProjetoTriado, given: set[str]) -> ProjetoTriado:
    return msgspec.structs.replace(
        triado,
        notas=tuple(one for one in triado.notas if one.criterio in given),
        leitura=tuple(one for one in triado.leitura if one.criterio in given),
    )


def _check(criterio: Criterio, nota: Decimal, texto: str) -> None:
    if not nota.is_finite() or not criterio.nota_min <= nota <= criterio.nota_max or nota != round(nota, 2):
        raise NotaInvalida(
            f"A nota de '{criterio.nome}' vai de {criterio.nota_min:f} a {criterio.nota_max:f}, com até duas casas depois da vírgula."
        )
    if len(texto) > LONGEST_TEXT or "\0" in texto:
        raise NotaInvalida(f"O texto da avaliação deve ter até {LONGEST_TEXT} caracteres.")


async def _person(uow: UnitOfWork) -> Usuario:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada avalia projetos. Entre com o seu usuário.")
    return person


async def _given(uow: UnitOfWork, person: Usuario, edital_id: str, projeto_id: str) -> tuple[EditalGuardado, UUID]:
    guardado = await editais.find(uow, edital_id)
    of = None if guardado is None else (await projetos.ids_of(uow, guardado.id)).get(projeto_id)
    if guardado is None or of is None or not await avaliacoes.is_given(uow, person.id, of):
        raise ProjetoNotFound(
            "Não há projeto com este código entre os que foram dados a você. Confira o código, ou fale com a gestão do edital."
        )
    return guardado, of
