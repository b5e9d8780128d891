"""RF1: what is required, and one shape for what heterogeneous systems send."""

from __future__ import annotations

from typing import Any

import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.contracts import Normalizacao, PedidoNormalizado
from crivo.autorizacoes.leitura import PedidoIlegivel


def normalizacao(um_pedido: dict[str, Any], campos: dict[str, dict[str, str]] | None = None) -> Normalizacao:
    return decide(um_pedido, regra(), campos=campos).etapas.normalizacao


def normalizado(um_pedido: dict[str, Any]) -> PedidoNormalizado:
    return normalizacao(um_pedido).pedido_normalizado


@pytest.mark.parametrize(
    "escrita",
    [
        "2026-10-05",
        "2026-10-05T14:30:00",
        "2026-10-05T23:30:00-03:00",
        "2026-10-05T14:30:00Z",
        "05/10/2026",
        "5/10/2026",
        "05-10-2026",
        "05.10.2026",
        "2026/10/05",
        "20261005",
        " 05/10/2026 ",
        "05/10/2026 14:30",
        "05/10/2026 às 14h30",
        "05-10-2026 23:59:59",
        "5 de outubro de 2026",
        "05-out-2026",
        "Oct 5, 2026",
        "5 de octubre de 2026",
        20261005,
    ],
)
def test_every_written_form_of_a_date_becomes_iso_day_first(escrita: object) -> None:
    """PRD 1.2/1: datas em ISO."""
    assert normalizado(pedido(data_pedido=escrita)).data_pedido == "2026-10-05"


@pytest.mark.parametrize(
    "escrita",
    [
        "05/10/2026 2:30 PM",
        "26-10-05",
        "5 de onzembro de 2026",
        "31/02/2026",
        "2026-13-01",
        "10/2026",
        "ontem",
        "05/10/26",
        "2026-W40-1",
        "0001-01-01",
        [1],
        True,
        "1" * 500,
    ],
)
def test_what_is_no_calendar_date_blocks_the_pedido(escrita: object) -> None:
    """PRD 1.2/1: data_pedido_invalida."""
    found = normalizacao(pedido(data_pedido=escrita, data_prevista=escrita))
    assert found.erros_bloqueantes == ("data_pedido_invalida", "data_prevista_invalida")
    assert (found.pedido_normalizado.data_pedido, found.pedido_normalizado.data_prevista) == (None, None)


def test_a_pedido_without_a_date_is_dated_by_its_receipt() -> None:
    """PRD 1.2/1: datas em ISO."""
    found = normalizacao(pedido(data_pedido=None))
    assert found.pedido_normalizado.data_pedido == "2026-11-20"
    assert found.alertas == ("data_pedido_presumida",)


@pytest.mark.parametrize(
    "campo", ["pedido_id", "administradora_id", "plano_id", "beneficiario.id", "procedimento.codigo", "procedimento.quantidade"]
)
@pytest.mark.parametrize("ausente", [None, "", "   "])
def test_each_required_field_is_asked_for_by_name(campo: str, ausente: str | None) -> None:
    """PRD 1.2/2: campos obrigatórios."""
    found = normalizacao(pedido(**{campo.replace(".", "__"): ausente}))
    assert found.erros_bloqueantes == (f"campo_obrigatorio_ausente:{campo}",)


@pytest.mark.parametrize("campo", ["pedido_id", "administradora_id", "plano_id", "beneficiario.id", "procedimento.codigo"])
@pytest.mark.parametrize("nada", ["N/A", "n/d", "-", "--", " — ", "null", "Não informado", "s/n", "?", "#N/D", "Não se aplica"])
def test_what_says_that_there_is_none_is_nobodys_id(campo: str, nada: str) -> None:
    """Else everybody of whom nothing is known would be one person. What came stays with the pedido."""
    found = normalizacao(pedido(**{campo.replace(".", "__"): nada}))
    assert found.erros_bloqueantes == (f"campo_obrigatorio_ausente:{campo}",)
    kept: Any = found.pedido_normalizado.extras
    for nome in campo.split("."):
        kept = kept[nome]
    assert kept == nada


