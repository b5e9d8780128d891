"""The clinics: whole conversations against what must come of them, and texts against what the verifier must say of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench.linhas import Linha, Meta, measured

from crivo.clinicas.avaliacao.conjunto import read_case_file
from crivo.clinicas.avaliacao.ensaio import run_offline
from crivo.clinicas.avaliacao.execucao import execute, stated_clock
from crivo.clinicas.avaliacao.padrao import CONJUNTO, DADOS
from crivo.clinicas.avaliacao.pontuacao import Resultado
from crivo.clinicas.avaliacao.relatorio import NOMES, rate
from crivo.clinicas.orquestrador.confere.avaliacao import avaliar, load_casos

RAIZ: Final = Path(__file__).resolve().parents[1]
TESTES: Final = RAIZ / "tests/clinicas"
COMPARTILHADOS: Final = RAIZ.parent / "shared/data/clinicas"
QUASE_TUDO: Final = Meta(">=", 0.95)
QUASE_NADA: Final = Meta("<=", 0.02)
_METAS: Final[dict[str, Meta]] = {
    "tsr": Meta(">=", 0.9),  # what the blueprint calls excellent (5.1)
    "tca": QUASE_TUDO,
    "hr": QUASE_NADA,
    "pvr": QUASE_NADA,
    "mcra": QUASE_TUDO,
    "plan_accuracy": QUASE_TUDO,
    "estado": QUASE_TUDO,
}
SEM_METAS: Final[dict[str, Meta | None]] = dict.fromkeys(_METAS)  # figures of somebody's model are for information alone
_ENSAIADOS: Final = (
    ("desenvolvimento", TESTES / "test_queries.json", COMPARTILHADOS),
    ("reportado", TESTES / "reportado.json", COMPARTILHADOS),
    ("diálogos frescos", TESTES / "frescos.json", DADOS),
)
_ROTULADOS: Final = ("desenvolvimento", "reportado", "novo")


def conversations() -> list[Linha]:
    """The metrics of every set of conversations; a set whose clinics are not beside this checkout is left out."""
    linhas = list(metric_rows("padrão, seis processos", _on_processes()))
    for nome, arquivo, dados in _ENSAIADOS:
        now = stated_clock(dados) if dados.exists() else None
        if now is not None:
            linhas += metric_rows(nome, _rehearsed(arquivo, dados, now))
    return linhas


def verifier() -> list[Linha]:
    """Recall, by rule and over all, and false alarms of every labelled set of texts."""
    return [linha for nome in _ROTULADOS for linha in _verifier_rows(nome)]


def metric_rows(conjunto: str, resultado: Resultado, metas: Mapping[str, Meta | None] = _METAS) -> Iterator[Linha]:
    """The metrics of a set that count something, each with its interval."""
    casos = resultado.geral.casos.total
    for key, meta in metas.items():
        taxa = rate(resultado.geral, key)
        if taxa.total:
            nota = f"{NOMES[key]}; {casos} conversas; {_interval(taxa.de, taxa.ate)}"
            nome = f"clínicas, {conjunto}: {key}"
            yield measured(nome, "vezes", taxa.certos, taxa.total, meta=meta, execucoes=taxa.total, nota=nota)


def _on_processes() -> Resultado:
    with TemporaryDirectory(prefix="crivo-evals-") as folder:
        return asyncio.run(execute(read_case_file(CONJUNTO), data_dir=Path(folder), dados=DADOS, agora=None)).resultado


def _rehearsed(arquivo: Path, dados: Path, now: datetime) -> Resultado:
    return run_offline(read_case_file(arquivo), dados, now)


def _verifier_rows(nome: str) -> Iterator[Linha]:
    metricas = avaliar(load_casos(TESTES / f"orquestrador/confere/{nome}.json"))["metricas"]
    told = "Textos que ferem a regra, e que foram pegos"
    yield _proportion(f"verificador, {nome}: pegos", metricas["recall"], QUASE_TUDO, told)
    for regra, one in metricas["por_regra"].items():
        yield _proportion(f"verificador, {nome}: pegos por {regra}", one["recall"], None, told)
    yield _proportion(
        f"verificador, {nome}: alarmes falsos", metricas["alarmes_falsos"], QUASE_NADA, "Textos sem falha, e que foram retidos"
    )


def _proportion(linha: str, found: Mapping[str, Any], meta: Meta | None, nota: str) -> Linha:
    total = int(found["total"])
    interval = _interval(*found["intervalo"]) if found["intervalo"] else "sem casos"
    return measured(linha, "textos", int(found["acertos"]), total, meta=meta, execucoes=total, nota=f"{nota}; {interval}")


def _interval(low: float | None, high: float | None) -> str:
    """A 95 % Wilson interval in words."""
    return f"intervalo de {100 * (low or 0):.1f} a {100 * (high or 0):.1f} %".replace(".", ",")
