"""Which addresses may be written to: those of the Internet, and of one's own networks only those that the installation names. Pure.

Source: OWASP, Server-Side Request Forgery Prevention; IANA special-purpose address registries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

from crivo.kernel.enderecos import Rede, is_within

_NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052: an IPv4 address in its last 32 bits
_V4_BITS: Final = 0xFFFF_FFFF


def may_reach(address: str, redes: Sequence[Rede]) -> bool:
    """Whether an address, as DNS gave it, may be connected to; `redes` are one's own networks that are allowed."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if is_within(str(found), redes):
        return True
    return all(_is_public(one) for one in _meant(found))


def is_named(address: str, redes: Sequence[Rede]) -> bool:
    """Whether an address is in a network that the installation names: there, and nowhere else, it goes without encryption too."""
    return is_within(address.partition("%")[0], redes)


def _meant(address: IPv4Address | IPv6Address) -> Iterator[IPv4Address | IPv6Address]:
    """An address, and every one that it stands for in a form of another."""
    yield address
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if address in _NAT64 or int(address) >> 32 == 0:  # ::a.b.c.d, of old, too
        yield IPv4Address(int(address) & _V4_BITS)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None or address in _NAT64:
            return True  # judged by the address that it stands for
        if address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)
