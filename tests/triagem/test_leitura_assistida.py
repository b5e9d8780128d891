"""With no model: passages of the project by critério, verbatim, and never a nota."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import Criterio, CronogramaEtapa, Nivel, OrcamentoItem, Projeto, Proponente
from crivo.triagem.leitura_assistida import PASSAGES, read_assisted

ACESSO = Criterio(
    "C1",
    "Acessibilidade",
    "Medidas para que pessoas com deficiência participem: Libras, audiodescrição, rampas.",
    niveis=(Nivel(Decimal(10), "Há medidas de acessibilidade em todas as etapas."),),
)
EQUIPE = Criterio("C2", "Qualificação da equipe", "Experiência e formação dos profissionais envolvidos.")

TEXTO = (
    "O festival reúne cantadores e repentistas do sertão em três noites de apresentações na praça central. "
    "Todas as sessões terão intérprete de Libras e audiodescrição, e o palco terá rampa para cadeirantes. "
    "A direção musical é de profissional com vinte anos de experiência e formação em regência pela universidade estadual. "
    "O público esperado é de quatro mil pessoas ao longo do fim de semana, com entrada gratuita."
)


def projeto(resumo: str = "", descricao: str = TEXTO) -> Projeto:
    return Projeto("P1", "Festival", Proponente("Ana Braga"), resumo=resumo, descricao_tecnica=descricao)


def test_each_criterio_is_shown_the_passage_that_speaks_to_it_first() -> None:
    """Triagem 4/2."""
    acesso, equipe = read_assisted((ACESSO, EQUIPE), ProjetoLido(projeto()))
    assert acesso.criterio == "C1"
    assert "Libras" in acesso.passagens[0].trecho
    assert "regência" in equipe.passagens[0].trecho


def test_a_passage_is_verbatim_and_says_where_it_stands() -> None:
    pagina = Pagina(3, "Currículo da equipe.\nA coordenadora tem experiência de dez anos em produção de eventos acessíveis com Libras.")
    arquivo = DocumentoLido("doc/equipe.pdf", "0" * 64, 10, "pdf", "lido", (pagina,), total_paginas=3)
    lido = ProjetoLido(projeto(), (arquivo,))
    for leitura in read_assisted((ACESSO, EQUIPE), lido):
        for passagem in leitura.passagens:
            source = pagina.texto if passagem.arquivo else TEXTO
            assert passagem.trecho in source
            assert (passagem.pagina, passagem.campo) == ((3, None) if passagem.arquivo else (None, "descricao_tecnica"))
    assert any(p.arquivo == "doc/equipe.pdf" for p in read_assisted((EQUIPE,), lido)[0].passagens)


def test_budget_and_calendar_are_searched_too() -> None:
    """Triagem 4/2."""
    rows = replace(
        projeto(descricao=""),
        orcamento_itens=(OrcamentoItem("Intérprete de Libras"), OrcamentoItem("Cachê do grupo")),
        cronograma_etapas=(CronogramaEtapa("Instalação de rampas"),),
    )
    passagens = read_assisted((ACESSO,), ProjetoLido(rows))[0].passagens
    assert {passagem.campo for passagem in passagens} == {"orcamento_itens", "cronograma_etapas"}


def test_a_criterio_that_the_project_does_not_speak_to_has_no_passage() -> None:
    assert read_assisted((Criterio("C9", "Sustentabilidade ambiental"),), ProjetoLido(projeto()))[0].passagens == ()
    assert read_assisted((ACESSO,), ProjetoLido(projeto(descricao="")))[0].passagens == ()


def test_a_text_without_full_stops_is_still_cut_to_what_can_be_read() -> None:
    endless = "libras audiodescrição rampa acessibilidade " * 5000
    passagens = read_assisted((ACESSO,), ProjetoLido(projeto(descricao=endless)))[0].passagens
    assert len(passagens) == PASSAGES
    assert all(len(passagem.trecho) <= 900 for passagem in passagens)


@given(st.text(max_size=3000))
def test_whatever_the_text_no_passage_is_invented(texto: str) -> None:
    for leitura in read_assisted((ACESSO, EQUIPE), ProjetoLido(projeto(resumo=texto, descricao=""))):
        assert all(passagem.trecho in texto for passagem in leitura.passagens)


def test_papers_of_formality_are_not_searched_for_merit() -> None:
    texto = "CERTIDÃO NEGATIVA DE DÉBITOS\nPREFEITURA MUNICIPAL DE CAUCAIA\nSetor de acessibilidade, Libras e audiodescrição, rampas para todos."
    certidao = DocumentoLido("a.pdf", "0" * 64, 10, "pdf", "lido", (Pagina(1, texto),), total_paginas=1)
    found = read_assisted((ACESSO,), ProjetoLido(projeto(), (certidao,)))[0].passagens
    assert found
    assert all(passagem.arquivo is None for passagem in found)