@pytest.mark.parametrize("nada", ["0", "0000000", "000-00", "NA", "Nenhum", 0])
def test_zeros_are_nobodys_number_and_may_be_a_plano(nada: Any) -> None:
    campos = pedido(pedido_id=nada, beneficiario__id=nada, plano_id=nada)
    assert normalizacao(campos).erros_bloqueantes == ("campo_obrigatorio_ausente:pedido_id", "campo_obrigatorio_ausente:beneficiario.id")


@pytest.mark.parametrize("numero", ["100", "0010", "NA-1", "N", "*", "S/N-4", "SNA"])
def test_an_id_that_only_looks_like_nothing_stays(numero: str) -> None:
    assert normalizado(pedido(beneficiario__id=numero)).beneficiario.id == numero


def test_an_empty_pedido_is_told_all_that_it_lacks_in_the_order_of_the_source() -> None:
    """PRD 1.2/2: campos obrigatórios."""
    assert normalizacao({}).erros_bloqueantes == (
        "campo_obrigatorio_ausente:pedido_id",
        "campo_obrigatorio_ausente:administradora_id",
        "campo_obrigatorio_ausente:plano_id",
        "campo_obrigatorio_ausente:beneficiario.id",
        "campo_obrigatorio_ausente:procedimento.codigo",
        "campo_obrigatorio_ausente:procedimento.quantidade",
    )


@pytest.mark.parametrize(
    ("escrito", "lido"), [("médico", "MEDICO"), (" Clínica ", "CLINICA"), ("HOSPITAL", "HOSPITAL"), ("farmácia", None), ("", None)]
)
def test_the_kind_of_requester_is_one_of_three(escrito: str, lido: str | None) -> None:
    """PRD 1.2/3: enums."""
    found = normalizacao(pedido(solicitante__tipo=escrito))
    assert found.pedido_normalizado.solicitante.tipo == lido
    assert found.alertas == (("valor_fora_do_dominio:solicitante.tipo",) if escrito == "farmácia" else ())


@pytest.mark.parametrize("escrito", ["NÃO_CREDENCIADO", "nao credenciado", "Não-Credenciado", "NAO_CREDENCIADO", " não  credenciado "])
def test_a_provider_out_of_the_network_is_one_however_it_is_written(escrito: str) -> None:
    """PRD 1.2/3: enums."""
    assert normalizado(pedido(prestador__tipo=escrito)).prestador.tipo == "NÃO_CREDENCIADO"


def test_an_unknown_code_table_is_another_one() -> None:
    """PRD 1.2/3: enums."""
    found = normalizacao(pedido(procedimento__tabela="AMB-92"))
    assert found.pedido_normalizado.procedimento.tabela == "OUTRA"
    assert found.alertas == ("valor_fora_do_dominio:procedimento.tabela",)


@pytest.mark.parametrize("quantidade", [0, -1, -0.5, "0", "-3", "duas", "1e3", "inf", True, [1], {"n": 1}, 10**12, "9" * 30])
def test_a_quantity_that_is_no_positive_number_blocks(quantidade: object) -> None:
    """PRD 1.2/4: quantidade_invalida."""
    assert normalizacao(pedido(procedimento__quantidade=quantidade)).erros_bloqueantes == ("quantidade_invalida",)


@pytest.mark.parametrize(
    ("escrita", "lida"), [("3", 3), (" 2,5 ", 2.5), ("1,0", 1), ("1.234,5", 1234.5), (2.0, 2), ("+4", 4), ("0,5", 0.5)]
)
def test_a_quantity_may_be_written_with_a_decimal_comma(escrita: object, lida: float) -> None:
    """PRD 1.2/4: quantidade."""
    quantidade = normalizado(pedido(procedimento__quantidade=escrita)).procedimento.quantidade
    assert quantidade == lida
    assert type(quantidade) is type(lida)


