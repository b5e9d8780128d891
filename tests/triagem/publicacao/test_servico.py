"""A result is published as a version that nobody changes, once it was seen as it is. Source: design, After the notas."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from msgspec.structs import replace

from chamadas import Importacao, importacao
from crivo.auditoria.conferencia import Auditoria
from crivo.kernel.access import SemPermissao, create_usuario
from crivo.kernel.clock import SystemClock, today
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Classificacao, Vagas
from crivo.triagem.edital import AvaliacaoDada, Avaliador
from crivo.triagem.erros import PublicacaoImpedida, PublicacaoInvalida, PublicacaoNotFound, ResultadoMudou, SementePublicada
from crivo.triagem.publicacao.comparacao import compare
from crivo.triagem.publicacao.conteudo import decode, digest_of, encode, public_document
from crivo.triagem.publicacao.servico import Resultados
from crivo.triagem.service import Triagem
from sujeitos import as_person

RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
REGRAS = Classificacao(vagas=(Vagas("*", 1),), suplentes=1)
HOJE = today(SystemClock())


def chamada(notas: Iterable[int], regras: Classificacao = REGRAS) -> Importacao:
    values = list(notas)
    given = importacao(len(values), avaliadores=(RITA,))
    edital = replace(given.chamada.edital, classificacao=regras)
    dadas = [
        AvaliacaoDada(f"P{at:04}", "rita@avalia.exemplo", {"C1": Decimal(nota), "C2": Decimal(nota)}) for at, nota in enumerate(values, 1)
    ]
    return Importacao(replace(given.chamada, edital=edital, avaliacoes=tuple(dadas)), given.arquivos)


@pytest.fixture
def resultados(database: Database) -> Resultados:
    return Resultados(database, SystemClock(), Uuid7(SystemClock()).new)


@pytest.fixture
async def gestora(database: Database, scope: Scope) -> Scope:
    async with database.unit_of_work(scope) as uow:
        person = await create_usuario(uow, SystemClock().now(), uuid4(), "Helena Prado", "helena@orgao.exemplo", "gestor")
    return as_person(scope, person)


async def published(resultados: Resultados, scope: Scope, motivo: str = "", ate: date | None = None) -> int:
    seen = await resultados.rascunho(scope, "ED-1", "preliminar")
    return (await resultados.publicar(scope, "ED-1", "preliminar", seen.sha256, motivo, ate)).versao


async def test_what_was_seen_is_what_is_published_byte_for_byte(
    triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope, database: Database
) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    seen = await resultados.rascunho(gestora, "ED-1", "preliminar")
    made = await resultados.publicar(gestora, "ED-1", "preliminar", seen.sha256)
    kept = await resultados.versao(gestora, "ED-1", 1)
    assert (made.versao, made.fase, made.semente) == (1, "preliminar", "ED-1")
    assert digest_of(kept.escrito) == made.sha256 == seen.sha256
    assert [(one.lugar.projeto_id, one.lugar.situacao) for one in kept.conteudo.linhas] == [("P0002", "selecionado"), ("P0001", "suplente")]
    assert encode(decode(kept.escrito)) == kept.escrito
    assert (await Auditoria(database, SystemClock()).conferir(gestora)).integra


async def test_a_version_stays_as_it_is_when_notas_change(triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    await published(resultados, gestora)
    before = (await resultados.versao(gestora, "ED-1", 1)).escrito
    await triagem.importar(scope, chamada([10, 9]))
    assert await published(resultados, gestora, "Notas corrigidas.") == 2
    first, second = await resultados.versao(gestora, "ED-1", 1), await resultados.versao(gestora, "ED-1", 2)
    assert first.escrito == before
    changed = compare(first.conteudo, second.conteudo)
    assert {one.projeto_id: (one.entrou, one.saiu) for one in changed} == {"P0001": (True, False), "P0002": (False, True)}
    assert [one.versao for one in await resultados.versoes(gestora, "ED-1")] == [2, 1]


async def test_of_two_who_publish_at_once_one_is_told_what_the_other_did(
    triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope
) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    seen = await resultados.rascunho(gestora, "ED-1", "preliminar")
    ended = await asyncio.gather(
        *(resultados.publicar(gestora, "ED-1", "preliminar", seen.sha256) for _ in range(2)), return_exceptions=True
    )
    refused = [one for one in ended if isinstance(one, ResultadoMudou)]
    assert len(refused) == 1
    assert "a última versão publicada é a 1" in str(refused[0])
    assert len(await resultados.versoes(gestora, "ED-1")) == 1


async def test_what_changed_since_it_was_seen_is_not_published(
    triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope
) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    seen = await resultados.rascunho(gestora, "ED-1", "preliminar")
    await triagem.importar(scope, chamada([5, 4]))
    with pytest.raises(ResultadoMudou, match="Nada foi publicado"):
        await resultados.publicar(gestora, "ED-1", "preliminar", seen.sha256)
    assert await resultados.versoes(gestora, "ED-1") == ()


async def test_another_version_says_why(triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    await published(resultados, gestora)
    with pytest.raises(PublicacaoInvalida, match="Diga o motivo"):
        await published(resultados, gestora, "   ")


async def test_another_seed_after_a_publication_is_refused(triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    await published(resultados, gestora)
    with pytest.raises(SementePublicada, match="semente “ED-1”"):
        await triagem.importar(scope, chamada([5, 9], replace(REGRAS, semente="outra")))
    assert (await resultados.rascunho(gestora, "ED-1", "preliminar")).conteudo.semente == "ED-1"
    assert len(await resultados.versoes(gestora, "ED-1")) == 1


async def test_a_final_result_waits_for_a_preliminary_one_and_for_its_recursos(
    triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope
) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    early = await resultados.rascunho(gestora, "ED-1", "final")
    assert [one.tipo for one in early.pendencias if one.impede] == ["sem_preliminar"]
    with pytest.raises(PublicacaoImpedida, match="depois de um preliminar"):
        await resultados.publicar(gestora, "ED-1", "final", early.sha256)
    await published(resultados, gestora, ate=HOJE + timedelta(days=2))
    running = await resultados.rascunho(gestora, "ED-1", "final")
    with pytest.raises(PublicacaoImpedida, match="ainda corre: 3 dias"):
        await resultados.publicar(gestora, "ED-1", "final", running.sha256)


@pytest.mark.parametrize("ate", [None, HOJE, HOJE + timedelta(days=3)])
async def test_days_for_recursos_that_were_announced_are_never_fewer(
    triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope, ate: date | None
) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    await published(resultados, gestora, ate=HOJE + timedelta(days=4))
    with pytest.raises(PublicacaoInvalida, match="ninguém o encurta"):
        await published(resultados, gestora, "Corrigida.", ate)
    assert await published(resultados, gestora, "Corrigida.", HOJE + timedelta(days=4)) == 2


@pytest.mark.parametrize(
    ("fase", "ate", "told"),
    [("preliminar", HOJE - timedelta(days=1), "já teria passado"), ("final", HOJE, "não abre prazo")],
)
async def test_a_date_for_recursos_that_cannot_be_is_told(
    triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope, fase: str, ate: date, told: str
) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    if fase == "final":
        await published(resultados, gestora)
    seen = await resultados.rascunho(gestora, "ED-1", "final" if fase == "final" else "preliminar")
    with pytest.raises(PublicacaoInvalida, match=told):
        await resultados.publicar(gestora, "ED-1", seen.conteudo.fase, seen.sha256, "", ate)


async def test_anybody_finds_a_version_by_its_code_and_nobody_one_of_another_organisation(
    triagem: Triagem, resultados: Resultados, gestora: Scope, scope: Scope
) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    await published(resultados, gestora)
    (last,) = await resultados.versoes(gestora, "ED-1")
    found, versions = await resultados.por_codigo(scope.tenant_id, last.codigo.lower())
    assert (found.publicada, versions) == (last, (last,))
    assert [(one.codigo, nome) for one, nome in await resultados.publicadas(scope.tenant_id)] == [(last.codigo, found.conteudo.edital_nome)]
    with pytest.raises(PublicacaoNotFound):
        await resultados.por_codigo("outra", last.codigo)


async def test_a_program_publishes_nothing(triagem: Triagem, resultados: Resultados, scope: Scope) -> None:
    await triagem.importar(scope, chamada([5, 9]))
    seen = await resultados.rascunho(scope, "ED-1", "preliminar")
    with pytest.raises(SemPermissao):
        await resultados.publicar(scope, "ED-1", "preliminar", seen.sha256)


def test_of_a_cpf_the_middle_goes_out_and_of_a_cnpj_all() -> None:
    assert public_document("529.982.247-25") == "***.982.247-**"
    assert public_document("11222333000181") == "11.222.333/0001-81"
    assert public_document("não tem") == ""
