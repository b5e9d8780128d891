"""A mapping put together by pointing at values: each step says what a person meant, and no state of a page is taken on trust."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crivo.autorizacoes.mapeamento.documento import Campo, Mapeamento
from crivo.autorizacoes.mapeamento.montagem import (
    RECONHECER,
    MontagemInvalida,
    Palavra,
    begin,
    drop_condition,
    ligar,
    lists_of_objects,
    note_absent,
    read_montagem,
    set_itens,
    soltar,
    swap_day_and_month,
    translate,
    untranslated,
)
from crivo.autorizacoes.mapeamento.padroes import is_ambiguous, month_comes_first, order_is_told, pattern_of
from crivo.autorizacoes.mapeamento.palpites import missing, propose, settle

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