@pytest.mark.parametrize(
    ("escrito", "lido"),
    [("4.03.04.36-1", "40304361"), (" 40 30 43 61 ", "40304361"), ("rm-cranio", "RM-CRANIO"), (40304361, "40304361"), ("a b", "AB")],
)
def test_codes_lose_blanks_and_tuss_punctuation(escrito: object, lido: str) -> None:
    """PRD 1.2/5: espaços e maiúsculas em códigos."""
    assert normalizado(pedido(procedimento__codigo=escrito)).procedimento.codigo == lido


def test_ids_keep_their_zeros_and_punctuation() -> None:
    """PRD 1.2/5: espaços e maiúsculas em códigos."""
    found = normalizado(pedido(pedido_id=" 000.123-4 ", beneficiario__id="007"))
    assert (found.pedido_id, found.beneficiario.id) == ("000.123-4", "007")


def test_equivalent_fields_are_mapped_and_each_mapping_is_told() -> None:
    """PRD 1.2/6: campos equivalentes."""
    found = normalizacao(
        {
            "numeroGuia": "G-1",
            "registro_ans": "ADM-1",
            "Plano": "PRATA",
            "Beneficiário": {"carteirinha": "B-9"},
            "codigo_tuss": "4.11.01.01-4",
            "quantidade": 1,
        }
    )
    assert found.erros_bloqueantes == ()
    assert "campo_mapeado:pedido_id<-numeroGuia" in found.alertas
    assert "campo_mapeado:administradora_id<-registro_ans" in found.alertas
    assert "campo_mapeado:beneficiario.id<-Beneficiário.carteirinha" in found.alertas
    assert "campo_mapeado:procedimento.codigo<-codigo_tuss" in found.alertas
    assert found.pedido_normalizado.procedimento.tabela == "TUSS"


def test_the_tuss_code_wins_and_the_other_is_kept_and_told() -> None:
    """PRD 1.2/6: priorizando TUSS; registre origem em alertas."""
    found = normalizacao(pedido(procedimento={"codigo": "RM-CRANIO", "codigo_tuss": "41101014", "quantidade": 1}))
    assert found.pedido_normalizado.procedimento.codigo == "41101014"
    assert found.alertas == (
        "campo_mapeado:procedimento.codigo<-procedimento.codigo_tuss",
        "campo_divergente:procedimento.codigo<-procedimento.codigo",
    )
    assert found.pedido_normalizado.extras == {"procedimento": {"codigo": "RM-CRANIO"}}


def test_the_same_code_written_twice_diverges_from_nothing() -> None:
    """PRD 1.2/6: campos equivalentes."""
    found = normalizacao(pedido(procedimento={"codigo": "41101014", "codigo_tuss": "4.11.01.01-4", "quantidade": 1}))
    assert [alerta for alerta in found.alertas if alerta.startswith("campo_divergente")] == []


def test_a_bare_codigo_is_the_procedure() -> None:
    """PRD 1.2/6: campos equivalentes (codigo_tuss, codigo)."""
    found = normalizado(pedido(procedimento={"quantidade": 1}, codigo="41101014"))
    assert found.procedimento.codigo == "41101014"


@pytest.mark.parametrize(
    ("mandado", "origem"),
    [
        ({"operadora": "ADM-1"}, "operadora"),
        ({"Administradora": "ADM-1"}, "Administradora"),
        ({"operadora": {"id": "ADM-1"}}, "operadora.id"),
    ],
)
def test_an_operadora_is_named_by_a_text_as_well_as_by_an_object(mandado: dict[str, Any], origem: str) -> None:
    """PRD 1.2/6: campos equivalentes."""
    found = normalizacao({**pedido(administradora_id=None), **mandado})
    assert found.pedido_normalizado.administradora_id == "ADM-1"
    assert found.alertas == (f"campo_mapeado:administradora_id<-{origem}",)


def test_a_plano_is_named_by_an_object_as_well_as_by_a_text() -> None:
    """PRD 1.2/6: campos equivalentes."""
    assert normalizado({**pedido(plano_id=None), "plano": {"codigo": "PRATA"}}).plano_id == "PRATA"
    assert normalizado({**pedido(plano_id=None), "plano": "PRATA"}).plano_id == "PRATA"


