"""The sample call: the same at every run, complete, and planted as its answer key says."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from stdnum.br import cnpj, cpf

from crivo.triagem.amostra import gabarito, write_sample
from crivo.triagem.conferencia import Gabarito
from crivo.triagem.edital import Chamada


def written(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def edital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The call of the sample, with its documents beside it."""
    return write_sample(tmp_path_factory.mktemp("amostra"))


@pytest.fixture
def chamada(edital: Path) -> Chamada:
    return msgspec.json.decode(edital.read_bytes(), type=Chamada)


def test_the_sample_is_the_same_at_every_run(edital: Path, tmp_path: Path) -> None:
    write_sample(tmp_path)
    assert written(edital.parent) == written(tmp_path)


def test_every_file_that_a_project_names_is_there_and_no_other(edital: Path, chamada: Chamada) -> None:
    named = {documento.arquivo for projeto in chamada.projetos for documento in projeto.documentos}
    assert len(chamada.projetos) == 40
    assert len({projeto.categoria for projeto in chamada.projetos}) == 3
    assert len({projeto.campos["area"] for projeto in chamada.projetos}) == 8
    assert named == written(edital.parent).keys() - {"edital.json"}


def test_every_number_of_a_person_or_organisation_checks(chamada: Chamada) -> None:
    numbers = [projeto.proponente.cpf_cnpj for projeto in chamada.projetos]
    assert all(cpf.is_valid(number) or cnpj.is_valid(number) for number in numbers)
    assert len(set(numbers)) == 40


def test_the_answer_key_judges_every_item_of_every_project() -> None:
    key = msgspec.convert(gabarito(), Gabarito)
    assert len(key.projetos) == 40
    assert all(len(projeto.itens) == 10 for projeto in key.projetos)
    wrong = {item.motivo for projeto in key.projetos for item in projeto.itens if item.situacao == "nao_atende"}
    assert len(wrong) == 10  # every reason there is
    assert len({sign.tipo for sign in key.irregularidades}) == 7  # every kind but bare similarity, which follows from reuse
