"""What a preview of notas says, in words."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from crivo.triagem.palavras import count, number
from crivo.triagem.planilha.previa import NotaMudada, PreviaDeNotas


def summary(previa: PreviaDeNotas) -> Iterator[str]:
    """The counts, a sentence for each thing that there is."""
    if not previa.muda:
        yield "Nada mudaria: tudo o que está na planilha já está aqui." if previa.linhas > previa.em_branco else "A planilha não traz nada."
    if previa.notas_novas or previa.notas_mudadas:
        of = f"de {count(previa.projetos, 'projeto', 'projetos')}, por {count(previa.pessoas, 'pessoa', 'pessoas')}"
        new, changed = count(previa.notas_novas, "nota nova", "notas novas"), count(previa.notas_mudadas, "muda", "mudam")
        yield f"Notas: {new}, {changed} e {count(previa.notas_iguais, 'fica igual', 'ficam iguais')}; {of}."
    if previa.decisoes_novas or previa.decisoes_mudadas:
        new, changed = count(previa.decisoes_novas, "nova", "novas"), count(previa.decisoes_mudadas, "muda", "mudam")
        yield f"Habilitações: {new}, {changed} e {count(previa.decisoes_iguais, 'fica igual', 'ficam iguais')}."
    if previa.pessoas_novas:
        yield f"Passa a avaliar este edital: {', '.join(previa.pessoas_novas)}."
    if previa.em_branco:
        yield f"{count(previa.em_branco, 'linha em branco foi deixada de lado', 'linhas em branco foram deixadas de lado')}."


def said(nota: Decimal) -> str:
    """A nota with two places."""
    return number(nota, 2)


def antes_said(one: NotaMudada) -> str:
    """What stood, and that it was a draft."""
    was = "—" if one.antes is None else said(one.antes)
    return f"{was} (rascunho)" if one.rascunho else f"{was} (muda o parecer)" if one.antes == one.agora else was
