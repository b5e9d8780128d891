"""Sealing what was stored before projects had keys, some at a time: projects and their files, then what was found of them and written."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec

from crivo.kernel import audit
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Irregularidade
from crivo.triagem.seladas import AVALIACOES
from crivo.triagem.storage import apagados, arquivos, avaliacoes, notas, projetos, resultados, sinais
from crivo.triagem.storage.chaves import Dona, posse_of
from crivo.triagem.storage.projetos import ProjetoGuardado

_PROJECTS: Final = 50
_ROWS: Final = 500
_KEYED: Final = "join chaves_de_pessoas k on k.tenant_id = p.tenant_id and k.id = p.chave and k.embrulhada is not null"
_ERASED: Final = """
    select p.id from projetos p join chaves_de_pessoas k on k.tenant_id = p.tenant_id and k.id = p.id
    where p.tenant_id = %s and p.chave is null and k.embrulhada is null order by p.id"""
_OLDER: Final = """
    select p.id, e.importado_em from projetos p join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where p.tenant_id = %s and p.chave is null order by p.id limit %s for update of p"""
_RESULTS: Final = f"""
    select r.id, r.projeto_id, {resultados.CLEAR}, p.chave as dona_id, k.embrulhada from triagem_ia_resultados r
    join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id {_KEYED}
    where r.tenant_id = %s and r.chave is null and (r.concluido_em is not null or r.habilitacao_sugerida is not null)
    order by r.id limit %s for update of r"""
_SEAL_RESULT: Final = """
    update triagem_ia_resultados set habilitacao_motivo = %(motivo)s, docs_problemas = %(problemas)s, itens = %(itens)s,
        leitura = %(leitura)s, sinais = %(sinais)s, chave = %(chave)s, selado = %(selado)s where tenant_id = %(tenant)s and id = %(id)s"""
_NOTAS: Final = f"select id, resultado_id, {notas.CLEAR} from triagem_ia_notas where tenant_id = %s and resultado_id = any(%s)"
_SEAL_NOTA: Final = """
    update triagem_ia_notas set justificativa = %(justificativa)s, evidencias = %(evidencias)s, observacao = %(observacao)s,
        selado = %(selado)s where tenant_id = %(tenant)s and id = %(id)s"""
_TEXTS: Final = f"""
    select v.projeto_id, v.criterio_id, v.avaliador_id, v.texto, p.chave, k.embrulhada from avaliacoes v
    join projetos p on p.tenant_id = v.tenant_id and p.id = v.projeto_id {_KEYED}
    where v.tenant_id = %s and v.texto <> '' and not {avaliacoes.SEALED} order by v.projeto_id limit %s for update of v"""
_SIGNS: Final = """
    select execucao_id, ordem, dados::text as dados from triagem_ia_irregularidades
    where tenant_id = %s and chaves is null order by execucao_id, ordem limit %s"""
_SIGN: Final = msgspec.json.Decoder(Irregularidade)


async def seal_projects(uow: UnitOfWork) -> int:
    """Seal up to 50 projects with their files; how many. What was erased before there were keys is cleared."""
    tenant = uow.scope.tenant_id
    gone = list((await uow.connection.exec_driver_sql(_ERASED, (tenant,))).scalars())
    if gone:
        return await apagados.clear(uow, gone)
    found = {row.id: row.importado_em for row in await uow.connection.exec_driver_sql(_OLDER, (tenant, _PROJECTS))}
    if not found:
        return 0
    await arquivos.lock_import(uow)
    antigos = await projetos.load_some(uow, list(found))
    donas = await projetos.seal_again(uow, [(one, found[one.id]) for one in antigos])
    for one in antigos:
        await _seal_files(uow, one, donas[one.id])
    return len(antigos)


async def seal_results(uow: UnitOfWork) -> int:
    """Seal up to 500 results of screenings, with their notas; how many."""
    tenant = uow.scope.tenant_id
    rows = (await uow.connection.exec_driver_sql(_RESULTS, (tenant, _ROWS))).all()
    donas: dict[UUID, Dona] = {}
    for row in rows:
        chave = uow.cofre.unwrap(tenant, row.dona_id, row.embrulhada)
        if chave is not None:
            donas[row.id] = Dona(row.dona_id, chave)
    if not donas:
        return 0
    written = (await uow.connection.exec_driver_sql(_NOTAS, (tenant, list(donas)))).all()
    sealed: list[dict[str, Any]] = [
        {"tenant": tenant, "id": row.id, **resultados.columns_of(donas[row.id], resultados.in_the_clear(row))} for row in rows
    ]
    await uow.connection.exec_driver_sql(_SEAL_RESULT, sealed)
    if written:
        sealed = [{"tenant": tenant, "id": row.id, **notas.columns_of(donas[row.resultado_id], notas.in_the_clear(row))} for row in written]
        await uow.connection.exec_driver_sql(_SEAL_NOTA, sealed)
    return len(rows)


async def seal_texts(uow: UnitOfWork) -> tuple[int, dict[str, str]]:
    """Seal up to 500 texts of people who judge; how many, and the seals of the rows that the audit vouches for, as they stand now."""
    rows = (await uow.connection.exec_driver_sql(_TEXTS, (uow.scope.tenant_id, _ROWS))).all()
    for row in rows:
        stored = avaliacoes.sealed(posse_of(uow, row).dona, row.criterio_id, row.avaliador_id, row.texto)
        await avaliacoes.put_sealed(uow, row.projeto_id, row.criterio_id, row.avaliador_id, stored)
    selos: dict[str, str] = {}
    for projeto_id in {row.projeto_id for row in rows}:
        selos |= await audit.read_seals(uow, AVALIACOES, {"projeto_id": projeto_id})
    return len(rows), selos


async def seal_signs(uow: UnitOfWork) -> int:
    """Seal up to 500 signs; how many."""
    by_execucao: dict[UUID, list[tuple[int, Irregularidade]]] = {}
    for row in await uow.connection.exec_driver_sql(_SIGNS, (uow.scope.tenant_id, _ROWS)):
        by_execucao.setdefault(row.execucao_id, []).append((row.ordem, _SIGN.decode(row.dados)))
    for execucao_id, stored in by_execucao.items():
        await sinais.seal_again(uow, execucao_id, stored)
    return sum(map(len, by_execucao.values()))


async def _seal_files(uow: UnitOfWork, projeto: ProjetoGuardado, dona: Dona) -> None:
    digests = {one.sha256 for one in projeto.documentos}
    files = await arquivos.openers(uow, digests) if digests else {}
    for digest in sorted(digests - set(files)):
        content = await arquivos.content(uow, digest)
        if content is not None:
            files[digest] = await arquivos.seal_again(uow, digest, content)
    await arquivos.share(uow, [(dona, files)])
