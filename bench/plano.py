"""From what was measured on one machine to how many of everything a load takes: plain arithmetic, which the page of capacity shows.

A core is worked at no more than `USO` of its time, so that a queue does not grow without end; a day's load is not even, and comes at its
peak `pico` times as fast as on the average. `python -m bench.plano` brings the page to the last measurement.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

PAGINA: Final = Path(__file__).resolve().parents[1] / "docs" / "capacidade.md"
USO: Final = 0.6
POR_SERVIDOR: Final = 16  # connections of a server: its pool, the queue's and those of calls to models
POR_TRABALHADOR: Final = 24
_DAY_SECONDS: Final = 86_400
_YEAR_DAYS: Final = 365
_ROW: Final = re.compile(r"^\| `(\w+)` \| ([\d,.]+) \|", re.MULTILINE)
_NAMED: Final = re.compile(r"\[(\w+)\]$")


@dataclass(frozen=True, slots=True)
class Constantes:
    """What `python -m bench --so capacidade` measures. Times are of one core; bytes are on disk, with indexes, trail and audit."""

    decisoes_http_s: float
    cpu_servidor_ms: float
    cpu_banco_ms: float
    lote_nucleo_s: float
    bytes_decisao: float
    wal_decisao: float
    decisoes_por_commit: float
    cadeia_em_grupos_s: float
    cadeia_um_a_um_s: float
    cadeia_conferida_s: float
    cpu_projeto_s: float
    cpu_banco_projeto_s: float
    bytes_projeto: float
    chamadas_projeto: float
    copia_mb_s: float


@dataclass(frozen=True, slots=True)
class Carga:
    """What is asked of the installation."""

    decisoes_dia: float = 10_000_000
    pico: float = 5
    projetos: float = 1_000_000
    prazo_dias: float = 30
    segundos_chamada: float = 1
    maior_organizacao: float = 0.5  # its share of all decisions


@dataclass(frozen=True, slots=True)
class Plano:
    """How many of everything; each field is one row of the page."""

    decisoes_s_media: float
    decisoes_s_pico: float
    nucleos_servidores: float
    servidores: float
    nucleos_banco: float
    commits_s_pico: float
    gb_dia: float
    tb_ano: float
    wal_gb_dia: float
    wal_mb_s_pico: float
    cadeia_pedida_s: float
    cadeia_folga: float
    decisoes_dia_de_uma_cadeia: float
    conferencia_h_ano: float
    copia_h_ano: float
    lote_nucleos: float
    nucleos_trabalhadores: float
    trabalhadores: float
    nucleos_banco_projetos: float
    tb_projetos: float
    chamadas: float
    chamadas_ao_mesmo_tempo: float
    conexoes: float


def plan(de: Constantes, carga: Carga) -> Plano:
    """The plan for a load. Cores are fractions, processes are whole."""
    media = carga.decisoes_dia / _DAY_SECONDS
    pico = media * carga.pico
    server_cores = pico * de.cpu_servidor_ms / 1000 / USO
    servers = max(2, math.ceil(server_cores))  # one process works on one core; two, so that one may be away
    term = carga.prazo_dias * _DAY_SECONDS
    worker_cores = carga.projetos * de.cpu_projeto_s / term / USO
    workers = max(2, math.ceil(worker_cores))
    gb_day = carga.decisoes_dia * de.bytes_decisao / 1e9
    calls = carga.projetos * de.chamadas_projeto
    chain = pico * carga.maior_organizacao
    return Plano(
        decisoes_s_media=media,
        decisoes_s_pico=pico,
        nucleos_servidores=server_cores,
        servidores=servers,
        nucleos_banco=pico * de.cpu_banco_ms / 1000 / USO,
        commits_s_pico=pico / de.decisoes_por_commit,
        gb_dia=gb_day,
        tb_ano=gb_day * _YEAR_DAYS / 1000,
        wal_gb_dia=carga.decisoes_dia * de.wal_decisao / 1e9,
        wal_mb_s_pico=pico * de.wal_decisao / 1e6,
        cadeia_pedida_s=chain,
        cadeia_folga=de.cadeia_em_grupos_s / chain,
        decisoes_dia_de_uma_cadeia=de.cadeia_em_grupos_s * USO * _DAY_SECONDS / carga.pico,
        conferencia_h_ano=carga.decisoes_dia * _YEAR_DAYS / de.cadeia_conferida_s / 3600,
        copia_h_ano=gb_day * _YEAR_DAYS * 1000 / de.copia_mb_s / 3600,
        lote_nucleos=pico / de.lote_nucleo_s / USO,
        nucleos_trabalhadores=worker_cores,
        trabalhadores=workers,
        nucleos_banco_projetos=carga.projetos * de.cpu_banco_projeto_s / term / USO,
        tb_projetos=carga.projetos * de.bytes_projeto / 1e12,
        chamadas=calls,
        chamadas_ao_mesmo_tempo=calls * carga.segundos_chamada / term,
        conexoes=servers * POR_SERVIDOR + workers * POR_TRABALHADOR,
    )


def written(valor: float) -> str:
    """A figure with three significant digits, as the page has it: `1,230,000`, `0.123`, `5`."""
    if valor == int(valor) and abs(valor) < 1000:
        return str(int(valor))
    places = 2 - math.floor(math.log10(abs(valor)))
    return f"{round(valor, places):,.{max(0, places)}f}"


def rows(of: Constantes | Carga | Plano) -> list[tuple[str, str]]:
    """Each name with its figure as the page has it."""
    return [(name, written(valor)) for name, valor in asdict(of).items()]


def read_page(texto: str) -> tuple[Constantes, Carga, dict[str, str]]:
    """What a page says was measured and is asked, and the figures of its plan as they are written. Raises KeyError for one that lacks."""
    said = dict(_ROW.findall(texto))

    def told(name: str) -> float:
        return float(said[name].replace(",", ""))

    de = Constantes(**{one.name: told(one.name) for one in fields(Constantes)})
    return de, Carga(**{one.name: told(one.name) for one in fields(Carga)}), {one.name: said[one.name] for one in fields(Plano)}


def with_figures(texto: str, measured: Mapping[str, float]) -> str:
    """The page with these constants in the place of its own, and everything that follows from them worked out again."""
    kept = texto
    for name, valor in measured.items():
        kept = _with(kept, name, valor)
    de, carga, _ = read_page(kept)
    for name, valor in asdict(plan(de, carga)).items():
        kept = _with(kept, name, valor)
    return kept


def _with(texto: str, name: str, valor: float) -> str:
    return re.sub(rf"^(\| `{name}` \| )[^|]+( \|)", rf"\g<1>{written(valor)}\g<2>", texto, flags=re.MULTILINE)


def main() -> None:
    """Bring the page to what `python -m bench --so capacidade` last wrote."""
    from crivo.kernel.settings import load_settings

    linhas = json.loads((load_settings().data_dir / "bench.json").read_bytes())
    found = {name[1]: float(linha["nosso"]) for linha in linhas if (name := _NAMED.search(linha["linha"]))}
    PAGINA.write_text(with_figures(PAGINA.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
