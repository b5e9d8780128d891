"""The answers to questions about clinics: what the registry says of them, and who knows what it does not say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from crivo.clinicas.orquestrador.contracts import Idioma
from crivo.clinicas.orquestrador.decide.responder.informacoes import LEXICO, Textos
from crivo.clinicas.orquestrador.linguagem.formatos import enumerated
from crivo.clinicas.registro import Clinica
from crivo.kernel.linguagem.fala import fold

MOST_CLINICS: Final = 8
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "endereco": ("endereco",),
    "como_chegar": ("como_chegar",),
    "telefone": ("telefone",),
    "horario": ("horario_de_atendimento",),
    "preco": ("preco_particular", "valores"),
    "pagamento": ("valores",),
    "estacionamento": ("estacionamento",),
    "acessibilidade": ("acessibilidade",),
    "outras": ("observacoes",),
}


class Respostas:
    """The answers in one language about some clinics; `pergunta` is the folded question, `ramos` the branches that it speaks of."""

    def __init__(self, idioma: Idioma, clinicas: tuple[Clinica, ...], pergunta: str, ramos: tuple[str, ...]) -> None:
        self._idioma: Idioma = idioma
        self._texts: Textos = LEXICO.textos[idioma]
        self._clinicas = clinicas
        self._pergunta = pergunta
        self._ramos = ramos
        self.complete = True

    def about(self, assunto: str) -> Iterable[str]:
        """What is said of one subject, a line for each thing; `complete` is False once something was not known."""
        lacking: list[Clinica] = []
        facts: dict[str, list[Clinica]] = {}
        for clinica in self._clinicas:
            fact = self._fact(assunto, clinica)
            if fact:
                facts.setdefault(fact, []).append(clinica)
            if not fact or assunto == "outras" or (assunto == "como_chegar" and not clinica.como_chegar):
                lacking.append(clinica)  # what was asked is not known, whatever stands near it
        for fact, clinicas in facts.items():
            yield fact.replace("{clinicas}", enumerated((one.nome for one in clinicas), self._idioma))
        if lacking:
            yield from self._unknown(assunto, tuple(lacking), some=bool(facts))

    def _fact(self, assunto: str, clinica: Clinica) -> str:
        """What the registry says of a subject, the clinics' names left open; empty where it says nothing."""
        if assunto == "convenios":
            return self._plans(clinica)
        if assunto == "preparo":
            value = self._preparation(clinica)
        else:
            value = "; ".join(text for field in _FIELDS[assunto] if (text := getattr(clinica, field).strip().rstrip(".")))
        if not value and assunto == "como_chegar" and clinica.endereco:
            return self._texts.fato["endereco"].replace("{valor}", clinica.endereco.strip().rstrip("."))
        return self._texts.fato[assunto].replace("{valor}", value) if value else ""

    def _plans(self, clinica: Clinica) -> str:
        asked = [plano for plano in clinica.convenios if f" {fold(plano)} " in f" {self._pergunta} "]
        if asked:
            return self._texts.convenio_sim.replace("{plano}", enumerated(asked, self._idioma))
        return self._texts.fato["convenios"].replace("{valor}", enumerated(clinica.convenios, self._idioma)) if clinica.convenios else ""

    def _preparation(self, clinica: Clinica) -> str:
        """How to prepare: for what was spoken of, where the registry tells it apart, else for each."""
        if isinstance(clinica.preparo, str):
            return clinica.preparo.strip().rstrip(".")
        wanted = [text for name, text in clinica.preparo.items() if fold(name) in {fold(ramo) for ramo in self._ramos}]
        found = wanted or [f"{name}: {text}" for name, text in clinica.preparo.items()]
        return "; ".join(text.strip().rstrip(".") for text in found)

    def _unknown(self, assunto: str, clinicas: tuple[Clinica, ...], *, some: bool) -> Iterable[str]:
        """That something is not known here, and whom to ask."""
        self.complete = False
        what = self._texts.o_que[assunto]
        if len(clinicas) == 1 or (some and len(clinicas) < len(self._clinicas)):
            yield self._texts.nao_sei_de.format(o_que=what, clinicas=enumerated((one.nome for one in clinicas), self._idioma))
        else:
            yield self._texts.nao_sei.format(o_que=what)
        reached = [one for one in clinicas if one.telefone]
        if reached and assunto != "telefone":
            contacts = "; ".join(self._texts.contato.format(clinica=one.nome, telefone=one.telefone) for one in reached)
            yield self._texts.recepcao_sabe.format(contatos=contacts)
        else:
            yield self._confirm(assunto, clinicas)

    def _confirm(self, assunto: str, clinicas: tuple[Clinica, ...]) -> str:
        """Whom to ask where no telephone is known: that it is not, and where the clinic is, if that is known."""
        one = clinicas[0] if len(clinicas) == 1 else None
        who = self._texts.confirme.format(clinicas=self._of(clinicas)) if one else self._texts.confirme_da_clinica
        address = one.endereco.strip().rstrip(".") if one and assunto not in {"endereco", "como_chegar"} else ""
        where = self._texts.fica_em.format(endereco=address) if address else ""
        told = (self._texts.sem_telefone, where) if assunto == "telefone" else (who, where or self._texts.sem_telefone)
        return " ".join(part for part in told if part)

    def _of(self, clinicas: tuple[Clinica, ...]) -> str:
        """Clinics after a noun: `da Clínica A e do Hospital B`."""
        if self._idioma != "pt":
            return enumerated((one.nome for one in clinicas), self._idioma)
        return enumerated((f"{LEXICO.prefixos.get(fold(one.nome).split()[0], 'de')} {one.nome}" for one in clinicas), self._idioma)


def place_of(clinica: Clinica | None, idioma: Idioma) -> str:
    """Where a clinic is and its telephone, in one line for a receipt; empty where neither is known."""
    if clinica is None or not (clinica.endereco or clinica.telefone):
        return ""
    texts = LEXICO.textos[idioma]
    known = [clinica.endereco.strip().rstrip("."), texts.no_telefone.format(telefone=clinica.telefone) if clinica.telefone else ""]
    return texts.onde.format(clinica=clinica.nome, onde=", ".join(one for one in known if one))
