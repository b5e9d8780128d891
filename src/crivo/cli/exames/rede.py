"""Where the program is reached: its address, its ports, and the letters that go out."""

from __future__ import annotations

import http.client
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final

from crivo.cli.exames.exame import Exame
from crivo.cli.exposicao import exposure_of
from crivo.kernel.portas import Dono, holder_of, is_free
from crivo.kernel.settings import Settings

_OK: Final = 200
_PAGES: Final = "Porta das páginas"
_METRICS: Final = "Porta das métricas"


@dataclass(frozen=True, slots=True)
class Porta:
    """A port: `livre` is None where the address is none of this machine; `nossa` where crivo answers on it."""

    numero: int
    livre: bool | None
    escolhida: bool
    nossa: bool = False
    dono: Dono | None = None


def look(settings: Settings) -> Sequence[Exame]:
    """The address, the ports and the way of letters."""
    pages = Porta(settings.porta, None, settings.chose("porta") or bool(settings.endereco_publico))
    metrics = Porta(settings.porta_metricas, None, settings.chose("porta_metricas"))
    return (
        judge_exposure(settings),
        judge_port("porta_das_paginas", _PAGES, "CRIVO_PORTA", _looked(settings, pages, "/healthz")),
        judge_port("porta_das_metricas", _METRICS, "CRIVO_PORTA_METRICAS", _looked(settings, metrics, "/metrics")),
        letters(settings),
    )


def judge_exposure(settings: Settings) -> Exame:
    """Whether what passes can be read by others on its way."""
    exposed = exposure_of(settings)
    if exposed is not None:
        return Exame("endereco", "Endereço", "opcional", exposed, "CRIVO_ENDERECO_PUBLICO")
    return Exame("endereco", "Endereço", "bem", settings.endereco)


def judge_port(codigo: str, nome: str, setting: str, porta: Porta) -> Exame:
    """Whether a server could listen where it is told to."""
    told = codigo, nome
    if porta.numero == 0:
        return Exame(*told, "bem", "desligada")
    if porta.livre is None:
        return Exame(*told, "mal", f"esta máquina não pode atender na {porta.numero}; confira CRIVO_HOST e {setting}", setting)
    if porta.livre:
        return Exame(*told, "bem", f"{porta.numero}, livre")
    if porta.nossa:
        return Exame(*told, "bem", f"{porta.numero}, em que o crivo atende" + (f", processo {porta.dono.pid}" if porta.dono else ""))
    who = f"o processo {porta.dono.pid} ({porta.dono.programa})" if porta.dono else "outro programa"
    if porta.escolhida:
        return Exame(*told, "mal", f"na {porta.numero} já atende {who}; encerre-o, ou escolha outra", setting)
    return Exame(*told, "opcional", f"na {porta.numero} já atende {who}; o crivo usa outra, e diz qual", setting)


def letters(settings: Settings) -> Exame:
    """By which way letters go out; no server is asked, as to be asked is to be greeted by strangers."""
    if settings.smtp_url is None:
        why = "sem servidor de e-mail: cada uma é gravada na pasta de dados, em cartas/. Preencha CRIVO_SMTP_URL"
        return Exame("cartas", "Cartas", "opcional", why, "CRIVO_SMTP_URL")
    from crivo.kernel.cartas.smtp import read_servidor

    found = read_servidor(settings.smtp_url.get_secret_value())
    return Exame("cartas", "Cartas", "bem", f"por {found.host}:{found.porta}, em nome de {settings.smtp_de}")


def _looked(settings: Settings, porta: Porta, path: str) -> Porta:
    if porta.numero == 0:
        return porta
    try:
        free = is_free(settings.host, porta.numero)
    except OSError:
        return porta
    if free:
        return Porta(porta.numero, livre=True, escolhida=porta.escolhida)
    ours = _answers(settings.host, porta.numero, path)
    return Porta(porta.numero, livre=False, escolhida=porta.escolhida, nossa=ours, dono=holder_of(porta.numero))


def _answers(host: str, port: int, path: str) -> bool:
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - what listens everywhere is reached here
    with suppress(OSError, http.client.HTTPException), closing(http.client.HTTPConnection(here, port, timeout=1)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status == _OK and b"crivo" in (answer.read(200_000).lower() if path == "/metrics" else b"crivo")
    return False
