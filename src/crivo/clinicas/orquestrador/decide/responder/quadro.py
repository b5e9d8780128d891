"""Who works where, told from the directory: `quais médicos vocês têm?`. No slot is asked for. Source: design, Planner (the directory)."""

from __future__ import annotations

from typing import Final

from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import intention
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.linguagem.formatos import enumerated

_LONGEST: Final = 1_200  # characters; the rest of a large network is counted


def decide_doctors(sentence: Frase, situacao: Situacao) -> Saida | None:
    """The doctors of every clinic; None where it is not what is asked: of a specialty or a clinic the slots are, which name its doctors."""
    named = any(read(sentence, situacao.dialogue).mencoes) or not situacao.contexto.directory
    if named or not intention("quadro").search(sentence.text):
        return None
    lines = [line for clinic in situacao.dialogue.registro if (line := _line(clinic.id, situacao))]
    shown = [line for index, line in enumerate(lines) if sum(map(len, lines[: index + 1])) <= _LONGEST] or lines[:1]
    more = [situacao.mensagens.say("quadro_mais", quantas=str(len(lines) - len(shown)))] if len(shown) < len(lines) else []
    return Saida(fala="\n".join((situacao.mensagens.say("quadro"), *shown, *more)), pendente=situacao.pendente)


def _line(clinic: str, situacao: Situacao) -> str:
    doctors = sorted(name for name, places in situacao.contexto.directory.items() if clinic in places)
    texts, specialty = situacao.mensagens, situacao.specialty_of(clinic)
    return f"{texts.clinic(clinic)}, {texts.specialty(specialty)}: {enumerated(doctors, texts.idioma)}." if doctors else ""
