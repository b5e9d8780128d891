"""The form of an edital: what is shown comes back as it was, and what is wrong goes to the field in which it was typed."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.triagem.amostra import write_sample
from crivo.triagem.chamadas.moldes import moldes
from crivo.triagem.classificacao.definicao import Classificacao, PorCriterio
from crivo.triagem.edital import Chamada, Condicao, Criterio, DocumentoProprio, Edital, Nivel, RequisitoCondicao, RequisitoDocumento
from crivo.triagem.importacao import read_chamada
from crivo.web.pages.triagem.chamada.escrito import Escrito, add_category, apply_act, read_fields, settle_codes
from crivo.web.pages.triagem.chamada.leitura import read_escrito
from crivo.web.pages.triagem.chamada.mostra import blank, show
from crivo.web.pages.triagem.chamada.valores import read_number, read_valor, show_valor
from crivo.web.pages.triagem.chamada.vista import Formulario
from importacoes import accepted, completa

VALORES = st.one_of(st.booleans(), st.integers(-3, 10**9), st.floats(0, 1e6), st.text("aé;, 1\n", min_size=1, max_size=9))


def sent(escrito: Escrito) -> Escrito:
    """The form as a browser sends it: breaks of lines become two characters."""
    return read_fields([(name, value.replace("\n", "\r\n")) for name, value in escrito.fields()])


def definicao(chamada: Chamada) -> Chamada:
    return Chamada(chamada.edital, chamada.requisitos, chamada.criterios)


def written(*requisitos: Any) -> Escrito:
    return show(Chamada(Edital("E1", "Edital"), tuple(requisitos), (Criterio("C1", "Mérito"),)))


def erros(escrito: Escrito) -> dict[str, str]:
    lida = read_escrito(escrito)
    assert lida.chamada is None
    return {erro.campo: erro.mensagem for erro in lida.erros}


def test_whatever_is_shown_comes_back_as_it_was(tmp_path: Path) -> None:
    whole = [one.as_chamada() for one in moldes().values()]
    whole += [definicao(accepted(tmp_path, completa()).chamada), definicao(read_chamada(write_sample(tmp_path / "amostra")).chamada)]
    for chamada in whole:
        lida = read_escrito(sent(show(chamada)), chamada)
        assert (lida.chamada, lida.erros) == (chamada, ())


@settings(max_examples=80, deadline=None)
@given(VALORES, st.text(max_size=40), st.decimals(0, 10, places=2), st.sampled_from(["igual", "diferente"]))
def test_values_that_read_alike_stay_what_they_were(valor: Any, texto: str, nota: Decimal, operador: Any) -> None:
    """`18` may be a number or a text: a form shows them alike, and changes neither."""
    chamada = Chamada(
        Edital("E1", "Edital", objetivo=texto),
        (
            RequisitoDocumento("R1", "OUTRO", descricao=texto, quando=Condicao("tipo", operador, valor)),
            RequisitoCondicao("R2", "idade", operador, valor),
        ),
        (Criterio("C1", "Mérito", niveis=(Nivel(nota, "Diz a quem serve\ne como"),)),),
    )
    lida = read_escrito(sent(show(chamada)), chamada)
    if lida.chamada is not None:
        assert [one.quando for one in lida.chamada.requisitos] == [one.quando for one in chamada.requisitos]
        assert lida.chamada.requisitos[1] == chamada.requisitos[1]
        assert lida.chamada.criterios == chamada.criterios


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("7,5", "7.5"),
        ("7.5", "7.5"),
        ("1.250", "1250"),
        ("R$ 50.000,00", "50000.00"),
        ("18", "18"),
        ("dez", None),
        ("1,2,3", None),
        ("-1", None),
    ],
)
def test_numbers_are_read_as_brazilians_write_them(typed: str, read: str | None) -> None:
    assert read_number(typed) == (None if read is None else Decimal(read))


@pytest.mark.parametrize(
    ("typed", "operador", "read"),
    [
        ("Caucaia; Sobral ;", "em", ["Caucaia", "Sobral"]),
        ("18", "minimo", 18),
        ("50.000,00", "maximo", 50000),
        ("15/9/2026", "maximo", "2026-09-15"),
        ("PJ", "igual", "PJ"),
        ("qualquer", "existe", None),
        ("  ", "igual", None),
    ],
)
def test_a_value_is_of_the_kind_that_is_compared(typed: str, operador: str, read: Any) -> None:
    assert read_valor(typed, operador) == read
    if read is not None:
        assert read_valor(show_valor(read), operador) == read


def test_that_a_field_is_not_filled_in_is_asked_as_it_was() -> None:
    for valor in (None, True, False):
        chamada = Chamada(Edital("E1", "Edital"), (RequisitoCondicao("R1", "socio", "existe", valor),))
        assert read_escrito(sent(show(chamada)), chamada).chamada == chamada
    (asked,) = (read_escrito(written(RequisitoCondicao("R1", "socio", "existe", False))).chamada or chamada).requisitos
    assert isinstance(asked, RequisitoCondicao)
    assert asked.valor is False


def test_a_rule_that_names_a_criterio_which_was_taken_out_is_told_where_it_can_be_mended() -> None:
    regras = Classificacao(desempate=(PorCriterio("C2"),))
    antes = Chamada(Edital("E1", "Edital", classificacao=regras), (), (Criterio("C1", "Mérito"), Criterio("C2", "Alcance")))
    escrito = show(antes)
    apply_act(escrito, "retirar:criterios:1")
    (told,) = read_escrito(escrito, antes).erros
    assert (told.campo, told.mensagem) == ("criterios", "Não há critério “C2” neste edital.")
    assert told.onde == "Regras de classificação, que mudam na página delas"


def test_a_blank_form_says_what_is_missing() -> None:
    assert erros(blank()) == {"edital.id": "Preencha este campo.", "edital.nome": "Preencha este campo."}


@pytest.mark.parametrize(
    ("campo", "typed", "where", "says"),
    [
        ("requisitos.0.documento", "", "requisitos.0.documento", "Preencha"),
        ("requisitos.0.documento", "FOTO", "requisitos.0.documento", "Escolha um documento"),
        ("requisitos.0.id", "R 1", "requisitos.0.id", "Use só letras"),
        ("requisitos.1.id", "R1", "requisitos.1.id", "requisito 1"),
        ("requisitos.0.validade.dias", "noventa", "requisitos.0.validade.dias", "Escreva um número"),
        ("requisitos.0.validade.dias", "99999", "requisitos.0.validade.dias", "de 0 a 3660"),
        ("requisitos.0.validade.data", "31/02/2026", "requisitos.0.validade.data", "não existe"),
        ("requisitos.1.valor", "", "requisitos.1.valor", "Escreva um número, como 18"),
        ("requisitos.1.valor", "alto", "requisitos.1.valor", "Escreva um número, como 18"),
        ("requisitos.1.quando.campo", "", "requisitos.1.quando.campo", "Preencha"),
        ("criterios.0.peso", "0", "criterios.0.peso", "maior que 0"),
        ("criterios.0.nota_min", "10", "criterios.0.nota_min", "deve ser menor"),
        ("criterios.0.niveis", "sem nota", "criterios.0.niveis", "Na linha 1"),
        ("criterios.0.niveis", "5: bom\n12: demais", "criterios.0.niveis", "deve estar entre 0 e 10"),
        ("edital.inscricoes.fim", "2026-01-01", "edital.inscricoes.fim", "terminam"),
        ("edital.categorias", "Música\nmusica", "edital.categorias", "só difere"),
        ("edital.amostras", "12", "edital.amostras", "de 1 a 9"),
    ],
)
def test_what_is_wrong_is_told_at_its_field_without_a_word_of_machines(campo: str, typed: str, where: str, says: str) -> None:
    escrito = written(
        RequisitoDocumento("R1", "PORTFOLIO"), RequisitoCondicao("R2", "idade", "minimo", 18, quando=Condicao("tipo", "igual", "PF"))
    )
    row = {"validade.regra": ["emitido_no_maximo_dias_antes"], "validade.dias": ["90"], "validade.data": ["2026-09-01"]}
    escrito.linhas["requisitos"][0] |= row
    escrito.edital |= {"inscricoes.inicio": ["2026-08-01"], "inscricoes.fim": ["2026-09-15"]}
    head, _, rest = campo.partition(".")
    at, _, nome = rest.partition(".")
    if head == "edital":
        escrito.edital[rest] = [typed]
    else:
        escrito.linhas[head][int(at)][nome] = [typed]
    told = erros(escrito)
    assert list(told) == [where]
    assert says in told[where]
    assert not {"`", "JSON", "sem aspas"} & set(told[where].split())


def test_an_error_stands_at_its_row_though_rows_before_it_were_taken_out() -> None:
    escrito = written(RequisitoDocumento("R1", "PORTFOLIO"), RequisitoDocumento("R2", "FOTO"))
    apply_act(escrito, "retirar:requisitos:0")
    assert list(erros(escrito)) == ["requisitos.1.documento"]


def test_an_error_names_its_row_as_people_see_it() -> None:
    """Its place among those that were not taken out, and what it is called; its code means something to programs alone."""
    escrito = written(
        RequisitoDocumento("REQ-1", "PORTFOLIO"),
        RequisitoDocumento("REQ-2", "OUTRO", descricao="Carta\nde anuência " + "x" * 80),
        RequisitoDocumento("REQ-3", "ESTATUTO"),
        RequisitoCondicao("REQ-4", "idade", "minimo", 18),
    )
    apply_act(escrito, "retirar:requisitos:0")
    for at, nome in ((1, "validade.dias"), (2, "validade.dias"), (3, "valor")):
        escrito.linhas["requisitos"][at] |= {"validade.regra": ["emitido_no_maximo_dias_antes"], nome: ["muitos"]}
    escrito.linhas["criterios"][0]["peso"] = ["0"]
    escrito.linhas["requisitos"][3]["id"] = ["REQ-3"]
    told = {erro.campo: erro for erro in read_escrito(escrito).erros}
    assert told["requisitos.1.validade.dias"].onde == f"Requisito 1, Carta de anuência {'x' * 42}…"
    assert told["requisitos.2.validade.dias"].onde == "Requisito 2, Estatuto ou contrato social"
    assert told["requisitos.3.valor"].onde == "Requisito 3, idade"
    assert told["criterios.0.peso"].onde == "Critério 1, Mérito"
    assert "requisito 2, Estatuto" in told["requisitos.3.id"].mensagem


def test_a_type_given_another_code_is_told_at_its_own_field_with_what_to_do() -> None:
    chamada = Chamada(
        Edital("E1", "Edital", documentos_proprios=(DocumentoProprio("DOC-1", "Ata da roda"),)),
        (RequisitoDocumento("R1", "PORTFOLIO"), RequisitoDocumento("R2", "DOC-1"), RequisitoDocumento("R3", "DOC-1", descricao="A ata")),
    )
    escrito = sent(show(chamada))
    escrito.linhas["proprios"][0]["id"] = ["ATA"]
    settle_codes(escrito)
    (erro,) = read_escrito(escrito).erros
    assert (erro.campo, erro.onde) == ("proprios.0.id", "Tipo de documento 1, Ata da roda")
    assert erro.mensagem.startswith(
        "“Requisito 2, Ata da roda (código de antes)” e “Requisito 3, A ata” pedem este tipo pelo código de antes"
    )
    assert Formulario.of(escrito).renomeado(Formulario.of(escrito).linhas["proprios"][0])
    assert ("DOC-1", "Ata da roda (código de antes)") in Formulario.of(escrito).documentos
    assert apply_act(escrito, "renomear:proprios:0") == "proprios-0"
    read = read_escrito(escrito).chamada
    assert read is not None
    assert [getattr(one, "documento", "") for one in read.requisitos] == ["PORTFOLIO", "ATA", "ATA"]
    assert not Formulario.of(escrito).renomeado(Formulario.of(escrito).linhas["proprios"][0])


def test_a_type_that_was_taken_out_is_told_where_it_can_be_put_back() -> None:
    tipo = DocumentoProprio("DOC-1", "Ata da roda")
    escrito = sent(show(Chamada(Edital("E1", "Edital", documentos_proprios=(tipo,)), (RequisitoDocumento("R1", "DOC-1"),))))
    apply_act(escrito, "retirar:proprios:0")
    (erro,) = read_escrito(escrito).erros
    assert erro.campo == "proprios.0"
    assert "Ponha-o de volta" in erro.mensagem
    assert ("DOC-1", "Ata da roda (retirado)") in Formulario.of(escrito).documentos


def test_a_code_that_nothing_asks_for_is_simply_changed() -> None:
    escrito = sent(show(Chamada(Edital("E1", "Edital", documentos_proprios=(DocumentoProprio("DOC-1", "Ata"),)))))
    escrito.linhas["proprios"][0]["id"] = ["ATA"]
    settle_codes(escrito)
    assert escrito.linhas["proprios"][0]["era"] == ["ATA"]
    assert read_escrito(escrito).chamada is not None


def test_a_category_of_a_project_is_added_to_those_of_the_edital() -> None:
    escrito = written()
    escrito.edital["categorias"] = ["Música\n"]
    assert add_category(escrito, "categoria:Dança: de rua")
    assert escrito.edital["categorias"] == ["Música\nDança: de rua"]
    assert not add_category(escrito, "salvar")


def test_rows_are_added_moved_taken_out_and_put_back_with_all_that_was_typed() -> None:
    escrito = written(RequisitoDocumento("REQ-1", "PORTFOLIO"), RequisitoDocumento("R2", "OUTRO", descricao="Carta"))
    assert apply_act(escrito, "adicionar:requisitos:condicao") == "requisitos-2"
    assert escrito.linhas["requisitos"][2] == {"id": ["REQ-2"], "tipo": ["condicao"], "obrigatorio": ["sim"]}
    assert apply_act(escrito, "subir:requisitos:1") == "requisitos-0"
    assert apply_act(escrito, "retirar:requisitos:0") == "requisitos-0"
    apply_act(escrito, "retirar:requisitos:2")
    lida = read_escrito(sent(escrito))
    assert lida.chamada is not None
    assert [one.id for one in lida.chamada.requisitos] == ["REQ-1"]
    apply_act(escrito, "repor:requisitos:0")
    lida = read_escrito(sent(escrito))
    assert lida.chamada is not None
    assert [(one.id, one.descricao) for one in lida.chamada.requisitos] == [("R2", "Carta"), ("REQ-1", "")]


@pytest.mark.parametrize(
    "acao", ["", "salvar", "retirar:requisitos:9", "subir:criterios:0", "descer:criterios:0", "x:y:z", "adicionar:outra:a"]
)
def test_an_act_on_what_is_not_there_changes_nothing(acao: str) -> None:
    escrito = written(RequisitoDocumento("R1", "PORTFOLIO"))
    before = list(escrito.fields())
    apply_act(escrito, acao)
    assert list(escrito.fields()) == before


def test_a_form_of_anything_is_read() -> None:
    escrito = read_fields([("requisitos.9.tipo", "bobagem"), ("requisitos.9.valor", "\0"), ("x", "y"), ("edital.nome", "a\0b")])
    assert read_escrito(escrito).chamada is None
    assert escrito.edital == {"nome": ["ab"]}
