"""Reused text is found sentence by sentence and shown side by side; honest likeness is left alone."""

from __future__ import annotations

import pytest

from crivo.triagem.achados import Irregularidade
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Edital, Projeto, Proponente
from crivo.triagem.irregularidades.acervo import ProjetoPassado
from crivo.triagem.irregularidades.texto import find_texto_reutilizado, past_of
from inscritos import chamada, com_anexo, lidos, projeto
from reuso import DISFARCES, Sorte, bases, draw_editais, reordered

TEXTOS = [" ".join(base.frases) for base in bases("ajuste")]
ANA = Proponente("Ana Sá Lima", "11144477735")
DECLARACAO = "Declaro, sob as penas da lei, que as informações são verdadeiras e que conheço todas as regras deste edital."


def found(*projetos: Projeto, edital: Edital | None = None) -> tuple[Irregularidade, ...]:
    call = chamada(*projetos, edital=edital) if edital else chamada(*projetos)
    return find_texto_reutilizado(call, lidos(*projetos))


def among(*projetos: Projeto) -> tuple[Irregularidade, ...]:
    """The signs of an edital in which there are a dozen honest projects as well."""
    return found(*(projeto(f"H{at}", texto) for at, texto in enumerate(TEXTOS[8:])), *projetos)


@pytest.mark.parametrize("half", ["ajuste", "relato"])
def test_copies_are_found_under_every_disguise_and_look_alikes_are_not(half: str) -> None:
    (edital,) = draw_editais("ajuste" if half == "ajuste" else "relato", semente=99, rodadas=1)
    signs = find_texto_reutilizado(edital.chamada, edital.lidos)
    assert {frozenset(sign.projetos) for sign in signs} == set(edital.reusos)
    assert set(edital.reusos.values()) == {nome for nome, _ in DISFARCES}


def test_the_passages_stand_side_by_side_with_their_likeness() -> None:
    copia = TEXTOS[0].replace("Lúcia", "Marta").replace("noventa", "cem")
    (sign,) = among(projeto("P1", TEXTOS[0]), projeto("P2", copia))
    assert (sign.tipo, sign.projetos, sign.autor) == ("texto_reutilizado", ("P1", "P2"), "codigo")
    assert sign.valor is not None
    assert sign.valor > 0.95
    left, right = sign.evidencia[::2], sign.evidencia[1::2]
    assert {passage.projeto for passage in left} == {"P1"}
    assert {passage.projeto for passage in right} == {"P2"}
    assert [passage.par for passage in left] == [passage.par for passage in right] == list(range(1, len(left) + 1))
    assert all(one.trecho in TEXTOS[0] and other.trecho in copia for one, other in zip(left, right, strict=True))
    assert min(passage.semelhanca or 0 for passage in left) >= 0.45
    changed = next(other.trecho for one, other in zip(left, right, strict=True) if "Lúcia" in one.trecho)
    assert "Marta" in changed


def test_the_value_is_the_share_of_the_text_that_is_found_elsewhere() -> None:
    frases = bases("ajuste")[0].frases
    (sign,) = among(projeto("P1", " ".join(frases[:5])), projeto("P2", TEXTOS[0]))
    assert sign.valor == 1.0
    assert sign.evidencia[0].projeto == "P1"
    assert "100% do texto do projeto P1" in sign.achado


def test_less_than_three_tenths_in_common_is_left_alone() -> None:
    borrowed = bases("ajuste")[0].frases[:2]
    assert among(projeto("P1", TEXTOS[0]), projeto("P2", f"{TEXTOS[1]} {' '.join(borrowed)}")) == ()


def test_two_projects_alone_can_be_compared() -> None:
    (sign,) = found(projeto("P1", TEXTOS[0]), projeto("P2", TEXTOS[0]))
    assert sign.projetos == ("P1", "P2")
    assert found(projeto("P1", TEXTOS[0]), projeto("P2", TEXTOS[2])) == ()


@pytest.mark.parametrize("texto", ["", "🎭🎪🎨", "Sim.", "a " * 100])
def test_texts_with_nothing_to_compare_bring_no_sign(texto: str) -> None:
    assert found() == ()
    assert found(projeto("P1", texto)) == ()
    assert found(projeto("P1", texto), projeto("P2", texto)) == ()


def test_what_over_a_quarter_of_the_projects_say_is_everybodys() -> None:
    comum = " ".join(bases("relato")[0].frases)
    projetos = [projeto(f"P{at}", f"{texto} {comum}" if at < 7 else texto) for at, texto in enumerate(TEXTOS[:20])]
    assert found(*projetos) == ()


