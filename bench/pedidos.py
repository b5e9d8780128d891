"""A thousand regras and as many pedidos as asked, drawn from a seed: the mix of a working day, stated in `MISTURA`."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo

Json = dict[str, Any]
Sorte = random.Random

HOJE: Final = date(2026, 11, 20)
ADMINISTRADORAS: Final = ("100001", "ADM-NORTE", "ADM-SUL", "VALE-02")
PLANOS: Final = ("OURO", "PRATA", "0007")
DOCUMENTOS: Final = {"PEDIDO_MEDICO": "Pedido médico", "LAUDO_MEDICO": "laudo-médico", "RELATORIO_CLINICO": "Relatório clínico"}

# What befalls a pedido, in a hundred of them.
MISTURA: Final[Mapping[str, int]] = {
    "em_ordem": 44,
    "documento_depois": 3,
    "acima_do_limite": 5,
    "carencia": 8,
    "idade": 5,
    "rede": 7,
    "documentos": 9,
    "sem_cobertura": 6,
    "sem_regra": 3,
    "invalido": 4,
    "varios": 6,
}
# How it is written, in a hundred: as the contract says; with other names for the fields; loosely (dates, codes, documents).
ESCRITA: Final[Mapping[str, int]] = {"contrato": 70, "outros_nomes": 15, "solta": 15}


@dataclass(frozen=True, slots=True)
class Carga:
    """What is decided, and by which rules."""

    politicas: tuple[Politica, ...]
    pedidos: tuple[bytes, ...]

    def fluxo(self) -> Fluxo:
        """The six stages over these regras."""
        return Fluxo(Catalogo.of(self.politicas))


def draw_carga(pedidos: int, regras: int = 1000, semente: int = 1) -> Carga:
    """Pedidos as the bytes that arrive, against `regras` shared out among four administradoras; the same for the same seed."""
    sorte = Sorte(semente)
    politicas = [_politica(sorte, administradora, regras // len(ADMINISTRADORAS)) for administradora in ADMINISTRADORAS]
    por_uso = _by_use(politicas)
    situacoes = sorte.choices(list(MISTURA), list(MISTURA.values()), k=pedidos)
    escritas = sorte.choices(list(ESCRITA), list(ESCRITA.values()), k=pedidos)
    textos = [
        json.dumps(_written(_pedido(sorte, por_uso, situacao, numero), escrita), ensure_ascii=False).encode()
        for numero, (situacao, escrita) in enumerate(zip(situacoes, escritas, strict=True), 1)
    ]
    return Carga(tuple([msgspec.convert(politica, Politica) for politica in politicas]), tuple(textos))


def describe_mistura(carga: Carga) -> str:
    """How the pedidos end, and on which motivos, in per cent: what the mix comes to once decided."""
    fluxo = carga.fluxo()
    finais, motivos = Counter[str](), Counter[str]()
    for pedido in carga.pedidos:
        etapas = fluxo.decide(pedido, HOJE).etapas
        finais[etapas.sintese.decisao_final] += 1
        motivos.update(motivo.partition(":")[0] for motivo in etapas.avaliacao.motivos)
    total = len(carga.pedidos)
    return "; ".join(", ".join(f"{nome} {100 * vezes / total:.0f} %" for nome, vezes in conta.most_common()) for conta in (finais, motivos))


# --- regras


def _politica(sorte: Sorte, administradora_id: str, regras: int) -> Json:
    return {
        "administradora_id": administradora_id,
        "documento": f"Manual de Autorizações {administradora_id}",
        "versao": "2026.1",
        "vigencia_inicio": "2026-01-01",
        "regras": [_regra(sorte, f"R-{numero:04}", str(40_000_000 + 37 * numero)) for numero in range(regras)],
    }


def _regra(sorte: Sorte, regra_id: str, codigo: str) -> Json:
    regra: Json = {"regra_id": regra_id, "plano_id": "*", "tabela": "*", "codigo": codigo, "cobertura": "CONDICIONAL"}
    regra["prazo_validade_autorizacao_dias"] = sorte.choice((30, 60))
    if sorte.random() < 0.1:
        outro = str(40_000_000 + 37 * sorte.randrange(200))
        return {**regra, "cobertura": "NAO_COBERTA", "alternativas": [{"codigo": outro}] if sorte.random() < 0.5 else []}
    if sorte.random() < 0.3:
        regra["cobertura"] = "COBERTA"
    if sorte.random() < 0.55:
        regra["documentos_obrigatorios"] = sorte.sample(list(DOCUMENTOS), sorte.choice((1, 1, 2)))
        regra["permite_autorizacao_condicionada"] = sorte.random() < 0.3
    if sorte.random() < 0.6:
        regra |= {"carencia_min_dias": sorte.choice((30, 90, 180, 180, 300)), "carencia_urgencia_dias": 1}
    if sorte.random() < 0.25:
        regra["restricoes_idade"] = sorte.choice(({"min": 18, "max": None}, {"min": 40, "max": 74}, {"min": None, "max": 12}))
        if sorte.random() < 0.5:
            regra["excecoes"] = [{"motivo": "restricao_idade", "instrucao": "Encaminhar para auditoria clínica."}]
    if sorte.random() < 0.4:
        regra["restricoes_rede"] = "APENAS_CREDENCIADA"
    if sorte.random() < 0.6:
        regra["limite_quantidade"] = sorte.choice((1, 2, 4, 10))
    if sorte.random() < 0.6:
        regra |= {"coparticipacao_percentual": sorte.choice((10, 20, 30)), "autorizacao_previa": True}
    return regra


_Lugar = tuple[str, Json]  # the administradora, and one of its regras


def _by_use(politicas: list[Json]) -> dict[str, list[_Lugar]]:
    """Which regras can bring each situation about."""
    todas = [(politica["administradora_id"], regra) for politica in politicas for regra in politica["regras"]]
    cobertas = [lugar for lugar in todas if lugar[1]["cobertura"] != "NAO_COBERTA"]

    def exigem(*campos: str) -> list[_Lugar]:
        return [lugar for lugar in cobertas if all(lugar[1].get(campo) for campo in campos)]

    com_documentos = exigem("documentos_obrigatorios")
    return {
        "em_ordem": cobertas,
        "documento_depois": [lugar for lugar in com_documentos if lugar[1]["permite_autorizacao_condicionada"]],
        "acima_do_limite": exigem("limite_quantidade"),
        "carencia": exigem("carencia_min_dias"),
        "idade": exigem("restricoes_idade"),
        "rede": exigem("restricoes_rede"),
        "documentos": [lugar for lugar in com_documentos if not lugar[1]["permite_autorizacao_condicionada"]],
        "sem_cobertura": [lugar for lugar in todas if lugar[1]["cobertura"] == "NAO_COBERTA"],
        "sem_regra": cobertas,
        "invalido": cobertas,
        "varios": exigem("documentos_obrigatorios", "carencia_min_dias", "restricoes_rede"),
    }


# --- pedidos


def _pedido(sorte: Sorte, por_uso: Mapping[str, list[_Lugar]], situacao: str, numero: int) -> Json:
    administradora_id, regra = sorte.choice(por_uso[situacao])
    pedido = _in_order(sorte, administradora_id, regra, numero)
    beneficiario, procedimento = pedido["beneficiario"], pedido["procedimento"]
    if situacao in ("documento_depois", "documentos", "varios"):
        pedido["documentos_anexos"] = pedido["documentos_anexos"][1:]
    if situacao in ("carencia", "varios"):
        beneficiario["carencia_cumprida_dias"] = sorte.randrange(regra["carencia_min_dias"])
    if situacao in ("rede", "varios"):
        pedido["prestador"]["tipo"] = "NÃO_CREDENCIADO"
    if situacao == "acima_do_limite":
        procedimento["quantidade"] = regra["limite_quantidade"] + sorte.randrange(1, 4)
    if situacao == "idade":
        beneficiario["idade"] = 90 if regra["restricoes_idade"]["max"] else 7
    if situacao == "sem_regra":
        procedimento["codigo"] = str(90_000_000 + numero)
    if situacao == "invalido":
        _break(sorte, pedido)
    return pedido


def _in_order(sorte: Sorte, administradora_id: str, regra: Json, numero: int) -> Json:
    faixa = regra.get("restricoes_idade") or {}
    dia = HOJE - timedelta(days=sorte.randrange(300))
    return {
        "pedido_id": f"P-{numero:07}",
        "administradora_id": administradora_id,
        "plano_id": sorte.choice(PLANOS),
        "data_pedido": dia.isoformat(),
        "data_prevista": (dia + timedelta(days=sorte.randrange(1, 40))).isoformat(),
        "urgencia": False,
        "beneficiario": {
            "id": f"B-{sorte.randrange(1_000_000):06}",
            "idade": sorte.randrange(faixa.get("min") or 0, (faixa.get("max") or 85) + 1),
            "carencia_cumprida_dias": regra.get("carencia_min_dias", 0) + sorte.randrange(2000),
        },
        "procedimento": {
            "codigo": regra["codigo"],
            "tabela": "TUSS",
            "descricao": "Procedimento de exemplo",
            "quantidade": sorte.randrange(1, regra.get("limite_quantidade", 3) + 1),
        },
        "solicitante": {"tipo": sorte.choice(("MEDICO", "CLINICA", "HOSPITAL"))},
        "prestador": {"tipo": "CREDENCIADO"},
        "documentos_anexos": [{"tipo": tipo} for tipo in regra.get("documentos_obrigatorios", ())],
    }


def _break(sorte: Sorte, pedido: Json) -> None:
    match sorte.randrange(4):
        case 0:
            pedido["procedimento"]["quantidade"] = 0
        case 1:
            pedido["data_pedido"] = "31/02/2026"
        case 2:
            del pedido["plano_id"]
        case _:
            pedido["beneficiario"]["id"] = " "


def _written(pedido: Json, escrita: str) -> Json:
    """The same pedido, the way a sender of that sort writes it."""
    match escrita:
        case "outros_nomes":
            return _renamed(pedido)
        case "solta":
            return _loosely(pedido)
        case _:
            return pedido


_OUTROS_NOMES: Final = {
    "pedido_id": "numero_guia",
    "administradora_id": "registro_ans",
    "plano_id": "codigoPlano",
    "data_pedido": "dataPedido",
}


def _renamed(pedido: Json) -> Json:
    procedimento = dict(pedido["procedimento"])
    codigo = procedimento.pop("codigo")
    renamed = {_OUTROS_NOMES.get(nome, nome): valor for nome, valor in pedido.items()}
    return {**renamed, "procedimento": procedimento, "codigo_tuss": codigo, "canal": "portal"}


def _loosely(pedido: Json) -> Json:
    procedimento = pedido["procedimento"]
    codigo = procedimento["codigo"]
    data = "/".join(reversed(pedido["data_pedido"].split("-")))
    return {
        **pedido,
        "data_pedido": data,
        "urgencia": "não",
        "procedimento": {
            **procedimento,
            "codigo": f"{codigo[0]}.{codigo[1:3]}.{codigo[3:5]}.{codigo[5:7]}-{codigo[7]}",
            "quantidade": str(procedimento["quantidade"]),
        },
        "solicitante": {"tipo": "médico"},
        "documentos_anexos": [DOCUMENTOS[documento["tipo"]] for documento in pedido["documentos_anexos"]],
    }
