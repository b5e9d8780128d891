from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.kernel.errors import Kind, Problem
from crivo.triagem.importacao import ImportacaoRecusada, read_chamada
from crivo.triagem.importacao.arquivos import DOCUMENTO_MAXIMO, ArquivoMudou
from crivo.triagem.importacao.leitura_json import TAMANHO_MAXIMO
from importacoes import accepted, certa, com, refused, told, write


def recusa(source: Path) -> ImportacaoRecusada:
    with pytest.raises(ImportacaoRecusada) as refusal:
        read_chamada(source)
    return refusal.value


# --- which file


def test_a_folder_is_read_by_its_edital_json_whatever_else_is_in_it(tmp_path: Path) -> None:
    """Design, Model: a JSON or a folder."""
    write(tmp_path, certa())
    (tmp_path / "outro.json").write_text("{}")
    assert read_chamada(tmp_path).chamada.edital.id == "ED-2026-04"


def test_the_only_json_of_a_folder_is_the_edital(tmp_path: Path) -> None:
    (write(tmp_path, certa()) / "edital.json").rename(tmp_path / "chamada.JSON")
    assert read_chamada(tmp_path).chamada.edital.id == "ED-2026-04"


def test_a_json_is_read_by_its_own_path_with_files_beside_it(tmp_path: Path) -> None:
    write(tmp_path, certa())
    assert set(read_chamada(tmp_path / "edital.json").arquivos) == {"documentos/P001/certidao.pdf", "documentos/P001/fotos.pdf"}


def test_a_folder_with_several_files_or_none_is_asked_which(tmp_path: Path) -> None:
    assert "edital.json" in recusa(tmp_path).problemas[0].mensagem
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text("{}")
    assert "um só arquivo JSON" in recusa(tmp_path).problemas[0].mensagem


@pytest.mark.parametrize("nome", ["nada.json", "a" * 300, "nul\0.json"])
def test_what_is_not_there_is_told_politely(tmp_path: Path, nome: str) -> None:
    refusal = recusa(tmp_path / nome)
    assert (refusal.kind, refusal.problemas[0].codigo) == (Kind.MALFORMED, "arquivo_ausente")


# --- JSON


