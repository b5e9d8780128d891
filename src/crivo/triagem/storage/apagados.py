"""What is left of a project whose key was destroyed: its code, its dates, what was suggested of it and every digest.

What was sealed under a key that is no more could not be read; it is cleared all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.storage import arquivos, julgadores, prazos
from crivo.triagem.storage.avaliacoes import KEY_OF_TEXT, SEALED
from crivo.triagem.storage.impedimentos import KEY_OF_DITO
from crivo.triagem.storage.impedimentos import SEALED as DITO_SEALED

# A registro is a key. A project without one that is on the list was erased before there were keys, and came back with a restored copy.
_THEIRS: Final = "(p.chave = any(%(chaves)s) or (p.chave is null and p.id = any(%(chaves)s)))"
# Of a call that has decided on the project, or that people have judged it in.
_DECIDED: Final = """
    select p.chave, p.codigo, e.codigo as edital from projetos p join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where p.tenant_id = %s and p.chave = any(%s) and (
        exists (select from habilitacao_decisoes d where d.tenant_id = p.tenant_id and d.projeto_id = p.id)
        or exists (select from avaliacoes a where a.tenant_id = p.tenant_id and a.projeto_id = p.id and a.enviada_em is not null)
        or exists (select from recursos r where r.tenant_id = p.tenant_id and r.projeto_id = p.id))"""
_OVER: Final = """
    select k.id from chaves_de_pessoas k left join projetos p on p.tenant_id = k.tenant_id and p.chave = k.id
    left join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where k.tenant_id = %s and k.aplicacao = 'triagem' and k.destruida_em is null and coalesce(e.importado_em, k.criada_em) < %s
    order by k.id"""
_OF_KEYS: Final = f"select p.id, p.codigo from projetos p where p.tenant_id = %(tenant)s and {_THEIRS} and p.retirado_em is null"
# First, as whoever concludes an analysis holds these rows: what comes after is cleared, what comes before is told of the erasure.
_BLANK: Final = f"""
    update projetos p set titulo = '', resumo = '', descricao_tecnica = '', proponente = '{{}}', campos = '{{}}', procura = '',
        titulo_dobrado = '', conteudo = null, nomes = null, chave = coalesce(p.chave, p.id)
    where p.tenant_id = %(tenant)s and {_THEIRS} and (p.conteudo is not null or p.chave is null) returning p.id"""
_OF_PROJECTS: Final = (
    "delete from orcamento_itens where tenant_id = %(tenant)s and projeto_id = any(%(ids)s)",
    "delete from cronograma_etapas where tenant_id = %(tenant)s and projeto_id = any(%(ids)s)",
    "delete from projeto_documentos where tenant_id = %(tenant)s and projeto_id = any(%(ids)s)",
)
_MINE: Final = "(r.chave = any(%(chaves)s) or (r.chave is null and r.projeto_id = any(%(ids)s)))"
_FINDINGS: Final = (
    "update recurso_papeis a set conteudo = '' where a.tenant_id = %(tenant)s and a.chave = any(%(chaves)s) and a.conteudo <> ''",
    f"""
    update triagem_ia_notas n set justificativa = '', evidencias = '[]', observacao = '', selado = null from triagem_ia_resultados r
    where n.tenant_id = %(tenant)s and r.tenant_id = n.tenant_id and r.id = n.resultado_id and {_MINE}""",
    f"""
    update triagem_ia_resultados r set habilitacao_motivo = null, docs_problemas = null, itens = '[]', leitura = '[]', sinais = null,
        selado = null, erro = null, conteudo_digest = null where r.tenant_id = %(tenant)s and {_MINE}""",
    f"""
    update avaliacoes v set texto = '' where v.tenant_id = %(tenant)s and v.enviada_em is null and v.texto <> ''
      and (({KEY_OF_TEXT}) = any(%(chaves)s) or (not {SEALED} and v.projeto_id = any(%(ids)s)))""",
    """
    delete from triagem_ia_irregularidades i where i.tenant_id = %(tenant)s and i.chaves && %(chaves)s::uuid[]""",
    f"""
    update impedimentos i set dito = '' where i.tenant_id = %(tenant)s
      and (({KEY_OF_DITO}) = any(%(chaves)s) or (not {DITO_SEALED} and i.projeto_id = any(%(ids)s)))""",
    # What was asked and answered stays as it is sealed, for the audit; the papers themselves go.
    """
    update diligencia_documentos a set conteudo = null, lido = null from diligencias d
    where a.tenant_id = %(tenant)s and d.tenant_id = a.tenant_id and d.id = a.diligencia_id and d.chave = any(%(chaves)s)
      and (a.conteudo is not null or a.lido is not null)""",
    """
    update diligencias d set depois = null where d.tenant_id = %(tenant)s and d.chave = any(%(chaves)s) and d.depois is not null""",
    # Signs from before there were keys.
    """
    delete from triagem_ia_irregularidades i using triagem_ia_execucoes x, projetos p
    where i.tenant_id = %(tenant)s and x.tenant_id = i.tenant_id and x.id = i.execucao_id and p.tenant_id = x.tenant_id
      and p.edital_id = x.edital_id and p.id = any(%(ids)s) and i.chaves is null and i.dados -> 'projetos' ? p.codigo""",
)


async def projects_of(uow: UnitOfWork, chaves: Sequence[UUID]) -> list[UUID]:
    """The projects in force that are sealed under these keys."""
    found = await uow.connection.exec_driver_sql(_OF_KEYS, {"tenant": uow.scope.tenant_id, "chaves": list(chaves)})
    return [row.id for row in found]


async def decided(uow: UnitOfWork, chaves: Sequence[UUID]) -> Mapping[UUID, tuple[str, str]]:
    """Of these keys, those of projects that people have decided on: their edital and their code."""
    rows = await uow.connection.exec_driver_sql(_DECIDED, (uow.scope.tenant_id, list(chaves)))
    return {row.chave: (row.edital, row.codigo) for row in rows}


async def older_than(uow: UnitOfWork, limite: datetime) -> list[UUID]:
    """The keys of projects of calls imported before a moment, and of what was found before it in projects that are another's now."""
    return list((await uow.connection.exec_driver_sql(_OVER, (uow.scope.tenant_id, limite))).scalars())


async def clear(uow: UnitOfWork, chaves: Sequence[UUID]) -> int:
    """Clear what was sealed under these keys, and forget their projects' files and the signs that quote them; how many projects had any.

    What editais say of these accounts of people who judge is cleared; which projects they judge stays.
    """
    if not chaves:
        return 0
    await julgadores.clear(uow, chaves)
    await prazos.clear(uow, chaves)
    await arquivos.lock_import(uow)  # whose files must not be taken for orphans
    values = {"tenant": uow.scope.tenant_id, "chaves": list(chaves)}
    ids = list((await uow.connection.exec_driver_sql(_BLANK, values)).scalars())
    for statement in (*(_OF_PROJECTS if ids else ()), *_FINDINGS):
        await uow.connection.exec_driver_sql(statement, values | {"ids": ids})
    if ids:
        await arquivos.drop_orphans(uow)
    return len(ids)
