"""Editais that people write, over a real database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from itertools import count
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest

from chamadas import VERSOES, Falsos, importacao
from crivo.kernel.access import create_usuario, get_usuario
from crivo.kernel.audit import verify_tenant
from crivo.kernel.autorizar import SemPermissao
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.chamadas.definicao import to_json
from crivo.triagem.chamadas.servico import Chamadas
from crivo.triagem.edital import (
    Avaliador,
    Chamada,
    Condicao,
    Criterio,
    DocumentoProprio,
    Edital,
    EditalNotFound,
    Inscricoes,
    RequisitoCondicao,
    RequisitoDocumento,
)
from crivo.triagem.erros import EditalEmTriagem, EditalJaExiste, EditalMudou, MudancaRecusada, ProjetosSairiam
from crivo.triagem.importacao import ImportacaoRecusada, read_chamada
from crivo.triagem.importacao.leitura import Importacao
from crivo.triagem.julgamento import Julgamento, NotaDada
from crivo.triagem.service import Acolhida, Triagem
from seguimento import Trabalhando, wait_for_end
from sujeitos import as_person

ATA = DocumentoProprio("ATA", "Ata da roda", ("ata da roda",))
NOVA = Chamada(
    Edital(
        "ED-9",
        "Edital novo",
        inscricoes=Inscricoes(date(2026, 8, 1), date(2026, 9, 15)),
        documentos_proprios=(ATA,),
        categorias=("Música",),
    ),
    (RequisitoDocumento("R1", "ATA", quando=Condicao("tipo", "igual", "PJ")), RequisitoCondicao("R2", "municipio", "igual", "Caucaia")),
    (Criterio("C1", "Mérito", peso=Decimal("1.5")),),
)


@pytest.fixture
def chamadas(database: Database) -> Chamadas:
    clock = SystemClock()
    return Chamadas(database, clock, Uuid7(clock).new, lambda: VERSOES)


def projects(folder: Path, documento: object, files: dict[str, bytes] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "projetos.json").write_text(json.dumps(documento))
    for nome, content in (files or {}).items():
        (folder / nome).write_bytes(content)
    return folder


def sent(*codigos: str, **campos: object) -> dict[str, object]:
    return {"projetos": [{"id": codigo, "titulo": "T", "proponente": {"nome": "Ana"}, "campos": campos} for codigo in codigos]}


async def brought(
    chamadas: Chamadas, triagem: Triagem, scope: Scope, source: Path, edital_id: str = "ED-9", *, retirar: bool = False
) -> Importacao:
    acolhedor, visto = await chamadas.acolher(scope, edital_id)
    lida = read_chamada(source, acolhedor=acolhedor)
    await triagem.importar(scope, lida, acolhida=Acolhida(visto, retirar))
    return lida


async def test_an_edital_that_somebody_writes_is_there_without_projects(chamadas: Chamadas, triagem: Triagem, scope: Scope) -> None:
    await chamadas.criar(scope, NOVA)
    aberta = await chamadas.abrir(scope, "ED-9")
    assert (aberta.chamada, aberta.visto, aberta.projetos, aberta.em_triagem) == (NOVA, 1, 0, False)
    assert [one.edital_id for one in await triagem.editais(scope)] == ["ED-9"]


async def test_a_new_edital_takes_no_others_place(chamadas: Chamadas, triagem: Triagem, scope: Scope) -> None:
    given = importacao(1, "ED-9")
    await triagem.importar(scope, given)
    with pytest.raises(EditalJaExiste):
        await chamadas.criar(scope, NOVA)
    assert await triagem.edital(scope, "ED-9") == given.chamada


async def test_of_two_that_begin_the_same_edital_at_once_one_does(chamadas: Chamadas, scope: Scope) -> None:
    came = await asyncio.gather(*(chamadas.criar(scope, NOVA) for _ in range(2)), return_exceptions=True)
    assert sorted(type(one).__name__ for one in came) == ["EditalJaExiste", "NoneType"]
    assert (await chamadas.abrir(scope, "ED-9")).visto == 1


async def test_projects_come_into_an_edital_and_are_screened_by_it(
    chamadas: Chamadas, triagem: Triagem, trabalhando: Trabalhando, scope: Scope, tmp_path: Path
) -> None:
    await chamadas.criar(scope, NOVA)
    documento = sent("P1", "P2", municipio="Caucaia", tipo="PF")
    documento["projetos"][0]["documentos"] = [{"requisito": "R1", "arquivo": "ata.txt"}]  # type: ignore[index]
    lida = await brought(chamadas, triagem, scope, projects(tmp_path / "um", documento, {"ata.txt": b"ATA DA RODA"}))
    assert {aviso.codigo for aviso in lida.avisos} == {"sem_texto", "categoria_fora_da_lista"}
    edital = await triagem.edital(scope, "ED-9")
    assert (edital.edital, edital.requisitos, edital.criterios) == (NOVA.edital, NOVA.requisitos, NOVA.criterios)
    assert [one.id for one in edital.projetos] == ["P1", "P2"]
    async with trabalhando(Falsos()):
        await triagem.executar(scope, "ED-9", "habilitacao")
        await wait_for_end(triagem, scope, "ED-9")
    assert len((await triagem.resultado(scope, "ED-9")).projetos) == 2


async def test_projects_that_do_not_come_are_not_taken_out_unless_that_is_said(
    chamadas: Chamadas, triagem: Triagem, scope: Scope, tmp_path: Path
) -> None:
    await chamadas.criar(scope, NOVA)
    await brought(chamadas, triagem, scope, projects(tmp_path, sent("P1", "P2")))
    with pytest.raises(ProjetosSairiam, match="1 projeto que está no edital: P2"):
        await brought(chamadas, triagem, scope, projects(tmp_path, sent("P1")))
    assert len((await triagem.edital(scope, "ED-9")).projetos) == 2
    await brought(chamadas, triagem, scope, projects(tmp_path, sent("P1")), retirar=True)
    assert [one.id for one in (await triagem.edital(scope, "ED-9")).projetos] == ["P1"]


async def test_who_judges_stays_where_the_file_names_nobody(chamadas: Chamadas, triagem: Triagem, scope: Scope, tmp_path: Path) -> None:
    await chamadas.criar(scope, NOVA)
    first = sent("P1", "P2") | {"avaliadores": [{"nome": "Rui", "email": "rui@exemplo.org", "projetos": ["P1", "P2"]}]}
    await brought(chamadas, triagem, scope, projects(tmp_path, first))
    await brought(chamadas, triagem, scope, projects(tmp_path, sent("P2", "P3")), retirar=True)
    assert (await triagem.edital(scope, "ED-9")).avaliadores == (Avaliador("Rui", "rui@exemplo.org", ("P2",)),)


async def test_an_edital_that_was_changed_meanwhile_takes_no_projects(
    chamadas: Chamadas, triagem: Triagem, scope: Scope, tmp_path: Path
) -> None:
    await chamadas.criar(scope, NOVA)
    acolhedor, visto = await chamadas.acolher(scope, "ED-9")
    lida = read_chamada(projects(tmp_path, sent("P1")), acolhedor=acolhedor)
    changed = msgspec.structs.replace(NOVA, criterios=())
    await chamadas.salvar(scope, "ED-9", changed, visto)
    with pytest.raises(EditalMudou):
        await triagem.importar(scope, lida, acolhida=Acolhida(visto))
    assert (await chamadas.abrir(scope, "ED-9")).chamada == changed


@pytest.mark.parametrize(
    ("documento", "codigo"),
    [
        ({"edital": {"id": "ED-1"}, "projetos": []}, "arquivo_com_edital"),
        (sent("P1") | {"requisitos": []}, "arquivo_com_edital"),
        (sent("P1") | {"edital": {"id": "ED-9", "nome": "Outro"}}, "arquivo_com_edital"),
        ({"projetos": []}, "sem_projetos"),
        ([], "sem_projetos"),
        (sent("P1") | {"premios": 1}, "campo_desconhecido"),
        ({"projetos": [{"id": "P1"}]}, "campo_ausente"),
        (
            {
                "projetos": [
                    {"id": "P1", "titulo": "T", "proponente": {"nome": "A"}, "documentos": [{"requisito": "R9", "arquivo": "a.pdf"}]}
                ]
            },
            "requisito_desconhecido",
        ),
    ],
)
async def test_a_file_that_is_not_of_projects_alone_is_refused_with_why(
    chamadas: Chamadas, triagem: Triagem, scope: Scope, tmp_path: Path, documento: object, codigo: str
) -> None:
    await chamadas.criar(scope, NOVA)
    with pytest.raises(ImportacaoRecusada) as refused:
        await brought(chamadas, triagem, scope, projects(tmp_path, documento))
    assert codigo in {problem.codigo for problem in refused.value.problemas}
    assert (await chamadas.abrir(scope, "ED-9")).projetos == 0


async def test_registrations_of_the_platform_come_into_an_edital_of_ones_own(
    chamadas: Chamadas, triagem: Triagem, scope: Scope, tmp_path: Path
) -> None:
    requisitos = (RequisitoDocumento("R1", "PORTFOLIO"), RequisitoDocumento("R2", "OUTRO", descricao="Carta do mestre"))
    await chamadas.criar(scope, msgspec.structs.replace(NOVA, requisitos=requisitos))
    groups = {"rfc_1": "Portfólio do grupo", "rfc_2": "carta do MESTRE", "rfc_3": "Croqui do palco"}
    export = {
        "opportunity": {"id": 7, "name": "Outra coisa"},
        "registrationFileConfigurations": [{"id": key[-1], "groupName": key, "title": title} for key, title in groups.items()],
        "registrations": [
            {"number": "on-1", "status": 1, "owner": {"name": "Ana"}, "files": {key: {"name": f"{key}.txt"} for key in groups}}
        ],
    }
    lida = await brought(chamadas, triagem, scope, projects(tmp_path, export, {f"{key}.txt": key.encode() for key in groups}))
    (projeto,) = (await triagem.edital(scope, "ED-9")).projetos
    assert {one.arquivo: one.requisito for one in projeto.documentos} == {"rfc_1.txt": "R1", "rfc_2.txt": "R2", "rfc_3.txt": None}
    (aviso,) = [one for one in lida.avisos if one.codigo == "anexo_sem_requisito"]
    assert "Croqui do palco" in aviso.mensagem
    assert (await chamadas.abrir(scope, "ED-9")).chamada.edital == NOVA.edital


async def test_another_wording_is_kept_and_what_is_there_stays(
    chamadas: Chamadas, triagem: Triagem, scope: Scope, database: Database
) -> None:
    await triagem.importar(scope, importacao(3))
    aberta = await chamadas.abrir(scope, "ED-1")
    changed = msgspec.structs.replace(
        aberta.chamada, requisitos=(*aberta.chamada.requisitos, RequisitoCondicao("R2", "idade", "minimo", 18))
    )
    mudancas = await chamadas.salvar(scope, "ED-1", changed, aberta.visto)
    assert [(one.parte, one.que, one.id) for one in mudancas] == [("requisitos", "nova", "R2")]
    after = await chamadas.abrir(scope, "ED-1")
    assert (after.chamada, after.visto, after.projetos) == (changed, 2, 3)
    assert await chamadas.salvar(scope, "ED-1", changed, 2) == ()
    assert (await chamadas.abrir(scope, "ED-1")).visto == 2
    async with database.unit_of_work(scope) as uow:
        found = await uow.connection.exec_driver_sql("select dados::text from logs_auditoria where acao = 'edital.alterado'")
        assert [json.loads(dados)["mudancas"] for (dados,) in found] == [["requisitos:R2:nova"]]
        assert (await verify_tenant(uow)).quebras == ()


async def test_of_two_people_who_change_it_at_once_the_second_is_told(chamadas: Chamadas, scope: Scope) -> None:
    await chamadas.criar(scope, NOVA)
    await chamadas.salvar(scope, "ED-9", msgspec.structs.replace(NOVA, criterios=()), 1)
    with pytest.raises(EditalMudou):
        await chamadas.salvar(scope, "ED-9", msgspec.structs.replace(NOVA, requisitos=()), 1)
    assert (await chamadas.abrir(scope, "ED-9")).chamada.requisitos == NOVA.requisitos


async def test_it_is_not_changed_while_it_is_screened(chamadas: Chamadas, triagem: Triagem, scope: Scope) -> None:
    await triagem.importar(scope, importacao(1))
    aberta = await chamadas.abrir(scope, "ED-1")
    await triagem.executar(scope, "ED-1")
    assert (await chamadas.abrir(scope, "ED-1")).em_triagem
    with pytest.raises(EditalEmTriagem):
        await chamadas.salvar(scope, "ED-1", msgspec.structs.replace(aberta.chamada, criterios=()), 1)


async def test_what_people_graded_by_is_not_taken_away(
    chamadas: Chamadas, triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(1, avaliadores=[Avaliador("Rui", "rui@exemplo.org", ("P0001",))]))
    async with database.unit_of_work(scope) as uow:
        rui = await get_usuario(uow, "rui@exemplo.org")
    await julgamento.salvar(as_person(scope, rui), "ED-1", "P0001", [NotaDada("C1", Decimal(8))])
    aberta = await chamadas.abrir(scope, "ED-1")
    assert aberta.notas == {"C1": 1}
    with pytest.raises(MudancaRecusada) as refused:
        await chamadas.salvar(scope, "ED-1", msgspec.structs.replace(aberta.chamada, criterios=aberta.chamada.criterios[1:]), aberta.visto)
    assert [problem.codigo for problem in refused.value.problemas] == ["criterio_com_notas"]
    with pytest.raises(MudancaRecusada):
        await chamadas.salvar(scope, "ED-1", msgspec.structs.replace(aberta.chamada, edital=Edital("ED-2", "N")), aberta.visto)


async def test_the_effect_is_seen_over_what_was_read_and_nothing_is_kept(
    chamadas: Chamadas, triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(30))
    aberta = await chamadas.abrir(scope, "ED-1")
    unread = await chamadas.efeito(scope, "ED-1", aberta.chamada)
    assert (unread.total, unread.vistos, unread.por_ler) == (30, 30, 30)
    assert unread.requisitos[0].depois == {"nao_lido": 30}
    async with trabalhando(Falsos()):
        await triagem.executar(scope, "ED-1")
        await wait_for_end(triagem, scope, "ED-1")
    changed = msgspec.structs.replace(aberta.chamada, requisitos=(RequisitoDocumento("REQ-1", "ESTATUTO"),))
    efeito = await chamadas.efeito(scope, "ED-1", changed)
    assert efeito.por_ler == 0
    assert (efeito.requisitos[0].antes, efeito.requisitos[0].depois) == ({"atende": 30}, {"nao_atende": 30})
    assert (await chamadas.abrir(scope, "ED-1")).chamada == aberta.chamada
    clock = count(0.0, 4.0)
    some = await chamadas.efeito(scope, "ED-1", changed, tick=lambda: next(clock), seconds=5.0)
    assert (some.total, some.vistos) == (30, 25)


async def test_an_edital_imported_without_a_word_of_projects_keeps_those_that_it_has(
    chamadas: Chamadas, triagem: Triagem, scope: Scope, tmp_path: Path
) -> None:
    given = importacao(2, avaliadores=[Avaliador("Ana", "ana@exemplo.org", ("P0001",))])
    await triagem.importar(scope, given)
    (tmp_path / "edital.json").write_bytes(to_json((await chamadas.abrir(scope, "ED-1")).chamada).replace(b"Alcance", b"Alcance social"))
    told = await triagem.importar(scope, read_chamada(tmp_path))
    assert (told.projetos, told.arquivos, told.arquivos_novos, told.substituiu) == (2, 2, 0, True)
    after = await triagem.edital(scope, "ED-1")
    assert (after.projetos, after.avaliadores) == (given.chamada.projetos, given.chamada.avaliadores)
    assert after.criterios[1].nome == "Alcance social"


async def test_a_field_that_no_project_has_and_a_category_that_the_edital_lacks_are_told(
    chamadas: Chamadas, triagem: Triagem, scope: Scope, tmp_path: Path
) -> None:
    """Also where the edital comes alone, over projects that were there."""
    await chamadas.criar(scope, NOVA)
    documento = sent("P1", "P2", municipio="Caucaia", tipo="PJ")
    documento["projetos"][1]["categoria"] = "Musicas"  # type: ignore[index]
    await brought(chamadas, triagem, scope, projects(tmp_path / "um", documento))
    assert [one.codigo for one in await chamadas.conferir(scope, "ED-9", NOVA)] == ["categoria_fora_da_lista"]
    mistyped = msgspec.structs.replace(NOVA.requisitos[0], quando=Condicao("tpo", "igual", "PJ"))
    wrong = msgspec.structs.replace(NOVA, requisitos=(mistyped, NOVA.requisitos[1]))
    campo, categoria = await chamadas.conferir(scope, "ED-9", wrong)
    assert (campo.caminho, campo.codigo) == ("requisitos[0].quando.campo", "campo_nao_declarado")
    assert campo.mensagem.startswith("Nenhum projeto tem o campo `tpo`; você quis dizer `tipo`?")
    assert categoria.mensagem == "1 projeto diz a categoria `Musicas`, que o edital não tem. Quis dizer `Música`?"
    assert (await chamadas.efeito(scope, "ED-9", wrong)).avisos == (campo, categoria)
    assert (await chamadas.abrir(scope, "ED-9")).categorias == {"": 1, "Musicas": 1}
    assert await chamadas.conferir(scope, "ED-9", wrong, iter([0.0, 9.0, 9.0]).__next__) == (categoria,)  # nobody was asked
    (tmp_path / "dois").mkdir()
    (tmp_path / "dois" / "edital.json").write_bytes(to_json(wrong))
    lida = read_chamada(tmp_path / "dois")
    await triagem.importar(scope, lida)
    assert {campo, categoria} <= set((await chamadas.conferir_importada(scope, lida)).avisos)


async def test_only_who_manages_writes_an_edital(
    chamadas: Chamadas, database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    await chamadas.criar(scope, NOVA)
    async with database.unit_of_work(scope) as uow:
        await create_usuario(uow, SystemClock().now(), uuid4(), "Rita", "rita@exemplo.org", "avaliador")
        acting = as_person(scope, await get_usuario(uow, "rita@exemplo.org"))
    with pytest.raises(SemPermissao):
        await chamadas.abrir(acting, "ED-9")
    with pytest.raises(SemPermissao):
        await chamadas.criar(acting, NOVA)
    with pytest.raises(SemPermissao):
        await chamadas.salvar(acting, "ED-9", NOVA, 1)
    with pytest.raises(EditalNotFound):
        await chamadas.abrir(new_tenant(), "ED-9")
