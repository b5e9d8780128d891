from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.kernel.errors import Problem
from crivo.triagem.edital import ProjetoDocumento, RequisitoDocumento, Responsavel
from crivo.triagem.importacao import Importacao, ImportacaoRecusada, read_chamada
from crivo.triagem.importacao.mapas.valores import as_moment, plain_text

BRASILIA: Final = timezone(timedelta(hours=-3))


def moment(escrito: str) -> dict[str, Any]:
    return {"date": f"{escrito}.000000", "timezone_type": 3, "timezone": "America/Sao_Paulo"}


# As the platform's API answers; everybody is made up.
EXPORT: Final[dict[str, Any]] = {
    "opportunity": {
        "id": 4211,
        "name": "Edital de Culturas Populares",
        "shortDescription": "Apoio a <b>mestres</b> e grupos.",
        "longDescription": "<p>Capítulo 1</p><p>Das inscrições &amp; prazos</p>",
        "registrationFrom": moment("2026-08-01 00:00:00"),
        "registrationTo": moment("2026-09-15 23:59:00"),
        "ownerEntity": {"id": 1, "name": "Secretaria de Cultura"},
        "registrationFileConfigurations": [
            {"id": 12, "title": "Certidão negativa de débitos municipais", "required": True, "groupName": "rfc_12", "categories": []},
            {"id": 13, "title": "Carta de anuência", "required": True, "groupName": "rfc_13", "categories": ["Grupos"]},
            {"id": 14, "title": "Fotografias", "required": False, "groupName": "rfc_14", "allowedFileTypes": ["image/jpeg", "image/png"]},
        ],
        "registrationFieldConfigurations": [
            {"id": 31, "fieldName": "field_31", "title": "Descrição da proposta", "fieldType": "textarea", "displayOrder": 2},
            {"id": 30, "fieldName": "field_30", "title": "Resumo do projeto", "fieldType": "textarea", "displayOrder": 1},
            {"id": 32, "fieldName": "field_32", "title": "Município de atuação", "fieldType": "select", "displayOrder": 3},
            {"id": 33, "fieldName": "field_33", "title": "Linguagens", "fieldType": "checkboxes", "displayOrder": 4},
            {"id": 34, "fieldName": "field_34", "title": "Linguagens", "fieldType": "text", "displayOrder": 5},
            {"id": 35, "fieldName": "field_35", "title": "Endereço", "fieldType": "agent-owner-field", "config": {"entityField": "@location"}},
            {"id": 36, "fieldName": "field_36", "title": "Raça ou cor", "fieldType": "agent-owner-field", "config": {"entityField": "raca"}},
            {"id": 37, "title": "Dados", "fieldType": "section"},
        ],
    },
    "evaluationMethodConfiguration": {
        "type": {"id": "technical", "name": "Avaliação Técnica"},
        "sections": [{"id": "s-1", "name": "Mérito cultural"}],
        "criteria": [
            {"id": "c-1700000000001", "sid": "s-1", "title": "Relevância", "min": "0", "max": "10", "weight": "2"},
            {"id": "c-1700000000002", "sid": "s-1", "title": "Alcance", "max": 5, "weight": 1.5},
        ],
        "agentRelations": [
            {"id": 1, "group": "Comissão A", "status": 1, "agent": {"id": 9, "name": "Rui Leal", "emailPrivado": "rui@jurado.example", "user": 77}},
            {"id": 2, "group": "Comissão B", "status": 1, "agent": {"id": 9, "name": "Rui Leal", "emailPrivado": "RUI@jurado.example", "user": 77}},
            {"id": 3, "group": "Comissão A", "status": 8, "agent": {"id": 10, "name": "Eva Melo", "emailPrivado": "eva@jurado.example", "user": 78}},
            {"id": 4, "group": "Comissão A", "status": 1, "agent": {"id": 11, "name": "Davi Luz", "user": 79}},
        ],
    },
    "registrations": [
        {
            "id": 100,
            "number": "on-100",
            "status": 0,
            "projectName": "Rascunho",
            "owner": {"id": 5, "name": "Joana"},
        },
        {
            "id": 101,
            "number": "on-101",
            "status": 1,
            "projectName": "Reisado do Sertão",
            "category": "Grupos",
            "range": "Até 50 mil",
            "proponentType": "Coletivo",
            "sentTimestamp": moment("2026-09-10 14:00:00"),
            "owner": {"id": 5, "name": "Joana", "singleUrl": "https://mapa.example/agente/5"},
            "agentsData": {
                "owner": {"name": "Joana", "nomeCompleto": "Joana Prado", "documento": "529.982.247-25", "En_Municipio": "Sobral", "En_Estado": "CE"},
                "coletivo": {"name": "Reisado", "documento": "11.222.333/0001-81", "emailPrivado": "reisado@grupo.example", "En_Nome_Logradouro": "Rua A", "En_Num": "10"},
            },
            "field_30": "Um reisado.",
            "field_31": "<p>Doze apresentações.</p>",
            "field_32": "Caucaia",
            "field_33": ["Dança", "Música"],
            "field_34": "Teatro",
            "field_35": {"En_Municipio": "Caucaia", "En_Estado": "CE"},
            "field_36": "Parda",
            "files": {"rfc_12": {"id": 1, "name": "on-101 - certidao.pdf", "url": "https://mapa.example/1"}, "rfc_14": [{"name": "a.jpg"}, {"name": "b.jpg"}], "zipArchive": {"name": "tudo.zip"}},
            "valuers": {"77": "Comissão A"},
        },
        {"id": 102, "number": "on-102", "status": 10, "projectName": "Só", "owner": {"id": 6, "name": "Ana Sá"}, "files": []},
    ],
}  # fmt: skip
FILES: Final = ("on-101/on-101 - certidao.pdf", "arquivos/on-101/a.jpg", "b.jpg")


