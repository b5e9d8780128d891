"""Calls whose projects were judged already, and the rules by which their notas become places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, Literal

from msgspec.structs import replace

from chamadas import Importacao, importacao
from crivo.triagem.classificacao.definicao import Bonus, Classificacao, Corte, Cota, PorCriterio, PorInscricao, Vagas
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import AvaliacaoDada, Avaliador, HabilitacaoDada

RITA: Final = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
UMA_VAGA: Final = Classificacao(vagas=(Vagas("*", 1),), suplentes=1)


def chamada_com_notas(
    notas: Sequence[int], regras: Classificacao | None = UMA_VAGA, campos: Mapping[str, Mapping[str, object]] | None = None
) -> Importacao:
    """The edital ED-1 with a project for each nota, which one person gave for both critérios; `campos` more that a project declares."""
    given = importacao(len(notas), avaliadores=(RITA,))
    edital = replace(given.chamada.edital, classificacao=regras)
    dadas = [
        AvaliacaoDada(f"P{at:04}", "rita@avalia.exemplo", {"C1": Decimal(nota), "C2": Decimal(nota)}) for at, nota in enumerate(notas, 1)
    ]
    more = campos or {}
    projetos = tuple([replace(one, campos={**one.campos, **more.get(one.id, {})}) for one in given.chamada.projetos])
    return Importacao(replace(given.chamada, edital=edital, projetos=projetos, avaliacoes=tuple(dadas)), given.arquivos)


CHEIA: Final = Classificacao(
    corte=Corte(Decimal(60), {"C1": Decimal(5)}),
    bonus=(Bonus("INTERIOR", Condicao("regiao", "igual", "interior"), Decimal(5), "7.3"),),
    bonus_maximo=Decimal(10),
    desempate=(PorCriterio("C1"), PorInscricao()),
    vagas=(
        Vagas(
            "Cultura popular",
            8,
            Decimal(50_000),
            (
                Cota("NEGRAS", Condicao("cota", "em", ["negra"]), 2, "5.1"),
                Cota("INDIGENAS", Condicao("cota", "em", ["indigena"]), 1, "5.2"),
                Cota("PCD", Condicao("cota", "em", ["pcd"]), 1, "5.3"),
            ),
        ),
        Vagas("Música", 4, Decimal(40_000)),
        Vagas("Teatro e circo", 3, Decimal(40_000)),
    ),
    remanejamento=("cotas",),
    suplentes=5,
)
_TITULOS: Final = ("Roda de Coco da Praia Velha", "Tambores de Congo", "Reisado Mirim da Beira do Rio", "Ciranda da Maré Mansa")
_CATEGORIAS: Final = ("Cultura popular", "Cultura popular", "Música", "Teatro e circo")


def chamada_cheia(projetos: int = 40, regras: Classificacao = CHEIA, mais: Mapping[str, int] | None = None) -> Importacao:
    """Three categories with cotas that fill and that do not, bônus, ties, cuts, who is inabilitado and who waits; `mais` adds to notas."""
    dois = (RITA, Avaliador("Davi Sena", "davi@avalia.exemplo", ("P0001",)))
    given = importacao(projetos, avaliadores=dois)
    made, dadas, decididas = [], [], []
    for at, one in enumerate(given.chamada.projetos, 1):
        cota = "negra" if at % 4 == 0 else "indigena" if at % 9 == 0 else ""
        campos = {"regiao": "interior" if at % 3 == 0 else "capital", "cota": cota}
        titulo = _TITULOS[at] if at < len(_TITULOS) else f"Mestras e mestres da roda número {at}"
        made.append(replace(one, titulo=titulo, categoria=_CATEGORIAS[at % 4], campos=campos))
        nota = 5 + at * 37 % 23 / 5
        for person in dois if at % 11 else ():
            up = (mais or {}).get(one.id, 0)
            each = {"C1": min(Decimal(10), Decimal(str(nota)) + up), "C2": min(Decimal(10), Decimal(str(nota + 0.5)) + up)}
            dadas.append(AvaliacaoDada(one.id, person.email, each))
        situacao: Literal["habilitado", "inabilitado"] = "inabilitado" if at % 13 == 0 else "habilitado"
        motivo = "O documento pedido em 4.2 não chegou." if situacao == "inabilitado" else ""
        decididas.append(HabilitacaoDada(one.id, situacao, motivo))
    edital = replace(
        given.chamada.edital, nome="Edital nº 4/2026: Cultura em Toda Parte", orgao="Secretaria de Cultura", classificacao=regras
    )
    parts = {"edital": edital, "projetos": tuple(made), "avaliacoes": tuple(dadas), "habilitacoes": tuple(decididas)}
    return Importacao(replace(given.chamada, **parts), given.arquivos)
