"""Everything that is looked at, in the order in which it is told: all side by side, each for so long and no longer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from crivo.cli.exames import banco, clinicas, maquina, modelo, padroes, pasta, rede
from crivo.cli.exames.exame import Exame
from crivo.kernel.errors import CrivoError
from crivo.kernel.settings import Settings
from crivo.kernel.sistema import explain

_SECONDS: Final = 3.0
_SLOW_TO_LOAD: Final = ("crivo.clinicas.service", "crivo.triagem.embeddings.escolha", "crivo.triagem.documentos.tesseract")
_STARTING: Final = 10.0  # an embedded database that is stopped is started to be looked at, and a crash is recovered from first
_REMOTE: Final = 6.0  # another machine's answer, and the library that asks for it


@dataclass(frozen=True, slots=True)
class Olhar:
    """A look at one thing, by its name in messages, and the seconds that it has."""

    codigo: str
    nome: str
    look: Callable[[Settings], Sequence[Exame]]
    segundos: float = _SECONDS


OLHARES: Final = (
    Olhar("pasta_de_dados", "Pasta de dados", pasta.look),
    Olhar("chaves", "Chaves", pasta.keys),
    Olhar("rede", "Endereço e portas", rede.look),
    Olhar("banco", "Banco de dados", banco.look, _STARTING),
    Olhar("ancoras", "Âncoras da auditoria", modelo.anchors),
    Olhar("clinicas", "Clínicas", clinicas.look),
    Olhar("modelo", "Modelo de linguagem", modelo.look, _REMOTE),
    Olhar("comparacao_de_textos", "Comparação de textos", modelo.texts),
    Olhar("esquema_tiss", "Esquema do TISS", padroes.look),
    Olhar("maquina", "Máquina", maquina.look),
)


def examine(settings: Settings, olhares: Sequence[Olhar] = OLHARES) -> tuple[Exame, ...]:
    """What every look found; one that takes too long, or breaks, is told in its place."""
    for name in _SLOW_TO_LOAD:
        import_module(name)  # before the time begins: a slow disk is no fault of what is looked at
    began = time.monotonic()
    found: dict[str, Sequence[Exame]] = {}
    threads = [threading.Thread(target=_look, args=(olhar, settings, found), daemon=True) for olhar in olhares]
    for thread in threads:
        thread.start()
    for olhar, thread in zip(olhares, threads, strict=True):
        thread.join(max(0.0, began + olhar.segundos - time.monotonic()))
    return tuple(exame for olhar in olhares for exame in found.get(olhar.codigo, (_late(olhar),)))


def _look(olhar: Olhar, settings: Settings, found: dict[str, Sequence[Exame]]) -> None:
    try:
        found[olhar.codigo] = olhar.look(settings)
    except CrivoError as error:
        found[olhar.codigo] = (Exame(olhar.codigo, olhar.nome, "mal", error.mensagem, "crivo doutor"),)
    except OSError as error:
        told = f"não se pôde olhar: {error.filename or 'o sistema'} {explain(error)}; confira de quem é a pasta de dados"
        found[olhar.codigo] = (Exame(olhar.codigo, olhar.nome, "mal", told, "CRIVO_DATA_DIR"),)
    except Exception as error:  # noqa: BLE001 - the others are still told, and of this one only what kind of fault it was
        told = f"não se pôde olhar: o exame falhou ({type(error).__name__}). Relate o defeito"
        found[olhar.codigo] = (Exame(olhar.codigo, olhar.nome, "mal", told, "crivo doutor"),)


def _late(olhar: Olhar) -> Exame:
    why = f"não respondeu em {olhar.segundos:.0f} segundos; rode de novo daqui a pouco"
    return Exame(olhar.codigo, olhar.nome, "mal", why, "crivo doutor")
