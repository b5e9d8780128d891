"""Pedidos and políticas at random, drawn from pools small enough that they meet, so that every outcome is frequent.

One generator serves two masters: `random.Random` for speed, and hypothesis's own (`st.randoms`) where a failure must be made small.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any

from hypothesis import strategies as st

from oraculo import complementos
from oraculo.amostras import (
    ADMINISTRADORAS,
    CODIGOS,
    COMO_SE_ESCREVE,
    COMPLEMENTARES,
    DIA_UM,
    FREQUENCIA,
    PADROES,
    PLANOS,
    TABELAS,
    TIPOS_DE_DOCUMENTO,
    VALORES,
    VERSOES,
    Sorte,
    chance,
)
from oraculo.normalizacao import CANONICOS, OBJETOS, TEXTOS, equivalencias
from oraculo.regras import NAO_LIDAS
from oraculo.valores import fold_key

Json = dict[str, Any]
SOBRAS = (
    ("canal",),
    ("beneficiario", "nome"),
    ("convênio", "rede"),
    ("prestador", "cnpj"),
    ("Obs",),
    ("beneficiario", "observações clínicas"),
    ("Prioridade",),
    ("itens",),
)
ESTRAGOS: tuple[Any, ...] = (None, [], {}, True, False, 0, "texto", 3, ["x"], "nulo\0", {"tipo": "x"})


@dataclass(frozen=True)
class Caso:
    """A pedido, the políticas it is decided against, and the day it came."""

    pedido: Any
    politicas: list[Json]
    recebido_em: date


# --- políticas


def draw_regra(sorte: Sorte, regra_id: str, *, rica: bool = False) -> Json:
    """A regra; a `rica` one may state what came after the PRD."""
    regra: Json = {
        "regra_id": regra_id,
        "codigo": sorte.choice(PADROES),
        "cobertura": sorte.choice(("COBERTA", "COBERTA", "CONDICIONAL", "CONDICIONAL", "NAO_COBERTA")),
    }
    campos: dict[str, tuple[int, Callable[[], Any]]] = {
        "plano_id": (45, lambda: sorte.choice(("*", *PLANOS))),
        "tabela": (45, lambda: sorte.choice(("*", "TUSS", *TABELAS))),
        "documentos_obrigatorios": (40, lambda: draw_exigidos(sorte)),
        "carencia_min_dias": (40, lambda: sorte.choice((0, 1, 24, 180, 300))),
        "carencia_urgencia_dias": (25, lambda: sorte.choice((0, 1, 1, 30))),
        "restricoes_idade": (30, lambda: draw_faixa(sorte)),
        "restricoes_rede": (40, lambda: sorte.choice(("APENAS_CREDENCIADA", "APENAS_CREDENCIADA", "LIVRE"))),
        "limite_quantidade": (50, lambda: sorte.choice((1, 2, 2, 3, 10, 2.5, 0))),
        "autorizacao_previa": (40, lambda: chance(sorte, 70)),
        "coparticipacao_percentual": (40, lambda: sorte.choice((0, 10, 20, 12.5, 100))),
        "prazo_validade_autorizacao_dias": (40, lambda: sorte.choice((1, 30, 60))),
        "permite_autorizacao_condicionada": (40, lambda: chance(sorte, 60)),
        "alternativas": (50, lambda: [{"codigo": sorte.choice(CODIGOS)} for _ in range(sorte.randrange(1, 3))]),
        "excecoes": (30, lambda: draw_excecoes(sorte)),
        "observacoes": (25, lambda: sorte.choice(("Sem observações.", *NAO_LIDAS))),
    }
    if rica:
        campos |= {
            "planos": (30, lambda: sorte.sample(PLANOS, sorte.randrange(0, 3))),
            "descricao": (30, lambda: sorte.choice(("Ressonância magnética", "Hemograma completo"))),
            "tipo_atendimento": (30, lambda: sorte.choice(("EXAME", "ALTA_COMPLEXIDADE", "TERAPIA"))),
            "sexo": (30, lambda: sorte.choice("FM")),
            "cpt_meses": (35, lambda: sorte.choice((1, 6, 13, 24))),
            "valor_maximo": (35, lambda: sorte.choice((0, 1000, 1500.5))),
            "limites": (50, lambda: draw_limites(sorte)),
            "documentos_alternativos": (35, lambda: [draw_exigidos(sorte) for _ in range(sorte.randrange(0, 3))]),
        }
    for campo, (de_cem, draw) in campos.items():
        if chance(sorte, de_cem):
            regra[campo] = draw()
        elif chance(sorte, 10) and campo not in ("plano_id", "tabela", "documentos_obrigatorios", "alternativas", "excecoes"):
            regra[campo] = None
    return regra


def draw_limites(sorte: Sorte) -> list[Json]:
    limites: list[Json] = []
    for _ in range(sorte.choice((0, 1, 1, 1, 2))):
        limite: Json = {"quantidade": sorte.choice((1, 2, 2, 4, 2.5)), "periodo_dias": sorte.choice((1, 30, 365, 365))}
        limites.append({**limite, "por": sorte.choice(("CODIGO", "REGRA"))} if chance(sorte, 60) else limite)
    return limites


def draw_exigidos(sorte: Sorte) -> list[str]:
    return [sorte.choice(COMO_SE_ESCREVE[sorte.choice(TIPOS_DE_DOCUMENTO)]) for _ in range(sorte.randrange(1, 4))]


def draw_faixa(sorte: Sorte) -> Json:
    faixa: Json = {"min": sorte.choice((None, 0, 18, 40)), "max": sorte.choice((None, 60, 130))}
    return {limite: idade for limite, idade in faixa.items() if idade is not None or chance(sorte, 50)}


def draw_excecoes(sorte: Sorte) -> list[Json]:
    motivos = sorte.choice(
        (
            *(("restricao_idade",), ("carencia_nao_cumprida",), ("rede_nao_credenciada", "restricao_idade", "restricao_idade")),
            ("restricao_sexo", "restricao_idade"),
        )
    )
    return [{"motivo": motivo, "instrucao": "Encaminhar para auditoria clínica."} for motivo in motivos]


def draw_politicas(sorte: Sorte) -> list[Json]:
    """One to three versions of one administradora's document, overlapping, ending, to come; now and then another's."""
    politicas = []
    versoes = sorte.sample(VERSOES, 3)
    ricas = chance(sorte, 40)
    dona = sorte.choice(ADMINISTRADORAS)
    for numero in range(sorte.randrange(1, 4)):
        inicio = DIA_UM + timedelta(days=sorte.choice((-400, -400, -400, 0, 0, 30, 180)))
        fim = sorte.choice((None, None, None, inicio + timedelta(days=sorte.choice((0, 200, 400)))))
        regras = [draw_regra(sorte, f"R-{numero}-{posicao}", rica=ricas) for posicao in range(sorte.choice((1, 3, 5, 7, 9)))]
        if chance(sorte, 65):
            regras.append(
                {**draw_regra(sorte, f"R-{numero}-geral", rica=ricas), "codigo": "*", "plano_id": "*", "tabela": "*", "planos": None}
            )
        politica: Json = {
            "administradora_id": dona if chance(sorte, 85) else sorte.choice(ADMINISTRADORAS),
            "documento": f"Manual {sorte.choice('AB')}",
            "versao": versoes[numero],
            "vigencia_inicio": inicio.isoformat(),
            "regras": regras,
        }
        if chance(sorte, 15):
            politica["planos"] = sorte.sample((*PLANOS, "Bronze Plus", "Prata"), sorte.randrange(1, 4))
        if fim is not None or chance(sorte, 50):
            politica["vigencia_fim"] = fim.isoformat() if fim else None
        politicas.append(politica)
    return politicas


# --- the names of a pedido's fields


@cache
def origins_of(destino: str) -> tuple[str, ...]:
    return tuple(origem for origem, alvo in equivalencias().items() if alvo == destino)


def restyle(sorte: Sorte, nome: str) -> str:
    """The same name in camelCase, in capitals, with hyphens, spaces or accents; it still folds to itself."""
    palavras = nome.split("_")
    pascal = "".join(palavra.capitalize() for palavra in palavras)
    acentuado = nome.replace("codigo", "código").replace("numero", "número").replace("beneficiario", "beneficiário")
    outro = sorte.choice(
        (
            palavras[0] + pascal[len(palavras[0]) :],
            pascal,
            nome.upper(),
            nome.capitalize(),
            "-".join(palavras),
            " ".join(palavras),
            acentuado,
        )
    )
    return outro if fold_key(outro) == nome else nome


def choose_origem(sorte: Sorte, destino: str, de_cem_canonico: int) -> tuple[str, ...]:
    origem = destino if chance(sorte, de_cem_canonico) else sorte.choice(origins_of(destino))
    if destino == "procedimento.codigo" and chance(sorte, 8):
        origem = sorte.choice(("procedimento.codigo_tuss", "codigo_tuss", "servico.codigo_tuss"))
    return tuple(restyle(sorte, parte) if chance(sorte, 8) else parte for parte in origem.split("."))


def place(pedido: Json, origem: tuple[str, ...], valor: Any) -> None:
    """Puts the value at the path, unless something that is no object stands in the way, or something is there already."""
    for chave in origem[:-1]:
        pedido = pedido.setdefault(chave, {})
        if not isinstance(pedido, dict):
            return
    pedido.setdefault(origem[-1], valor)


# --- a pedido, whole and damaged


def respell(sorte: Sorte, texto: str) -> Any:
    """An id as the catalogue has it or, now and then, as people and systems mangle it."""
    if chance(sorte, 85):
        return texto
    return sorte.choice((texto.lower(), f" {texto} ", texto.replace("-", "- "), int(texto) if texto.isdigit() else texto))


def draw_pedido(sorte: Sorte, politicas: list[Json]) -> Any:
    """A pedido that most often can be read; the pools are the políticas' own."""
    pedido: Json = {}
    canonico = sorte.choice((100, 95, 60))
    campos = list(CANONICOS)
    if chance(sorte, 20):
        sorte.shuffle(campos)
    for campo in campos:
        if chance(sorte, FREQUENCIA[campo]):
            valor = VALORES[campo](sorte)
            if campo == "administradora_id" and chance(sorte, 95):
                valor = respell(sorte, politicas[0]["administradora_id"])
            place(pedido, choose_origem(sorte, campo, canonico), valor)
            if chance(sorte, 4):
                place(pedido, choose_origem(sorte, campo, 30), valor if chance(sorte, 40) else VALORES[campo](sorte))
        elif chance(sorte, 30):
            place(pedido, choose_origem(sorte, campo, 90), sorte.choice((None, "", "  ")) if campo in TEXTOS else None)
    draw_complementos(sorte, pedido)
    if chance(sorte, 15):
        place(pedido, sorte.choice(SOBRAS), sorte.choice(("x", 1, ["a"], {"b": 2})))
    if chance(sorte, 5):
        damage(sorte, pedido)
    return pedido


