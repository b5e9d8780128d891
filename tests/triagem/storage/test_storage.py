"""What goes into the database comes out as it was, and work that was done is found again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import uuid4

import msgspec
import pytest
from sqlalchemy.exc import ProgrammingError

from chamadas import Importacao, importacao
from crivo.kernel.sigilo import Identidade
from crivo.kernel.storage.errors import ConflitoDeEscrita
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, TrechoOculto
from crivo.triagem.edital import (
    Avaliador,
    Banco,
    Chamada,
    Criterio,
    CronogramaEtapa,
    Edital,
    EmitidoNoMaximoDiasAntes,
    Inscricoes,
    Nivel,
    OrcamentoItem,
    Projeto,
    Proponente,
    RequisitoCondicao,
    RequisitoDocumento,
    Responsavel,
    ValidoEm,
)
from crivo.triagem.service import Triagem
from crivo.triagem.storage import arquivos
from crivo.triagem.storage.arquivos import TenantVectors
from crivo.triagem.storage.chaves import Dona

_WHOLE = Chamada(
    Edital(
        "ED/1 ç",
        "Edital 🎭",
        "objetivo",
        "texto\ncom linhas",
        "Órgão",
        Inscricoes(date(2026, 8, 1), date(2026, 9, 15)),
        ("avaliacao", "habilitacao"),
        "avisar",
        None,
        False,
        3,
    ),
    (
        RequisitoDocumento(
            id="R1",
            documento="CERTIDAO_MUNICIPAL",
            clausula="4.1",
            formatos=("pdf", "docx"),
            validade=EmitidoNoMaximoDiasAntes(90, date(2026, 9, 15)),
        ),
        RequisitoDocumento(id="R2", documento="OUTRO", validade=ValidoEm(), eliminatorio=True),
        RequisitoCondicao(id="R3", campo="municipio", operador="em", valor=["Caucaia", 1, None, True]),
    ),
    (Criterio("C1", "Mérito", "", Decimal("0.5"), Decimal(-1), Decimal("10.25"), (Nivel(Decimal(5), "meio"),)),),
    (
        Projeto(
            "P1",
            "Título 🎨",
            Proponente("Nome", "11144477735", "a@b.c", "Rua", Responsavel("R", "1"), Banco("001", "1", "2")),
            "Teatro",
            datetime(2026, 9, 10, 17, tzinfo=UTC),
            "x" * 100_000,
            "'); drop table projetos; --",
            {"municipio": "Caucaia", "anos": 3, "renda": 1.5, "sim": True, "nada": None, "lista": ["a", 1]},
            (
                OrcamentoItem("Enorme", Decimal("1e30"), Decimal("99999999999999999999.99")),
                OrcamentoItem("Negativo", Decimal("-0.001"), Decimal(-5)),
            ),
            (CronogramaEtapa("Etapa", date(2027, 1, 1), None),),
        ),
        Projeto("P2", "Só emoji", Proponente("🎭")),
    ),
    (Avaliador("Ana", "ana@exemplo.org", ("P1", "P2"), "11144477735", "", "Rua"),),
)


async def test_every_field_of_a_call_comes_back_as_it_went_in(triagem: Triagem, scope: Scope) -> None:
    await triagem.importar(scope, Importacao(_WHOLE, {}))
    assert await triagem.edital(scope, "ED/1 ç") == _WHOLE


async def test_a_call_put_in_the_place_of_another_leaves_nothing_of_it(triagem: Triagem, scope: Scope) -> None:
    await triagem.importar(scope, Importacao(_WHOLE, {}))
    bare = Chamada(Edital(_WHOLE.edital.id, "Outro"), (), (), (Projeto("P2", "Outro", Proponente("X")),))
    await triagem.importar(scope, Importacao(bare, {}))
    assert await triagem.edital(scope, _WHOLE.edital.id) == bare


async def keep_file(uow: UnitOfWork) -> bytes:
    """A file that a project has; its digest."""
    digest, key = b"a" * 32, uuid4()
    file = (await arquivos.keep(uow, {digest: b"um arquivo"}))[0][digest]
    nova = uow.cofre.new(uow.scope.tenant_id, key, Identidade(), datetime.now(UTC))
    await uow.cofre.keep(uow, "triagem", [nova])
    await arquivos.share(uow, [(Dona(key, nova.chave), {digest: file})])
    return digest


async def test_what_was_read_in_a_file_is_found_by_its_content_and_reader(database: Database, scope: Scope) -> None:
    lido = DocumentoLido("a.pdf", "00", 5, "pdf", "lido", (Pagina(1, "texto\0 com NUL 🎭"),), (TrechoOculto("oculto", "invisivel", 1),), 1)
    now = datetime.now(UTC)
    async with database.unit_of_work(scope) as uow:
        await arquivos.keep_lido(uow, "v1", b"a" * 32, lido, now)  # of a file that is not there nothing is kept
        assert await arquivos.find_lidos(uow, "v1", [b"a" * 32]) == {}
        assert await keep_file(uow) == b"a" * 32
        await arquivos.keep_lido(uow, "v1", b"a" * 32, lido, now)
        await arquivos.keep_lido(uow, "v1", b"a" * 32, msgspec.structs.replace(lido, tamanho_bytes=6), now)
        assert await arquivos.find_lidos(uow, "v1", [b"a" * 32, b"b" * 32]) == {b"a" * 32: lido}
        assert await arquivos.find_lidos(uow, "v2", [b"a" * 32]) == {}
        assert await arquivos.find_lidos(uow, "v2", [b"a" * 32], any_version=True) == {b"a" * 32: lido}
        assert await arquivos.find_lidos(uow, "v1", []) == {}


async def test_of_what_many_read_ones_own_comes_first(database: Database, scope: Scope) -> None:
    lido = DocumentoLido("a.pdf", "00", 5, "pdf", "sem_ocr")
    async with database.unit_of_work(scope) as uow:
        await keep_file(uow)
        await arquivos.keep_lido(uow, "mine", b"a" * 32, lido, datetime(2026, 1, 1, tzinfo=UTC))
        await arquivos.keep_lido(uow, "later", b"a" * 32, msgspec.structs.replace(lido, leitura="lido"), datetime(2026, 2, 1, tzinfo=UTC))
        found = await arquivos.find_lidos(uow, "mine", [b"a" * 32], any_version=True)
    assert found[b"a" * 32].leitura == "sem_ocr"


async def test_vectors_are_kept_by_what_made_them_and_apart_by_tenant(database: Database, new_tenant: Callable[[], Scope]) -> None:
    mine, theirs = TenantVectors(database, new_tenant()), TenantVectors(database, new_tenant())
    await mine.keep("local", {b"a": b"\0\1", b"b": b"\2"})
    await mine.keep("local", {b"a": rb"\9"})
    await mine.keep("local", {})
    assert await mine.find("local", [b"a", b"c"]) == {b"a": b"\0\1"}
    assert await mine.find("outro", [b"a"]) == {}
    assert await theirs.find("local", [b"a", b"b"]) == {}


async def test_the_database_itself_lets_one_run_of_an_edital_be_under_way(triagem: Triagem, database: Database, scope: Scope) -> None:
    """Source: issue, "one run per edital"."""
    await triagem.importar(scope, importacao(0))
    await triagem.executar(scope, "ED-1")

    async def put_another() -> None:
        async with database.unit_of_work(scope) as uow:
            await uow.connection.exec_driver_sql(
                "insert into triagem_ia_execucoes (tenant_id, id, edital_id, tipo, status, total_projetos, created_at, iniciada_por, importacao) "
                "select tenant_id, gen_random_uuid(), edital_id, tipo, status, total_projetos, created_at, iniciada_por, importacao "
                "from triagem_ia_execucoes"
            )

    with pytest.raises(ConflitoDeEscrita):
        await put_another()


@pytest.mark.parametrize(
    "statement",
    [
        "delete from triagem_ia_execucoes",
        "delete from triagem_ia_resultados",
        "update triagem_ia_notas set nota_sugerida = 10",
        "update avaliacoes set avaliador_id = null",
    ],
)
async def test_what_was_found_and_who_judged_is_not_rewritten_by_the_program(database: Database, scope: Scope, statement: str) -> None:
    async def rewrite() -> None:
        async with database.unit_of_work(scope) as uow:
            await uow.connection.exec_driver_sql(statement)

    with pytest.raises(ProgrammingError, match="permission denied"):
        await rewrite()
