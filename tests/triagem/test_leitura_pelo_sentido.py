"""With no model, the passages that come nearest to a critério by what they mean, verbatim."""

from __future__ import annotations

import numpy as np
import pytest
from evals.criterios import hits, julgados

from com_semantico import precisa_do_semantico
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import LeituraAssistida
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import Criterio, Projeto, Proponente
from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.semantico import open_semantico
from crivo.triagem.irregularidades.segunda_leitura import Significados
from crivo.triagem.leitura_assistida import PASSAGES
from crivo.triagem.leitura_pelo_sentido import LeituraPeloSentido
from crivo.triagem.pelo_sentido import PeloSentido

ACESSO = Criterio("C1", "Acessibilidade", "Medidas para pessoas com deficiência.")
EQUIPE = Criterio("C2", "Qualificação da equipe", "Experiência nas funções.")
SINAIS = "Uma moça que sinaliza traduz as toadas para quem não ouve, e há lugar plano na frente da roda para cadeiras." * 2
AMO = "Seu Raimundo canta há quarenta e um anos e já conduziu mais de seiscentas noites, e Zefa borda desde os nove." * 2
PADRE = "O padre abençoa o couro no dia de São João e depois se come o que há, com os vizinhos sentados na calçada." * 2
TEXTO = f"{PADRE}\n{SINAIS}\n{AMO}"
_RUMOS = (("acessibilidade", 0), ("sinaliza", 0), ("equipe", 1), ("canta", 1))


def significados(textos: tuple[str, ...]) -> Significados:
    """A world of two meanings, told by a word; all else is near both."""
    rows = {texto: np.full(3, 0.1, np.float32) for texto in textos}
    for texto in textos:
        for word, rumo in _RUMOS:
            rows[texto][rumo] += word in texto.casefold()
    return {texto: unit(row[None])[0] for texto, row in rows.items()}


def lido(descricao: str = TEXTO, *documentos: DocumentoLido) -> ProjetoLido:
    return ProjetoLido(Projeto("P1", "Boi", Proponente("Ana"), descricao_tecnica=descricao), documentos)


def read(one: ProjetoLido, *criterios: Criterio) -> tuple[LeituraAssistida, ...]:
    leitura = LeituraPeloSentido(criterios, one)
    return leitura.ler(significados(leitura.textos))


def test_a_passage_is_found_that_shares_no_word_with_the_criterio() -> None:
    acesso, equipe = read(lido(), ACESSO, EQUIPE)
    assert (acesso.criterio, equipe.criterio) == ("C1", "C2")
    assert "sinaliza" in acesso.passagens[0].trecho
    assert "Raimundo" in equipe.passagens[0].trecho
    assert all(one.trecho in TEXTO and one.campo == "descricao_tecnica" for one in (*acesso.passagens, *equipe.passagens))


def test_one_criterio_alone_is_measured_against_the_projects_other_sentences() -> None:
    (acesso,) = read(lido(), ACESSO)
    assert "sinaliza" in acesso.passagens[0].trecho


def test_where_meaning_says_nothing_the_same_words_do() -> None:
    said = "A acessibilidade do salão foi vistoriada pelo conselho municipal em março, com rampa e piso tátil na entrada principal."
    criterio = Criterio("C3", "Outro", "A rampa do salão, vistoriada.")
    (found,) = read(lido(f"{PADRE}\n{said}"), criterio)
    assert "vistoriada" in found.passagens[0].trecho


def test_no_more_than_five_are_shown_and_no_more_read_than_fits() -> None:
    endless = "\n".join(f"{SINAIS} Frase de número {at} do mesmo projeto." for at in range(400))
    leitura = LeituraPeloSentido((ACESSO, EQUIPE), lido(endless))
    assert len(leitura.textos) <= 120 + 4
    assert len(leitura.ler(significados(leitura.textos))[0].passagens) <= PASSAGES


def test_what_the_project_says_of_itself_is_read_before_its_documents() -> None:
    paginas = tuple(Pagina(at, "\n".join(f"Anexo {at}, linha {line}: {PADRE}" for line in range(20))) for at in range(20))
    annex = DocumentoLido("anexo.pdf", "0" * 64, 10, "pdf", "lido", paginas, (), 20)
    textos = LeituraPeloSentido((ACESSO,), lido(TEXTO, annex)).textos
    assert any("sinaliza" in texto for texto in textos)
    assert len(textos) <= 122


@pytest.mark.parametrize(("texto", "criterios"), [("", (ACESSO,)), (TEXTO, ()), ("", ())])
def test_without_text_or_criterios_nothing_is_found(texto: str, criterios: tuple[Criterio, ...]) -> None:
    assert all(one.passagens == () for one in read(lido(texto), *criterios))


async def test_what_is_read_is_asked_for_once_and_by_whose_project_it_is() -> None:
    scope = Scope("org", "ana")
    asked: list[tuple[Scope, int]] = []

    async def significar(whose: Scope, textos: tuple[str, ...]) -> Significados:
        asked.append((whose, len(textos)))
        return significados(textos)

    found = await PeloSentido(significar).ler_assistido(scope, (ACESSO, EQUIPE), lido())  # type: ignore[arg-type]
    assert "sinaliza" in found[0].passagens[0].trecho
    assert await PeloSentido(significar).sinais(scope, lido()) == ()  # type: ignore[arg-type]
    assert [whose for whose, _ in asked] == [scope, scope]
    assert asked[1] == (scope, 0)


@precisa_do_semantico
def test_of_what_a_person_judged_meaning_finds_more_than_words() -> None:
    por_palavras, pelo_sentido = hits(julgados(), None), hits(julgados(), open_semantico())
    assert pelo_sentido[0] >= 0.75 * pelo_sentido[1]
    assert pelo_sentido[0] >= por_palavras[0] + 5
