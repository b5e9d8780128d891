"""Plans that a model proposed, recorded with what it was shown, against what today's check does of them.

A record's `dados` are the question as it was asked, from which the conversation is put together again as far as it was shown; `resposta` is
the plan, `leitura` what a person says of it (`honesta`), and empty where nobody read it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from bench.linhas import Linha, Meta, measured

from crivo.clinicas.avaliacao.ensaio import read_data
from crivo.clinicas.avaliacao.padrao import DADOS
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer, Paciente, Papel, Plan, Vitrine
from crivo.clinicas.orquestrador.decide import embutido
from crivo.clinicas.orquestrador.decide.confirmar import proposta
from crivo.clinicas.orquestrador.decide.decisao import Decidido, decide
from crivo.clinicas.orquestrador.decide.modelo.conferencia import faults
from crivo.clinicas.orquestrador.decide.modelo.memoria import remembered
from crivo.clinicas.orquestrador.decide.modelo.resposta import PlanoProposto, PlanoRaciocinado, Proposto, plan_of
from crivo.clinicas.orquestrador.decide.situacao import Pendente, write_pending
from crivo.clinicas.orquestrador.quem_pede import who_asks
from crivo.clinicas.protocol import Slot
from crivo.clinicas.registro import Registro
from crivo.kernel.clock import BRASILIA
from crivo.kernel.sujeitos import CONSOLE

GRAVADO: Final = Path(__file__).resolve().parents[3] / "shared/data/evals/modelo/planner.json"
ACEITOS: Final = Meta(">=", 0.97)
NENHUM: Final = Meta("<=", 0)
_QUEM: Final = Paciente("Carla Nogueira Pires", "529.982.247-25")
_NOW: Final = re.compile(r"^Agora: (\d{4}-\d\d-\d\d \d\d:\d\d),", re.MULTILINE)
_ROLE: Final = re.compile(r"^Quem fala: (paciente|operador)\.", re.MULTILINE)

Destino = Literal["aceito", "do_codigo", "recusado"]


class Conferido(msgspec.Struct, frozen=True):
    """What came of one recorded plan, and of the turn.

    `do_codigo` tells that code answers the message and no model is asked. `dito` is what the model would be told, empty where nothing;
    `ato` tells that the turn does or proposes a change though an honest plan had none.
    """

    mensagem: str
    destino: Destino
    achados: tuple[str, ...]
    dito: str
    ato: bool


class Contagem(msgspec.Struct, frozen=True):
    """A recorded file, counted; `por_achado` are the findings of those that were refused."""

    lidos: int
    ilegiveis: int
    aceitos: int
    do_codigo: int
    recusados: int
    ditos: int
    atos_a_mais: int
    por_achado: dict[str, int]
    recusas: tuple[Conferido, ...]


def pontuar(gravado: Sequence[Mapping[str, Any]]) -> Contagem:
    """The counts of a recorded file; a record whose question was not kept as it was asked is `ilegivel`."""
    registro = read_data(DADOS).registro
    conferidos = [one for one in (conferir(record, registro) for record in gravado) if one is not None]
    refused = tuple(one for one in conferidos if one.destino == "recusado")
    return Contagem(
        lidos=len(conferidos),
        ilegiveis=len(gravado) - len(conferidos),
        aceitos=sum(one.destino == "aceito" for one in conferidos),
        do_codigo=sum(one.destino == "do_codigo" for one in conferidos),
        recusados=len(refused),
        ditos=sum(bool(one.dito) for one in conferidos),
        atos_a_mais=sum(one.ato for one in conferidos),
        por_achado=dict(Counter(achado for one in refused for achado in dict.fromkeys(one.achados))),
        recusas=refused,
    )


def conferir(record: Mapping[str, Any], registro: Registro) -> Conferido | None:
    """What today's check does of one recorded plan; None where the question was not kept."""
    given = record["dados"]
    if not isinstance(given, str):
        return None
    utterance, dialogue = _message(given), _dialogue(given, registro)
    proposed = _proposed(record["resposta"])
    decided = asyncio.run(decide(_Gravado(proposed), "modelo", utterance, dialogue))
    destino: Destino = "aceito" if decided.autor == "modelo" else "recusado" if decided.falha else "do_codigo"
    plan = plan_of(proposed, utterance, dialogue)
    told = faults(plan, embutido.plan(utterance, dialogue), utterance, dialogue) if destino != "do_codigo" else None
    honest = record.get("leitura") == "honesta" and not any(step.changes for step in plan.steps)
    achados = tuple(one.achado for one in decided.achados)
    return Conferido(utterance, destino, achados, told or "", ato=honest and _acts(decided, dialogue))


