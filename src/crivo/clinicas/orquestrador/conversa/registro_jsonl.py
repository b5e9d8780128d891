"""The log of turns, `logs/pipeline_YYYYMMDD.jsonl`: what was planned, called and judged, without personal data. Source: blueprint 5.6.

Of what people write only length and a keyed hash are kept; of parameters only their names. A folder that cannot be written stops nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Step
from crivo.clinicas.orquestrador.trace import Trace
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.logs import logger
from crivo.kernel.storage.locks import make_closed

_HASH_DIGITS: Final = 32


class PipelineLog:
    """Appends a line for each turn; `key` makes the hashes useless to whoever has only the file."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._key = key
        self._is_told = False

    def write(self, sessao: str, numero: int, now: datetime, utterance: str, dialogue: Dialogue, trace: Trace) -> None:
        """Append a turn."""
        line = msgspec.json.encode(self.line(sessao, numero, now, utterance, dialogue, trace)) + b"\n"
        try:
            make_closed(self._folder.absolute())
            with open(self._folder / f"pipeline_{now:%Y%m%d}.jsonl", "ab", opener=_for_its_owner) as file:
                file.write(line)
        except OSError as error:
            if not self._is_told:
                logger.warning("registro_da_conversa_indisponivel", exc_info=error)
            self._is_told = True

    def line(self, sessao: str, numero: int, now: datetime, utterance: str, dialogue: Dialogue, trace: Trace) -> dict[str, Any]:
        """A turn as it is logged."""
        plan = trace.plan
        return {
            "em": now.isoformat(),
            "sessao": sessao,
            "turno": numero,
            "papel": dialogue.papel,
            "paciente": self._hash(digits_of(dialogue.paciente.cpf)) if dialogue.paciente else None,
            "fala": {"caracteres": len(utterance), "hash": self._hash(utterance)},
            "planner": {
                "passos": [_step(step) for step in plan.steps],
                "pergunta": plan.pergunta is not None,
                "recusa": plan.recusa,
                "emergencia": plan.emergencia,
                "idioma": plan.idioma,
                "achados": [report.achado for report in trace.achados],
                "autor": trace.planejador,
            },
            "router": list(trace.calls),
            "respostas": [
                {
                    "clinic": reply.clinic,
                    "action": reply.action,
                    "result": reply.result is not None,
                    "code": reply.error and reply.error.code,
                }
                for reply in trace.replies
            ],
            "verifier": [
                {
                    "momento": judged.momento,
                    "autor": judged.autor,
                    "juiz": judged.juiz,
                    "safe": judged.verdict.safe,
                    "regras": judged.verdict.regras,
                }
                for judged in trace.verdicts
            ],
            "falhas_do_modelo": [{"agente": failed.agente, "falha": failed.falha} for failed in trace.falhas],
            "texto": {"caracteres": len(trace.texto), "autor": trace.autor},
            "ms": trace.ms,
        }

    def _hash(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()[:_HASH_DIGITS]


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _step(step: Step) -> dict[str, Any]:
    return {"step_id": step.step_id, "clinic": step.clinic, "action": step.action, "parameters": sorted(step.parameters)}
