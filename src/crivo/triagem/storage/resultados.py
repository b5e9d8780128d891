"""What an execução says of each project; a row is there from the start, and is concluded once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Evidencia, Habilitacao, Irregularidade, ItemHabilitacao, LeituraAssistida, NotaSugerida, ProjetoTriado
from crivo.triagem.storage.editais import to_json

_ITENS: Final = msgspec.json.Decoder(tuple[ItemHabilitacao, ...])
_LEITURA: Final = msgspec.json.Decoder(tuple[LeituraAssistida, ...])
_EVIDENCIAS: Final = msgspec.json.Decoder(tuple[Evidencia, ...])
_RESULTS: Final = (
    "habilitacao_sugerida, habilitacao_motivo, docs_completos, itens::text as itens, leitura::text as leitura, erro, conteudo_digest"
)


@dataclass(frozen=True, slots=True)
class Analise:
    """What was made of one project by itself. `digest` is of all that it was made from, None where it may come out otherwise next time."""

    habilitacao: Habilitacao | None = None
    leitura: tuple[LeituraAssistida, ...] = ()
    erro: str | None = None
    digest: bytes | None = None
    reaproveitada: bool = False


@dataclass(frozen=True, slots=True)
class Contagem:
    """How many projects of an execução have come how far."""

    lidos: int
    analisados: int
    com_erro: int
    reaproveitados: int


async def open_for(uow: UnitOfWork, execucao_id: UUID, projetos: Sequence[UUID], new_ids: Sequence[UUID], em: datetime) -> None:
    """A row for each project of an execução, with nothing found yet."""
    await uow.connection.exec_driver_sql(
        "insert into triagem_ia_resultados (tenant_id, id, execucao_id, projeto_id, created_at) "
        "select %s, n.id, %s, n.projeto_id, %s from unnest(%s::uuid[], %s::uuid[]) as n (id, projeto_id)",
        (uow.scope.tenant_id, execucao_id, em, list(new_ids), list(projetos)),
    )


async def is_concluded(uow: UnitOfWork, execucao_id: UUID, projeto_id: UUID) -> bool:
    """Whether the project was analysed in the execução."""
    found = await uow.connection.exec_driver_sql(
        "select concluido_em is not null from triagem_ia_resultados where tenant_id = %s and execucao_id = %s and projeto_id = %s",
        (uow.scope.tenant_id, execucao_id, projeto_id),
    )
    return bool(found.scalar_one())


async def mark_read(uow: UnitOfWork, execucao_id: UUID, projeto_id: UUID, em: datetime) -> None:
    """Note that the project's documents are read."""
    await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados set lido_em = coalesce(lido_em, %s) where tenant_id = %s and execucao_id = %s and projeto_id = %s",
        (em, uow.scope.tenant_id, execucao_id, projeto_id),
    )


async def conclude(uow: UnitOfWork, execucao_id: UUID, projeto_id: UUID, analise: Analise, em: datetime) -> bool:
    """Store what was made of a project; False where it was concluded before, and nothing is changed."""
    habilitacao = analise.habilitacao
    itens = habilitacao.itens if habilitacao else ()
    done = await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados set habilitacao_sugerida = %(sugerida)s, habilitacao_motivo = %(motivo)s, "
        "docs_completos = %(completos)s, docs_problemas = %(problemas)s, itens = %(itens)s, leitura = %(leitura)s, erro = %(erro)s, "
        "lido_em = coalesce(lido_em, %(em)s), concluido_em = %(em)s, conteudo_digest = %(digest)s, reaproveitado = %(reaproveitado)s "
        "where tenant_id = %(tenant)s and execucao_id = %(execucao)s and projeto_id = %(projeto)s and concluido_em is null",
        {
            "tenant": uow.scope.tenant_id,
            "execucao": execucao_id,
            "projeto": projeto_id,
            "sugerida": habilitacao.habilitacao_sugerida if habilitacao else None,
            "motivo": habilitacao.habilitacao_motivo if habilitacao else None,
            "completos": habilitacao.docs_completos if habilitacao else None,
            "problemas": to_json([item for item in itens if item.situacao != "atende"]),
            "itens": to_json(itens),
            "leitura": to_json(analise.leitura),
            "erro": analise.erro,
            "em": em,
            "digest": analise.digest,
            "reaproveitado": analise.reaproveitada,
        },
    )
    return done.rowcount == 1


