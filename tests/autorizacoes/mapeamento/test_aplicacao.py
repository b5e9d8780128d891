"""A mapping reads what somebody's system sends; what it cannot settle is a problem by the sender's own path, and nothing is guessed."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.mapeamento.aplicacao import MOST_ITEMS, Leitor, Lido
from crivo.autorizacoes.mapeamento.documento import MAPEAVEIS
from crivo.autorizacoes.mapeamento.leitura import MapeamentoInvalido, read_mapeamento
from crivo.autorizacoes.mapeamento.midia import read_xml
from crivo.autorizacoes.mapeamento.prova import provar
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica

TODAY = "2026-11-27"
HEAD: dict[str, Any] = {"mapeamento": "acme", "administradora": "090417", "reconhecer": {"$.de": "ACME"}}

# The design's own example, word for word.
EXEMPLO = """\
mapeamento: acme-2026
administradora: "090417"
reconhecer: {"$.claim.header.payer.code": "ACME-77"}        # how a raw pedido of theirs is known; RFC 9535 JSONPath
itens: "$.claim.services[*]"                                # one pedido per item; ids get a suffix; one answer, one decision each
campos:
  pedido_id: "$.claim.header.number"
  plano_id: "$.claim.header.plan.name"
  data_pedido: {de: "$.claim.header.date", formato: "dd/MM/yyyy HH:mm"}
  procedimento.codigo: {de: "$item.procedure.code", limpar: [".", "-"]}
  procedimento.quantidade: "$item.qty"
  beneficiario.idade: {de: "$.claim.member.birth", formato: "dd/MM/yyyy", calcular: idade}
  documentos_anexos: "$.claim.attachments[*].docType"
  urgencia: {de: "$.claim.header.priority", senao: false}
valores:
  urgencia: {URGENT: true, ROUTINE: false}
  documentos_anexos: {"MEDICAL REPORT": RELATORIO_CLINICO}
  prestador.tipo: {"IN": CREDENCIADO, "OUT": NAO_CREDENCIADO}
