"""The rules of a call stated in plain sentences, made of its values alone, so that they never say otherwise than what is counted by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final, Literal, assert_never

from crivo.triagem.classificacao.definicao import (
    TODAS,
    Classificacao,
    Cota,
    Desempate,
    PorCampo,
    PorCriterio,
    PorInscricao,
    PorSorteio,
    Vagas,
)
from crivo.triagem.classificacao.palavras import condition_said
from crivo.triagem.condicao import Condicao, Value
from crivo.triagem.edital import Criterio
from crivo.triagem.palavras import count, number, shown

Parte = Literal["notas", "cortes", "bonus", "desempate", "vagas", "sobras"]
PARTE: Final[dict[Parte, str]] = {
    "notas": "Como se chega à nota",
    "cortes": "O que desclassifica",
    "bonus": "Pontos a mais",
    "desempate": "Quem vem antes entre notas iguais",
    "vagas": "As vagas",
    "sobras": "Vagas que sobram e suplentes",
}


class Clausula(Value, frozen=True):
    """A rule in one sentence or two; `numero` is the edital's own clause for it, empty where it names none."""

    parte: Parte
    texto: str
    numero: str = ""


def state_rules(regras: Classificacao, criterios: Sequence[Criterio], edital_id: str) -> tuple[Clausula, ...]:
    """Every rule, in the order in which they are applied."""
    names = {one.id: _named(one.nome, one.id) for one in criterios}
    said: list[Clausula] = [Clausula("notas", text) for text in _notas(regras, criterios)]
    said += [Clausula("cortes", text) for text in _cortes(regras, names)]
    said += _bonus(regras)
    said += [Clausula("desempate", text) for text in _desempate(regras, names, edital_id)]
    said += _vagas(regras)
    said += [Clausula("sobras", text) for text in _sobras(regras)]
    return tuple(said)


def category_said(categoria: str) -> str:
    """A category of vagas as people read it."""
    return "Todas as outras categorias" if categoria == TODAS else shown(categoria)


def _notas(regras: Classificacao, criterios: Sequence[Criterio]) -> Iterator[str]:
    least = count(max(1, regras.minimo_avaliadores), "avaliação completa", "avaliações completas")
    yield f"Cada projeto precisa de ao menos {least}, com nota de uma pessoa em todos os critérios. Com menos, fica pendente."
    if regras.divergencia_maxima is not None:
        yield (
            "Se só duas pessoas avaliaram e as notas delas em algum critério distam mais de "
            f"{number(regras.divergencia_maxima)}% da escala dele, o projeto fica pendente até que uma terceira avalie."
        )
    if criterios:
        pesos = "; ".join(f"{_named(one.nome, one.id)}, peso {number(one.peso)}, até {number(one.nota_max)}" for one in criterios)
        yield f"A nota de cada critério é a média das notas das pessoas: {pesos}."
    casas = "sem casas depois da vírgula" if not regras.casas else f"com até {count(regras.casas, 'casa', 'casas')} depois da vírgula"
    yield f"A nota base é a média dos critérios com os seus pesos, levada à escala de {number(regras.escala)}, {casas} e o meio para cima."


def _cortes(regras: Classificacao, names: dict[str, str]) -> Iterator[str]:
    corte = regras.corte
    if corte.nota_final_minima is not None:
        least = number(corte.nota_final_minima)
        yield f"Nota base menor que {least} desclassifica. Quem tem {least} fica."
    for codigo, nota in corte.por_criterio.items():
        yield f"Média menor que {number(nota)} em {names.get(codigo, codigo)} desclassifica."
    for codigo in corte.zero_elimina:
        yield f"Média zero em {names.get(codigo, codigo)} desclassifica."
    if corte.nota_final_minima is None and not corte.por_criterio and not corte.zero_elimina:
        yield "Nenhuma nota desclassifica."


def _bonus(regras: Classificacao) -> Iterator[Clausula]:
    if not regras.bonus:
        yield Clausula("bonus", "Não há bônus: a nota final é a nota base.")
        return
    for one in regras.bonus:
        yield Clausula("bonus", f"Bônus {one.id}: {_points(one.pontos)} para quem declara {_whose(one.quando)}.", one.clausula)
    most = "" if regras.bonus_maximo is None else f" Juntos, contam até {_points(regras.bonus_maximo)}."
    yield Clausula(
        "bonus", f"O bônus se soma depois dos cortes e não salva deles; a nota final pode passar de {number(regras.escala)}.{most}"
    )