def rows() -> Iterator[Linha]:
    """The rows of the recorded half, where it is at hand."""
    if not GRAVADO.exists():
        return
    counted = pontuar(json.loads(GRAVADO.read_bytes()))
    asked = counted.aceitos + counted.recusados
    why = ", ".join(f"{name} {times}" for name, times in sorted(counted.por_achado.items())) or "nenhum"
    nota = f"Os mesmos diálogos, a conferência de hoje. Recusados: {why}; {counted.do_codigo} mensagens o código responde sozinho."
    yield measured("planos gravados de um modelo: aceitos", "planos", counted.aceitos, asked, meta=ACEITOS, execucoes=asked, nota=nota)
    yield measured(
        "planos gravados: mudança feita ou proposta que ninguém pediu",
        "turnos",
        counted.atos_a_mais,
        counted.lidos,
        meta=NENHUM,
        execucoes=counted.lidos,
        nota="De planos que uma pessoa leu como honestos e que não mudam nada.",
    )


class _Gravado:
    """Plans what was recorded."""

    def __init__(self, proposto: Proposto) -> None:
        self._proposto = proposto

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        """As the port says."""
        plan = plan_of(self._proposto, utterance, dialogue)
        return plan, remembered(plan, utterance, dialogue)


def _proposed(resposta: Mapping[str, Any]) -> Proposto:
    if "raciocinio" in resposta:
        return msgspec.convert(resposta, PlanoRaciocinado)
    return msgspec.convert(resposta, PlanoProposto)


def _acts(decided: Decidido, dialogue: Dialogue) -> bool:
    """Whether a turn changes something, or asks whether to: what waits for a yes is kept in `pending`."""
    new = decided.pending.keys() - dialogue.pending.keys()
    return any(step.changes for step in decided.plan.steps) or proposta.KEY in new


def _message(dados: str) -> str:
    return _given(dados, "mensagem de agora")


def _dialogue(dados: str, registro: Registro) -> Dialogue:
    """The conversation as far as the question shows it; who works where with or without what they practise."""
    state = json.loads(_given(dados, "situação da conversa"))
    told: dict[str, Any] = json.loads(_given(dados, "quem trabalha onde"))
    doctors = {name: tuple(one if isinstance(one, list) else one["clinics"]) for name, one in told.items()}
    now, role = _NOW.search(dados), _ROLE.search(dados)
    papel: Papel = "operador" if role is not None and role[1] == "operador" else "paciente"
    offers = tuple(_offer(one) for one in state["horarios_mostrados"])
    proposed = state["horario_proposto"]
    pending = write_pending(Pendente(state["assunto_em_aberto"], proposta=_offer(proposed) if proposed else None))
    return Dialogue(
        datetime.strptime(now[1] if now else "", "%Y-%m-%d %H:%M").replace(tzinfo=BRASILIA),
        registro,
        papel,
        doctors,
        offers,
        tuple(
            Booking(one["clinic"], one["doctor"], one["date"], one["time"], one.get("specialty", ""))
            for one in state["consultas_da_pessoa"]
        ),
        tuple(state["mensagens_anteriores"]),
        pending,
        _QUEM,
        vitrine=Vitrine(offers, offers),
        quem=who_asks("local", papel, CONSOLE, "52998224725"),
    )


def _offer(one: Mapping[str, str]) -> Offer:
    return Offer(one["clinic"], Slot(one["doctor"], one["specialty"], one["date"], one["time"], available=True))


def _given(dados: str, rotulo: str) -> str:
    found = re.search(rf"<dado [^>]*{re.escape(rotulo)}>\n(.*?)\n</dado", dados, re.DOTALL)
    if found is None:
        message = f"a pergunta gravada não tem {rotulo}"
        raise ValueError(message)
    return found[1]