def test_what_should_be_an_object_is_told_so() -> None:
    with pytest.raises(PedidoIlegivel) as caught:
        normalizacao({**pedido(), "guia": "123", "solicitante": "Dr. X"})
    assert {(problem.caminho, problem.mensagem) for problem in caught.value.problemas} == {
        ("guia", "deve ser um objeto"),
        ("solicitante", "deve ser um objeto"),
    }


def test_an_administradora_may_extend_the_table_for_its_own_pedidos_only() -> None:
    """PRD 1.2/6: campos heterogêneos dependendo da administradora."""
    tabela = {"ADM-1": {"nro_sol": "pedido_id"}}
    proprio = normalizacao(pedido(pedido_id=None, nro_sol="S-7"), tabela)
    assert proprio.pedido_normalizado.pedido_id == "S-7"
    outro = normalizacao(pedido(pedido_id=None, nro_sol="S-7", administradora_id="ADM-2"), tabela)
    assert outro.erros_bloqueantes == ("campo_obrigatorio_ausente:pedido_id",)
    assert outro.pedido_normalizado.extras == {"nro_sol": "S-7"}


def test_nothing_unknown_is_thrown_away() -> None:
    """PRD 1.2/6: campos heterogêneos."""
    extras = {"observacao": "retorno", "beneficiario": {"nome": "Bia Souza", "tags": [1, {"a": None}]}}
    found = normalizado({**pedido(), "observacao": "retorno", "beneficiario": {**pedido()["beneficiario"], **extras["beneficiario"]}})  # type: ignore[dict-item]
    assert found.extras == extras


@pytest.mark.parametrize(
    ("extra", "onde"),
    [
        ({"observacao": "retorno"}, "observacao"),
        ({"Obs": "x"}, "Obs"),
        ({"observações clínicas": ["alergia", "gestante"]}, "observações clínicas"),
        ({"beneficiario": {"id": "B-1", "idade": 50, "carencia_cumprida_dias": 400, "obs": "x"}}, "beneficiario.obs"),
    ],
)
def test_a_note_to_whoever_decides_is_kept_and_told_as_unread(extra: dict[str, Any], onde: str) -> None:
    """Design: observações that code cannot read are told."""
    assert normalizacao({**pedido(), **extra}).alertas == (f"observacao_do_pedido_nao_lida:{onde}",)


@pytest.mark.parametrize(
    ("extra", "onde"),
    [
        ({"prioridade": "URGENTE"}, "prioridade"),
        ({"caraterAtendimento": "Urgência"}, "caraterAtendimento"),
        ({"itens": [{"codigo": "999", "quantidade": 3}]}, "itens"),
        ({"status": "CANCELADO"}, "status"),
        ({"prestador": {"tipo": "CREDENCIADO", "nao_credenciado": True}}, "prestador.nao_credenciado"),
    ],
)
def test_what_may_weigh_on_the_decision_and_nothing_reads_is_told(extra: dict[str, Any], onde: str) -> None:
    """Design: read or named, never passed over; as any unknown field it is kept."""
    assert normalizacao({**pedido(), **extra}).alertas == (f"campo_nao_lido:{onde}",)


@pytest.mark.parametrize("nada", ["", "  ", [], None])
def test_an_empty_note_is_none(nada: object) -> None:
    assert normalizacao({**pedido(), "observacao": nada}).alertas == ()


def test_the_age_comes_from_the_birth_date_on_the_day_of_the_pedido() -> None:
    """PRD 1.2/7: idade."""
    nascido = pedido(beneficiario__idade=None, beneficiario__data_nascimento="06/10/1976")
    assert normalizado(nascido).beneficiario.idade == 49
    nascido["data_pedido"] = "2026-10-06"
    assert normalizado(nascido).beneficiario.idade == 50


def test_an_age_that_differs_from_the_birth_date_stays_and_is_told() -> None:
    """PRD 1.2/7: idade."""
    found = normalizacao(pedido(beneficiario__idade=30, beneficiario__data_nascimento="1970-01-01"))
    assert (found.pedido_normalizado.beneficiario.idade, found.alertas) == (30, ("idade_divergente",))


