"""What a conversation does after an alarm, until it is told to be none or to be taken care of. Source: design, "Nobody is harmed"."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma, TipoDeEmergencia, Value
from crivo.clinicas.orquestrador.emergencia.alarme import Alarme, find_alarme, has_no_sign, margin
from crivo.clinicas.orquestrador.emergencia.depois import (
    Cuidado,
    Quem,
    asks_where,
    cared_for,
    falas,
    is_afraid,
    is_bare_yes,
    only_goes_on,
    tells_of_self_harm,
    who_is_ill,
)
from crivo.clinicas.orquestrador.emergencia.resposta import (
    after_alarm,
    answer,
    cannot_wait,
    desmentido,
    in_care,
    is_calm_request,
    is_desmentido,
    is_distressed,
    is_unanswered,
)

_IN_DOUBT: Final = 1.0  # a margin of the weights; told so, wounds of one's own are answered by who listens, and the wish goes on


class Sobreaviso(Value, frozen=True):
    """That an alarm was raised, of which kind, and who is ill.

    `calmo` once something was asked calmly since; `repetido` once help was told again; `cuidado` is what was told to take the hurry away:
    from then on distress alone is heard.
    """

    tipo: TipoDeEmergencia
    calmo: bool = False
    quem: Quem = "nao_se_sabe"
    cuidado: Cuidado | None = None
    repetido: bool = False

    @property
    def stands(self) -> bool:
        """Whether minutes count and nobody has said that it is none, nor that it is taken care of."""
        return self.cuidado is None and cannot_wait(self.tipo)

    def calmed(self) -> Sobreaviso:
        """The same after a calm request."""
        return msgspec.structs.replace(self, calmo=True)

    def reminder(self, idioma: Idioma) -> str:
        """The line that stands before what is answered to a calm request; empty where none is due."""
        return "" if self.cuidado or (self.calmo and not self.stands) else after_alarm(self.tipo, "lembrete", idioma, self.quem)

    def again(self, idioma: Idioma) -> str:
        """Where help is, once more."""
        return after_alarm(self.tipo, "ainda", idioma, self.quem)

    def instead(self, idioma: Idioma) -> str:
        """What is said where the turn understood nothing, or would only send to a doctor; empty where the turn's own answer does."""
        if self.cuidado:
            return falas().sigo[idioma]
        return self.again(idioma) if self.stands or (self.repetido and not self.calmo) else ""


def alarmed_by(tipo: TipoDeEmergencia, text: str) -> Sobreaviso:
    """The alarm that a model raises of a message."""
    return Sobreaviso(tipo, quem=who_is_ill(text))


class Socorro(Value, frozen=True):
    """What is said to a message because of an emergency; `tipo` is None where help is not told again.

    `aviso` is what is remembered from then on, `recado` what the reception hears. `segue` where the message asks for something besides,
    which is answered after; `quebra` is False where nothing that was asked before is dropped. `certo`: both readings heard it.
    """

    fala: str
    tipo: TipoDeEmergencia | None
    aviso: Sobreaviso | None = None
    recado: Literal["emergencia", "desmentida"] | None = None
    segue: bool = False
    quebra: bool = True
    certo: bool = False


def hear(text: str, before: Sobreaviso | None, idioma: Idioma, *, follows: bool = True) -> Socorro | None:
    """What is said to a message that sounds like an emergency or comes after one; None where it goes on as usual.

    `follows` is False where a message that raises no alarm itself is meant for somebody else.
    """
    alarme = find_alarme(text)
    if before is None:
        if alarme is not None and not _is_told_calmly(text, alarme):
            return _raised(text, alarme, None, idioma)
        return _beside_no_alarm(text, idioma) if follows else None
    if only_goes_on(text):
        alarme = None
    settled = _settled(text, alarme, before, idioma, follows=follows)
    if settled is not None:
        return settled
    if alarme is not None and not (follows and _is_still_the_same(text, alarme)):
        return _raised(text, alarme, before, idioma)
    if not follows or not _asks_for_help(text, before):
        return None
    tipo = alarme.tipo if alarme is not None and alarme.origem == "lexico" else before.tipo
    fala = after_alarm(tipo, "nao_atende" if is_unanswered(text) else "ainda", idioma, before.quem)
    said = f"{fala} {falas().medo[idioma]}" if is_afraid(text) else fala
    return Socorro(said, tipo, Sobreaviso(tipo, quem=before.quem, repetido=not is_distressed(text)), "emergencia")


def _is_told_calmly(text: str, alarme: Alarme) -> bool:
    """Whether wounds of one's own are told of, no rule hears that they are wished for, and the weights alone are in doubt."""
    return (
        alarme.origem == "aprendido" and alarme.tipo in {"suicidio", "violencia"} and tells_of_self_harm(text) and margin(text) < _IN_DOUBT
    )


def _beside_no_alarm(text: str, idioma: Idioma) -> Socorro | None:
    """What is said to a message that raises no alarm: whom to call when one may come, and who listens to whoever once hurt themselves."""
    if asks_where(text):
        return Socorro(falas().onde[idioma], None, quebra=False)
    return Socorro(falas().acolhida[idioma], None, segue=True, quebra=False) if tells_of_self_harm(text) else None


def _raised(text: str, alarme: Alarme, before: Sobreaviso | None, idioma: Idioma) -> Socorro:
    """An alarm, and who is ill by this message, else by the one before."""
    told = who_is_ill(text)
    quem = before.quem if before is not None and told == "nao_se_sabe" else told
    return Socorro(answer(alarme.tipo, idioma), alarme.tipo, Sobreaviso(alarme.tipo, quem=quem), "emergencia", certo=alarme.certo)


def _settled(text: str, alarme: Alarme | None, before: Sobreaviso, idioma: Idioma, *, follows: bool) -> Socorro | None:
    """What is said where an alarm is told to be none, or to be taken care of; a message that raises one in so many words is neither."""
    if alarme is not None and (alarme.origem == "lexico" or not follows):
        return None
    if is_unanswered(text):
        return None
    asks = is_calm_request(text)
    if is_desmentido(text):
        return Socorro(desmentido(idioma, before.tipo), None, None, "desmentida", segue=asks)
    cuidado = cared_for(text) if follows and not is_distressed(text) else None
    if cuidado is None or cuidado == before.cuidado:
        return None
    aviso = Sobreaviso(before.tipo, quem=before.quem, cuidado=cuidado)
    return Socorro(in_care(before.tipo, cuidado, idioma, before.quem), None, aviso, segue=asks)


def _asks_for_help(text: str, before: Sobreaviso) -> bool:
    """Whether a message after an alarm is answered by where help is: anything but a calm request, and later distress alone."""
    if before.cuidado:
        return is_distressed(text) or is_unanswered(text)
    if before.stands and is_bare_yes(text):
        return True
    if before.calmo:
        return is_distressed(text)
    return not (is_calm_request(text) or (before.repetido and _goes_on_plainly(text)))


def _goes_on_plainly(text: str) -> bool:
    """Whether a message has no sign of anything in it, asks for no help, and is more than a yes: an alarm that was a mistake is left so."""
    return has_no_sign(text) and not (is_distressed(text) or is_unanswered(text) or is_afraid(text) or is_bare_yes(text))


def _is_still_the_same(text: str, alarme: Alarme) -> bool:
    """Whether a message that sounds like an alarm only asks for help with the one before: `e agora?`, `o samu não atende`."""
    return is_unanswered(text) or (alarme.origem == "aprendido" and is_distressed(text))
