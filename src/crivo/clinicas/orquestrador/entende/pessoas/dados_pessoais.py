"""What a message tells of the speaker and of nothing that is wished for: figures of documents, and the speaker's own name."""

from __future__ import annotations

import re

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.entende.frase import Frase, blanked
from crivo.clinicas.orquestrador.entende.pessoas.identificadores import spans
from crivo.kernel.linguagem.fala import fold


def without_personal(sentence: Frase, dialogue: Dialogue) -> Frase:
    """The sentence without CPFs, phones and the like, and without the speaker's name in full: they choose no slot and no doctor."""
    for start, end in spans(Page(sentence.text)):
        sentence = blanked(sentence, start, end)
    speaker = dialogue.paciente
    if speaker is None or " " not in speaker.nome:
        return sentence
    named = re.search(rf"(?<!dr )(?<!dr\. )(?<!dra )(?<!dra\. )\b{re.escape(fold(speaker.nome))}\b", sentence.text)
    return blanked(sentence, *named.span()) if named else sentence
