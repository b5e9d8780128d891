"""RF2 to RF6 stated a second time, slowly, for a reader of the trade: this is what the rules say, not how to run them fast.

`decidir` gives every stage's answer as plain dicts, without the text that people read: `condicionantes` is how many there are, and
`efeito` is what re-evaluation gives once every suggested adjustment is made. Source: PRD RF2 to RF6 and the design page.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from oraculo import complementos
from oraculo.normalizacao import equivalencias, normalizar
from oraculo.valores import fold_documento, fold_id, match_id, normalize_codigo

Json = dict[str, Any]

REGRA_EM_BRANCO: Json = {
    "plano_id": "*",
    "tabela": "*",
    "documentos_obrigatorios": [],
    "carencia_min_dias": None,
    "carencia_urgencia_dias": None,
    "restricoes_idade": None,
    "restricoes_rede": None,
    "limite_quantidade": None,
    "autorizacao_previa": None,
    "coparticipacao_percentual": None,
    "prazo_validade_autorizacao_dias": None,
    "permite_autorizacao_condicionada": None,
    "alternativas": [],
    "excecoes": [],
    "observacoes": None,
}
NAO_CONFORMIDADES = {
    *("pedido_invalido", "regra_nao_encontrada", "procedimento_sem_cobertura"),
    *("carencia_nao_cumprida", "restricao_idade", "rede_nao_credenciada", "documentacao_pendente"),
    *complementos.NAO_CONFORMIDADES,
}
DEPOIS_DO_PRD = ("planos", "descricao", "tipo_atendimento", "sexo", "cpt_meses", "valor_maximo", "limites", "documentos_alternativos")


# --- RF2: the question


def preparar(normalizacao: Json) -> Json:
    """RF2: what the look-up is asked with, and why it cannot be asked where it cannot."""
    pedido = normalizacao["pedido_normalizado"]
    params = {
        "administradora_id": pedido["administradora_id"],
        "plano_id": pedido["plano_id"],
        "codigo_procedimento": pedido["procedimento"]["codigo"],
        "tabela": pedido["procedimento"]["tabela"],
        "quantidade": pedido["procedimento"]["quantidade"],
        "urgencia": pedido["urgencia"],
        "idade": pedido["beneficiario"]["idade"],
        "prestador_credenciado": pedido["prestador"]["tipo"] == "CREDENCIADO",
        "preexistencias": pedido["beneficiario"]["preexistencias"],
        "carencia_cumprida_dias": pedido["beneficiario"]["carencia_cumprida_dias"],
        "data_referencia": pedido["data_pedido"],
    }
    lugares = {"sexo": pedido["beneficiario"], "valor": pedido["procedimento"], "historico": pedido}
    params |= {nome: lugar[nome] for nome, lugar in lugares.items() if nome in lugar}
    necessarios = ("administradora_id", "plano_id", "codigo_procedimento", "quantidade")
    ausentes = [f"parametro_ausente:{nome}" for nome in necessarios if params[nome] is None]
    motivos = ausentes if normalizacao["pedido_valido"] else ["pedido_invalido"]
    return {"params_consulta_regras": params, "consulta_pronta": not motivos, "motivos_nao_pronto": motivos}


# --- RF3: the regra


def complete(regra: Json) -> Json:
    """The regra as the importer leaves it: nothing absent, codes and documents in their one spelling."""
    inteira = {**REGRA_EM_BRANCO, **{nome: valor for nome, valor in regra.items() if nome not in DEPOIS_DO_PRD or valor not in (None, [])}}
    if "limites" in inteira:
        inteira["limites"] = [{"por": "CODIGO", **limite} for limite in inteira["limites"]]
    if "documentos_alternativos" in inteira:
        inteira["documentos_alternativos"] = [list(dict.fromkeys(map(fold_documento, um))) for um in inteira["documentos_alternativos"]]
    codigo = inteira["codigo"].strip()
    inteira["codigo"] = normalize_codigo(codigo[:-1]) + "*" if codigo.endswith("*") else normalize_codigo(codigo)
    inteira["documentos_obrigatorios"] = list(dict.fromkeys(map(fold_documento, inteira["documentos_obrigatorios"])))
    inteira["alternativas"] = [{"descricao": None, **alternativa} for alternativa in inteira["alternativas"]]
    faixa = {"min": None, "max": None, **(inteira["restricoes_idade"] or {})}
    inteira["restricoes_idade"] = None if faixa == {"min": None, "max": None} else faixa
    return inteira


def order_of_versao(versao: str) -> list[tuple[int, int, str]]:
    """`3.10` after `3.9`; a part in digits after a part in letters."""
    partes = [parte for parte in re.split(r"[^0-9A-Za-z]+", versao) if parte]
    return [(1, int(parte), "") if parte.isdigit() else (0, 0, parte) for parte in partes]


def specificity(regra: Json) -> tuple[int, int, bool, bool]:
    """The exact code, then the longer prefix, then `*`; then a plano before `*`; then a tabela before `*`."""
    codigo = regra["codigo"]
    exato = not codigo.endswith("*")
    return (1 if exato else 0, len(codigo), planos_of_regra(regra) != ["*"], regra["tabela"] != "*")


def applies(regra: Json, plano_id: str, codigo: str, tabela: str | None) -> bool:
    """Whether a regra is about this code and plano, both as the catalogue folds them."""
    padrao = fold_id(regra["codigo"])
    mesmo_codigo = codigo.startswith(padrao[:-1]) if padrao.endswith("*") else codigo == padrao
    return mesmo_codigo and not {"*", plano_id}.isdisjoint(map(fold_id, planos_of_regra(regra))) and regra["tabela"] in ("*", tabela)


def planos_of_regra(regra: Json) -> list[str]:
    """Its `planos`, with that of `plano_id` where it is not for all; else that of `plano_id` alone."""
    um, varios = regra.get("plano_id", "*"), regra.get("planos") or []
    return [*varios, *([um] if um != "*" else [])] or ["*"]


def in_force(politica: Json, em: str) -> bool:
    fim = politica.get("vigencia_fim")
    return politica["vigencia_inicio"] <= em and (fim is None or em <= fim)


def politicas_of(administradora_id: str, politicas: list[Json]) -> list[Json]:
    """The políticas of an administradora, however its id is spelled."""
    dona = match_id(administradora_id, [politica["administradora_id"] for politica in politicas])
    return [politica for politica in politicas if fold_id(politica["administradora_id"]) == dona]


def codes_of(politicas: list[Json]) -> list[str]:
    return [complete(regra)["codigo"] for politica in politicas for regra in politica["regras"]]


def named_planos(politica: Json) -> list[str]:
    return [plano for regra in politica["regras"] for plano in planos_of_regra(regra) if plano != "*"]


def planos_of(politicas: list[Json]) -> list[str]:
    """Every plano that any of these políticas declares or names."""
    return [plano for politica in politicas for plano in (*politica.get("planos", []), *named_planos(politica))]


def reserve(pedido: Json, politicas: list[Json]) -> tuple[list[str], list[str]]:
    """What blocks the pedido, and what is worth knowing of it, by what is published: its plano, and observações nobody could read."""
    if pedido["administradora_id"] is None or pedido["plano_id"] is None or pedido["data_pedido"] is None:
        return [], []
    suas = politicas_of(pedido["administradora_id"], politicas)
    plano = match_id(pedido["plano_id"], planos_of(suas))
    em_vigor = [politica for politica in suas if in_force(politica, pedido["data_pedido"])]
    alertas = []
    if any(politica.get("planos") for politica in em_vigor):
        valem = [plano for politica in em_vigor for plano in politica.get("planos") or named_planos(politica)]
        if plano not in map(fold_id, valem):
            return ["plano_desconhecido"], []
    elif planos_of(suas) and plano not in map(fold_id, planos_of(suas)):
        alertas.append("plano_desconhecido")
    achada = None
    if pedido["procedimento"]["codigo"] is not None:
        params = {
            "administradora_id": pedido["administradora_id"],
            "plano_id": pedido["plano_id"],
            "data_referencia": pedido["data_pedido"],
        }
        params |= {"codigo_procedimento": pedido["procedimento"]["codigo"], "tabela": pedido["procedimento"]["tabela"]}
        achada = consultar(params, politicas)
    if achada is not None and is_left_unread(achada[0], pedido["beneficiario"]["idade"]):
        alertas.append("observacao_nao_lida")
    return [], alertas


NAO_LIDAS = {
    "Código 30101620 só em caso de alergia.": "alternativa",
    "Idade conforme auditoria não decidida.": "idade",
    "Somente com indicação de especialista.": "restricao",
}


def is_left_unread(regra: Json, idade: int | None) -> bool:
    """Whether the regra's observações, of those that are drawn, could have changed what it decides."""
    assunto = NAO_LIDAS.get(regra["observacoes"] or "")
    if regra["cobertura"] == "NAO_COBERTA":
        return assunto == "alternativa" and not regra["alternativas"]
    faixa = regra["restricoes_idade"] or {"min": None, "max": None}
    abaixo = idade is not None and faixa["min"] is not None and idade < faixa["min"]
    acima = idade is not None and faixa["max"] is not None and idade > faixa["max"]
    excecao = any(excecao["motivo"] == "restricao_idade" for excecao in regra["excecoes"])
    return assunto == "restricao" or (assunto == "idade" and (abaixo or acima) and not excecao)


