"""People who judge: who they are in an edital, which projects are theirs, and the notas that they gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.access import Usuario, add_usuario, find_usuario, get_usuario, names_of_usuarios
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.edital import Avaliador
from crivo.triagem.guardados import Atribuicao, Avaliacao, Incumbencia, TextoSemNota
from crivo.triagem.storage import atribuicoes, julgadores
from crivo.triagem.storage.calibracoes import WAITS
from crivo.triagem.storage.chaves import KEY, TEXTO, WITH_KEY, Dona, hold, posse_of
from crivo.triagem.storage.nomes import titulo_of
from crivo.triagem.storage.projetos import APAGADO

# A text names the key that it is under before it is sealed: what the audit vouches for has the columns that it had.
SEALED: Final = "v.texto ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} cs1:'"
KEY_OF_TEXT: Final = f"case when {SEALED} then left(v.texto, 36)::uuid end"
_KEY_CHARS: Final = 37
_TEXT: Final = f"v.criterio_id, v.avaliador_id, v.texto, {KEY_OF_TEXT} as chave, k.embrulhada"
_TEXT_KEY: Final = f"left join chaves_de_pessoas k on k.tenant_id = v.tenant_id and k.id = ({KEY_OF_TEXT})"
_STORED: Final = f"""
    select {_TEXT}, v.nota, v.enviada_em from avaliacoes v {_TEXT_KEY}
    where v.tenant_id = %s and v.projeto_id = %s and v.criterio_id = %s and v.avaliador_id = %s for update of v"""


async def ensure_usuario(uow: UnitOfWork, new_id: UUID, avaliador: Avaliador, em: datetime) -> UUID:
    """The id of the person with that e-mail, added in the role of avaliador where there is none; whoever is there stays as they are."""
    nova = Usuario(new_id, "avaliador", em, None, avaliador.nome, avaliador.email.strip())
    found = await find_usuario(uow, avaliador.email)
    if found is None and not await add_usuario(uow, em, nova):  # added at this very moment
        found = await get_usuario(uow, avaliador.email)
    return (found or nova).id


async def replace_avaliadores(
    uow: UnitOfWork, edital_id: UUID, avaliadores: Sequence[tuple[UUID, Avaliador]], projetos: Mapping[str, UUID], *, says_projetos: bool
) -> None:
    """These people judge the edital, each those of the projects given to them that are in it.

    Where nobody `says_projetos`, what was given to those who judge on stays given.
    """
    tenant = uow.scope.tenant_id
    await uow.connection.exec_driver_sql("delete from edital_avaliadores where tenant_id = %s and edital_id = %s", (tenant, edital_id))
    await julgadores.keep(uow, edital_id, avaliadores)
    given = sorted({(usuario_id, projetos[codigo]) for usuario_id, one in avaliadores for codigo in one.projetos if codigo in projetos})
    if says_projetos:
        await atribuicoes.replace(uow, edital_id, given)
    else:
        await atribuicoes.take_from_others(uow, edital_id, [usuario_id for usuario_id, _ in avaliadores])
        await atribuicoes.put(uow, given)


async def atribuicoes_of(uow: UnitOfWork, avaliador_id: UUID) -> tuple[Atribuicao, ...]:
    """The projects in force that were given to a person and are open to them."""
    rows = await uow.connection.exec_driver_sql(
        f"select e.codigo as edital, e.nome as edital_nome, p.codigo, p.titulo, p.categoria, p.nomes, {KEY}, "
        "not exists (select from criterios c where c.tenant_id = p.tenant_id "
        "and c.edital_id = p.edital_id and c.retirado_em is null and not exists (select from avaliacoes v "
        "where v.tenant_id = c.tenant_id and v.criterio_id = c.id and v.projeto_id = p.id "
        "and v.avaliador_id = a.avaliador_id and v.enviada_em is not null)) as avaliado, "
        "exists (select from avaliacoes v where v.tenant_id = p.tenant_id and v.projeto_id = p.id "
        "and v.avaliador_id = a.avaliador_id and (v.nota is not null or v.texto <> '')) as comecado, "
        "(select count(*) from criterios c where c.tenant_id = p.tenant_id and c.edital_id = p.edital_id "
        "and c.retirado_em is null) as criterios, "
        "(select count(*) from criterios c join avaliacoes v on v.tenant_id = c.tenant_id and v.criterio_id = c.id "
        "where c.tenant_id = p.tenant_id and c.edital_id = p.edital_id and c.retirado_em is null and v.projeto_id = p.id "
        "and v.avaliador_id = a.avaliador_id and v.nota is not null) as com_nota, a.lembrado_por, a.lembrado_em "
        "from atribuicoes a join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id "
        f"join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id {WITH_KEY} "
        f"where a.tenant_id = %s and a.avaliador_id = %s and p.retirado_em is null and not {WAITS} order by e.codigo, p.ordem",
        (uow.scope.tenant_id, avaliador_id),
    )
    return tuple(
        [
            Atribuicao(
                row.edital,
                row.edital_nome,
                row.codigo,
                titulo_of(uow, row, APAGADO),
                row.categoria,
                row.avaliado,
                row.comecado,
                row.criterios,
                row.com_nota,
                row.lembrado_por,
                row.lembrado_em,
            )
            for row in rows
        ]
    )


async def is_given(uow: UnitOfWork, avaliador_id: UUID, projeto_id: UUID) -> bool:
    """Whether a project was given to a person, and is open to them: it waits for no round of calibration."""
    found = await uow.connection.exec_driver_sql(
        "select 1 from atribuicoes a join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id "
        f"where a.tenant_id = %s and a.avaliador_id = %s and a.projeto_id = %s and not {WAITS}",
        (uow.scope.tenant_id, avaliador_id, projeto_id),
    )
    return found.one_or_none() is not None


async def save(
    uow: UnitOfWork,
    projeto_id: UUID,
    criterio_id: UUID,
    avaliador_id: UUID,
    nota: Decimal | None,
    texto: str,
    em: datetime,
    *,
    enviada: bool = False,
) -> None:
    """Store a nota and its text, in the place of what the same person gave before: a draft, unless it is sent with it.

    A draft may lack either. What changes nothing stays as it was. The text is kept under the project's key.

    Raises DadosApagados.
    """
    tenant = uow.scope.tenant_id
    found = await uow.connection.exec_driver_sql(_STORED, (tenant, projeto_id, criterio_id, avaliador_id))
    row = found.one_or_none()
    if row is not None and (row.nota, opened(uow, row)) == (nota, texto) and (row.enviada_em is not None or not enviada):
        return
    posse = await hold(uow, projeto_id)
    if posse.apagado:
        raise DadosApagados
    stored = sealed(posse.dona, criterio_id, avaliador_id, texto)
    await uow.connection.exec_driver_sql(
        "insert into avaliacoes as v "
        "(tenant_id, projeto_id, criterio_id, avaliador_id, nota, texto, created_at, atualizada_em, enviada_em) "
        "values (%s, %s, %s, %s, %s, %s, %s, %s, %s) on conflict (tenant_id, projeto_id, criterio_id, avaliador_id) do update set "
        "nota = excluded.nota, texto = excluded.texto, atualizada_em = excluded.atualizada_em, "
        "enviada_em = excluded.enviada_em, revisao_id = null",
        (tenant, projeto_id, criterio_id, avaliador_id, nota, stored, em, em, em if enviada else None),
    )


async def send(uow: UnitOfWork, projeto_id: UUID, avaliador_id: UUID, em: datetime) -> None:
    """From now on the notas of a person for a project count; those that were sent before keep their moment."""
    await uow.connection.exec_driver_sql(
        "update avaliacoes set enviada_em = %s where tenant_id = %s and projeto_id = %s and avaliador_id = %s and enviada_em is null "
        "and nota is not null",  # a critério that was withdrawn may have been left without one
        (em, uow.scope.tenant_id, projeto_id, avaliador_id),
    )


async def reopen(uow: UnitOfWork, projeto_id: UUID, avaliador_id: UUID) -> int:
    """Make drafts of what a person sent for a project; how many notas that were."""
    done = await uow.connection.exec_driver_sql(
        "update avaliacoes set enviada_em = null where tenant_id = %s and projeto_id = %s and avaliador_id = %s and enviada_em is not null",
        (uow.scope.tenant_id, projeto_id, avaliador_id),
    )
    return done.rowcount


async def put_back(uow: UnitOfWork, projeto_id: UUID, avaliador_id: UUID, notas: Sequence[tuple[UUID, Decimal, datetime]]) -> None:
    """Notas that were taken back count again from when they were sent, each by its critério, but for those that are others since."""
    values = {
        "tenant": uow.scope.tenant_id,
        "projeto": projeto_id,
        "avaliador": avaliador_id,
        "criterios": [criterio for criterio, _, _ in notas],
        "notas": [nota for _, nota, _ in notas],
        "em": [em for _, _, em in notas],
    }
    await uow.connection.exec_driver_sql(
        "update avaliacoes v set enviada_em = n.em "
        "from unnest(%(criterios)s::uuid[], %(notas)s::numeric[], %(em)s::timestamptz[]) as n (criterio_id, nota, em) "
        "where v.tenant_id = %(tenant)s and v.projeto_id = %(projeto)s and v.avaliador_id = %(avaliador)s "
        "and v.criterio_id = n.criterio_id and v.nota = n.nota and v.enviada_em is null",
        values,
    )


async def list_of(uow: UnitOfWork, edital_id: UUID, projetos: Sequence[UUID] | None = None) -> tuple[Avaliacao, ...]:
    """Every nota that people wrote in an edital, drafts too, to projects and critérios in force; to some of them where they are named."""
    only, which = _only(projetos)
    rows = await uow.connection.exec_driver_sql(
        f"select p.codigo as projeto, c.codigo, {_TEXT}, v.nota, v.atualizada_em, v.enviada_em, v.revisao_id from avaliacoes v "
        "join projetos p on p.tenant_id = v.tenant_id and p.id = v.projeto_id "
        f"join criterios c on c.tenant_id = v.tenant_id and c.id = v.criterio_id {_TEXT_KEY} "
        f"where p.tenant_id = %s and p.edital_id = %s and p.retirado_em is null and c.retirado_em is null and v.nota is not null {only} "
        "order by p.ordem, c.ordem, v.avaliador_id",
        (uow.scope.tenant_id, edital_id, *which),
    )
    return tuple(
        [
            Avaliacao(
                row.projeto,
                row.codigo,
                row.avaliador_id,
                row.nota,
                opened(uow, row),
                row.atualizada_em,
                row.enviada_em,
                row.revisao_id is not None,
            )
            for row in rows
        ]
    )


async def count_by_criterio(uow: UnitOfWork, edital_id: UUID) -> dict[str, int]:
    """How many notas people gave by each critério in force, drafts too, by its code; to projects in force."""
    rows = await uow.connection.exec_driver_sql(
        "select c.codigo, count(*) as notas from avaliacoes v "
        "join criterios c on c.tenant_id = v.tenant_id and c.id = v.criterio_id "
        "join projetos p on p.tenant_id = v.tenant_id and p.id = v.projeto_id "
        "where v.tenant_id = %s and c.edital_id = %s and c.retirado_em is null and p.retirado_em is null and v.nota is not null "
        "group by c.codigo",
        (uow.scope.tenant_id, edital_id),
    )
    return {row.codigo: row.notas for row in rows}


async def textos_sem_nota(uow: UnitOfWork, projeto_id: UUID, avaliador_id: UUID) -> tuple[TextoSemNota, ...]:
    """What a person wrote for a project without a nota, of critérios in force."""
    rows = await uow.connection.exec_driver_sql(
        f"select c.codigo, {_TEXT}, v.atualizada_em from avaliacoes v "
        f"join criterios c on c.tenant_id = v.tenant_id and c.id = v.criterio_id {_TEXT_KEY} "
        "where v.tenant_id = %s and v.projeto_id = %s and v.avaliador_id = %s and c.retirado_em is null "
        "and v.nota is null and v.texto <> '' order by c.ordem",
        (uow.scope.tenant_id, projeto_id, avaliador_id),
    )
    written = [TextoSemNota(row.codigo, opened(uow, row), row.atualizada_em) for row in rows]
    return tuple([one for one in written if one.texto])


async def incumbencias_of(uow: UnitOfWork, edital_id: UUID, projetos: Sequence[UUID] | None = None) -> tuple[Incumbencia, ...]:
    """Who judges what in an edital, or which of some of its projects, in the order of the projects, and what of it was sent."""
    only, which = _only(projetos)
    rows = await uow.connection.exec_driver_sql(
        "select p.codigo, a.avaliador_id, p.ordem, count(v.enviada_em) as enviadas, max(v.enviada_em) as em from atribuicoes a "
        "join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id "
        "left join avaliacoes v on v.tenant_id = a.tenant_id and v.projeto_id = a.projeto_id and v.avaliador_id = a.avaliador_id "
        "and exists (select from criterios c where c.tenant_id = v.tenant_id and c.id = v.criterio_id and c.retirado_em is null) "
        f"where a.tenant_id = %s and p.edital_id = %s and p.retirado_em is null {only} "
        "group by p.codigo, p.ordem, a.avaliador_id",
        (uow.scope.tenant_id, edital_id, *which),
    )
    found = rows.all()
    nomes = await names_of_usuarios(uow, {row.avaliador_id for row in found})
    inorder = sorted(found, key=lambda row: (row.ordem, fold(nomes[row.avaliador_id]), row.avaliador_id))
    return tuple([Incumbencia(row.codigo, row.avaliador_id, nomes[row.avaliador_id], row.enviadas, row.em) for row in inorder])


def sealed(dona: Dona | None, criterio_id: UUID, avaliador_id: UUID, texto: str) -> str:
    """A text as it is stored; an empty one tells nothing."""
    if dona is None or not texto:
        return texto
    return f"{dona.id} {dona.chave.seal_text(_named(criterio_id, avaliador_id), texto)}"


async def put_sealed(uow: UnitOfWork, projeto_id: UUID, criterio_id: UUID, avaliador_id: UUID, stored: str) -> None:
    """A text that stood in the clear, as `sealed` gives it."""
    await uow.connection.exec_driver_sql(
        "update avaliacoes set texto = %s where tenant_id = %s and projeto_id = %s and criterio_id = %s and avaliador_id = %s",
        (stored, uow.scope.tenant_id, projeto_id, criterio_id, avaliador_id),
    )


def opened(uow: UnitOfWork, row: Row[Any]) -> str:
    """The text of a row; of an erased project, empty."""
    posse = posse_of(uow, row)
    if posse.dona is not None:
        return posse.dona.chave.open_text(_named(row.criterio_id, row.avaliador_id), row.texto[_KEY_CHARS:])
    texto: str = "" if posse.apagado else row.texto
    return texto


def _named(criterio_id: UUID, avaliador_id: UUID) -> str:
    return f"{TEXTO}|{criterio_id}|{avaliador_id}"


def _only(projetos: Sequence[UUID] | None) -> tuple[str, tuple[list[UUID], ...]]:
    return ("", ()) if projetos is None else ("and p.id = any(%s)", (list(projetos),))
