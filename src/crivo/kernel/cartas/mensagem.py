"""A letter as the bytes that travel: RFC 5322 and MIME, in ASCII, by the standard library. Source: RFC 5322; RFC 2045; RFC 3834, 5."""

from __future__ import annotations

from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from typing import Final
from uuid import UUID

from crivo.kernel.cartas.carta import Carta, read_endereco

_POLICY: Final = SMTP.clone(cte_type="7bit")  # what passes through any server as it is


def read_remetente(said: str) -> Address:
    """Who letters come from, as `Secretaria de Cultura <edital@cultura.gov.br>` or the address alone. Raises EnderecoInvalido."""
    nome, endereco = parseaddr(said.strip())
    return Address(display_name=nome, addr_spec=read_endereco(endereco))


def message_of(carta: Carta, de: Address, carta_id: UUID, em: datetime) -> bytes:
    """The letter, told apart by `carta_id`: however often it is sent, its Message-ID is the same."""
    made = EmailMessage(policy=_POLICY)
    made["From"] = de
    made["To"] = Address(addr_spec=carta.para)
    made["Subject"] = carta.assunto
    made["Date"] = em
    made["Message-ID"] = f"<{carta_id}@{de.domain}>"
    made["Auto-Submitted"] = "auto-generated"
    made["Content-Language"] = "pt-BR"
    made.set_content(carta.texto.replace("\r\n", "\n"))
    for one in carta.anexos:
        kind, _, sub = one.tipo.partition("/")
        made.add_attachment(one.conteudo, maintype=kind, subtype=sub, filename=one.nome)
    return made.as_bytes()
