"""People confirm and dismiss cases; what they said stays with a case as long as its cause is found. Source: design, The mesa."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
from sqlalchemy.exc import ProgrammingError

from chamadas import Falsos, Importacao, importacao
from crivo.auditoria.conferencia import Auditoria
from crivo.kernel.access import SemPermissao, create_usuario, list_usuarios
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.sigilo.pessoas import Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.casos.guardados import SUMIDO, Caso
from crivo.triagem.edital import Avaliador, EditalNotFound, Projeto, Proponente
from crivo.triagem.erros import CasoInvalido, CasoMudou, CasoMudouEmOutraAba, CasoNotFound
from crivo.triagem.service import Triagem
from crivo.triagem.storage import casos as storage_casos
from crivo.triagem.storage import editais
from crivo.triagem.tratamento import LONGEST_TEXT, Casos
from procura_em_tudo import in_tables, spellings
from seguimento import Trabalhando, wait_for_end
from sujeitos import as_person, as_program

EDITAL = "ED-1"
MOTIVO = "São duas etapas do mesmo projeto, aprovadas em ata."


@pytest.fixture
def casos(database: Database) -> Casos:
    return Casos(database, SystemClock(), Uuid7(SystemClock()).new)


async def person(database: Database, scope: Scope, nome: str = "Lia", papel: str = "gestor") -> Scope:
    async with database.unit_of_work(scope) as uow:
        made = await create_usuario(uow, SystemClock().now(), uuid4(), nome, f"{uuid4()}@exemplo.org", papel)
    return as_person(scope, made)


def id_of(who: Scope) -> UUID:
    return UUID(who.ator.partition(":")[2])


async def screened(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope, made: Importacao | None = None, falsos: Falsos | None = None
) -> None:
    """A call of four projects, screened: P0001 has the text of P0003, and P0002 that of P0004."""
    await triagem.importar(scope, made or importacao(4))
    await triagem.executar(scope, EDITAL)
    async with trabalhando(falsos or Falsos()):
        await wait_for_end(triagem, scope, EDITAL)


def line(caso: Caso) -> tuple[int, tuple[str, ...], str, bool]:
    return caso.numero, caso.projetos, caso.situacao, caso.presente


async def test_what_two_projects_have_in_common_is_a_case_with_a_number_and_its_signs(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope, falsos=Falsos(marcados=frozenset({"P0002"})))
    found = await casos.listar(scope, EDITAL)
    assert [(one.numero, one.gravidade, one.projetos, [sinal.tipo for sinal in one.sinais]) for one in found] == [
        (1, "grave", ("P0002",), ["texto_oculto", "texto_instrucional"]),
        (2, "leve", ("P0001", "P0003"), ["similaridade"]),
        (3, "leve", ("P0002", "P0004"), ["similaridade"]),
    ]
    assert await casos.abrir(scope, EDITAL, 2) == found[1]
    by_project = await casos.dos_projetos(scope, EDITAL, ["P0002", "P0003", "P0009"])
    assert {codigo: [one.numero for one in its] for codigo, its in by_project.items()} == {"P0002": [1, 3], "P0003": [2]}
    with pytest.raises(CasoNotFound):
        await casos.abrir(scope, EDITAL, 4)


async def test_a_case_that_was_confirmed_weighs_on_its_projects_as_an_open_one_and_one_dismissed_does_not(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    lia = await person(database, scope)
    codigo = (await casos.abrir(scope, EDITAL, 1)).projetos[0]

    async def weighing() -> list[str]:
        async with database.unit_of_work(scope) as uow:
            edital = await editais.get_by_codigo(uow, EDITAL)
            found = await storage_casos.pending_of(uow, edital.id, [codigo])
        return [said for said in found.get(codigo, ()) if said.startswith("Caso 1:")]

    assert [said.endswith(", confirmado") for said in await weighing()] == [False]
    confirmed = await casos.decidir(lia, EDITAL, 1, "confirmado", MOTIVO, 0)
    assert [said.endswith(", confirmado") for said in await weighing()] == [True]
    await casos.decidir(lia, EDITAL, 1, "descartado", MOTIVO, confirmed.versao)
    assert await weighing() == []


async def test_a_case_is_confirmed_dismissed_and_taken_back_and_all_of_it_stays_readable(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    lia, davi = await person(database, scope), await person(database, scope, "Davi")
    first = await casos.decidir(lia, EDITAL, 1, "confirmado", MOTIVO, 0)
    assert (first.situacao, first.motivo, first.decidido_por_nome, first.versao, first.pendente) == ("confirmado", MOTIVO, "Lia", 1, False)
    second = await casos.decidir(davi, EDITAL, 1, "descartado", "Conferi: é do mesmo grupo.", first.versao)
    assert (second.situacao, second.decidido_por) == ("descartado", id_of(davi))
    third = await casos.desfazer(lia, EDITAL, 1, second.versao)
    assert (third.situacao, third.motivo, third.decidido_por_nome) == ("confirmado", MOTIVO, "Lia")
    fourth = await casos.desfazer(lia, EDITAL, 1, third.versao)
    assert (fourth.situacao, fourth.motivo, fourth.versao, fourth.decisoes) == ("aberto", "", 4, ())
    assert [(one.tipo, one.por_nome) for one in fourth.historia] == [
        ("decisao", "Lia"),
        ("decisao", "Davi"),
        ("desfeita", "Lia"),
        ("desfeita", "Lia"),
    ]
    with pytest.raises(CasoInvalido):
        await casos.desfazer(lia, EDITAL, 1, fourth.versao)
    assert [line(one) for one in await casos.listar(scope, EDITAL, "aberto")] == [
        (1, ("P0001", "P0003"), "aberto", True),
        (2, ("P0002", "P0004"), "aberto", True),
    ]


async def test_of_two_who_decide_at_once_one_is_told_what_the_other_said(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    people = [await person(database, scope, f"Pessoa {at}") for at in range(4)]
    decide = [casos.decidir(who, EDITAL, 1, "confirmado", f"Motivo da pessoa {at}.", 0) for at, who in enumerate(people)]
    done = await asyncio.gather(*decide, return_exceptions=True)
    (kept,) = [one for one in done if isinstance(one, Caso)]
    told = [one for one in done if isinstance(one, CasoMudou)]
    assert len(told) == 3
    assert {(one.caso.motivo, one.caso.decidido_por_nome) for one in told} == {(kept.motivo, kept.decidido_por_nome)}
    stands = await casos.abrir(scope, EDITAL, 1)
    assert (stands.versao, stands.motivo) == (1, kept.motivo)
    with pytest.raises(CasoMudou):
        await casos.desfazer(people[0], EDITAL, 1, 0)
    whose = next(who for who, one in zip(people, done, strict=True) if one is kept)
    with pytest.raises(CasoMudouEmOutraAba, match="Você mexeu neste caso em outra aba"):
        await casos.decidir(whose, EDITAL, 1, "descartado", MOTIVO, 0)


@pytest.mark.parametrize(
    ("situacao", "motivo"),
    [("confirmado", ""), ("descartado", "  não "), ("talvez", MOTIVO), ("confirmado", "x" * (LONGEST_TEXT + 1)), ("aberto", MOTIVO)],
)
async def test_a_decision_that_says_too_little_or_too_much_is_refused(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope, situacao: str, motivo: str
) -> None:
    await screened(triagem, trabalhando, scope)
    lia = await person(database, scope)
    with pytest.raises(CasoInvalido):
        await casos.decidir(lia, EDITAL, 1, situacao, motivo, 0)  # type: ignore[arg-type]
    for texto in ("", "   ", "x" * (LONGEST_TEXT + 1)):
        with pytest.raises(CasoInvalido):
            await casos.anotar(lia, EDITAL, 1, texto)
    assert (await casos.abrir(scope, EDITAL, 1)).historia == ()


async def test_a_case_has_an_owner_who_manages_and_notes_that_never_stand_in_the_way_of_a_decision(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    lia, davi, rita = [
        await person(database, scope, nome, papel) for nome, papel in (("Lia", "gestor"), ("Davi", "admin"), ("Rita", "avaliador"))
    ]
    taken = await casos.assumir(lia, EDITAL, 1, id_of(davi))
    assert (taken.dono, taken.dono_nome) == (id_of(davi), "Davi")
    await casos.anotar(lia, EDITAL, 1, "Pedi a ata ao grupo.")
    await casos.anotar(davi, EDITAL, 1, "A ata chegou.")
    decided = await casos.decidir(davi, EDITAL, 1, "descartado", MOTIVO, 0)
    assert [(one.texto, one.por_nome) for one in decided.anotacoes] == [("Pedi a ata ao grupo.", "Lia"), ("A ata chegou.", "Davi")]
    assert (await casos.assumir(davi, EDITAL, 1, None)).dono is None
    for nobody in (id_of(rita), uuid4()):
        with pytest.raises(CasoInvalido):
            await casos.assumir(lia, EDITAL, 1, nobody)


async def test_a_new_run_keeps_what_people_said_and_tells_what_is_gone_and_what_is_new(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    lia = await person(database, scope)
    await casos.decidir(lia, EDITAL, 1, "descartado", MOTIVO, 0)
    await casos.anotar(lia, EDITAL, 2, "Ver com o grupo.")
    other = importacao(4, mudados={"P0004": "Um texto que é só dele.", "P0002": "Outro que é só dele."})
    await screened(triagem, trabalhando, scope, other, Falsos(marcados=frozenset({"P0004"})))
    found = await casos.listar(scope, EDITAL)
    assert [line(one) for one in found] == [
        (3, ("P0004",), "aberto", True),
        (1, ("P0001", "P0003"), "descartado", True),
        (2, ("P0002", "P0004"), "aberto", False),
    ]
    assert (found[1].motivo, found[2].anotacoes[0].texto, [one.tipo for one in found[2].sinais]) == (
        MOTIVO,
        "Ver com o grupo.",
        ["similaridade"],
    )
    assert [one.numero for one in await casos.listar(scope, EDITAL, SUMIDO)] == [2]
    assert [one.numero for one in (await casos.dos_projetos(scope, EDITAL, ["P0002"])).get("P0002", ())] == []
    await screened(triagem, trabalhando, scope)  # and as it was before
    assert [(*line(one)[:2], one.presente, len(one.anotacoes)) for one in await casos.listar(scope, EDITAL)] == [
        (1, ("P0001", "P0003"), True, 0),
        (2, ("P0002", "P0004"), True, 1),
        (3, ("P0004",), False, 0),
    ]


async def test_a_run_that_finds_the_same_again_changes_nothing(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    lia = await person(database, scope)
    before = await casos.decidir(lia, EDITAL, 1, "confirmado", MOTIVO, 0)
    await triagem.executar(scope, EDITAL, "habilitacao")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, EDITAL)
    assert await casos.abrir(scope, EDITAL, 1) == before  # a run that does not look for signs says nothing of cases
    await triagem.executar(scope, EDITAL)
    async with trabalhando(falsos := Falsos()):
        await wait_for_end(triagem, scope, EDITAL)
    assert not any(one.startswith("irregularidades") for one in falsos.chamadas)
    assert await casos.abrir(scope, EDITAL, 1) == before


async def test_what_comes_to_a_case_after_its_decision_is_told_and_waits_to_be_seen(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    lia = await person(database, scope)
    await casos.decidir(lia, EDITAL, 1, "descartado", MOTIVO, 0)
    async with database.unit_of_work(scope) as uow:  # as it was when less had been found
        await uow.connection.exec_driver_sql("update triagem_casos set tipos = '{similaridade, texto_reutilizado}' where numero = 1")
    found = await casos.abrir(scope, EDITAL, 1)
    assert (found.situacao, found.mudou, found.pendente) == ("descartado", ("texto_reutilizado",), True)
    again = await casos.decidir(lia, EDITAL, 1, "descartado", "Também conferi os trechos.", found.versao)
    assert (again.mudou, again.pendente) == ((), False)


async def test_a_case_is_undecided_by_a_run_in_between_only_where_it_is_another_case(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    """Somebody looks, a run ends that finds the same, somebody decides: what they saw is what they decide."""
    await screened(triagem, trabalhando, scope)
    lia = await person(database, scope)
    seen = await casos.abrir(lia, EDITAL, 1)
    await screened(triagem, trabalhando, scope, importacao(4, mudados={"P0004": "Só dele."}))
    decided = await casos.decidir(lia, EDITAL, 1, "confirmado", MOTIVO, seen.versao)
    assert (decided.situacao, decided.projetos) == ("confirmado", seen.projetos)


async def test_a_case_of_a_withdrawn_project_stays_and_can_be_decided(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    await triagem.importar(scope, with_projects(importacao(4), lambda projetos: projetos[:-1]))
    lia = await person(database, scope)
    decided = await casos.decidir(lia, EDITAL, 2, "descartado", MOTIVO, 0)
    assert line(decided) == (2, ("P0002", "P0004"), "descartado", True)
    await triagem.executar(scope, EDITAL)
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, EDITAL)
    gone = await casos.abrir(scope, EDITAL, 2)
    assert (line(gone), gone.motivo) == ((2, ("P0002", "P0004"), "descartado", False), MOTIVO)


CPF, OUTRO_CPF, NOME = "529.982.247-25", "111.444.777-35", "Iolanda Quintanilha"


def with_projects(made: Importacao, change: Callable[[Sequence[Projeto]], Sequence[Projeto]]) -> Importacao:
    """The same call with other projects."""
    return replace(made, chamada=msgspec.structs.replace(made.chamada, projetos=tuple(change(made.chamada.projetos))))


def hers(projetos: Sequence[Projeto]) -> list[Projeto]:
    """P0001 and P0003 are of one person each."""
    cpfs = (CPF, "", OUTRO_CPF, "")
    return [
        msgspec.structs.replace(one, proponente=Proponente(NOME, cpf, f"{cpf[:3]}@correio.exemplo")) if cpf else one
        for one, cpf in zip(projetos, cpfs, strict=True)
    ]


async def test_reasons_and_notes_stand_nowhere_in_the_clear_and_are_read_by_nobody_once_a_project_is_erased(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    await screened(triagem, trabalhando, scope, with_projects(importacao(4), hers))
    lia = await person(database, scope)
    await casos.decidir(lia, EDITAL, 1, "descartado", f"{NOME} mostrou o contrato.", 0)
    await casos.anotar(lia, EDITAL, 1, f"Falei com {NOME}.")
    assert (await casos.abrir(lia, EDITAL, 1)).motivo == f"{NOME} mostrou o contrato."
    assert in_tables(urls[0], scope.tenant_id, spellings(NOME, "mostrou o contrato", "Falei com")) == []
    pessoas = Pessoas(database, SystemClock(), (AcervoDeTriagem(),))
    await pessoas.apagar(scope, CPF, "pedido")
    left = await casos.abrir(lia, EDITAL, 1)
    assert (left.situacao, left.motivo, left.anotacoes[0].texto, left.sinais) == ("descartado", None, None, ())
    again = await casos.decidir(lia, EDITAL, 1, "confirmado", "O outro projeto é o original.", left.versao)
    assert again.motivo == "O outro projeto é o original."  # under the key of the project that is left
    await pessoas.apagar(scope, OUTRO_CPF, "pedido")
    with pytest.raises(DadosApagados):
        await casos.decidir(lia, EDITAL, 1, "descartado", MOTIVO, again.versao)
    assert (await casos.abrir(lia, EDITAL, 1)).situacao == "confirmado"
    assert (await Auditoria(database, SystemClock()).conferir(scope)).integra


async def test_the_audit_tells_of_each_act_without_a_word_of_it_and_finds_what_was_rewritten(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    await screened(triagem, trabalhando, scope)
    lia = await person(database, scope)
    await casos.assumir(lia, EDITAL, 1, id_of(lia))
    await casos.anotar(lia, EDITAL, 1, "Uma anotação.")
    await casos.decidir(lia, EDITAL, 1, "confirmado", MOTIVO, 0)
    await casos.desfazer(lia, EDITAL, 1, 1)
    async with database.unit_of_work(scope) as uow:
        entries = [one for one in await list_latest(uow, 10) if one.acao.startswith("caso.")]
    assert [(one.acao, one.ator) for one in reversed(entries)] == [
        (acao, lia.ator) for acao in ("caso.assumido", "caso.anotado", "caso.decidido", "caso.desfeito")
    ]
    assert not any("duas etapas" in one.dados or "anotação" in one.dados for one in entries)
    auditoria = Auditoria(database, SystemClock())
    held = await auditoria.conferir(scope)
    assert (held.integra, held.linhas.linhas, held.linhas.sem_selo) == (True, 4, 0)
    with psycopg.connect(libpq_url(urls[0])) as owner:
        owner.execute("update triagem_caso_ditos set situacao = 'descartado' where tenant_id = %s and versao = 1", (scope.tenant_id,))
    assert [one.motivo for one in (await auditoria.conferir(scope)).linhas.quebras] == ["registro_alterado"]


async def test_what_was_said_cannot_be_rewritten_by_the_program_itself(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope)
    lia = await person(database, scope)
    await casos.decidir(lia, EDITAL, 1, "confirmado", MOTIVO, 0)
    for statement in ("update triagem_caso_ditos set situacao = 'aberto'", "delete from triagem_caso_ditos", "delete from triagem_casos"):
        with pytest.raises(ProgrammingError, match="permission denied"):
            async with database.unit_of_work(scope) as uow:
                await uow.connection.exec_driver_sql(statement)


async def test_only_a_person_who_manages_decides_and_other_tenants_see_nothing(
    triagem: Triagem,
    trabalhando: Trabalhando,
    casos: Casos,
    database: Database,
    scope: Scope,
    new_tenant: Callable[[], Scope],
) -> None:
    await screened(triagem, trabalhando, scope)
    program = as_program(scope.tenant_id, "chave:x")
    for who in (scope, program, await person(database, scope, papel="avaliador")):
        with pytest.raises(SemPermissao):
            await casos.decidir(who, EDITAL, 1, "confirmado", MOTIVO, 0)
    assert len(await casos.listar(program, EDITAL)) == 2
    elsewhere = await person(database, new_tenant())
    with pytest.raises(EditalNotFound):
        await casos.listar(elsewhere, EDITAL)
    with pytest.raises(EditalNotFound):
        await casos.decidir(elsewhere, EDITAL, 1, "confirmado", MOTIVO, 0)


async def test_whoever_judges_is_told_of_the_cases_of_their_projects_and_of_nothing_else(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    rita = await person(database, scope, "Rita", "avaliador")
    async with database.unit_of_work(scope) as uow:
        (email,) = [one.email for one in await list_usuarios(uow) if one.id == id_of(rita)]
    await screened(triagem, trabalhando, scope, importacao(4, avaliadores=(Avaliador("Rita", email, ("P0001",)),)))
    lia = await person(database, scope)
    await casos.anotar(lia, EDITAL, 1, "Só a gestão lê isto.")
    await casos.decidir(lia, EDITAL, 1, "confirmado", "P0003 é o original.", 0)
    (seen,) = await casos.listar(rita, EDITAL)
    assert (seen.numero, seen.projetos, seen.situacao, seen.sinais, seen.motivo, seen.anotacoes) == (
        1,
        ("P0001",),
        "confirmado",
        (),
        "",
        (),
    )
    assert "P0003" not in repr(seen)
    assert set(await casos.dos_projetos(rita, EDITAL, ["P0001", "P0003"])) == {"P0001"}
    with pytest.raises(CasoNotFound):
        await casos.abrir(rita, EDITAL, 2)
    other = await person(database, scope, "Ana", "avaliador")
    with pytest.raises(EditalNotFound):
        await casos.listar(other, EDITAL)


async def test_a_conflict_of_interest_is_told_to_nobody_who_judges(
    triagem: Triagem, trabalhando: Trabalhando, casos: Casos, database: Database, scope: Scope
) -> None:
    rita = await person(database, scope, "Rita", "avaliador")
    async with database.unit_of_work(scope) as uow:
        (email,) = [one.email for one in await list_usuarios(uow) if one.id == id_of(rita)]
    await screened(triagem, trabalhando, scope, importacao(2, avaliadores=(Avaliador("Rita", email, ("P0001", "P0002")),)))
    async with database.unit_of_work(scope) as uow:
        await uow.connection.exec_driver_sql("update triagem_casos set tipos = '{conflito_de_interesse}'")
    assert len(await casos.listar(scope, EDITAL)) == 1
    assert await casos.listar(rita, EDITAL) == ()
    assert await casos.dos_projetos(rita, EDITAL, ["P0001"]) == {}
    with pytest.raises(CasoNotFound):
        await casos.abrir(rita, EDITAL, 1)
