"""A model that holds a conversation with the clinics over HTTP: it lists, books the slot that was agreed with it, and words the answers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from atendimento_por_modelo import planning, reception_of, step
from provedor import Pedido

_DATA: Final = re.compile(r"<dado (\w+) ([^>\n]+)>\n(.*?)\n</dado \1>", re.DOTALL)
_PLANNER, _RESPONDER = "Você planeja os turnos", "Você é a recepção"


@dataclass
class Recepcao:
    """`escolhe` is the number of the slot that the next choice means, in whatever words it comes."""

    escolhe: int = 1

    def fields(self, pedido: Pedido) -> dict[str, Any]:
        """The fields of a good answer to one request, by the agent that asks."""
        dados = {rotulo: texto for _, rotulo, texto in _DATA.findall(pedido.texto)}
        if _PLANNER in pedido.texto:
            return self._plan(json.loads(dados["situação da conversa"]), dados["mensagem de agora"])
        if _RESPONDER in pedido.texto:
            (texto,) = dados.values()
            return reception_of(json.loads(texto))
        return {"safe": True}

    def _plan(self, situacao: dict[str, Any], dito: str) -> dict[str, Any]:
        if "quero um cardiologista" in dito.lower():
            return planning(step("clinic_a", "list_available_slots"), step("clinic_c", "list_available_slots"))
        wanted = situacao["horario_proposto"] or situacao["horarios_mostrados"][self.escolhe - 1]
        return planning(step(wanted["clinic"], "book_appointment", **{name: wanted[name] for name in ("doctor", "date", "time")}))
