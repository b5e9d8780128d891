"""Editais that come in over HTTP, from friends and from strangers: all or nothing, and never beyond the limits."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope
from crivo.web.triagem import pacote
from importacoes import certa, com
from triagem_web import zipped

FILES = {"documentos/P001/certidao.pdf": b"%PDF-1.7 certidao", "documentos/P001/fotos.pdf": b"%PDF-1.7 fotos"}
AT = "/api/editais"
ZIP = {"content-type": "application/zip"}


def entry(nome: str, content: bytes = b"x", **changed: Any) -> bytes:
    """A right import with one more file, of any name and header."""
    packed = io.BytesIO(zipped(certa(), FILES))
    with zipfile.ZipFile(packed, "a") as archive:
        info = zipfile.ZipInfo("trocado")
        archive.writestr(info, content)
        added = archive.getinfo("trocado")
        added.filename = nome
        for field, value in changed.items():
            setattr(added, field, value)
    return packed.getvalue()


def outside(folder: Path) -> tuple[Path, ...]:
    """Where those names would lead."""
    return folder / "fora.pdf", folder.parent / "fora.pdf", Path("/etc/crivo-fora")


async def refused(api: httpx.AsyncClient, content: bytes, status: int = 422) -> dict[str, Any]:
    """The problem for which a zip is refused, of which nothing is kept."""
    answered = await api.post(AT, content=content, headers=ZIP)
    assert (answered.status_code, answered.headers["content-type"]) == (status, "application/problem+json")
    assert (await api.get(AT)).json() == {"itens": []}
    told: dict[str, Any] = answered.json()
    return told


@pytest.fixture(autouse=True)
def nothing_left(settings: Settings) -> Any:
    """Whatever came in, no file of it stays."""
    yield
    assert [path.name for path in settings.data_dir.iterdir() if path.name.startswith("edital-")] == []


@pytest.mark.parametrize("folder", ["", "edital 4/"])
async def test_a_zip_is_taken_in_whole_and_replaced_whole(api: httpx.AsyncClient, folder: str) -> None:
    """Design: the import is validated whole, and is all or nothing."""
    content = zipped(com("avaliadores", []), FILES, folder=folder)
    first, again = [await api.post(AT, content=content, headers=ZIP) for _ in range(2)]
    told = {"edital_id": "ED-2026-04", "projetos": 1, "arquivos": 2, "avisos": []}
    assert (first.status_code, first.json()) == (201, told | {"arquivos_novos": 2, "substituiu": False})
    assert (again.status_code, again.json()) == (200, told | {"arquivos_novos": 0, "substituiu": True})
    (line,) = (await api.get(AT)).json()["itens"]
    assert (line["edital_id"], line["projetos"], line["execucao"]) == ("ED-2026-04", 1, None)


async def test_a_form_takes_the_same_zip(api: httpx.AsyncClient) -> None:
    assert (await api.post(AT, files={"arquivo": ("edital.zip", zipped(certa(), FILES))})).status_code == 201


async def test_an_edital_without_documents_may_come_as_its_json(api: httpx.AsyncClient) -> None:
    assert (await api.post(AT, json=com("projetos.0.documentos", []))).status_code == 201


async def test_what_an_edital_asks_for_is_read_and_comes_back_the_same(api: httpx.AsyncClient) -> None:
    assert (await api.post(AT, json=com("projetos.0.documentos", []))).status_code == 201
    read = await api.get(f"{AT}/ED-2026-04")
    assert (read.status_code, read.headers["content-type"]) == (200, "application/json")
    assert read.json()["edital"]["documentos_proprios"][0]["id"] == "ATA_DA_RODA"
    again = await api.post(AT, content=read.content, headers={"content-type": "application/json"})
    assert (again.status_code, again.json()["projetos"], again.json()["substituiu"]) == (200, 1, True)
    assert (await api.get(f"{AT}/ED-2026-04")).content == read.content
    assert (await api.get(f"{AT}/ED-9")).status_code == 404


async def test_every_problem_is_told_by_its_field(api: httpx.AsyncClient) -> None:
    wrong = com("criterios.0.nota_max", -1)
    wrong["projetos"][0]["titulo"] = 3
    wrong["projetos"][0]["documentos"][0]["arquivo"] = "../fora.pdf"
    told = await refused(api, zipped(wrong, FILES))
    assert told["codigo"] == "importacao_recusada"
    assert {one["caminho"] for one in told["problemas"]} == {
        "criterios[0].nota_max",
        "projetos[0].titulo",
        "projetos[0].documentos[0].arquivo",
    }


@pytest.mark.parametrize(
    "nome", ["../fora.pdf", "a/../../fora.pdf", "/etc/crivo-fora", "a\\fora.pdf", "C:fora.pdf", "./x", "a//b", "x\u202ey"]
)
async def test_a_name_that_leads_elsewhere_is_refused(api: httpx.AsyncClient, settings: Settings, nome: str) -> None:
    (fault,) = (await refused(api, entry(nome)))["problemas"]
    assert fault["codigo"] == "arquivo_invalido"
    assert not any(place.exists() for place in outside(settings.data_dir))


@pytest.mark.parametrize(
    "content",
    [
        entry("a" * 300),
        entry("documentos/P001"),  # a file where a folder is
        entry("documentos/P001/fotos.pdf"),  # the same name twice
        entry("x.pdf", flag_bits=1),  # asks for a password
        entry("x.pdf", compress_type=zipfile.ZIP_LZMA),
        entry("x.pdf", file_size=60 * 1024**2),
    ],
    ids=["long", "folder", "twice", "password", "lzma", "large"],
)
async def test_an_entry_that_cannot_be_laid_out_is_refused(api: httpx.AsyncClient, content: bytes) -> None:
    assert (await refused(api, content))["codigo"] == "importacao_recusada"


async def test_a_link_in_a_zip_leads_nowhere(api: httpx.AsyncClient, settings: Settings) -> None:
    (settings.data_dir / "segredo").write_text("segredo")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("edital.json", json.dumps(certa()))
        for nome in FILES:
            link = zipfile.ZipInfo(nome)
            link.create_system, link.external_attr = 3, 0o120777 << 16
            archive.writestr(link, str(settings.data_dir / "segredo"))
    answered = await api.post(AT, content=packed.getvalue(), headers=ZIP)
    assert (answered.status_code, answered.json()["arquivos"]) == (201, 1)  # its own few bytes, twice the same


async def test_what_unpacks_to_too_much_is_refused(api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacote, "DESCOMPACTADO_MAXIMO", 1_000_000)
    bomb = zipped(certa(), FILES | {f"x{number}": b"\0" * 400_000 for number in range(4)})
    assert len(bomb) < 20_000
    assert (await refused(api, bomb, 413))["codigo"] == "importacao_grande_demais"


async def test_an_entry_larger_than_it_claims_is_refused(api: httpx.AsyncClient) -> None:
    lying = entry("trocado", b"\0" * 1_000_000, file_size=10)  # under the name of its own header
    assert (await refused(api, lying, 400))["codigo"] == "importacao_ilegivel"


@pytest.mark.parametrize("patched", ["total", "index", "zip64"])
async def test_an_index_that_would_fill_the_memory_is_refused_unread(api: httpx.AsyncClient, patched: str) -> None:
    content = bytearray(zipped(certa(), FILES))
    at = content.rfind(b"PK\x05\x06")
    match patched:
        case "total":
            struct.pack_into("<2H", content, at + 8, 65_535, 65_535)
        case "index":
            struct.pack_into("<L", content, at + 12, 1 << 30)
        case _:
            content[at:at] = b"PK\x06\x07" + bytes(16)
    assert (await refused(api, bytes(content), 413))["codigo"] == "importacao_grande_demais"


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04",
        b"PK\x05\x06" + bytes(18),
        zipped(certa(), FILES)[:-40],
        zipped(certa(), FILES)[:200] + b"\xff" * 200 + zipped(certa(), FILES)[400:],
        b"",
        b"nada",
        b"\x00" * 100,
        zipped(b"{"),
    ],
)
async def test_what_is_no_edital_is_told_so(api: httpx.AsyncClient, content: bytes) -> None:
    answered = await api.post(AT, content=content, headers=ZIP)
    assert (answered.status_code, answered.headers["content-type"]) == (400, "application/problem+json") or (
        answered.status_code == 422 and answered.json()["codigo"] == "importacao_recusada"
    )
    assert (await api.get(AT)).json() == {"itens": []}


async def test_a_body_over_the_limit_is_refused_before_it_is_read(api: httpx.AsyncClient) -> None:
    answered = await api.post(AT, content=b"PK", headers=ZIP | {"content-length": str(pacote.PACOTE_MAXIMO + 1)})
    assert answered.status_code == 413


@pytest.mark.parametrize(
    ("headers", "content", "status"),
    [
        ({"content-type": "text/html"}, b"x", 415),
        ({"content-type": "multipart/form-data"}, b"x", 400),
        (
            {"content-type": "multipart/form-data; boundary=a"},
            b'--a\r\nContent-Disposition: form-data; name="arquivo"\r\n\r\nx\r\n--a--',
            422,
        ),
        (ZIP | {"content-encoding": "gzip"}, b"x", 415),
    ],
)
async def test_a_body_of_another_kind_is_refused(api: httpx.AsyncClient, headers: dict[str, str], content: bytes, status: int) -> None:
    assert (await api.post(AT, content=content, headers=headers)).status_code == status


async def test_only_so_many_come_in_at_once(api: httpx.AsyncClient, app: Any, scope: Any) -> None:
    places = app.state.web.importacoes
    with places.taken(scope.tenant_id):
        assert (await api.post(AT, content=zipped(certa(), FILES), headers=ZIP)).json()["codigo"] == "cota_cheia"
    with places.taken("um"), places.taken("outro"):
        assert (await api.post(AT, content=zipped(certa(), FILES), headers=ZIP)).json()["codigo"] == "sem_vaga"
    assert (await api.post(AT, content=zipped(certa(), FILES), headers=ZIP)).status_code == 201


# --- by the page


async def test_a_manager_imports_by_the_page(
    scope: Any, new_person: Callable[..., Any], signed_in: Callable[..., Any], csrf_of: Callable[[str], str]
) -> None:
    browser = await signed_in(scope, (await new_person(scope, "gestor")).ator)
    token = csrf_of((await browser.get("/admin/editais")).text)
    sent = await browser.post("/admin/editais", data={"csrf": token}, files={"arquivo": ("edital.zip", zipped(certa(), FILES))})
    assert (sent.status_code, sent.headers["location"]) == (303, "/admin/editais/ED-2026-04/triagem-ia")
    assert "Edital de Fomento às Culturas Populares" in (await browser.get("/admin/editais")).text
    wrong = await browser.post("/admin/editais", data={"csrf": token}, files={"arquivo": ("edital.zip", zipped(com("edital.nome", "")))})
    assert wrong.status_code == 422
    assert '<strong dir="auto">Edital, nome:</strong> <bdi>não pode ficar em branco.</bdi>' in wrong.text
    assert "edital.nome" not in wrong.text
    nothing = await browser.post("/admin/editais", data={"csrf": token}, files={"arquivo": ("", b"")})
    assert "Falta o arquivo do edital" in nothing.text
    elsewhere = await browser.post("/admin/editais", files={"arquivo": ("edital.zip", zipped(certa(), FILES))})
    assert elsewhere.status_code == 403


async def test_who_cannot_judge_yet_is_told_by_the_api_and_on_the_page_of_the_edital(
    api: httpx.AsyncClient, scope: Scope, new_person: Callable[..., Any], signed_in: Callable[..., Any]
) -> None:
    await new_person(scope, "operador", "rui@jurado.example")
    answered = await api.post(AT, content=zipped(certa(), FILES), headers=ZIP)
    assert answered.status_code == 201
    (told,) = [one for one in answered.json()["avisos"] if one["codigo"] == "avaliador_impedido"]
    assert told["caminho"] == "avaliadores"
    assert told["mensagem"].startswith("Rui Leal (rui@jurado.example): a conta deste e-mail tem um papel que não avalia projetos.")
    browser = await signed_in(scope, (await new_person(scope, "gestor")).ator)
    page = (await browser.get("/admin/editais/ED-2026-04/triagem-ia")).text
    assert "Uma pessoa que avalia ainda não pode avaliar" in page
    assert "Rui Leal (rui@jurado.example)" in page


# --- people who were erased


async def test_an_import_leaves_out_who_was_erased_says_so_and_takes_them_in_on_a_new_consent(
    api: httpx.AsyncClient,
    container: Container,
    scope: Scope,
    new_person: Callable[..., Any],
    signed_in: Callable[..., Any],
    csrf_of: Callable[[str], str],
) -> None:
    pacote = zipped(certa(), FILES)  # its organisation is answered for by somebody of that CPF
    assert (await api.post(AT, content=pacote, headers=ZIP)).status_code == 201
    await container.pessoas.apagar(scope, "529.982.247-25", "pedido")
    again = (await api.post(AT, content=pacote, headers=ZIP)).json()
    day = f"{container.clock.now():%d/%m/%Y}"
    line = f"1 projeto ficou de fora (P001): os dados dessa pessoa foram apagados a pedido em {day}."
    assert [one["mensagem"] for one in again["avisos"] if one["codigo"] == "pessoa_apagada"] == [line]
    browser = await signed_in(scope, (await new_person(scope, "gestor")).ator)
    token = csrf_of((await browser.get("/admin/editais")).text)
    sent = await browser.post("/admin/editais", data={"csrf": token}, files={"arquivo": ("edital.zip", pacote)})
    assert (sent.status_code, line in sent.text) == (200, True)
    taken = await browser.post("/admin/editais", data={"csrf": token, "aceitar_apagados": "sim"}, files={"arquivo": ("edital.zip", pacote)})
    assert taken.status_code == 303
    assert (await container.triagem.edital(scope, "ED-2026-04")).projetos[0].proponente.cpf_cnpj == "11.222.333/0001-81"
    assert "pessoa_apagada" not in (await api.post(AT, content=pacote, headers=ZIP)).text  # what is newer than the erasure stays


async def test_a_consent_may_be_told_in_the_address_of_the_api(api: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    pacote = zipped(certa(), FILES)  # its organisation is answered for by somebody of that CPF
    await api.post(AT, content=pacote, headers=ZIP)
    await container.pessoas.apagar(scope, "529.982.247-25", "pedido")
    answered = await api.post(f"{AT}?aceitar_apagados=true", content=pacote, headers=ZIP)
    assert "pessoa_apagada" not in answered.text
    assert len((await container.triagem.edital(scope, "ED-2026-04")).projetos) == answered.json()["projetos"]
