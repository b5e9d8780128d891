"""Reused text, sentence by sentence, with the passages side by side. Source: design, Irregularidades ("Reused text").

A project's score against another is the share of its words, in any one of its texts, that stand in sentences which the other has too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada
from crivo.triagem.irregularidades.acervo import Numeros, ProjetoPassado, gather
from crivo.triagem.irregularidades.coincidencias import Reuse, reuses
from crivo.triagem.irregularidades.escrita import counted, percent_pt
from crivo.triagem.irregularidades.frases import Frase, texts_of
from crivo.triagem.irregularidades.identidade import proponente_of

_SHOWN: Final = 12  # passages


def past_of(edital_id: str, lido: ProjetoLido) -> ProjetoPassado:
    """What later editais are compared with."""
    frases = tuple(frase.texto for text in texts_of(lido) for frase in text)
    return ProjetoPassado(edital_id, lido.projeto.id, frases, proponente_of(lido.projeto))


def find_texto_reutilizado(
    chamada: Chamada, lidos: Sequence[ProjetoLido], passados: Sequence[ProjetoPassado] = ()
) -> tuple[Irregularidade, ...]:
    """A sign for each two projects of which one has at least 30% of its text in common with the other, the largest share first.

    `valor` is that share; against a past edital the finding names the one project, and its evidence the other as `edital/projeto`.
    """
    acervo = gather(chamada, lidos, passados)
    if acervo is None:
        return ()
    grupos = _groups([*(proponente_of(lido.projeto) for lido in lidos), *(passado.proponente for passado in passados)])
    strongest: dict[tuple[int, int], Reuse] = {}
    for reuse in reuses(acervo, grupos, len(lidos)):
        pair = (min(reuse.projeto, reuse.outro), max(reuse.projeto, reuse.outro))
        if pair not in strongest or reuse.parte > strongest[pair].parte:
            strongest[pair] = reuse
    names = [*(lido.projeto.id for lido in lidos), *(f"{passado.edital_id}/{passado.projeto_id}" for passado in passados)]
    ranked = sorted(strongest.items(), key=lambda item: (-item[1].parte, item[0]))
    return tuple(_sign(reuse, names, acervo.frases, len(lidos)) for _, reuse in ranked)


def _groups(proponentes: Sequence[str]) -> Numeros:
    """A number for each proponente; one who is not known is nobody else."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(who or f"({at})", len(numbers)) for at, who in enumerate(proponentes)], np.int32)


def _sign(reuse: Reuse, names: Sequence[str], frases: Sequence[Frase], total: int) -> Irregularidade:
    projetos = tuple(names[number] for number in sorted((reuse.projeto, reuse.outro)) if number < total)
    where = "no outro" if reuse.outro < total else f"no projeto {names[reuse.outro]}, de um edital passado,"
    said = counted(len(reuse.trechos), "trecho", "trechos")
    return Irregularidade(
        tipo="texto_reutilizado",
        projetos=projetos,
        valor=round(reuse.parte, 4),
        evidencia=tuple(_side_by_side(reuse, names, frases)),
        achado=f"{percent_pt(100 * reuse.parte)} do texto do projeto {names[reuse.projeto]} está {where} com as mesmas palavras, "
        f"ou quase, em {said}. Compare os trechos lado a lado antes de concluir.",
    )


def _side_by_side(reuse: Reuse, names: Sequence[str], frases: Sequence[Frase]) -> Iterator[Evidencia]:
    """The passages most alike, in the order of the text."""
    shown = sorted(sorted(reuse.trechos, key=lambda trecho: -trecho[2])[:_SHOWN])
    for par, (one, other, cosseno) in enumerate(shown, 1):
        for projeto, at in ((reuse.projeto, one), (reuse.outro, other)):
            frase = frases[at]
            yield Evidencia(
                arquivo=frase.arquivo,
                pagina=frase.pagina,
                trecho=frase.texto,
                projeto=names[projeto],
                campo=frase.campo,
                par=par,
                semelhanca=round(min(cosseno, 1.0), 4),
            )
