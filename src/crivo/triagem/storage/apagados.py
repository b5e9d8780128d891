"""What is left of a project whose proponente was erased: its code, its dates, what was suggested of it and every digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from crivo.kernel.sigilo import Identidade
from crivo.kernel.storage.session import UnitOfWork
from crivo.kernel.text.folding import fold
from crivo.triagem.edital import Proponente
from crivo.triagem.storage import arquivos
from crivo.triagem.storage.editais import to_json

APAGADO: Final = "(dados apagados a pedido)"
_DIGITS: Final = r"regexp_replace(coalesce({field}, ''), '\D', '', 'g')"
_THEIRS: Final = f"""
    select p.id from projetos p where p.tenant_id = %(tenant)s and (
        (%(cpf)s <> '' and %(cpf)s in ({_DIGITS.format(field="p.proponente ->> 'cpf_cnpj'")},
            {_DIGITS.format(field="p.proponente -> 'responsavel' ->> 'cpf'")}))
        or (%(email)s <> '' and lower(p.proponente ->> 'email') = %(email)s)) order by p.id"""
# Of a call that has decided on the project, or that people have judged it in.
_DECIDED: Final = """
    select p.id, p.codigo, e.codigo as edital from projetos p join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where p.tenant_id = %s and p.id = any(%s) and (
        exists (select from habilitacao_decisoes d where d.tenant_id = p.tenant_id and d.projeto_id = p.id)
        or exists (select from avaliacoes a where a.tenant_id = p.tenant_id and a.projeto_id = p.id and a.enviada_em is not null))"""
_BLANK: Final = (
    # First, as whoever concludes an analysis holds these rows: what comes after is blanked, what comes before is told of the erasure.
    (
        "update projetos set titulo = %(apagado)s, resumo = '', descricao_tecnica = '', proponente = %(proponente)s, campos = '{}', "
        "procura = %(procura)s, titulo_dobrado = %(procura)s where tenant_id = %(tenant)s and id = any(%(ids)s)"
    ),
    "delete from orcamento_itens where tenant_id = %(tenant)s and projeto_id = any(%(ids)s)",
    "delete from cronograma_etapas where tenant_id = %(tenant)s and projeto_id = any(%(ids)s)",
    "delete from projeto_documentos where tenant_id = %(tenant)s and projeto_id = any(%(ids)s)",
    (
        "update triagem_ia_resultados set habilitacao_motivo = null, docs_problemas = null, itens = '[]', leitura = '[]', sinais = null, "
        "erro = null, conteudo_digest = null where tenant_id = %(tenant)s and projeto_id = any(%(ids)s)"
    ),
    (
        "update triagem_ia_notas n set justificativa = '', evidencias = '[]', observacao = '' from triagem_ia_resultados r "
        "where n.tenant_id = %(tenant)s and r.tenant_id = n.tenant_id and r.id = n.resultado_id and r.projeto_id = any(%(ids)s)"
    ),
    "update avaliacoes set texto = '' where tenant_id = %(tenant)s and projeto_id = any(%(ids)s) and enviada_em is null",
)
_SIGNS: Final = """
    delete from triagem_ia_irregularidades i using triagem_ia_execucoes x, projetos p
    where i.tenant_id = %(tenant)s and x.tenant_id = i.tenant_id and x.id = i.execucao_id and p.tenant_id = x.tenant_id
      and p.edital_id = x.edital_id and p.id = any(%(ids)s) and i.dados -> 'projetos' ? p.codigo"""
_NOT_BLANK: Final = "select id from projetos where tenant_id = %s and id = any(%s) and proponente ->> 'nome' <> %s"
_HOLD: Final = "select 1 from projetos where tenant_id = %s and id = %s for share"
_ERASED: Final = "select 1 from chaves_de_pessoas where tenant_id = %s and id = %s and destruida_em is not null"
_ERASED_OF: Final = """
    select p.id from chaves_de_pessoas k join projetos p on p.tenant_id = k.tenant_id and p.id = k.id
    join triagem_ia_execucoes x on x.tenant_id = p.tenant_id and x.edital_id = p.edital_id
    where k.tenant_id = %s and x.id = %s and k.aplicacao = 'triagem' and k.destruida_em is not null"""
_OLD: Final = """
    select p.id from projetos p join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where p.tenant_id = %s and e.importado_em < %s and p.proponente ->> 'nome' <> %s"""


async def of_person(uow: UnitOfWork, identidade: Identidade) -> list[UUID]:
    """The projects whose proponente, or who answers for it, is that person."""
    values = {"tenant": uow.scope.tenant_id, "cpf": identidade.cpf, "email": identidade.email}
    return list((await uow.connection.exec_driver_sql(_THEIRS, values)).scalars())


async def decided(uow: UnitOfWork, projetos: Sequence[UUID]) -> Mapping[UUID, tuple[str, str]]:
    """Of these projects, those that people have decided on: their edital and their code."""
    rows = await uow.connection.exec_driver_sql(_DECIDED, (uow.scope.tenant_id, list(projetos)))
    return {row.id: (row.edital, row.codigo) for row in rows}


async def older_than(uow: UnitOfWork, limite: Any) -> list[UUID]:
    """The projects of calls that were imported before a moment, and that still tell of somebody."""
    return list((await uow.connection.exec_driver_sql(_OLD, (uow.scope.tenant_id, limite, APAGADO))).scalars())


async def blank(uow: UnitOfWork, projetos: Sequence[UUID]) -> int:
    """Write over all that tells of somebody in these projects, forget their files and the signs that quote them; how many had any."""
    if not projetos:
        return 0
    await arquivos.lock_import(uow)  # whose files must not be taken for orphans
    found = await uow.connection.exec_driver_sql(_NOT_BLANK, (uow.scope.tenant_id, list(projetos), APAGADO))
    ids = list(found.scalars())
    if ids:
        values = {"tenant": uow.scope.tenant_id, "ids": ids, "apagado": APAGADO, "procura": fold(APAGADO)}
        values["proponente"] = to_json(Proponente(APAGADO))
        await uow.connection.exec_driver_sql(_SIGNS, values)
        for statement in _BLANK:
            await uow.connection.exec_driver_sql(statement, values)
        await arquivos.drop_orphans(uow)
    return len(ids)


async def was_erased(uow: UnitOfWork, projeto_id: UUID) -> bool:
    """Whether a project is erased, for as long as the unit of work lasts: who erases waits for its end."""
    await uow.connection.exec_driver_sql(_HOLD, (uow.scope.tenant_id, projeto_id))
    return (await uow.connection.exec_driver_sql(_ERASED, (uow.scope.tenant_id, projeto_id))).first() is not None


async def drop_signs(uow: UnitOfWork, execucao_id: UUID) -> None:
    """Forget what an execução found in projects that were erased while it ran."""
    ids = list((await uow.connection.exec_driver_sql(_ERASED_OF, (uow.scope.tenant_id, execucao_id))).scalars())
    if ids:
        await uow.connection.exec_driver_sql(_SIGNS, {"tenant": uow.scope.tenant_id, "ids": ids})
