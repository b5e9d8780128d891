"""What a screening points at in the documents of a project: each finding with its verdict, the words of the edital, and its quote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.achados import Autor, Evidencia, Irregularidade, ItemHabilitacao, NotaSugerida
from crivo.triagem.edital import Criterio
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.paginas import Apontado
from crivo.triagem.palavras import MOTIVO, number, shown, situation_of
from crivo.web.pages.triagem.palavras import unveiled

Origem = ItemHabilitacao | Criterio | Irregularidade
"""What a finding belongs to: where a box of its quote leads."""
_SINAL: Final = Rotulo("Sinal", "!", "pendente")
_WORST_FIRST: Final = {"negado": 0, "pendente": 1, "parcial": 2}


@dataclass(frozen=True, slots=True)
class Apontamento:
    """A finding in a document of a project. `etiqueta` names it in a few letters, on its box; `oculto`: its quote is what nobody sees.

    `trecho` is verbatim and never for a page: `citado` is what may be shown.
    """

    origem: Origem
    arquivo: str
    pagina: int | None
    trecho: str
    citado: str
    etiqueta: str
    titulo: str
    clausula: str
    rotulo: Rotulo | None
    achado: str
    autor: Autor
    oculto: bool = False


def apontamentos_of(apontado: Apontado, projeto_id: str, *, gestao: bool) -> tuple[Apontamento, ...]:
    """The findings in files of a project, the worst first; what is hidden is quoted to whoever manages, and to nobody else."""
    triado = apontado.triado
    found: list[Apontamento] = []
    if triado is not None:
        found += [_item(item, item.evidencia) for item in triado.itens if item.evidencia is not None]
        criterios = {one.id: one for one in apontado.criterios}
        for nota in triado.notas:
            found += [_nota(criterios[nota.criterio], nota, one) for one in nota.evidencias if nota.criterio in criterios]
        for leitura in triado.leitura:
            found += [_nota(criterios[leitura.criterio], None, one) for one in leitura.passagens if leitura.criterio in criterios]
    for sinal in apontado.sinais:
        if gestao or not SINAL_DE[sinal.tipo].oculto:
            found += [_sinal(sinal, one) for one in _quoted(sinal, projeto_id)]
    kept = [one for one in found if one.arquivo]
    return tuple(sorted(kept, key=lambda one: _WORST_FIRST.get(one.rotulo.estilo if one.rotulo else "", 3)))


def _quoted(sinal: Irregularidade, projeto_id: str) -> Iterator[Evidencia]:
    """The evidence of a sign in one project; one that is about a file as a whole has the file."""
    own = [one for one in sinal.evidencia if one.projeto == projeto_id or (one.projeto is None and sinal.projetos == (projeto_id,))]
    yield from own
    if not own and sinal.arquivo and sinal.projetos == (projeto_id,):
        yield Evidencia(arquivo=sinal.arquivo, projeto=projeto_id)


def _item(item: ItemHabilitacao, evidencia: Evidencia) -> Apontamento:
    clausula = shown(item.clausula)
    motivo = MOTIVO[item.motivo] if item.motivo else ""
    return Apontamento(
        item,
        evidencia.arquivo or "",
        evidencia.pagina,
        evidencia.trecho,
        shown(evidencia.trecho.strip()),
        clausula or shown(item.requisito),
        shown(item.descricao or item.requisito),
        clausula,
        situation_of(item),
        shown(item.achado) or motivo,
        item.autor,
    )


def _nota(criterio: Criterio, nota: NotaSugerida | None, evidencia: Evidencia) -> Apontamento:
    suggested = None if nota is None else nota.nota_sugerida
    said = "Passagem que fala deste critério" if suggested is None else f"Nota sugerida: {number(suggested, 2)}"
    return Apontamento(
        criterio,
        evidencia.arquivo or "",
        evidencia.pagina,
        evidencia.trecho,
        shown(evidencia.trecho.strip()),
        shown(criterio.nome),
        shown(criterio.nome),
        "",
        None,
        said,
        "codigo" if nota is None else "modelo",
    )


def _sinal(sinal: Irregularidade, evidencia: Evidencia) -> Apontamento:
    tipo = SINAL_DE[sinal.tipo]
    quote = unveiled(evidencia.trecho) if tipo.oculto else shown(evidencia.trecho)
    return Apontamento(
        sinal,
        evidencia.arquivo or "",
        evidencia.pagina,
        evidencia.trecho,
        quote.strip(),
        tipo.palavra,
        tipo.palavra,
        "",
        _SINAL,
        shown(sinal.achado),
        sinal.autor,
        tipo.oculto,
    )


def by_file(apontamentos: Sequence[Apontamento]) -> Mapping[str, tuple[Apontamento, ...]]:
    """The findings by the file they are in."""
    found: dict[str, list[Apontamento]] = {}
    for one in apontamentos:
        found.setdefault(one.arquivo, []).append(one)
    return {arquivo: tuple(many) for arquivo, many in found.items()}