def export(**changes: Any) -> dict[str, Any]:
    documento = copy.deepcopy(EXPORT)
    documento.update(changes)
    return documento


def write(folder: Path, documento: Mapping[str, Any]) -> Path:
    for nome in FILES:
        (folder / nome).parent.mkdir(parents=True, exist_ok=True)
        (folder / nome).write_bytes(b"conteudo")
    (folder / "exportacao.json").write_text(json.dumps(documento))
    return folder


def accepted(folder: Path, documento: Mapping[str, Any]) -> Importacao:
    return read_chamada(write(folder, documento))


def refused(folder: Path, documento: Mapping[str, Any]) -> tuple[Problem, ...]:
    with pytest.raises(ImportacaoRecusada) as refusal:
        read_chamada(write(folder, documento))
    return refusal.value.problemas


@pytest.fixture
def importacao(tmp_path: Path) -> Importacao:
    return accepted(tmp_path, EXPORT)


def test_the_opportunity_is_the_edital(importacao: Importacao) -> None:
    """Design, Model: a Mapas Culturais API export comes in too."""
    edital = importacao.chamada.edital
    assert (edital.id, edital.nome, edital.orgao) == ("4211", "Edital de Culturas Populares", "Secretaria de Cultura")
    assert edital.inscricoes is not None
    assert (edital.inscricoes.inicio, edital.inscricoes.fim) == (date(2026, 8, 1), date(2026, 9, 15))
    assert edital.objetivo == "Apoio a mestres e grupos."
    assert edital.texto.split("\n") == ["Capítulo 1", "Das inscrições & prazos"]
    assert edital.orcamento_detalhado == "nao"


def test_criteria_are_criterios_with_weight_and_scale_also_within_quotes(importacao: Importacao) -> None:
    relevancia, alcance = importacao.chamada.criterios
    assert (relevancia.id, relevancia.nome, relevancia.descricao) == ("c-1700000000001", "Relevância", "Mérito cultural")
    assert (relevancia.peso, relevancia.nota_min, relevancia.nota_max) == (Decimal(2), Decimal(0), Decimal(10))
    assert (alcance.peso, alcance.nota_min, alcance.nota_max) == (Decimal("1.5"), Decimal(0), Decimal(5))


def test_attachments_are_requisitos_and_their_type_read_in_the_title_is_told(importacao: Importacao) -> None:
    certidao, carta, fotos = importacao.chamada.requisitos
    assert isinstance(certidao, RequisitoDocumento)
    assert isinstance(carta, RequisitoDocumento)
    assert isinstance(fotos, RequisitoDocumento)
    assert (certidao.id, certidao.documento, certidao.obrigatorio) == ("rfc_12", "CERTIDAO_MUNICIPAL", True)
    assert (carta.documento, carta.obrigatorio) == ("CARTA_ANUENCIA", False)
    assert (fotos.documento, fotos.formatos) == ("OUTRO", ("jpg", "png"))
    told = [(aviso.caminho, aviso.codigo) for aviso in importacao.avisos if aviso.caminho.startswith("opportunity.registrationFile")]
    assert told == [
        ("opportunity.registrationFileConfigurations[0]", "documento_pelo_titulo"),
        ("opportunity.registrationFileConfigurations[1]", "documento_pelo_titulo"),
        ("opportunity.registrationFileConfigurations[1]", "obrigatorio_para_alguns"),
        ("opportunity.registrationFileConfigurations[2]", "documento_pelo_titulo"),
    ]


