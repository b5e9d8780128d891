"""Every kind of sign, one record each, in the order in which they are told. Source: design, Irregularidades; record 0037.

Finders are imported where they run: whoever only needs the words does not load what compares texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal

from crivo.triagem.achados import Irregularidade, TipoIrregularidade
from crivo.triagem.edital import Value

if TYPE_CHECKING:
    from crivo.triagem.irregularidades.todas import Material

Achador = Callable[["Material"], tuple[Irregularidade, ...]]
Familia = Literal["texto", "projetos", "preco", "conflito"]
"""What makes signs one case: a passage, the projects that have something in common, or the one project that they are about."""


class Sinal(Value, frozen=True, kw_only=True):
    """A kind of sign: what people call it (pt-BR) and how it is found by comparing projects, None where it is found in each by itself.

    `medida` says what its measure counts, empty where it is not shown; `parte` whether that is a share; `um_e_igual` that 1 tells nothing.
    `sozinho`: it marks a project and no pair. `oculto`: it shows what nobody would see. `velado`: those who evaluate are not told of it.

    `familia` is what makes it one case with others, `causa` its part of that case's title, or else its word (`causas` of several alike,
    with `{}` for how many; `causa_de` of signs of some fields). `pontos` is what it adds to the severity: one more from a measure of
    `forte` on, or of 1 ÷ `forte` down, and one less for the fields `fracos`.
    """

    codigo: TipoIrregularidade
    palavra: str
    familia: Familia = "projetos"
    causa: str = ""
    pontos: int = 1
    causas: str = ""
    causa_de: Mapping[str, str] = {}
    forte: float | None = None
    fracos: frozenset[str] = frozenset()
    procurar: Achador | None = None
    medida: str = ""
    parte: bool = False
    um_e_igual: bool = False
    sozinho: bool = False
    oculto: bool = False
    velado: bool = False


def _similares(material: Material) -> tuple[Irregularidade, ...]:
    from crivo.triagem.irregularidades.similaridade import find_similares

    return (*find_similares(material.projetos, material.semelhantes), *material.recontados)


def _texto_reutilizado(material: Material) -> tuple[Irregularidade, ...]:
    from crivo.triagem.irregularidades.texto import find_texto_reutilizado

    return find_texto_reutilizado(material.chamada, material.lidos, material.passados)


def _orcamento_duplicado(material: Material) -> tuple[Irregularidade, ...]:
    from crivo.triagem.irregularidades.orcamento import find_orcamento_duplicado

    return find_orcamento_duplicado(material.chamada.edital, material.projetos)


def _preco_discrepante(material: Material) -> tuple[Irregularidade, ...]:
    from crivo.triagem.irregularidades.precos import find_preco_discrepante

    return find_preco_discrepante(material.chamada.edital, material.projetos)


def _proponente_repetido(material: Material) -> tuple[Irregularidade, ...]:
    from crivo.triagem.irregularidades.pessoas import find_proponente_repetido

    return find_proponente_repetido(material.lidos)


def _conflito_de_interesse(material: Material) -> tuple[Irregularidade, ...]:
    from crivo.triagem.irregularidades.conflito import find_conflito_de_interesse

    return find_conflito_de_interesse(material.chamada.avaliadores, material.projetos)


SINAIS: Final = (
    Sinal(
        codigo="similaridade",
        palavra="Projetos parecidos",
        familia="projetos",
        causa="textos parecidos",
        pontos=1,
        procurar=_similares,
        medida="de semelhança no texto inteiro",
    ),
    Sinal(
        codigo="texto_reutilizado",
        palavra="Texto reutilizado",
        familia="projetos",
        causa="trechos iguais",
        pontos=2,
        forte=0.6,
        procurar=_texto_reutilizado,
        medida="do texto está no outro",
        parte=True,
    ),
    Sinal(
        codigo="orcamento_duplicado",
        palavra="Orçamento repetido",
        familia="projetos",
        causa="orçamento repetido",
        pontos=2,
        procurar=_orcamento_duplicado,
        medida="vezes os valores do outro",
        um_e_igual=True,
    ),
    Sinal(
        codigo="preco_discrepante",
        palavra="Preço fora do padrão",
        familia="preco",
        causa="Preço fora do padrão",
        causas="{} preços fora do padrão",
        pontos=1,
        forte=5,
        procurar=_preco_discrepante,
        medida="vezes a mediana do edital",
        sozinho=True,
    ),
    Sinal(
        codigo="proponente_repetido",
        palavra="Mesmo proponente",
        familia="projetos",
        causa="proponente em comum",
        causa_de={"arquivo": "arquivos iguais", "banco": "a mesma conta bancária"},
        pontos=1,
        procurar=_proponente_repetido,
    ),
    Sinal(
        codigo="conflito_de_interesse",
        palavra="Possível conflito de interesse",
        familia="conflito",
        causa="Possível conflito de interesse",
        causas="Possível conflito de interesse com {} pessoas que avaliam",
        pontos=3,
        fracos=frozenset({"dominio_email", "endereco"}),
        procurar=_conflito_de_interesse,
        sozinho=True,
        velado=True,
    ),
    Sinal(codigo="texto_oculto", palavra="Texto oculto", familia="texto", causa="escondido", pontos=2, sozinho=True, oculto=True),
    Sinal(
        codigo="texto_instrucional",
        palavra="Texto que tenta dar instruções",
        familia="texto",
        causa="que fala com quem avalia",
        pontos=2,
        sozinho=True,
        oculto=True,
    ),
)
SINAL_DE: Final[Mapping[TipoIrregularidade, Sinal]] = {sinal.codigo: sinal for sinal in SINAIS}
