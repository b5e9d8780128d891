"""Políticas of any size that are right, and the one defect that is planted in one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Documento = dict[str, Any]
_DOCUMENTOS = ("PEDIDO_MEDICO", "LAUDO_MEDICO", "EXAME_IMAGEM", "RELATORIO_MEDICO")
PLANOS = ("PRATA", "OURO", "BRONZE")


def limpa(semente: int, tamanho: int, **cabeca: Any) -> Documento:
    """A document of that many regras in which nothing is wrong."""
    acaso = Random(semente)  # noqa: S311 - invented documents, no secret
    codigos = acaso.sample(range(10_000_000, 99_999_999), tamanho)
    regras = [_regra(acaso, f"R-{numero}", str(codigo)) for numero, codigo in enumerate(codigos)]
    unicas = {(regra["codigo"], regra.get("plano_id"), regra.get("tabela")): regra for regra in regras}
    head = {"administradora_id": "ADM-9", "documento": "Manual", "versao": "1.0", "vigencia_inicio": "2026-01-01", "vigencia_fim": None}
    return {**head, **cabeca, "regras": list(unicas.values())}


def _regra(acaso: Random, regra_id: str, codigo: str) -> Documento:
    def often(chance: float, **campos: Any) -> Documento:
        return campos if acaso.random() < chance else {}

    chave: Documento = {"regra_id": regra_id, "codigo": codigo[:6] + "*" if acaso.random() < 0.2 else codigo}
    chave |= often(0.3, plano_id=acaso.choice(PLANOS)) | often(0.5, tabela=acaso.choice(("TUSS", "CBHPM")))
    if acaso.random() < 0.1:
        return {**chave, "cobertura": "NAO_COBERTA"}
    return {
        **chave,
        "cobertura": "COBERTA",
        **often(0.4, cobertura="CONDICIONAL", documentos_obrigatorios=acaso.sample(_DOCUMENTOS, acaso.randint(1, 3))),
        **often(0.5, carencia_min_dias=acaso.choice((30, 90, 180)), carencia_urgencia_dias=1),
        **often(0.4, limite_quantidade=acaso.randint(1, 20)),
        **often(0.3, restricoes_idade={"min": acaso.choice((None, 12, 18)), "max": acaso.choice((None, 40, 75))}),
        **often(0.3, restricoes_rede="APENAS_CREDENCIADA"),
    }


def _sound(documento: Documento) -> Documento:
    """A regra to harm: covered, and of one code that no other has."""
    regra: Documento = {"regra_id": "ALVO", "codigo": "31602312", "cobertura": "COBERTA", "tabela": "TUSS"}
    documento["regras"].insert(len(documento["regras"]) // 2, regra)
    return regra


def _conflito(documento: Documento) -> str:
    alvo = _sound(documento) | {"limite_quantidade": 12}
    _put(documento, alvo)
    documento["regras"].append({**alvo, "regra_id": "DEPOIS", "codigo": "3.16.02.31-2", "limite_quantidade": 20})
    return "DEPOIS"


def _repetida(documento: Documento) -> str:
    documento["regras"].append({**_sound(documento), "regra_id": "DEPOIS"})
    return "DEPOIS"


def _plano_de_fora(documento: Documento) -> str:
    documento["planos"] = list(PLANOS)
    _put(documento, _sound(documento) | {"plano_id": "DIAMANTE"})
    return "ALVO"


def _atras_dos_planos(documento: Documento) -> str:
    documento["planos"] = list(PLANOS)
    alvo = _sound(documento)
    for plano in PLANOS:
        documento["regras"].append({**alvo, "regra_id": f"DO-{plano}", "plano_id": plano, "limite_quantidade": 3})
    return "ALVO"


def _put(documento: Documento, regra: Documento) -> str:
    documento["regras"] = [regra if uma["regra_id"] == "ALVO" else uma for uma in documento["regras"]]
    return "ALVO"


def _with(**campos: Any) -> Callable[[Documento], str]:
    return lambda documento: _put(documento, _sound(documento) | campos)


DEFEITOS: Mapping[str, tuple[str, Callable[[Documento], str]]] = {
    "duas regras contrárias": ("regras_conflitantes", _conflito),
    "a mesma regra duas vezes": ("regra_inalcancavel", _repetida),
    "um plano que não é declarado": ("regra_inalcancavel", _plano_de_fora),
    "todos os planos têm regra própria": ("regra_inalcancavel", _atras_dos_planos),
    "carência de 210 dias": ("teto_legal_carencia", _with(carencia_min_dias=210, carencia_urgencia_dias=1)),
    "carência de 301 dias no parto": ("teto_legal_carencia", _with(codigo="31309127", carencia_min_dias=301)),
    "urgência de três dias": ("teto_legal_carencia", _with(carencia_min_dias=30, carencia_urgencia_dias=3)),
    "limite zero": ("limite_invalido", _with(limite_quantidade=0)),
    "limite de duas e meia": ("limite_invalido", _with(limite_quantidade=2.5)),
    "espera de 36 meses por preexistência": ("cpt_acima_da_lei", _with(cpt_meses=36)),
    "valor máximo zero": ("limite_invalido", _with(valor_maximo=0)),
    "limite por pedido acima do limite do ano": (
        "limite_invalido",
        _with(limite_quantidade=9, limites=[{"quantidade": 4, "periodo_dias": 365, "por": "CODIGO"}]),
    ),
    "limite do mês acima do limite do ano": (
        "limite_invalido",
        _with(limites=[{"quantidade": 9, "periodo_dias": 30}, {"quantidade": 4, "periodo_dias": 365}]),
    ),
    "documento mal escrito num grupo": ("documento_desconhecido", _with(documentos_alternativos=[["LAUDO_MEDCO", "EXAME_IMAGEM"]])),
    "ninguém tem essa idade": ("faixa_etaria_vazia", _with(restricoes_idade={"min": 60, "max": 18})),
    "condicional de nada": ("condicional_sem_condicao", _with(cobertura="CONDICIONAL")),
    "alternativa sem regra": ("alternativa_nao_coberta", _with(cobertura="NAO_COBERTA", alternativas=[{"codigo": "ZZZ-77"}])),
    "documento mal escrito": ("documento_desconhecido", _with(documentos_obrigatorios=["LAUDO_MEDCO", "PEDIDO_MEDICO"])),
    "documento inventado": ("documento_desconhecido", _with(documentos_obrigatorios=["CERTIDAO_DE_BATISMO_ANTIGO"])),
    "frase que ninguém leu": ("observacao_nao_lida", _with(observacoes="Limite de 3 sessões por semestre, vedado ao plano empresarial.")),
}
