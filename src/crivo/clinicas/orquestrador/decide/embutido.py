"""The embedded planner: code alone, no model. It runs without a key, and when the model is down."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma, Plan, Step
from crivo.clinicas.orquestrador.decide.decisoes import decide_message
from crivo.clinicas.orquestrador.decide.pessoas.nova_pessoa import shown_for_another, starts_anew
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao, situation_of, write_pending
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import spoken_for
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.kernel.linguagem.etiquetas import linear
from crivo.kernel.linguagem.folego import CPU_SECONDS, SemFolego, breath


class EmbeddedPlanner:
    """The planner behind `contracts.Planner` that runs on code alone."""

    def __init__(self, cpu_seconds: float = CPU_SECONDS) -> None:
        """`cpu_seconds`: the processor time that a plan may take."""
        self._cpu_seconds = cpu_seconds

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        """The plan of a turn, and the `pending` to remember for the next."""
        return plan(utterance, dialogue, self._cpu_seconds)


def plan(utterance: str, dialogue: Dialogue, cpu_seconds: float = CPU_SECONDS) -> tuple[Plan, dict[str, str]]:
    """The plan of a turn and what to remember; a plain question and nothing done where reading takes longer than it may."""
    idioma = language_of(utterance, dialogue.utterances)
    try:
        with breath(cpu_seconds):
            return plan_in(idioma, utterance, dialogue)
    except SemFolego:
        asked = Mensagens.of(idioma, dialogue).say("dificil_de_ler")
        return Plan(pergunta=asked, idioma=idioma), dict(dialogue.pending)


def plan_in(idioma: Idioma, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
    """The same, with what is said back in a language that is known already."""
    para = spoken_for(utterance, dialogue)
    others = shown_for_another(dialogue, para)
    dialogue = msgspec.structs.replace(starts_anew(dialogue, para), para=para)
    situacao = situation_of(dialogue, Mensagens.of(idioma, dialogue), de_outra=others)
    sentence = read_sentence(utterance)
    saidas = decide_message(sentence, situacao)
    return together(saidas, situacao)


def prepare(dialogue: Dialogue) -> None:
    """Compiles every expression of the lexicons and reads what was learned, so that the first person to speak does not wait for it."""
    linear()
    for utterance in ("quero marcar", "tem cardiologista dia 18 às 10h?", "muda a consulta da Dra. Fulana", "qual o primeiro paciente?"):
        plan(utterance, dialogue)


def together(saidas: list[Saida], situacao: Situacao) -> tuple[Plan, dict[str, str]]:
    """What the acts come to, as one plan: steps numbered on and none twice, questions and words one after the other."""
    steps: list[Step] = []
    for saida in saidas:
        steps += _numbered_on(saida.steps, steps)
    questions = dict.fromkeys(saida.pergunta for saida in saidas if saida.pergunta)
    if not steps and not questions and not any(saida.fala for saida in saidas):
        questions = {situacao.mensagens.say("nao_entendi"): None}
    words = dict.fromkeys(saida.fala for saida in saidas if saida.fala)
    refused = next((saida.recusa for saida in saidas if saida.recusa), None)
    asked = next((saida for saida in saidas if saida.pergunta), saidas[-1])
    remembered = (
        asked.pendente
        if asked.pendente != Pendente()
        else next((saida.pendente for saida in reversed(saidas) if saida.pendente != Pendente()), Pendente())
    )
    if remembered is situacao.pendente and remembered != Pendente():
        remembered = msgspec.structs.replace(remembered, perguntado=False)  # it is kept, and the reply is about something else
    return (
        Plan(
            tuple(steps),
            pergunta="\n".join(questions) or None,
            recusa=refused,
            fala="\n".join(words) or None,
            idioma=situacao.mensagens.idioma,
            buscas=tuple(dict.fromkeys(busca for saida in saidas for busca in saida.buscas)),
            mais=any(saida.mais for saida in saidas),
            ofertas=next((saida.ofertas for saida in saidas if saida.ofertas), ()),
        ),
        write_pending(remembered),
    )


def _numbered_on(steps: Iterable[Step], before: list[Step]) -> list[Step]:
    known = {_key(step) for step in before}
    shift = max((step.step_id for step in before), default=0)
    return [
        msgspec.structs.replace(step, step_id=step.step_id + shift, depends_on=tuple(one + shift for one in step.depends_on))
        for step in steps
        if _key(step) not in known
    ]


def _key(step: Step) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return step.clinic, step.action, tuple(sorted(step.parameters.items()))
