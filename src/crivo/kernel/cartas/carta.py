"""A letter as a value: to whom, about what, in which words. What could become another header or another addressee is no letter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind

LONGEST_SUBJECT: Final = 200
LONGEST_TEXT: Final = 50_000
MOST_ATTACHED_BYTES: Final = 10_000_000
_LONGEST_ADDRESS: Final = 254  # RFC 5321, 4.5.3.1.3, without its angle brackets
_LONGEST_LOCAL: Final = 64
# A dot-atom (RFC 5322, 3.2.3), not the quoted forms that nobody has; names of hosts as the DNS has them, or with letters of their own.
_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_HOST: Final = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CONTROL_IN_TEXT: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,80}")
_SHOWN: Final = 2


class EnderecoInvalido(CrivoError):
    """An address that no letter reaches."""

    codigo: ClassVar[str] = "email_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Este e-mail não recebe cartas"


class CartaInvalida(CrivoError):
    """A letter that cannot be sent as it is."""

    codigo: ClassVar[str] = "carta_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Esta carta não pode ser enviada"


@dataclass(frozen=True, slots=True)
class Anexo:
    """A file that goes with a letter; `tipo` is its media type, as `application/pdf`."""

    nome: str
    tipo: str
    conteudo: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Carta:
    """A letter to one address, in plain text. It is refused as it is made: raises EnderecoInvalido, CartaInvalida."""

    para: str = field(repr=False)
    assunto: str
    texto: str = field(repr=False)
    anexos: tuple[Anexo, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "para", read_endereco(self.para))
        if not self.assunto.strip() or len(self.assunto) > LONGEST_SUBJECT or _CONTROL.search(self.assunto):
            raise CartaInvalida(f"O assunto de uma carta é uma só linha, de 1 a {LONGEST_SUBJECT} letras.")
        if not self.texto.strip() or len(self.texto) > LONGEST_TEXT or _CONTROL_IN_TEXT.search(self.texto.replace("\r\n", "\n")):
            raise CartaInvalida(f"O texto de uma carta tem de 1 a {LONGEST_TEXT} letras, sem caracteres de controle.")
        if sum(len(one.conteudo) for one in self.anexos) > MOST_ATTACHED_BYTES:
            raise CartaInvalida(f"Os anexos de uma carta somam até {MOST_ATTACHED_BYTES // 1_000_000} MB. Mande um link no lugar deles.")
        for one in self.anexos:
            if not one.nome or _CONTROL.search(one.nome) or "/" in one.nome or not _MEDIA_TYPE.fullmatch(one.tipo):
                raise CartaInvalida("Um anexo tem um nome de arquivo, de uma só linha, e um tipo, como application/pdf.")


def read_endereco(said: str) -> str:
    """One address, as it is written to: the part before the @ keeps its letters, the host is in ASCII. Raises EnderecoInvalido."""
    local, at, host = said.strip().rpartition("@")
    if _CONTROL.search(said) or not at:
        raise EnderecoInvalido("O e-mail tem um nome, um @ e um domínio, como nome@exemplo.org. Confira e corrija.")
    try:
        plain = host.encode("idna").decode("ascii").lower() if host else ""
    except UnicodeError:
        plain = ""
    if not _LOCAL.fullmatch(local) or len(local) > _LONGEST_LOCAL or not _HOST.fullmatch(plain):
        raise EnderecoInvalido("O e-mail tem um nome, um @ e um domínio, como nome@exemplo.org. Confira e corrija.")
    if len(local) + 1 + len(plain) > _LONGEST_ADDRESS:
        raise EnderecoInvalido(f"O e-mail é longo demais: passa de {_LONGEST_ADDRESS} letras.")
    return f"{local}@{plain}"


def masked(endereco: str) -> str:
    """An address as lists show it: enough for who knows it, and no more, as `ma***@exemplo.org`."""
    local, at, host = endereco.rpartition("@")
    return f"{local[:_SHOWN] if len(local) > _SHOWN else local[:1]}***{at}{host}" if at else ""