ILEGIVEL = "valor_fora_do_dominio:beneficiario.idade"


@pytest.mark.parametrize(
    "idade", [-1, 131, "abc", 40.5, True, [40], "131 anos", "45 semanas", "400 dias", "45 anos e 13 meses", "45 e 2 meses", "-5 anos"]
)
def test_an_age_that_cannot_be_is_told_as_unread_and_kept_as_it_came(idade: object) -> None:
    """PRD 1.2/7: idade_nao_informada; design: an unknown value of a known field is an alerta."""
    found = normalizacao(pedido(beneficiario__idade=idade))
    assert (found.pedido_normalizado.beneficiario.idade, found.alertas) == (None, (ILEGIVEL, "idade_nao_informada"))
    assert found.pedido_normalizado.extras == {"beneficiario": {"idade": idade}}


def test_an_age_that_did_not_come_is_only_not_informed() -> None:
    """PRD 1.2/7: idade_nao_informada."""
    assert normalizacao(pedido(beneficiario__idade=None)).alertas == ("idade_nao_informada",)


def test_an_unread_age_is_told_even_where_the_birth_gives_one() -> None:
    """PRD 1.2/7: idade."""
    found = normalizacao(pedido(beneficiario__idade="quarenta", beneficiario__data_nascimento="1970-01-01"))
    assert (found.pedido_normalizado.beneficiario.idade, found.alertas) == (56, (ILEGIVEL,))


@pytest.mark.parametrize(
    ("escrita", "anos"),
    [
        ("45 anos", 45),
        (" 45 ANOS ", 45),
        ("1 ano", 1),
        ("45a", 45),
        ("8 meses", 0),
        ("18 meses", 1),
        ("20 dias", 0),
        ("17 anos e meio", 17),
        ("45 anos e 2 meses", 45),
    ],
)
def test_an_age_with_its_unit_is_read(escrita: str, anos: int) -> None:
    """PRD 1.2/7: idade."""
    found = normalizacao(pedido(beneficiario__idade=escrita))
    assert (found.pedido_normalizado.beneficiario.idade, found.alertas) == (anos, ())


@pytest.mark.parametrize(("escrita", "dias"), [("120 dias", 120), ("120d", 120), ("1 dia", 1), ("1.234,5 dias.", 1234.5)])
def test_a_waiting_period_that_says_it_is_in_days_is_read(escrita: str, dias: float) -> None:
    """PRD 1.2/8: carência."""
    found = normalizacao(pedido(beneficiario__carencia_cumprida_dias=escrita))
    assert (found.pedido_normalizado.beneficiario.carencia_cumprida_dias, found.alertas) == (dias, ())


@pytest.mark.parametrize("escrita", ["6 meses", "um ano", "-5 dias", "1.000 dias", "dias"])
def test_a_waiting_period_in_another_unit_is_told_as_unread_and_kept_as_it_came(escrita: str) -> None:
    """PRD 1.2/8: carência; no month has a settled number of days."""
    found = normalizacao(pedido(beneficiario__carencia_cumprida_dias=escrita))
    assert (found.pedido_normalizado.beneficiario.carencia_cumprida_dias, found.alertas) == (None, ("carencia_invalida",))
    assert found.pedido_normalizado.extras == {"beneficiario": {"carencia_cumprida_dias": escrita}}


@pytest.mark.parametrize(
    ("escrito", "lido"),
    [
        *(
            (palavra, "CREDENCIADO")
            for palavra in ("credenciada", "rede própria", "Rede Credenciada", "na rede", "conveniado", "in-network")
        ),
        *((palavra, "NÃO_CREDENCIADO") for palavra in ("não credenciada", "fora da rede", "Fora da rede credenciada", "descredenciado")),
        *((palavra, None) for palavra in ("parceiro", "particular", "credenciado até 2024", "não sei se é da rede")),
    ],
)
def test_whether_a_provider_is_of_the_network_is_read_or_told_as_unread_and_never_inverted(escrito: str, lido: str | None) -> None:
    """PRD 1.2/3: enums; design: read or refused, never inverted."""
    found = normalizacao(pedido(prestador__tipo=escrito))
    assert found.pedido_normalizado.prestador.tipo == lido
    assert found.alertas == (() if lido else ("valor_fora_do_dominio:prestador.tipo",))


