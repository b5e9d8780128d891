"""The notas that a model suggested for the projects of an execução, each with who wrote it and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import groupby
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Evidencia, NotaSugerida
from crivo.triagem.edital import Value
from crivo.triagem.storage.chaves import NOTA, Dona, opened
from crivo.triagem.storage.editais import to_json

_EVIDENCIAS: Final = msgspec.json.Decoder(tuple[Evidencia, ...])
_AMOSTRAS: Final = msgspec.json.Decoder(tuple[Decimal, ...])
UNANSWERED: Final = "(n.situacao = 'falhou' or n.provisoria)"
_OF_RESULT: Final = "select id from triagem_ia_resultados where tenant_id = %(tenant)s and execucao_id = %(execucao)s"
CLEAR: Final = "justificativa, evidencias::text as evidencias, observacao"
_COLUMNS: Final = (
    "n.resultado_id, c.codigo, n.nota_sugerida, n.justificativa, n.confianca, n.evidencias::text as evidencias, n.situacao, n.modelo, "
    "n.simulado, n.amostras::text as amostras, n.observacao, n.provisoria, n.selado, r.chave, k.embrulhada"
)
_FROM: Final = (
    "from triagem_ia_notas n join triagem_ia_resultados r on r.tenant_id = n.tenant_id and r.id = n.resultado_id "
    "join criterios c on c.tenant_id = n.tenant_id and c.id = n.criterio_id "
    "left join chaves_de_pessoas k on k.tenant_id = r.tenant_id and k.id = r.chave where r.tenant_id = %(tenant)s"
)


class Escrito(Value, frozen=True):
    """What a model wrote of a nota, and what it rests on: not to be read without the project's key."""

    justificativa: str = ""
    evidencias: tuple[Evidencia, ...] = ()
    observacao: str = ""


_ESCRITO: Final = msgspec.json.Decoder(Escrito)


async def replace(
    uow: UnitOfWork,
    execucao_id: UUID,
    projeto_id: UUID,
    notas: Sequence[NotaSugerida],
    dona: Dona | None,
    new_id: Callable[[], UUID],
    em: datetime,
) -> None:
    """These notas of a project in the place of those that the execução had, under the key of the result; one for a critério that is no
    longer in force is left out.
    """
    where = {"tenant": uow.scope.tenant_id, "execucao": execucao_id, "projeto": projeto_id}
    of_project = f"{_OF_RESULT} and projeto_id = %(projeto)s"
    await uow.connection.exec_driver_sql(
        f"delete from triagem_ia_notas where tenant_id = %(tenant)s and resultado_id = ({of_project})", where
    )
    rows = [{**where, "id": new_id(), "em": em, **_fields(one, dona)} for one in notas]
    if rows:
        await uow.connection.exec_driver_sql(
            "insert into triagem_ia_notas (tenant_id, id, resultado_id, criterio_id, nota_sugerida, justificativa, confianca, created_at, "
            "evidencias, situacao, modelo, simulado, amostras, observacao, provisoria, selado) "
            "select r.tenant_id, %(id)s, r.id, c.id, %(nota)s, %(justificativa)s, %(confianca)s, %(em)s, %(evidencias)s, %(situacao)s, "
            "%(modelo)s, %(simulado)s, %(amostras)s, %(observacao)s, %(provisoria)s, %(selado)s from triagem_ia_resultados r "
            "join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id "
            "join criterios c on c.tenant_id = r.tenant_id and c.edital_id = p.edital_id and c.codigo = %(criterio)s "
            "and c.retirado_em is null "
            "where r.tenant_id = %(tenant)s and r.execucao_id = %(execucao)s and r.projeto_id = %(projeto)s",
            rows,
        )


async def copy(uow: UnitOfWork, resultados: Mapping[UUID, UUID], new_id: Callable[[], UUID], em: datetime) -> None:
    """The notas of some results for others too, by their ids; those for a critério that is no longer in force are left out."""
    found = await uow.connection.exec_driver_sql(
        "select n.id, n.resultado_id from triagem_ia_notas n join criterios c on c.tenant_id = n.tenant_id and c.id = n.criterio_id "
        "and c.retirado_em is null where n.tenant_id = %s and n.resultado_id = any(%s)",
        (uow.scope.tenant_id, list(resultados)),
    )
    kept = found.all()
    if kept:
        await uow.connection.exec_driver_sql(
            "insert into triagem_ia_notas (tenant_id, id, resultado_id, criterio_id, nota_sugerida, justificativa, confianca, created_at, "
            "evidencias, situacao, modelo, simulado, amostras, observacao, provisoria, selado) "
            "select n.tenant_id, d.id, d.resultado_id, n.criterio_id, n.nota_sugerida, n.justificativa, n.confianca, %s, n.evidencias, "
            "n.situacao, n.modelo, n.simulado, n.amostras, n.observacao, n.provisoria, n.selado "
            "from unnest(%s::uuid[], %s::uuid[], %s::uuid[]) as d (nota_id, id, resultado_id) "
            "join triagem_ia_notas n on n.tenant_id = %s and n.id = d.nota_id",
            (
                em,
                [row.id for row in kept],
                [new_id() for _ in kept],
                [resultados[row.resultado_id] for row in kept],
                uow.scope.tenant_id,
            ),
        )


