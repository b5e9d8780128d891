"""The figures at the head of a result: what was suggested, what people decided, what it cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from crivo.triagem.andamento import Execucao
from crivo.triagem.custeio import Estimativa
from crivo.triagem.palavras import count, number, price_said, spent_said
from crivo.web.pages.triagem_abas import Achados
from crivo.web.pages.triagem_vista import group_of, sent_of


@dataclass(frozen=True, slots=True)
class NumerosVista:
    """`partilha`: how many projects of each suggestion, with word and style; `numeros`: name, value, detail."""

    titulo: str
    partilha: tuple[tuple[int, str, str], ...]
    numeros: tuple[tuple[str, str, str], ...]


def figures(achados: Achados, execucao: Execucao | None) -> NumerosVista:
    """The strip of a result; `execucao` is the one whose cost is told."""
    projetos = achados.resultado.projetos
    groups = Counter(group_of(one) for one in projetos)
    partilha = [
        (groups["habilitado"], "habilitados" if groups["habilitado"] != 1 else "habilitado", "aprovado"),
        (groups["pendencia"], "com pendência", "pendente"),
        (groups["inabilitado"], "inabilitados" if groups["inabilitado"] != 1 else "inabilitado", "negado"),
    ]
    if groups["erro"]:
        partilha.append((groups["erro"], "não triados" if groups["erro"] != 1 else "não triado", "parcial"))
    decided = sum(one.projeto_id in achados.decisoes for one in projetos)
    differ = sum(one.sugestao is not None and one.sugestao != one.decisao for one in achados.decisoes.values())
    criterios = len(achados.chamada.criterios)
    sent = sum(sent_of(one, criterios) for one in achados.incumbencias)
    numeros = [
        _mean(achados),
        ("Sinais para conferir", number(len(achados.resultado.irregularidades)), "nenhum é um veredito"),
        (
            "Decisões de pessoas",
            number(decided),
            f"de {number(len(projetos))}" + (f", {count(differ, 'diferente', 'diferentes')} da sugestão" if differ else ""),
        ),
    ]
    if achados.incumbencias:
        numeros.append(("Avaliações enviadas", number(sent), f"de {number(len(achados.incumbencias))}"))
    if execucao is not None and (execucao.custo or execucao.chamadas_sem_preco):
        said, _, rest = spent_said(execucao.custo, execucao.chamadas_sem_preco).removeprefix("Custo: ").partition(", e ")
        numeros.append(("Custo da última triagem", said, rest))
    return NumerosVista(f"Sugestão para {count(len(projetos), 'projeto', 'projetos')}", tuple(partilha), tuple(numeros))


def estimate_figures(estimativa: Estimativa) -> tuple[tuple[str, str, str], ...]:
    """What a screening would take: name, value, detail."""
    changed = estimativa.projetos - estimativa.projetos_inalterados
    unchanged = f"de {number(estimativa.projetos)}; o resto não mudou" if estimativa.projetos_inalterados else ""
    figures = [
        ("Projetos a triar", number(changed), unchanged),
        ("Documentos por ler", number(estimativa.documentos_por_ler), f"de {number(estimativa.documentos)}"),
    ]
    if estimativa.modelo:
        figures.append(("Chamadas ao modelo", number(estimativa.chamadas), "no máximo"))
        tokens = estimativa.tokens_entrada + estimativa.tokens_saida
        figures.append(("Tokens", number(tokens), f"{number(estimativa.tokens_entrada)} de entrada"))
    figures.append(("Custo estimado", *_cost(estimativa)))
    if estimativa.limite_custo is not None:
        figures.append(("Gasto no mês", _dollars(estimativa.gasto_no_mes), f"de um limite de {_dollars(estimativa.limite_custo)}"))
    elif estimativa.gasto_no_mes:
        figures.append(("Gasto no mês", _dollars(estimativa.gasto_no_mes), "sem limite definido"))
    return tuple(figures)


def cost_said(estimativa: Estimativa) -> str:
    """The cost in a sentence."""
    return price_said(estimativa.modelo, estimativa.simulado, estimativa.chamadas, estimativa.custo)


def _cost(estimativa: Estimativa) -> tuple[str, str]:
    if estimativa.simulado:
        return "zero", "modelo simulado"
    if not estimativa.modelo:
        return "zero", "sem modelo: tudo é código"
    if estimativa.custo is None:
        return "desconhecido", "preço desconhecido"
    return _dollars(estimativa.custo), "no máximo"


def _dollars(value: Decimal) -> str:
    return f"US$ {number(value, 2 if value >= 1 or not value else 4)}"


def _mean(achados: Achados) -> tuple[str, str, str]:
    medias = list(achados.medias.values())
    if not medias:
        return ("Notas sugeridas", "nenhuma", "leitura assistida")
    return ("Nota média sugerida", number(sum(medias, Decimal(0)) / len(medias), 2), f"em {count(len(medias), 'projeto', 'projetos')}")