def consultar(params: Json, politicas: list[Json], codigo: str | None = None) -> tuple[Json, Json] | None:
    """RF3: the regra that applies and where it stands; `codigo` asks about another procedure, all else equal."""
    suas = politicas_of(params["administradora_id"], politicas)
    codigo = match_id(codigo or params["codigo_procedimento"], [codigo for codigo in codes_of(suas) if not codigo.endswith("*")])
    plano_id = match_id(params["plano_id"], planos_of(suas))
    achadas = [
        ((specificity(regra), politica["vigencia_inicio"], order_of_versao(politica["versao"])), regra, politica)
        for politica in suas
        if in_force(politica, params["data_referencia"])
        for regra in map(complete, politica["regras"])
        if applies(regra, plano_id, codigo, params["tabela"])
    ]
    if not achadas:
        return None
    _, regra, politica = max(achadas, key=lambda achada: achada[0])  # max keeps the first of equals: document order
    fonte = {campo: politica.get(campo) for campo in ("documento", "versao", "vigencia_inicio", "vigencia_fim")}
    return regra, {**fonte, "regra_id": regra["regra_id"]}


# --- RF4: the evaluation


def find_carencia(regra: Json, urgencia: bool) -> tuple[str, int] | None:
    """The carência that the regra asks of this pedido: which clause, how many days; None where it asks for none."""
    clausula = "carencia_urgencia_dias" if urgencia and regra["carencia_urgencia_dias"] is not None else "carencia_min_dias"
    dias = regra[clausula]
    return (clausula, dias) if dias is not None and dias > 0 else None