def test_registrations_are_projetos_with_their_texts_and_declared_fields(importacao: Importacao) -> None:
    reisado = importacao.chamada.projetos[0]
    assert (reisado.id, reisado.titulo, reisado.categoria) == ("on-101", "Reisado do Sertão", "Grupos")
    assert reisado.enviado_em == datetime(2026, 9, 10, 14, tzinfo=BRASILIA)
    assert (reisado.resumo, reisado.descricao_tecnica) == ("Um reisado.", "Doze apresentações.")
    assert reisado.campos == {
        "municipio": "Caucaia",
        "estado": "CE",
        "faixa": "Até 50 mil",
        "tipo_de_proponente": "Coletivo",
        "municipio_de_atuacao": "Caucaia",
        "linguagens": ["Dança", "Música"],
        "linguagens_34": "Teatro",
        "raca": "Parda",
    }


def test_a_group_proposes_with_the_agent_who_answers_for_it(importacao: Importacao) -> None:
    grupo, sozinha = (projeto.proponente for projeto in importacao.chamada.projetos)
    assert (grupo.nome, grupo.cpf_cnpj, grupo.email) == ("Reisado", "11.222.333/0001-81", "reisado@grupo.example")
    assert grupo.endereco == "Rua A; 10"
    assert grupo.responsavel == Responsavel("Joana Prado", "529.982.247-25")
    assert (sozinha.nome, sozinha.responsavel) == ("Ana Sá", None)


def test_files_are_found_in_the_folders_in_which_people_keep_them(importacao: Importacao) -> None:
    assert importacao.chamada.projetos[0].documentos == (
        ProjetoDocumento("on-101/on-101 - certidao.pdf", "rfc_12"),
        ProjetoDocumento("arquivos/on-101/a.jpg", "rfc_14"),
        ProjetoDocumento("b.jpg", "rfc_14"),
    )
    assert importacao.arquivos["b.jpg"].read() == b"conteudo"


def test_evaluators_come_once_with_their_projetos_and_those_dismissed_do_not(importacao: Importacao) -> None:
    assert [(one.nome, one.email, one.projetos) for one in importacao.chamada.avaliadores] == [
        ("Rui Leal", "rui@jurado.example", ("on-101",))
    ]
    assert ("evaluationMethodConfiguration.agentRelations[3]", "avaliador_sem_email") in {(a.caminho, a.codigo) for a in importacao.avisos}


def test_drafts_are_left_out_and_counted(importacao: Importacao) -> None:
    assert [projeto.id for projeto in importacao.chamada.projetos] == ["on-101", "on-102"]
    (aviso,) = [aviso for aviso in importacao.avisos if aviso.codigo == "rascunhos"]
    assert aviso.mensagem.endswith(": 1.")


@pytest.mark.parametrize(
    ("change", "onde", "codigo"),
    [
        (("evaluationMethodConfiguration", "criteria", 0, "min", "11"), "evaluationMethodConfiguration.criteria[0].min", "notas_invertidas"),
        (("evaluationMethodConfiguration", "criteria", 0, "weight", "0"), "evaluationMethodConfiguration.criteria[0].weight", "valor_fora_da_faixa"),
        (("evaluationMethodConfiguration", "criteria", 1, "max", "cinco"), "evaluationMethodConfiguration.criteria[1].max", "tipo_errado"),
        (("opportunity", "name", " "), "opportunity.name", "texto_vazio"),
        (("opportunity", "registrationTo", moment("2026-07-01 00:00:00")), "opportunity.registrationTo", "datas_invertidas"),
        (("opportunity", "registrationTo", "quinze de setembro"), "opportunity.registrationTo", "data_invalida"),
        (("registrations", 1, "sentTimestamp", "ontem"), "registrations[1].sentTimestamp", "momento_invalido"),
        (("registrations", 1, "projectName", ["a"]), "registrations[1].projectName", "tipo_errado"),
        (("registrations", 2, "number", "on-101"), "registrations[2].number", "id_repetido"),
        (("registrations", 1, "files", "rfc_12", "name", "nada.pdf"), "registrations[1].files.rfc_12.name", "arquivo_ausente"),
        (("registrations", 1, "files", "rfc_12", "name", "../../x.pdf"), "registrations[1].files.rfc_12.name", "arquivo_invalido"),
        (("registrations", 1, "files", "rfc_12", "name", "a\0.pdf"), "registrations[1].files.rfc_12.name", "texto_invalido"),
        (("registrations", 1, "files", "rfc_99", {"name": "b.jpg"}), "registrations[1].files.rfc_99", "requisito_desconhecido"),
        (("registrations", 1, "field_32", "x" * 20_001), "registrations[1].field_32", "texto_longo"),
    ],
)  # fmt: skip
def test_a_problem_is_told_by_the_field_of_the_export(tmp_path: Path, change: tuple[Any, ...], onde: str, codigo: str) -> None:
    documento = export()
    *steps, last, valor = change
    place: Any = documento
    for step in steps:
        place = place[step]
    place[last] = valor
    (problem,) = refused(tmp_path, documento)
    assert (problem.codigo, problem.caminho.removesuffix(".requisito")) == (codigo, onde)