async def find_same(uow: UnitOfWork, projeto_id: UUID, codigo: str, digest: bytes) -> Analise | None:
    """What an earlier execução made of the same project from the same, or None."""
    found = await uow.connection.exec_driver_sql(
        f"select {_RESULTS} from triagem_ia_resultados where tenant_id = %s and projeto_id = %s and conteudo_digest = %s "
        "and concluido_em is not null and erro is null order by created_at desc, id desc limit 1",
        (uow.scope.tenant_id, projeto_id, digest),
    )
    row = found.one_or_none()
    if row is None:
        return None
    return Analise(_habilitacao(row, codigo), _LEITURA.decode(row.leitura), None, digest, reaproveitada=True)


async def known_digests(uow: UnitOfWork, edital_id: UUID) -> set[tuple[UUID, bytes]]:
    """The projects in force of an edital with the digests of what was ever made of them."""
    rows = await uow.connection.exec_driver_sql(
        "select distinct r.projeto_id, r.conteudo_digest from triagem_ia_resultados r "
        "join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id "
        "where p.tenant_id = %s and p.edital_id = %s and p.retirado_em is null and r.conteudo_digest is not null "
        "and r.concluido_em is not null and r.erro is null",
        (uow.scope.tenant_id, edital_id),
    )
    return {(row.projeto_id, bytes(row.conteudo_digest)) for row in rows}


async def count(uow: UnitOfWork, execucao_id: UUID) -> Contagem:
    """How far the projects of an execução have come."""
    found = await uow.connection.exec_driver_sql(
        "select count(lido_em), count(concluido_em), count(erro), count(*) filter (where reaproveitado) "
        "from triagem_ia_resultados where tenant_id = %s and execucao_id = %s",
        (uow.scope.tenant_id, execucao_id),
    )
    return Contagem(*tuple(found.one()))


async def reopen_failed(uow: UnitOfWork, execucao_id: UUID) -> None:
    """Forget the errors of an execução, so that those projects are tried again."""
    await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados set erro = null, concluido_em = null where tenant_id = %s and execucao_id = %s and erro is not null",
        (uow.scope.tenant_id, execucao_id),
    )


async def pending(uow: UnitOfWork, execucao_id: UUID) -> tuple[UUID, ...]:
    """The projects of an execução that were not analysed yet, in their order."""
    rows = await uow.connection.exec_driver_sql(
        "select r.projeto_id from triagem_ia_resultados r join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id "
        "where r.tenant_id = %s and r.execucao_id = %s and r.concluido_em is null order by p.ordem",
        (uow.scope.tenant_id, execucao_id),
    )
    return tuple(rows.scalars())


async def add_flags(
    uow: UnitOfWork,
    execucao_id: UUID,
    ids: Mapping[str, UUID],
    irregularidades: Sequence[Irregularidade],
    mais_parecido: Mapping[str, tuple[str, float]],
) -> None:
    """Note at each project the kinds of signs that it is part of, and the project that it is most like. Source: seed's columns."""
    flags: dict[str, list[dict[str, object]]] = {codigo: [] for codigo in ids}
    for ordem, one in enumerate(irregularidades):
        for codigo in one.projetos:
            flags.get(codigo, []).append({"ordem": ordem, "tipo": one.tipo})
    rows = [
        (
            to_json(flags[codigo]),
            round(max(0.0, min(1.0, mais_parecido[codigo][1])), 4) if codigo in mais_parecido else None,
            ids.get(mais_parecido[codigo][0]) if codigo in mais_parecido else None,
            uow.scope.tenant_id,
            execucao_id,
            projeto_id,
        )
        for codigo, projeto_id in ids.items()
    ]
    if rows:
        await uow.connection.exec_driver_sql(
            "update triagem_ia_resultados set irregularidades_flags = %s, similaridade_max = %s, projeto_similar_id = %s "
            "where tenant_id = %s and execucao_id = %s and projeto_id = %s",
            rows,
        )