def check_regra(params: Json, regra: Json, documentos: list[str]) -> Iterator[tuple[str, str | None]]:
    """Each restriction that was checked, with the motivo where it was not met. In the order of the motivos."""
    cumprida = params["carencia_cumprida_dias"]
    if carencia := find_carencia(regra, params["urgencia"]):
        clausula, dias = carencia
        yield f"{clausula}={dias}", "carencia_nao_cumprida" if cumprida is None or dias > cumprida else None
    yield from complementos.check_cpt(params, regra)
    limites, idade = regra["restricoes_idade"] or {"min": None, "max": None}, params["idade"]
    if idade is None and (limites["min"] is not None or limites["max"] is not None):
        yield "idade_desconhecida_restricao_nao_conferida", None
    if idade is not None and limites["min"] is not None:
        yield f"restricoes_idade.min={limites['min']}", "restricao_idade" if idade < limites["min"] else None
    if idade is not None and limites["max"] is not None:
        yield f"restricoes_idade.max={limites['max']}", "restricao_idade" if idade > limites["max"] else None
    yield from complementos.check_sexo(params, regra)
    if regra["restricoes_rede"] == "APENAS_CREDENCIADA":
        yield "restricoes_rede=APENAS_CREDENCIADA", None if params["prestador_credenciado"] else "rede_nao_credenciada"
    yield from complementos.check_valor(params, regra)
    if (limite := regra["limite_quantidade"]) is not None:
        yield f"limite_quantidade={limite}", "acima_do_limite_quantitativo" if params["quantidade"] > limite else None
    yield from complementos.check_periodo(params, regra)
    bloqueia = "documentacao_pendente" if lacking(regra, documentos) and not regra["permite_autorizacao_condicionada"] else None
    if exigidos := regra["documentos_obrigatorios"]:
        yield f"documentos_obrigatorios={','.join(exigidos)}", bloqueia
    if grupos := regra.get("documentos_alternativos"):
        yield f"documentos_alternativos={','.join('|'.join(grupo) for grupo in grupos)}", bloqueia
    if params["urgencia"] and regra["autorizacao_previa"]:
        yield "urgencia_exige_prioridade_sem_flexibilizar_regra", None