def test_among_few_projects_a_text_that_several_share_is_nobodys_boilerplate() -> None:
    projetos = [projeto(f"P{at}", TEXTOS[0]) for at in range(3)]
    assert [sign.projetos for sign in found(*projetos)] == [("P0", "P1"), ("P0", "P2"), ("P1", "P2")]


def test_who_quotes_the_edital_copies_nobody() -> None:
    quoted = "Serão apoiadas ações de formação de público em escolas. A contrapartida social deve ser gratuita e de classificação livre. "
    quoted += "O plano de acessibilidade deve prever recursos para pessoas cegas e surdas. A execução termina em doze meses do pagamento."
    edital = Edital("ED-1", "Edital", texto=quoted)
    short = [f"{quoted} {' '.join(bases('ajuste')[at].frases[:3])}" for at in range(2)]
    assert found(projeto("P1", short[0]), projeto("P2", short[1]), edital=edital) == ()
    assert len(found(projeto("P1", short[0]), projeto("P2", short[1]))) == 1


def test_declarations_that_everybody_writes_are_no_reuse_even_of_two() -> None:
    own = ["Faremos quatro rodas de capoeira na praça.", "Vendemos renda de bilro na feira do porto."]
    assert found(*(projeto(f"P{at}", f"{texto} {DECLARACAO}") for at, texto in enumerate(own))) == ()


def test_a_series_of_one_proponente_is_honest_and_the_same_text_twice_is_shown() -> None:
    second = " ".join(
        [*bases("ajuste")[0].frases[:-3], "A segunda etapa chega a outros bairros, com novos monitores e outro calendário de visitas."]
    )
    assert among(projeto("P1", TEXTOS[0], ANA), projeto("P2", second, ANA)) == ()
    (sign,) = among(projeto("P1", TEXTOS[0], ANA), projeto("P2", TEXTOS[0], ANA))
    assert sign.projetos == ("P1", "P2")


def test_a_copy_in_an_annex_counts_and_names_the_file_and_the_page() -> None:
    copied = com_anexo(projeto("P2", TEXTOS[1]), "anexos/plano.pdf", TEXTOS[0])
    projects = [ProjetoLido(projeto("P1", TEXTOS[0])), copied, *lidos(*(projeto(f"H{at}", texto) for at, texto in enumerate(TEXTOS[8:])))]
    (sign,) = find_texto_reutilizado(chamada(*(lido.projeto for lido in projects)), projects)
    assert sign.projetos == ("P1", "P2")
    assert {(passage.arquivo, passage.pagina) for passage in sign.evidencia if passage.projeto == "P2"} == {("anexos/plano.pdf", 1)}


def test_past_editais_are_compared_too_and_named() -> None:
    past = past_of("ED-2024-01", ProjetoLido(projeto("V9", TEXTOS[0], ANA)))
    shuffled = " ".join(reordered(list(bases("ajuste")[0].frases), Sorte(1), ()))
    now = [projeto("P1", shuffled), projeto("P2", TEXTOS[3])]
    (sign,) = find_texto_reutilizado(chamada(*now), lidos(*now), [past])
    assert sign.projetos == ("P1",)
    assert {passage.projeto for passage in sign.evidencia} == {"P1", "ED-2024-01/V9"}
    assert "ED-2024-01" in sign.achado


def test_who_comes_back_with_the_project_of_last_year_copies_nobody() -> None:
    past = past_of("ED-2024-01", ProjetoLido(projeto("V9", TEXTOS[0], ANA)))
    back = projeto("P1", " ".join(bases("ajuste")[0].frases[:-2]), ANA)
    longer = projeto("P1", f"{back.texto} {' '.join(bases('ajuste')[5].frases[:2])}", ANA)
    assert find_texto_reutilizado(chamada(longer), lidos(longer), [past]) == ()


def test_a_past_project_without_text_is_no_trouble() -> None:
    now = projeto("P1", TEXTOS[0])
    assert find_texto_reutilizado(chamada(now), lidos(now), [ProjetoPassado("ED-0", "V1", ())]) == ()


def test_the_order_of_the_projects_changes_no_sign() -> None:
    (edital,) = draw_editais("ajuste", semente=5, rodadas=1)
    backwards = find_texto_reutilizado(edital.chamada, edital.lidos[::-1])
    forwards = find_texto_reutilizado(edital.chamada, edital.lidos)
    assert {(frozenset(sign.projetos), sign.valor) for sign in forwards} == {(frozenset(sign.projetos), sign.valor) for sign in backwards}
    assert forwards == find_texto_reutilizado(edital.chamada, edital.lidos)


def test_twenty_thousand_equal_texts_are_everybodys() -> None:
    assert found(*(projeto(f"P{at}", "Faremos quatro rodas de capoeira na praça do mercado velho.") for at in range(20_000))) == ()
