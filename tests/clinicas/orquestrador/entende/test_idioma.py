"""The language a message is answered in. Source: design, "In the person's language"."""

from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.entende.idioma import language_of

PORTUGUESE = """to infartando|tô bem|to passando muito mal|to com dor|tô sozinha|to sem ar|tô|e agora?|o que eu faço??|o samu não atende
sim|não|ok|pode ser|quero marcar|qual o primeiro|me corto|eu me corto|tem vaga?|to aqui, pode falar|me ajuda|marcou?|quais tenho?
to indo já|tá bom|valeu|segunda de tarde|dia 14|boa noite|kkkk to rindo|o segundo|Dr. Fernando|socorro|to no limite"""
ENGLISH = """kill myself|I want to die|what do I do|what do I have booked?|hello|thanks|my father can't speak|nobody answers
I am alone|book the first one|cancel my appointment|he is not breathing|tomorrow morning|please help me now|I can't go on living"""
SPANISH = """no quiero vivir más|qué hago|quiero morir|hola|gracias|mi padre no puede hablar|nadie contesta|estoy sola|¿y ahora?
me quiero matar|necesito una cita|el lunes por favor|me duele el pecho|mañana no puedo|¿tienen cardiólogo?"""


def said(lines: str) -> list[str]:
    return [one for line in lines.splitlines() for one in line.split("|")]


@pytest.mark.parametrize("text", said(PORTUGUESE))
def test_short_portuguese_is_portuguese_whatever_a_word_of_it_is_elsewhere(text: str) -> None:
    assert language_of(text) == "pt"


@pytest.mark.parametrize("text", said(ENGLISH))
def test_short_english_is_english_even_after_portuguese(text: str) -> None:
    assert language_of(text, ("oi, quero marcar uma consulta",)) == "en"


@pytest.mark.parametrize("text", said(SPANISH))
def test_short_spanish_is_spanish_even_after_portuguese(text: str) -> None:
    assert language_of(text, ("oi, quero marcar uma consulta",)) == "es"


def test_a_number_keeps_the_language_of_the_talk() -> None:
    assert language_of("2", ("I want a cardiologist",)) == "en"
    assert language_of("2", ("quiero una cita",)) == "es"