def lacking(regra: Json, documentos: list[str]) -> list[str]:
    """The documents asked for that did not come; of a group of which none came, all its names together."""
    sozinhos = [documento for documento in regra["documentos_obrigatorios"] if documento not in documentos]
    return sozinhos + ["|".join(grupo) for grupo in regra.get("documentos_alternativos", []) if not set(grupo) & set(documentos)]


def avaliar(normalizacao: Json, parametros: Json, achada: tuple[Json, Json] | None) -> Json:
    """RF4: whether the pedido conforms, why not, and what may be approved."""
    pedido, params = normalizacao["pedido_normalizado"], parametros["params_consulta_regras"]
    documentos = [documento["tipo"] for documento in pedido["documentos_anexos"]]
    regra, fonte = achada or (None, None)
    restricoes: list[str] = []
    pendencias: list[str] = []
    if not parametros["consulta_pronta"]:
        motivos = ["pedido_invalido", *normalizacao["erros_bloqueantes"]]
    elif regra is None:
        motivos = ["regra_nao_encontrada"]
    elif regra["cobertura"] == "NAO_COBERTA":
        motivos = ["procedimento_sem_cobertura"]
    else:
        verificacoes = list(check_regra(params, regra, documentos))
        restricoes = [restricao for restricao, _ in verificacoes]
        motivos = list(dict.fromkeys(motivo for _, motivo in verificacoes if motivo))
        pendencias = lacking(regra, documentos)
    conforme = not NAO_CONFORMIDADES & set(motivos)
    tetos = [regra["limite_quantidade"]] if regra and "acima_do_limite_quantitativo" in motivos else []
    if regra and "acima_do_limite_por_periodo" in motivos:
        tetos.append(complementos.left(date.fromisoformat(params["data_referencia"]), complementos.known(params, regra), regra))
    excedido = bool(tetos)
    aprovavel = min(tetos) if tetos else params["quantidade"] if conforme else None
    return {
        "pedido_id": pedido["pedido_id"],
        "conforme": conforme,
        "decisao_preliminar": "NEGAR" if not conforme else "APROVAR_PARCIAL" if excedido else "APROVAR_TOTAL",
        "motivos": motivos,
        "pendencias_documentais": pendencias,
        "ajustes_minimos_requeridos": [
            {"campo": "prestador.tipo", "valor_sugerido": "CREDENCIADO"} for motivo in motivos if motivo == "rede_nao_credenciada"
        ],
        "quantidade_aprovavel": aprovavel,
        "coparticipacao_percentual": regra["coparticipacao_percentual"] if regra else None,
        "prazo_validade_autorizacao_dias": regra["prazo_validade_autorizacao_dias"] if regra else None,
        "restricoes_aplicadas": restricoes,
        "fonte_regras": fonte,
        "gatilho_pedido_nao_conforme": not conforme,
    }


# --- RF5: the way out


def field_of_error(erro: str) -> str:
    """`campo_obrigatorio_ausente:plano_id` → `plano_id`."""
    if erro in ("quantidade_invalida", "plano_desconhecido"):
        return {"quantidade_invalida": "procedimento.quantidade", "plano_desconhecido": "plano_id"}[erro]
    return erro.partition(":")[2] or erro.removesuffix("_invalida").removesuffix("_no_futuro")


