"""Puts the sample together: texts and edital are data, people and papers are made, and what `plantados.json` says is planted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

from crivo.triagem.amostra import arquivos, papeis, pessoas
from crivo.triagem.amostra.dados import data
from crivo.triagem.amostra.papeis import Papel, titular_of

_FILE_OF: Final = {
    "REQ-1": "certidao-municipal.pdf",
    "REQ-2": "certidao-federal.pdf",
    "REQ-3": "identidade.pdf",
    "REQ-4": "residencia.pdf",
    "REQ-5": "portfolio.pdf",
    "REQ-6": "anuencia.docx",
    "REQ-7": "declaracao.pdf",
}
_ISSUED: Final = date(2026, 8, 20)
_VALID: Final = date(2026, 12, 20)
_REFERENCE: Final = date(2026, 9, 15)
_TOO_OLD: Final = date(2026, 4, 2)
_DEBT_SUSPENDED: Final = "P001"
_LAST_DAY: Final = "P005"  # its federal certificate ends on the very day asked for
_BAND: Final = "P006"
_DEAR: Final = {"P026": 9}  # a budget far above the ceiling
_NEWCOMER: Final = "P035"
_CATEGORIAS: Final = {
    **dict.fromkeys(("Música", "Dança"), "Música e dança"),
    **dict.fromkeys(("Teatro", "Audiovisual", "Artes visuais"), "Cena e imagem"),
    **dict.fromkeys(("Literatura", "Patrimônio", "Cultura popular"), "Palavra e memória"),
}
_NO_COTA: Final = "nenhuma"
_EVALUATORS_DOMAIN: Final = {"P015": "contato@oficinadaterra.exemplo"}


def write_sample(folder: Path, quantos: int | None = None, feito: Mapping[str, Any] | None = None, **mudado: Any) -> Path:
    """Write the call as an import: `edital.json` and a folder of documents; the path of the file.

    `quantos` leaves all projects but the first so many out, and with them whoever judges; `feito` is what people did already, which is said
    too; `mudado` is said of the edital instead.
    """
    chamada = {**data("edital"), "projetos": [_projeto(texto) for texto in data("projetos")[:quantos]], **(feito or {})}
    chamada["edital"] = {**chamada["edital"], **mudado}
    if quantos is not None:
        chamada["avaliadores"] = []
    for projeto in chamada["projetos"]:
        place = folder / "documentos" / projeto["id"]
        place.mkdir(parents=True, exist_ok=True)
        for nome, content in _papers(projeto).items():
            (place / nome).write_bytes(content)
    path = folder / "edital.json"
    path.write_text(json.dumps(chamada, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def gabarito() -> dict[str, Any]:
    """What screening should find in the sample, in the shape of its JSON export: every item, and every irregularity planted."""
    planted = data("plantados")
    faults = {(fault["projeto"], fault["requisito"]): fault["defeito"] for fault in planted["papeis"]}
    faults |= {(fault["projeto"], fault["requisito"]): "condicao_nao_atendida" for fault in planted["condicoes"]}
    requisitos = data("edital")["requisitos"]
    projetos = [
        {
            "projeto_id": texto["id"],
            "itens": [
                {"requisito": r["id"], "situacao": "nao_atende" if motivo else "atende", "motivo": motivo}
                for r in requisitos
                for motivo in [faults.get((texto["id"], r["id"]))]
            ],
        }
        for texto in data("projetos")
    ]
    marks = [*planted["textos"], *planted["orcamentos"], *planted["pessoas"]]
    irregularidades = [{"tipo": mark["tipo"], "projetos": mark["projetos"]} for mark in marks]
    for mark in planted["ocultos"]:
        file = f"documentos/{mark['projeto']}/{_FILE_OF[mark['requisito']]}"
        irregularidades += [
            {"tipo": tipo, "projetos": [mark["projeto"]], "arquivo": file} for tipo in ("texto_oculto", "texto_instrucional")
        ]
    irregularidades += [
        {"tipo": "texto_instrucional", "projetos": [mark["projeto"]], "campo": mark["campo"]} for mark in planted["instrucoes"]
    ]
    return {"edital_id": data("edital")["edital"]["id"], "projetos": projetos, "irregularidades": irregularidades}


def _projeto(texto: Mapping[str, Any]) -> dict[str, Any]:
    key, area = texto["id"], texto["categoria"]
    itens, quem = _budget(key, area), proponente_of(key)
    total = sum(Decimal(str(item["valor_unitario"])) * item["quantidade"] for item in itens)
    fields = {
        "municipio": texto["municipio"],
        "area": area,
        "valor_total": float(total),
        "anos_de_atuacao": 1 if key == _NEWCOMER else 2 + pessoas.number(key + "anos", 20),
        "cota": _NO_COTA,
        "estreante": False,
        "mestre": False,
        **({} if "responsavel" in quem else {"idade": 22 + pessoas.number(key + "idade", 55)}),
        **data("declarado")["campos"].get(key, {}),
    }
    sent = {requisito: nome for requisito, nome in _FILE_OF.items() if (key, requisito) not in _absent()}
    return {
        "id": key,
        "titulo": texto["titulo"],
        "categoria": _CATEGORIAS[area],
        "enviado_em": data("declarado")["enviado_em"].get(key)
        or f"2026-09-{1 + pessoas.number(key + 'dia', 15):02d}T{8 + pessoas.number(key, 10):02d}:30:00-03:00",
        "resumo": texto["resumo"],
        "descricao_tecnica": " ".join((texto["descricao_tecnica"], *_said_to_machines(key))),
        "proponente": quem,
        "campos": fields,
        "orcamento_itens": itens,
        "cronograma_etapas": pessoas.calendar(key),
        "documentos": [{"requisito": requisito, "arquivo": f"documentos/{key}/{nome}"} for requisito, nome in sent.items()],
    }


def proponente_of(projeto: str) -> dict[str, Any]:
    """Who proposes a project, as an import says it."""
    texto = next(one for one in data("projetos") if one["id"] == projeto)
    made = pessoas.proponente(texto["proponente"], texto["municipio"], texto["id"])
    for mark in data("plantados")["pessoas"]:
        if mark["tipo"] == "proponente_repetido" and texto["id"] in mark["projetos"]:
            made["banco"] = pessoas.bank(mark["projetos"][0])
    return {**made, "email": _EVALUATORS_DOMAIN.get(texto["id"], made["email"])}


def _budget(key: str, categoria: str) -> list[dict[str, Any]]:
    for mark in data("plantados")["orcamentos"]:
        if key not in mark["projetos"]:
            continue
        if mark["tipo"] == "preco_discrepante":
            lines = pessoas.budget(categoria, key)
            return [{**line, "valor_unitario": float(mark["valor"])} if line["descricao"] == mark["item"] else line for line in lines]
        first, second = mark["projetos"]
        factor = Decimal(mark["fator"]) if key == second else Decimal(1)
        return [_scaled(line, factor) for line in pessoas.budget(categoria, first)]
    return [{**line, "quantidade": line["quantidade"] * _DEAR.get(key, 1)} for line in pessoas.budget(categoria, key)]


def _scaled(line: Mapping[str, Any], factor: Decimal) -> dict[str, Any]:
    price = (Decimal(str(line["valor_unitario"])) * factor).quantize(Decimal("0.01"))
    return {**line, "valor_unitario": float(price)}


def _papers(projeto: Mapping[str, Any]) -> dict[str, bytes]:
    key = projeto["id"]
    faults = {fault["requisito"]: fault for fault in data("plantados")["papeis"] if fault["projeto"] == key}
    hidden = {mark["requisito"]: mark for mark in data("plantados")["ocultos"] if mark["projeto"] == key}
    made: dict[str, bytes] = {}
    for requisito, nome in _FILE_OF.items():
        fault = faults.get(requisito)
        if fault is not None and fault["defeito"] == "documento_ausente":
            continue
        if fault is not None and fault["defeito"] == "documento_repetido":
            made[nome] = made[_FILE_OF[fault["igual_a"]]]
        else:
            papel = _papel(projeto, requisito, fault["defeito"] if fault else "")
            made[nome] = _draw(papel, nome, fault["defeito"] if fault else "", hidden.get(requisito))
    return made


def _draw(papel: Papel, nome: str, defeito: str, hidden: Mapping[str, Any] | None) -> bytes:
    match defeito:
        case "documento_vazio":
            return arquivos.blank_pdf()
        case "documento_corrompido":
            return arquivos.pdf(papel)[:700]
        case "documento_protegido":
            return arquivos.pdf(papel, senha="semente")
        case "formato_nao_aceito":
            return arquivos.docx(papel)  # under the name of a PDF
    if nome.endswith(".docx"):
        return arquivos.docx(papel, hidden["texto"] if hidden else None)
    return arquivos.pdf(papel, (hidden["truque"], hidden["texto"]) if hidden else None)


def _papel(projeto: Mapping[str, Any], requisito: str, defeito: str) -> Papel:
    key, municipio = projeto["id"], projeto["campos"]["municipio"]
    other = defeito == "documento_de_terceiro"
    named = pessoas.proponente(pessoas.person_of(key + "outro"), municipio, key + "outro") if other else projeto["proponente"]
    whole, person = titular_of(named), titular_of(named, pessoa=True)
    old = defeito == "documento_vencido"
    makers: Mapping[str, Callable[[], Papel]] = {
        "REQ-1": lambda: papeis.certidao_municipal(
            whole, municipio, _TOO_OLD if old else _ISSUED, date(2026, 9, 14) if old else _VALID, com_debito_suspenso=key == _DEBT_SUSPENDED
        ),
        "REQ-2": lambda: papeis.certidao_federal(whole, _ISSUED, _REFERENCE if key == _LAST_DAY else _VALID),
        "REQ-3": lambda: papeis.identidade(person),
        "REQ-4": lambda: papeis.residencia(person, _TOO_OLD if old else _ISSUED),
        "REQ-5": lambda: papeis.portfolio(
            projeto["proponente"]["nome"], projeto["campos"]["area"], projeto["descricao_tecnica"], faixa=key == _BAND
        ),
        "REQ-6": lambda: (
            papeis.curriculo(projeto["proponente"]["nome"])
            if defeito == "documento_tipo_errado"
            else papeis.anuencia(projeto["proponente"]["nome"], projeto["titulo"], municipio, _ISSUED)
        ),
        "REQ-7": lambda: papeis.declaracao(whole, municipio, _ISSUED),
    }
    return makers[requisito]()


def _said_to_machines(key: str) -> list[str]:
    return [mark["texto"] for mark in data("plantados")["instrucoes"] if mark["projeto"] == key]


@cache
def _absent() -> frozenset[tuple[str, str]]:
    faults = data("plantados")["papeis"]
    return frozenset((fault["projeto"], fault["requisito"]) for fault in faults if fault["defeito"] == "documento_ausente")
