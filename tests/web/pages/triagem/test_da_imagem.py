"""What is drawn over an image of a page: doubtful words with how sure they are, stamps, hands; nothing over any other page."""

from __future__ import annotations

from crivo.triagem.documentos.lido import DocumentoLido, Pagina, Palavra, Regiao
from crivo.web.pages.triagem.da_imagem import DaImagem, da_imagem


def lido(*palavras: Palavra, regioes: tuple[Regiao, ...] = ()) -> DocumentoLido:
    paginas = (Pagina(1, "texto de letras"), Pagina(2, "lida", por_ocr=True, palavras=palavras, regioes=regioes))
    return DocumentoLido("a.pdf", "0" * 64, 10, "pdf", "lido", paginas, (), 2)


def test_doubtful_words_are_told_with_their_certainty_and_stand_where_they_are() -> None:
    seen = da_imagem(lido(Palavra("30/11/2O26", 0.614, (0.1, 0.2, 0.3, 0.22)), Palavra("Válida", 0.97, (0.4, 0.2, 0.5, 0.22))), 2)
    (palavra,) = seen.palavras
    assert (palavra.texto, palavra.certeza) == ("30/11/2O26", "certeza de 61%")
    assert palavra.caixa.esquerda < 10 < 29 < palavra.caixa.esquerda + palavra.caixa.largura
    assert palavra.caixa.topo < 20 < 21.9 < palavra.caixa.topo + palavra.caixa.altura
    assert seen.dito == "Nesta página: 1 palavra de leitura incerta"


def test_stamps_hands_and_lines_that_nobody_could_read_are_named() -> None:
    regioes = (
        Regiao("carimbo", (0.6, 0.6, 0.8, 0.7)),
        Regiao("carimbo", (0.1, 0.6, 0.3, 0.7)),
        Regiao("manuscrito", (0.3, 0.8, 0.6, 0.85)),
        Regiao("sem_leitura", (0.0, 0.9, 1.0, 1.0)),
    )
    seen = da_imagem(lido(regioes=regioes), 2)
    assert [one.nome for one in seen.regioes] == ["carimbo", "carimbo", "manuscrito", "trecho sem leitura segura"]
    assert seen.dito == "Nesta página: 2 carimbos, 1 manuscrito e 1 trecho sem leitura segura"
    last = seen.regioes[-1].caixa
    assert (last.esquerda, last.esquerda + last.largura <= 100, last.topo + last.altura <= 100) == (0.0, True, True)


def test_a_number_that_is_masked_in_the_text_is_masked_over_the_page() -> None:
    seen = da_imagem(lido(Palavra("529.982.247-25", 0.5, (0.1, 0.2, 0.3, 0.22))), 2)
    assert seen.palavras[0].texto == "***.982.247-**"


def test_nothing_is_drawn_over_a_page_that_is_no_image_or_that_nobody_read() -> None:
    assert da_imagem(lido(Palavra("Ana", 0.3, (0, 0, 1, 1))), 1) == DaImagem()
    assert da_imagem(lido(), 3) == DaImagem()
    assert da_imagem(None, 1).quantas == 0
