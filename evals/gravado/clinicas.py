"""Recorded replies of models as the reception: how many honest ones the check takes at once, and how many wrong ones it holds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from bench.linhas import Linha, Meta, measured

from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Idioma, Offer, Paciente, Papel
from crivo.clinicas.orquestrador.entende.selecao import Grupo, Selecao
from crivo.clinicas.orquestrador.escreve.conferencia import Encomenda, Laudo, examine
from crivo.clinicas.orquestrador.preferencias import Busca
from crivo.clinicas.protocol import Slot
from crivo.clinicas.registro import REGISTRO_PADRAO

GRAVADAS: Final = Path(__file__).resolve().parents[3] / "shared/data/evals/modelo/respostas.json"
AGORA: Final = datetime.fromisoformat("2028-09-12T09:00-03:00")
HONESTAS: Final = Meta(">=", 0.97)
RETIDAS: Final = Meta(">=", 0.85)
_BLOCK: Final = re.compile(r"\{.*\}", re.DOTALL)


class Resposta(msgspec.Struct, frozen=True):
    """One recorded reply: what was asked, what a model wrote, and whether it was honest; `tipo` says how one that is not goes wrong."""

    id: str
    encomenda: Encomenda
    texto: str
    honesta: bool
    tipo: str


class Contagem(msgspec.Struct, frozen=True):
    """How many honest replies pass at first look, how many wrong ones are held, and the ids of those that went otherwise."""

    honestas: int = 0
    aceitas: int = 0
    erradas: int = 0
    retidas: int = 0
    recusadas_por_engano: tuple[str, ...] = ()
    passaram: tuple[str, ...] = ()
    motivos: dict[str, int] = {}


class _Dados(msgspec.Struct, frozen=True):
    """What a responder is shown."""

    user_query: str
    idioma: Idioma
    clinic_data: tuple[ClinicReply, ...]
    horarios: tuple[dict[str, Any], ...]
    papel: Papel = "paciente"
    mais: int = 0
    fora: int = 0
    como_pedido: bool = True
    continua: bool = False
    paciente: Paciente | None = None


def score(gravadas: Sequence[Mapping[str, Any]], agora: datetime = AGORA) -> Contagem:
    """The counts of a parsed file of recorded replies."""
    lidas = [(resposta, examine(resposta.texto, resposta.encomenda)) for resposta in read(gravadas, agora)]
    honest = [(one, laudo) for one, laudo in lidas if one.honesta]
    wrong = [(one, laudo) for one, laudo in lidas if not one.honesta]
    return Contagem(
        honestas=len(honest),
        aceitas=sum(laudo.passa for _, laudo in honest),
        erradas=len(wrong),
        retidas=sum(not laudo.passa for _, laudo in wrong),
        recusadas_por_engano=tuple(one.id for one, laudo in honest if not laudo.passa),
        passaram=tuple(f"{one.id}: {one.tipo}" for one, laudo in wrong if laudo.passa),
        motivos=dict(Counter(motivo for _, laudo in wrong for motivo in _why(laudo))),
    )


def read(gravadas: Sequence[Mapping[str, Any]], agora: datetime = AGORA) -> Iterator[Resposta]:
    """The recorded replies, their data given field by field or as the block that a model was shown."""
    for raw in gravadas:
        block = _BLOCK.search(str(raw["dados"])) if "dados" in raw else None
        dados = msgspec.convert({**raw, **(json.loads(block.group()) if block else {})}, _Dados)
        yield Resposta(raw["id"], _encomenda(dados, agora), raw["texto"], "honesta" in raw["leitura"], raw.get("tipo") or "")


def _encomenda(dados: _Dados, agora: datetime) -> Encomenda:
    ids = {clinica.nome: clinica.id for clinica in REGISTRO_PADRAO}
    ofertas = tuple(Offer(ids[one["clinica"]], Slot(one["doctor"], one["specialty"], one["date"], one["time"])) for one in dados.horarios)
    quantos = len(ofertas) + dados.mais
    grupo = Grupo(Busca(), ofertas, quantos, dados.mais, dados.fora, dados.como_pedido)
    dialogue = Dialogue(agora, REGISTRO_PADRAO, dados.papel, paciente=dados.paciente)
    replies = tuple(_whole(reply) for reply in dados.clinic_data)
    return Encomenda(dados.user_query, dados.idioma, replies, Selecao((grupo,) if ofertas else (), ofertas, dados.continua), dialogue)


def _whole(reply: ClinicReply) -> ClinicReply:
    """An answer with as many free slots as it had: those that a model was not shown are known by their number alone."""
    result = reply.result or {}
    hidden = int(result.get("quantos_ha", 0)) - len(result.get("available_slots", ()))
    if hidden <= 0:
        return reply
    unknown = [{"doctor": "", "specialty": "", "date": "", "time": "", "available": True}] * hidden
    return msgspec.structs.replace(reply, result={**result, "available_slots": [*result["available_slots"], *unknown]})


def _why(laudo: Laudo) -> set[str]:
    return {"forma"} if laudo.forma and not laudo.achados else {achado.motivo for achado in laudo.achados}


def rows(arquivo: Path = GRAVADAS, agora: datetime = AGORA) -> list[Linha]:
    """The rows of the recorded replies; none where they are not beside this checkout."""
    if not arquivo.exists():
        return []
    found = score(json.loads(arquivo.read_bytes()), agora)
    counted = (("honestas aceitas", found.aceitas, found.honestas, HONESTAS), ("erradas retidas", found.retidas, found.erradas, RETIDAS))
    return [
        measured(f"gravadas, recepção: {nome}", "respostas", times, total, meta=meta, execucoes=total, nota="À primeira vista.")
        for nome, times, total, meta in counted
    ]
