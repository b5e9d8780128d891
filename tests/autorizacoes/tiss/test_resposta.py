"""Every guia that is decided has an answer that the official schemas take, with the codes of Tabela 38 and the words for who asked."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from casos import regra
from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.tiss import xml
from crivo.autorizacoes.tiss.leitura import read_mensagem
from crivo.autorizacoes.tiss.pedidos import Complemento, digest_of, pedidos_of
from crivo.autorizacoes.tiss.resposta import AUDITORIA, GLOSAS, glosa_of, write
from crivo.autorizacoes.tiss.resultado import resultado_of
from guias_tiss import INTERNACAO, NS, SADT, XSD, internacao, mensagem, procedimento, sadt

ESQUEMA = xml.Esquema(XSD if XSD.is_dir() else None)
SEM_COMPLEMENTO = Complemento()
RECEIVED = datetime(2026, 11, 20, 13, 0, tzinfo=UTC)


def rules(*regras: dict[str, Any], **fields: Any) -> Fluxo:
    head = {"administradora_id": "123456", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    return Fluxo(Catalogo.of([msgspec.convert({**head, **fields, "regras": list(regras)}, Politica)]))


FLUXO = rules(
    regra(regra_id="R1", codigo="10000001", prazo_validade_autorizacao_dias=30),
    regra(regra_id="R2", codigo="10000002", cobertura="NAO_COBERTA"),
    regra(regra_id="R3", codigo="10000003", documentos_obrigatorios=["LAUDO_MEDICO"]),
    regra(regra_id="R4", codigo="10000004", limite_quantidade=2),
    regra(regra_id="R5", codigo="10000005", carencia_min_dias=180),
    regra(regra_id="R6", codigo="10000006", restricoes_idade={"min": 18, "max": None}),
    regra(regra_id="R7", codigo="10000007", restricoes_rede="APENAS_CREDENCIADA"),
)


def answer(raw: bytes, complemento: Complemento = SEM_COMPLEMENTO, fluxo: Fluxo = FLUXO) -> Any:
    """The answer to a message, held to the schemas where they are."""
    lida = read_mensagem(raw, ESQUEMA)
    plano = complemento.plano or fluxo.plano_de_todos(lida.guia.registro_ans, lida.guia.data_solicitacao)
    resultados = []
    for n, item in enumerate(pedidos_of(lida.guia, lida.procedimentos, digest_of(raw, complemento), complemento, plano)):
        trilha = fluxo.decide(item.pedido, date(2026, 11, 20))
        decisao = trilha.etapas.sintese.decisao_final
        stored = Autorizacao(
            UUID(int=n << 90), None, None, decisao, RECEIVED, RECEIVED.date(), 1, item.pedido, trilha.decisao(), trilha.encode()
        )
        resultados.append(resultado_of(stored))
    written = write(resultados)
    root = xml.parse(written)
    ESQUEMA.conferir(root)
    assert xml.hash_is_right(root)
    assert write(resultados) == written
    return root


def texts(root: Any, name: str) -> list[str]:
    return [node.text for node in root.iter(f"{{{NS}}}{name}")]


def asked(*codigos: str, **changes: Any) -> bytes:
    return mensagem(sadt(*[procedimento(codigo) for codigo in codigos], **changes))


@pytest.mark.parametrize(
    ("codigos", "status", "glosas", "autorizadas"),
    [
        (["10000001"], "1", [], ["1"]),
        (["10000002"], "3", ["1407"], ["0"]),
        (["10000003"], "5", ["1709"], ["0"]),
        (["10000005"], "4", ["1410"], ["0"]),
        (["99999999"], "2", ["1427"], ["0"]),  # no regra speaks of it: a person looks, and nothing is denied
        (["10000001", "10000002"], "7", ["1407"], ["1", "0"]),
        (["10000001", "10000003"], "7", ["1709"], ["1", "0"]),
        (["10000002", "10000003"], "5", ["1407", "1709"], ["0", "0"]),
    ],
)
def test_the_status_of_a_guia_is_that_of_all_its_procedimentos(
    codigos: list[str], status: str, glosas: list[str], autorizadas: list[str]
) -> None:
    """Padrão TISS: 1 autorizado, 2 em análise, 3 negado, 4 aguardando justificativa, 5 aguardando documentação, 7 parcial."""
    root = answer(asked(*codigos))
    assert texts(root, "statusSolicitacao") == [status]
    items = root.findall(f".//{{{NS}}}motivoNegativa/{{{NS}}}codigoGlosa")
    assert [node.text for node in items] == glosas
    assert texts(root, "quantidadeAutorizada") == autorizadas
    assert texts(root, "sequencialItem") == [str(n) for n in range(1, len(codigos) + 1)]


def test_what_passes_the_limit_is_authorized_in_part() -> None:
    root = answer(mensagem(sadt(procedimento("10000004", "5"))))
    assert (texts(root, "statusSolicitacao"), texts(root, "quantidadeAutorizada")) == (["7"], ["2"])
    assert texts(root, "codigoGlosa") == ["1423"]


def test_an_authorization_has_its_number_and_until_when_it_holds_and_a_denial_has_neither() -> None:
    approved, denied = answer(asked("10000001")), answer(asked("10000002"))
    assert texts(approved, "dataValidadeSenha") == ["2026-12-20"]
    assert len(texts(approved, "senha")[0]) == 20
    assert texts(denied, "senha") == texts(denied, "dataAutorizacao") == []


def test_the_header_answers_the_message_that_came() -> None:
    root = answer(asked("10000001"))
    assert texts(root, "tipoTransacao") == ["RESPOSTA_SOLICITACAO"]
    assert texts(root, "sequencialTransacao") == ["77"]
    assert (texts(root, "dataRegistroTransacao"), texts(root, "horaRegistroTransacao")) == (["2026-11-20"], ["10:00:00"])
    assert texts(root, "codigoPrestadorNaOperadora") == ["0001"]


def test_what_no_guia_says_of_the_beneficiario_is_told_where_it_was_needed() -> None:
    silent = texts(answer(asked("10000001")), "observacao")[0]
    assert "não diz" not in silent
    assert "a idade do beneficiário" in texts(answer(asked("10000006")), "observacao")[0]
    assert "a carência já cumprida do beneficiário" in texts(answer(asked("10000005")), "observacao")[0]
    told = answer(asked("10000005"), Complemento(carencia_cumprida_dias=200))
    assert texts(told, "statusSolicitacao") == ["1"]
    young = answer(asked("10000006"), Complemento(idade=10))
    assert texts(young, "codigoGlosa")[-1:] == ["1803"]


def test_a_regra_that_asks_for_sex_or_value_is_decided_where_they_came_beside_the_guia() -> None:
    fluxo = rules(regra(codigo="10000001", sexo="F"), regra(regra_id="R2", codigo="10000002", valor_maximo=100))
    silent = answer(asked("10000001"), fluxo=fluxo)
    assert texts(silent, "statusSolicitacao") == ["4"]
    assert "o sexo do beneficiário" in texts(silent, "observacao")[0]
    assert texts(answer(asked("10000001"), Complemento(sexo="F"), fluxo), "statusSolicitacao") == ["1"]
    assert texts(answer(asked("10000001"), Complemento(sexo="M"), fluxo), "statusSolicitacao") != ["1"]
    twice = asked("10000002", "10000002")  # one pedido of both lines, and of the value of both
    assert texts(answer(twice, Complemento(valores=(60, 40)), fluxo), "statusSolicitacao") == ["1"]
    assert texts(answer(twice, Complemento(valores=(60, 50)), fluxo), "statusSolicitacao") != ["1"]


def test_what_came_beside_a_guia_before_there_was_more_to_say_tells_it_as_it_did() -> None:
    """A guia that was decided then, and comes again, is the same message."""
    before = hashlib.sha256(hashlib.sha256(b"x").digest() + b'{"plano":"OURO","idade":null,"carencia_cumprida_dias":3}').hexdigest()
    assert digest_of(b"x", Complemento("OURO", None, 3)) == before
    assert digest_of(b"x", Complemento("OURO", None, 3, "F")) != before


def test_a_newborn_seen_by_the_card_of_the_mother_has_no_year_yet() -> None:
    root = answer(asked("10000006", dadosBeneficiario={"numeroCarteira": "1", "atendimentoRN": "S"}))
    assert texts(root, "codigoGlosa")[-1:] == ["1803"]


@pytest.mark.parametrize(
    ("changes", "credenciado"),
    [
        ({}, True),
        ({"dadosExecutante": {"codigonaOperadora": "0099", "CNES": "1234567"}}, True),
        ({"dadosExecutante": {"codigonaOperadora": "99999999999999", "CNES": "9999999"}}, False),
    ],
)
def test_who_has_a_code_at_the_operadora_is_of_its_network(changes: dict[str, Any], credenciado: bool) -> None:
    root = answer(asked("10000007", **changes))
    assert (texts(root, "statusSolicitacao") == ["1"]) is credenciado
    assert (texts(root, "codigoGlosa") == ["1207"]) is not credenciado


def test_a_plano_that_is_not_said_and_matters_is_asked_for() -> None:
    """Design: a plano that nobody knows must not fall to the regra of all planos."""
    fluxo = rules(regra(codigo="10000001"), regra(regra_id="R9", codigo="10000001", plano_id="OURO", cobertura="NAO_COBERTA"))
    root = answer(asked("10000001"), fluxo=fluxo)
    assert texts(root, "statusSolicitacao") == ["4"]
    assert "o plano do beneficiário" in texts(root, "observacao")[0]
    assert texts(answer(asked("10000001"), Complemento(plano="OURO"), fluxo), "statusSolicitacao") == ["3"]
    only_one = rules(regra(codigo="10000001", plano_id="OURO"), planos=["OURO"])
    assert texts(answer(asked("10000001"), fluxo=only_one), "statusSolicitacao") == ["1"]


def test_an_internacao_is_answered_as_one() -> None:
    root = answer(mensagem(internacao(procedimento("10000001")), INTERNACAO))
    assert root.find(f".//{{{NS}}}autorizacaoInternacao/{{{NS}}}autorizacaoDosServicos") is not None
    assert texts(root, "dataProvavelAdmissao") == ["2026-12-01"]


def test_every_motivo_of_a_regra_has_a_code_and_what_is_wrong_with_a_pedido_has_none() -> None:
    assert glosa_of("acima_do_limite_quantitativo") == "1423"
    assert glosa_of("regra_nao_encontrada") == AUDITORIA
    assert glosa_of("campo_obrigatorio_ausente:plano_id") is None
    assert glosa_of("limite_por_periodo_esgotado") == glosa_of("acima_do_limite_por_periodo") == "1423"
    assert set(GLOSAS.values()) == {"1407", "1410", "1803", "1207", "1423", "1709"}


def latin(most: int) -> st.SearchStrategy[str]:
    """Texts of ISO-8859-1 that are not, byte by byte, texts of UTF-8 too: a guia of those alone is refused as being of the other."""
    texts = st.text(st.characters(codec="iso-8859-1", exclude_categories=["Cc"]), min_size=1, max_size=most)
    return texts.filter(lambda text: bool(text.strip()) and (text.isascii() or not is_utf8(text.encode("iso-8859-1"))))


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@given(
    codigos=st.lists(st.sampled_from([f"1000000{n}" for n in range(1, 8)] + ["99999999"]), min_size=1, max_size=6),
    quantidades=st.lists(st.integers(1, 999), min_size=6, max_size=6),
    tabela=st.sampled_from(["22", "90", "98", "00"]),
    descricao=latin(150),
    note=latin(500),
    carater=st.sampled_from(["1", "2"]),
    is_internacao=st.booleans(),
    carencia=st.none() | st.integers(0, 400),
    idade=st.none() | st.integers(0, 130),
)
def test_any_guia_in_gives_an_answer_that_the_schemas_take(
    codigos: list[str],
    quantidades: list[int],
    tabela: str,
    descricao: str,
    note: str,
    carater: str,
    is_internacao: bool,
    carencia: int | None,
    idade: int | None,
) -> None:
    items = [procedimento(codigo, str(q), tabela, descricao) for codigo, q in zip(codigos, quantidades, strict=False)]
    guia = internacao(*items, observacao=note) if is_internacao else sadt(*items, observacao=note, caraterAtendimento=carater)
    root = answer(mensagem(guia, INTERNACAO if is_internacao else SADT), Complemento(idade=idade, carencia_cumprida_dias=carencia))
    assert texts(root, "codigoProcedimento") == codigos[: len(items)]
    lacking = [
        one for one in root.iter(f"{{{NS}}}servicoAutorizado") if texts(one, "quantidadeAutorizada") != texts(one, "quantidadeSolicitada")
    ]
    assert all(texts(one, "codigoGlosa") for one in lacking)
    assert all(0 <= int(given) <= asked for given, asked in zip(texts(root, "quantidadeAutorizada"), quantidades, strict=False))
    (status,) = texts(root, "statusSolicitacao")
    assert (status == "1") == (texts(root, "quantidadeAutorizada") == texts(root, "quantidadeSolicitada"))


def test_what_iso_8859_1_does_not_have_is_written_in_what_it_has() -> None:
    root = xml.new_message()
    xml.add(root, "observacao", "“Pedido” – 3 → 1… 中\x02")
    assert etree.tostring(root, encoding="unicode").count("?") == 2
    assert root[0].text == '"Pedido" - 3 -> 1... ??'


def test_a_newborn_is_of_no_year_whatever_age_came_beside_the_guia_and_that_is_told() -> None:
    raw = asked("10000006", dadosBeneficiario={"numeroCarteira": "1", "atendimentoRN": "S"})
    root = answer(raw, Complemento(idade=30))
    assert texts(root, "codigoGlosa")[-1:] == ["1803"]
    assert "com a idade 0, e não com a idade 30" in texts(root, "observacao")[0]
    assert "com a idade 0" not in texts(answer(raw), "observacao")[0]


def test_a_guia_of_a_day_that_is_to_come_is_told() -> None:
    assert "posterior ao dia em que a guia chegou" in texts(answer(asked("10000001", dataSolicitacao="2026-11-21")), "observacao")[0]
    assert "posterior" not in texts(answer(asked("10000001")), "observacao")[0]


def test_reasons_come_first_once_for_all_that_have_them_and_what_waits_is_not_taken_for_denied() -> None:
    root = answer(asked("10000001", "10000003", "10000002", "99999999", "99999998", observacao="Anexos: guia antiga"))
    note = texts(root, "observacao")[0]
    waits, denied = note.index("Item 2, pendente (não negado): Falta o laudo médico."), note.index("Item 3, negado: O plano não cobre")
    looked_at = note.index("Itens 4 e 5, pendentes (não negados): Nenhuma regra publicada")
    assert waits < looked_at < denied
    assert note.count("Nenhuma regra publicada trata deste procedimento") == 1
    assert "Documentos que chegaram: guia antiga." in note
    assert texts(root, "descricaoGlosa")[0] == "Pendente, não negado: Faltam documentos"
    assert not texts(root, "descricaoGlosa")[1].startswith("Pendente")


def test_the_reasons_of_a_hundred_procedimentos_are_all_there() -> None:
    codigos = [f"9{n:07}" for n in range(97)] + ["10000003", "10000002", "10000005"]
    note = texts(answer(asked(*codigos)), "observacao")[0]
    for reason in ("Nenhuma regra publicada", "Falta o laudo médico", "O plano não cobre", "A carência ainda não foi cumprida"):
        assert reason in note
    assert note.startswith("Itens 1 a 97, pendentes (não negados):")


def test_each_reason_is_told_once_with_its_lines_and_each_document_by_its_name() -> None:
    """Fifteen of them, and not fifteen beginnings of the same sentence."""
    papers = ["LAUDO_MEDICO", "PEDIDO_MEDICO"]
    fluxo = rules(regra(codigo="1000*", documentos_obrigatorios=papers, limite_quantidade=1), regra(regra_id="R2", codigo="20000001"))
    items = [procedimento(f"100000{n:02}", "2" if n > 9 else "1") for n in range(1, 16)]
    root = answer(mensagem(sadt(procedimento("20000001"), *items)), fluxo=fluxo)
    note = texts(root, "observacao")[0]
    assert note.startswith("Itens 2 a 16, pendentes (não negados): Faltam o laudo médico e o pedido médico. Itens 11 a 16, pendentes")
    assert note.count("Faltam o laudo médico e o pedido médico") == 1
    assert "Item 2: " not in note
    assert "APROVADO" not in note
    assert note.endswith("(Cortada aqui: o resto está na decisão de cada item.)")
    assert len(note) <= 1000


def test_what_was_all_approved_takes_no_more_than_a_sentence() -> None:
    fluxo = rules(regra(codigo="1*"))
    note = texts(answer(asked(*[f"1{n:07}" for n in range(100)]), fluxo=fluxo), "observacao")[0]
    assert note == "Autorizado como foi pedido: itens 1 a 100."


def test_lines_that_were_asked_together_say_what_each_was_given() -> None:
    root = answer(mensagem(sadt(*[procedimento("10000004", quantidade) for quantidade in ("1", "4", "3")])))
    note = texts(root, "observacao")[0]
    assert texts(root, "quantidadeAutorizada") == ["1", "1", "0"]
    assert note.startswith("Item 2, autorizado em parte: A quantidade pedida passa do limite da regra. Item 3, sem nada autorizado:")
    assert "decididos juntos. Autorizados em cada um, nesta ordem: 1, 1 e 0." in note


def test_nothing_is_at_zero_without_a_motivo() -> None:
    """What is wrong with the pedido itself has no code of Tabela 38, and is told in words under the one for a person to look at."""
    fluxo = rules(regra(codigo="10000001"), regra(regra_id="R9", codigo="10000001", plano_id="OURO", cobertura="NAO_COBERTA"))
    root = answer(asked("10000001"), fluxo=fluxo)
    assert texts(root, "codigoGlosa") == [AUDITORIA]
    assert texts(root, "descricaoGlosa")[0].startswith("Pendente, não negado: Falta informar o plano")