def draw_complementos(sorte: Sorte, pedido: Json) -> None:
    """What came after the PRD, under its name or another, now and then twice."""
    for campo, draw in COMPLEMENTARES.items():
        nomes = complementos.CAMPOS[campo][1]
        for _ in range(sorte.choice((0, 1, 1, 1, 1, 2)) if chance(sorte, 80) else 0):
            nome = campo if chance(sorte, 80) else sorte.choice(nomes)
            place(pedido, tuple(nome.split(".")), draw(sorte))


def damage(sorte: Sorte, pedido: Json) -> None:
    """A value of a type that its place cannot hold; most of these are refused."""
    lugar = sorte.choice((*TEXTOS, *OBJETOS, "documentos_anexos"))
    *ate, chave = lugar.split(".")
    objeto = pedido.setdefault(ate[0], {}) if ate else pedido
    if isinstance(objeto, dict):
        objeto[chave] = sorte.choice(ESTRAGOS)


def draw_caso(sorte: Sorte, politicas: list[Json]) -> Caso:
    return Caso(draw_pedido(sorte, politicas), politicas, DIA_UM + timedelta(days=sorte.choice((0, 29, 30, 200, 350))))


def write_json(sorte: Sorte, pedido: Any) -> bytes:
    """The bytes that arrive: compact or indented, escaped or not."""
    return json.dumps(pedido, ensure_ascii=chance(sorte, 30), indent=2 if chance(sorte, 10) else None).encode()


def casos() -> st.SearchStrategy[tuple[Caso, bytes]]:
    """A case and the bytes its pedido arrives in, for hypothesis."""

    def draw(sorte: Sorte) -> tuple[Caso, bytes]:
        caso = draw_caso(sorte, draw_politicas(sorte))
        return caso, write_json(sorte, caso.pedido)

    return st.randoms(use_true_random=False).map(draw)
