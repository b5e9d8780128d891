"""What an edital says of the people who judge it, under the key of their account; which projects are theirs stands in `atribuicoes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import msgspec

from crivo.kernel.access.usuarios import conta_of, email_digest
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.edital import Avaliador
from crivo.triagem.impedidos import Causa, Impedido, causa_of
from crivo.triagem.storage.editais import to_json
from crivo.triagem.storage.projetos import APAGADO

_THEIRS: Final = """array(
        select p.codigo from atribuicoes t join projetos p on p.tenant_id = t.tenant_id and p.id = t.projeto_id
        where t.tenant_id = a.tenant_id and t.avaliador_id = a.usuario_id and p.edital_id = a.edital_id and p.retirado_em is null
        order by p.ordem, p.codigo collate "C") as projetos"""
_OF: Final = f"""
    select a.usuario_id, a.dados::text as dados, k.embrulhada, u.selado, {_THEIRS} from edital_avaliadores a
    join usuarios u on u.tenant_id = a.tenant_id and u.id = a.usuario_id
    left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.usuario_id
    where a.tenant_id = %s and a.edital_id = %s order by a.ordem"""
_ACCESS: Final = f"""
    select u.id as usuario_id, a.dados::text as dados, k.embrulhada, u.papel, u.desativado_em is not null as retirado,
      exists (select from senhas s where s.tenant_id = u.tenant_id and s.usuario_id = u.id)
      or exists (select from sessoes s where s.tenant_id = u.tenant_id and s.ator = 'usuario:' || u.id) as entra, {_THEIRS}
    from edital_avaliadores a join usuarios u on u.tenant_id = a.tenant_id and u.id = a.usuario_id
    left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.usuario_id
    where a.tenant_id = %s and a.edital_id = %s order by a.ordem"""
_FIND: Final = """
    select distinct a.usuario_id from edital_avaliadores a join usuarios u on u.tenant_id = a.tenant_id and u.id = a.usuario_id
    where a.tenant_id = %s and u.email_resumo = %s and (a.dados ? 'selado' or a.dados ? 'email') order by a.usuario_id"""
_TOLD: Final = f"""
    select e.codigo, a.usuario_id, a.dados::text as dados, k.embrulhada, {_THEIRS} from edital_avaliadores a
    join editais e on e.tenant_id = a.tenant_id and e.id = a.edital_id
    join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.usuario_id and k.embrulhada is not null
    where a.tenant_id = %s and a.usuario_id = any(%s) order by e.codigo"""
_BLANK: Final = """
    update edital_avaliadores set dados = '{}'
    where tenant_id = %s and usuario_id = any(%s) and (dados ? 'selado' or dados ? 'nome')"""
_OLDER: Final = f"""
    select a.edital_id, a.ordem, a.usuario_id, a.dados::text as dados, k.embrulhada, {_THEIRS} from edital_avaliadores a
    join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.usuario_id and k.embrulhada is not null
    where a.tenant_id = %s and a.dados ? 'nome' and a.dados ->> 'nome' <> %s order by a.edital_id, a.ordem limit 500 for update of a"""
_SEAL: Final = "update edital_avaliadores set dados = %s where tenant_id = %s and edital_id = %s and ordem = %s"
_ADD: Final = """
    insert into edital_avaliadores (tenant_id, edital_id, ordem, usuario_id, dados)
    select %(tenant)s, %(edital)s, coalesce(max(ordem) + 1, 0), %(usuario)s, %(dados)s::jsonb
    from edital_avaliadores where tenant_id = %(tenant)s and edital_id = %(edital)s"""
_ONE: Final = f"""
    select a.usuario_id, a.dados::text as dados, k.embrulhada, {_THEIRS} from edital_avaliadores a
    left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.usuario_id
    where a.tenant_id = %s and a.edital_id = %s and a.usuario_id = %s"""
_KEEP_TO: Final = "update edital_avaliadores set dados = %s where tenant_id = %s and edital_id = %s and usuario_id = %s"
_REMOVE: Final = "delete from edital_avaliadores where tenant_id = %s and edital_id = %s and usuario_id = %s"
_HOLD: Final = """
    select usuario_id from edital_avaliadores where tenant_id = %s and edital_id = %s and usuario_id = any(%s)
    order by usuario_id for update"""
_NOME: Final = "edital_avaliadores.dados"


class _Guardado(msgspec.Struct, frozen=True):
    """A row: sealed; in the clear, as before accounts had keys; or erased, with neither."""

    selado: str = ""
    nome: str = ""


@dataclass(frozen=True, slots=True)
class Julgador:
    """Somebody who judges an edital, by their account: what the edital says of them, and why they cannot judge as things stand.

    Of who was erased nothing is said but that they are `apagada`.
    """

    id: UUID
    avaliador: Avaliador
    causa: Causa | None
    apagada: bool = False


async def keep(uow: UnitOfWork, edital_id: UUID, avaliadores: Sequence[tuple[UUID, Avaliador]]) -> None:
    """Write down who judges an edital, in their order."""
    chaves = await uow.cofre.keys(uow, [usuario_id for usuario_id, _ in avaliadores])
    people = [
        (uow.scope.tenant_id, edital_id, ordem, usuario_id, _sealed(chaves.get(usuario_id), one))
        for ordem, (usuario_id, one) in enumerate(avaliadores)
    ]
    if people:
        await uow.connection.exec_driver_sql(
            "insert into edital_avaliadores (tenant_id, edital_id, ordem, usuario_id, dados) values (%s, %s, %s, %s, %s)", people
        )


async def avaliadores_of(uow: UnitOfWork, edital_id: UUID) -> tuple[Avaliador, ...]:
    """The people who judge an edital, as they came in, by the e-mail that their account has now, which an import finds them by; of who
    was erased, which projects are theirs.
    """
    rows = await uow.connection.exec_driver_sql(_OF, (uow.scope.tenant_id, edital_id))
    return tuple([_by_account(_opened(uow, row), conta_of(uow, row.usuario_id, row).email) for row in rows])


async def impedidos_of(uow: UnitOfWork, edital_id: UUID) -> tuple[Impedido, ...]:
    """Those of the people who judge an edital who cannot, as things stand; of who was erased nothing is said."""
    judges = [one for one in await judges_of_edital(uow, edital_id) if not one.apagada]
    return tuple([Impedido(one.avaliador.nome, one.avaliador.email, one.causa) for one in judges if one.causa is not None])


async def judges_of_edital(uow: UnitOfWork, edital_id: UUID) -> tuple[Julgador, ...]:
    """Who judges an edital, in the order in which they came in."""
    tenant_id = uow.scope.tenant_id
    return tuple(
        [
            Julgador(
                row.usuario_id,
                _opened(uow, row),
                causa_of(tenant_id, row.usuario_id, row.papel, retirado=row.retirado, entra=row.entra),
                row.embrulhada is None,
            )
            for row in await uow.connection.exec_driver_sql(_ACCESS, (tenant_id, edital_id))
        ]
    )


async def add(uow: UnitOfWork, edital_id: UUID, usuario_id: UUID, avaliador: Avaliador) -> None:
    """One more who judges an edital, which the unit of work has to itself; who is not there yet."""
    chaves = await uow.cofre.keys(uow, [usuario_id])
    values = {
        "tenant": uow.scope.tenant_id,
        "edital": edital_id,
        "usuario": usuario_id,
        "dados": _sealed(chaves.get(usuario_id), avaliador),
    }
    await uow.connection.exec_driver_sql(_ADD, values)


async def keep_to(uow: UnitOfWork, edital_id: UUID, usuario_id: UUID, categorias: tuple[str, ...]) -> None:
    """Somebody who judges the edital keeps to these categorias; of who was erased, nothing is kept."""
    values = (uow.scope.tenant_id, edital_id, usuario_id)
    row = (await uow.connection.exec_driver_sql(_ONE, values)).one()
    chave = uow.cofre.unwrap(uow.scope.tenant_id, usuario_id, row.embrulhada)
    if chave is not None and row.dados != "{}":
        told = msgspec.structs.replace(_opened(uow, row), categorias=categorias)
        await uow.connection.exec_driver_sql(_KEEP_TO, (_sealed(chave, told), *values))


async def remove(uow: UnitOfWork, edital_id: UUID, usuario_id: UUID) -> None:
    """Somebody judges an edital no more; what was given to them is taken first."""
    await uow.connection.exec_driver_sql(_REMOVE, (uow.scope.tenant_id, edital_id, usuario_id))


async def hold(uow: UnitOfWork, edital_id: UUID, usuarios: Sequence[UUID]) -> frozenset[UUID]:
    """Those of these people who judge the edital; nobody takes them out of it until the unit of work ends."""
    found = await uow.connection.exec_driver_sql(_HOLD, (uow.scope.tenant_id, edital_id, list(usuarios)))
    return frozenset(found.scalars())


async def judges_of(uow: UnitOfWork, email: str) -> list[UUID]:
    """The account with that e-mail, where somebody judges by it in some edital."""
    return list((await uow.connection.exec_driver_sql(_FIND, (uow.scope.tenant_id, email_digest(uow, email)))).scalars())


async def told_of_judges(uow: UnitOfWork, usuarios: Sequence[UUID]) -> list[tuple[str, Avaliador]]:
    """What editais say of people who judge, each with the edital's code."""
    rows = await uow.connection.exec_driver_sql(_TOLD, (uow.scope.tenant_id, list(usuarios)))
    return [(row.codigo, _opened(uow, row)) for row in rows]


