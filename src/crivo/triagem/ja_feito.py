"""What people did before a call came in here: their notas and decisions, kept as theirs, and told in the audit as imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel import audit
from crivo.kernel.access.usuarios import acting_usuario
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.edital import AvaliacaoDada, Avaliador, Chamada, HabilitacaoDada
from crivo.triagem.storage import avaliacoes, decisoes, editais, execucoes, impedimentos, importadas, registros
from crivo.triagem.storage.chaves import Posse
from crivo.triagem.storage.decisoes import Nova, Posicao, Tomada
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.importadas import NotaImportada

_AT_ONCE: Final = 5_000  # notas that are written together
COMISSAO: Final = Avaliador("Comissão, por importação", "comissao@importacao.invalid")
"""Who stands for the people whose decisions a program brought: nobody enters with it."""


def judges_of(chamada: Chamada) -> tuple[Avaliador, ...]:
    """Who judges a call: those listed, and whoever gave notas; each has the projects that they gave notas to."""
    given: dict[str, dict[str, None]] = {}
    for dada in chamada.avaliacoes:
        given.setdefault(dada.avaliador.casefold(), {})[dada.projeto] = None
    listed = []
    for one in chamada.avaliadores:
        theirs = given.pop(one.email.strip().casefold(), {})
        listed.append(msgspec.structs.replace(one, projetos=tuple(dict.fromkeys([*one.projetos, *theirs]))))
    return (*listed, *(Avaliador(email, email, tuple(theirs)) for email, theirs in given.items()))


async def keep_avaliacoes(
    uow: UnitOfWork,
    edital: EditalGuardado,
    given: Sequence[AvaliacaoDada],
    ids: Mapping[str, UUID],
    people: Mapping[str, UUID],
    donas: Mapping[str, Posse],
    new_id: Callable[[], UUID],
    em: datetime,
) -> int:
    """Keep what came, in the place of what the same people gave before; how many projects have notas that were not there, or other ones.

    `people` are by e-mail in small letters; who was erased, and whose project was, is left out, and who is impeded in the project.
    """
    criterios = {one.criterio.id: one.id for one in await editais.criterios_of(uow, edital.id)}
    there = {(one.projeto_id, one.criterio, one.avaliador): one for one in await avaliacoes.list_of(uow, edital.id)} if given else {}
    impeded = await impedimentos.in_force(uow, edital.id) if given else frozenset()
    news: list[NotaImportada] = []
    for one in given:
        quem, posse = people.get(one.avaliador.casefold()), donas.get(one.projeto)
        if quem is None or posse is None or posse.apagado or one.projeto not in ids or (one.projeto, quem) in impeded:
            continue
        for place, (criterio, nota) in enumerate(one.notas.items()):
            was = there.get((one.projeto, criterio, quem))
            parecer = one.parecer if place == 0 else ""  # it is of the whole avaliação, and stands with its first nota
            texto = parecer or (was.texto if was else "")  # what an import leaves out takes nothing away
            if was is None or was.enviada_em is None or (was.nota, was.texto) != (nota, texto):
                news.append(NotaImportada(ids[one.projeto], criterios[criterio], quem, nota, texto, posse.dona))
    return await write_notas(uow, edital.edital.id, news, ids, new_id, em)


async def write_notas(
    uow: UnitOfWork, edital_id: str, news: Sequence[NotaImportada], ids: Mapping[str, UUID], new_id: Callable[[], UUID], em: datetime
) -> int:
    """Keep notas as sent, and tell the audit of each project; how many projects they are of. `ids` are the projects' by code."""
    seals: dict[UUID, dict[str, str]] = {}
    for start in range(0, len(news), _AT_ONCE):
        for of, theirs in (await importadas.keep(uow, news[start : start + _AT_ONCE], em)).items():
            seals.setdefault(of, {}).update(theirs)
    codes = {of: codigo for codigo, of in ids.items()}
    notes = [(new_id(), str(of), {"projeto": codes[of], audit.DIGESTS: theirs}) for of, theirs in seals.items()]
    await registros.note_all(uow, em, "avaliacao.importada", edital_id, "projeto", notes)
    return len(seals)


async def keep_habilitacoes(
    uow: UnitOfWork, edital: EditalGuardado, given: Sequence[HabilitacaoDada], new_id: Callable[[], UUID], em: datetime
) -> int:
    """Keep what was decided, in the place of what stands, which stays readable; how many projects it changed.

    Those of one situation and one reason are one act, which can be undone as any other.
    """
    codigos = [one.projeto for one in given]
    await decisoes.lock(uow, edital.id, codigos)
    last = await execucoes.find_last_finished(uow, edital.id)
    stand = await decisoes.standing(uow, edital.id, last.id if last else None, codigos)
    acts: dict[tuple[str, str], list[tuple[HabilitacaoDada, Posicao]]] = {}
    for one in given:
        of = stand.get(one.projeto)
        if of is None or of.retirado:
            continue
        if of.decisao is None or (of.decisao.decisao, of.decisao.motivo) != (one.situacao, one.motivo.strip()):
            acts.setdefault((one.situacao, one.motivo.strip()), []).append((one, of))
    if not acts:
        return 0
    person = await acting_usuario(uow)
    por = person.id if person is not None else await avaliacoes.ensure_usuario(uow, new_id(), COMISSAO, em)
    notes = []
    for (_, motivo), those in acts.items():
        ato = Tomada(new_id(), those[0][0].situacao, motivo, por, em)
        seals = await decisoes.keep(uow, edital.id, ato, [Nova(of.id, of.sugestao, new_id() if of.decisao else None) for _, of in those])
        told = {"decisao": ato.decisao, "ato": str(ato.id)}
        notes += [
            (new_id(), str(of.id), {**told, "projeto": of.codigo, "sugestao": of.sugestao, audit.DIGESTS: seals[of.id]}) for _, of in those
        ]
    await registros.note_all(uow, em, "habilitacao.importada", edital.edital.id, "projeto", notes)
    return len(notes)
