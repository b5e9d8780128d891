"""RF1 stated a second time, slowly: what a pedido says, in the one shape that the rules read.

Written from the PRD and the design alone, so that two people who read the same text must come to the same decision.
Plain dicts and lists in, plain dicts and lists out; nothing is shared with the product but the table of
equivalent fields, which is data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from oraculo.valores import (
    age,
    drop_accents,
    fold_documento,
    fold_key,
    is_blank,
    normalize_codigo,
    read_data,
    read_dias,
    read_idade,
    read_nascimento,
    read_numero,
    read_sim_ou_nao,
    read_texto,
)

EQUIVALENCIAS = Path(__file__).resolve().parents[3] / "src/crivo/autorizacoes/equivalencias.json"

OBRIGATORIOS = ("pedido_id", "administradora_id", "plano_id", "beneficiario.id", "procedimento.codigo", "procedimento.quantidade")
TEXTOS = (
    *("pedido_id", "administradora_id", "plano_id", "beneficiario.id", "procedimento.codigo", "procedimento.descricao"),
    *("procedimento.tabela", "solicitante.tipo", "prestador.tipo"),
)
DATAS = ("data_pedido", "data_prevista", "beneficiario.data_nascimento")
MEDIDAS = ("procedimento.quantidade", "beneficiario.idade", "beneficiario.carencia_cumprida_dias", "urgencia")
CANONICOS = (*TEXTOS, *DATAS, *MEDIDAS, "beneficiario.preexistencias", "documentos_anexos")
OBJETOS = ("beneficiario", "procedimento", "solicitante", "prestador")

DOMINIOS = {
    "solicitante.tipo": ({"MEDICO": "MEDICO", "CLINICA": "CLINICA", "HOSPITAL": "HOSPITAL"}, None),
    "prestador.tipo": (
        dict.fromkeys(("CREDENCIADO", "CRED", "CREDENCIADA", "REDE_CREDENCIADA", "REDE_PROPRIA", "NA_REDE"), "CREDENCIADO")
        | dict.fromkeys(("NAO_CREDENCIADO", "NAO_CREDENCIADA", "FORA_DA_REDE", "OUT_OF_NETWORK"), "NÃO_CREDENCIADO"),
        None,
    ),
    "procedimento.tabela": (
        {"TUSS": "TUSS", "22": "TUSS", "CBHPM": "CBHPM", "OUTRA": "OUTRA", "18": "OUTRA", "00": "OUTRA", "98": "OUTRA"},
        "OUTRA",
    ),
}


class Recusado(Exception):
    """The pedido cannot be read, so nothing is decided about it."""


@dataclass(frozen=True)
class Candidato:
    """A value that may fill a canonical field: where it stood, as written, and how it ranks (lower wins)."""

    destino: str
    origem: tuple[str, ...]
    valor: Any
    posto: tuple[int, int]

    @property
    def caminho(self) -> str:
        """The path as the pedido spells it."""
        return ".".join(self.origem)

    @property
    def por_tuss(self) -> bool:
        """Whether it won for being a TUSS code."""
        return self.posto[0] == 0

    @property
    def canonico(self) -> bool:
        """Whether it stands in the field itself, however spelled."""
        return self.posto[0] in (1, 2)

    @property
    def exato(self) -> bool:
        """Whether the pedido already calls it by its canonical name."""
        return self.caminho == self.destino


@cache
def equivalencias() -> dict[str, str]:
    """The product's own base table, origin → destination, in its order."""
    tabela: dict[str, str] = json.loads(EQUIVALENCIAS.read_text(encoding="utf-8"))
    return tabela


# --- which value fills which field


def refuse_unreadable_text(valor: Any) -> None:
    """NUL and lone surrogates are refused wherever text stands, keys included."""
    if isinstance(valor, str) and any(letra == "\0" or "\ud800" <= letra <= "\udfff" for letra in valor):
        raise Recusado("texto ilegível")
    if isinstance(valor, dict):
        for chave, filho in valor.items():
            refuse_unreadable_text(chave)
            refuse_unreadable_text(filho)
    if isinstance(valor, list):
        for filho in valor:
            refuse_unreadable_text(filho)


