"""A database URL in the spellings that its readers want, with one host or several of which one takes writes."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import quote

_SCHEMES: Final = ("postgresql+psycopg://", "postgresql://", "postgres://")
_PORT: Final = "5432"
_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.%]+\]|[^:\[\],]+)(?::(\d{0,5}))?")
_NO_PORT: Final = re.compile(r"(?<![:\[]):[^\],:]*[^\d\],:]")  # after a colon, what is no port; apart from IPv6
_BARE_PERCENT: Final = re.compile("%(?![0-9a-fA-F]{2})")
_WHICH: Final = "target_session_attrs"


def is_postgres(url: str) -> bool:
    """Whether the URL names a PostgreSQL, in any of the usual spellings; of several hosts each has a name, and a port that is a number."""
    if not url.startswith(_SCHEMES):
        return False
    place = _authority(_rest(url)).rpartition("@")[2]
    return "," not in place or all(_HOST.fullmatch(one) for one in place.split(","))


def hosts_of(url: str) -> tuple[str, ...]:
    """The servers that a URL names, each with its port; none for a socket."""
    return tuple(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in _hosts(_rest(url)))


def is_badly_escaped(url: str) -> bool:
    """Whether a role or a password plainly has a character that ends it too early, as a URL writes it with a percent sign."""
    rest = _rest(url)
    authority, (before, _, query) = _authority(rest), rest.partition("?")
    who = authority.rpartition("@")[0]
    cut = "@" not in authority and (_NO_PORT.search(authority) is not None or "@" in query.partition("=")[0])  # a ? or / ended it
    return cut or "@" in who or "@" in before.removeprefix(authority) or _BARE_PERCENT.search(who) is not None


def libpq_url(url: str) -> str:
    """The URL as libpq, and so psycopg, reads it: of several hosts, whichever takes writes, unless the URL says otherwise."""
    rest = _rest(url)
    return "postgresql://" + (_for_writing(rest) if len(_hosts(rest)) > 1 else rest)


def sqlalchemy_url(url: str) -> str:
    """The URL as SQLAlchemy reads it, with psycopg as its driver; several hosts stand in its query."""
    rest = _rest(url)
    hosts = _hosts(rest)
    if len(hosts) < 2:
        return "postgresql+psycopg://" + rest
    who, where = _split(_for_writing(rest))
    names, ports = (quote(",".join(part), safe=",") for part in zip(*hosts, strict=True))
    return f"postgresql+psycopg://{who}{where}&host={names}&port={ports}"


class Preferencia:
    """In which order several hosts are tried: the one that answered last, else by turns, so that a silent one holds nobody up for long.

    What it changes are the arguments of a connection, as the driver takes them: `host` and `port`, each a list with commas.
    """

    def __init__(self) -> None:
        self._order: list[tuple[str, str]] = []

    def before(self, parameters: dict[str, Any]) -> None:
        """Before a connection is tried: put the hosts in order. The first of them is the last of the next, unless it answers."""
        hosts = str(parameters.get("host") or "").split(",")
        if len(hosts) < 2:
            return
        ports = (str(parameters.get("port") or "") or _PORT).split(",")
        told = list(zip(hosts, ports * len(hosts) if len(ports) == 1 else ports, strict=False))
        if sorted(told) != sorted(self._order):
            self._order = told
        parameters["host"] = ",".join(host for host, _ in self._order)
        parameters["port"] = ",".join(port for _, port in self._order)
        self._order = [*self._order[1:], self._order[0]]

    def answered(self, host: str, port: int) -> None:
        """A connection was made there: it is tried first from now on."""
        self._order.sort(key=lambda one: one != (host, str(port)))

    def lost(self, host: str, port: int) -> None:
        """A connection to it broke: the others are tried first from now on, until it answers again."""
        self._order.sort(key=lambda one: one == (host, str(port)))


def _hosts(rest: str) -> list[tuple[str, str]]:
    """The hosts and ports that stand before the path."""
    place = _authority(rest).rpartition("@")[2]
    found = [_HOST.fullmatch(one) for one in place.split(",")]
    return [(host[1].removeprefix("[").removesuffix("]"), host[2] or _PORT) for host in found if host is not None]


def _split(rest: str) -> tuple[str, str]:
    """What stands before the hosts, and what after."""
    authority = _authority(rest)
    who, at, _ = authority.rpartition("@")
    after = rest.removeprefix(authority)
    return who + at, after if after.startswith("/") else "/" + after


def _for_writing(rest: str) -> str:
    if f"{_WHICH}=" in rest.partition("?")[2]:
        return rest
    return f"{rest}{'&' if '?' in rest else '?'}{_WHICH}=read-write"


def _authority(rest: str) -> str:
    return rest[: min(at for at in (rest.find("/"), rest.find("?"), len(rest)) if at >= 0)]


def _rest(url: str) -> str:
    for scheme in _SCHEMES:
        if url.startswith(scheme):
            return url.removeprefix(scheme)
    raise ValueError("not a PostgreSQL URL")
