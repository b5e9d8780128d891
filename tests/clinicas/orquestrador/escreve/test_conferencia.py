"""What a model's words as the reception are held to, and that it is told all of it in words that it can follow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crivo.clinicas.orquestrador import confere
from crivo.clinicas.orquestrador.confere import alegacoes
from crivo.clinicas.orquestrador.confere.alegacoes import ASSUNTOS
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Idioma, Offer
from crivo.clinicas.orquestrador.entende.selecao import Grupo, Selecao
from crivo.clinicas.orquestrador.escreve.conferencia import CONSELHOS, MAIS_CEDO, Encomenda, Laudo, examine
from crivo.clinicas.orquestrador.preferencias import Busca
from crivo.clinicas.protocol import Slot
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.clock import BRASILIA

NOW = datetime(2025, 7, 16, 8, tzinfo=BRASILIA)
FIRST = Offer("clinic_a", Slot("Dr. Cláudio Serpa", "Cardiologia", "2025-07-17", "09:00"))
SECOND = Offer("clinic_c", Slot("Dra. Kátia Bueno", "Cardiologia", "2025-07-17", "17:30"))
LATER = Offer("clinic_a", Slot("Dr. Cláudio Serpa", "Cardiologia", "2025-07-24", "09:00"))
LINES = "1) 17/07 às 09:00, Dr. Cláudio Serpa, Clínica A (o mais cedo)\n2) 17/07 às 17:30, Dra. Kátia Bueno, Clínica C"
TOLD: dict[Idioma, str] = {
    "pt": "Sua consulta com a Dra. Kátia Bueno está marcada para 17/07, às 17:30, na Clínica C.",
    "en": "You're booked with Dra. Kátia Bueno on July 17 at 17:30, at Clínica C.",
    "es": "Su cita con la Dra. Kátia Bueno quedó reservada para el 17/07 a las 17:30, en la Clínica C.",
}


def listing(*offers: Offer, mais: int = 0, fora: int = 0, continua: bool = False, said: str = "quero um cardiologista") -> Encomenda:
    replies = tuple(
        ClinicReply(clinic, "list_available_slots", {"specialty": "Cardiology", "available_slots": slots, "note": ""})
        for clinic, slots in by_clinic(offers).items()
    )
    grupo = Grupo(Busca(), offers, len(offers) + mais, mais, fora)
    return Encomenda(said, "pt", replies, Selecao((grupo,), offers, continua), Dialogue(NOW, REGISTRO_PADRAO))


def by_clinic(offers: tuple[Offer, ...]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for one in offers:
        slot = {"doctor": one.slot.doctor, "specialty": one.slot.specialty, "date": one.slot.date, "time": one.slot.time, "available": True}
        found.setdefault(one.clinic, []).append(slot)
    return found


def booked(message: str = "Consulta agendada com sucesso.", idioma: Idioma = "pt", said: str = "a 2") -> Encomenda:
    held = {"doctor": "Dra. Kátia Bueno", "date": "2025-07-17", "time": "17:30", "specialty": "Cardiology"}
    reply = ClinicReply("clinic_c", "book_appointment", {"appointment": held, "message": message, "status": "confirmed"})
    return Encomenda(said, idioma, (reply,), Selecao(), Dialogue(NOW, REGISTRO_PADRAO))


def why(laudo: Laudo) -> list[str]:
    return [achado.motivo for achado in laudo.achados]


def test_every_fault_is_told_at_once_with_its_words_and_what_may_be_said() -> None:
    """Issue "With a real model": faults are told once, R1 to R4 too."""
    texto = f"{LINES.replace(' (o mais cedo)', '')}\nTome dipirona 500 mg até lá. Não há taxa para remarcar."
    told = examine(texto, listing(FIRST, SECOND, fora=5)).reclamacao
    assert told is not None
    assert 'A linha 1 precisa dizer que é "o mais cedo".' in told
    assert "há mais 5 horários" in told
    assert "«Tome dipirona 500 mg até lá.»: cita um medicamento que não está nos dados (R1); não fale de remédio." in told
    assert "«Não há taxa para remarcar.»: fala, sem dado que sustente, de cobrança, preço ou pagamento (R4)" in told


def test_an_honest_text_has_nothing_to_be_told() -> None:
    laudo = examine(
        f"Bom dia! Estes são os horários:\n{LINES}\nHá mais 5, fora do que pediu. Qual prefere?", listing(FIRST, SECOND, fora=5)
    )
    assert (laudo.passa, laudo.reclamacao, laudo.verdict.safe) == (True, None, True)


def test_the_prompt_names_every_matter_of_the_check_and_how_the_earliest_is_marked() -> None:
    prompt = load_prompt("crivo.clinicas", "responder.md").texto
    assert [assunto.nome for assunto in ASSUNTOS if f"- {assunto.nome}" not in prompt] == []
    assert [words for words in MAIS_CEDO.values() if f'"{words}"' not in prompt] == []


def test_every_reason_why_a_text_may_not_be_said_comes_with_what_may() -> None:
    assert {motivo for motivo in reasons() if motivo not in CONSELHOS} == set()


def reasons() -> Iterator[str]:
    """Every reason that a rule yields, and each kind of personal data as R2 words it."""
    for path in Path(confere.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            values = (
                node.value.elts if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple) else [getattr(node, "value", None)]
            )
            if isinstance(node, ast.Yield):
                yield from (one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str))
    yield alegacoes.STRANGE


@pytest.mark.parametrize(
    ("encomenda", "needed"),
    [
        (listing(FIRST, SECOND), True),
        (listing(FIRST, SECOND, continua=True), False),
        (listing(FIRST, LATER), False),
        (listing(FIRST), False),
    ],
    ids=["two clinics", "goes on", "one clinic", "one slot"],
)
def test_the_earliest_is_marked_where_clinics_are_told_together(encomenda: Encomenda, *, needed: bool) -> None:
    """Blueprint 2.3.3, rule 9."""
    lines = [
        f"{number}) {one.slot.date[8:]}/07 às {one.slot.time}, {one.slot.doctor}, "
        for number, one in enumerate(encomenda.selecao.ofertas, 1)
    ]
    clinics = ["Clínica A" if one.clinic == "clinic_a" else "Clínica C" for one in encomenda.selecao.ofertas]
    laudo = examine("\n".join(line + clinic for line, clinic in zip(lines, clinics, strict=True)), encomenda)
    assert laudo.forma == (('A linha 1 precisa dizer que é "o mais cedo".',) if needed else ())


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("Há mais 5 fora do que você pediu.", True),
        ("Além desses, outros 5 não cabem no pedido.", True),
        ("Em outros dias há mais 5.", True),
        ("Há mais 5 horários iguais a esses.", False),
        ("Não há outros.", False),
    ],
)
def test_what_does_not_fit_is_told_as_such(words: str, *, right: bool) -> None:
    assert (not examine(f"{LINES}\n{words}", listing(FIRST, SECOND, fora=5)).forma) == right


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("Além desses, outros 7 cabem e 5 ficam fora.", True),
        ("Outros 7 atendem ao pedido; 5, não.", True),
        ("Fora do pedido há 5, e 7 se encaixam.", True),
        ("Há outros 7 que não cabem e 5 que cabem.", False),
        ("Outros 7 ficam fora do pedido e 5 também não cabem.", False),
    ],
)
def test_each_number_is_told_with_what_it_is_of(words: str, *, right: bool) -> None:
    assert (not examine(f"{LINES}\n{words}", listing(FIRST, SECOND, mais=7, fora=5)).forma) == right


@pytest.mark.parametrize(
    ("idioma", "words"),
    [
        ("pt", "O outro horário continua guardado para você."),
        ("pt", "Não há cobrança."),
        ("pt", "Aceitamos o seu convênio."),
        ("pt", "Vou mandar um lembrete por WhatsApp."),
        ("pt", "Chegue 15 minutos antes."),
        ("pt", "Ela é a melhor da cidade."),
        ("pt", "Já avisei a médica."),
        ("pt", "Costuma haver desistência."),
        ("pt", "A clínica fica perto do metrô."),
        ("pt", "A consulta dura meia hora."),
        ("pt", "É melhor não adiar com esses sintomas."),
        ("pt", "A tolerância é de dez minutos."),
        ("pt", "Ela se formou na USP."),
        ("pt", "Vi no seu cadastro a última consulta."),
        ("pt", "O restante da sua agenda segue como estava."),
        ("pt", "A médica já sabe do seu caso."),
        ("pt", "Mudou porque a doutora vai viajar."),
        ("pt", "Falta só a clínica aprovar."),
        ("pt", "As duas clínicas ficam pertinho."),
        ("pt", "Se você se arrepender, devolvo o horário."),
        ("pt", "Continue com o remédio até lá."),
        ("pt", "Isso é bem comum."),
        ("pt", "Pode cancelar até a véspera."),
        ("en", "Once the doctor approves, it is final."),
        ("en", "The doctor asked for the change."),
        ("es", "Siga con su remedio hasta la cita."),
        ("es", "La doctora pidió el cambio."),
        ("en", "We'll text you a reminder the day before."),
        ("en", "There's no fee to cancel."),
        ("en", "Please arrive fifteen minutes early."),
        ("es", "Le enviaremos un recordatorio."),
        ("es", "Llegue diez minutos antes."),
    ],
)
def test_what_needs_a_fact_is_not_said_without_one(idioma: Idioma, words: str) -> None:
    assert examine(TOLD[idioma], booked(idioma=idioma)).passa
    assert "R4" in examine(f"{TOLD[idioma]} {words}", booked(idioma=idioma)).verdict.regras


@pytest.mark.parametrize("words", ["Isso se resolve num instante.", "O acerto é feito no balcão.", "A entrada é pela lateral do shopping."])
def test_a_sentence_of_no_kind_that_a_reception_writes_is_held_though_no_word_gives_it_away(words: str) -> None:
    assert why(examine(f"{TOLD['pt']} {words}", booked())) == [alegacoes.STRANGE]


@pytest.mark.parametrize(
    "words",
    [
        "Sobre a multa, não tenho essa informação.",
        "Não sei dizer se aceitam o seu convênio.",
        "Confirme o preço com a clínica, por favor.",
        "Melhoras!",
        "Não sei quem retira verruga.",
        "Já aviso que é de manhã.",
        "Isso é com a cardiologia.",
        "A Dra. Kátia Bueno espera você.",
        "Não marquei de manhã porque você não pode.",
        "Qualquer coisa, é só chamar.",
        "Se precisar remarcar, me avise.",
    ],
)
def test_what_is_not_known_may_be_said_and_so_may_courtesies(words: str) -> None:
    assert examine(f"{TOLD['pt']} {words}", booked(said="a 2, e tem multa se eu desmarcar?")).reclamacao is None


def test_not_knowing_does_not_cover_what_follows_it() -> None:
    assert not examine(f"{TOLD['pt']} Não tenho essa informação, mas não há multa.", booked()).passa


def test_what_a_clinic_said_may_be_repeated() -> None:
    words = "Recado da clínica: chegue 15 minutos antes, com um documento."
    assert not examine(f"{TOLD['pt']} {words}", booked()).passa
    assert examine(f"{TOLD['pt']} {words}", booked("Recado da clínica: chegue 15 minutos antes com um documento.")).passa


@pytest.mark.parametrize(
    ("texto", "idioma"),
    [("Booked: Dra. Kátia Bueno, July 17, 17:30, Clínica C.", "en"), ("¡Listo! Dra. Kátia Bueno, 17/07, 17:30, Clínica C.", "es")],
)
def test_a_text_too_short_to_tell_its_language_is_in_the_right_one(texto: str, idioma: Idioma) -> None:
    assert examine(texto, booked(idioma=idioma)).forma == ()
    assert examine(TOLD["pt"], booked(idioma=idioma)).forma != ()


@pytest.mark.parametrize(
    ("before", "after", "held"),
    [
        ("Achei 2 horários, entre 8h e 18h:", "", False),
        ("Achei 2 horários, das 8h às 18h:", "", False),
        ("Achei 2 horários, entre 10h e 16h:", "", True),
        ("A clínica funciona entre 8h e 18h.", "", True),
        ("", "¿Le marco el 1?", False),
        ("", "¿Le marco el 3?", True),
        ("", "¿Le marco el día 1?", True),
    ],
)
def test_a_span_that_holds_what_is_shown_and_a_number_of_the_list_tell_of_no_slot(before: str, after: str, *, held: bool) -> None:
    assert bool(why(examine(f"{before}\n{LINES}\n{after}".strip(), listing(FIRST, SECOND)))) == held


@pytest.mark.parametrize(("time", "held"), [("09:00", False), ("17:30", True)])
def test_a_numbered_line_is_one_slot_whatever_marks_part_it(time: str, *, held: bool) -> None:
    lines = f"1) 17/07, {time}. Dr. Cláudio Serpa, Cardiologia. Clínica A. É o mais cedo.\n2) 17/07, 17:30. Dra. Kátia Bueno. Clínica C."
    assert (not examine(lines, listing(FIRST, SECOND)).passa) == held


@pytest.mark.parametrize(
    ("said", "words", "held"),
    [
        ("17h30 pra mim e 10h pra ele", "A das 10h para ele ainda não foi marcada.", False),
        ("17h30 pra mim e 10h pra ele", "Não consegui marcar a das 10h.", True),
        ("a das 17h30", "A das 10h ainda não foi marcada.", True),
        ("17h30 pra mim e 10h pra ele", "A das 17h30 ainda não foi marcada.", True),
        ("a 2", "Foi a única marcação feita agora.", False),
        ("a 2", "Foi a única vaga que sobrou do convênio.", True),
        ("com o horário da firma fica difícil, a 2", "Entendo, com o horário da firma fica apertado mesmo.", False),
        ("com o horário da firma fica difícil, a 2", "Entendo, a firma entra às vezes em recesso geral de inverno.", True),
    ],
)
def test_what_is_not_done_yet_the_only_act_and_sympathy_are_told_as_they_are(said: str, words: str, *, held: bool) -> None:
    assert (not examine(f"{TOLD['pt']} {words}", booked(said=said)).passa) == held


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("É o Dr. Zeferino Paz, da Hipertensão, lá na Clínica C.", False),
        ("O Dr. Zeferino Paz é de Hipertensão e atende na Clínica C.", False),
        ("De pressão alta é só esse.", False),
        ("Você está com hipertensão.", True),
        ("Isso é hipertensão.", True),
        ("De pressão alta a sua mãe sofre também.", True),
    ],
)
def test_a_specialty_that_is_named_like_an_illness_is_no_diagnosis_of_a_doctor(words: str, *, held: bool) -> None:
    offer = Offer("clinic_c", Slot("Dr. Zeferino Paz", "Hipertensão", "2025-07-21", "14:30"))
    texto = f"{words}\n1) 21/07 às 14:30, Dr. Zeferino Paz, Clínica C"
    assert (not examine(texto, listing(offer, said="tem médico de pressão alta?")).passa) == held


@pytest.mark.parametrize(("words", "held"), [("listed under", False), ("trained in", True)])
def test_the_doctors_of_a_list_may_be_told_by_its_specialty(words: str, *, held: bool) -> None:
    assert (
        alegacoes.SPEAKS_OF in "".join(why(examine(f"These are the doctors {words} Cardiologia:\n{LINES}", listing(FIRST, SECOND))))
    ) == held


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("Sua consulta passou das 10:00 para as 11:00 do dia 25/07.", False),
        ("Sua consulta passou das 11:00 para as 10:00 do dia 25/07.", True),
        ("Su cita pasó de las 10:00 a las 11:00 del 25/07.", False),
        ("Su cita pasó de las 11:00 a las 10:00 del 25/07.", True),
        ("Your appointment moved from 11:00 to 10:00 on July 25.", True),
    ],
)
def test_a_change_is_told_from_the_old_moment_to_the_new(words: str, *, held: bool) -> None:
    old, new = (
        {"doctor": "Dra. Gisele Pontes", "date": "2025-07-25", "time": time, "specialty": "Dermatology"} for time in ("10:00", "11:00")
    )
    moved = {"original_appointment": old, "new_appointment": new, "message": "Consulta reagendada.", "status": "rescheduled"}
    encomenda = msgspec.structs.replace(booked(said="sim"), replies=(ClinicReply("clinic_b", "reschedule_appointment", moved),))
    assert bool(why(examine(f"{words} Dra. Gisele Pontes, Clínica B.", encomenda))) == held


def test_an_empty_text_is_told_as_such() -> None:
    assert examine("  ", booked()).reclamacao is not None