async def most_alike(uow: UnitOfWork, execucao_id: UUID) -> dict[str, tuple[str, float]]:
    """The project that each is most like, and how much, as an execução found."""
    rows = await uow.connection.exec_driver_sql(
        "select p.codigo, s.codigo as similar, r.similaridade_max from triagem_ia_resultados r "
        "join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id "
        "join projetos s on s.tenant_id = r.tenant_id and s.id = r.projeto_similar_id "
        "where r.tenant_id = %s and r.execucao_id = %s",
        (uow.scope.tenant_id, execucao_id),
    )
    return {row.codigo: (row.similar, float(row.similaridade_max)) for row in rows}


async def load(uow: UnitOfWork, execucao_id: UUID, projeto_id: UUID | None = None) -> tuple[ProjetoTriado, ...]:
    """What an execução says of its projects that were analysed, in their order; of one of them alone where it is named."""
    only = "" if projeto_id is None else "and r.projeto_id = %(projeto)s"
    values = {"tenant": uow.scope.tenant_id, "execucao": execucao_id, "projeto": projeto_id}
    notas = await uow.connection.exec_driver_sql(
        "select r.id, c.codigo, n.nota_sugerida, n.justificativa, n.confianca, n.evidencias::text as evidencias "
        "from triagem_ia_notas n join triagem_ia_resultados r on r.tenant_id = n.tenant_id and r.id = n.resultado_id "
        "join criterios c on c.tenant_id = n.tenant_id and c.id = n.criterio_id "
        f"where r.tenant_id = %(tenant)s and r.execucao_id = %(execucao)s {only} order by r.id, c.ordem",
        values,
    )
    by_result = {resultado_id: tuple(_nota(row) for row in rows) for resultado_id, rows in groupby(notas, key=lambda row: row.id)}
    rows = await uow.connection.exec_driver_sql(
        f"select r.id, p.codigo, {_RESULTS}, r.similaridade_max, s.codigo as similar from triagem_ia_resultados r "
        "join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id "
        "left join projetos s on s.tenant_id = r.tenant_id and s.id = r.projeto_similar_id "
        f"where r.tenant_id = %(tenant)s and r.execucao_id = %(execucao)s and r.concluido_em is not null {only} order by p.ordem",
        values,
    )
    return tuple(_triado(row, by_result.get(row.id, ())) for row in rows)


def _nota(row: Row[Any]) -> NotaSugerida:
    return NotaSugerida(row.codigo, row.nota_sugerida, row.justificativa, row.confianca, _EVIDENCIAS.decode(row.evidencias))


def _triado(row: Row[Any], notas: tuple[NotaSugerida, ...]) -> ProjetoTriado:
    return ProjetoTriado(
        row.codigo,
        row.habilitacao_sugerida,
        row.habilitacao_motivo or "",
        row.docs_completos,
        _ITENS.decode(row.itens),
        notas,
        _LEITURA.decode(row.leitura),
        None if row.similaridade_max is None else float(row.similaridade_max),
        row.similar,
        row.erro,
    )


def _habilitacao(row: Row[Any], codigo: str) -> Habilitacao | None:
    if row.habilitacao_sugerida is None:
        return None
    return Habilitacao(codigo, row.habilitacao_sugerida, row.habilitacao_motivo, row.docs_completos, _ITENS.decode(row.itens))
