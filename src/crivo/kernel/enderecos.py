"""Hosts, networks and the public address, as settings and headers write them: read strictly, or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

Rede = IPv4Network | IPv6Network
_AUTHORITY: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})))(?::(\d{1,5}))?")
_LARGEST_PORT: Final = 65_535
_SITE_BITS: Final = 64  # of an IPv6 address: whoever has one has all of the rest


def read_host(authority: str) -> str | None:
    """The host of what a Host header says, in the one form in which hosts are compared; None where it says none.

    Names are in lower case and without the root's dot, addresses in their short form, ports left out.
    """
    found = _AUTHORITY.fullmatch(authority)
    if found is None or int(found[3] or 0) > _LARGEST_PORT:
        return None
    if found[1] is None:
        return found[2].lower().rstrip(".") or None
    try:
        return str(IPv6Address(found[1]))
    except ValueError:
        return None


def read_address(text: str) -> str | None:
    """The address of what a proxy says of a client, with or without its port; None where it says none."""
    host = read_host(text) or read_host(f"[{text}]")
    try:
        return None if host is None else str(ip_address(host))
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    """Whether a host, as `read_host` gives it, is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def read_public(text: str) -> str:
    """A public address, such as https://crivo.exemplo.org, in its plain form. Raises ValueError for anything with more or less to it."""
    parts = urlsplit(text.strip())
    host = read_host(parts.netloc)
    if parts.scheme not in {"http", "https"} or host is None or parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ValueError("não é o endereço de um site")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def host_of(address: str) -> str:
    """The host of an address that `read_public` gave."""
    return read_host(urlsplit(address).netloc) or ""


def read_rede(text: str) -> Rede:
    """One address, or a network such as 10.0.0.0/8. Raises ValueError."""
    return ip_network(text.strip(), strict=False)


def is_within(address: str, redes: Sequence[Rede]) -> bool:
    """Whether an address is in one of the networks; what is no address is in none."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found.version == rede.version and found in rede for rede in redes)


def site_of(address: str) -> str:
    """What is counted as one place to come from: an IPv4 address, or the /64 that an IPv6 address is one of 2^64 of."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found.packed[: _SITE_BITS // 8] + bytes(8), _SITE_BITS)))