def rank(origem: tuple[str, ...], dobrada: str, destino: str, ordem: dict[str, int]) -> tuple[int, int]:
    """codigo_tuss, then the canonical name as spelled, then spelled otherwise, then the table's order."""
    if destino == "procedimento.codigo" and dobrada.split(".")[-1] == "codigo_tuss":
        return (0, ordem[dobrada])
    if dobrada == destino:
        return (1, 0) if ".".join(origem) == destino else (2, 0)
    return (3, ordem[dobrada])


def put(extras: dict[str, Any], origem: tuple[str, ...], valor: Any) -> None:
    for chave in origem[:-1]:
        extras = extras.setdefault(chave, {})
    extras[origem[-1]] = valor


def find_candidates(pedido: dict[str, Any], tabela: dict[str, str], alertas: list[str], extras: dict[str, Any]) -> Iterator[Candidato]:
    """Every value that may fill a canonical field, in document order; what no table knows goes to `extras`."""
    notas = ("observacao", "observacoes", "obs", "observacoes_clinicas", "justificativa")
    ordem = {origem: posicao for posicao, origem in enumerate(tabela)}
    objetos = {*OBJETOS, *(chave.rsplit(".", 1)[0] for chave in tabela if "." in chave)}

    def walk(objeto: dict[str, Any], ate_aqui: tuple[str, ...]) -> Iterator[Candidato]:
        for chave, valor in objeto.items():
            origem = (*ate_aqui, chave)
            dobrada = ".".join(fold_key(parte) for parte in origem)
            destino = dobrada if dobrada in CANONICOS else tabela.get(dobrada)
            if dobrada in objetos and isinstance(valor, dict):
                yield from walk(valor, origem)
            elif destino is not None:
                yield Candidato(destino, origem, valor, rank(origem, dobrada, destino, ordem))
            elif dobrada not in objetos:
                put(extras, origem, valor)
                nome, diz = dobrada.split(".")[-1], not is_blank(valor) and valor != [] and valor is not False
                if diz and nome in (*notas, "prioridade", "itens"):
                    alertas.append(f"{'observacao_do_pedido_nao_lida' if nome in notas else 'campo_nao_lido'}:{'.'.join(origem)}")
            elif valor is not None:
                raise Recusado(f"{dobrada} não é um objeto")

    yield from walk(pedido, ())


def check_structure(candidato: Candidato) -> None:
    """A text field holds text or a number; documentos_anexos holds a list. Anything else is refused, not decided.

    Said of the field itself and of whatever fills it; another name's value that fills nothing is merely kept.
    """
    if candidato.destino in TEXTOS and isinstance(candidato.valor, bool | list | dict):
        raise Recusado(candidato.caminho)
    if candidato.destino == "documentos_anexos" and not isinstance(candidato.valor, list | None):
        raise Recusado(candidato.caminho)


def is_same(destino: str, um: Any, outro: Any) -> bool:
    """Text is compared as it would be read, and a code as it would be looked up; anything else as it was sent."""
    if destino in TEXTOS:
        textos = {read_texto(um) or "", read_texto(outro) or ""}
        return len({normalize_codigo(texto) for texto in textos} if destino == "procedimento.codigo" else textos) == 1
    return isinstance(um, bool) == isinstance(outro, bool) and bool(um == outro)