@pytest.mark.parametrize(
    ("quantidade", "tabela", "dita"),
    [(0.5, "TUSS", True), ("2,5", "TUSS", True), (2.5, None, True), (0.5, "OUTRA", True), (2.5, "OUTRA", False), (2.0, "TUSS", False)],
)
def test_a_quantity_that_is_not_whole_is_told_where_the_table_counts_whole_ones(quantidade: object, tabela: str | None, dita: bool) -> None:
    """PRD 1.2/4: any number above zero is a quantity; of what OUTRA lists (drugs, materials) there are halves."""
    found = normalizacao(pedido(procedimento__quantidade=quantidade, procedimento__tabela=tabela))
    assert found.alertas == (("quantidade_fracionada",) if dita else ())


@pytest.mark.parametrize("nascimento", ["31/02/1980", "2027-01-01", "1899-12-31"])
def test_an_impossible_birth_date_is_an_alert_and_not_kept(nascimento: str) -> None:
    """PRD 1.2/7: idade."""
    found = normalizacao(pedido(beneficiario__data_nascimento=nascimento))
    assert found.alertas == ("data_nascimento_invalida",)
    assert found.pedido_normalizado.beneficiario.data_nascimento is None


@pytest.mark.parametrize(
    ("escrita", "lida", "alerta"),
    [
        (0, 0, None),
        ("90", 90, None),
        (None, None, "carencia_nao_informada"),
        ("", None, "carencia_nao_informada"),
        (-1, None, "carencia_invalida"),
        ("muito", None, "carencia_invalida"),
        (True, None, "carencia_invalida"),
    ],
)
def test_carencia_served_is_a_number_of_days_or_unknown(escrita: object, lida: int | None, alerta: str | None) -> None:
    """PRD 1.2/8: carencia_cumprida_dias."""
    found = normalizacao(pedido(beneficiario__carencia_cumprida_dias=escrita))
    assert found.pedido_normalizado.beneficiario.carencia_cumprida_dias == lida
    assert found.alertas == ((alerta,) if alerta else ())


@pytest.mark.parametrize(
    ("escrita", "lida"),
    [
        (True, True),
        ("sim", True),
        ("S", True),
        ("1", True),
        (1, True),
        ("verdadeiro", True),
        (False, False),
        ("não", False),
        ("N", False),
        (0, False),
    ],
)
def test_urgency_is_read_in_the_words_people_use(escrita: object, lida: bool) -> None:
    """PRD 1.2/9: urgência."""
    found = normalizacao(pedido(urgencia=escrita))
    assert (found.pedido_normalizado.urgencia, found.alertas) == (lida, ())


def test_urgency_that_is_absent_on_the_very_day_is_presumed_false_and_told() -> None:
    """PRD 1.2/9: urgência."""
    assert normalizacao(pedido(data_prevista="05/10/2026")).alertas == ("urgencia_presumida_falsa",)
    assert normalizacao(pedido(data_prevista="06/10/2026")).alertas == ()
    assert normalizacao(pedido(data_prevista="05/10/2026", urgencia=False)).alertas == ()


def test_urgency_that_cannot_be_read_is_false_and_told() -> None:
    """PRD 1.2/9: urgência."""
    assert normalizacao(pedido(urgencia="talvez")).alertas == ("valor_fora_do_dominio:urgencia",)


@pytest.mark.parametrize(("quantidade", "valido"), [(1, True), (0, False)])
def test_a_pedido_is_valid_when_nothing_blocks_it(quantidade: int, valido: bool) -> None:
    """PRD 1.2/10: pedido_valido."""
    found = normalizacao(pedido(procedimento__quantidade=quantidade))
    assert found.pedido_valido is valido
    assert (found.erros_bloqueantes == ()) is valido


