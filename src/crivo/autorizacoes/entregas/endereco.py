"""The address of a webhook, as people write it and as it is sent to. Pure: whether its name leads anywhere is found out when it is sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from crivo.autorizacoes.entregas.erros import DestinoInvalido
from crivo.autorizacoes.entregas.redes import is_named, may_reach
from crivo.kernel.enderecos import Rede, read_host

LONGEST: Final = 2_000
_USUAL: Final = {"https": 443, "http": 80}
_LOWEST_FREE: Final = 1_024
# Ports of other protocols above 1023: a message to one of them would be taken for something else.
_OF_OTHERS: Final = frozenset(
    {1521, 2049, 3306, 3389, 4045, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 9200, 11211, 27017}
)
_BLANK: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\\]")
_SAFE: Final = "/:@!$&'()*+,;=-._~%"


_PLAIN: Final = "O endereço começa por https://, para que ninguém no caminho leia a decisão."
_INTERNAL: Final = (
    "Este endereço é de uma rede interna, e nada é enviado para lá. Use o endereço https:// pelo qual o sistema é visto de fora; "
    "ou, se a rede é sua, quem cuida da instalação a nomeia em CRIVO_ENTREGA_REDES."
)


@dataclass(frozen=True, slots=True)
class Alvo:
    """An address taken apart; `host` is in ASCII, `alvo` is the path with its query."""

    esquema: str
    host: str
    porta: int
    alvo: str

    @property
    def autoridade(self) -> str:
        """The host, with its port where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.porta == _USUAL[self.esquema] else f"{host}:{self.porta}"

    @property
    def escrito(self) -> str:
        """The address in one plain form."""
        return f"{self.esquema}://{self.autoridade}{self.alvo}"


def read_alvo(text: str, redes: Sequence[Rede] = ()) -> Alvo:
    """The address of a webhook; `redes` are one's own networks that are allowed, where http is too. Raises DestinoInvalido."""
    said = text.strip()
    if not said or len(said) > LONGEST or _BLANK.search(said):
        raise _wrong("Escreva o endereço inteiro, como https://sistema.exemplo.com.br/crivo, sem espaços.")
    try:
        parts = urlsplit(said)
        port = parts.port
    except ValueError:
        raise _wrong("Este endereço não se lê. Confira o nome e a porta, como em https://sistema.exemplo.com.br:8443/crivo.") from None
    if parts.scheme != "https" and not (parts.scheme == "http" and redes):
        raise _wrong(_INTERNAL if _leads_inside(parts.scheme, parts.hostname or "", redes) else _PLAIN)
    if parts.username is not None or parts.password is not None:
        raise _wrong("O endereço não leva usuário nem senha: quem recebe confere a assinatura de cada mensagem.")
    if parts.fragment or "#" in said:
        raise _wrong("Tire do endereço o # e o que vem depois dele: isso não é enviado a ninguém.")
    port = port or _USUAL[parts.scheme]
    if port not in _USUAL.values() and (port < _LOWEST_FREE or port in _OF_OTHERS):
        raise _wrong(f"A porta {port} é de outro tipo de serviço. Use a 443, ou uma acima de 1023.")
    alvo = Alvo(parts.scheme, _host(parts.hostname or ""), port, _target(parts.path, parts.query))
    if _is_address(alvo.host) and not may_reach(alvo.host, redes):
        raise _wrong(_INTERNAL)
    if alvo.esquema == "http" and _is_address(alvo.host) and not is_named(alvo.host, redes):
        raise _wrong(_PLAIN)
    return alvo


def _leads_inside(esquema: str, host: str, redes: Sequence[Rede]) -> bool:
    """Whether an address without encryption is one that its owner may have in mind as their own, which is then to be named."""
    return esquema == "http" and (host == "localhost" or (_is_address(host) and not may_reach(host, redes)))


def _target(path: str, query: str) -> str:
    return quote(path or "/", safe=_SAFE) + (f"?{quote(query, safe=_SAFE + '/?')}" if query else "")


def _host(name: str) -> str:
    """A host in ASCII: letters of other alphabets as DNS has them."""
    try:
        plain = name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        plain = ""
    found = read_host(f"[{plain}]" if ":" in plain else plain) if plain else None
    if found is None or (not _is_address(found) and "." not in found and found != "localhost"):
        raise _wrong("O nome do servidor não se lê. Ele é como sistema.exemplo.com.br.")
    return found


def _is_address(host: str) -> bool:
    return ":" in host or bool(re.fullmatch(r"[0-9.]+", host))


def _wrong(told: str) -> DestinoInvalido:
    return DestinoInvalido(told, campo="endereco")