"""
CLAIM: dict[str, Any] = {
    "claim": {
        "header": {
            "number": 77120,
            "payer": {"code": "ACME-77"},
            "plan": {"name": "Ouro"},
            "date": "05/11/2026 10:30",
            "priority": "urgent",
        },
        "member": {"birth": "06/11/1976", "card": "000123"},
        "services": [{"procedure": {"code": "4.03.04.36-1"}, "qty": 2}, {"procedure": {"code": "41101014"}, "qty": "1", "side": "L"}],
        "attachments": [{"docType": "Medical report"}],
    }
}


def leitor(**changes: Any) -> Leitor:
    return Leitor(read_mapeamento(json.dumps({**HEAD, **changes}).encode()).mapeamento)


def read(campos: dict[str, Any], documento: Any, **changes: Any) -> Lido:
    return leitor(campos=campos, **changes).read(documento, TODAY)


def only(campo: Any, documento: Any, destino: str = "plano_id", **changes: Any) -> Any:
    """What one field of one pedido holds, and the codes of the problems."""
    lido = read({destino: campo}, documento, **changes)
    found: Any = lido.pedidos[0].bruto
    for nome in destino.split("."):
        found = found.get(nome) if isinstance(found, dict) else None
    return found, [problema.codigo for problema in lido.problemas]


def test_the_example_of_the_design_reads_two_pedidos_with_their_origins_and_what_was_left_over() -> None:
    mapeamento = read_mapeamento(EXEMPLO.encode()).mapeamento
    assert Leitor(mapeamento).recognises(CLAIM)
    prova = provar(mapeamento, json.dumps(CLAIM).encode(), Fluxo(Catalogo.of(())), date(2026, 11, 27))
    one, other = [pedido.normalizado for pedido in prova.pedidos]
    assert (one["pedido_id"], other["pedido_id"]) == ("77120-1", "77120-2")
    assert (one["administradora_id"], one["plano_id"], one["data_pedido"], one["urgencia"]) == ("090417", "Ouro", "2026-11-05", True)
    assert one["beneficiario"]["idade"] == 49, "a day before the birthday"
    assert (one["procedimento"]["codigo"], one["procedimento"]["quantidade"]) == ("40304361", 2)
    assert (other["procedimento"]["codigo"], other["procedimento"]["quantidade"]) == ("41101014", 1)
    assert [documento["tipo"] for documento in one["documentos_anexos"]] == ["RELATORIO_CLINICO"]
    assert prova.pedidos[1].origem["procedimento.quantidade"] == "$.claim.services[1].qty"
    assert prova.pedidos[0].origem["documentos_anexos"] == "$.claim.attachments[*].docType"
    assert prova.pedidos[0].origem["plano_id"] == "$.claim.header.plan.name"
    assert [(one.caminho, one.valor) for one in prova.nao_usados] == [("$.claim.member.card", "000123"), ("$.claim.services[1].side", "L")]
    assert [(one.codigo, one.caminho) for one in prova.problemas] == [("campo_obrigatorio_ausente", "beneficiario.id")]


def test_what_is_left_over_goes_on_with_the_pedido_whose_it_is() -> None:
    lido = Leitor(read_mapeamento(EXEMPLO.encode()).mapeamento).read(CLAIM, TODAY)
    assert [pedido.bruto["nao_usados"] for pedido in lido.pedidos] == [
        {"$.claim.member.card": "000123"},
        {"$.claim.member.card": "000123", "$.claim.services[1].side": "L"},
    ]


def test_what_was_left_over_and_may_weigh_is_an_alerta_of_the_normalisation() -> None:
    lido = read({"plano_id": "$.p"}, {"p": "Ouro", "x": [{"obs": "sem contraste"}], "status do pedido": "cancelado", "cor": "azul"})
    alertas = Fluxo(Catalogo.of(())).decide_bruto(lido.pedidos[0].bruto, date(2026, 11, 27)).etapas.normalizacao.alertas
    assert "observacao_do_pedido_nao_lida:$.x[0].obs" in alertas
    assert not any("cor" in alerta.partition(":")[2] for alerta in alertas)


@pytest.mark.parametrize(
    ("campo", "documento", "found", "problemas"),
    [
        ("$.p", {"p": "Ouro"}, "Ouro", []),
        ("$.p", {}, None, []),
        ("$.p", {"p": None}, None, []),
        ("$.p", {"p": " "}, None, []),
        ("$.p", {"p": 0}, 0, []),
        ("$.p[*]", {"p": ["a", "b"]}, None, ["varios_valores"]),
        ("$..p", {"p": "a", "x": {"p": "b"}}, None, ["varios_valores"]),
        ("$.p", {"p": ["a"]}, None, ["lista_em_vez_de_valor"]),
        ("$.p", {"p": {"nome": "a"}}, None, ["objeto_em_vez_de_valor"]),
        ("$['plano do cliente']", {"plano do cliente": "a"}, "a", []),
        ("$.x[?@.t == 'plano'].v", {"x": [{"t": "plano", "v": "a"}, {"t": "outro", "v": "b"}]}, "a", []),
        ("$.x[-1]", {"x": ["a", "b"]}, "b", []),
        ("$['a', 'b']", {"b": "x"}, "x", []),
        ({"de": "$.p", "senao": "OURO"}, {}, "OURO", []),
        ({"de": "$.p", "senao": "OURO"}, {"p": "PRATA"}, "PRATA", []),
        ({"de": "$.p", "limpar": ["PL-", "."]}, {"p": "PL-0.1"}, "01", []),
        ({"de": "$.p", "limpar": ["-"], "senao": "OURO"}, {"p": "-"}, "OURO", []),
        ({"valor": "OURO"}, {}, "OURO", []),
    ],
)
def test_a_path_to_one_field_finds_one_value_or_tells(campo: Any, documento: Any, found: Any, problemas: list[str]) -> None:
    assert only(campo, documento) == (found, problemas)


def test_several_values_are_told_by_where_they_stand() -> None:
    (problema,) = read({"plano_id": "$..p"}, {"p": "a", "x": [{"p": "b"}]}).problemas
    assert problema.grave
    assert problema.caminho == "$..p"
    assert "`$.p`, `$.x[0].p`" in problema.mensagem


@pytest.mark.parametrize(
    ("destino", "dicionario", "veio", "found", "problemas"),
    [
        ("urgencia", {"URGENT": True, "ROUTINE": False}, " urgent ", True, []),
        ("urgencia", {"Não é": False}, "NAO  E", False, []),
        ("urgencia", {"1": True, "2": False}, 2, False, []),
        ("urgencia", {"1": True}, 1.0, True, []),
        ("prestador.tipo", {"true": "CREDENCIADO", "false": "NAO_CREDENCIADO"}, False, "NAO_CREDENCIADO", []),
        ("urgencia", {"URGENT": True}, "STAT", "STAT", ["valor_fora_do_dicionario"]),
        ("prestador.tipo", {"IN": "CREDENCIADO"}, "credenciado", "credenciado", []),
    ],
)
def test_words_are_compared_folded_and_one_that_no_dictionary_has_goes_on(
    destino: str, dicionario: dict[str, Any], veio: Any, found: Any, problemas: list[str]
) -> None:
    assert only("$.v", {"v": veio}, destino, valores={destino: dicionario}) == (found, problemas)


def test_a_word_that_nobody_knows_is_never_taken_for_its_opposite() -> None:
    mapeamento = read_mapeamento(EXEMPLO.encode()).mapeamento
    claim = json.loads(json.dumps(CLAIM).replace("urgent", "stat"))
    prova = provar(mapeamento, json.dumps(claim).encode(), Fluxo(Catalogo.of(())), date(2026, 11, 27))
    told = {(problema.codigo, problema.caminho) for problema in prova.problemas}
    assert ("valor_fora_do_dominio", "$.claim.header.priority") in told
    assert prova.pedidos[0].decisao is not None
    assert prova.pedidos[0].decisao.decisao_final == "PENDENTE_AJUSTES"
    assert not any("stat" in problema.mensagem for problema in prova.problemas)


@pytest.mark.parametrize(
    ("campo", "veio", "found", "problemas"),
    [
        ({"formato": "MM/dd/yyyy"}, "11/05/2026", "2026-11-05", []),
        ({"formato": "MM/dd/yyyy"}, "25/12/2026", {"nao_lido": "25/12/2026"}, ["data_fora_do_formato"]),
        ({"formato": "MM/dd/yyyy"}, "2026-11-05T10:00:00Z", "2026-11-05", []),
        ({"formato": "dd/MM/yy"}, "05/11/26", "2026-11-05", []),
    ],
)
def test_a_date_by_its_pattern_is_read_no_other_way(campo: dict[str, Any], veio: str, found: Any, problemas: list[str]) -> None:
    assert only({"de": "$.d", **campo}, {"d": veio}, "data_pedido") == (found, problemas)


@pytest.mark.parametrize(
    ("nascido", "pedido", "found", "problemas"),
    [
        ("12/03/1976", "11/03/2026", 49, []),
        ("12/03/1976", "12/03/2026", 50, []),
        ("12/03/2027", "12/03/2026", {"nao_lido": "12/03/2027", "futuro": True}, ["calculo_impossivel"]),
        ("12/03/1800", "12/03/2026", {"nao_lido": "12/03/1800"}, ["data_fora_do_formato"]),
        ("1976", "12/03/2026", {"nao_lido": "1976"}, ["data_fora_do_formato"]),
    ],
)
def test_the_age_is_that_on_the_day_of_the_pedido(nascido: str, pedido: str, found: Any, problemas: list[str]) -> None:
    campos = {
        "beneficiario.idade": {"de": "$.n", "formato": "dd/MM/yyyy", "calcular": "idade"},
        "data_pedido": {"de": "$.d", "formato": "dd/MM/yyyy"},
    }
    lido = read(campos, {"n": nascido, "d": pedido})
    assert lido.pedidos[0].bruto["beneficiario"]["idade"] == found
    assert [problema.codigo for problema in lido.problemas] == problemas


@pytest.mark.parametrize(
    ("campo", "veio", "found"),
    [
        ("$.d", "2026-03-03T02:30:00Z", "2026-03-02"),
        ("$.d", "2026-03-03T03:00:00Z", "2026-03-03"),
        ("$.d", "2026-03-02T23:30:00-05:00", "2026-03-03"),
        ("$.d", "2026-03-03T00:00:00Z", "2026-03-03"),  # a day alone
        ("$.d", "2026-03-03T02:30:00", "2026-03-03T02:30:00"),
        ({"de": "$.d", "formato": "yyyy-MM-dd'T'HH:mm:ssXXX"}, "2026-03-03T02:30:00Z", "2026-03-02"),
    ],
)
def test_an_instant_of_another_time_zone_is_the_day_that_it_is_in_brasilia(campo: Any, veio: str, found: str) -> None:
    assert only(campo, {"d": veio}, "data_pedido") == (found, [])
    nascido, problemas = only({"de": "$.d", "formato": "dd/MM/yyyy"}, {"d": "1976-03-12T02:00:00Z"}, "beneficiario.data_nascimento")
    assert (nascido, problemas) == ("1976-03-12", []), "a birth is a day wherever one is"


def regra_que_pede(**pede: Any) -> Fluxo:
    regra = {"regra_id": "R", "plano_id": "*", "tabela": "*", "codigo": "*", "cobertura": "COBERTA", **pede}
    head = {"administradora_id": "090417", "documento": "M", "versao": "1", "vigencia_inicio": "2026-01-01", "vigencia_fim": None}
    return Fluxo(Catalogo.of([read_politica(json.dumps({**head, "regras": [regra]}).encode()).politica]))


@pytest.mark.parametrize(
    ("campos", "veio", "pede", "motivo"),
    [
        ({"beneficiario.data_nascimento": {"formato": "dd/MM/yyyy"}}, "3/1976", {"restricoes_idade": {"min": 18}}, "idade_nao_lida"),
        (
            {"beneficiario.idade": {"formato": "dd/MM/yyyy", "calcular": "idade"}},
            "1976",
            {"restricoes_idade": {"max": 9}},
            "idade_nao_lida",
        ),
        ({"beneficiario.data_nascimento": {"formato": "dd/MM/yyyy"}}, "3/1976", {}, None),
        (
            {"beneficiario.carencia_cumprida_dias": {"formato": "dd/MM/yyyy", "calcular": "dias"}},
            "ontem",
            {"carencia_min_dias": 180},
            "carencia_nao_lida",
        ),
        (
            {"beneficiario.carencia_cumprida_dias": {"formato": "dd/MM/yyyy", "calcular": "dias"}},
            "01/01/2027",
            {"carencia_min_dias": 180},
            "carencia_nao_iniciada",
        ),
        ({"beneficiario.carencia_cumprida_dias": {"formato": "dd/MM/yyyy", "calcular": "dias"}}, "ontem", {"carencia_min_dias": 0}, None),
    ],
)
def test_a_date_that_cannot_be_read_makes_the_pedido_wait_where_a_regra_needs_it(
    campos: dict[str, Any], veio: str, pede: dict[str, Any], motivo: str | None
) -> None:
    fixos = {"pedido_id": "1", "plano_id": "OURO", "beneficiario.id": "b", "procedimento.codigo": "1", "procedimento.quantidade": 1}
    inteiros = {nome: {"valor": valor} for nome, valor in fixos.items()} | {nome: {"de": "$.d", **campo} for nome, campo in campos.items()}
    inteiros["data_pedido"] = {"valor": "2026-11-27"}
    decisao = regra_que_pede(**pede).decide_bruto(read(inteiros, {"d": veio}).pedidos[0].bruto, date(2026, 11, 27)).etapas.sintese
    assert decisao.decisao_final == ("APROVADO" if motivo is None else "PENDENTE_AJUSTES")
    if motivo is not None:
        assert decisao.artefato_registro.motivos == ("pedido_invalido", motivo)
        assert "180" not in decisao.mensagens.para_solicitante


def test_days_of_plano_are_counted_from_its_start() -> None:
    campo = {"de": "$.desde", "calcular": "dias"}
    assert only(campo, {"desde": "2026-11-17"}, "beneficiario.carencia_cumprida_dias") == (10, [])


@pytest.mark.parametrize(
    ("campo", "documento", "found"),
    [
        ("$.docs[*].t", {"docs": [{"t": "Laudo"}, {"t": "RX"}]}, ["Laudo", "RX"]),
        ("$.docs", {"docs": ["Laudo", "RX"]}, ["Laudo", "RX"]),
        ("$.docs", {"docs": "Laudo"}, ["Laudo"]),
        ("$.docs", {"docs": []}, None),
        ({"de": "$.docs", "nomes": True}, {"docs": {"LAUDO": "u", "RX": None, "TC": False}}, ["LAUDO"]),
        (
            {"de": "$.docs[*]", "tipo": "@.nome.curto", "status": "@.sit"},
            {"docs": [{"nome": {"curto": "Laudo"}, "sit": "RECUSADO"}]},
            [{"nome": {"curto": "Laudo"}, "tipo": "Laudo", "status": "RECUSADO"}],
        ),
    ],
)
def test_documents_come_under_any_name(campo: Any, documento: Any, found: Any) -> None:
    assert only(campo, documento, "documentos_anexos") == (found, [])


def test_what_was_used_before_is_read_by_the_names_that_regras_know() -> None:
    campo = {"de": "$.h[*]", "codigo": "@.proc", "data": "@.dt", "quantidade": "@.q", "formato": "dd/MM/yyyy"}
    found, problemas = only(campo, {"h": [{"proc": "1", "dt": "02/01/2026", "q": 1}]}, "historico")
    assert (found, problemas) == ([{"codigo": "1", "data": "2026-01-02", "quantidade": 1}], [])


@pytest.mark.parametrize(
    ("itens", "documento", "codigo"),
    [
        ("$.i[*]", {"i": []}, "sem_itens"),
        ("$.i[*]", {}, "sem_itens"),
        ("$.i", {"i": [{}]}, "lista_em_vez_de_itens"),
        ("$.i[*]", {"i": [{}] * (MOST_ITEMS + 1)}, "itens_demais"),
    ],
)
def test_items_that_are_none_are_told(itens: str, documento: Any, codigo: str) -> None:
    lido = read({"plano_id": "$item.p"}, documento, itens=itens)
    assert (lido.pedidos, [problema.codigo for problema in lido.graves]) == ((), [codigo])


def test_a_single_item_keeps_its_number_and_one_of_its_own_is_kept_too() -> None:
    shared = {"pedido_id": "$.n", "plano_id": "$item.p"}
    assert read(shared, {"n": "7", "i": [{"p": "a"}]}, itens="$.i[*]").pedidos[0].bruto["pedido_id"] == "7"
    own = read({"pedido_id": "$item.n"}, {"i": [{"n": "7"}, {"n": "8"}]}, itens="$.i[*]")
    assert [pedido.bruto["pedido_id"] for pedido in own.pedidos] == ["7", "8"]


@pytest.mark.parametrize(
    ("reconhecer", "documento", "known"),
    [
        ({"$.de": "ACME"}, {"de": " acme "}, True),
        ({"$.de": "ACME"}, {"de": "OUTRA"}, False),
        ({"$.de": "ACME"}, {}, False),
        ({"$.de": "*"}, {"de": {"x": 1}}, True),
        ({"$.de": "*"}, {"de": None}, False),
        ({"$.de": 7}, {"de": "7"}, True),
        ({"$.de": True}, {"de": 1}, False),
        ({"$.de": "ACME", "$.v": "2"}, {"de": "ACME", "v": 1}, False),
        ({"$.de": "ACME"}, ["ACME"], False),
        ({"$[0].de": "ACME"}, [{"de": "ACME"}], True),
    ],
)
def test_a_sender_is_known_by_every_condition(reconhecer: dict[str, Any], documento: Any, known: bool) -> None:
    assert leitor(reconhecer=reconhecer, campos={"plano_id": "$.p"}).recognises(documento) is known


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["ACME", "05/11/2026", "", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "de", "itens"]), inner, max_size=4),
    max_leaves=20,
)
_PATHS = st.sampled_from(
    ["$.a", "$.b[*]", "$..a", "$item.b", "$", "$item", "$.a[0].b", "$.a[?@.b == 1]", "$['a', 'b']", "$.de", "$.itens[*].a"]
)
_CAMPO = _PATHS | st.fixed_dictionaries(
    {"de": _PATHS},
    optional={
        "formato": st.just("dd/MM/yyyy"),
        "calcular": st.sampled_from(["idade", "dias"]),
        "limpar": st.just(["a"]),
        "nomes": st.just(True),
        "tipo": st.just("@.a"),
    },
)


@given(
    documento=_JSON,
    campos=st.dictionaries(st.sampled_from(MAPEAVEIS), _CAMPO, min_size=1, max_size=6),
    itens=st.sampled_from(["$.itens[*]", "$..b", "$.itens[*].b[*]"]),
)
def test_any_mapping_reads_any_document_without_a_surprise(documento: Any, campos: dict[str, Any], itens: str) -> None:
    try:
        mapeamento = read_mapeamento(json.dumps({**HEAD, "campos": campos, "itens": itens}).encode()).mapeamento
    except MapeamentoInvalido:
        return
    leitor = Leitor(mapeamento)
    leitor.recognises(documento)
    lido = leitor.read(documento, TODAY)
    assert lido == leitor.read(documento, TODAY)
    again = [leitor.read(leitor.alone(documento, pedido, lido.pedidos), TODAY) for pedido in lido.pedidos]
    for pedido, alone in zip(lido.pedidos, again, strict=True):
        assert pedido.numero in {one.numero for one in alone.pedidos} or itens == "$..b"
        if itens != "$..b":
            left = leitor.alone(documento, pedido, lido.pedidos)
            assert leitor.read_one(left, TODAY, pedido.numero, pedido.de, pedido.sufixo).bruto == pedido.bruto
    prova = provar(mapeamento, json.dumps(documento).encode(), Fluxo(Catalogo.of(())), date(2026, 11, 27))
    assert all(problema.mensagem for problema in prova.problemas)


FAMILIA: dict[str, Any] = {
    "de": "ACME",
    "guias": [
        {
            "n": "G1",
            "pessoa": {"id": "ana", "cpt": "asma"},
            "docs": ["LAUDO"],
            "itens": [{"c": "1"}, {"c": "2"}],
        },
        {"n": "G2", "pessoa": {"id": "bia"}, "docs": ["PEDIDO"], "segredo": "z", "itens": [{"c": "3"}]},
    ],
}
DA_FAMILIA: dict[str, Any] = {
    "pedido_id": "$.guias[*].n",
    "beneficiario.id": "$.guias[*].pessoa.id",
    "beneficiario.preexistencias": "$..cpt",
    "documentos_anexos": "$['guias'][:].docs[*]",
    "procedimento.codigo": "$.guias[*].itens[*].c",
}


def test_a_path_that_begins_as_the_items_do_means_what_the_item_itself_stands_in() -> None:
    lido = read(DA_FAMILIA, FAMILIA, itens="$.guias[*].itens[*]")
    assert lido.problemas == ()
    assert [pedido.bruto["pedido_id"] for pedido in lido.pedidos] == ["G1-1", "G1-2", "G2"]
    assert [pedido.bruto["beneficiario"] for pedido in lido.pedidos] == [
        {"id": "ana", "preexistencias": "asma"},
        {"id": "ana", "preexistencias": "asma"},
        {"id": "bia"},
    ]
    assert [pedido.bruto["documentos_anexos"] for pedido in lido.pedidos] == [["LAUDO"], ["LAUDO"], ["PEDIDO"]]
    assert [pedido.bruto["procedimento"]["codigo"] for pedido in lido.pedidos] == ["1", "2", "3"]
    assert lido.pedidos[2].origem["pedido_id"] == "$.guias[1].n"
    assert "nao_usados" not in lido.pedidos[0].bruto, "what another person's branch has left over is not kept with this one"
    assert lido.pedidos[2].bruto["nao_usados"] == {"$.guias[1].segredo": "z"}


def test_an_item_left_alone_holds_nothing_of_another_persons_branch_and_is_read_the_same_again() -> None:
    one = leitor(campos=DA_FAMILIA, itens="$.guias[*].itens[*]")
    lido = one.read(FAMILIA, TODAY)
    for pedido in lido.pedidos:
        alone = one.alone(FAMILIA, pedido, lido.pedidos)
        again = one.read_one(alone, TODAY, pedido.numero, pedido.de, pedido.sufixo)
        assert again == pedido
        assert ("bia" in json.dumps(alone)) is (pedido.numero == 3)
        assert ("asma" in json.dumps(alone)) is (pedido.numero != 3)
        assert one.read_one(FAMILIA, TODAY, pedido.numero, pedido.de, pedido.sufixo) == pedido


def test_items_of_two_branches_with_one_id_are_told_apart() -> None:
    lido = read({"pedido_id": "$.g[*].n"}, {"g": [{"n": 7, "i": [{"x": 1}]}, {"n": 7, "i": [{"x": 2}]}]}, itens="$.g[*].i[*]")
    assert [pedido.bruto["pedido_id"] for pedido in lido.pedidos] == ["7-1", "7-2"]


def test_a_list_of_messages_is_read_by_one_path_through_both_lists() -> None:
    lido = read({"pedido_id": "$[*].n", "plano_id": "$[*].plano"}, [{"n": 1, "plano": "a", "p": [{}, {"x": 1}]}], itens="$[*].p[*]")
    assert [(pedido.bruto["pedido_id"], pedido.bruto["plano_id"]) for pedido in lido.pedidos] == [("1-1", "a"), ("1-2", "a")]


def came(campo: Any, documento: Any, **changes: Any) -> tuple[list[str], list[str], list[str]]:
    """The documents that count, what RF1 says against the others, and what the mapping told."""
    lido = read({"documentos_anexos": campo}, documento, **changes)
    normalizado = Fluxo(Catalogo.of(())).decide_bruto(lido.pedidos[0].bruto, date(2026, 11, 27)).etapas.normalizacao
    ditos = [alerta for alerta in normalizado.alertas if "documento" in alerta and not alerta.startswith("campo")]
    tipos = [documento.tipo for documento in normalizado.pedido_normalizado.documentos_anexos]
    return tipos, ditos, [problema.codigo for problema in lido.problemas]


@pytest.mark.parametrize("sim", [True, "true", "S", "sim", 1, "1", "anexado", "https://a.b/c.pdf", "laudo 1.PDF", ["a.pdf"], {"url": "u"}])
def test_a_document_that_what_stands_at_its_name_says_came_counts(sim: Any) -> None:
    assert came({"de": "$.docs", "nomes": True}, {"docs": {"LAUDO": sim}}) == (["LAUDO"], [], [])
    assert came({"nomes": {"LAUDO": "$.docs.L"}}, {"docs": {"L": sim}}) == (["LAUDO"], [], [])


@pytest.mark.parametrize("nao", [False, "false", "0", 0, "N", "não", "", None, [], {}, [False]])
def test_a_document_that_what_stands_at_its_name_denies_does_not_count(nao: Any) -> None:
    assert came({"de": "$.docs", "nomes": True}, {"docs": {"LAUDO": nao}}) == ([], [], [])
    assert came({"nomes": {"LAUDO": "$.docs.L"}}, {"docs": {"L": nao}}) == ([], [], [])


@pytest.mark.parametrize(
    ("valor", "dito"),
    [
        ("ausente", "documento_pendente:LAUDO"),
        ("pendente", "documento_pendente:LAUDO"),
        ({"anexado": False}, "documento_pendente:LAUDO"),
        ({"status": "RECUSADO"}, "documento_recusado:LAUDO"),
    ],
)
def test_a_document_that_says_why_it_does_not_count_is_told(valor: Any, dito: str) -> None:
    assert came({"de": "$.docs", "nomes": True}, {"docs": {"LAUDO": valor}}) == ([], [dito], [])


def test_what_tells_neither_yes_nor_no_of_a_document_is_told_by_its_place_and_does_not_count_until_a_dictionary_says() -> None:
    documento = {"docs": {"LAUDO": "em trânsito", "TC": 7}}
    tipos, ditos, problemas = came({"de": "$.docs", "nomes": True}, documento)
    assert (tipos, problemas) == ([], ["situacao_ilegivel"] * 2)
    assert "valor_fora_do_dominio:documentos_anexos.status" in ditos
    (primeiro, _) = read({"documentos_anexos": {"de": "$.docs", "nomes": True}}, documento).problemas
    assert primeiro.caminho == "$.docs.LAUDO"
    assert "trânsito" not in primeiro.mensagem
    valores = {"documentos_anexos.status": {"Em transito": "PENDENTE", "7": True}}
    assert came({"de": "$.docs", "nomes": True, "status": "@"}, documento, valores=valores) == (["TC"], ["documento_pendente:LAUDO"], [])


def test_columns_of_flags_are_documents_by_the_names_that_the_mapping_gives() -> None:
    campo = {"nomes": {"PEDIDO_MEDICO": "$.Ped", "LAUDO": "$['Laudo médico']"}}
    assert came(campo, {"Ped": "S", "Laudo médico": "N"}) == (["PEDIDO_MEDICO"], [], [])
    lido = read({"documentos_anexos": campo, "procedimento.codigo": "$item.c"}, {"i": [{"c": 1, "Ped": "S"}]}, itens="$.i[*]")
    assert "documentos_anexos" not in lido.pedidos[0].bruto
    own = read({"documentos_anexos": {"nomes": {"P": "$item.Ped"}}}, {"i": [{"Ped": "S"}, {"Ped": "N"}]}, itens="$.i[*]")
    assert [pedido.bruto.get("documentos_anexos") for pedido in own.pedidos] == [["P"], None]
    assert own.pedidos[0].origem["documentos_anexos"] == "$.i[0].Ped"
    assert [sobra.caminho for sobra in own.nao_usados] == []


@pytest.mark.parametrize(("status", "tipos"), [(False, []), ("N", []), (True, ["LAUDO"]), ("S", ["LAUDO"])])
def test_a_situation_that_is_a_yes_or_a_no_tells_whether_the_document_came(status: Any, tipos: list[str]) -> None:
    campo = {"de": "$.docs[*]", "tipo": "@.t", "status": "@.ok"}
    assert came(campo, {"docs": [{"t": "LAUDO", "ok": status}]})[0] == tipos


@pytest.mark.parametrize(
    ("unitario", "quantidade", "found", "problemas"),
    [
        (10.1, 3, 30.3, []),
        ("R$ 1.234,50", "2", 2469, []),
        (5, None, {"nao_lido": 5}, ["calculo_impossivel"]),
        ("caro", 2, {"nao_lido": "caro"}, ["calculo_impossivel"]),
        (None, 2, None, []),
    ],
)
def test_the_value_of_a_pedido_is_that_of_one_unit_times_the_quantity_where_the_mapping_says_so(
    unitario: Any, quantidade: Any, found: Any, problemas: list[str]
) -> None:
    campos = {"procedimento.valor": {"de": "$.u", "calcular": "total"}, "procedimento.quantidade": "$.q"}
    lido = read(campos, {"u": unitario, "q": quantidade})
    assert lido.pedidos[0].bruto.get("procedimento", {}).get("valor") == found
    assert [problema.codigo for problema in lido.problemas] == problemas


def test_an_item_that_is_null_is_told_by_its_place_and_nothing_is_decided() -> None:
    lido = read({"plano_id": "$item.p"}, [{"p": "a"}, None], itens="$[*]")
    assert [(problema.codigo, problema.caminho) for problema in lido.graves] == [("item_vazio", "$[1]")]


@pytest.mark.parametrize("caminho", ["$.g.codigo", "$.g.codigo['#text']"])
@pytest.mark.parametrize("xml", ["<g><codigo>41</codigo></g>", '<g><codigo tipo="x">41</codigo></g>'])
def test_the_text_of_an_element_is_found_with_and_without_attributes_beside_it(caminho: str, xml: str) -> None:
    one = leitor(campos={"procedimento.codigo": caminho}, reconhecer={caminho: "41"})
    documento = one.with_lists(read_xml(xml.encode()))
    assert one.recognises(documento)
    lido = one.read(documento, TODAY)
    assert (lido.pedidos[0].bruto["procedimento"], lido.problemas) == ({"codigo": "41"}, ())


@pytest.mark.parametrize(("valor", "fica"), [("*", {"$.STATUS": "CANCELADO"}), ("CANCELADO", {})])
def test_what_need_only_be_there_to_be_recognised_is_read_by_nobody(valor: str, fica: dict[str, str]) -> None:
    lido = read({"plano_id": "$.p"}, {"de": "ACME", "p": "Ouro", "STATUS": "CANCELADO"}, reconhecer={"$.de": "ACME", "$.STATUS": valor})
    assert lido.pedidos[0].bruto.get("nao_usados", {}) == fica
    alertas = Fluxo(Catalogo.of(())).decide_bruto(lido.pedidos[0].bruto, date(2026, 11, 27)).etapas.normalizacao.alertas
    assert ("campo_nao_lido:$.STATUS" in alertas) == bool(fica)


@pytest.mark.parametrize(
    ("nome", "valor", "urgente", "problemas"),
    [
        ("@carater", "1", None, ["falta_dicionario"]),
        ("@carater", 0, None, ["falta_dicionario"]),
        ("priority", 1, None, ["falta_dicionario"]),
        ("urgente", "1", True, []),
        ("isUrgent", 0, False, []),
        ("@carater", True, True, []),
        ("carater", "urgência", True, []),
    ],
)
def test_a_figure_is_urgency_only_where_the_name_asks_for_it(nome: str, valor: Any, urgente: bool | None, problemas: list[str]) -> None:
    lido = read({"urgencia": f"$['{nome}']"}, {nome: valor})
    assert [problema.codigo for problema in lido.problemas] == problemas
    normalizacao = Fluxo(Catalogo.of(())).decide_bruto(lido.pedidos[0].bruto, date(2026, 11, 27)).etapas.normalizacao
    if urgente is None:
        assert any(erro.endswith(":urgencia") for erro in normalizacao.erros_bloqueantes), "it waits until somebody says which"
    else:
        assert normalizacao.pedido_normalizado.urgencia is urgente
    assert only({"de": "$.c"}, {"c": "1"}, "urgencia", valores={"urgencia": {"1": False}}) == (False, [])


def test_an_urgency_that_does_not_come_is_told_unless_the_mapping_says_what_that_means() -> None:
    assert only("$.u", {}, "urgencia") == (None, ["urgencia_ausente"])
    assert only("$.u", {"u": " "}, "urgencia") == (None, ["urgencia_ausente"])
    assert only({"de": "$.u", "senao": False}, {}, "urgencia") == (False, [])


def test_a_code_that_a_spreadsheet_rounded_is_no_code() -> None:
    assert only("$.c", {"c": "1,01E+07"}, "procedimento.codigo") == (None, ["codigo_arredondado"])
    assert only("$.c", {"c": "10101012"}, "procedimento.codigo") == ("10101012", [])
    assert only("$.c", {"c": "1E10"}, "procedimento.codigo") == ("1E10", [])


USOS: dict[str, Any] = {"codigo": "@.c", "data": "@.d", "quantidade": "@.q"}


@pytest.mark.parametrize(
    ("de", "documento", "found"),
    [
        ("$.usos[*]", {"usos": []}, []),
        ("$.usos", {"usos": []}, []),
        ("$.h.usos[*]", {"h": {}}, []),
        ("$.h.usos[*]", {"h": {"usos": []}}, []),
        ("$.usos[*]", {}, None),
        ("$.usos[*]", {"usos": None}, None),
        ("$.usos", {"usos": ""}, None),
        ("$.b.usos[*]", {"b": {}}, None),
        ("$.usos[?@.c == '1']", {"usos": [{"c": "2"}]}, None),
    ],
)
def test_a_history_that_comes_empty_says_that_there_was_none_and_one_that_does_not_come_says_nothing(
    de: str, documento: Any, found: Any
) -> None:
    lido = read({"historico": {"de": de, **USOS}, "beneficiario.id": "$.b.id"}, documento)
    assert lido.pedidos[0].bruto.get("historico") == found


@pytest.mark.parametrize("xml", [b"<g><de>ACME</de><h/></g>", b"<g><de>ACME</de><h> </h></g>"])
def test_an_empty_element_of_xml_is_an_empty_history(xml: bytes) -> None:
    um = leitor(campos={"historico": {"de": "$.g.h.uso[*]", **USOS}}, reconhecer={"$.g.de": "ACME"})
    assert um.read(um.with_lists(read_xml(xml)), TODAY).pedidos[0].bruto["historico"] == []
    lido = um.read(um.with_lists(read_xml(b"<g><de>ACME</de><h><uso><c>1</c></uso></h></g>")), TODAY)
    assert lido.pedidos[0].bruto["historico"] == [{"codigo": "1"}]
    assert "historico" not in um.read(um.with_lists(read_xml(b"<g><de>ACME</de></g>")), TODAY).pedidos[0].bruto


def test_limpar_takes_a_unit_from_the_quantity_of_a_use_and_leaves_the_points_of_a_number() -> None:
    campo = {"de": "$.usos[*]", **USOS, "limpar": [".", "-", " un"]}
    usos = [{"c": "1.01-2", "q": "36 UN"}, {"c": "1", "q": "1.5"}]
    assert only(campo, {"usos": usos}, "historico") == ([{"codigo": "1012", "quantidade": "36"}, {"codigo": "1", "quantidade": "1.5"}], [])
    assert only({"de": "$.q", "limpar": ["un"]}, {"q": "2 UN"}, "procedimento.quantidade") == ("2", [])


@pytest.mark.parametrize("strange", ["x", {"foo": 1}, 7, {"q": None}])
def test_what_stands_among_the_items_and_is_no_pedido_is_refused_by_its_place(strange: Any) -> None:
    lido = read({"plano_id": "$.p", "procedimento.quantidade": "$item.q"}, {"p": "A", "i": [{"q": 1}, strange]}, itens="$.i[*]")
    assert [(um.codigo, um.caminho) for um in lido.graves] == [("item_sem_pedido", "$.i[1]")]
    by_root = read({"procedimento.quantidade": "$.i[*].q"}, {"i": [{"q": 1}, strange]}, itens="$.i[*]")
    assert [(um.codigo, um.caminho) for um in by_root.graves] == [("item_sem_pedido", "$.i[1]")]


def test_an_item_that_may_lack_what_the_fields_read_is_a_pedido() -> None:
    lido = read({"procedimento.quantidade": {"de": "$item.q", "senao": 1}}, {"i": [{"q": 2}, {"foo": 1}]}, itens="$.i[*]")
    assert not lido.graves


def test_an_item_that_is_a_value_alone_is_read_where_the_mapping_reads_the_item_itself() -> None:
    lido = read({"procedimento.codigo": "$item"}, {"i": ["10101012", "10101039"]}, itens="$.i[*]")
    assert [um.bruto["procedimento"]["codigo"] for um in lido.pedidos] == ["10101012", "10101039"]
    assert not lido.graves


@pytest.mark.parametrize(
    ("campo", "documento", "onde"),
    [
        ("$.a.b", {"a": [{"b": 1}]}, "$.a"),
        ("$.x.a.b", {"x": {"a": [{"b": 1}, {"b": 2}]}}, "$.x.a"),
        ("$.a.b[*].c", {"a": [{"b": []}]}, "$.a"),
    ],
)
def test_a_list_where_one_was_expected_is_told_by_its_place_and_nothing_is_taken_for_absent(campo: str, documento: Any, onde: str) -> None:
    lido = read({"plano_id": campo}, documento)
    assert [(um.codigo, um.caminho) for um in lido.graves] == [("lista_no_caminho", onde)]


def test_a_list_on_the_way_to_the_items_is_told_by_its_place() -> None:
    lido = read({"plano_id": "$.p"}, {"e": {"corpo": [{"i": [1]}, {"i": [2]}]}}, itens="$.e.corpo.i[*]")
    assert [(um.codigo, um.caminho) for um in lido.graves] == [("lista_no_caminho", "$.e.corpo")]


def test_a_tick_says_that_a_document_came() -> None:
    assert only({"nomes": {"LAUDO": "$.l", "RX": "$.r"}}, {"l": "X", "r": "✓"}, "documentos_anexos") == (["LAUDO", "RX"], [])


def test_a_text_that_holds_several_documents_is_parted_and_each_translated() -> None:
    valores = {"documentos_anexos": {"PED": "PEDIDO_MEDICO", "LAU": "LAUDO_MEDICO"}}
    campo = {"de": "$.d", "separador": "|"}
    assert only(campo, {"d": "PED| lau|"}, "documentos_anexos", valores=valores) == (["PEDIDO_MEDICO", "LAUDO_MEDICO"], [])
    assert only(campo, {"d": ["PED", "LAU|PED"]}, "documentos_anexos", valores=valores)[0] == [
        "PEDIDO_MEDICO",
        "LAUDO_MEDICO",
        "PEDIDO_MEDICO",
    ]
    assert only(campo, {"d": ""}, "documentos_anexos", valores=valores) == (None, [])
    (problema,) = read({"documentos_anexos": "$.d"}, {"d": "PED|LAU"}, valores=valores).problemas
    assert "`separador`" in problema.mensagem
    assert only({"de": "$.p", "separador": ";"}, {"p": "diabetes; asma"}, "beneficiario.preexistencias") == (["diabetes", "asma"], [])
    assert only({"de": "$.p", "separador": ";"}, {"p": "asma"}, "beneficiario.preexistencias") == ("asma", [])
    for errado in (
        {"plano_id": campo},
        {"documentos_anexos": {**campo, "tipo": "@.t"}},
        {"documentos_anexos": {"de": "$.d", "separador": ""}},
    ):
        with pytest.raises(MapeamentoInvalido):
            leitor(campos=errado)


def test_the_trial_names_which_pedido_and_advises_what_would_help() -> None:
    campos = {"pedido_id": "$item.n", "procedimento.codigo": "$item.c", "beneficiario.data_nascimento": "$item.b"}
    mapeamento = leitor(campos=campos, itens="$.i[*]").mapeamento
    raw = json.dumps({"i": [{"n": 1, "c": "10101012", "b": "5/1/69x"}, {"n": 2}]}).encode()
    said = [problema.mensagem for problema in provar(mapeamento, raw, Fluxo(Catalogo.of(())), date(2026, 11, 27)).problemas]
    assert any(um.startswith("Pedido 1: ") and "diga em `formato`" in um and "valores" not in um for um in said)
    assert any(um.startswith("Pedido 2: ") and "não veio nada do caminho dele (`procedimento.codigo`)" in um for um in said)
    assert any("diga em `campos` onde ele está (`plano_id`)" in um for um in said)
    assert not any("(``)" in um for um in said)


@pytest.mark.parametrize("valor", ["G" * 501, "G\x1b[31m1", "G\u202e1"])
def test_a_number_that_cannot_be_shown_is_refused_by_its_place(valor: str) -> None:
    lido = read({"pedido_id": "$.n"}, {"n": valor})
    assert [(um.codigo, um.caminho) for um in lido.graves] == [("texto_invalido", "$.n")]
    assert only("$.n", {"n": "G 1/2-á"}, "pedido_id") == ("G 1/2-á", [])
