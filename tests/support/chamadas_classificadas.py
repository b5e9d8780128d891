"""Small calls to classify, written in few words: a project by its notas, and what it declares."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia, Decidida, Desistencia, Inscrito
from crivo.triagem.classificacao.definicao import Bonus, Classificacao, Cota, Vagas
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import Criterio

MERITO = Criterio("C1", "Mérito cultural")
VIABILIDADE = Criterio("C2", "Viabilidade")
INTERIOR = Bonus("INTERIOR", Condicao("regiao", "igual", "interior"), Decimal(5), "7.3")


def cota(codigo: str, vagas: int, clausula: str = "") -> Cota:
    """A cota for whom `cota` says its id."""
    return Cota(codigo, Condicao("cota", "em", [codigo]), vagas, clausula)


def inscrito(codigo: str, categoria: str = "Música", enviado_em: datetime | None = None, **campos: Any) -> Inscrito:
    return Inscrito(codigo, categoria, enviado_em, campos)


def avaliadas(projeto: str, *por_pessoa: str) -> list[Avaliada]:
    """What people gave: a text each, with the notas of C1, C2… one after another; a `-` is none."""
    found = []
    for at, escritas in enumerate(por_pessoa):
        notas = {f"C{place}": Decimal(nota) for place, nota in enumerate(escritas.split(), 1) if nota != "-"}
        found.append(Avaliada(projeto, f"pessoa-{at}", notas))
    return found


def classificada(
    regras: Classificacao,
    *projetos: tuple[Inscrito, list[str]],
    criterios: tuple[Criterio, ...] = (MERITO,),
    habilitacoes: tuple[Decidida, ...] = (),
    desistencias: tuple[Desistencia, ...] = (),
) -> Classificada:
    """Projects with what people gave them, classified in the edital ED-1."""
    given = [avaliada for one, notas in projetos for avaliada in avaliadas(one.id, *notas)]
    return classify(Concorrencia("ED-1", regras, criterios, [one for one, _ in projetos], given, habilitacoes, desistencias))


def uma_categoria(total: int, *cotas: Cota, categoria: str = "Música") -> tuple[Vagas, ...]:
    return (Vagas(categoria, total, None, cotas),)