def find_alternativa(regra: Json, params: Json, politicas: list[Json]) -> str | None:
    """The first alternative that is itself covered for the same plano, tabela and date."""
    for alternativa in regra["alternativas"]:
        codigo = normalize_codigo(alternativa["codigo"])
        achada = consultar(params, politicas, codigo)
        if achada and achada[0]["cobertura"] != "NAO_COBERTA":
            return codigo
    return None


def suggest_terms(params: Json, regra: Json, motivos: list[str]) -> Iterator[tuple[str, str, Any, str]]:
    """What it may cost, how long to wait, and the age."""
    if "acima_do_valor_maximo" in motivos:
        yield "OUTRO", "procedimento.valor", regra["valor_maximo"], "RESOLVE_TOTAL"
    if {"carencia_nao_cumprida", "cobertura_parcial_temporaria"} & set(motivos):
        carencia = find_carencia(regra, params["urgencia"]) if "carencia_nao_cumprida" in motivos else None
        dias = complementos.waits(params, regra, motivos, carencia[1] if carencia else 0)
        yield "AGUARDAR_CARENCIA", "beneficiario.carencia_cumprida_dias", dias, "RESOLVE_TOTAL"
    if "restricao_idade" in motivos:
        if any(excecao["motivo"] == "restricao_idade" for excecao in regra["excecoes"]):
            yield "OUTRO", "beneficiario.idade", None, "RESOLVE_PARCIAL"
        else:
            yield "ADEQUAR_FAIXA_ETARIA", "beneficiario.idade", None, "NAO_RESOLVE"


def suggest(
    normalizacao: Json, params: Json, regra: Json | None, avaliacao: Json, politicas: list[Json]
) -> Iterator[tuple[str, str, Any, str]]:
    """(action, field, value, impact) in the order of the design's table."""
    motivos = avaliacao["motivos"]
    for documento in avaliacao["pendencias_documentais"]:
        yield "ANEXAR_DOCUMENTO", "documentos_anexos", documento, "RESOLVE_TOTAL"
    if "rede_nao_credenciada" in motivos:
        yield "ALTERAR_PRESTADOR", "prestador.tipo", "CREDENCIADO", "RESOLVE_TOTAL"
    if {"acima_do_limite_quantitativo", "acima_do_limite_por_periodo"} & set(motivos):
        yield "REDUZIR_QUANTIDADE", "procedimento.quantidade", avaliacao["quantidade_aprovavel"], "RESOLVE_TOTAL"
    if regra and "procedimento_sem_cobertura" in motivos and (codigo := find_alternativa(regra, params, politicas)):
        yield "AJUSTAR_CODIGO", "procedimento.codigo", codigo, "RESOLVE_TOTAL"
    if regra:
        yield from suggest_terms(params, regra, motivos)
        yield from complementos.suggest(params, regra, motivos)
    if "regra_nao_encontrada" in motivos:
        yield "OUTRO", "regra", None, "RESOLVE_PARCIAL"
    for erro in normalizacao["erros_bloqueantes"]:
        yield "OUTRO", field_of_error(erro), None, "RESOLVE_TOTAL"


def adjust(pedido: Json, ajustes: list[Json]) -> Json:
    """The normalised pedido with every adjustment made that can be made on paper."""
    ajustado = copy.deepcopy(pedido)
    for ajuste in ajustes:
        valor = ajuste["valor_sugerido"]
        match ajuste["acao_tipo"]:
            case "ANEXAR_DOCUMENTO":
                ajustado["documentos_anexos"].append({"tipo": valor.split("|")[0]})
            case "ALTERAR_PRESTADOR":
                ajustado["prestador"]["tipo"] = valor
            case "REDUZIR_QUANTIDADE":
                ajustado["procedimento"]["quantidade"] = valor
            case "AJUSTAR_CODIGO":
                ajustado["procedimento"]["codigo"] = valor
            case "AGUARDAR_CARENCIA":
                ajustado["beneficiario"]["carencia_cumprida_dias"] = (ajustado["beneficiario"]["carencia_cumprida_dias"] or 0) + valor
            case "OUTRO" if ajuste["campo_alvo"] == "procedimento.valor" and valor is not None:
                ajustado["procedimento"]["valor"] = valor
            case "OUTRO" if ajuste["campo_alvo"] == "data_pedido" and valor is not None:
                ajustado["data_pedido"] = valor
    return ajustado