def test_parts_may_stand_inside_the_opportunity_or_beside_it(tmp_path: Path) -> None:
    documento = export()
    opportunity = documento["opportunity"]
    opportunity["evaluationMethodConfiguration"] = documento.pop("evaluationMethodConfiguration")
    documento["registrationFileConfigurations"] = opportunity.pop("registrationFileConfigurations")
    chamada = accepted(tmp_path, documento).chamada
    assert (len(chamada.criterios), len(chamada.requisitos)) == (2, 3)


def test_an_evaluation_without_notas_brings_no_criterios_and_says_so(tmp_path: Path) -> None:
    documento = export()
    documento["evaluationMethodConfiguration"]["type"] = "documentary"
    importacao = accepted(tmp_path, documento)
    assert importacao.chamada.criterios == ()
    assert "avaliacao_sem_notas" in {aviso.codigo for aviso in importacao.avisos}


def test_the_platform_s_copy_of_a_form_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, {"exporterVersion": "1.0.0", "phases": []})
    assert "`registrations`" in problem.mensagem


def test_a_key_that_comes_twice_is_refused_here_too(tmp_path: Path) -> None:
    write(tmp_path, EXPORT)
    place = tmp_path / "exportacao.json"
    place.write_text(place.read_text().replace('"category": "Grupos"', '"category": "Grupos", "category": "Outra"'))
    with pytest.raises(ImportacaoRecusada) as refusal:
        read_chamada(tmp_path)
    assert [(p.caminho, p.codigo) for p in refusal.value.problemas] == [("registrations[1].category", "chave_repetida")]


def test_an_export_with_nothing_in_it_is_told_what_it_lacks(tmp_path: Path) -> None:
    problemas = refused(tmp_path, {"opportunity": {}, "registrations": []})
    assert {problem.caminho for problem in problemas} == {"opportunity.id", "opportunity.name"}
    assert "Falta `name` em `opportunity`." in " ".join(problem.mensagem for problem in problemas)


JUNK: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "name", "agent", "title", "files", "rfc_1"]), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES: Final = ["id", "name", "registrationFrom", "registrationFileConfigurations", "registrationFieldConfigurations", "ownerEntity"]
METHOD: Final = ["type", "sections", "criteria", "committee", "agentRelations"]
REGISTRATION: Final = ["id", "number", "status", "owner", "agentsData", "files", "valuers", "sentTimestamp", "category", "field_1"]


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(st.sampled_from(NAMES), JUNK) | JUNK,
    st.dictionaries(st.sampled_from(METHOD), JUNK) | JUNK,
    st.lists(st.dictionaries(st.sampled_from(REGISTRATION), JUNK), max_size=3) | JUNK,
)
def test_no_export_however_wrong_ends_in_anything_but_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, opportunity: Any, method: Any, registrations: Any
) -> None:
    place = tmp_path_factory.getbasetemp() / "lixo.json"
    place.write_text(json.dumps({"opportunity": opportunity, "evaluationMethodConfiguration": method, "registrations": registrations}))
    with contextlib.suppress(ImportacaoRecusada):
        assert read_chamada(place).chamada.edital.nome


@pytest.mark.parametrize(
    ("valor", "lido"),
    [
        ({"date": "2026-09-10 14:00:00.000000", "timezone_type": 3, "timezone": "America/Sao_Paulo"}, "2026-09-10T14:00:00-03:00"),
        ({"date": "2026-09-10 14:00:00.000000", "timezone_type": 1, "timezone": "-04:00"}, "2026-09-10T14:00:00-04:00"),
        ({"date": "2026-09-10 14:00:00", "timezone": "UTC"}, "2026-09-10T14:00:00+00:00"),
        ("2026-09-10 14:00:00", "2026-09-10T14:00:00-03:00"),
        ("2026-09-10T14:00:00Z", "2026-09-10T14:00:00+00:00"),
        ({"date": "2026-09-10 14:00:00", "timezone": "Lua/Tranquilidade"}, "2026-09-10 14:00:00"),
        (None, None),
    ],
)
def test_moments_are_read_as_php_writes_them(valor: Any, lido: str | None) -> None:
    assert as_moment(valor) == lido


def test_html_becomes_its_text() -> None:
    assert plain_text("<ul><li>um</li><li>dois &lt; três</li></ul>") == "um\ndois < três"
    assert plain_text("2 < 3") == "2 < 3"
