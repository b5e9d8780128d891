"""How the pages are reached, where that lets others read what passes: told as the server starts, and by `crivo doutor`."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from crivo.kernel.settings import Settings

_BETTER: Final = "ponha na frente um proxy com https e informe o endereço dele em CRIVO_ENDERECO_PUBLICO"


def exposure_of(settings: Settings) -> str | None:
    """What passes in the clear over a network, and what mends it (pt-BR); None where all stays on this machine, or goes by https."""
    public = urlsplit(settings.endereco_publico)
    if public.scheme == "https":
        return None
    if public.hostname and not _is_here(public.hostname):
        return f"{settings.endereco_publico} é sem https: senhas e dados de saúde passam legíveis pela rede; {_BETTER}"
    if not _is_here(settings.host):
        return f"CRIVO_HOST={settings.host} atende a rede sem https: senhas e dados de saúde passam legíveis por ela; {_BETTER}"
    return None


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
