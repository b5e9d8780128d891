"""Use cases of results: what would be published now, publishing it as a version, and every version again.

Source: design, After the notas.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable, Sequence
from datetime import date
from typing import Final
from uuid import UUID

from crivo.kernel.access import SemPermissao, asks
from crivo.kernel.access.tokens import RandomBytes
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.audit import DIGESTS
from crivo.kernel.clock import Clock, today
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.erros import PublicacaoImpedida, PublicacaoInvalida, PublicacaoNotFound, ResultadoMudou
from crivo.triagem.lugares import load_concorrencia, rules_of
from crivo.triagem.publicacao.conteudo import Conteudo, contents_of, digest_of, encode
from crivo.triagem.publicacao.guardados import Pendencia, Publicada, Rascunho, Versao
from crivo.triagem.publicacao.palavras import pendencia_said
from crivo.triagem.recursos.anexo import annex
from crivo.triagem.storage import editais, publicadas, recurso_codigos, recursos, registros
from crivo.triagem.storage.editais import EditalGuardado

PUBLICO: Final = "publico"
"""The actor of whoever reads what was published, without an account."""
MOST_LISTED: Final = 200
_MOTIVO_MAXIMO: Final = 2_000
_CODE_BYTES: Final = 10


class Resultados:
    """The results of an edital, published and to be published."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID], random_bytes: RandomBytes = os.urandom) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._random = random_bytes

    @asks("triagem.acompanhar")
    async def rascunho(self, scope: Scope, edital_id: str, fase: FaseDoResultado) -> Rascunho:
        """What would be published now, and what stands against it. Raises EditalNotFound, SemClassificacao."""
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            return await self._draft(uow, await editais.get_by_codigo(uow, edital_id), fase)

    @asks("triagem.publicar")
    async def publicar(
        self, scope: Scope, edital_id: str, fase: FaseDoResultado, visto: str, motivo: str = "", recursos_ate: date | None = None
    ) -> Publicada:
        """Publish what was seen as the next version: nobody changes it afterwards, and nobody takes it away.

        `visto` is the `sha256` of the draft. Raises SemPermissao unless a person is acting; EditalNotFound, SemClassificacao;
        ResultadoMudou where the draft of now is another, as it is once somebody else published; PublicacaoImpedida, and by what;
        PublicacaoInvalida of what was said.
        """
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            person = await _acting(uow)
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            anteriores = await publicadas.versions_of(uow, guardado.id)
            rascunho = await self._draft(uow, guardado, fase)
            if rascunho.sha256 != visto:
                raise ResultadoMudou(_changed(anteriores, rascunho))
            if rascunho.impedida:
                raise PublicacaoImpedida(" ".join([pendencia_said(one) for one in rascunho.pendencias if one.impede]))
            given = _read(fase, motivo, recursos_ate, anteriores, today(self._clock))
            return await self._publish(uow, guardado, rascunho, given, recursos_ate, person)

    @asks("triagem.acompanhar")
    async def versoes(self, scope: Scope, edital_id: str) -> tuple[Publicada, ...]:
        """Every version, the newest first. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return await publicadas.versions_of(uow, (await editais.get_by_codigo(uow, edital_id)).id)

    @asks("triagem.acompanhar")
    async def versao(self, scope: Scope, edital_id: str, numero: int) -> Versao:
        """A version as it was published. Raises EditalNotFound, PublicacaoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            found = await publicadas.find(uow, (await editais.get_by_codigo(uow, edital_id)).id, numero)
        if found is None:
            raise PublicacaoNotFound(f"Este edital não tem versão {numero} publicada. Veja a lista de publicações dele.")
        return found

    async def publicadas(self, tenant_id: str) -> tuple[tuple[Publicada, str], ...]:
        """What an organisation published, for anybody: each with the name of its edital, the newest first."""
        async with self._database.unit_of_work(Scope(tenant_id, PUBLICO)) as uow:
            return await publicadas.all_of_tenant(uow, MOST_LISTED)

    async def por_codigo(self, tenant_id: str, codigo: str) -> tuple[Versao, tuple[Publicada, ...]]:
        """A published version by its code, for anybody, and all versions of its edital. Raises PublicacaoNotFound."""
        async with self._database.unit_of_work(Scope(tenant_id, PUBLICO)) as uow:
            found = await publicadas.find_by_codigo(uow, codigo.strip().upper())
            if found is None:
                raise PublicacaoNotFound("Não há publicação com este código. Confira o código que está no documento, letra por letra.")
            guardado = await editais.get_by_codigo(uow, found.publicada.edital_id)
            return found, await publicadas.versions_of(uow, guardado.id)

    async def _draft(self, uow: UnitOfWork, guardado: EditalGuardado, fase: FaseDoResultado) -> Rascunho:
        carregada = await load_concorrencia(uow, guardado, rules_of(guardado))
        anteriores = await publicadas.versions_of(uow, guardado.id)
        proxima = anteriores[0].versao + 1 if anteriores else 1
        answered = annex(await recursos.list_of(uow, guardado.id))

        def count() -> tuple[Classificada, Conteudo, str]:
            found = classify(carregada.concorrencia)
            conteudo = contents_of(guardado.edital, found, carregada.pessoas, fase, proxima, answered)
            return found, conteudo, digest_of(encode(conteudo))

        classificada, conteudo, sha256 = await asyncio.to_thread(count)
        abertos = await recursos.count_open(uow, guardado.id)
        pendencias = _pending(classificada, fase, anteriores, today(self._clock), abertos)
        return Rascunho(classificada, conteudo, sha256, pendencias, anteriores[0] if anteriores else None)

    async def _publish(
        self, uow: UnitOfWork, guardado: EditalGuardado, rascunho: Rascunho, motivo: str, recursos_ate: date | None, person: Usuario
    ) -> Publicada:
        publicada = Publicada(
            guardado.edital.id,
            rascunho.conteudo.versao,
            rascunho.conteudo.fase,
            base64.b32encode(self._random(_CODE_BYTES)).decode(),
            rascunho.sha256,
            rascunho.conteudo.semente,
            motivo,
            recursos_ate,
            person.id,
            self._clock.now(),
        )
        seal = await publicadas.add(uow, guardado.id, publicada, await asyncio.to_thread(encode, rascunho.conteudo))
        told = {"versao": publicada.versao, "fase": publicada.fase, "sha256": publicada.sha256, "codigo": publicada.codigo, DIGESTS: seal}
        em, entidade_id = publicada.publicada_em, str(guardado.id)
        if publicada.fase == "preliminar":
            await recurso_codigos.ensure(uow, guardado.id, em)
        await registros.note(uow, self._new_id(), em, "resultado.publicado", guardado.edital.id, "edital", entidade_id, told)
        return publicada


