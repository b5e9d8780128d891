"""A mapping put together by pointing at values: each step says what a person meant, and no state of a page is taken on trust."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crivo.autorizacoes.mapeamento.aplicacao import Leitor
from crivo.autorizacoes.mapeamento.documento import Campo, Mapeamento
from crivo.autorizacoes.mapeamento.escolha import as_lists, choices_in, positions_in
from crivo.autorizacoes.mapeamento.montagem import (
    RECONHECER,
    MontagemInvalida,
    Palavra,
    any_value,
    begin,
    choose_by_position,
    drop_condition,
    in_doubt_of_position,
    in_doubt_of_total,
    keep_position,
    ligar,
    lists_of_objects,
    note_absent,
    read_montagem,
    say_total,
    set_itens,
    soltar,
    swap_day_and_month,
    translate,
    untranslated,
)
from crivo.autorizacoes.mapeamento.padroes import is_ambiguous, month_comes_first, order_is_told, pattern_of
from crivo.autorizacoes.mapeamento.palpites import find_place, in_order, missing, propose, settle

DELES: dict[str, Any] = {
    "claim": {
        "header": {"number": 77120, "payer": {"code": "ACME-77"}, "plan": {"name": "Ouro"}, "date": "11/05/2026 10:30", "priority": "RUSH"},
        "member": {"card": "000123", "birth": "03/22/1976"},
        "services": [{"procedure": {"code": "4.11.01.01-4"}, "qty": 1, "network": "IN"}, {"procedure": {"code": "4.03.04.36-1"}, "qty": 2}],
        "attachments": [{"docType": "MEDICAL ORDER", "state": "OK"}],
        "a.b 'ç'": {"x": "1"},
    }
}


def test_a_procedure_in_a_list_makes_each_of_the_list_a_pedido_and_moves_what_stood_there() -> None:
    before = ligar(begin(), "prestador.tipo", ("claim", "services", 0, "network"), DELES)
    assert before.documento.campos["prestador.tipo"].de == "$.claim.services[0].network"
    after = ligar(before, "procedimento.codigo", ("claim", "services", 1, "procedure", "code"), DELES).documento
    assert after.itens == "$.claim.services[*]"
    assert after.campos["prestador.tipo"] == Campo("$item.network")
    assert after.campos["procedimento.codigo"] == Campo("$item.procedure.code", limpar=(".", "-"))
    whole = set_itens(read_montagem(msgspec.json.encode({"documento": msgspec.to_builtins(after)})), None).documento
    assert whole.campos["procedimento.codigo"].de == "$.claim.services[0].procedure.code"


def test_a_date_says_how_it_is_written_by_the_others_of_the_same_pedido() -> None:
    assert month_comes_first(DELES)  # 03/22 is no day first
    montagem = ligar(begin(), "data_pedido", ("claim", "header", "date"), DELES)
    assert montagem.documento.campos["data_pedido"].formato == "MM/dd/yyyy HH:mm"
    assert swap_day_and_month(montagem, "data_pedido").documento.campos["data_pedido"].formato == "dd/MM/yyyy HH:mm"
    idade = ligar(begin(), "beneficiario.idade", ("claim", "member", "birth"), DELES).documento.campos["beneficiario.idade"]
    assert (idade.formato, idade.calcular) == ("MM/dd/yyyy", "idade")
    assert order_is_told(DELES)
    assert not order_is_told({"a": "05/11/2026"})
    assert is_ambiguous("05/11/2026", "dd/MM/yyyy")
    assert not is_ambiguous("05/05/2026", "dd/MM/yyyy")
    assert not is_ambiguous("20261105", "yyyyMMdd")


@pytest.mark.parametrize(
    ("escrito", "padrao"),
    [
        ("05/11/26", "dd/MM/yy"),
        ("2026-11-05", ""),
        ("20261105", "yyyyMMdd"),
        ("5 de novembro de 2026", "d 'de' MMMM 'de' yyyy"),
        ("oi", None),
    ],
)
def test_a_pattern_is_told_from_the_date(escrito: str, padrao: str | None) -> None:
    assert pattern_of(escrito) == padrao


def test_documents_are_all_of_their_list_with_type_and_state() -> None:
    campo = ligar(begin(), "documentos_anexos", ("claim", "attachments", 0, "docType"), DELES).documento.campos["documentos_anexos"]
    assert campo == Campo("$.claim.attachments[*]", tipo="@.docType", status="@.state")


def test_names_with_dots_quotes_and_accents_are_pointed_at_like_any_other() -> None:
    montagem = ligar(begin(), "plano_id", ("claim", "a.b 'ç'", "x"), DELES)
    assert montagem.documento.campos["plano_id"].de == r"$.claim['a.b \'ç\''].x"
    assert read_montagem(msgspec.json.encode(montagem)) == montagem


def test_a_step_is_taken_back_by_its_opposite() -> None:
    one = ligar(begin("acme", "A-1"), RECONHECER, ("claim", "header", "payer", "code"), DELES)
    assert one.documento.reconhecer == {"$.claim.header.payer.code": "ACME-77"}
    assert drop_condition(one, "$.claim.header.payer.code") == begin("acme", "A-1")
    assert ligar(one, RECONHECER, ("claim",), DELES) == one  # an object is no value to be known by
    urgente = translate(ligar(one, "urgencia", ("claim", "header", "priority"), DELES), "urgencia", "RUSH", True)
    assert urgente.documento.valores == {"urgencia": {"RUSH": True}}
    assert soltar(urgente, "urgencia") == one
    assert "urgencia" not in missing(note_absent(one, "urgencia"))


def test_words_that_mean_nothing_here_are_asked_for_and_the_others_are_not() -> None:
    bruto = {"urgencia": "RUSH", "prestador": {"tipo": "CREDENCIADO"}, "documentos_anexos": ["LAUDO MEDICO", {"tipo": "XRAY IMG"}]}
    assert untranslated([bruto, bruto]) == (Palavra("urgencia", "RUSH"), Palavra("documentos_anexos", "XRAY IMG"))


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b'{"documento": 1}',
        msgspec.json.encode({"documento": msgspec.to_builtins(Mapeamento("a", "b", {}, {"nada": Campo("$.a")}))}),
        msgspec.json.encode({"documento": msgspec.to_builtins(Mapeamento("a", "b", {}, {"plano_id": Campo("$..a..b")}))}),
    ],
)
def test_a_state_that_our_page_did_not_write_is_refused(raw: bytes) -> None:
    with pytest.raises(MontagemInvalida):
        read_montagem(raw)


def test_code_is_sure_only_where_name_and_value_say_the_same_of_one_place() -> None:
    palpites = {um.destino: um for um in propose(begin(), DELES)}
    assert palpites["procedimento.codigo"].caminho == "$.claim.services[*].procedure.code"
    assert palpites["procedimento.codigo"].certo
    assert palpites["pedido_id"].caminho == "$.claim.header.number"
    assert not palpites["pedido_id"].certo
    settled = settle(begin(), tuple(palpites.values()), DELES)
    assert list(settled.documento.campos) == ["procedimento.codigo"]
    assert settled.autores == {"procedimento.codigo": "codigo"}
    assert {um.destino for um in settled.palpites} == set(palpites) - {"procedimento.codigo"}


def test_lists_of_objects_are_found_from_the_outermost() -> None:
    assert lists_of_objects({"a": [{"b": [{"c": 1}]}], "d": [1, 2]}) == (("a",), ("a", 0, "b"))


def test_a_procedure_two_lists_deep_makes_each_of_every_list_a_pedido_and_reads_what_stands_above_from_its_own() -> None:
    deles = {"guias": [{"n": "G1", "p": [{"c": "1"}]}, {"n": "G2", "docs": [{"t": "LAUDO"}], "p": [{"c": "2"}, {"c": "3"}]}]}
    before = ligar(begin(), "pedido_id", ("guias", 1, "n"), deles)
    after = ligar(before, "procedimento.codigo", ("guias", 1, "p", 0, "c"), deles)
    assert after.documento.itens == "$.guias[*].p[*]"
    assert after.documento.campos["pedido_id"].de == "$.guias[*].n"
    assert after.documento.campos["procedimento.codigo"].de == "$item.c"
    assert ligar(after, "documentos_anexos", ("guias", 1, "docs", 0, "t"), deles).documento.campos["documentos_anexos"] == Campo(
        "$.guias[*].docs[*]", tipo="@.t"
    )
    assert ligar(after, "plano_id", ("guias", 0, "n"), deles).documento.campos["plano_id"].de == "$.guias[*].n"
    assert set_itens(after, "$.guias[*]").documento.campos["procedimento.codigo"].de == "$item.p[0].c"
    assert set_itens(after, None).documento.campos["pedido_id"].de == "$.guias[0].n"


PEDIDOS: dict[str, Any] = {
    "orders": [
        {
            "number": "NL-1",
            "subject": {"identifier": [{"system": "urn:card", "value": "7734-0001"}, {"system": "urn:cpf", "value": "529.982.247-25"}]},
            "reason": [{"coding": [{"system": "ICD-10", "code": "E11.9"}, {"system": "SNOMED", "code": "44054006"}]}],
            "lineItems": [
                {
                    "code": {"coding": [{"system": "LOCAL", "code": "HBA1C"}, {"system": "TUSS", "code": "40302075"}]},
                    "quantity": {"value": 1},
                    "unitPrice": {"amount": 48.5},
                },
                {
                    "code": {"coding": [{"system": "TUSS", "code": "40302040"}, {"system": "LOCAL", "code": "GLU"}]},
                    "quantity": {"value": 2},
                    "unitPrice": {"amount": 12.0},
                },
            ],
            "notes": [{"text": "a"}, {"text": "b"}],
        }
    ]
}
TUSS = ("orders", 0, "lineItems", 0, "code", "coding", 1, "code")


def test_an_entry_of_a_list_is_chosen_by_what_it_says_of_itself_and_not_by_its_place() -> None:
    montagem = ligar(begin(), "procedimento.codigo", TUSS, PEDIDOS)
    assert montagem.documento.itens == "$.orders[*].lineItems[*]"
    codigo = montagem.documento.campos["procedimento.codigo"].de or ""
    assert codigo == "$item.code.coding[?@.system == 'TUSS'].code"
    assert list(choices_in(codigo)) == ["o que tem system “TUSS”"]
    assert [um.bruto["procedimento"]["codigo"] for um in Leitor(montagem.documento).read(PEDIDOS, "2026-11-01").pedidos] == [
        "40302075",
        "40302040",
    ]
    montagem = ligar(montagem, "beneficiario.id", ("orders", 0, "subject", "identifier", 0, "value"), PEDIDOS)
    assert montagem.documento.campos["beneficiario.id"].de == "$.orders[*].subject.identifier[?@.system == 'urn:card'].value"
    assert in_doubt_of_position(montagem, "beneficiario.id") == ()
    placed = choose_by_position(montagem, "beneficiario.id", PEDIDOS)
    assert placed.documento.campos["beneficiario.id"].de == "$.orders[*].subject.identifier[0].value"
    assert in_doubt_of_position(placed, "beneficiario.id") == ()  # a person chose it
    first = dict(PEDIDOS["orders"][0]["lineItems"][0], code={"coding": [{"system": "LOCAL", "code": "KIT"}]})
    later = {"orders": [{**PEDIDOS["orders"][0], "lineItems": [first, PEDIDOS["orders"][0]["lineItems"][1]]}]}
    assert (
        choose_by_position(montagem, "procedimento.codigo", later).documento.campos["procedimento.codigo"].de == "$item.code.coding[0].code"
    )
    by_place = choose_by_position(montagem, "procedimento.codigo", PEDIDOS).documento.campos["procedimento.codigo"]
    assert by_place.de == "$item.code.coding[1].code"
    assert read_montagem(msgspec.json.encode(placed)) == placed


@pytest.mark.parametrize(
    ("lista", "passos", "escrito"),
    [
        ([{"tipo": "CNS", "n": "7"}, {"tipo": "CARTEIRA", "n": "8"}], (1, "n"), "[?@.tipo == 'CARTEIRA'].n"),
        ([{"tipo": "CARTEIRA", "n": "8"}], (0, "n"), "[?@.tipo == 'CARTEIRA'].n"),  # the next pedido may bring another before it
        ([{"nome": "carteira", "valor": "8"}, {"nome": "cpf", "valor": "9"}], (0, "valor"), "[?@.nome == 'carteira'].valor"),
        (
            [{"type": {"coding": [{"code": "MB"}]}, "value": "8"}, {"type": {"coding": [{"code": "MR"}]}, "value": "9"}],
            (0, "value"),
            "[?@.type.coding[0].code == 'MB'].value",
        ),
        ([{"@tp": "it's", "n": "7"}, {"@tp": "b", "n": "8"}], (0, "n"), "[?@['@tp'] == 'it\\'s'].n"),
        ([{"tipo": "A", "n": "7"}, {"tipo": "A", "n": "8"}], (1, "n"), "[1].n"),  # it tells nothing apart
        ([{"nome": "Ana", "n": "7"}, {"nome": "Bia", "n": "8"}], (1, "n"), "[1].n"),  # a name of somebody
        ([{"tipo": "A", "qtd": 1, "n": "7"}, {"tipo": "B", "qtd": 2, "n": "8"}], (1, "n"), "[1].n"),  # things of their own
        ([{"tipo": "2026-11-01", "n": "7"}, {"tipo": "2026-11-02", "n": "8"}], (1, "n"), "[1].n"),
    ],
)
def test_what_tells_an_entry_apart_is_a_word_of_its_kind_and_never_of_somebody(lista: Any, passos: tuple[Any, ...], escrito: str) -> None:
    montagem = ligar(begin(), "plano_id", ("x", *passos), {"x": lista})
    assert montagem.documento.campos["plano_id"].de == f"$.x{escrito}"
    assert bool(in_doubt_of_position(montagem, "plano_id")) == escrito.startswith("[1]")
    assert Leitor(montagem.documento).read({"x": lista}, "2026-11-01").pedidos[0].bruto["plano_id"] == lista[passos[0]][passos[1]]


def test_a_place_that_nothing_tells_apart_is_a_doubt_until_a_person_says_so() -> None:
    montagem = ligar(begin(), "plano_id", ("orders", 0, "notes", 1, "text"), PEDIDOS)
    montagem = ligar(montagem, "procedimento.codigo", TUSS, PEDIDOS)
    assert montagem.documento.campos["plano_id"].de == "$.orders[*].notes[1].text"
    assert in_doubt_of_position(montagem, "plano_id") == (2,)
    assert in_doubt_of_position(keep_position(montagem, "plano_id"), "plano_id") == ()
    again = ligar(keep_position(montagem, "plano_id"), "plano_id", ("orders", 0, "notes", 0, "text"), PEDIDOS)
    assert in_doubt_of_position(again, "plano_id") == (1,)  # it was said of another place
    assert positions_in("$.a[?@.b[0].c == 'x[1]'].d[2]") == (3,)


def test_the_price_of_a_unit_is_multiplied_and_what_no_name_says_is_asked() -> None:
    amount = ("orders", 0, "lineItems", 0, "unitPrice", "amount")
    codigo = ligar(begin(), "procedimento.codigo", TUSS, PEDIDOS)
    early = ligar(codigo, "procedimento.valor", amount, PEDIDOS)
    assert early.documento.campos["procedimento.valor"].calcular is None
    assert in_doubt_of_total(early)  # how many is not known yet
    whole = ligar(early, "procedimento.quantidade", ("orders", 0, "lineItems", 0, "quantity", "value"), PEDIDOS)
    assert whole.documento.campos["procedimento.valor"].calcular == "total"
    assert not in_doubt_of_total(whole)
    assert say_total(whole, da_unidade=False).documento.campos["procedimento.valor"].calcular is None
    assert not in_doubt_of_total(say_total(whole, da_unidade=False))
    assert (
        read_montagem(msgspec.json.encode(soltar(whole, "procedimento.quantidade"))).documento.campos["procedimento.valor"].calcular is None
    )
    raiz = {"vl": 1.0, "vl_total": 2.0, "q": 1}
    asked = ligar(ligar(begin(), "procedimento.quantidade", ("q",), raiz), "procedimento.valor", ("vl",), raiz)
    assert in_doubt_of_total(asked)
    assert say_total(asked, da_unidade=True).documento.campos["procedimento.valor"].calcular == "total"
    assert not in_doubt_of_total(ligar(asked, "procedimento.valor", ("vl_total",), raiz))


def test_a_letter_or_a_figure_of_urgency_is_asked_about_and_so_is_every_word_of_a_carater() -> None:
    ditos = ["1", 0, "S", "sim", "ROUTINE", True]
    assert [um.palavra for um in untranslated([{"urgencia": um} for um in ditos])] == ["1", "0", "S"]
    assert untranslated([{"urgencia": "URGENTE"}], origens=[{"urgencia": "$.guia['@caraterAtendimento']"}]) == (
        Palavra("urgencia", "URGENTE"),
    )
    assert untranslated([{"urgencia": True}], origens=[{"urgencia": "$.guia['@carater']"}]) == ()


def test_a_plano_that_the_administradora_does_not_name_is_asked_about() -> None:
    brutos = [{"plano_id": um} for um in ("GLD", "Plano Ouro")]
    assert untranslated(brutos, ["PLANO OURO", "PRATA"]) == (Palavra("plano_id", "GLD"),)
    assert untranslated(brutos) == ()


def test_a_diagnosis_is_never_taken_for_the_procedure_and_the_right_code_clicked_afterwards_moves_the_items() -> None:
    palpites = {um.destino: um for um in propose(begin(), PEDIDOS)}
    assert palpites["procedimento.codigo"].caminho == "$.orders[*].lineItems[*].code.coding[?@.system == 'TUSS'].code"
    assert palpites["procedimento.codigo"].certo
    assert palpites["beneficiario.id"].caminho == "$.orders[*].subject.identifier[?@.system == 'urn:card'].value"
    assert palpites["procedimento.quantidade"].caminho == "$.orders[*].lineItems[*].quantity.value"
    only = {"reason": [{"coding": [{"system": "SNOMED", "code": "44054006"}, {"system": "ICD-10", "code": "E11.9"}]}], "cid": "E11.9"}
    assert "procedimento.codigo" not in {um.destino for um in propose(begin(), only)}
    wrong = ligar(begin(), "procedimento.codigo", ("orders", 0, "reason", 0, "coding", 0, "code"), PEDIDOS)
    right = ligar(wrong, "procedimento.codigo", TUSS, PEDIDOS).documento
    assert right.itens == "$.orders[*].lineItems[*]"
    assert len(Leitor(right).read(PEDIDOS, "2026-11-01").pedidos) == 2
    chosen = ligar(set_itens(begin(), "$.orders[*]"), "procedimento.codigo", TUSS, PEDIDOS).documento
    assert chosen.itens == "$.orders[*].lineItems[*]"  # several procedures stand in one of those


def test_what_an_xml_brings_once_is_one_of_a_list_where_it_is_elsewhere_and_each_guia_keeps_its_number() -> None:
    guia: dict[str, Any] = {
        "@nr": "HV-501",
        "Benef": {"@cart": "0045", "@nasc": "19780402"},
        "Itens": {"It": {"@cod": "40901114", "@qt": "1"}},
    }
    dois = {"@nr": "HV-502", "Itens": {"It": [{"@cod": "30725160"}, {"@cod": "70701234"}]}}
    raiz = as_lists({"Remessa": {"@numero": "2026/0077", "Guia": [guia, dois]}})
    montagem = settle(begin(), propose(begin(), raiz), raiz)
    for um in in_order(montagem.palpites):
        montagem = ligar(montagem, um.destino, find_place(raiz, um.caminho, um.destino) or (), raiz, um.autor)
    m = montagem.documento
    assert (m.itens, m.campos["procedimento.codigo"].de) == ("$.Remessa.Guia[*].Itens.It[*]", "$item['@cod']")
    assert m.campos["pedido_id"].de == "$.Remessa.Guia[*]['@nr']"
    assert m.campos["beneficiario.id"].de == "$.Remessa.Guia[*].Benef['@cart']"
    assert as_lists({"a": {"procedimentos": {"procedimento": {"c": 1}}}}) == {"a": {"procedimentos": {"procedimento": [{"c": 1}]}}}


def test_a_pedido_may_be_known_by_something_standing_there() -> None:
    known = ligar(begin(), RECONHECER, ("claim", "header", "number"), DELES)
    assert any_value(known, "$.claim.header.number").documento.reconhecer == {"$.claim.header.number": "*"}
    assert any_value(known, "$.outro") == known