def choose(pedido: dict[str, Any], tabela: dict[str, str], alertas: list[str], extras: dict[str, Any]) -> dict[str, Candidato]:
    """The candidate that fills each field, with the alerts about those that were mapped and those that lost."""
    por_destino: dict[str, list[Candidato]] = {}
    for candidato in find_candidates(pedido, tabela, alertas, extras):
        if candidato.canonico:
            check_structure(candidato)
        if candidato.valor is None or (candidato.destino != "beneficiario.preexistencias" and is_blank(candidato.valor)):
            continue
        por_destino.setdefault(candidato.destino, []).append(candidato)
    escolhidos = {}
    for destino, candidatos in por_destino.items():
        escolhido, *perdedores = sorted(candidatos, key=lambda candidato: candidato.posto)
        check_structure(escolhido)
        escolhidos[destino] = escolhido
        if not escolhido.exato:
            alertas.append(f"campo_mapeado:{destino}<-{escolhido.caminho}")
        for perdedor in perdedores:
            if not is_same(destino, perdedor.valor, escolhido.valor):
                alertas.append(f"campo_divergente:{destino}<-{perdedor.caminho}")
                put(extras, perdedor.origem, perdedor.valor)
    return escolhidos


# --- the fields


def iso(data: date | None) -> str | None:
    return data.isoformat() if data else None


def fold_dominio(campo: str, texto: str | None, alertas: list[str]) -> str | None:
    if texto is None:
        return None
    valores, desconhecido = DOMINIOS[campo]
    dobrado = re.sub(r"[\s_-]+", "_", drop_accents(texto.upper()))
    if dobrado not in valores:
        alertas.append(f"valor_fora_do_dominio:{campo}")
    return valores.get(dobrado, desconhecido)


SITUACOES = {"rejeitado": "recusado", "recusada": "recusado", "vencido": "vencido", "expired": "vencido", "pendente": "pendente"}
SITUACOES |= dict.fromkeys(("aprovado", "enviado", "ok"), "aceito")


def end_of_month(valor: Any) -> date | None:
    """The last day of `09/2026` or `2026-09`."""
    mes = (
        re.fullmatch(r"(?:(?P<m>\d\d?)[/-](?P<a>\d{4})|(?P<a2>\d{4})[/-](?P<m2>\d\d?))", valor.strip()) if isinstance(valor, str) else None
    )
    if mes is None or not 1 <= int(mes["m"] or mes["m2"]) <= 12 or not 1900 <= int(mes["a"] or mes["a2"]) <= 2199:
        return None
    seguinte = date(int(mes["a"] or mes["a2"]), int(mes["m"] or mes["m2"]), 28) + timedelta(days=4)
    return seguinte - timedelta(days=seguinte.day)


def against(item: dict[str, Any], em: date | None) -> list[str]:
    """What a document says against itself (refused, overdue, still to come), and `?` with each field of it that cannot be read."""
    ditos = []
    if situacao := item.get("status"):
        dita = drop_accents(situacao).strip().lower()
        contra = SITUACOES.get(dita.split(" ")[0], "aceito")  # what speaks against it may go on: `recusado pela auditoria`
        ditos.append(SITUACOES.get(dita, "?status") if contra == "aceito" else contra)
    if re.search(r"\w", item.get("motivo_recusa") or ""):
        ditos.append("recusado")
    if item.get("validade") not in (None, ""):
        ate = read_data(item["validade"]) or end_of_month(item["validade"])
        ditos.append("?validade" if ate is None else "vencido" if em is not None and ate < em else "aceito")
    return [dito for dito in ditos if dito != "aceito"]


def read_documentos(itens: list[Any] | None, em: date | None, alertas: list[str]) -> list[dict[str, str]]:
    """The documents that count, each once: one that was refused, is overdue on that day or is still to come does not."""
    tipos: list[str] = []
    ditos: list[str] = []
    for item in itens or []:
        tipo = item.get("tipo") if isinstance(item, dict) else item
        if not isinstance(tipo, str):
            raise Recusado("documento sem tipo")
        dito = fold_documento(tipo)
        contra = against(item, em) if isinstance(item, dict) and dito else []
        if all(um.startswith("?") for um in contra):
            tipos.append(dito)
        ditos += [f"valor_fora_do_dominio:documentos_anexos.{um[1:]}" if um[0] == "?" else f"documento_{um}:{dito}" for um in contra]
    alertas += dict.fromkeys(ditos)
    return [{"tipo": tipo} for tipo in dict.fromkeys(tipos) if tipo]


