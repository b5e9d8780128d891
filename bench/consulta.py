"""The look-up of a regra among a hundred and among a hundred thousand in force."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bench.linhas import Linha, Meta, measured
from bench.medida import interleaved, one_core
from bench.pedidos import Sorte
from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.politicas.catalogo import Catalogo

POUCAS: Final = 100
MUITAS: Final = 100_000
CONSULTAS: Final = 20_000
META = Meta("<=", 1.5)


def run(rodadas: int, muitas: int = MUITAS, consultas: int = CONSULTAS) -> list[Linha]:
    """The time of a look-up: of the same hundred codes in both catalogues, and of codes drawn from all that each holds."""
    poucas, tantas = _catalogo(POUCAS), _catalogo(muitas)
    quentes, frias = _keys(POUCAS, consultas), _keys(muitas, consultas)
    with one_core():
        par, mesmos, todos = interleaved(rodadas, _asking(poucas, quentes), _asking(tantas, quentes), _asking(tantas, frias))
    nome = f"consulta de regra: {muitas} em vigor × {POUCAS}"
    rows = (
        ("os mesmos códigos", mesmos, f"Os mesmos {POUCAS} códigos nos dois catálogos: o custo da busca em si."),
        (
            "códigos de todo o catálogo",
            todos,
            "Códigos sorteados entre todas as regras: soma a espera pela memória, que o cache não alcança.",
        ),
    )
    return [
        measured(f"{nome}, {quais}", "µs", nosso / consultas * 1e6, par / consultas * 1e6, meta=META, execucoes=rodadas, nota=nota)
        for quais, nosso, nota in rows
    ]


def _asking(catalogo: Catalogo, keys: Sequence[tuple[str, str]]) -> Callable[[], None]:
    find_regra = catalogo.find_regra

    def look_up_all() -> None:
        for plano, codigo in keys:
            find_regra("ADM", plano, codigo, "TUSS", "2026-11-20")

    return look_up_all


def _catalogo(regras: int) -> Catalogo:
    politica = Politica(administradora_id="ADM", documento="Manual", versao="1", vigencia_inicio="2026-01-01", regras=_regras(regras))
    return Catalogo.of([politica])


def _regras(regras: int) -> tuple[Regra, ...]:
    """One in ten a prefix, one in ten for one plano alone, the rest by exact code."""
    planos = ("*", "*", "*", "*", "*", "*", "*", "*", "*", "OURO")
    return tuple(
        [
            Regra(
                regra_id=f"R-{numero}",
                codigo=f"{_codigo(numero)[:7]}*" if numero % 10 == 5 else _codigo(numero),
                cobertura="COBERTA",
                plano_id=planos[numero % 10],
            )
            for numero in range(regras)
        ]
    )


def _keys(regras: int, consultas: int) -> Sequence[tuple[str, str]]:
    sorte = Sorte(1)
    return [(sorte.choice(("OURO", "PRATA")), _codigo(sorte.randrange(regras))) for _ in range(consultas)]


def _codigo(numero: int) -> str:
    return str(10_000_000 + 37 * numero)
