"""A model's service that writes one answer each time that it is let, so that a decision can be watched while it is made."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from casos import pedido, regra
from jornadas.autorizacoes import assistida
from provedor import Pedido, Provedor, provedor_no_ar

# Three agents have words to write about it: the least changes, the adjustments, the two messages.
PEDIDO = pedido(procedimento__quantidade=3, prestador__tipo="NÃO_CREDENCIADO")
REGRA = regra(limite_quantidade=2, documentos_obrigatorios=["LAUDO_MEDICO"], restricoes_rede="APENAS_CREDENCIADA")
POLITICA = {
    "administradora_id": "ADM-1",
    "documento": "Manual de Coberturas",
    "versao": "2.0",
    "vigencia_inicio": "2026-01-01",
    "regras": [REGRA],
}
AGENTES_QUE_ESCREVEM = 2
_AT_MOST_SECONDS = 18.0  # whoever forgets to let it write is not kept for ever
_OF_WRITERS = ({"mensagens"}, {"ajustes_sugeridos", "resumo_efeito"})  # the fields of each answer that has texts alone
_ASKED_SECONDS = 90.0  # the first question of a process has much to load


def raw(**changes: Any) -> str:
    """The pedido as it is sent."""
    return json.dumps({**PEDIDO, **changes})


class EscritaLenta:
    """The service, and what lets it write. It may serve one test after another, each of which begins anew."""

    def __init__(self) -> None:
        self.provedor = Provedor(campos=assistida("acompanhada", PEDIDO, REGRA).campos, segura=self._wait)
        self.comeca()

    def comeca(self) -> None:
        """Forget what was asked, and let it write nothing yet."""
        self.provedor.esquecer()
        self.provedor.sempre = None
        self._vez, self._chegou = threading.Semaphore(0), threading.Semaphore(0)

    async def ouviu(self, questions: int = AGENTES_QUE_ESCREVEM) -> None:
        """Wait until so many more questions have come."""
        for _ in range(questions):
            assert await asyncio.to_thread(self._chegou.acquire, timeout=_ASKED_SECONDS), "nobody asked"

    def escreve(self, answers: int = AGENTES_QUE_ESCREVEM) -> None:
        """Let it write so many answers."""
        self._vez.release(answers)

    @property
    def pedidas(self) -> int:
        """How many questions for texts came."""
        return sum(map(_is_of_writers, self.provedor.recebidos))

    @property
    def ambiente(self) -> dict[str, str]:
        """What a server is told, to have its texts written here."""
        return {
            "CRIVO_MODELO": "openai:modelo-lento",
            "CRIVO_MODO_AUTORIZACOES": "assistido",
            "OPENAI_API_KEY": "chave",
            "OPENAI_BASE_URL": self.provedor.url,
        }

    def _wait(self, asked: Pedido) -> None:
        if not _is_of_writers(asked):  # a reading of what was written, or a job of somebody else on this database: it is not held
            return
        self._chegou.release()
        self._vez.acquire(timeout=_AT_MOST_SECONDS)


def _is_of_writers(asked: Pedido) -> bool:
    return set((asked.esquema or {}).get("properties", {})) in _OF_WRITERS


@contextmanager
def escrita_lenta() -> Iterator[EscritaLenta]:
    """The service at a free port, until the end of the block."""
    escrita = EscritaLenta()
    with provedor_no_ar(escrita.provedor):
        try:
            yield escrita
        finally:
            escrita.escreve(1_000)