def settle_datas(bruto: dict[str, Any], recebido_em: date, erros: list[str], alertas: list[str]) -> dict[str, date | None]:
    datas = {campo: read_data(bruto[campo]) for campo in ("data_pedido", "data_prevista")}
    amanha = recebido_em + timedelta(days=1)
    for campo, lida in datas.items():
        if lida is None and not is_blank(bruto[campo]):
            erros.append(f"{campo}_invalida")
        elif campo == "data_pedido" and lida is not None and lida > amanha:
            erros.append("data_pedido_no_futuro")
    if is_blank(bruto["data_pedido"]):
        datas["data_pedido"] = recebido_em
        alertas.append("data_pedido_presumida")
    return datas


def settle_quantidade(valor: Any, erros: list[str]) -> int | float | None:
    quantidade = read_numero(valor)
    if is_blank(valor) or (quantidade is not None and quantidade > 0):
        return quantidade
    erros.append("quantidade_invalida")
    return None


UNREAD = {
    "data_pedido_invalida": "data_pedido",
    "data_prevista_invalida": "data_prevista",
    "data_nascimento_invalida": "beneficiario.data_nascimento",
    "quantidade_invalida": "procedimento.quantidade",
    "carencia_invalida": "beneficiario.carencia_cumprida_dias",
}


def keep_unread(bruto: dict[str, Any], ditos: list[str], extras: dict[str, Any]) -> None:
    """What a known field held and could not be read stays in the extras."""
    for dito in dict.fromkeys(ditos):
        campo = dito.removeprefix("valor_fora_do_dominio:") if dito.startswith("valor_fora_do_dominio:") else UNREAD.get(dito)
        if campo in CANONICOS:
            put(extras, tuple(campo.split(".")), bruto[campo])


def settle_idade(
    informada: Any, nascimento: Any, data_pedido: date | None, recebido_em: date, alertas: list[str]
) -> tuple[int | None, date | None]:
    """The age and the birth date that can be relied on."""
    idade, nascido = read_idade(informada), read_nascimento(nascimento, data_pedido or recebido_em)
    calculada = age(nascido, data_pedido) if nascido and data_pedido else None
    if (not is_blank(nascimento) and nascido is None) or (calculada is not None and not 0 <= calculada <= 130):
        alertas.append("data_nascimento_invalida")
        nascido = calculada = None
    if idade is not None and calculada is not None and idade != calculada:
        alertas.append("idade_divergente")
    if idade is None and not is_blank(informada):
        alertas.append("valor_fora_do_dominio:beneficiario.idade")
    if idade is None and calculada is None:
        alertas.append("idade_nao_informada")
    return (calculada if idade is None else idade), nascido


def settle_carencia(valor: Any, alertas: list[str]) -> int | float | None:
    if is_blank(valor):
        alertas.append("carencia_nao_informada")
        return None
    dias = read_dias(valor)
    if dias is None or dias < 0:
        alertas.append("carencia_invalida")
        return None
    return dias


def settle_urgencia(valor: Any, mesmo_dia: bool, erros: list[str], alertas: list[str]) -> bool:
    """An urgency that says neither yes nor no is told, and the pedido waits for one of them."""
    if is_blank(valor):
        if mesmo_dia:
            alertas.append("urgencia_presumida_falsa")
        return False
    dito = read_sim_ou_nao(valor)
    if dito is None:
        alertas.append("valor_fora_do_dominio:urgencia")
        erros.append("valor_fora_do_dominio:urgencia")
    return dito is True


