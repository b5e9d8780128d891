"""RF5: what would have to change for the pedido to pass, and the proof of how far it would get. Source: PRD RF5."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from crivo.autorizacoes.contracts import Ajuste, Ajustes, Avaliacao, Consulta, Documento, Normalizacao, PedidoNormalizado, Prestador, Regra
from crivo.autorizacoes.etapas import avaliacao as rf4
from crivo.autorizacoes.etapas.consulta import Normas
from crivo.autorizacoes.etapas.documentos import ressalva_do_documento
from crivo.autorizacoes.etapas.ilegiveis import CARENCIA_ILEGIVEL, URGENCIA_ILEGIVEL
from crivo.autorizacoes.etapas.ressalvas import PLANO_DESCONHECIDO
from crivo.autorizacoes.palavras import count, faixa_etaria, listing, nome_documento, number, verb

Efeito = Literal["total", "parcial", "nenhum"]
Reavaliar = Callable[[PedidoNormalizado], Avaliacao]

_CAMPO_OBRIGATORIO = "campo_obrigatorio_ausente:"
_CAMPO_DO_ERRO = {
    "data_pedido_invalida": ("data_pedido", "Informe uma data do pedido que exista no calendário, como 20/11/2026."),
    "data_prevista_invalida": (
        "data_prevista",
        "Informe uma data prevista que exista no calendário, como 20/11/2026, ou deixe-a em branco.",
    ),
    PLANO_DESCONHECIDO: ("plano_id", "Informe um dos planos que a administradora declara; o que veio não é nenhum deles."),
    URGENCIA_ILEGIVEL: ("urgencia", "Diga se o pedido é urgente com sim ou com não; o que veio não diz nem um nem outro."),
    "quantidade_invalida": ("procedimento.quantidade", "Informe a quantidade como um número maior que zero."),
}
SEM_APROVACAO = "Sem aprovação"
_CHANGES_NOTHING = ("OUTRO", "ADEQUAR_FAIXA_ETARIA")
_RESTA = {
    rf4.CARENCIA: "a carência a cumprir",
    rf4.IDADE: "a restrição de idade",
    rf4.REDE: "a rede credenciada",
    rf4.DOCUMENTOS: "documentos a anexar",
    rf4.SEM_COBERTURA: "a falta de cobertura",
    rf4.REGRA_NAO_ENCONTRADA: "a falta de regra aplicável",
}


def sugerir(normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao, normas: Normas, reavaliar: Reavaliar) -> Ajustes:
    """The adjustments for each non-conformity, and their joint effect as re-evaluation shows it.

    `reavaliar` evaluates a changed pedido anew. What RF1 made is what RF1 would make of it again, so the changed pedido enters after it.
    Source: PRD RF5 5.2, 5.3.2.
    """
    pedido = normalizacao.pedido_normalizado
    regra = consulta.regras_recuperadas
    if not normalizacao.pedido_valido:
        ajustes = tuple([_do_erro(erro) for erro in normalizacao.erros_bloqueantes])
    elif regra is None:
        ajustes = (_ANALISE_MANUAL,)
    else:
        ajustes = _da_regra(normalizacao, regra, avaliacao, normas)
    changes = any(ajuste.acao_tipo not in _CHANGES_NOTHING for ajuste in ajustes)
    depois = reavaliar(apply_ajustes(pedido, ajustes)) if changes else avaliacao
    return Ajustes(avaliacao.pedido_id, ajustes, resumo_efeito(pedido, ajustes, depois))


def _da_regra(normalizacao: Normalizacao, regra: Regra, avaliacao: Avaliacao, normas: Normas) -> tuple[Ajuste, ...]:
    pedido, alertas = normalizacao.pedido_normalizado, normalizacao.alertas
    motivos = avaliacao.motivos
    ajustes = [_anexar(tipo, ressalva_do_documento(tipo, alertas)) for tipo in avaliacao.pendencias_documentais]
    if rf4.REDE in motivos:
        ajustes.append(_TROCAR_PRESTADOR)
    if rf4.QUANTIDADE in motivos:
        ajustes.append(_reduzir(pedido, avaliacao))
    if rf4.SEM_COBERTURA in motivos:
        ajustes.extend(_trocar_codigo(pedido, regra, normas))
    if rf4.CARENCIA in motivos:
        ajustes.append(_aguardar(pedido, regra, ilegivel=CARENCIA_ILEGIVEL in alertas))
    if rf4.IDADE in motivos:
        ajustes.append(_da_idade(regra))
    return tuple(ajustes)


_TROCAR_PRESTADOR = Ajuste(
    "ALTERAR_PRESTADOR",
    "prestador.tipo",
    "CREDENCIADO",
    "A regra só autoriza o procedimento na rede credenciada: escolha um prestador credenciado.",
    "RESOLVE_TOTAL",
)
_ANALISE_MANUAL = Ajuste(
    "OUTRO",
    "regra",
    None,
    "Nenhuma regra publicada trata deste procedimento neste plano e nesta data: encaminhe para análise manual.",
    "RESOLVE_PARCIAL",
)


def _anexar(tipo: str, ressalva: str) -> Ajuste:
    porque = f", e {ressalva}." if ressalva else " e ele não veio com o pedido."
    justificativa = f"A regra exige este documento ({nome_documento(tipo)}){porque}"
    return Ajuste("ANEXAR_DOCUMENTO", "documentos_anexos", tipo, justificativa, "RESOLVE_TOTAL")


def _reduzir(pedido: PedidoNormalizado, avaliacao: Avaliacao) -> Ajuste:
    limite = avaliacao.quantidade_aprovavel or 0
    pedida = pedido.procedimento.quantidade or 0
    justificativa = (
        f"A regra autoriza até {count(limite, 'unidade', 'unidades')} e {verb(pedida, 'foi pedida', 'foram pedidas')} {number(pedida)}."
    )
    return Ajuste("REDUZIR_QUANTIDADE", "procedimento.quantidade", limite, justificativa, "RESOLVE_TOTAL")


def _trocar_codigo(pedido: PedidoNormalizado, regra: Regra, normas: Normas) -> tuple[Ajuste, ...]:
    """The first alternative that is itself covered on that date, if any."""
    for alternativa in regra.alternativas:
        achada = normas.find_regra(
            pedido.administradora_id or "", pedido.plano_id or "", alternativa.codigo, pedido.procedimento.tabela, pedido.data_pedido or ""
        )
        if achada is not None and achada[0].cobertura != "NAO_COBERTA":
            nome = f" ({alternativa.descricao})" if alternativa.descricao else ""
            justificativa = f"O procedimento pedido não tem cobertura, mas a regra indica o código {alternativa.codigo}{nome}, que tem."
            return (Ajuste("AJUSTAR_CODIGO", "procedimento.codigo", alternativa.codigo, justificativa, "RESOLVE_TOTAL"),)
    return ()


def dias_restantes(pedido: PedidoNormalizado, regra: Regra) -> int:
    """Days of carência still to serve, rounded up to whole days (0 when met). Source: PRD RF5 "dias_restantes"."""
    exigida = rf4.carencia_exigida(pedido.urgencia, regra)
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    return max(0, math.ceil(exigida[1] - (cumprida or 0))) if exigida else 0


def _aguardar(pedido: PedidoNormalizado, regra: Regra, *, ilegivel: bool) -> Ajuste:
    dias = dias_restantes(pedido, regra)
    exigidos = rf4.carencia_exigida(pedido.urgencia, regra)
    prazo = count(exigidos[1], "dia", "dias") if exigidos else ""
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    if cumprida is None:
        falta = (
            "o pedido diz quanto já foi cumprido de um jeito que não se lê" if ilegivel else "o pedido não informa quanto já foi cumprido"
        )
        justificativa = f"A regra exige {prazo} de carência e {falta}."
    else:
        faltam = f"{verb(dias, 'falta', 'faltam')} {number(dias)}"
        justificativa = (
            f"A regra exige {prazo} de carência, {verb(cumprida, 'foi cumprido', 'foram cumpridos')} {number(cumprida)} e {faltam}."
        )
    return Ajuste("AGUARDAR_CARENCIA", "beneficiario.carencia_cumprida_dias", dias, justificativa, "RESOLVE_TOTAL")


def _da_idade(regra: Regra) -> Ajuste:
    for excecao in regra.excecoes:
        if excecao.motivo == rf4.IDADE:
            return Ajuste("OUTRO", "beneficiario.idade", None, excecao.instrucao, "RESOLVE_PARCIAL")
    faixa = regra.restricoes_idade
    limites = faixa_etaria(faixa.min, faixa.max) if faixa else ""
    justificativa = f"A regra só autoriza o procedimento para beneficiários {limites} e não prevê exceção."
    return Ajuste("ADEQUAR_FAIXA_ETARIA", "beneficiario.idade", None, justificativa, "NAO_RESOLVE")


def _do_erro(erro: str) -> Ajuste:
    if erro.startswith(_CAMPO_OBRIGATORIO):
        campo, instrucao = erro.removeprefix(_CAMPO_OBRIGATORIO), "Informe este campo, que é obrigatório e veio vazio."
    else:
        campo, instrucao = _CAMPO_DO_ERRO[erro]
    return Ajuste("OUTRO", campo, None, instrucao, "RESOLVE_TOTAL")


def apply_ajustes(pedido: PedidoNormalizado, ajustes: tuple[Ajuste, ...]) -> PedidoNormalizado:
    """The pedido with every adjustment made; OUTRO and ADEQUAR_FAIXA_ETARIA change nothing."""
    codigo, quantidade = pedido.procedimento.codigo, pedido.procedimento.quantidade
    prestador, documentos = pedido.prestador, pedido.documentos_anexos
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    for ajuste in ajustes:
        match ajuste.acao_tipo, ajuste.valor_sugerido:
            case "ANEXAR_DOCUMENTO", str(tipo):
                documentos = (*documentos, Documento(tipo))
            case "ALTERAR_PRESTADOR", _:
                prestador = Prestador("CREDENCIADO")
            case "REDUZIR_QUANTIDADE", int(limite) | float(limite):
                quantidade = limite
            case "AJUSTAR_CODIGO", str(outro):
                codigo = outro
            case "AGUARDAR_CARENCIA", int(dias):
                cumprida = (cumprida or 0) + dias
            case _:
                continue
    return replace(
        pedido,
        beneficiario=replace(pedido.beneficiario, carencia_cumprida_dias=cumprida),
        procedimento=replace(pedido.procedimento, codigo=codigo, quantidade=quantidade),
        prestador=prestador,
        documentos_anexos=documentos,
    )


def efeito(pedido: PedidoNormalizado, depois: Avaliacao) -> Efeito:
    """How much of what the pedido asked is approved, by its evaluation after the adjustments. Source: PRD RF5 "resumo_efeito"."""
    if not depois.conforme:
        return "nenhum"
    less = (depois.quantidade_aprovavel or 0) < (pedido.procedimento.quantidade or 0)
    return "parcial" if less or depois.decisao_preliminar == "APROVAR_PARCIAL" else "total"


def resumo_efeito(pedido: PedidoNormalizado, ajustes: tuple[Ajuste, ...], depois: Avaliacao) -> str:
    """What re-evaluation showed, in words: 'Aprovação total: …', 'Aprovação parcial: …' or 'Sem aprovação: …'."""
    com = "com o ajuste sugerido" if len(ajustes) == 1 else f"com os {len(ajustes)} ajustes sugeridos"
    aprovavel = depois.quantidade_aprovavel or 0
    match efeito(pedido, depois):
        case "total":
            inteiro = count(aprovavel, "unidade", "unidades")
            return f"Aprovação total: {com}, o pedido cumpre a regra e pode ser aprovado por inteiro ({inteiro})."
        case "parcial":
            pedidas = number(pedido.procedimento.quantidade or 0)
            return f"Aprovação parcial: {com}, o pedido cumpre a regra até o limite de quantidade ({number(aprovavel)} de {pedidas})."
        case "nenhum":
            return f"{SEM_APROVACAO}: {_porque_nenhum(ajustes, depois)}"


def _porque_nenhum(ajustes: tuple[Ajuste, ...], depois: Avaliacao) -> str:
    if depois.motivos[:1] == (rf4.PEDIDO_INVALIDO,):
        campos = "o campo indicado" if len(ajustes) == 1 else f"os {len(ajustes)} campos indicados"
        return f"o pedido só pode ser avaliado depois de corrigir {campos}; corrija e envie de novo."
    if not ajustes or all(ajuste.impacto_conformidade == "NAO_RESOLVE" for ajuste in ajustes):
        return "nenhuma mudança no pedido leva à aprovação."
    resta = listing([_resta(motivo, depois) for motivo in depois.motivos if motivo in _RESTA])
    if all(ajuste.acao_tipo == "OUTRO" for ajuste in ajustes):
        return f"nenhuma mudança no pedido basta por si ({resta}); o encaminhamento indicado depende da análise de uma pessoa."
    necessario = (
        "o ajuste sugerido é necessário, mas não basta" if len(ajustes) == 1 else "os ajustes sugeridos são necessários, mas não bastam"
    )
    return f"{necessario}; ainda ficaria por resolver: {resta}."


def _resta(motivo: str, depois: Avaliacao) -> str:
    documentos = f" ({listing([nome_documento(tipo) for tipo in depois.pendencias_documentais])})" if motivo == rf4.DOCUMENTOS else ""
    return _RESTA[motivo] + documentos