def test_documents_are_folded_and_come_once() -> None:
    """PRD 1.2/5: caracteres especiais."""
    anexos = ["Laudo médico", {"tipo": "LAUDO_MEDICO"}, {"tipo": "exame-de sangue", "arquivo": "e.pdf"}, ""]
    found = normalizado(pedido(documentos_anexos=anexos))
    assert [documento.tipo for documento in found.documentos_anexos] == ["LAUDO_MEDICO", "EXAME_DE_SANGUE"]
    assert found.extras["documentos_anexos"] == anexos


@pytest.mark.parametrize(
    ("campo", "valor", "caminho"),
    [
        ("beneficiario", [], "beneficiario"),
        ("procedimento", "41101014", "procedimento"),
        ("documentos_anexos", {"tipo": "X"}, "documentos_anexos"),
        ("documentos_anexos", ["A", 3], "documentos_anexos[1]"),
        ("pedido_id", {"a": 1}, "pedido_id"),
        ("plano_id", True, "plano_id"),
        ("prestador__tipo", ["CREDENCIADO"], "prestador.tipo"),
    ],
)
def test_a_field_of_a_type_that_cannot_be_read_is_refused_by_name(campo: str, valor: object, caminho: str) -> None:
    """PRD 1.3.1: formatos suportados."""
    with pytest.raises(PedidoIlegivel) as refused:
        normalizacao(pedido(**{campo: valor}))
    assert [problem.caminho for problem in refused.value.problemas] == [caminho]


def test_every_unreadable_field_is_told_at_once() -> None:
    """PRD 1.3.1: formatos suportados."""
    with pytest.raises(PedidoIlegivel) as refused:
        normalizacao(pedido(beneficiario=[], plano_id={}, documentos_anexos=7))
    assert {problem.caminho for problem in refused.value.problemas} == {"beneficiario", "plano_id", "documentos_anexos"}


@pytest.mark.parametrize(("escrita", "iso"), [("10/10/70", "1970-10-10"), ("01.02.25", "2025-02-01"), ("31/12/26", "1926-12-31")])
def test_the_short_year_of_a_birth_is_the_latest_that_it_can_be(escrita: str, iso: str) -> None:
    """PRD 1.2/1: datas em ISO."""
    assert normalizado(pedido(beneficiario__idade=None, beneficiario__data_nascimento=escrita)).beneficiario.data_nascimento == iso


@pytest.mark.parametrize("escrita", ["urgente", "URGENT", "Emergência", "yes", "Sí", "V"])
def test_urgency_is_never_taken_for_its_opposite(escrita: str) -> None:
    """PRD 1.2/9: urgência."""
    assert normalizado(pedido(urgencia=escrita)).urgencia is True


@pytest.mark.parametrize("escrita", ["eletivo", "ROUTINE", "não urgente", "de rotina", "no", "F"])
def test_what_is_not_urgent_is_read_in_its_many_words(escrita: str) -> None:
    """PRD 1.2/9: urgência."""
    assert normalizado(pedido(urgencia=escrita)).urgencia is False


def test_a_pedido_whose_urgency_cannot_be_read_waits_for_it() -> None:
    """Design: an unknown value of a known field is an alerta, and the pedido waits."""
    trilha = decide(pedido(urgencia="TALVEZ"), regra())
    assert trilha.etapas.normalizacao.erros_bloqueantes == ("valor_fora_do_dominio:urgencia",)
    assert trilha.etapas.sintese.decisao_final == "PENDENTE_AJUSTES"
    assert "a urgência" in trilha.etapas.sintese.mensagens.para_solicitante
    assert "se o atendimento é urgente" in trilha.etapas.sintese.mensagens.para_beneficiario


@pytest.mark.parametrize("quantidade", ["1.000", "2,000", "12.500"])
def test_a_quantity_that_could_be_a_thousand_or_one_blocks(quantidade: str) -> None:
    """PRD 1.2/4: quantidade_invalida."""
    assert normalizacao(pedido(procedimento__quantidade=quantidade)).erros_bloqueantes == ("quantidade_invalida",)
