"""Screening held against two answer keys: a labelled call of its own, written apart from the product, and the sample that comes with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.linhas import Linha, Meta, measured

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))  # where the labelled set lives, outside the product

from crivo.kernel.taxas import Taxa, taxa
from crivo.triagem.conferencia import Caso
from crivo.triagem.irregularidades.instrucoes import find_instrucoes
from edital_rotulado.medida import DE_TEXTO, Medida, measure, measure_sample

ITENS: Final = Meta(">=", 0.98)
SINAIS: Final = Meta(">=", 0.95)
ALARMES: Final = Meta("<=", 0.02)
TUDO: Final = Meta(">=", 1)
TESTES: Final = Path(__file__).resolve().parents[1] / "tests/triagem/irregularidades"
_SHOWN: Final = 4
_PRIMEIRA: Final = (
    "Papéis em redações diferentes das que serviram para corrigir as regras; na primeira leitura delas, antes de duas correções "
    "que elas mostraram (“vale até” e cartão CNPJ de outra organização), 1.289 de 1.296."
)
_INEDITAS: Final = (
    "Frases de que nada foi aprendido, à vista e ocultas; as ocultas são sinalizadas de todo modo como texto oculto. "
    "Abaixo dos 95 % que se buscam: nem padrões nem pesos preveem tudo o que ainda não foi escrito."
)
_CONTADOS: Final = (
    ("ineditas", "inéditas", "Nenhum padrão e nenhum peso veio delas; na primeira leitura, 51 de 56."),
    ("quinta_mao", "quinta mão", "De quem não viu nenhuma outra, lidas uma vez. Abaixo dos 95 % que se buscam."),
)


def screening() -> list[Linha]:
    """The rows of the labelled call, by the papers of its second half, of the sample, and of sentences that nothing was learned from."""
    return [*rows_of(measure("relato")), sample(), *instructing()]


def instructing() -> list[Linha]:
    """Sentences to whoever grades, and honest look-alikes, of the sets from which neither patterns nor weights were learned."""
    rows = []
    for conjunto, nome, nota in _CONTADOS:
        casos = json.loads((TESTES / f"instrucoes_{conjunto}.json").read_bytes())
        orders, honest = ([bool(find_instrucoes(caso["texto"])) for caso in casos if caso["instrui"] is told] for told in (True, False))
        rows += [
            _row(f"frases a quem avalia, {nome}: encontradas", "frases", taxa(sum(orders), len(orders)), None, nota),
            _row(f"frases honestas parecidas, {nome}: sinalizadas", "frases", taxa(sum(honest), len(honest)), ALARMES),
        ]
    return rows


def rows_of(medida: Medida) -> list[Linha]:
    """The figures that have a target, then the rest."""
    metricas = medida.conferencia.metricas
    found = metricas.irregularidades
    reuso = found["texto_reutilizado"]
    others = {tipo: acerto for tipo, acerto in found.items() if tipo not in {*DE_TEXTO, "texto_reutilizado"}}
    return [
        _row("habilitação: itens", "itens", metricas.itens, ITENS, f"{_PRIMEIRA} {_told(_items(medida.faults))}".strip()),
        _row("habilitação: sugestão por projeto", "projetos", metricas.habilitacao, None),
        _row("habilitação: documentos completos", "projetos", metricas.docs_completos, None),
        _row("edital rotulado, texto reutilizado: revocação", "pares", reuso.cobertura, SINAIS),
        _row("edital rotulado, texto reutilizado: precisão", "pares", reuso.precisao, SINAIS),
        _row("texto oculto: revocação", "documentos", found["texto_oculto"].cobertura, SINAIS),
        _row("texto instrucional em redações inéditas: revocação", "lugares", found["texto_instrucional"].cobertura, None, _INEDITAS),
        _row("texto oculto ou instrucional: alarmes falsos", "documentos e campos honestos", medida.alarmes, ALARMES),
        *(_row(f"{tipo}: revocação", "sinais", acerto.cobertura, None) for tipo, acerto in others.items()),
        *(_row(f"{tipo}: precisão", "sinais", acerto.precisao, None) for tipo, acerto in others.items()),
    ]


def sample() -> Linha:
    """The sample call against its own key, in which nothing may be wrong."""
    casos = measure_sample().casos
    right = taxa(sum(caso.certo for caso in casos), len(casos))
    return _row("amostra contra o seu gabarito", "casos", right, TUDO, _told([caso for caso in casos if not caso.certo]))


def _row(linha: str, unidade: str, found: Taxa, meta: Meta | None, nota: str = "") -> Linha:
    low, high = (f"{100 * (bound or 0):.1f}".replace(".", ",") for bound in (found.de, found.ate))
    interval = f"Intervalo de 95 % (Wilson): {low} % a {high} %."
    return measured(linha, unidade, found.certos, found.total, meta=meta, execucoes=found.total, nota=f"{interval} {nota}".strip())


def _items(faults: Sequence[Caso]) -> list[Caso]:
    """Those of requisitos; the others are of suggestions and flags."""
    return [fault for fault in faults if isinstance(fault.esperado, dict)]


def _told(faults: Sequence[Caso]) -> str:
    """The first of what went wrong, by name."""
    more = f" e mais {len(faults) - _SHOWN}" if len(faults) > _SHOWN else ""
    return f"Não conferem: {', '.join(fault.id for fault in faults[:_SHOWN])}{more}." if faults else ""
