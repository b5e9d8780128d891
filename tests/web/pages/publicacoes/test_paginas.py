"""What anybody opens without an account: the list, a version, its files, and the check of what somebody holds."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
import pytest_asyncio

from chamada_publicada import com_notas, publish
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.publicacao.documentos.formatos import FORMATOS
from crivo.triagem.publicacao.guardados import Publicada
from crivo.web.pages.publicacoes import paginas
from crivo.web.state import _CHECKS
from sujeitos import as_person

NewPerson = Callable[..., Awaitable[Usuario]]
Versoes = tuple[Publicada, Publicada]


@pytest_asyncio.fixture
async def gestora(scope: Scope, new_person: NewPerson) -> Scope:
    return as_person(scope, await new_person(scope, "gestor"))


@pytest_asyncio.fixture
async def versoes(container: Container, scope: Scope, gestora: Scope) -> Versoes:
    """Two versions of a result, the second after a nota was mended."""
    await container.triagem.importar(scope, com_notas([5, 9]))
    first = await publish(container, gestora)
    await container.triagem.importar(scope, com_notas([10, 9]))
    return first, await publish(container, gestora, "Nota de P0001 corrigida.")


def base(scope: Scope, publicada: Publicada) -> str:
    return f"/publicacoes/{scope.tenant_id}/{publicada.codigo}"


async def test_a_list_says_what_was_published_and_what_is_in_force(anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes) -> None:
    found = await anonymous.get(f"/publicacoes/{scope.tenant_id}")
    assert found.status_code == 200
    assert found.text.index("Resultado preliminar, versão 2") < found.text.index("Resultado preliminar, versão 1")
    assert found.text.count("Em vigor") == 1
    assert "x-robots-tag" not in found.headers
    assert (await anonymous.get("/publicacoes/ninguem-aqui")).status_code == 404
    assert (await anonymous.get("/publicacoes/Não É")).status_code == 404


async def test_a_version_that_was_replaced_says_by_which(anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes) -> None:
    first, second = versoes
    old = await anonymous.get(base(scope, first).lower().replace(scope.tenant_id.lower(), scope.tenant_id))
    assert "Esta versão foi substituída" in old.text
    assert f'href="{base(scope, second)}"' in old.text
    assert "Nota de P0001 corrigida." in old.text
    new = await anonymous.get(base(scope, second))
    assert "Esta versão foi substituída" not in new.text
    assert second.sha256 in new.text
    assert "guarda o resumo deste conteúdo" in new.text
    assert new.headers["x-robots-tag"] == "noindex, noarchive"
    assert new.headers["cache-control"] == "public, max-age=60"
    assert "set-cookie" not in new.headers


async def test_a_final_result_replaces_no_preliminary_one_and_is_told_on_it(
    anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes, container: Container, gestora: Scope
) -> None:
    final = await publish(container, gestora, fase="final")
    listed = (await anonymous.get(f"/publicacoes/{scope.tenant_id}")).text
    assert (listed.count("Em vigor"), listed.count("Substituída")) == (2, 1)
    preliminary = await anonymous.get(base(scope, versoes[1]))
    assert "Esta versão foi substituída" not in preliminary.text
    assert "O resultado final deste edital já saiu" in preliminary.text
    assert f'href="{base(scope, final)}"' in preliminary.text
    kept = (await anonymous.get(f"{base(scope, versoes[1])}.html")).content
    told = await anonymous.post(f"{base(scope, final)}/conferir", files={"arquivo": ("a.html", kept)})
    assert "O arquivo é o da versão 2 do mesmo edital, byte por byte. Ela está em vigor." in told.text


async def test_nobody_finds_what_another_organisation_published(
    anonymous: httpx.AsyncClient, versoes: Versoes, new_tenant: Callable[[], Scope]
) -> None:
    elsewhere = new_tenant()
    for rest in ("", ".pdf", "/conferir"):
        assert (await anonymous.get(f"{base(elsewhere, versoes[0])}{rest}")).status_code == 404


@pytest.mark.parametrize("formato", list(FORMATOS))
async def test_each_file_is_served_with_its_digest_and_is_told_to_be_the_published_one(
    anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes, formato: str
) -> None:
    where = base(scope, versoes[1])
    found = await anonymous.get(f"{where}.{formato}")
    assert found.status_code == 200
    assert found.headers["content-type"] == FORMATOS[formato].media_type  # type: ignore[index]  # of the catalogue itself
    digest = hashlib.sha256(found.content).hexdigest()
    assert (found.headers["x-conteudo-sha256"], found.headers["etag"]) == (digest, f'"{digest}"')
    assert "sandbox" in found.headers["content-security-policy"]
    again = await anonymous.get(f"{where}.{formato}", headers={"if-none-match": f'"{digest}"'})
    assert (again.status_code, again.content) == (304, b"")
    by_file = await anonymous.post(f"{where}/conferir", files={"arquivo": ("um", found.content)})
    by_digest = await anonymous.post(f"{where}/conferir", data={"resumo": f"{digest}  resultado.{formato}"})
    for told in (by_file.text, by_digest.text):
        assert "É o que foi publicado, byte por byte" in told
        assert "Ela está em vigor." in told


async def test_a_file_of_the_version_before_is_told_to_be_in_force_no_more(
    anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes
) -> None:
    first, second = versoes
    old = (await anonymous.get(f"{base(scope, first)}.csv")).content
    here = await anonymous.post(f"{base(scope, first)}/conferir", files={"arquivo": ("a.csv", old)})
    assert "Ela não vale mais: a que vale é a versão 2." in here.text
    there = await anonymous.post(f"{base(scope, second)}/conferir", files={"arquivo": ("a.csv", old)})
    assert "O arquivo é o da versão 1 do mesmo edital" in there.text


async def test_a_file_that_was_touched_is_told_apart(anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes) -> None:
    where = base(scope, versoes[1])
    for formato in FORMATOS:
        touched = (await anonymous.get(f"{where}.{formato}")).content + b" "
        told = await anonymous.post(f"{where}/conferir", files={"arquivo": ("a", touched)})
        assert "Não confere" in told.text, formato
        assert "byte por byte: o arquivo" not in told.text


@pytest.mark.parametrize(
    ("sent", "status", "told"),
    [
        ({"data": {"resumo": "0" * 64}}, 200, "Nenhum arquivo ou resumo publicado"),
        ({"files": {"arquivo": ("a", b"\x00\x01\x02")}}, 200, "Nenhum arquivo ou resumo publicado"),
        ({"data": {"resumo": "não sei <b>"}}, 422, "Isto não parece um resumo"),
        ({"data": {"resumo": ""}}, 422, "Escolha um arquivo, ou cole um resumo"),
        ({"files": {"arquivo": ("vazio", b"")}}, 422, "Escolha um arquivo"),
    ],
)
async def test_what_is_no_file_of_ours_is_told_plainly(
    anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes, sent: dict[str, Any], status: int, told: str
) -> None:
    answer = await anonymous.post(f"{base(scope, versoes[1])}/conferir", **sent)
    assert (answer.status_code, told in answer.text) == (status, True)
    assert "<b>" not in answer.text


async def test_a_file_that_is_too_large_is_refused(
    anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paginas, "ARQUIVO_MAXIMO", 100)
    sent = {"arquivo": ("a.pdf", b"%PDF-" + b"x" * 30_000)}
    assert (await anonymous.post(f"{base(scope, versoes[1])}/conferir", files=sent)).status_code == 413


async def test_another_site_cannot_have_a_file_checked(anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes) -> None:
    headers = {"sec-fetch-site": "cross-site"}
    assert (await anonymous.post(f"{base(scope, versoes[1])}/conferir", data={"resumo": "0" * 64}, headers=headers)).status_code == 403


async def test_who_checks_too_often_waits(anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes) -> None:
    where = f"{base(scope, versoes[1])}/conferir"
    answers = [await anonymous.post(where, data={"resumo": "0" * 64}, headers={"accept": "text/html"}) for _ in range(_CHECKS + 1)]
    assert [one.status_code for one in answers[:-1]] == [200] * _CHECKS
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert "Muitos pedidos em pouco tempo" in answers[-1].text


async def test_the_audit_is_asked_each_time_whether_it_still_vouches(
    anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes, container: Container, database: Database, embedded_urls: tuple[str, str]
) -> None:
    where = base(scope, versoes[1])
    assert "está preso ao registro anterior e ao seguinte" in (await anonymous.get(where)).text
    await touch(embedded_urls, scope, versoes[1])
    assert "não confere com o que está guardado. Avise o órgão." in (await anonymous.get(where)).text


async def test_open_data_names_nobody_whom_the_list_does_not_name(anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes) -> None:
    found = (await anonymous.get(f"{base(scope, versoes[1])}.csv")).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(found, newline=""), delimiter=";"))
    assert [(row["projeto_id"], row["situacao"], row["nota_final"]) for row in rows] == [
        ("P0001", "selecionado", "100"),
        ("P0002", "suplente", "90"),
    ]
    assert "Rita" not in found
    assert "rita@" not in found


async def test_rows_are_found_by_what_they_say(anonymous: httpx.AsyncClient, scope: Scope, versoes: Versoes) -> None:
    where = base(scope, versoes[1])
    found = await anonymous.get(where, params={"q": "p0002"})
    assert "P0002 ·" in found.text
    assert "P0001 ·" not in found.text
    assert "Nada foi encontrado" in (await anonymous.get(where, params={"q": "ninguém"})).text
    assert (await anonymous.get(where, params={"grupo": "999999999", "pagina": "77"})).status_code == 200


async def touch(urls: tuple[str, str], scope: Scope, publicada: Publicada) -> None:
    """Change a published row as whoever owns the database could."""
    import psycopg

    from crivo.kernel.storage.urls import libpq_url

    async with await psycopg.AsyncConnection.connect(libpq_url(urls[0]), autocommit=True) as owner:
        await owner.execute(
            "update resultados_publicados set motivo = 'Outro.' where tenant_id = %s and codigo = %s", (scope.tenant_id, publicada.codigo)
        )
