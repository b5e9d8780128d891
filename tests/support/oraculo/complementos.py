"""What came after the PRD, stated a second time: sex, value, history, pre-existing conditions, limits by period, documents by groups.

Source: design, "Richer regras"; record 0076.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from oraculo.valores import fold_id, fold_key, is_blank, normalize_codigo, read_data, read_numero, read_texto

Json = dict[str, Any]

# Each field with the one of a regra that asks for it, and the names that it is drawn under.
CAMPOS = {
    "beneficiario.sexo": ("sexo", ("beneficiario.sexo", "sexo_beneficiario", "paciente.sexo")),
    "procedimento.valor": ("valor_maximo", ("procedimento.valor", "servico.valor", "valor_total")),
    "historico": ("limites", ("historico", "utilizacoes", "beneficiario.historico")),
}
SEXOS = {"F": "F", "feminino": "F", "Mulher": "F", "M": "M", "MASCULINO": "M", "homem": "M"}
NAO_CONFORMIDADES = {
    *("cobertura_parcial_temporaria", "restricao_sexo", "sexo_nao_informado", "acima_do_valor_maximo", "valor_nao_informado"),
    *("limite_por_periodo_esgotado", "historico_nao_informado", "historico_incompleto"),
}


# --- what a pedido says of them


def complement(normalizacao: Json, politicas: list[Json]) -> None:
    """Moves into the pedido what some regra of these políticas, all of its administradora, asks for."""
    pedido, alertas = normalizacao["pedido_normalizado"], normalizacao["alertas"]
    pedidos = {campo for politica in politicas for regra in politica["regras"] for campo, valor in regra.items() if valor not in (None, [])}
    for destino, (campo, nomes) in CAMPOS.items():
        if campo in pedidos:
            lido = take(pedido["extras"], destino, nomes, alertas)
            if lido is None:
                continue
            *ate, nome = destino.split(".")
            (pedido[ate[0]] if ate else pedido)[nome] = lido
    tell(pedido, alertas)


def take(extras: Json, destino: str, nomes: tuple[str, ...], alertas: list[str]) -> Any:
    """The value of the field, by the first of its names that has one that is not blank."""
    achados: list[tuple[int, tuple[str, ...], Any]] = []
    for chave, valor in list(extras.items()):
        if fold_key(chave) in nomes:
            achados.append((nomes.index(fold_key(chave)), (chave,), valor))
        elif isinstance(valor, dict):
            dentro = [(f"{fold_key(chave)}.{fold_key(interna)}", (chave, interna), filho) for interna, filho in valor.items()]
            achados += [(nomes.index(nome), caminho, filho) for nome, caminho, filho in dentro if nome in nomes]
    achados = sorted((um for um in achados if not is_blank(um[2])), key=lambda um: um[0])
    if not achados:
        return None
    posto, caminho, valor = achados[0]
    lido = READERS[destino](valor)
    alertas += [f"campo_divergente:{destino}<-{'.'.join(outro)}" for _, outro, dito in achados[1:] if READERS[destino](dito) != lido]
    if lido is None:
        alertas.append(f"valor_fora_do_dominio:{destino}")
        return None
    if posto:
        alertas.append(f"campo_mapeado:{destino}<-{'.'.join(caminho)}")
    objeto = extras if len(caminho) == 1 else extras[caminho[0]]
    del objeto[caminho[-1]]
    return lido


def read_valor(valor: Any) -> int | float | None:
    """An amount from 0; only the sign of money makes `1.234` a thousand and more."""
    if isinstance(valor, str) and (dinheiro := re.fullmatch(r"R\$ ?(\d{1,3}(?:\.\d{3})+)", valor.strip())):
        return int(dinheiro[1].replace(".", ""))
    lido = read_numero(re.sub(r"^R\$ ?", "", valor.strip()) if isinstance(valor, str) else valor)
    return lido if lido is not None and lido >= 0 else None


def read_historico(valor: Any) -> list[Json] | None:
    """Each use with its code, day and quantity; null is what of it cannot be read."""
    return [read_uso(item) for item in valor] if isinstance(valor, list) else None


def read_uso(item: Any) -> Json:
    item = item if isinstance(item, dict) else {}
    escrito = item.get("codigo")
    codigo = read_texto(escrito) if isinstance(escrito, str | int | float) and not isinstance(escrito, bool) else None
    dia, quantidade = read_data(item.get("data")), read_numero(item.get("quantidade"))
    return {
        "codigo": normalize_codigo(codigo) if codigo else None,
        "data": dia.isoformat() if dia else None,
        "quantidade": quantidade if quantidade is not None and quantidade >= 0 else None,
    }


READERS: dict[str, Any] = {
    "beneficiario.sexo": lambda valor: SEXOS.get(valor) if isinstance(valor, str) else None,
    "procedimento.valor": read_valor,
    "historico": read_historico,
}


def tell(pedido: Json, alertas: list[str]) -> None:
    """What is odd about a history: uses that cannot be read, that are told twice, that are still to come."""
    usos = pedido.get("historico", [])
    if any(None in uso.values() for uso in usos):
        alertas.append("valor_fora_do_dominio:historico")
    if any(usos.count(uso) > 1 for uso in usos):
        alertas.append("historico_repetido")
    if any(uso["data"] and pedido["data_pedido"] and uso["data"] > pedido["data_pedido"] for uso in usos):
        alertas.append("historico_no_futuro")


# --- the checks


def waits_for_cpt(regra: Json) -> int:
    """Twelve months are 365 days; a part of a day counts as one."""
    dias = Fraction(regra["cpt_meses"] * 365, 12)
    return -(-dias.numerator // dias.denominator)


def declared(preexistencias: Any) -> bool | None:
    """Whether a condition was declared, of the forms that are drawn; None where nothing is told."""
    if isinstance(preexistencias, list):
        ditas = [declared(uma) for uma in preexistencias]
        return True if True in ditas else None if None in ditas else False
    if preexistencias is None or preexistencias == "não informado":
        return None
    return preexistencias not in (False, 0, "Nenhuma", "não")


def check_cpt(params: Json, regra: Json) -> Iterator[tuple[str, str | None]]:
    if "cpt_meses" not in regra:
        return
    declarou, cumpridos = declared(params["preexistencias"]), params["carencia_cumprida_dias"]
    if declarou is None:
        yield "preexistencias_desconhecidas_cpt_nao_conferida", None
    else:
        falta = declarou and (cumpridos is None or cumpridos < waits_for_cpt(regra))
        yield f"cpt_meses={regra['cpt_meses']}", "cobertura_parcial_temporaria" if falta else None


def check_sexo(params: Json, regra: Json) -> Iterator[tuple[str, str | None]]:
    if "sexo" in regra:
        motivos = {None: "sexo_nao_informado", regra["sexo"]: None}
        yield f"sexo={regra['sexo']}", motivos.get(params.get("sexo"), "restricao_sexo")


def check_valor(params: Json, regra: Json) -> Iterator[tuple[str, str | None]]:
    if "valor_maximo" in regra:
        maximo, valor = regra["valor_maximo"], params.get("valor")
        yield f"valor_maximo={maximo}", "valor_nao_informado" if valor is None else "acima_do_valor_maximo" if valor > maximo else None


def counts(uso: Json, limite: Json, params: Json, regra: Json) -> bool:
    """Whether the use is of the code asked for or, where the limit is of the regra, of any code that it is about."""
    codigo, padrao = fold_id(uso["codigo"]), fold_id(regra["codigo"])
    if codigo == fold_id(params["codigo_procedimento"]):
        return True
    return limite["por"] == "REGRA" and (codigo.startswith(padrao[:-1]) if padrao.endswith("*") else codigo == padrao)


def used(em: date, limite: Json, params: Json, regra: Json) -> Any:
    """Units in the days that end on `em`, and in those after it that lie in as many days with it."""
    return sum(
        uso["quantidade"]
        for uso in params["historico"]
        if abs(date.fromisoformat(uso["data"]) - em) < timedelta(days=limite["periodo_dias"]) and counts(uso, limite, params, regra)
    )


def left(em: date, params: Json, regra: Json) -> Any:
    resta = min(limite["quantidade"] - used(em, limite, params, regra) for limite in regra["limites"])
    return int(resta) if resta == int(resta) else resta  # a whole number of units is written as one


def is_told_whole(params: Json, regra: Json) -> bool:
    """Whether every use that may count says all three."""
    em = date.fromisoformat(params["data_referencia"])
    for limite in regra["limites"]:
        periodo = timedelta(days=limite["periodo_dias"])
        for uso in params["historico"]:
            passou = uso["data"] is not None and abs(date.fromisoformat(uso["data"]) - em) >= periodo
            alheio = uso["codigo"] is not None and not counts(uso, limite, params, regra)
            if None in uso.values() and not passou and not alheio:
                return False
    return True


def known(params: Json, regra: Json) -> Json:
    """The params with only the uses that say all three."""
    return {**params, "historico": [uso for uso in params["historico"] if None not in uso.values()]}


def check_periodo(params: Json, regra: Json) -> Iterator[tuple[str, str | None]]:
    if "limites" not in regra:
        return
    if "historico" not in params:
        motivo: str | None = "historico_nao_informado"
    elif not is_told_whole(params, regra):
        motivo = "historico_incompleto"
    else:
        resta = left(date.fromisoformat(params["data_referencia"]), known(params, regra), regra)
        cabe = params["quantidade"] <= resta
        motivo = None if cabe else "acima_do_limite_por_periodo" if resta > 0 else "limite_por_periodo_esgotado"
    for limite in regra["limites"]:
        yield f"limite_por_periodo={limite['quantidade']}/{limite['periodo_dias']}/{limite['por']}", motivo


def room_from(params: Json, regra: Json) -> str | None:
    """The first day on which all that may be approved fits, looked for day by day."""
    tetos = [limite["quantidade"] for limite in regra["limites"]]
    if regra["limite_quantidade"] is not None:
        tetos.append(regra["limite_quantidade"])
    cabe = min(params["quantidade"], *tetos)
    if cabe <= 0:
        return None
    em, lidos = date.fromisoformat(params["data_referencia"]), known(params, regra)
    while True:
        if all(used(em, limite, lidos, regra) + cabe <= limite["quantidade"] for limite in regra["limites"]):
            return em.isoformat()
        em += timedelta(days=1)


# --- the way out


def suggest(params: Json, regra: Json, motivos: list[str]) -> Iterator[tuple[str, str, Any, str]]:
    """(action, field, value, impact) for what is asked after the age."""
    if "restricao_sexo" in motivos:
        excecao = any(excecao["motivo"] == "restricao_sexo" for excecao in regra["excecoes"])
        yield "OUTRO", "beneficiario.sexo", None, "RESOLVE_PARCIAL" if excecao else "NAO_RESOLVE"
    if "limite_por_periodo_esgotado" in motivos:
        dia = room_from(params, regra)
        yield "OUTRO", "data_pedido", dia, "RESOLVE_TOTAL" if dia else "NAO_RESOLVE"
    a_informar = {"sexo_nao_informado": "beneficiario.sexo", "valor_nao_informado": "procedimento.valor"}
    a_informar |= dict.fromkeys(("historico_nao_informado", "historico_incompleto"), "historico")
    for motivo in motivos:
        if motivo in a_informar:
            yield "OUTRO", a_informar[motivo], None, "RESOLVE_PARCIAL"


def waits(params: Json, regra: Json, motivos: list[str], carencia: int) -> int:
    """Days of plano to wait for: the longer of what is left of the carência (0 where it is no motivo) and of the pre-existing condition."""
    exigidos = max(carencia, waits_for_cpt(regra) if "cobertura_parcial_temporaria" in motivos else 0)
    faltam = Fraction(exigidos) - Fraction(params["carencia_cumprida_dias"] or 0)
    return -(-faltam.numerator // faltam.denominator)
