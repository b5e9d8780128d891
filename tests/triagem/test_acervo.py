"""What public calls hold of a proponente, on their request. Source: design/sujeito.md, table, 5, and Erasure; LGPD, art. 16 and 18."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import msgspec
import psycopg
import pytest
from pydantic import SecretStr

from chamadas import Arquivo, Falsos, Importacao, importacao
from chaves_de_teste import CHAVE_MESTRA, PASTA
from crivo.kernel.access import create_usuario
from crivo.kernel.access.acervo import AcervoDeContas
from crivo.kernel.audit import verify_tenant
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.settings import Settings
from crivo.kernel.sigilo.abertura import open_cofre
from crivo.kernel.sigilo.pessoas import ObrigadoAGuardar, PessoaJaApagada, Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.achados import Resultado
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.documentos.lido import DocumentoLido, Pagina
from crivo.triagem.edital import Avaliador, CronogramaEtapa, OrcamentoItem, ProjetoDocumento, Proponente, Responsavel
from crivo.triagem.painel import Painel
from crivo.triagem.service import Triagem
from crivo.triagem.storage import arquivos, avaliacoes, editais, projetos
from crivo.triagem.storage.arquivos import TenantVectors
from crivo.triagem.storage.editais import to_json
from crivo.triagem.storage.projetos import APAGADO
from procura_em_tudo import in_tables, spellings
from seguimento import Trabalhando, wait_for_end, wait_until
from sujeitos import as_person

CPF, NOME, EMAIL = "529.982.247-25", "Iolanda Quintanilha", "iolanda@correio.exemplo"
TEXTO = f"{NOME} coordena o bordado de filé há trinta anos."
ARQUIVO, OUTRO = "documentos/1/certidao-iolanda.txt", "documentos/3/0.txt"
PALAVRAS = spellings(NOME, "iolanda quintanilha", CPF, EMAIL, "bordado de filé", "certidao-iolanda")


@pytest.fixture
def pessoas(database: Database) -> Pessoas:
    return Pessoas(database, SystemClock(), (AcervoDeTriagem(),))


def with_iolanda(projetos: int = 3, codigo: str = "ED-1", documento: str = ARQUIVO) -> Importacao:
    """A call whose first project is hers, with a file that tells of her; the second is of an organisation that she answers for."""
    made = importacao(projetos, codigo)
    first, second, *rest = made.chamada.projetos
    hers = msgspec.structs.replace(
        first,
        titulo=f"O filé de {NOME}",
        proponente=Proponente(NOME, CPF, EMAIL),
        resumo=TEXTO,
        descricao_tecnica=TEXTO,
        campos={"nome_social": NOME},
        orcamento_itens=(OrcamentoItem(f"Cachê de {NOME}"),),
        cronograma_etapas=(CronogramaEtapa(f"Oficina de {NOME}"),),
        documentos=(ProjetoDocumento(documento, "REQ-1"),),
    )
    theirs = msgspec.structs.replace(second, proponente=Proponente("Associação", responsavel=Responsavel(NOME, CPF)))
    files = {**made.arquivos, ARQUIVO: Arquivo(f"Certidão de {NOME}, CPF {CPF}".encode())}
    return replace(made, chamada=msgspec.structs.replace(made.chamada, projetos=(hers, theirs, *rest)), arquivos=files)


async def stored(database: Database, scope: Scope, codigo: str = "ED-1") -> list[projetos.ProjetoGuardado]:
    async with database.unit_of_work(scope) as uow:
        return list(await projetos.load_all(uow, (await editais.get_by_codigo(uow, codigo)).id))


async def decide_on(database: Database, scope: Scope, *codigos: str) -> None:
    async with database.unit_of_work(scope) as uow:
        lia = await create_usuario(uow, SystemClock().now(), uuid4(), "Lia", f"{uuid4()}@exemplo.org", "gestor")
    decide = Habilitacoes(database, SystemClock(), Uuid7(SystemClock()).new).decidir
    for projeto in codigos:
        await decide(as_person(scope, lia), "ED-1", projeto, "inabilitado", "A certidão venceu.", None)


TABELAS = (
    "chaves_de_pessoas",
    "chaves_de_arquivos",
    "projetos",
    "arquivos",
    "projeto_documentos",
    "documentos_lidos",
    "triagem_ia_resultados",
    "triagem_ia_notas",
    "triagem_ia_irregularidades",
)
GERADAS = {"triagem_ia_resultados": ("itens_total", "itens_lidos", "com_leitura")}


def dump(admin_url: str, scope: Scope) -> str:
    """All that the tables hold of a tenant, as a copy of the database would have it."""
    with psycopg.connect(libpq_url(admin_url)) as connection:
        return json.dumps(
            {
                table: [row[0] for row in connection.execute(f"select to_jsonb(t) from {table} t where tenant_id = %s", (scope.tenant_id,))]  # noqa: S608 - names of tables
                for table in TABELAS
            },
            ensure_ascii=False,
        )


def restore(admin_url: str, scope: Scope, backup: str, but: tuple[str, ...] = ()) -> None:
    """The tables as a copy of the database had them; the list of destroyed keys is no part of it."""
    with psycopg.connect(libpq_url(admin_url)) as connection:
        connection.execute("set local session_replication_role = replica")
        for table, rows in json.loads(backup).items():
            if table in but:
                continue
            columns = connection.execute(
                "select string_agg(attname, ', ') from pg_attribute where attrelid = %s::regclass and attnum > 0 and attgenerated = '' "
                "and not attisdropped",
                (table,),
            ).fetchone()
            assert columns is not None
            connection.execute(f"delete from {table} where tenant_id = %s", (scope.tenant_id,))  # noqa: S608 - names of tables
            connection.execute(
                f"insert into {table} ({columns[0]}) select {columns[0]} from jsonb_populate_recordset(null::{table}, %s)",  # noqa: S608 - names of tables
                (json.dumps(rows),),
            )


def put_back_in_the_clear(
    admin_url: str, scope: Scope, guardados: list[projetos.ProjetoGuardado], resultado: Resultado, made: Importacao
) -> None:
    """As an earlier version of the program left it."""
    tenant, triados = scope.tenant_id, {one.projeto_id: one for one in resultado.projetos}
    with psycopg.connect(libpq_url(admin_url)) as connection:
        connection.execute("set local session_replication_role = replica")
        connection.execute("delete from chaves_de_pessoas where tenant_id = %s", (tenant,))
        connection.execute("delete from chaves_de_arquivos where tenant_id = %s", (tenant,))
        for one in guardados:
            projeto, triado = one.projeto, triados[one.projeto.id]
            connection.execute(
                "update projetos set chave = null, conteudo = null, nomes = null, titulo = %s, resumo = %s, descricao_tecnica = %s, "
                "proponente = %s, campos = %s where id = %s",
                (projeto.titulo, projeto.resumo, projeto.descricao_tecnica, to_json(projeto.proponente), to_json(projeto.campos), one.id),
            )
            for item in projeto.orcamento_itens:
                values = (tenant, one.id, item.descricao, item.quantidade, item.valor_unitario)
                connection.execute("insert into orcamento_itens values (%s, %s, 0, %s, %s, %s)", values)
            for etapa in projeto.cronograma_etapas:
                connection.execute("insert into cronograma_etapas values (%s, %s, 0, %s)", (tenant, one.id, etapa.nome))
            for file in one.documentos:
                content = made.arquivos[file.arquivo].conteudo
                lido = DocumentoLido(file.arquivo, file.sha256.hex(), 1, "txt", "lido", (Pagina(1, content.decode()),))
                connection.execute("update projeto_documentos set arquivo = %s where projeto_id = %s", (file.arquivo, one.id))
                connection.execute("update arquivos set conteudo = %s where tenant_id = %s and sha256 = %s", (content, tenant, file.sha256))
                connection.execute(
                    "update documentos_lidos set lido = %s where tenant_id = %s and sha256 = %s",
                    (msgspec.msgpack.encode(lido), tenant, file.sha256),
                )
            connection.execute(
                "update triagem_ia_resultados set chave = null, selado = null, habilitacao_motivo = %s, itens = %s, leitura = %s "
                "where projeto_id = %s",
                (triado.habilitacao_motivo, to_json(triado.itens), to_json(triado.leitura), one.id),
            )
        for ordem, sinal in enumerate(resultado.irregularidades):
            connection.execute(
                "update triagem_ia_irregularidades set dados = %s, chaves = null, selado = null where tenant_id = %s and ordem = %s",
                (to_json(sinal), tenant, ordem),
            )


async def screened(triagem: Triagem, trabalhando: Trabalhando, scope: Scope, made: Importacao, falsos: Falsos | None = None) -> None:
    await triagem.importar(scope, made)
    await triagem.executar(scope, made.chamada.edital.id)
    async with trabalhando(falsos or Falsos()):
        await wait_for_end(triagem, scope, made.chamada.edital.id)


async def judged(database: Database, scope: Scope, texto: str) -> None:
    """A draft about her project by somebody who judges."""
    async with database.unit_of_work(scope) as uow:
        edital = await editais.get_by_codigo(uow, "ED-1")
        ids, (criterio, *_) = await projetos.ids_of(uow, edital.id), await editais.criterios_of(uow, edital.id)
        rita = await create_usuario(uow, SystemClock().now(), uuid4(), "Rita", f"{uuid4()}@exemplo.org", "avaliador")
        await avaliacoes.save(uow, ids["P0001"], criterio.id, rita.id, None, texto, SystemClock().now())
        assert [one.texto for one in await avaliacoes.textos_sem_nota(uow, ids["P0001"], rita.id)] == [texto]


async def test_nothing_of_a_proponente_stands_in_any_table_and_after_the_erasure_nothing_can_be_read(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    """The grep of the design, before the erasure and after it: proponente, who answers, texts, files, names of files, quotes, signs, drafts."""
    await screened(triagem, trabalhando, scope, with_iolanda(), Falsos(marcados=frozenset({"P0001"})))
    await judged(database, scope, TEXTO)
    resultado = await triagem.resultado(scope, "ED-1")
    assert "Iolanda" in resultado.projetos[0].leitura[0].passagens[0].trecho
    assert await TenantVectors(database, scope).find("local", [b"x"]) == {}
    assert in_tables(urls[0], scope.tenant_id, PALAVRAS) == []
    found = await pessoas.exportar(scope, CPF)
    assert [one["projeto"].id for one in found["dados"]["triagem"]] == ["P0001", "P0002"]
    assert found["dados"]["triagem"][0]["arquivos"][0]["arquivo"] == ARQUIVO
    assert (await pessoas.apagar(scope, CPF, "pedido")).apagados == {"triagem": 2}
    assert in_tables(urls[0], scope.tenant_id, PALAVRAS) == []
    first, _, other = await stored(database, scope)
    assert (first.projeto.proponente.nome, first.projeto.titulo, first.documentos) == (APAGADO, APAGADO, ())
    assert other.projeto.proponente.nome != APAGADO
    resultado = await triagem.resultado(scope, "ED-1")
    assert [one.projeto_id for one in resultado.projetos] == ["P0001", "P0002", "P0003"]
    assert (resultado.projetos[0].itens, resultado.projetos[0].leitura) == ((), ())
    assert not any({"P0001", "P0002"} & set(one.projetos) for one in resultado.irregularidades)
    async with database.unit_of_work(scope) as uow:
        assert (await verify_tenant(uow)).quebras == ()
    with pytest.raises(PessoaJaApagada):
        await pessoas.apagar(scope, CPF, "pedido")


async def test_a_dump_of_before_an_erasure_shows_nobody_and_comes_to_nothing_when_it_is_restored(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    """The key comes back with the backup, and dies at the next start: the list of destroyed keys is outside of the database."""
    await pessoas.reaplicar("inicio")  # what was erased of other organisations, before
    await screened(triagem, trabalhando, scope, with_iolanda())
    backup = dump(urls[0], scope)
    assert [one for one in PALAVRAS if one in backup or one.encode().hex() in backup] == []
    await pessoas.apagar(scope, CPF, "pedido")
    restore(urls[0], scope, backup)
    assert (await stored(database, scope))[0].projeto.proponente.nome == NOME
    open_cofre(urls[0], Settings(_env_file=None, data_dir=PASTA, chave_mestra=SecretStr(CHAVE_MESTRA)))
    assert (await stored(database, scope))[0].projeto.proponente.nome == APAGADO
    assert await pessoas.reaplicar("inicio") == 2
    assert await pessoas.reaplicar("inicio") == 0
    assert (await triagem.resultado(scope, "ED-1")).projetos[0].leitura == ()
    with psycopg.connect(libpq_url(urls[0])) as connection:
        left = connection.execute("select conteudo from projetos where tenant_id = %s and codigo = 'P0001'", (scope.tenant_id,)).fetchone()
    assert left == (None,)


async def test_a_file_that_two_projects_have_opens_for_the_other_when_one_is_erased_and_for_none_once_both_are(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    made = with_iolanda(documento=OUTRO)
    await screened(triagem, trabalhando, scope, made)
    mine, _, theirs = await stored(database, scope)
    assert mine.documentos[0].sha256 == theirs.documentos[0].sha256
    backup = dump(urls[0], scope)
    await pessoas.apagar(scope, CPF, "pedido")
    async with database.unit_of_work(scope) as uow:
        assert await arquivos.content(uow, theirs.documentos[0].sha256) == made.arquivos[OUTRO].conteudo
        assert theirs.documentos[0].sha256 in await arquivos.find_lidos(uow, "leitor-1", [theirs.documentos[0].sha256])
    restore(urls[0], scope, backup)  # with its rows back, hers are of no use without the key
    async with database.unit_of_work(scope) as uow:
        keys = [one.chave for one in await uow.connection.exec_driver_sql("select chave from chaves_de_arquivos")]
        await uow.cofre.destroy(uow, keys, SystemClock().now())
        assert len(keys) == 3
        assert await arquivos.content(uow, theirs.documentos[0].sha256) is None
        assert await arquivos.find_lidos(uow, "leitor-1", [theirs.documentos[0].sha256]) == {}


async def test_a_sign_about_two_projects_is_read_by_nobody_once_either_is_erased(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    made = importacao(4)  # the third is like the first
    iolanda = msgspec.structs.replace(made.chamada.projetos[2], proponente=Proponente(NOME, CPF))
    chamada = msgspec.structs.replace(made.chamada, projetos=(*made.chamada.projetos[:2], iolanda, made.chamada.projetos[3]))
    await screened(triagem, trabalhando, scope, replace(made, chamada=chamada))
    pares = [one.projetos for one in (await triagem.resultado(scope, "ED-1")).irregularidades]
    assert pares == [("P0001", "P0003"), ("P0002", "P0004")]
    backup = dump(urls[0], scope)
    await pessoas.apagar(scope, CPF, "pedido")
    assert [one.projetos for one in (await triagem.resultado(scope, "ED-1")).irregularidades] == [("P0002", "P0004")]
    restore(urls[0], scope, backup, but=("chaves_de_pessoas",))
    assert [one.projetos for one in (await triagem.resultado(scope, "ED-1")).irregularidades] == [("P0002", "P0004")]


async def test_importing_again_the_file_with_an_erased_person_leaves_them_out_and_says_so(
    triagem: Triagem, database: Database, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    assert (await triagem.importar(scope, with_iolanda())).fora == ()
    await pessoas.apagar(scope, CPF, "pedido")
    for codigo in ("ED-1", "ED-2"):
        made = with_iolanda(codigo=codigo)
        importada = await triagem.importar(scope, made)
        assert (importada.projetos, [one.projeto_id for one in importada.fora]) == (1, ["P0001", "P0002"])
        assert {one.apagado_em is not None for one in importada.fora} == {True}
    assert [one.projeto.proponente.nome == APAGADO for one in await stored(database, scope)] == [True, True, False]
    assert [one.projeto.id for one in await stored(database, scope, "ED-2")] == ["P0003"]
    assert in_tables(urls[0], scope.tenant_id, PALAVRAS) == []


async def test_a_new_consent_takes_them_in_again_and_the_audit_is_told(
    triagem: Triagem, database: Database, pessoas: Pessoas, scope: Scope
) -> None:
    await triagem.importar(scope, with_iolanda())
    await pessoas.apagar(scope, CPF, "pedido")
    importada = await triagem.importar(scope, with_iolanda(), aceitar_apagados=True)
    assert (importada.projetos, importada.fora) == (3, ())
    assert (await stored(database, scope))[0].projeto.proponente.nome == NOME
    assert (await triagem.importar(scope, with_iolanda())).fora == ()  # what is newer than the erasure stays
    async with database.unit_of_work(scope) as uow:
        (told,) = [one for one in await list_latest(uow, 20) if one.acao == "edital.apagados_aceitos"]
    assert json.loads(told.dados)["codigos"] == ["P0001", "P0002"]
    assert (await pessoas.apagar(scope, CPF, "outro pedido")).apagados == {"triagem": 2}


async def test_a_project_that_comes_to_be_another_persons_is_not_erased_with_who_it_was(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, pessoas: Pessoas, scope: Scope
) -> None:
    await screened(triagem, trabalhando, scope, with_iolanda())
    await triagem.importar(scope, importacao(3))  # the same codes, others' projects
    assert (await pessoas.apagar(scope, CPF, "pedido")).apagados == {"triagem": 2}
    assert [one.projeto.proponente.nome for one in await stored(database, scope)] == ["Pessoa 1", "Pessoa 2", "Pessoa 3"]
    triados = (await triagem.resultado(scope, "ED-1")).projetos
    assert [bool(one.leitura) for one in triados] == [False, False, True]


async def test_what_was_stored_in_the_clear_is_readable_and_then_sealed_and_erased(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    await screened(triagem, trabalhando, scope, with_iolanda())
    before, found = await stored(database, scope), await triagem.resultado(scope, "ED-1")
    put_back_in_the_clear(urls[0], scope, before, found, with_iolanda())
    assert ("projetos", NOME) in in_tables(urls[0], scope.tenant_id, PALAVRAS)
    assert await stored(database, scope) == before
    assert (await triagem.resultado(scope, "ED-1")) == found
    assert await pessoas.selar(scope) > 0
    assert await pessoas.selar(scope) == 0
    assert in_tables(urls[0], scope.tenant_id, PALAVRAS) == []
    assert await stored(database, scope) == before
    assert (await triagem.resultado(scope, "ED-1")) == found
    async with database.unit_of_work(scope) as uow:
        assert await arquivos.content(uow, before[0].documentos[0].sha256) == with_iolanda().arquivos[ARQUIVO].conteudo
        assert set(await arquivos.find_lidos(uow, "leitor-1", [before[0].documentos[0].sha256])) == {before[0].documentos[0].sha256}
    assert (await pessoas.apagar(scope, CPF, "pedido")).apagados == {"triagem": 2}
    assert (await stored(database, scope))[0].projeto.proponente.nome == APAGADO


async def test_what_is_past_its_term_is_erased_but_for_what_a_call_decided_and_may_come_in_again(
    triagem: Triagem, database: Database, pessoas: Pessoas, scope: Scope
) -> None:
    await triagem.importar(scope, with_iolanda())
    await decide_on(database, scope, "P0003")
    assert await pessoas.reter(scope, {"triagem": 30}) == {}
    assert await pessoas.reter(scope, {"triagem": 0}) == {"triagem": 2}
    assert await pessoas.reter(scope, {"triagem": 0}) == {}
    assert [one.apagado for one in await stored(database, scope)] == [True, True, False]
    assert (await triagem.importar(scope, with_iolanda())).fora == ()  # nobody asked for it


async def test_a_person_erased_in_the_middle_of_a_screening_is_erased_and_the_screening_ends_well(
    triagem: Triagem, trabalhando: Trabalhando, pessoas: Pessoas, scope: Scope, urls: tuple[str, str]
) -> None:
    await triagem.importar(scope, with_iolanda(4))
    await triagem.executar(scope, "ED-1")
    passe = asyncio.Semaphore(0)

    async def wait() -> None:
        await passe.acquire()

    async with trabalhando(Falsos(pausa=wait), concurrency=1):
        await wait_until(triagem, scope, "ED-1", lambda execucao: execucao.status == "em_andamento")
        await pessoas.apagar(scope, EMAIL, "pedido")
        for _ in range(100):
            passe.release()
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_analisados, execucao.projetos_com_erro) == ("concluida", 4, 0)
    assert in_tables(urls[0], scope.tenant_id, spellings(EMAIL, "bordado de filé")) == []


async def test_what_a_call_has_decided_on_is_kept_with_the_reason(
    triagem: Triagem, database: Database, pessoas: Pessoas, scope: Scope
) -> None:
    """LGPD, art. 16, I: what the law keeps is refused."""
    await triagem.importar(scope, with_iolanda())
    await decide_on(database, scope, "P0001", "P0002")
    with pytest.raises(ObrigadoAGuardar) as refused:
        await pessoas.apagar(scope, CPF, "pedido")
    assert "ED-1 já decidiu sobre o projeto P0001" in refused.value.problemas[0].mensagem
    assert (await stored(database, scope))[0].projeto.proponente.nome == NOME


async def test_another_tenants_projects_of_the_same_person_stay(
    triagem: Triagem, database: Database, pessoas: Pessoas, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    other = new_tenant()
    for one in (scope, other):
        await triagem.importar(one, with_iolanda())
    await pessoas.apagar(scope, CPF, "pedido")
    assert (await stored(database, other))[0].projeto.proponente.nome == NOME


async def test_somebody_who_judges_is_erased_from_the_edital_and_does_not_come_back_with_the_file(
    triagem: Triagem, database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    pessoas = Pessoas(database, SystemClock(), (AcervoDeTriagem(), AcervoDeContas()))
    rita = Avaliador("Rita Vilanova", "rita@vilanova.exemplo", ("P0001",), CPF)
    await triagem.importar(scope, importacao(2, avaliadores=[rita]))
    assert (await triagem.edital(scope, "ED-1")).avaliadores == (rita,)
    assert in_tables(urls[0], scope.tenant_id, spellings(rita.nome, rita.email, CPF)) == []
    found = (await pessoas.exportar(scope, rita.email))["dados"]
    assert (found["triagem"][0]["avaliador"], found["pessoas"][0]["nome"]) == (rita, rita.nome)
    assert (await pessoas.apagar(scope, rita.email, "pedido")).apagados == {"triagem": 1, "pessoas": 1}
    (left,) = (await triagem.edital(scope, "ED-1")).avaliadores
    assert (left.nome, left.projetos) == (APAGADO, ("P0001",))
    assert (
        await Painel(database, SystemClock(), Uuid7(SystemClock()).new).impedidos(scope, "ED-1") == ()
    )  # nobody is asked to let in who asked to be erased
    importada = await triagem.importar(scope, importacao(2, avaliadores=[rita]))
    assert (importada.fora, importada.avaliadores_fora) == ((), 1)
    assert in_tables(urls[0], scope.tenant_id, spellings(rita.nome, rita.email, CPF)) == []
    assert (await triagem.importar(scope, importacao(2, avaliadores=[rita]), aceitar_apagados=True)).avaliadores_fora == 0


async def test_what_an_edital_of_before_says_of_who_judges_is_readable_and_then_sealed(
    triagem: Triagem, database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    rita = Avaliador("Rita Vilanova", "rita@vilanova.exemplo", ("P0001",), CPF)
    await triagem.importar(scope, importacao(2, avaliadores=[rita]))
    with psycopg.connect(libpq_url(urls[0])) as owner:
        owner.execute("update edital_avaliadores set dados = %s where tenant_id = %s", (to_json(rita), scope.tenant_id))
    assert (await triagem.edital(scope, "ED-1")).avaliadores == (rita,)
    await Pessoas(database, SystemClock(), (AcervoDeTriagem(),)).selar(scope)
    assert (await triagem.edital(scope, "ED-1")).avaliadores == (rita,)
    assert in_tables(urls[0], scope.tenant_id, spellings(rita.nome, rita.email, CPF)) == []