async def clear(uow: UnitOfWork, usuarios: Sequence[UUID]) -> None:
    """Clear what editais say of these accounts; which projects they judge stays."""
    await uow.connection.exec_driver_sql(_BLANK, (uow.scope.tenant_id, list(usuarios)))


async def seal_older(uow: UnitOfWork) -> int:
    """Seal up to 500 rows that stand in the clear; how many."""
    rows = (await uow.connection.exec_driver_sql(_OLDER, (uow.scope.tenant_id, APAGADO))).all()
    values = [
        (
            _sealed(uow.cofre.unwrap(uow.scope.tenant_id, row.usuario_id, row.embrulhada), _opened(uow, row)),
            uow.scope.tenant_id,
            row.edital_id,
            row.ordem,
        )
        for row in rows
    ]
    if values:
        await uow.connection.exec_driver_sql(_SEAL, values)
    return len(values)


def _sealed(chave: Chave | None, avaliador: Avaliador) -> str:
    """As it is stored; of an account that was erased at this very moment, nothing of its person."""
    told = msgspec.structs.replace(avaliador, projetos=())
    return msgspec.json.encode({} if chave is None else {"selado": chave.seal_text(_NOME, to_json(told))}).decode()


def _by_account(avaliador: Avaliador, email: str) -> Avaliador:
    return msgspec.structs.replace(avaliador, email=email) if avaliador.email and email else avaliador


def _opened(uow: UnitOfWork, row: Any) -> Avaliador:
    stored, projetos = msgspec.json.decode(row.dados, type=_Guardado), tuple(row.projetos)
    if stored.nome:
        return msgspec.structs.replace(msgspec.json.decode(row.dados, type=Avaliador), projetos=projetos)
    chave = uow.cofre.unwrap(uow.scope.tenant_id, row.usuario_id, row.embrulhada) if stored.selado else None
    if chave is None:
        return Avaliador(APAGADO, "", projetos)
    return msgspec.structs.replace(msgspec.json.decode(chave.open_text(_NOME, stored.selado), type=Avaliador), projetos=projetos)
