"""How a conversation comes to know what somebody holds: by who they are, where that was proven, and by the codes that they tell."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

import msgspec

from crivo.clinicas.codigos_ditos import Dito
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma, Value
from crivo.clinicas.orquestrador.conversa.consultas import FRESH, Achadas, asked_for_held, find_by_code, find_held, with_all_held, with_held
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import related
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.pessoa import whom_to_call
from crivo.clinicas.orquestrador.provas import MOST_WRONG_CODES, Chaveiro, Chaves
from crivo.clinicas.orquestrador.trace import Tell, Trace
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.identificadores import digits_of

# Said of the appointment that is proven, and not of the slots that are free.
_OF_THEIRS: Final = re.compile(
    r"\b(?:tenho (?:uma |a )?consulta|minha consulta|que horas?|(?:qual(?: e)?|saber|ver|confirmar) o horario"
    r"|i have an appointment|my appointment|what time|tengo (?:una |la )?cita|mi cita)\b"
)


class Conferida(Value, frozen=True):
    """What came of a code: the dialogue after it, and what is to be answered as if it had been said, or `fala` where it fits nothing."""

    dialogue: Dialogue
    texto: str = ""
    fala: str = ""


class Comprovada(Value, frozen=True):
    """What a conversation was proved so far: its codes, what waits for a proof, and when it was last looked for what each CPF holds."""

    chaves: Chaves
    espera: str = ""
    vistas: dict[str, datetime] = msgspec.field(default_factory=dict)


class Comprovacao:
    """What one conversation was proved, and what waits for a proof."""

    def __init__(self, router: Router, ate_aqui: Comprovada | None = None) -> None:
        before = ate_aqui or Comprovada(Chaves(router.new_secret()))
        self.chaveiro = Chaveiro(before.chaves)
        self._router = router
        self._waiting = before.espera
        self._looked = dict(before.vistas)

    @property
    def ate_aqui(self) -> Comprovada:
        """What was proved so far."""
        return Comprovada(self.chaveiro.chaves, self._waiting, dict(self._looked))

    def forget(self) -> None:
        """Look for what is held anew before anything else is said."""
        self._looked.clear()

    def forget_all(self) -> None:
        """Nothing that was proved or waited for a proof is known any more; what was tried in vain counts still."""
        self.forget()
        self._waiting = ""
        self.chaveiro.forget()

    async def known(self, dialogue: Dialogue, tell: Tell) -> tuple[Dialogue, Achadas]:
        """The dialogue with all that its patient holds, where who asks may know it; asked again after a while."""
        paciente = dialogue.paciente
        if paciente is None or not dialogue.quem.may("clinicas.ver_consultas", digits_of(paciente.cpf)):
            return dialogue, Achadas()
        looked = self._looked.get(paciente.cpf)
        if looked is not None and dialogue.now - looked < FRESH:
            return dialogue, Achadas()
        found = await find_held(self._router, dialogue.quem, paciente, tell)
        if not found.faltam:
            self._looked[paciente.cpf] = dialogue.now
        return with_all_held(dialogue, found), found

    def note(self, said: str, trace: Trace) -> None:
        """What was said waits for a proof, or nothing does any more."""
        self._waiting = said if trace.plan.prova else ""

    async def check(self, told: Dito, dialogue: Dialogue, tell: Tell) -> Conferida:
        """Look for the appointment of a code that was told; after five that fit nothing, for none but those that were known."""
        idioma = language_of(told.resto or self._waiting, dialogue.utterances)
        texts = Mensagens.of(idioma, dialogue)
        phones = whom_to_call(idioma, dialogue.registro)
        known = self.chaveiro.has_had(told.codigo)
        if not told.codigo:
            return Conferida(dialogue, fala=texts.say("codigo_incompleto"))
        if len(self.chaveiro.wrong) >= MOST_WRONG_CODES and not known:
            return Conferida(dialogue, fala=f"{texts.say('codigo_fechado')} {phones}".rstrip())
        found = await find_by_code(self._router, dialogue, told.codigo, self.chaveiro, tell)
        if found.descansam and not found.consultas:
            return Conferida(dialogue, fala=f"{texts.say('codigo_em_descanso')} {phones}".rstrip())
        if found.faltam and not found.consultas:
            return Conferida(dialogue, fala=texts.say("codigo_sem_resposta"))
        if not found.consultas:
            if not known:
                self.chaveiro.wrong.add(told.codigo)
            closed = len(self.chaveiro.wrong) >= MOST_WRONG_CODES
            return Conferida(dialogue, fala=f"{texts.say('codigo_fechado')} {phones}".rstrip() if closed else texts.say("codigo_errado"))
        proven = [one for one in found.consultas if one.alheia] or found.consultas
        for one in proven:
            self.chaveiro.keep(one.vaga, told.codigo)
        sentence = read_sentence(f"{told.resto}\n{self._waiting}")
        quem = related(sentence, 0, len(sentence.text)) or texts.say("de_alguem")
        named = [msgspec.structs.replace(one, para=quem, quem=quem) if one.alheia else one for one in found.consultas]
        return Conferida(with_held(dialogue, named), self._meant(told.resto, dialogue, idioma))

    def _meant(self, rest: str, dialogue: Dialogue, idioma: Idioma) -> str:
        """What is answered once a code fits: what was said beside it, else what waited for it, else which appointment it is."""
        acts = {act.tipo for act in read(rest, dialogue).atos}
        if acts == {"listar"} and _OF_THEIRS.search(fold(rest)):
            return asked_for_held(idioma)
        return rest if acts else self._waiting or asked_for_held(idioma)
