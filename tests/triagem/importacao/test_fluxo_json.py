"""A JSON file read a window at a time gives what reading it whole would, and holds little of it."""

from __future__ import annotations

import json
import re
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crivo.triagem.importacao import read_chamada
from crivo.triagem.importacao.fluxo_json import read_json
from crivo.triagem.importacao.itens import DoArquivo, Guardados, Itens, Tipados
from crivo.triagem.importacao.leitura_json import DECODER, ITEM_MAXIMO, Repetidas
from crivo.triagem.importacao.problemas import ImportacaoGrandeDemais, ImportacaoIlegivel
from importacoes import certa

SMALLEST = 1  # byte at a time: every token is cut everywhere
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6) | st.sampled_from(["é“🎭", '\\"\n', ""])
)
TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "opportunity", "projetos", "ção"]), inner, max_size=4)
    ),
    max_leaves=12,
)


def streamed(raw: bytes, janela: int) -> Any:
    with tempfile.TemporaryFile() as file:
        file.write(raw)
        file.seek(0)
        return whole(read_json(file, "edital.json", janela))


def whole(valor: Any) -> Any:
    """The tree with every list at hand."""
    if isinstance(valor, Itens | list):
        return [whole(item) for item in valor]
    return {nome: whole(item) for nome, item in valor.items()} if isinstance(valor, dict) else valor


@settings(max_examples=60, deadline=None)
@given(TREES, st.sampled_from([None, 1]), st.booleans())
@example({"opportunity": {"registrations": [{"a": 1.5e300}, [], {}]}, "projetos": []}, 1, True)
def test_a_window_at_a_time_gives_the_tree_that_the_whole_gives(tree: Any, indent: int | None, ascii_only: bool) -> None:
    raw = json.dumps(tree, indent=indent, ensure_ascii=ascii_only).encode()
    for janela in (SMALLEST, 7):
        assert streamed(b"\xef\xbb\xbf" + raw, janela) == DECODER.decode(raw.decode())


@settings(max_examples=60, deadline=None)
@given(TREES, st.integers(0, 200), st.sampled_from([b"", b",", b"}", b'"', b"\n\n]", b"nul", b"\\"]))
def test_what_is_spoilt_is_refused_on_the_line_on_which_the_whole_is(tree: Any, where: int, spoilt: bytes) -> None:
    raw = json.dumps({"a": tree, "b": 1}, indent=1).encode()
    raw = raw[: where % len(raw)] + spoilt + raw[where % len(raw) + 1 :]
    expected = fault_of(raw)
    for janela in (SMALLEST, 1 << 18):
        assert streamed_fault(raw, janela) == expected


def fault_of(raw: bytes) -> tuple[int, int] | None:
    """Line and column where the whole stops being JSON."""
    try:
        DECODER.decode(raw.decode())
    except json.JSONDecodeError as error:
        return error.lineno, error.colno
    return None


def streamed_fault(raw: bytes, janela: int) -> tuple[int | None, int] | None:
    """The same, as an import is told it."""
    try:
        streamed(raw, janela)
    except ImportacaoIlegivel as refused:
        (problem,) = refused.problemas
        return problem.linha, int(re.findall("coluna ([0-9]+):", problem.mensagem)[0])
    return None


def test_a_list_at_the_top_is_left_in_the_file_and_a_key_that_comes_twice_is_known() -> None:
    with tempfile.TemporaryFile() as file:
        file.write('{"projetos": [{"a": 1, "a": 2}, "ção"], "x": 1, "x": [2]}'.encode())
        file.seek(0)
        tree = read_json(file, "edital.json")
        assert isinstance(tree, Repetidas)
        assert tree.chaves == ("x",)
        projetos = tree["projetos"]
        assert isinstance(projetos, DoArquivo)
        assert (projetos[0].chaves, projetos[-1], projetos[0:1], len(projetos)) == (("a",), "ção", [{"a": 2}], 2)
        with pytest.raises(IndexError):
            projetos[2]


def test_one_item_larger_than_anybody_would_read_is_refused_by_its_size() -> None:
    with pytest.raises(ImportacaoGrandeDemais, match="edital"):
        streamed(b'{"projetos": [\n"' + b"x" * (ITEM_MAXIMO + 2_000_000) + b'"]}', 1 << 18)


def test_what_is_kept_comes_back_from_memory_and_from_disk(tmp_path: Path) -> None:
    guardados = Guardados(tmp_path)
    values = [{"n": number, "texto": "é" * 1_000} for number in range(2_000)]
    for one in values:
        guardados.append(one)
    assert guardados == values
    assert Tipados(guardados, dict) == values
    assert list(tmp_path.iterdir()) == []  # the file has no name, and is gone with whoever holds it
    guardados.append({"meia \ud800": 1})
    assert list(guardados[-1]) == ["meia ?"]


def test_an_import_is_held_a_little_at_a_time(tmp_path: Path) -> None:
    """Source: design/sujeito.md, table, 8."""
    documento = certa() | {"avaliadores": []}
    projeto = documento["projetos"][0] | {"documentos": [], "descricao_tecnica": "apresentação “na praça” 🎭 " * 400}
    documento["projetos"] = [projeto | {"id": f"P{number}"} for number in range(450)]
    place = tmp_path / "edital.json"
    with place.open("w") as file:
        json.dump(documento, file, ensure_ascii=False)
    assert place.stat().st_size > 6_000_000
    tracemalloc.start()
    try:
        chamada = read_chamada(place, tmp_path).chamada
        assert sum(len(one.texto) > 10_000 for one in chamada.projetos) == 450
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000
