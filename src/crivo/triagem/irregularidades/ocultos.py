"""Text that somebody kept from being seen, in documents and in the fields of a project. Source: design, Hidden or instructing text.

What files honestly hold unseen (properties, comments, deletions that were tracked) is told only where it speaks to whoever grades.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import TRUQUES_COMUNS, DocumentoLido, ProjetoLido, TrechoOculto, TruqueOculto
from crivo.triagem.edital import Projeto
from crivo.triagem.irregularidades.instrucoes import Lidas, fields_of, read_hidden

_NAMES: Final[Mapping[TruqueOculto, str]] = {
    "invisivel": "texto invisível",
    "sem_cor": "texto da cor do fundo",
    "minusculo": "texto pequeno demais para ler",
    "fora_da_pagina": "texto fora da página",
    "encoberto": "texto encoberto",
    "largura_zero": "caracteres sem largura",
    "vanish": "texto marcado como oculto",
    "apagado": "texto apagado que continua no arquivo",
    "metadado": "texto nas propriedades do arquivo",
    "cortado": "texto cortado pela borda da página",
}
_FEWEST_LETTERS: Final = 8  # of all that a document hides: less is a stray mark
_LONGEST_PASSAGE: Final = 400
_MOST_PASSAGES: Final = 10


def find_texto_oculto(lidos: Sequence[ProjetoLido]) -> tuple[Irregularidade, ...]:
    """The documents and fields that hide text: one sign for each, with what is hidden."""
    return tuple(sign for lido in lidos for sign in find_no_projeto(lido))


def find_no_projeto(lido: ProjetoLido, ocultas: Lidas | None = None) -> tuple[Irregularidade, ...]:
    """Those of one project, which depend on nothing else; `ocultas` where its hidden texts were read before."""
    return (*_in_fields(lido.projeto), *_in_documents(lido, read_hidden(lido) if ocultas is None else ocultas))


def _in_fields(projeto: Projeto) -> Iterator[Irregularidade]:
    found: dict[str, list[str]] = {}
    for campo, texto in fields_of(projeto):
        found.setdefault(campo, []).extend(split_unseen(texto)[1])
    for campo, unseen in found.items():
        if _letters("".join(unseen)) >= _FEWEST_LETTERS:
            evidencia = tuple(Evidencia(trecho=said[:_LONGEST_PASSAGE], projeto=projeto.id, campo=campo) for said in unseen)
            yield Irregularidade(
                tipo="texto_oculto",
                projetos=(projeto.id,),
                campo=campo,
                evidencia=evidencia[:_MOST_PASSAGES],
                achado=f"Um campo do projeto traz texto que não se vê: {_NAMES['largura_zero']}.",
            )


def _in_documents(lido: ProjetoLido, ocultas: Lidas) -> Iterator[Irregularidade]:
    for documento in lido.documentos:
        hidden = _told(documento, ocultas)
        if _letters("".join(trecho.texto for trecho in hidden)) >= _FEWEST_LETTERS:
            names = ", ".join(dict.fromkeys(_NAMES[trecho.truque] for trecho in hidden))
            yield Irregularidade(
                tipo="texto_oculto",
                projetos=(lido.projeto.id,),
                arquivo=documento.arquivo,
                evidencia=tuple(
                    Evidencia(
                        arquivo=documento.arquivo,
                        pagina=trecho.pagina,
                        trecho=trecho.texto[:_LONGEST_PASSAGE],
                        projeto=lido.projeto.id,
                    )
                    for trecho in hidden[:_MOST_PASSAGES]
                ),
                achado=f"O documento traz texto que não se vê: {names}.",
            )


def _told(documento: DocumentoLido, ocultas: Lidas) -> list[TrechoOculto]:
    """What a document hides on purpose, as far as that can be told, what speaks to whoever grades first."""
    told = [(bool(ocultas[trecho.texto]), trecho) for trecho in documento.ocultos]
    kept = [(speaks, trecho) for speaks, trecho in told if speaks or trecho.truque not in TRUQUES_COMUNS]
    return [trecho for _, trecho in sorted(kept, key=lambda item: not item[0])]


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
