"""All that is looked for, in order; nothing registers itself. Source: design, Irregularidades.

Here are the signs that come out of comparing projects; those of one project alone are `proprias`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from crivo.triagem.achados import Achadas, Irregularidade
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada, Projeto
from crivo.triagem.embeddings.port import Vetores
from crivo.triagem.irregularidades.acervo import ProjetoPassado
from crivo.triagem.irregularidades.proprias import find_no_projeto, in_order
from crivo.triagem.irregularidades.sentido import Lidas, find_mesma_ideia
from crivo.triagem.irregularidades.similaridade import Semelhantes, compare
from crivo.triagem.irregularidades.sinais import SINAIS


@dataclass(frozen=True, slots=True)
class Material:
    """What finders look at: the call, its projects as read, how alike they are, which tell one idea in other words, and past editais'."""

    chamada: Chamada
    lidos: Sequence[ProjetoLido]
    semelhantes: Semelhantes
    recontados: Sequence[Irregularidade]
    passados: Sequence[ProjetoPassado]

    @property
    def projetos(self) -> Sequence[Projeto]:
        """The projects, in the order of `lidos`."""
        return [lido.projeto for lido in self.lidos]


def find_irregularidades(
    chamada: Chamada, lidos: Sequence[ProjetoLido], vetores: Vetores, passados: Sequence[ProjetoPassado] = ()
) -> Achadas:
    """All the signs of an edital; `vetores` has a row for each of `lidos`, in their order. The same input gives the same signs."""
    achadas = compare_projects(chamada, lidos, vetores, passados)
    return replace(achadas, irregularidades=(*achadas.irregularidades, *in_order(map(find_no_projeto, lidos))))


def compare_projects(
    chamada: Chamada, lidos: Sequence[ProjetoLido], vetores: Vetores, passados: Sequence[ProjetoPassado] = (), lidas: Lidas | None = None
) -> Achadas:
    """The signs that come out of comparing projects, and which is most like which. `lidas`: sentences, where vectors tell their meaning."""
    projetos = [lido.projeto for lido in lidos]
    semelhantes = compare(projetos, vetores)
    recontados = () if lidas is None else find_mesma_ideia(projetos, vetores.matriz, lidas, semelhantes)
    material = Material(chamada, lidos, semelhantes, recontados, passados)
    signs = tuple(sign for sinal in SINAIS if sinal.procurar for sign in sinal.procurar(material))
    return Achadas(signs, _nearest(material))


def _nearest(material: Material) -> Mapping[str, tuple[str, float]]:
    vizinhos, projetos = material.semelhantes.vizinhos, material.projetos
    return {
        projeto.id: (projetos[other].id, round(min(float(cosseno), 1.0), 4))
        for projeto, other, cosseno in zip(projetos, vizinhos.indice, vizinhos.cosseno, strict=True)
        if other >= 0 and cosseno > 0
    }