async def load(uow: UnitOfWork, execucao_id: UUID, projetos: Sequence[UUID] | None = None) -> Mapping[UUID, tuple[NotaSugerida, ...]]:
    """The notas of each result of an execução, or of some projects' alone, in the order of the critérios."""
    only = "" if projetos is None else "and r.projeto_id = any(%(projetos)s)"
    rows = await uow.connection.exec_driver_sql(
        f"select {_COLUMNS} {_FROM} and r.execucao_id = %(execucao)s {only} order by n.resultado_id, c.ordem",
        {"tenant": uow.scope.tenant_id, "execucao": execucao_id, "projetos": None if projetos is None else list(projetos)},
    )
    return {
        resultado_id: tuple([_nota(uow, row) for row in found]) for resultado_id, found in groupby(rows, key=lambda row: row.resultado_id)
    }


async def of_result(uow: UnitOfWork, resultado_id: UUID) -> tuple[NotaSugerida, ...]:
    """The notas of one result, in the order of the critérios."""
    rows = await uow.connection.exec_driver_sql(
        f"select {_COLUMNS} {_FROM} and r.id = %(resultado)s order by c.ordem",
        {"tenant": uow.scope.tenant_id, "resultado": resultado_id},
    )
    return tuple([_nota(uow, row) for row in rows])


async def count_unanswered(uow: UnitOfWork, execucao_id: UUID) -> int:
    """How many critérios of an execução's analysed projects have no answer of the model, or none that may stay."""
    found = await uow.connection.exec_driver_sql(
        f"select count(*) {_FROM} and r.execucao_id = %(execucao)s and r.concluido_em is not null and {UNANSWERED}",
        {"tenant": uow.scope.tenant_id, "execucao": execucao_id},
    )
    return int(found.scalar_one())


def columns_of(dona: Dona | None, escrito: Escrito) -> dict[str, Any]:
    """What was written as it is stored: under the key, or in the clear where there is none."""
    shown = escrito if dona is None else Escrito()
    return {
        "justificativa": shown.justificativa,
        "evidencias": to_json(shown.evidencias),
        "observacao": shown.observacao,
        "selado": None if dona is None else dona.chave.seal(NOTA, msgspec.json.encode(escrito)),
    }


def _fields(nota: NotaSugerida, dona: Dona | None) -> dict[str, Any]:
    return {
        "criterio": nota.criterio,
        "nota": nota.nota_sugerida,
        "confianca": nota.confianca,
        "situacao": nota.situacao,
        "modelo": nota.modelo,
        "simulado": nota.simulado,
        "amostras": to_json(nota.amostras),
        "provisoria": nota.provisoria,
        **columns_of(dona, Escrito(_kept(nota.justificativa), nota.evidencias, _kept(nota.observacao))),
    }


def _kept(text: str) -> str:
    return text.replace("\0", "")  # which PostgreSQL keeps in no text, and nobody reads


def in_the_clear(row: Row[Any]) -> Escrito:
    """What a row with `CLEAR` says, where nothing of it is sealed."""
    return Escrito(row.justificativa, _EVIDENCIAS.decode(row.evidencias), row.observacao)


def _nota(uow: UnitOfWork, row: Row[Any]) -> NotaSugerida:
    escrito = opened(uow, row, NOTA, _ESCRITO, in_the_clear) or Escrito()
    return NotaSugerida(
        criterio=row.codigo,
        nota_sugerida=row.nota_sugerida,
        justificativa=escrito.justificativa,
        confianca=row.confianca,
        evidencias=escrito.evidencias,
        situacao=row.situacao,
        modelo=row.modelo,
        simulado=row.simulado,
        amostras=_AMOSTRAS.decode(row.amostras),
        observacao=escrito.observacao,
        provisoria=row.provisoria,
    )
