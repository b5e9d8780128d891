"""Questions about a clinic's patients: ids and conditions, and a record for the operator alone. Source: blueprint 2.4."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import Criterios
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.pessoas.fichas import find_records
from crivo.clinicas.orquestrador.passos import find_patients, read_record
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.fala import fold

_PATIENTS: Final = re.compile(r"\b(?:pacientes|patients|paciente com)\b")
_ASKS: Final = re.compile(
    r"\b(?:list\w*|lista|mostr\w*|quais|qual|quantos|quantas|ver|exib\w*|traga|bus[cq]\w*|procur\w*|pesquis\w*|"
    r"consult\w*|encontr\w*|ha|tem|existe\w*|filtr\w*|show|find|search|which|how many|list|busca|muestr\w*|hay)\b"
)
_WHO_HAS: Final = re.compile(
    r"^\W*(?:quem|who)\s+(?:tem|sofre de|has)\s+(?!.*\b(?:horarios?|vagas?|agenda|disponi\w+|consultas?|slots?|openings?|appointments?)\b)"
    r"(?=[a-z]{4,})(?!mais\b|marcad|alg)"
)
_FURTHER: Final = re.compile(
    r"^\W*(?:e|and|y)\s+(?:(?:os|as|the|los|quem|quais|dos|das|those)\s+)?(?:que\s+)?(?:com|tem|with|have|con|tienen)\s+"
)


def decide_patients(sentence: Frase, situacao: Situacao, acts: list[Ato]) -> Saida | None:
    """The steps of a question about patients; None where it is none."""
    if situacao.dialogue.papel == "operador":
        record = _record(sentence, situacao)
        if record:
            return record
    further = _FURTHER.match(sentence.text) if situacao.pendente.assunto == "pacientes" else None
    if further:
        return _looked_up(sentence, further.end(), situacao.pendente.criterios.clinicas, situacao)
    who_has = _WHO_HAS.search(sentence.text) if situacao.dialogue.papel == "operador" else None
    if who_has:
        return _looked_up(sentence, who_has.end(), _clinics_told(sentence, situacao), situacao)
    asks = _ASKS.search(sentence.text) or (situacao.dialogue.papel == "operador" and _PATIENTS.match(sentence.text))
    if not (_PATIENTS.search(sentence.text) and asks) or any(act.tipo in {"cancelar", "mudar", "marcar"} for act in acts):
        return None
    match = _borders(situacao.dialogue.registro)[0].search(sentence.text)
    return _looked_up(sentence, match.end() if match else None, _clinics_told(sentence, situacao), situacao)


def _clinics_told(sentence: Frase, situacao: Situacao) -> tuple[str, ...]:
    """The clinics that are named, else those of the specialties named, else every one."""
    criterios = read(sentence, situacao.dialogue).leitura.criterios
    clinics = criterios.clinicas or tuple(one for name in criterios.especialidades for one in situacao.clinics_of(name))
    return clinics or tuple(clinica.id for clinica in situacao.dialogue.registro)


def _looked_up(sentence: Frase, at: int | None, clinics: tuple[str, ...], situacao: Situacao) -> Saida:
    """The patients of those clinics, or those with the condition that begins at `at`; one more condition may be asked in the next turn."""
    condition = _condition(sentence, at, situacao.dialogue.registro) if at is not None else ""
    steps = tuple(find_patients(clinic, index, condition) for index, clinic in enumerate(clinics, 1))
    return Saida(steps=steps, pendente=Pendente("pacientes", Criterios(clinicas=clinics)))


_STEM: Final = 4


@lru_cache(maxsize=8)
def _borders(registro: Registro) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What leads to a condition, and what ends it; the registry's specialties, by their first letters, tell where and not of what."""
    stems = "|".join(dict.fromkeys(re.escape(fold(clinica.especialidade)[:_STEM]) for clinica in registro)) or "-"
    leads = re.compile(
        r"\b(?:pacientes?|patients?)\b(?:\s+\w+){0,4}?\s+(?:que\s+|who\s+)?(?:tem|tenham|possuem|com|with|have|con|portador\w*\s+de|"
        rf"diagnosticad\w*\s+com|de(?!\s+(?:{stems})))\s+(?:a\s+|o\s+|um\s+|uma\s+)?(?!clinica)"
    )
    ends = re.compile(rf"\s+(?:n?[ao]s?\s+)?(?:clinicas?|clinics?|unidade|[nd]a\s+(?:{stems})\w*|em\s+|at\s+|in\s+|por favor)|[?.!,;]|$")
    return leads, ends


def _condition(sentence: Frase, at: int, registro: Registro) -> str:
    """The condition that patients are looked up by, as it was written."""
    stop = _borders(registro)[1].search(sentence.text, at)
    return " ".join(word.original for word in sentence.words_in(at, stop.start() if stop else len(sentence.text)))


def _record(sentence: Frase, situacao: Situacao) -> Saida | None:
    records = [one for one in find_records(sentence.text, situacao.dialogue.registro) if one.clinic]
    steps = [read_record(one.clinic, one.patient_id, index) for index, one in enumerate(records, 1)]
    if steps:
        return Saida(steps=tuple(steps))
    if re.search(r"\b(?:prontuario|ficha|cadastro|registro|record|dados) (?:completo |completa )?d[aeo]s? ", sentence.text):
        return Saida(pergunta=situacao.mensagens.say("de_quem"))
    return None
