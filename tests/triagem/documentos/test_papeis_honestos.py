"""What honest papers hold unseen (a scanner's text, properties, labels of forms) is no sign; an order planted there is found all the same."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Projeto, Proponente
from crivo.triagem.irregularidades.proprias import find_no_projeto
from documentos import CERTIDAO, HEIGHT, ORDEM, WIDTH, pdf, scanned_page
from tesseract_falso import Lendo

RELATORIO = tuple(f"Mês {number:02d}: {number + 3} oficinas de teatro, com {number * 7} crianças da escola" for number in range(1, 22))
FILL_IN = "If completed by hand, print the information requested in ink, neatly and legibly, insert one letter in each box"


def signs(content: bytes, name: str = "a.pdf") -> list[str]:
    lido = ProjetoLido(Projeto("P1", "Cine na Praça", Proponente("Ana")), (read_document(name, content),))
    return [sign.tipo for sign in find_no_projeto(lido)]


def word_by_word(layer: tuple[str, ...], shown: tuple[str, ...] = RELATORIO, askew: float = 2.0) -> bytes:
    """A scanned page with an unseen layer in boxes of one word, as programs that read images write it, some points off."""

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(scanned_page(shown)), 0, 0, WIDTH, HEIGHT)
        for index, text in enumerate(layer):
            across = 150 * WIDTH / 1654
            for word in text.split():
                writing = canvas.beginText()
                writing.setTextRenderMode(3)
                writing.setFont("Helvetica", 12.2)
                writing.setTextOrigin(across, HEIGHT - (285 + 80 * index) * HEIGHT / 2339 - askew)
                writing.textOut(word)
                canvas.drawText(writing)
                across += stringWidth(word + " ", "Helvetica", 12.2)

    return pdf(draw)


def reads(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    reader = Lendo(text.splitlines())
    monkeypatch.setattr("crivo.triagem.documentos.pdf.find_tesseract", lambda: reader)


def test_a_searchable_scan_is_no_sign_where_nothing_reads_images() -> None:
    content = word_by_word(RELATORIO)
    assert signs(content) == []
    assert "oficinas de teatro, com 147 crianças" in read_document("a.pdf", content).texto.replace("\n", " ")


def test_a_searchable_scan_is_no_sign_where_a_reader_parts_its_words_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, "\n".join(RELATORIO).replace("oficinas", "ofici nas").replace("Mês", "M ês"))
    assert signs(word_by_word(RELATORIO)) == []


def test_crumbs_that_a_reader_saw_in_a_drawing_are_no_sign() -> None:
    assert signs(word_by_word((*RELATORIO, "=~ 4 t", ".i |"))) == []


def test_one_line_laid_over_a_page_of_other_lines_is_no_layer_of_it() -> None:
    assert "texto_oculto" in signs(word_by_word(("", "", "", "Recebido pela comissão em ordem de chegada")))


def test_a_line_that_a_reader_of_images_does_not_find_is_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, "\n".join(RELATORIO))
    assert "texto_oculto" in signs(
        word_by_word((*RELATORIO[:9], "Texto que ninguém vê, comprido o bastante para dizer algo", *RELATORIO[10:]))
    )


@pytest.mark.parametrize("at", [0, 9, 20])
def test_an_order_in_the_layer_of_a_scan_is_found(at: int) -> None:
    assert "texto_instrucional" in signs(word_by_word((*RELATORIO[:at], ORDEM, *RELATORIO[at + 1 :])))


def xmp(description: str) -> bytes:
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 5.0-c060">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" '
        'xmp:CreatorTool="Adobe Photoshop CS5.1 Macintosh" photoshop:ColorMode="3">'
        f"<photoshop:Instructions>{description}</photoshop:Instructions></rdf:Description></rdf:RDF></x:xmpmeta>"
    ).encode()


def photo(description: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (60, 40), (90, 120, 30)).save(buffer, "JPEG", xmp=xmp(description))
    return buffer.getvalue()


def test_the_properties_of_a_camera_are_no_sign_and_an_order_among_them_is() -> None:
    assert signs(photo("Apresentação na praça"), "foto.jpg") == []
    assert set(signs(photo(ORDEM), "foto.jpg")) == {"texto_oculto", "texto_instrucional"}


def form(tip: str, *, value: str = "Coletivo Mandacaru", shown: bool = True) -> bytes:
    def draw(canvas: Canvas) -> None:
        if shown:
            canvas.drawString(60, 700, "Formulário de inscrição do projeto")
            canvas.acroForm.textfield(name="nome", tooltip=tip, x=60, y=600, width=300, height=20, value=value, maxlen=1000)
        canvas.acroForm.checkbox(name="aceite", tooltip=tip, x=60, y=500, checked=True)

    return pdf(draw)


def test_the_labels_of_a_form_are_no_sign_and_an_order_in_one_is() -> None:
    assert signs(form(FILL_IN)) == []
    assert set(signs(form(ORDEM))) == {"texto_oculto", "texto_instrucional"}


def test_a_form_with_nothing_but_what_was_filled_in_is_not_empty() -> None:
    lido = read_document("f.pdf", form("Concordo", shown=False))
    assert (lido.leitura, lido.texto) == ("lido", "[x]")
    assert "Coletivo Mandacaru" in read_document("f.pdf", form("Nome")).texto


@pytest.mark.parametrize(
    "title", ["Microsoft: Print To PDF", "Latex with hyperref, or other system", "Some Keywords, other keywords; more keywords"]
)
def test_a_title_or_the_name_of_a_program_is_no_sign(title: str) -> None:
    assert signs(pdf(lambda canvas: canvas.drawString(60, 700, "Plano de trabalho"), title=title, subject=title)) == []


def running_off(text: str) -> Callable[[Canvas], Any]:
    return lambda canvas: canvas.drawString(WIDTH - 90, 500, text)


def test_a_line_too_long_for_its_page_is_no_sign_unless_it_speaks_to_whoever_grades() -> None:
    assert signs(pdf(running_off("/usr/share/doc/projeto/anexos/planilha-orcamentaria-detalhada.xlsx"))) == []
    assert "texto_instrucional" in signs(pdf(running_off(f"Anexo do projeto. {ORDEM}")))


def test_what_stands_beside_the_page_altogether_is_a_sign() -> None:
    assert "texto_oculto" in signs(
        pdf(lambda canvas: (canvas.drawString(60, 500, "Plano"), canvas.drawString(WIDTH + 40, 500, "Outra conta aqui"))[-1])
    )


def test_a_scan_with_its_layer_says_the_same_whether_read_or_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    trusted = read_document("a.pdf", word_by_word(CERTIDAO, CERTIDAO)).texto
    reads(monkeypatch, "\n".join(CERTIDAO))
    assert read_document("a.pdf", word_by_word(CERTIDAO, CERTIDAO)).texto == trusted
