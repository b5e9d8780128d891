"""Whom a conversation serves, as it is asked and told: the first request waits until that is known, and an own CPF may be put right.

A CPF that is put right is as typed as the one before it, and proves nothing; one that an account proved is no conversation's to change.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente, Value
from crivo.clinicas.orquestrador.decide.pessoas.cpf_proprio import Correcao, read_correction
from crivo.clinicas.orquestrador.decide.responder.informacoes import find_question
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, people_words, vocabulary
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.pessoas.identidade import (
    AS_A_CPF,
    CPF_RUIM,
    PEDE_NOME,
    Identificacao,
    find_person,
    identify,
    is_full_name,
    read_cpf,
    read_name,
)
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.kernel.linguagem.identificadores import masked_cpf

_NOTED: Final = {
    "nome": "Anotei o seu pedido, e cuido dele em seguida. Antes, qual é o seu nome completo?",
    "cpf": "Anotei o seu pedido, e cuido dele em seguida. Antes, preciso do seu CPF: quais são os onze números?",
}
_RIGHT_ONE: Final = "Certo, e nada foi feito. Qual é o CPF correto? Se o que já tenho está certo, é só dizer."
_STAYS: Final = "Certo, fica o CPF que eu já tinha. O que você precisa?"
_SAME: Final = "É esse mesmo o CPF que tenho aqui. O que você precisa?"
_PUT_RIGHT: Final = "Certo, {nome}: o CPF desta conversa agora é {cpf}."
_STANDS: Final = "O que já foi marcado não muda, e só o código de cada consulta mexe nela:\n{lista}"
_WHAT_NEXT: Final = "O que você precisa?"
_THANKS: Final = "Obrigado, {nome}."


class Ouvida(Value, frozen=True):
    """What an answer about who is speaking came to: who it is, once that is known, what is said, and what was asked before that."""

    paciente: Paciente | None = None
    fala: str = ""
    pedido: str = ""
    corrigido: bool = False


class Apresentada(Value, frozen=True):
    """How far it has come who is served: what is missing, what was asked before that, and whether a CPF is being put right."""

    falta: Identificacao | None = None
    pedido: str = ""
    corrige: bool = False


class Apresentacao:
    """What is asked of who a conversation serves, and what waits for the answer."""

    def __init__(self, ate_aqui: Apresentada) -> None:
        """`ate_aqui.falta` is what is to be asked first; None where it is known who is served."""
        self._falta, self._pedido, self._corrige = ate_aqui.falta, ate_aqui.pedido, ate_aqui.corrige

    @property
    def ate_aqui(self) -> Apresentada:
        """How far it has come."""
        return Apresentada(self._falta, self._pedido, self._corrige)

    @property
    def falta(self) -> Identificacao | None:
        """What is missing; None where nothing is."""
        return self._falta

    def ask(self, falta: Identificacao, pedido: str = "") -> None:
        """Something is to be told of who is served before a request is done."""
        self._falta, self._pedido, self._corrige = falta, pedido, False

    def is_told_by(self, said: str) -> bool:
        """Whether a message tells anything of what is missing."""
        return self._falta is not None and identify(self._falta, said)[0] != self._falta

    def says_who(self, said: str) -> bool:
        """Whether a message is about who is served: a CPF, or a name where one is missing."""
        return read_cpf(said) is not None or (self._falta is not None and is_full_name(said))

    def hear(self, said: str, dialogue: Dialogue) -> Ouvida | None:
        """What a message tells of who is served; None where nothing of that is missing, nor put right by it."""
        if self._falta is None:
            wrong = _wrong_one(said, dialogue)
            return None if wrong is None else self._put_right(wrong, dialogue)
        if self._corrige:
            return self._right_one(said, dialogue)
        wishes = bool(self._pedido) and read_name(said) is not None and _is_no_name(said)  # `amanhã cedo`
        known, answer = (self._falta, "") if wishes else identify(self._falta, said)
        if known.paciente is None:
            asked = not self._falta.de_outra and known == self._falta and self._keeps(said, dialogue)
            greets = known == self._falta and known.falta == "nome" and intention("saudar").search(read_sentence(said).text)
            fala = _NOTED[known.falta] if asked else PEDE_NOME if greets else answer
            self._falta = known
            return Ouvida(fala=fala)
        beside = find_person(said) if self._falta.falta == "nome" and not self._falta.de_outra else None
        if beside is not None:
            self._keeps(beside.resto, dialogue)
        self._falta, pedido, self._pedido = None, self._pedido, ""
        thanks = _THANKS.format(nome=known.paciente.nome.split()[0])
        return Ouvida(known.paciente, thanks if pedido and not known.de_outra else "" if pedido else answer, pedido)

    def _keeps(self, said: str, dialogue: Dialogue) -> bool:
        """Whether a message asks for anything, which is kept: with what was asked before, unless it names anew whom or what it is for."""
        message = read(said, dialogue)
        acts = message.atos
        asks = bool(acts) or find_question(message, holds=False) is not None
        if not asks or (read_name(said) is not None and not _is_no_name(said)):
            return False
        anew = not acts or any(act.leitura.criterios.has_scope or act.has_verb for act in acts)
        self._pedido = said if anew or not self._pedido else f"{self._pedido}\n{said}"
        return True

    def _put_right(self, wrong: Correcao, dialogue: Dialogue) -> Ouvida:
        """The CPF put right where the right one is told; asked for where it is not."""
        own = dialogue.paciente
        if own is None or wrong.cpf == (read_cpf(own.cpf) or own.cpf):
            return Ouvida(fala=_SAME)
        if not wrong.cpf:
            self.ask(Identificacao(own.nome, "cpf"))
            self._corrige = True
            return Ouvida(fala=CPF_RUIM if wrong.figuras else _RIGHT_ONE)
        self._falta, self._corrige = None, False
        asked = read(wrong.resto, dialogue).atos
        return Ouvida(Paciente(own.nome, wrong.cpf), _told(own.nome, wrong.cpf, dialogue), wrong.resto if asked else "", corrigido=True)

    def _right_one(self, said: str, dialogue: Dialogue) -> Ouvida:
        """What comes of an answer to which CPF is the right one; nothing is done for the wrong one meanwhile."""
        cpf, text = read_cpf(said), read_sentence(said).text
        if cpf is not None:
            found = self._put_right(Correcao(cpf), dialogue)
            self._falta, self._corrige, pedido, self._pedido = None, False, self._pedido, ""
            return msgspec.structs.replace(found, pedido=pedido)
        if intention("dispensar").search(text) or accord("cpf_estava_certo").search(text):
            self._falta, self._corrige, self._pedido = None, False, ""
            return Ouvida(fala=_STAYS)
        if AS_A_CPF.search(said):
            return Ouvida(fala=CPF_RUIM)
        return Ouvida(fala=_NOTED["cpf"] if self._keeps(said, dialogue) else _RIGHT_ONE)


def identity_of(ouvida: Ouvida, dialogue: Dialogue) -> Dialogue:
    """The dialogue of a CPF that was put right: nothing that was proven, booked or asked under the one before is known in it."""
    return msgspec.structs.replace(dialogue, paciente=ouvida.paciente, bookings=(), pending={}, feito=None, para=None, pessoas=())


def _is_no_name(said: str) -> bool:
    """Whether all that is said is of what is asked for here, and written as no name."""
    words = read_sentence(said).words
    return not is_full_name(said) and all(one.text in vocabulary() and one.text not in people_words("prenomes") for one in words)


def _wrong_one(said: str, dialogue: Dialogue) -> Correcao | None:
    """The own CPF called wrong in a conversation in which it was only typed."""
    return None if dialogue.provado else read_correction(said, dialogue)


def _told(nome: str, cpf: str, dialogue: Dialogue) -> str:
    texts = Mensagens.of("pt", dialogue)
    stands = _STANDS.format(lista=texts.bookings(dialogue.bookings)) if dialogue.bookings else ""
    return "\n".join(one for one in (_PUT_RIGHT.format(nome=nome.split()[0], cpf=masked_cpf(cpf)), stands) if one)


def with_question(ouvida: Ouvida) -> str:
    """What is said where nothing waited for the answer."""
    return f"{ouvida.fala} {_WHAT_NEXT}" if ouvida.corrigido and "\n" not in ouvida.fala else ouvida.fala
