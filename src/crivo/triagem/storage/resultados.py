"""What an execução says of each project; a row is there from the start, and is concluded once.

What quotes the project or tells why is sealed under the project's key; what lists and figures count by stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Habilitacao, Irregularidade, ItemHabilitacao, LeituraAssistida, NotaSugerida, ProjetoTriado
from crivo.triagem.edital import Value
from crivo.triagem.storage import arquivos, notas
from crivo.triagem.storage.chaves import RESULTADO, Dona, hold, opened
from crivo.triagem.storage.editais import to_json

_ITENS: Final = msgspec.json.Decoder(tuple[ItemHabilitacao, ...])
_LEITURA: Final = msgspec.json.Decoder(tuple[LeituraAssistida, ...])
_SINAIS: Final = msgspec.json.Decoder(tuple[Irregularidade, ...])
CLEAR: Final = "r.habilitacao_motivo, r.itens::text as itens, r.leitura::text as leitura, r.sinais::text as sinais"
_RESULTS: Final = f"r.habilitacao_sugerida, r.docs_completos, r.erro, r.conteudo_digest, {CLEAR}, r.selado, r.chave, k.embrulhada"
_WITH_KEY: Final = "left join chaves_de_pessoas k on k.tenant_id = r.tenant_id and k.id = r.chave"


@dataclass(frozen=True, slots=True)
class Analise:
    """What was made of one project by itself. `digest` is of all that it was made from, None where it may come out otherwise next time.

    `sinais` are the irregularidades that are in it alone, None where they were not looked for. `habilitacao_inteira`: a model answered for
    all of it that code could not tell, or was not asked.
    """

    habilitacao: Habilitacao | None = None
    leitura: tuple[LeituraAssistida, ...] = ()
    notas: tuple[NotaSugerida, ...] = ()
    sinais: tuple[Irregularidade, ...] | None = None
    erro: str | None = None
    digest: bytes | None = None
    reaproveitada: bool = False
    habilitacao_inteira: bool = True


class Achado(Value, frozen=True):
    """What was found of a project and is not to be read without its key."""

    motivo: str | None = None
    itens: tuple[ItemHabilitacao, ...] = ()
    leitura: tuple[LeituraAssistida, ...] = ()
    sinais: tuple[Irregularidade, ...] | None = None

    def counted(self) -> Achado:
        """What is left of it to count by: what was asked and what it came to, and no word of the project."""
        return Achado(
            itens=tuple([msgspec.structs.replace(one, evidencia=None, achado="") for one in self.itens]),
            leitura=tuple([LeituraAssistida(one.criterio, ()) for one in self.leitura]),
        )


_ACHADO: Final = msgspec.json.Decoder(Achado)


@dataclass(frozen=True, slots=True)
class Contagem:
    """How many projects of an execução have come how far; `habilitados` are those whose habilitação is known, whatever it says.

    `habilitacoes_incompletas`: a model was asked about a document of theirs and gave no good answer.
    """

    lidos: int
    habilitados: int
    analisados: int
    com_erro: int
    reaproveitados: int
    habilitacoes_incompletas: int


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


async def note_habilitacao(uow: UnitOfWork, execucao_id: UUID, projeto_id: UUID, habilitacao: Habilitacao) -> None:
    """Note what is known of a project while its notas are still waited for; nothing where it was concluded, or erased, meanwhile."""
    posse = await hold(uow, projeto_id)
    if posse.apagado:
        return
    await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados set habilitacao_sugerida = %(sugerida)s, habilitacao_motivo = %(motivo)s, itens = %(itens)s, "
        "chave = %(chave)s, selado = %(selado)s "
        "where tenant_id = %(tenant)s and execucao_id = %(execucao)s and projeto_id = %(projeto)s and concluido_em is null",
        {
            "tenant": uow.scope.tenant_id,
            "execucao": execucao_id,
            "projeto": projeto_id,
            "sugerida": habilitacao.habilitacao_sugerida,
            **columns_of(posse.dona, Achado(habilitacao.habilitacao_motivo, habilitacao.itens)),
        },
    )


async def conclude(
    uow: UnitOfWork, execucao_id: UUID, projeto_id: UUID, analise: Analise, new_id: Callable[[], UUID], em: datetime
) -> bool:
    """Store what was made of a project; False where it was concluded before, and nothing is changed."""
    posse = await hold(uow, projeto_id)
    if posse.apagado:  # while it was being analysed
        analise = Analise()
        await arquivos.drop_read_orphans(uow)
    habilitacao = analise.habilitacao
    found = Achado(
        habilitacao.habilitacao_motivo if habilitacao else None, habilitacao.itens if habilitacao else (), analise.leitura, analise.sinais
    )
    done = await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados set habilitacao_sugerida = %(sugerida)s, habilitacao_motivo = %(motivo)s, "
        "docs_completos = %(completos)s, docs_problemas = %(problemas)s, itens = %(itens)s, leitura = %(leitura)s, "
        "sinais = %(sinais)s, chave = %(chave)s, selado = %(selado)s, erro = %(erro)s, lido_em = coalesce(lido_em, %(em)s), "
        "concluido_em = %(em)s, conteudo_digest = %(digest)s, reaproveitado = %(reaproveitado)s, habilitacao_inteira = %(inteira)s "
        "where tenant_id = %(tenant)s and execucao_id = %(execucao)s and projeto_id = %(projeto)s and concluido_em is null",
        {
            "tenant": uow.scope.tenant_id,
            "execucao": execucao_id,
            "projeto": projeto_id,
            "sugerida": habilitacao.habilitacao_sugerida if habilitacao else None,
            "completos": habilitacao.docs_completos if habilitacao else None,
            **columns_of(posse.dona, found),
            "erro": analise.erro,
            "em": em,
            "digest": analise.digest,
            "reaproveitado": analise.reaproveitada,
            "inteira": analise.habilitacao_inteira,
        },
    )
    if done.rowcount != 1:
        return False
    await notas.replace(uow, execucao_id, projeto_id, analise.notas, posse.dona, new_id, em)
    return True


def columns_of(dona: Dona | None, found: Achado) -> dict[str, Any]:
    """What was found as it is stored: under the project's key, or in the clear where the project has none yet."""
    shown = found if dona is None else found.counted()
    return {
        "motivo": shown.motivo,
        "problemas": to_json([item for item in shown.itens if item.situacao != "atende"]),
        "itens": to_json(shown.itens),
        "leitura": to_json(shown.leitura),
        "sinais": None if shown.sinais is None else to_json(shown.sinais),
        "chave": None if dona is None else dona.id,
        "selado": None if dona is None else dona.chave.seal(RESULTADO, msgspec.json.encode(found)),
    }


