"""The people who judge see what was given to them, and give notas."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import msgspec
import pytest

from chamadas import Falsos, Importacao, importacao
from crivo.kernel.access import SemPermissao, create_usuario
from crivo.kernel.access.usuarios import find_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import Avaliador
from crivo.triagem.erros import AvaliacaoIncompleta, AvaliacaoJaEnviada, NotaInvalida, ProjetoNotFound
from crivo.triagem.julgamento import Julgamento, NotaDada
from crivo.triagem.service import Triagem
from seguimento import Trabalhando, wait_for_end
from sujeitos import as_person

_PEOPLE = (Avaliador("Ana", "ana@exemplo.org", ("P0001", "P0002")), Avaliador("Bia", "bia@exemplo.org", ("P0003",)))


async def _acting(database: Database, scope: Scope, email: str) -> Scope:
    async with database.unit_of_work(scope) as uow:
        usuario = await find_usuario(uow, email)
    assert usuario is not None
    assert usuario.papel == "avaliador"
    return as_person(scope, usuario)


async def _given(triagem: Triagem, scope: Scope, *, hint_at_once: bool = True) -> None:
    given = importacao(3, avaliadores=_PEOPLE)
    edital = msgspec.structs.replace(given.chamada.edital, nota_antes_da_dica=not hint_at_once)
    await triagem.importar(scope, Importacao(msgspec.structs.replace(given.chamada, edital=edital), given.arquivos))


async def test_an_avaliador_reads_only_the_projects_assigned_to_them(
    triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    """Triagem 6/5: ("avaliadores veem apenas projetos atribuídos a eles")."""
    await _given(triagem, scope)
    ana = await _acting(database, scope, "ana@exemplo.org")
    assert [one.projeto_id for one in await julgamento.meus_projetos(ana)] == ["P0001", "P0002"]
    assert (await julgamento.projeto(ana, "ED-1", "P0001")).projeto.titulo == "Projeto 1"
    for edital_id, projeto_id in (("ED-1", "P0003"), ("ED-1", "P9999"), ("ED-9", "P0001")):
        with pytest.raises(ProjetoNotFound):
            await julgamento.projeto(ana, edital_id, projeto_id)
        with pytest.raises(ProjetoNotFound):
            await julgamento.registrar_nota(ana, edital_id, projeto_id, "C1", Decimal(7), "")
    elsewhere = Scope(new_tenant().tenant_id, ana.ator, ana.sujeito)
    with pytest.raises(SemPermissao):
        await julgamento.meus_projetos(elsewhere)
    with pytest.raises(SemPermissao):
        await julgamento.meus_projetos(scope)  # a program is nobody


async def test_a_nota_is_kept_and_the_last_one_counts(triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope) -> None:
    await _given(triagem, scope)
    ana = await _acting(database, scope, "ana@exemplo.org")
    for nota in ("7", "8.25"):
        await julgamento.registrar_nota(ana, "ED-1", "P0001", "C1", Decimal(nota), "Bom.")
    await julgamento.registrar_nota(ana, "ED-1", "P0001", "C2", Decimal(0), "")
    notas = await julgamento.notas(scope, "ED-1")
    assert [(one.projeto_id, one.criterio, one.nota, one.texto) for one in notas] == [
        ("P0001", "C1", Decimal("8.25"), "Bom."),
        ("P0001", "C2", Decimal(0), ""),
    ]
    assert [(one.projeto_id, one.avaliado) for one in await julgamento.meus_projetos(ana)] == [("P0001", True), ("P0002", False)]


@pytest.mark.parametrize(
    ("criterio", "nota", "texto"),
    [
        ("C1", "10.01", ""),
        ("C1", "-1", ""),
        ("C1", "NaN", ""),
        ("C1", "7.123", ""),
        ("C9", "7", ""),
        ("C1", "7", "x" * 20_001),
        ("C1", "7", "\0"),
    ],
)
async def test_a_nota_that_cannot_be_is_refused(
    triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope, criterio: str, nota: str, texto: str
) -> None:
    await _given(triagem, scope)
    ana = await _acting(database, scope, "ana@exemplo.org")
    with pytest.raises(NotaInvalida):
        await julgamento.registrar_nota(ana, "ED-1", "P0001", criterio, Decimal(nota), texto)


@pytest.mark.parametrize(("hint_at_once", "first"), [(True, ["C1", "C2"]), (False, [])])
async def test_the_hint_of_a_criterio_waits_for_ones_own_nota_where_the_edital_asks_so(
    triagem: Triagem,
    julgamento: Julgamento,
    trabalhando: Trabalhando,
    database: Database,
    scope: Scope,
    hint_at_once: bool,
    first: list[str],
) -> None:
    """Triagem 5.2/3: Source: design, Reading ("so that the hint does not anchor it")."""
    await _given(triagem, scope, hint_at_once=hint_at_once)
    ana = await _acting(database, scope, "ana@exemplo.org")
    assert (await julgamento.projeto(ana, "ED-1", "P0001")).triado is None
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    assert await _hinted(julgamento, ana) == first
    await julgamento.registrar_nota(ana, "ED-1", "P0001", "C2", Decimal(9), "")
    assert "C2" in await _hinted(julgamento, ana)
    assert ("C1" in await _hinted(julgamento, ana)) is hint_at_once


async def test_a_draft_is_its_authors_alone_until_it_is_sent(
    triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    await _given(triagem, scope)
    ana = await _acting(database, scope, "ana@exemplo.org")
    both = [NotaDada("C1", Decimal(7), "Bom."), NotaDada("C2", Decimal(9))]
    await julgamento.salvar(ana, "ED-1", "P0001", both[:1])
    with pytest.raises(AvaliacaoIncompleta, match="Faltam: Alcance"):
        await julgamento.enviar(ana, "ED-1", "P0001")
    await julgamento.salvar(ana, "ED-1", "P0001", both)
    assert await julgamento.notas(scope, "ED-1") == ()
    assert [(one.avaliado, one.comecado) for one in await julgamento.meus_projetos(ana)] == [(False, True), (False, False)]
    for _ in range(2):
        await julgamento.enviar(ana, "ED-1", "P0001")
    sent = await julgamento.notas(scope, "ED-1")
    assert [(one.criterio, one.nota) for one in sent] == [("C1", Decimal(7)), ("C2", Decimal(9))]
    assert len({one.enviada_em for one in sent}) == 1
    for change in (julgamento.salvar, julgamento.registrar_notas):
        with pytest.raises(AvaliacaoJaEnviada):
            await change(ana, "ED-1", "P0001", both)


async def test_a_draft_holds_a_nota_a_text_or_both_and_what_is_sent_has_every_nota(
    triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    await _given(triagem, scope)
    ana = await _acting(database, scope, "ana@exemplo.org")
    await julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", Decimal(7)), NotaDada("C2", None, "Alcança a serra.")])
    para = await julgamento.projeto(ana, "ED-1", "P0001")
    assert [(one.criterio, one.nota, one.texto) for one in para.minhas] == [("C1", Decimal(7), "")]
    assert [(one.criterio, one.texto) for one in para.sem_nota] == [("C2", "Alcança a serra.")]
    with pytest.raises(AvaliacaoIncompleta, match="Faltam: Alcance"):
        await julgamento.enviar(ana, "ED-1", "P0001")
    with pytest.raises(NotaInvalida, match="Falta a nota de 'Alcance'"):
        await julgamento.registrar_notas(ana, "ED-1", "P0001", [NotaDada("C2", None, "Alcança a serra.")])
    await julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", None, "Pensando melhor."), NotaDada("C2", Decimal(9), "Alcança.")])
    para = await julgamento.projeto(ana, "ED-1", "P0001")
    assert [one.criterio for one in para.minhas] == ["C2"]  # a nota may be taken back while it is a draft
    assert [one.criterio for one in para.sem_nota] == ["C1"]
    await julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", Decimal(6), "Pensando melhor.")])
    await julgamento.enviar(ana, "ED-1", "P0001")
    assert [(one.nota, one.texto) for one in await julgamento.notas(scope, "ED-1")] == [
        (Decimal(6), "Pensando melhor."),
        (Decimal(9), "Alcança."),
    ]


async def test_a_text_alone_is_begun_opens_no_hint_and_is_nobody_elses(
    triagem: Triagem, julgamento: Julgamento, trabalhando: Trabalhando, database: Database, scope: Scope
) -> None:
    await _given(triagem, scope, hint_at_once=False)
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    ana = await _acting(database, scope, "ana@exemplo.org")
    await julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", None, "Um segredo.")])
    assert [(one.avaliado, one.comecado) for one in await julgamento.meus_projetos(ana)] == [(False, True), (False, False)]
    assert await _hinted(julgamento, ana) == []
    assert await julgamento.notas(scope, "ED-1") == ()
    assert [one.enviadas for one in await julgamento.incumbencias(scope, "ED-1")] == [0, 0, 0]
    await julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", None)])
    assert [one.comecado for one in await julgamento.meus_projetos(ana)] == [False, False]
    for texto in ("x" * 20_001, "\0"):
        with pytest.raises(NotaInvalida, match="caracteres"):
            await julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", None, texto)])


async def test_only_whoever_manages_gives_back_what_was_sent(
    triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    await _given(triagem, scope)
    ana = await _acting(database, scope, "ana@exemplo.org")
    await julgamento.registrar_notas(ana, "ED-1", "P0001", [NotaDada("C1", Decimal(7)), NotaDada("C2", Decimal(9))])
    (first, *_) = await julgamento.incumbencias(scope, "ED-1")
    assert (first.projeto_id, first.nome, first.enviadas) == ("P0001", "Ana", 2)
    for nobody in (ana, scope):
        with pytest.raises(SemPermissao):
            await julgamento.reabrir(nobody, "ED-1", "P0001", first.avaliador)
    async with database.unit_of_work(scope) as uow:
        gestora = await create_usuario(uow, SystemClock().now(), Uuid7(SystemClock()).new(), "Lia", "lia@exemplo.org", "gestor")
    manager = as_person(scope, gestora)
    with pytest.raises(ProjetoNotFound):
        await julgamento.reabrir(manager, "ED-1", "P9999", first.avaliador)
    await julgamento.reabrir(manager, "ED-1", "P0001", first.avaliador)
    assert await julgamento.notas(scope, "ED-1") == ()
    await julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", Decimal(8))])
    await julgamento.enviar(ana, "ED-1", "P0001")
    assert [one.nota for one in await julgamento.notas(scope, "ED-1")] == [Decimal(8), Decimal(9)]


async def test_people_imported_again_keep_their_notas(triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope) -> None:
    await _given(triagem, scope)
    ana = await _acting(database, scope, "ana@exemplo.org")
    await julgamento.registrar_nota(ana, "ED-1", "P0002", "C1", Decimal(7), "")
    await _given(triagem, scope)
    assert await _acting(database, scope, "ANA@exemplo.org") == ana
    assert [one.nota for one in await julgamento.notas(scope, "ED-1")] == [Decimal(7)]


async def _hinted(julgamento: Julgamento, ana: Scope) -> list[str]:
    triado = (await julgamento.projeto(ana, "ED-1", "P0001")).triado
    assert triado is not None
    return [one.criterio for one in triado.leitura]