def _desempate(regras: Classificacao, names: dict[str, str], edital_id: str) -> Iterator[str]:
    for place, one in enumerate(regras.desempate, 1):
        yield f"{place}º desempate: {_first(one, names)}."
    start = "O que ainda empatar é decidido por sorteio" if regras.desempate else "O empate é decidido por sorteio"
    semente = shown(regras.semente or edital_id)
    yield (
        f"{start}: vem antes o menor SHA-256 de “semente:projeto” (a semente, dois-pontos e o código do projeto). "
        f"A semente é {semente}, e qualquer pessoa pode repetir a conta."
    )


def _first(por: Desempate, names: dict[str, str]) -> str:
    match por:
        case PorCriterio():
            return f"a maior média em {names.get(por.criterio, por.criterio)}"
        case PorCampo():
            return f"o {'maior' if por.maior else 'menor'} valor declarado em {shown(por.campo)}; quem não o declara vem por último"
        case PorInscricao():
            return "quem enviou o projeto primeiro"
        case PorSorteio():
            return "o sorteio"
        case _:
            assert_never(por)


def _vagas(regras: Classificacao) -> Iterator[Clausula]:
    if not regras.vagas:
        yield Clausula("vagas", "O edital ainda não dá vagas: nenhum projeto é selecionado.")
        return
    for vagas in regras.vagas:
        yield Clausula("vagas", _of_category(vagas))
        for cota in vagas.cotas:
            yield Clausula("vagas", _of_cota(cota, vagas), cota.clausula)
    if any(vagas.cotas for vagas in regras.vagas):
        yield Clausula(
            "vagas",
            "As vagas de ampla concorrência vão para as maiores notas finais, concorra o projeto a uma cota ou não. Depois, cada cota, na "
            "ordem acima, chama as maiores notas entre quem concorre a ela e ainda não foi chamado.",
        )
    else:
        yield Clausula("vagas", "As vagas vão para as maiores notas finais de cada categoria.")


def _of_category(vagas: Vagas) -> str:
    each = "" if vagas.valor is None else f", de R$ {number(vagas.valor, 2)} cada"
    said = f"{category_said(vagas.categoria)}: {count(vagas.total, 'vaga', 'vagas')}{each}"
    if not vagas.cotas:
        return f"{said}, de ampla concorrência."
    parts = [f"{number(vagas.ampla)} de ampla concorrência", *[f"{number(cota.vagas)} da cota {cota.id}" for cota in vagas.cotas]]
    return f"{said}: {', '.join(parts[:-1])} e {parts[-1]}."


def _of_cota(cota: Cota, vagas: Vagas) -> str:
    return f"Cota {cota.id}, em {category_said(vagas.categoria)}: concorre quem declara {_whose(cota.quando)}."


def _sobras(regras: Classificacao) -> Iterator[str]:
    if any(vagas.cotas for vagas in regras.vagas):
        if "cotas" in regras.remanejamento:
            yield (
                "A vaga de cota sem quem concorra a ela passa à primeira outra cota da categoria que ainda tem; se nenhuma tem, "
                "à maior nota da categoria."
            )
        else:
            yield "A vaga de cota sem quem concorra a ela passa à maior nota da categoria."
    if regras.vagas:
        yield (
            "As vagas que uma categoria não preenche passam, uma a uma, à primeira categoria da lista que ainda tem projetos classificados."
            if "categorias" in regras.remanejamento
            else "As vagas que uma categoria não preenche ficam vazias."
        )
    if not regras.suplentes:
        yield "Não há suplentes."
    elif regras.suplentes == 1:
        yield "Em cada categoria, o projeto seguinte é suplente."
    else:
        yield f"Em cada categoria, os {number(regras.suplentes)} projetos seguintes são suplentes, na ordem."


def _whose(quando: Condicao) -> str:
    return condition_said(quando)


def _points(pontos: Decimal) -> str:
    return f"{number(pontos)} {'ponto' if pontos == 1 else 'pontos'}"


def _named(nome: str, codigo: str) -> str:
    return f"{shown(nome)} ({codigo})" if nome.strip() else codigo
