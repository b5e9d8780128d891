"""The same people behind different projects are found, shown masked; strangers with something common are not."""

from __future__ import annotations

import pytest

from crivo.triagem.achados import Irregularidade
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import Avaliador, Banco, Projeto, Proponente, Responsavel
from crivo.triagem.irregularidades.conflito import find_conflito_de_interesse
from crivo.triagem.irregularidades.pessoas import find_proponente_repetido
from inscritos import com_anexo, lidos, projeto

CPF, OUTRO_CPF, CNPJ = "111.444.777-35", "529.982.247-25", "11.222.333/0001-81"
BANCO = Banco("001", "1234-5", "00098765-4")


def repeated(*proponentes: Proponente) -> tuple[Irregularidade, ...]:
    return find_proponente_repetido(lidos(*(projeto(f"P{at}", proponente=one) for at, one in enumerate(proponentes))))


def conflicts(avaliador: Avaliador, *proponentes: Proponente) -> tuple[Irregularidade, ...]:
    return find_conflito_de_interesse([avaliador], [projeto(f"P{at}", proponente=one) for at, one in enumerate(proponentes)])


@pytest.mark.parametrize(
    ("one", "other", "campo"),
    [
        (Proponente("Ana", CPF), Proponente("ANA", "11144477735"), "cpf"),
        (Proponente("Coletivo", CNPJ), Proponente("Coletivo Dois", "11222333000181"), "cpf_cnpj"),
        (Proponente("Ana", CPF), Proponente("Coletivo", CNPJ, responsavel=Responsavel("Ana", "11144477735")), "cpf"),
        (Proponente("Ana", banco=BANCO), Proponente("Bia", banco=Banco("1", "12345", "987654")), "banco"),
        (Proponente("Ana", email="Produtora@arte.org"), Proponente("Bia", email="produtora+edital@arte.org"), "email"),
        (
            Proponente("Ana", endereco="Rua das Flores, nº 12, ap. 3"),
            Proponente("Bia", endereco="R. das Flores 12 apto 3"),
            "endereco",
        ),
        (Proponente("Ana Lia de Souza"), Proponente("Coletivo", CNPJ, responsavel=Responsavel("ANA LIA DE SOUZA")), "nome"),
    ],
)
def test_whatever_two_projects_have_in_common_is_told(one: Proponente, other: Proponente, campo: str) -> None:
    (sign,) = repeated(one, Proponente("Caio", OUTRO_CPF), other)
    assert (sign.tipo, sign.projetos, sign.campo) == ("proponente_repetido", ("P0", "P2"), campo)


def test_all_that_they_have_in_common_is_one_sign() -> None:
    one = Proponente("Ana", CPF, "ana@arte.org", "Rua das Flores 12", banco=BANCO)
    (sign,) = repeated(one, one, one)
    assert sign.projetos == ("P0", "P1", "P2")
    assert [passage.campo for passage in sign.evidencia[::3]] == ["cpf", "banco", "email", "endereco"]
    assert "com proponentes diferentes" not in sign.achado
    assert sign.achado.startswith("3 projetos têm o mesmo CPF")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Proponente("Ana"), Proponente("Ana")),
        (Proponente("Maria José da Silva", CPF), Proponente("Maria José da Silva", OUTRO_CPF)),
        (Proponente("Ana", endereco="Rua das Flores"), Proponente("Bia", endereco="Rua das Flores")),
        (Proponente("Ana", banco=Banco("001", "1234", "")), Proponente("Bia", banco=Banco("001", "1234", ""))),
        (Proponente("Ana", banco=Banco("001", "1234", "555")), Proponente("Bia", banco=Banco("237", "1234", "555"))),
        (Proponente("Ana", "000.000.000-00"), Proponente("Bia", "000.000.000-00")),
        (Proponente("Ana", email="não tenho"), Proponente("Bia", email="não tenho")),
        (Proponente("Ana", email="ana@gmail.com"), Proponente("Bia", email="bia@gmail.com")),
    ],
)
def test_strangers_are_not_tied_together(one: Proponente, other: Proponente) -> None:
    assert repeated(one, other) == ()


def test_nothing_personal_is_shown_in_clear() -> None:
    one = Proponente("Ana Lia Souza", CPF, "analia@arte.org", "Rua das Flores 12", Responsavel("Ana Lia Souza", CPF), BANCO)
    avaliador = Avaliador("Ana Lia Souza", "analia@arte.org", cpf=CPF, endereco="Rua das Flores 12")
    shown = str([*repeated(one, one), *conflicts(avaliador, one)])
    for secret in ("11144477735", "111.444", "analia", "Souza", "Flores", "98765"):
        assert secret not in shown
    assert "***.444.777-**" in shown
    assert "a***@arte.org" in shown