def prove(normalizacao: Json, ajustes: list[Json], politicas: list[Json]) -> str:
    """What the rules say of the adjusted pedido. What blocks an invalid pedido is for its sender to mend: nothing is proved."""
    if not normalizacao["pedido_valido"]:
        return "nenhum"
    ajustado = adjust(normalizacao["pedido_normalizado"], ajustes)
    de_novo = normalizar(ajustado, date.fromisoformat(ajustado["data_pedido"]), {})
    complementos.complement(de_novo, politicas_of(ajustado["administradora_id"], politicas))
    parametros = preparar(de_novo)
    achada = consultar(parametros["params_consulta_regras"], politicas) if parametros["consulta_pronta"] else None
    avaliacao = avaliar(de_novo, parametros, achada)
    if avaliacao["decisao_preliminar"] == "NEGAR":
        return "nenhum"
    pedida = normalizacao["pedido_normalizado"]["procedimento"]["quantidade"]
    return "total" if avaliacao["quantidade_aprovavel"] == pedida else "parcial"


# --- RF6: the decision


def sintetizar(avaliacao: Json, ajustes: list[Json]) -> Json:
    """RF6, without its messages."""
    viaveis = [ajuste for ajuste in ajustes if ajuste["impacto_conformidade"] != "NAO_RESOLVE"]
    if avaliacao["conforme"]:
        decisao = "APROVADO" if avaliacao["decisao_preliminar"] == "APROVAR_TOTAL" else "APROVADO_PARCIAL"
        condicionantes = len(avaliacao["pendencias_documentais"])
    else:
        decisao = "PENDENTE_AJUSTES" if viaveis else "NEGADO"
        condicionantes = len(viaveis)
    return {
        "pedido_id": avaliacao["pedido_id"],
        "decisao_final": decisao,
        "detalhe_decisao": {
            "quantidade_aprovada": avaliacao["quantidade_aprovavel"] if avaliacao["conforme"] else None,
            "coparticipacao_percentual": avaliacao["coparticipacao_percentual"],
            "prazo_validade_autorizacao_dias": avaliacao["prazo_validade_autorizacao_dias"],
            "condicionantes": condicionantes,
        },
        "artefato_registro": {"status": decisao, "motivos": avaliacao["motivos"], "fonte_regras": avaliacao["fonte_regras"]},
    }


def decidir(pedido: Any, politicas: list[Json], recebido_em: date) -> Json:
    """The whole journey of a pedido; raises Recusado where it cannot be read. Source: PRD RF1 to RF6."""
    normalizacao = normalizar(pedido, recebido_em, equivalencias())
    if (dona := normalizacao["pedido_normalizado"]["administradora_id"]) is not None:
        complementos.complement(normalizacao, politicas_of(dona, politicas))
    erros, alertas = reserve(normalizacao["pedido_normalizado"], politicas)
    normalizacao["erros_bloqueantes"] += erros
    normalizacao["alertas"] += alertas
    normalizacao["pedido_valido"] = not normalizacao["erros_bloqueantes"]
    parametros = preparar(normalizacao)
    params = parametros["params_consulta_regras"]
    achada = consultar(params, politicas) if parametros["consulta_pronta"] else None
    regra, fonte = achada or (None, None)
    avaliacao = avaliar(normalizacao, parametros, achada)
    ajustes: list[Json] = []
    efeito = None
    if avaliacao["gatilho_pedido_nao_conforme"]:
        campos = ("acao_tipo", "campo_alvo", "valor_sugerido", "impacto_conformidade")
        ajustes = [dict(zip(campos, sugestao, strict=True)) for sugestao in suggest(normalizacao, params, regra, avaliacao, politicas)]
        efeito = prove(normalizacao, ajustes, politicas)
    return {
        "normalizacao": normalizacao,
        "parametros": parametros,
        "consulta": {"regras_recuperadas": regra, "fonte_regras": fonte},
        "avaliacao": avaliacao,
        "ajustes": None if avaliacao["conforme"] else {"pedido_id": avaliacao["pedido_id"], "ajustes_sugeridos": ajustes},
        "sintese": sintetizar(avaliacao, ajustes),
        "efeito": efeito,
    }