async def _acting(uow: UnitOfWork) -> Usuario:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada publica um resultado. Entre com o seu usuário.")
    return person


def _changed(anteriores: Sequence[Publicada], rascunho: Rascunho) -> str:
    now = f"Nada foi publicado. Veja o resultado de agora, que seria a versão {rascunho.conteudo.versao}, e publique de novo."
    if not anteriores:
        return f"Notas, decisões ou regras mudaram desde que você o viu. {now}"
    last = anteriores[0]
    return f"Desde que você o viu, algo mudou: a última versão publicada é a {last.versao}, de {last.publicada_em:%d/%m/%Y às %H:%M}. {now}"


def _read(fase: FaseDoResultado, motivo: str, recursos_ate: date | None, anteriores: Sequence[Publicada], hoje: date) -> str:
    """The reason as it is kept. Raises PublicacaoInvalida."""
    given = motivo.strip()
    if len(given) > _MOTIVO_MAXIMO:
        raise PublicacaoInvalida(f"O motivo tem {len(given)} letras; escreva até {_MOTIVO_MAXIMO}.")
    if not given and any(one.fase == fase for one in anteriores):
        raise PublicacaoInvalida("Esta versão toma o lugar de outra já publicada. Diga o motivo: ele sai junto com ela.")
    if recursos_ate is not None and fase == "final":
        raise PublicacaoInvalida("O resultado final não abre prazo de recurso. Deixe a data em branco.")
    if recursos_ate is not None and recursos_ate < hoje:
        raise PublicacaoInvalida("O prazo de recurso já teria passado. Escolha de hoje em diante.")
    announced = running_deadline(anteriores, hoje)
    if fase == "preliminar" and announced is not None and (recursos_ate is None or recursos_ate < announced):
        raise PublicacaoInvalida(
            f"O prazo de recurso até {announced:%d/%m/%Y} já foi publicado, e ninguém o encurta. Escolha esse dia, ou um depois dele."
        )
    return given


def running_deadline(versoes: Sequence[Publicada], hoje: date) -> date | None:
    """The last day for recursos that the preliminary result in force announced, while it has not passed."""
    last = next((one.recursos_ate for one in versoes if one.fase == "preliminar"), None)
    return last if last is not None and last >= hoje else None


def _pending(
    classificada: Classificada, fase: FaseDoResultado, anteriores: Sequence[Publicada], hoje: date, abertos: int
) -> tuple[Pendencia, ...]:
    """What is not settled, what stands against publishing first."""
    found: list[Pendencia] = []
    if fase == "final":
        preliminares = [one for one in anteriores if one.fase == "preliminar"]
        if not preliminares:
            found.append(Pendencia("sem_preliminar", 1, True))
        elif (ate := preliminares[0].recursos_ate) is not None and hoje <= ate:
            found.append(Pendencia("prazo_de_recurso", (ate - hoje).days + 1, True))
        if abertos:
            found.append(Pendencia("recursos_abertos", abertos, True))
    pendentes = sum(1 for one in classificada.lugares if one.situacao == "pendente")
    withdrawn = {one.projeto for one in classificada.concorrencia.desistencias}
    undecided = sum(1 for one in classificada.lugares if one.inscrito.id not in classificada.decididas and one.inscrito.id not in withdrawn)
    if pendentes:
        found.append(Pendencia("pendentes", pendentes, False))
    if undecided:
        found.append(Pendencia("sem_decisao", undecided, False))
    return tuple(found)