@pytest.mark.parametrize(
    ("raw", "codigo", "linha"),
    [
        (b"", "json_invalido", 1),
        (b'{\n"edital": {},\n}', "json_invalido", 3),
        (b'{"edital": 1} {}', "json_invalido", 1),
        (b'{"edital": 01}', "json_invalido", 1),
        (b"%PDF-1.7\n\xe2\xe3", "nao_e_json", None),
        (b"PK\x03\x04\x14\x00", "nao_e_json", None),
        ("id;título;proponente\nP1;Um projeto;Ana\n".encode("cp1252"), "nao_e_json", None),
        (b"\xef\xbb\xbfnome,valor\n", "nao_e_json", None),
        (b"\n<!DOCTYPE html>", "nao_e_json", None),
        (b"\xff\xfe{\x00", "codificacao_invalida", 1),
        (b'{\n"edital": "\xe7"}', "codificacao_invalida", 2),
        (b"[" * 100_000, "json_profundo", None),
        (b'{"a":' * 100_000, "json_profundo", None),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(tmp_path: Path, raw: bytes, codigo: str, linha: int | None) -> None:
    (tmp_path / "edital.json").write_bytes(raw)
    refusal = recusa(tmp_path)
    assert (refusal.kind, refusal.problemas[0].codigo, refusal.problemas[0].linha) == (Kind.MALFORMED, codigo, linha)


@pytest.mark.parametrize(
    ("raw", "dito"),
    [
        ("", "está vazio; salve-o ou exporte-o de novo"),
        ("id;titulo\nP1;Praça\n", "parece uma tabela (CSV)"),
        ('{"edital": {"id": "E",}}', "há uma vírgula a mais antes de `}`; apague-a"),
        ('{"edital": {"id": "E"},\n}', "há uma vírgula a mais antes de `}`; apague-a"),
        ('{"avaliadores": [1, 2,]}', "há uma vírgula a mais antes de `]`; apague-a"),
        ('{"edital": {"id": "E"}\n"requisitos": []}', "falta uma vírgula antes deste ponto"),
        ("{“edital”: {}}", "troque-as por aspas retas"),
        ("{'edital': {}}", "em JSON são duplas"),
        ('{ // o edital\n"edital": {}}', "há um comentário, que JSON não tem; apague-o"),
        ('{"edital": {"nota_antes_da_dica": True}}', "em JSON são `true`, `false` e `null`"),
        ('{"edital": {"id": "E"}', "acaba antes da hora; feche o que foi aberto"),
        ('{"edital": ;}', "confira aspas, vírgulas e o fechamento do que foi aberto"),
    ],
)
def test_what_stops_being_json_is_told_with_what_mends_it(tmp_path: Path, raw: str, dito: str) -> None:
    (tmp_path / "edital.json").write_text(raw, encoding="utf-8")
    assert dito in recusa(tmp_path).problemas[0].mensagem


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps(certa(), ensure_ascii=False).encode()
    assert accepted(tmp_path, raw).chamada.edital.nome == "Edital de Fomento às Culturas Populares"


@pytest.mark.parametrize("raw", [b"[]", b"null", b'"texto"', b"3"])
def test_what_is_no_object_is_refused(tmp_path: Path, raw: bytes) -> None:
    assert told(refused(tmp_path, raw)) == {("", "tipo_errado")}


def test_a_key_that_comes_twice_is_refused_at_its_path(tmp_path: Path) -> None:
    raw = json.dumps(certa()).replace('"valor_unitario": 150.5', '"valor_unitario": 150.5, "valor_unitario": 1')
    assert told(refused(tmp_path, raw)) == {("projetos[0].orcamento_itens[0].valor_unitario", "chave_repetida")}


def test_a_deep_value_where_none_belongs_is_refused_by_its_field(tmp_path: Path) -> None:
    raw = json.dumps(com("edital.texto", "fundo")).replace('"fundo"', "[" * 300 + "]" * 300)
    assert told(refused(tmp_path, raw)) == {("edital.texto", "tipo_errado")}


def test_a_file_beyond_the_limit_is_refused_with_the_limit(tmp_path: Path) -> None:
    with (tmp_path / "edital.json").open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    refusal = recusa(tmp_path)
    assert TAMANHO_MAXIMO < 200 * 1024 * 1024
    assert refusal.kind is Kind.TOO_LARGE
    assert "150 MB" in refusal.problemas[0].mensagem


def test_the_error_says_how_many_problems_in_which_file(tmp_path: Path) -> None:
    documento = com("criterios.0.peso", 0)
    documento["xyz"] = 1
    refusal = recusa(write(tmp_path, documento))
    assert refusal.mensagem == "edital.json: 2 problemas, e nada foi importado. Corrija-os e importe de novo."


NAMES = ["edital", "requisitos", "criterios", "projetos", "avaliadores", "id", "nome", "tipo", "documentos", "arquivo", "campos", "niveis"]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["documento", "condicao", "X1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60) | ANYTHING.map(lambda documento: json.dumps(documento).encode()))
def test_whatever_comes_in_is_taken_or_refused_with_its_problems(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    """Quality, Reliability: any bytes at import."""
    place = tmp_path_factory.getbasetemp() / "qualquer.json"
    place.write_bytes(raw)
    try:
        importacao = read_chamada(place)
    except ImportacaoRecusada as refusal:
        problemas = refusal.problemas
    else:
        problemas = (Problem(importacao.chamada.edital.nome),)
    assert all(problem.mensagem for problem in problemas)
    assert problemas


# --- documents


def arquivo(tmp_path: Path, nome: Any) -> set[tuple[str, str]]:
    return told(refused(tmp_path, com("projetos.0.documentos.1.arquivo", nome)))


@pytest.mark.parametrize(
    ("nome", "codigo"),
    [
        ("documentos/P001/nada.pdf", "arquivo_ausente"),
        ("nada/nada.pdf", "arquivo_ausente"),
        ("documentos/P001/Fotos.pdf", "arquivo_ausente"),
        ("documentos/P001", "arquivo_invalido"),
        ("edital.json/x", "arquivo_invalido"),
        ("../fora.pdf", "arquivo_invalido"),
        ("documentos/../../fora.pdf", "arquivo_invalido"),
        ("documentos/./P001/fotos.pdf", "arquivo_invalido"),
        ("documentos//fotos.pdf", "arquivo_invalido"),
        ("/etc/hostname", "arquivo_invalido"),
        ("~/fotos.pdf", "arquivo_invalido"),
        ("C:/fotos.pdf", "arquivo_invalido"),
        ("documentos\\P001\\fotos.pdf", "arquivo_invalido"),
        ("https://exemplo.org/fotos.pdf", "arquivo_invalido"),
        ("documentos/P001/fotos\0.pdf", "texto_invalido"),
        ("documentos/P001/fotos\n.pdf", "texto_invalido"),
        ("", "arquivo_invalido"),
        ("a" * 300, "arquivo_invalido"),
        ("a" * 301, "texto_longo"),
        ("á" * 200, "arquivo_invalido"),
        (7, "tipo_errado"),
    ],
)
def test_a_file_that_is_no_plain_path_into_the_folder_is_refused(tmp_path: Path, nome: Any, codigo: str) -> None:
    """Design, Bad input: names with ../, NUL, 300 characters, or the same in other case."""
    assert arquivo(tmp_path, nome) == {("projetos[0].documentos[1].arquivo", codigo)}


def test_a_link_may_point_inside_the_folder_and_nowhere_else(tmp_path: Path) -> None:
    inside, outside = tmp_path / "dentro", tmp_path / "fora"
    inside.mkdir()
    outside.mkdir()
    (outside / "segredo.pdf").write_bytes(b"segredo")
    (inside / "bom.pdf").symlink_to("documentos/P001/fotos.pdf")
    (inside / "mau.pdf").symlink_to(outside / "segredo.pdf")
    (inside / "pasta").symlink_to(outside)
    (inside / "laco.pdf").symlink_to("laco.pdf")
    assert accepted(inside, com("projetos.0.documentos.1.arquivo", "bom.pdf")).arquivos["bom.pdf"].read() == b"%PDF-1.7 fotos"
    for nome in ("mau.pdf", "pasta/segredo.pdf"):
        assert arquivo(inside, nome) == {("projetos[0].documentos[1].arquivo", "arquivo_fora_da_pasta")}
    assert arquivo(inside, "laco.pdf") == {("projetos[0].documentos[1].arquivo", "arquivo_invalido")}


def test_a_pipe_is_no_document_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cano.pdf")
    assert arquivo(tmp_path, "cano.pdf") == {("projetos[0].documentos[1].arquivo", "arquivo_invalido")}


def test_a_document_beyond_the_limit_is_refused_with_the_limit(tmp_path: Path) -> None:
    with (tmp_path / "grande.pdf").open("wb") as file:
        file.truncate(DOCUMENTO_MAXIMO + 1)
    (problem,) = refused(tmp_path, com("projetos.0.documentos.1.arquivo", "grande.pdf"))
    assert "50 MB" in problem.mensagem


def test_a_name_in_another_case_is_pointed_at(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, com("projetos.0.documentos.1.arquivo", "documentos/P001/FOTOS.pdf"))
    assert "só difere em maiúsculas e minúsculas" in problem.mensagem


def test_two_names_that_many_computers_take_for_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "documentos/P001").mkdir(parents=True)
    (tmp_path / "documentos/P001/CERTIDAO.pdf").write_bytes(b"outra")
    assert arquivo(tmp_path, "documentos/P001/CERTIDAO.pdf") == {("projetos[0].documentos[1].arquivo", "arquivo_ambiguo")}


def test_a_name_is_the_same_however_its_accents_are_written(tmp_path: Path) -> None:
    (tmp_path / "certida\u0303o.pdf").write_bytes(b"do Mac")
    importacao = accepted(tmp_path, com("projetos.0.documentos.1.arquivo", "certid\u00e3o.pdf"))
    assert importacao.arquivos["certid\u00e3o.pdf"].read() == b"do Mac"


def test_one_file_may_be_sent_for_two_requisitos(tmp_path: Path) -> None:
    documento = com("projetos.0.documentos.1", {"arquivo": "documentos/P001/certidao.pdf", "requisito": "REQ-2"})
    assert set(accepted(tmp_path, documento).arquivos) == {"documentos/P001/certidao.pdf"}


def test_a_document_that_changes_after_it_was_found_is_not_read(tmp_path: Path) -> None:
    arquivos = accepted(tmp_path, certa()).arquivos
    fotos, certidao = arquivos["documentos/P001/fotos.pdf"], arquivos["documentos/P001/certidao.pdf"]
    assert (fotos.tamanho_bytes, fotos.read()) == (14, b"%PDF-1.7 fotos")
    (tmp_path / "documentos/P001/fotos.pdf").write_bytes(b"outra coisa, maior do que antes")
    (tmp_path / "documentos/P001/certidao.pdf").unlink()
    (tmp_path / "documentos/P001/certidao.pdf").symlink_to("/etc/hostname")
    for arquivo_ in (fotos, certidao):
        with pytest.raises(ArquivoMudou):
            arquivo_.read()
