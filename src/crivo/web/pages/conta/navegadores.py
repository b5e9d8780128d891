"""From where somebody enters, in the few words that tell their own sessions apart."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, ip_address
from typing import Final

from starlette.requests import Request

from crivo.kernel.access import Onde

# In order: those that say of themselves to be others come before the others.
_BROWSERS: Final[Sequence[tuple[str, str]]] = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final[Sequence[tuple[str, str]]] = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def address_of(request: Request) -> str:
    """Where a request comes from, by its connection or by the proxies that are believed."""
    return request.client.host if request.client else ""


def onde_of(request: Request) -> Onde:
    """The kind of browser and the beginning of the address that a request comes with."""
    return Onde(describe_browser(request.headers.get("user-agent", "")), shorten_address(address_of(request)))


def describe_browser(agent: str) -> str:
    """The kind of browser and system that a User-Agent names (pt-BR)."""
    browser = next((nome for mark, nome in _BROWSERS if mark in agent), "Outro navegador")
    system = next((nome for mark, nome in _SYSTEMS if mark in agent), "")
    return f"{browser} ({system})" if system else browser


def shorten_address(address: str) -> str:
    """An address without what points at one machine: 203.0.113.x, or the first three groups of an IPv6 address; empty for what is none."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv4Address):
        return f"{str(found).rpartition('.')[0]}.x"
    return ":".join(found.exploded.split(":")[:3]) + ":…"
