"""The figures at the head of a result: what was suggested, what people decided, what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from crivo.triagem.andamento import Execucao
from crivo.triagem.casos.guardados import SUMIDO
from crivo.triagem.custeio import Estimativa
from crivo.triagem.guardados import Panorama
from crivo.triagem.palavras import count, number, spent_said
from crivo.web.pages.formatos import dolares


@dataclass(frozen=True, slots=True)
class NumerosVista:
    """`partilha`: how many projects of each suggestion, with word and style; `numeros`: name, value, detail."""

    titulo: str
    partilha: tuple[tuple[int, str, str], ...]
    numeros: tuple[tuple[str, str, str], ...]


def figures(panorama: Panorama, situacoes: Mapping[str, int], execucao: Execucao | None) -> NumerosVista:
    """The strip of a result; `situacoes` of how many cases, `execucao` is the one whose cost is told."""
    found = sum(many for situacao, many in situacoes.items() if situacao != SUMIDO)
    groups, total = panorama.grupos, number(panorama.projetos)
    partilha = [
        (groups["habilitado"], "habilitados" if groups["habilitado"] != 1 else "habilitado", "aprovado"),
        (groups["pendencia"], "com pendência", "pendente"),
        (groups["inabilitado"], "inabilitados" if groups["inabilitado"] != 1 else "inabilitado", "negado"),
    ]
    if groups["erro"]:
        partilha.append((groups["erro"], "não triados" if groups["erro"] != 1 else "não triado", "parcial"))
    differ = f", {count(panorama.diferentes, 'diferente', 'diferentes')} da sugestão" if panorama.diferentes else ""
    numeros = [
        _mean(panorama),
        ("Casos em aberto", number(situacoes.get("aberto", 0)), f"de {number(found)}; nenhum é um veredito"),
        ("Decisões de pessoas", number(panorama.decididos), f"de {total}{differ}"),
    ]
    if panorama.dadas:
        numeros.append(("Avaliações enviadas", number(panorama.enviadas), f"de {number(panorama.dadas)}"))
    if execucao is not None and (execucao.custo or execucao.chamadas_sem_preco):
        said, _, rest = spent_said(execucao.custo, execucao.chamadas_sem_preco).removeprefix("Custo: ").partition(", e ")
        numeros.append(("Custo da última triagem", said, rest))
    return NumerosVista(f"Sugestão para {count(panorama.projetos, 'projeto', 'projetos')}", tuple(partilha), tuple(numeros))


def estimate_figures(estimativa: Estimativa) -> tuple[tuple[str, str, str], ...]:
    """What a screening would take: name, value, detail."""
    changed = estimativa.projetos - estimativa.projetos_inalterados
    unchanged = f"de {number(estimativa.projetos)}; o resto não mudou" if estimativa.projetos_inalterados else ""
    figures = [
        ("Projetos a triar", number(changed), unchanged),
        ("Documentos por ler", number(estimativa.documentos_por_ler), f"de {number(estimativa.documentos)}"),
    ]
    if estimativa.modelo:
        calls = (number(estimativa.chamadas), "no máximo") if estimativa.chamadas else ("nenhuma", "nada novo a perguntar")
        figures.append(("Chamadas ao modelo", *calls))
    if estimativa.chamadas and not estimativa.simulado:
        read, written = number(estimativa.tokens_entrada), number(estimativa.tokens_saida)
        figures.append(("Pedaços de palavra (tokens)", read, f"lidos pelo modelo, e {written} escritos; é por eles que se paga"))
    figures.append(("Custo estimado", *_cost(estimativa)))
    if estimativa.custo_em_lote:
        figures.append(("Custo em lote", _dollars(estimativa.custo_em_lote), "no máximo, em até 24 horas"))
    if estimativa.limite_custo is not None:
        figures.append(("Gasto no mês", _dollars(estimativa.gasto_no_mes), f"de um limite de {_dollars(estimativa.limite_custo)}"))
    elif estimativa.gasto_no_mes:
        figures.append(("Gasto no mês", _dollars(estimativa.gasto_no_mes), "sem limite definido"))
    return tuple(figures)


def _cost(estimativa: Estimativa) -> tuple[str, str]:
    if estimativa.simulado:
        return "zero", "modelo simulado"
    if not estimativa.modelo:
        return "zero", "sem modelo: tudo é código"
    if not estimativa.chamadas:
        return "zero", "nada novo a perguntar"
    return ("desconhecido", "preço desconhecido") if estimativa.custo is None else (_dollars(estimativa.custo), "no máximo")


def _dollars(value: Decimal) -> str:
    return dolares(value, 2 if value >= 1 or not value else 4)


def _mean(panorama: Panorama) -> tuple[str, str, str]:
    if panorama.media is None:
        return ("Notas sugeridas", "nenhuma", "leitura assistida")
    return ("Nota média sugerida", number(panorama.media, 2), f"em {count(panorama.com_media, 'projeto', 'projetos')}")