async def find_same(uow: UnitOfWork, projeto_id: UUID, codigo: str, digest: bytes) -> Analise | None:
    """What an earlier execução made of the same project from the same, or None."""
    found = await uow.connection.exec_driver_sql(
        f"select r.id, {_RESULTS} from triagem_ia_resultados r {_WITH_KEY} "
        "where r.tenant_id = %s and r.projeto_id = %s and r.conteudo_digest = %s "
        "and r.concluido_em is not null and r.erro is null order by r.created_at desc, r.id desc limit 1",
        (uow.scope.tenant_id, projeto_id, digest),
    )
    row = found.one_or_none()
    if row is None:
        return None
    suggested = await notas.of_result(uow, row.id)
    achado = _achado(uow, row)
    return Analise(_habilitacao(row, codigo, achado), achado.leitura, suggested, achado.sinais, None, digest, reaproveitada=True)


async def reuse(uow: UnitOfWork, execucao_id: UUID, digests: Mapping[UUID, bytes], new_id: Callable[[], UUID], em: datetime) -> set[UUID]:
    """Conclude the projects of an execução of which an earlier one made the same from the same; which they are."""
    rows = await uow.connection.exec_driver_sql(
        "with feitos as (select distinct on (s.projeto_id) s.* "
        "from unnest(%(projetos)s::uuid[], %(digests)s::bytea[]) as d (projeto_id, digest) "
        "join triagem_ia_resultados s on s.tenant_id = %(tenant)s and s.projeto_id = d.projeto_id and s.conteudo_digest = d.digest "
        "where s.concluido_em is not null and s.erro is null order by s.projeto_id, s.created_at desc, s.id desc) "
        "update triagem_ia_resultados r set habilitacao_sugerida = f.habilitacao_sugerida, habilitacao_motivo = f.habilitacao_motivo, "
        "docs_completos = f.docs_completos, docs_problemas = f.docs_problemas, itens = f.itens, leitura = f.leitura, sinais = f.sinais, "
        "chave = f.chave, selado = f.selado, "
        "lido_em = %(em)s, concluido_em = %(em)s, conteudo_digest = f.conteudo_digest, reaproveitado = true from feitos f "
        "where r.tenant_id = %(tenant)s and r.execucao_id = %(execucao)s and r.projeto_id = f.projeto_id and r.concluido_em is null "
        "returning r.projeto_id, r.id, f.id as feito",
        {
            "tenant": uow.scope.tenant_id,
            "execucao": execucao_id,
            "projetos": list(digests),
            "digests": list(digests.values()),
            "em": em,
        },
    )
    done = rows.all()
    await notas.copy(uow, {row.feito: row.id for row in done}, new_id, em)
    return {row.projeto_id for row in done}


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
        "select count(lido_em), count(*) filter (where concluido_em is not null or habilitacao_sugerida is not null), "
        "count(concluido_em), count(erro), count(*) filter (where reaproveitado), "
        "count(*) filter (where concluido_em is not null and not habilitacao_inteira) "
        "from triagem_ia_resultados where tenant_id = %s and execucao_id = %s",
        (uow.scope.tenant_id, execucao_id),
    )
    return Contagem(*tuple(found.one()))


