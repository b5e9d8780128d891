"""A letter that could be another letter, or go to somebody else, is refused as it is made."""

from __future__ import annotations

import email
from datetime import datetime
from email.message import EmailMessage
from email.policy import default
from uuid import UUID

import pytest

from crivo.kernel.cartas import Anexo, Carta, CartaInvalida, EnderecoInvalido, masked, read_endereco
from crivo.kernel.cartas.mensagem import message_of, read_remetente
from crivo.kernel.clock import BRASILIA

_EM = datetime(2026, 11, 27, 9, 30, tzinfo=BRASILIA)
_ID = UUID("01940000-0000-7000-8000-000000000001")


def _parsed(carta: Carta, de: str = "Secretaria de Cultura <edital@cultura.exemplo.org>") -> EmailMessage:
    made = email.message_from_bytes(message_of(carta, read_remetente(de), _ID, _EM), policy=default)
    assert isinstance(made, EmailMessage)
    return made


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("maria@exemplo.org", "maria@exemplo.org"),
        ("  Maria.Clara+edital@Exemplo.ORG ", "Maria.Clara+edital@exemplo.org"),
        ("edital@são-joão.exemplo.org", "edital@xn--so-joo-3tae.exemplo.org"),
    ],
)
def test_an_address_is_read_as_it_is_written_to(said: str, read: str) -> None:
    assert read_endereco(said) == read


@pytest.mark.parametrize(
    "said",
    [
        "", "maria", "@exemplo.org", "maria@", "maria@exemplo", "maria@@exemplo.org", "maria clara@exemplo.org", "maria@exemplo..org",
        ".maria@exemplo.org", "maria@exemplo.org\r\nBcc: outra@exemplo.org", "maria@exemplo.org\nX: y", "maria@exemplo.org,outra@exemplo.org",
        "Maria <maria@exemplo.org>", "maria@[127.0.0.1]", "maria@127.0.0.1", "joão@exemplo.org", "a" * 65 + "@exemplo.org",
        "maria@" + "a" * 64 + ".org", "maria@" + ".".join(["abcdefgh"] * 30) + ".org", "maria@exemplo.org\0",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_and_said_how_one_looks(said: str) -> None:
    with pytest.raises(EnderecoInvalido, match="e-mail"):
        read_endereco(said)


@pytest.mark.parametrize("assunto", ["", "  ", "Duas\nlinhas", "Duas\r\nBcc: outra@exemplo.org", "a\x00b", "a\u2028b", "a" * 201])
def test_a_subject_that_is_not_one_line_is_refused(assunto: str) -> None:
    with pytest.raises(CartaInvalida, match="assunto"):
        Carta("maria@exemplo.org", assunto, "Olá.")


@pytest.mark.parametrize("texto", ["", " \n", "a\x00b", "a\x1b[2Jb", "a" * 50_001])
def test_a_text_that_is_none_is_refused(texto: str) -> None:
    with pytest.raises(CartaInvalida, match="texto"):
        Carta("maria@exemplo.org", "Olá", texto)


@pytest.mark.parametrize(
    "anexo", [Anexo("a\r\nb.pdf", "application/pdf", b""), Anexo("../a.pdf", "application/pdf", b""), Anexo("a.pdf", "pdf", b""), Anexo("", "a/b", b"")]
)  # fmt: skip
def test_what_goes_with_it_has_a_name_and_a_type(anexo: Anexo) -> None:
    with pytest.raises(CartaInvalida, match="anexo"):
        Carta("maria@exemplo.org", "Olá", "Olá.", (anexo,))


def test_what_goes_with_it_is_bounded() -> None:
    with pytest.raises(CartaInvalida, match="10 MB"):
        Carta("maria@exemplo.org", "Olá", "Olá.", (Anexo("a.pdf", "application/pdf", bytes(10_000_001)),))


def test_the_message_says_in_utf_8_what_the_letter_says_and_travels_in_ascii() -> None:
    carta = Carta("maria@exemplo.org", "Diligência: certidão que falta — São João", "Olá, Conceição.\r\nFalta a certidão.\n.\nfrom aqui")
    raw = message_of(carta, read_remetente("Secretaria de Educação <edital@cultura.exemplo.org>"), _ID, _EM)
    assert raw.isascii()
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    made = _parsed(carta)
    assert (made["Subject"], made["To"], made["From"]) == (carta.assunto, carta.para, "Secretaria de Cultura <edital@cultura.exemplo.org>")
    assert made.get_content().replace("\r\n", "\n").rstrip("\n") == carta.texto.replace("\r\n", "\n")
    assert (made["Message-ID"], made["Auto-Submitted"]) == (f"<{_ID}@cultura.exemplo.org>", "auto-generated")
    assert made["Date"].datetime == _EM
    assert made.get_content_charset() == "utf-8"


def test_files_go_with_it_byte_for_byte() -> None:
    made = _parsed(Carta("maria@exemplo.org", "Olá", "Olá.", (Anexo("ofício nº 3.pdf", "application/pdf", bytes(range(256))),)))
    (file,) = made.iter_attachments()
    assert isinstance(file, EmailMessage)
    assert (file.get_filename(), file.get_content_type(), file.get_content()) == ("ofício nº 3.pdf", "application/pdf", bytes(range(256)))


@pytest.mark.parametrize(
    ("endereco", "shown"), [("maria@exemplo.org", "ma***@exemplo.org"), ("ab@exemplo.org", "a***@exemplo.org"), ("", "")]
)
def test_an_address_is_shown_masked(endereco: str, shown: str) -> None:
    assert masked(endereco) == shown


def test_a_letter_says_its_address_and_text_to_no_log() -> None:
    assert "maria" not in repr(Carta("maria@exemplo.org", "Olá", "Falta a certidão de Maria."))
    assert "certidão" not in repr(Carta("maria@exemplo.org", "Olá", "Falta a certidão de Maria."))