def normalizar(pedido: Any, recebido_em: date, tabela: dict[str, str]) -> dict[str, Any]:
    """RF1: the normalised pedido, what blocks it, and what should be looked at. Raises Recusado."""
    if not isinstance(pedido, dict):
        raise Recusado("a raiz não é um objeto")
    refuse_unreadable_text(pedido)
    alertas: list[str] = []
    extras: dict[str, Any] = {}
    escolhidos = choose(pedido, tabela, alertas, extras)
    bruto = {campo: escolhidos[campo].valor if campo in escolhidos else None for campo in CANONICOS}
    for campo in ("pedido_id", "beneficiario.id"):  # a number without a letter, or a figure but zeros, is nobody's: record 0092
        dito = read_texto(bruto[campo])
        if dito is not None and not any(letra.isalnum() and letra != "0" for letra in dito):
            put(extras, tuple(campo.split(".")), bruto[campo])
            bruto[campo] = None

    erros = [f"campo_obrigatorio_ausente:{campo}" for campo in OBRIGATORIOS if is_blank(bruto[campo])]
    datas = settle_datas(bruto, recebido_em, erros, alertas)
    quantidade = settle_quantidade(bruto["procedimento.quantidade"], erros)
    enums = {campo: fold_dominio(campo, read_texto(bruto[campo]), alertas) for campo in DOMINIOS}
    codigo = escolhidos.get("procedimento.codigo")
    if codigo is not None and codigo.por_tuss and is_blank(bruto["procedimento.tabela"]):
        enums["procedimento.tabela"] = "TUSS"
    normalizado = compose(bruto, datas, recebido_em, quantidade, enums, erros, alertas, extras)
    if quantidade is not None and quantidade % 1 and (quantidade < 1 or enums["procedimento.tabela"] != "OUTRA"):
        alertas.append("quantidade_fracionada")
    keep_unread(bruto, [*erros, *alertas], extras)
    return {
        "pedido_normalizado": normalizado,
        "erros_bloqueantes": erros,
        "alertas": alertas,
        "pedido_valido": not erros,
    }


def compose(
    bruto: dict[str, Any],
    datas: dict[str, date | None],
    recebido_em: date,
    quantidade: int | float | None,
    enums: dict[str, str | None],
    erros: list[str],
    alertas: list[str],
    extras: dict[str, Any],
) -> dict[str, Any]:
    """The pedido in the one shape."""
    texto = {campo: read_texto(bruto[campo]) for campo in TEXTOS}
    pedido_em, prevista_em = datas["data_pedido"], datas["data_prevista"]
    idade, nascimento = settle_idade(bruto["beneficiario.idade"], bruto["beneficiario.data_nascimento"], pedido_em, recebido_em, alertas)
    return {
        "pedido_id": texto["pedido_id"],
        "administradora_id": texto["administradora_id"],
        "plano_id": texto["plano_id"],
        "data_pedido": iso(pedido_em),
        "data_prevista": iso(prevista_em),
        "urgencia": settle_urgencia(bruto["urgencia"], pedido_em is not None and pedido_em == prevista_em, erros, alertas),
        "beneficiario": {
            "id": texto["beneficiario.id"],
            "idade": idade,
            "data_nascimento": iso(nascimento),
            "carencia_cumprida_dias": settle_carencia(bruto["beneficiario.carencia_cumprida_dias"], alertas),
            "preexistencias": bruto["beneficiario.preexistencias"],
        },
        "procedimento": {
            "codigo": normalize_codigo(texto["procedimento.codigo"]) if texto["procedimento.codigo"] else None,
            "tabela": enums["procedimento.tabela"],
            "descricao": texto["procedimento.descricao"],
            "quantidade": quantidade,
        },
        "solicitante": {"tipo": enums["solicitante.tipo"]},
        "prestador": {"tipo": enums["prestador.tipo"]},
        "documentos_anexos": read_documentos(bruto["documentos_anexos"], pedido_em, alertas),
        "extras": extras,
    }