async def reopen_failed(uow: UnitOfWork, execucao_id: UUID) -> None:
    """Forget the errors of an execução, so that those projects are tried again, and so are critérios and documents that have no good
    answer of the model.
    """
    await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados r set erro = null, concluido_em = null, conteudo_digest = null "
        "where r.tenant_id = %s and r.execucao_id = %s and (r.erro is not null or not r.habilitacao_inteira "
        "or exists (select from triagem_ia_notas n "
        f"where n.tenant_id = r.tenant_id and n.resultado_id = r.id and {notas.UNANSWERED}))",
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


async def sinais_of(uow: UnitOfWork, execucao_id: UUID) -> dict[str, tuple[Irregularidade, ...]]:
    """What was found in each project of an execução alone, by its code; those in which nobody looked are left out."""
    rows = await uow.connection.exec_driver_sql(
        f"select p.codigo, {_RESULTS} from triagem_ia_resultados r "
        f"join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id {_WITH_KEY} "
        "where r.tenant_id = %s and r.execucao_id = %s and (r.sinais is not null or r.selado is not null)",
        (uow.scope.tenant_id, execucao_id),
    )
    found = ((row.codigo, _achado(uow, row).sinais) for row in rows)
    return {codigo: sinais for codigo, sinais in found if sinais is not None}


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
    alike = [mais_parecido.get(codigo) for codigo in ids]
    await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados r set irregularidades_flags = n.flags, similaridade_max = n.maxima, projeto_similar_id = n.parecido "
        "from unnest(%s::uuid[], %s::jsonb[], %s::decimal[], %s::uuid[]) as n (projeto_id, flags, maxima, parecido) "
        "where r.tenant_id = %s and r.execucao_id = %s and r.projeto_id = n.projeto_id",
        (
            list(ids.values()),
            [to_json(flags[codigo]) for codigo in ids],
            [None if one is None else round(max(0.0, min(1.0, one[1])), 4) for one in alike],
            [None if one is None else ids.get(one[0]) for one in alike],
            uow.scope.tenant_id,
            execucao_id,
        ),
    )


async def copy_flags(uow: UnitOfWork, execucao_id: UUID, same: UUID) -> None:
    """Note at each project what another execução noted at it."""
    await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados r set irregularidades_flags = s.irregularidades_flags, similaridade_max = s.similaridade_max, "
        "projeto_similar_id = s.projeto_similar_id from triagem_ia_resultados s where r.tenant_id = %s and r.execucao_id = %s "
        "and s.tenant_id = r.tenant_id and s.execucao_id = %s and s.projeto_id = r.projeto_id",
        (uow.scope.tenant_id, execucao_id, same),
    )


async def load(uow: UnitOfWork, execucao_id: UUID, projetos: Sequence[UUID] | None = None) -> tuple[ProjetoTriado, ...]:
    """What an execução says of its projects that were analysed, in their order; of some of them alone where they are named."""
    only = "" if projetos is None else "and r.projeto_id = any(%(projetos)s)"
    values = {"tenant": uow.scope.tenant_id, "execucao": execucao_id, "projetos": None if projetos is None else list(projetos)}
    suggested = await notas.load(uow, execucao_id, projetos)
    rows = await uow.connection.exec_driver_sql(
        f"select r.id, p.codigo, {_RESULTS}, r.similaridade_max, s.codigo as similar from triagem_ia_resultados r "
        f"join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id {_WITH_KEY} "
        "left join projetos s on s.tenant_id = r.tenant_id and s.id = r.projeto_similar_id "
        f"where r.tenant_id = %(tenant)s and r.execucao_id = %(execucao)s and r.concluido_em is not null {only} "
        'order by p.ordem, p.codigo collate "C"',
        values,
    )
    return tuple([_triado(row, _achado(uow, row), suggested.get(row.id, ())) for row in rows])


def _triado(row: Row[Any], achado: Achado, suggested: tuple[NotaSugerida, ...]) -> ProjetoTriado:
    return ProjetoTriado(
        projeto_id=row.codigo,
        habilitacao_sugerida=row.habilitacao_sugerida,
        habilitacao_motivo=achado.motivo or "",
        docs_completos=row.docs_completos,
        itens=achado.itens,
        notas=suggested,
        leitura=achado.leitura,
        similaridade_max=None if row.similaridade_max is None else float(row.similaridade_max),
        projeto_similar=row.similar,
        erro=row.erro,
    )


def _achado(uow: UnitOfWork, row: Row[Any]) -> Achado:
    """What a row says was found; of an erased project nothing."""
    return opened(uow, row, RESULTADO, _ACHADO, in_the_clear) or Achado()


def in_the_clear(row: Row[Any]) -> Achado:
    """What a row with `CLEAR` says, where nothing of it is sealed."""
    sinais = None if row.sinais is None else _SINAIS.decode(row.sinais)
    return Achado(row.habilitacao_motivo, _ITENS.decode(row.itens), _LEITURA.decode(row.leitura), sinais)


def _habilitacao(row: Row[Any], codigo: str, achado: Achado) -> Habilitacao | None:
    if row.habilitacao_sugerida is None:
        return None
    return Habilitacao(codigo, row.habilitacao_sugerida, achado.motivo or "", row.docs_completos, achado.itens)