def test_the_same_file_from_different_proponentes_is_told_by_name() -> None:
    projects = [com_anexo(projeto(f"P{at}"), f"doc{at}.pdf", "Portfólio", sha256="ab" * 32 if at < 2 else f"{at}") for at in range(4)]
    (sign,) = find_proponente_repetido(projects)
    assert (sign.projetos, sign.arquivo, sign.campo) == (("P0", "P1"), "doc0.pdf", "arquivo")
    assert [passage.arquivo for passage in sign.evidencia] == ["doc0.pdf", "doc1.pdf"]
    assert sign.achado == "2 projetos de proponentes diferentes enviaram 1 arquivo idêntico."


def test_ones_own_files_empty_ones_and_forms_that_many_send_say_nothing() -> None:
    ana = Proponente("Ana", CPF)
    own = [com_anexo(projeto(f"P{at}", proponente=ana), "x.pdf", "Portfólio", sha256="a") for at in range(2)]
    assert [sign.campo for sign in find_proponente_repetido(own)] == ["cpf"]
    empty = [ProjetoLido(projeto(f"P{at}"), (DocumentoLido("x.pdf", "b", 0, None, "vazio"),)) for at in range(2)]
    assert find_proponente_repetido(empty) == ()
    forms = [com_anexo(projeto(f"P{at}"), "anexo.pdf", "Modelo do edital", sha256="c") for at in range(12)]
    assert find_proponente_repetido(forms) == ()


@pytest.mark.parametrize(
    ("avaliador", "proponente", "campo"),
    [
        (Avaliador("Rui", "r@x.org", cpf=CPF), Proponente("Outro", "11144477735"), "cpf"),
        (Avaliador("Rui", "r@x.org", cpf=CPF), Proponente("Coletivo", CNPJ, responsavel=Responsavel("Rui", CPF)), "cpf"),
        (Avaliador("Rui", "r@x.org", cnpj=CNPJ), Proponente("Coletivo", "11222333000181"), "cpf_cnpj"),
        (Avaliador("Rui Sá Leitão", "r@x.org"), Proponente("RUI SA LEITAO"), "nome"),
        (Avaliador("Rui", "rui@gmail.com"), Proponente("Outro", email="RUI@gmail.com"), "email"),
        (Avaliador("Rui", "rui@museu.org"), Proponente("Outro", email="lia@museu.org"), "dominio_email"),
        (Avaliador("Rui", "r@x.org", endereco="Av. do Mar, 900"), Proponente("Outro", endereco="Avenida do Mar 900"), "endereco"),
    ],
)
def test_what_ties_an_evaluator_to_a_project_is_told(avaliador: Avaliador, proponente: Proponente, campo: str) -> None:
    (sign,) = conflicts(avaliador, Proponente("Caio", OUTRO_CPF, "caio@yahoo.com.br"), proponente)
    assert (sign.tipo, sign.projetos, sign.campo) == ("conflito_de_interesse", ("P1",), campo)


@pytest.mark.parametrize("domain", ["gmail.com", "hotmail.com", "uol.com.br", "yahoo.com.br"])
def test_an_e_mail_that_anybody_may_have_ties_nobody(domain: str) -> None:
    assert conflicts(Avaliador("Rui", f"rui@{domain}"), Proponente("Lia", email=f"lia@{domain}")) == ()


def test_a_first_name_ties_nobody() -> None:
    assert conflicts(Avaliador("Rui", ""), Proponente("Rui")) == ()


def test_who_somebody_is_counts_everywhere_and_where_they_work_only_for_the_projects_given_to_them() -> None:
    avaliador = Avaliador("Rui", "rui@museu.org", projetos=("P0",), cpf=CPF)
    colleague, himself = Proponente("Lia", email="lia@museu.org"), Proponente("Rui Sá", CPF)
    assert [(sign.projetos, sign.campo) for sign in conflicts(avaliador, colleague, colleague, himself)] == [
        (("P0",), "dominio_email"),
        (("P2",), "cpf"),
    ]


def test_nobody_and_nothing_bring_no_sign() -> None:
    nobody: list[Projeto] = []
    assert find_conflito_de_interesse([], nobody) == ()
    assert find_proponente_repetido([]) == ()
    assert conflicts(Avaliador("", ""), Proponente("")) == ()
