"""From the decisions of a guia to `autorizacaoServicos`: its status, each procedimento with its quantity and motivos, and the words.

Source: Padrão TISS 4.03.00, `autorizacaoServicos`, Tabela 38; design, "Standards"; decision 0081.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from crivo.autorizacoes.itens import numero_of
from crivo.autorizacoes.motivos import (
    CARENCIA,
    DOCUMENTOS,
    ESGOTADO,
    IDADE,
    PEDIDO_INVALIDO,
    PERIODO,
    QUANTIDADE,
    REDE,
    REGRA_NAO_ENCONTRADA,
    SEM_COBERTURA,
    find_motivo,
    frase,
)
from crivo.autorizacoes.tiss import xml
from crivo.autorizacoes.tiss.observacao import observacao
from crivo.autorizacoes.tiss.resultado import AUTORIZADO, NEGADO, PARCIAL, Respondida, Resultado, linhas_of, senha_of, status_of
from crivo.kernel.clock import BRASILIA

# The motivos of Tabela 38 that are used here; what has none of its own is for a person to look at.
GLOSAS: Final = {
    SEM_COBERTURA: "1407",
    CARENCIA: "1410",
    IDADE: "1803",
    REDE: "1207",
    QUANTIDADE: "1423",
    PERIODO: "1423",
    ESGOTADO: "1423",
    DOCUMENTOS: "1709",
}
AUDITORIA: Final = "1427"
SUBSTITUIDA: Final = "1308"  # guia já apresentada
_SEM_NOME: Final = "NÃO INFORMADO NA GUIA"
_NUMBER: Final = 20
_LONGEST_REASON: Final = 450  # of `st_texto500`, with room for what goes before it
_POR_UMA_PESSOA: Final = "Decidido por uma pessoa da operadora"


def glosa_of(motivo: str) -> str | None:
    """The code of Tabela 38 for a motivo; None for what was wrong with the pedido itself, which is told in words."""
    codigo = motivo.partition(":")[0]
    if codigo in GLOSAS:
        return GLOSAS[codigo]
    known = find_motivo(codigo)
    return AUDITORIA if codigo == REGRA_NAO_ENCONTRADA or (known is not None and known.da_regra) else None


def write(resultados: Sequence[Resultado], substituta: str | None = None) -> bytes:
    """The answer to a guia, in ISO-8859-1; the same decisions give the same bytes.

    `substituta` is the senha of a later message of the guia that stands in its place: what this one was given is told as cancelled.
    """
    resultados = [replace(one, substituta=substituta) for one in resultados]
    guia = resultados[0].de.guia
    em = max(one.em for one in resultados).astimezone(BRASILIA)
    root = xml.new_message()
    cabecalho = xml.add(root, "cabecalho")
    transacao = xml.add(cabecalho, "identificacaoTransacao")
    xml.add(transacao, "tipoTransacao", "RESPOSTA_SOLICITACAO")
    xml.add(transacao, "sequencialTransacao", guia.transacao[:12])
    xml.add(transacao, "dataRegistroTransacao", em.date().isoformat())
    xml.add(transacao, "horaRegistroTransacao", em.strftime("%H:%M:%S"))
    xml.add(xml.add(cabecalho, "origem"), "registroANS", guia.registro_ans)
    xml.add(xml.add(xml.add(cabecalho, "destino"), "identificacaoPrestador"), guia.origem.por, guia.origem.valor)
    xml.add(cabecalho, "Padrao", guia.versao)
    autorizacao = xml.add(xml.add(root, "operadoraParaPrestador"), "autorizacaoServicos")
    if guia.tipo == "SP-SADT":
        _servico(xml.add(autorizacao, "autorizacaoServico"), resultados, em)
    else:
        internacao = xml.add(autorizacao, "autorizacaoInternacao")
        _servico(xml.add(internacao, "autorizacaoDosServicos"), resultados, em)
        if guia.data_prevista and status_of(resultados) in (AUTORIZADO, PARCIAL):
            xml.add(internacao, "dataProvavelAdmissao", guia.data_prevista[:10])
    return xml.sealed_bytes(root)


def _servico(node: xml.No, resultados: Sequence[Resultado], em: datetime) -> None:
    guia, status = resultados[0].de.guia, status_of(resultados)
    aprovados = [one for one in resultados if one.vale]
    dados = xml.add(node, "dadosAutorizacao")
    xml.add(dados, "numeroGuiaPrestador", guia.numero[:_NUMBER])
    xml.add(dados, "numeroGuiaOperadora", numero_of(resultados[0].id))
    if aprovados:
        xml.add(dados, "dataAutorizacao", em.date().isoformat())
        xml.add(dados, "senha", senha_of(resultados))
        prazos = [one.ate_dias for one in aprovados if one.ate_dias is not None]
        if prazos:
            xml.add(dados, "dataValidadeSenha", (em.date() + timedelta(days=min(prazos))).isoformat())
    xml.add(node, "tipoEtapaAutorizacao", guia.etapa)
    beneficiario = xml.add(node, "dadosBeneficiario")
    xml.add(beneficiario, "numeroCarteira", guia.carteira)
    xml.add(beneficiario, "atendimentoRN", guia.recem_nascido)
    xml.add(node, "nomeBeneficiario", _SEM_NOME)
    if guia.cobertura_especial:
        xml.add(node, "coberturaEspecial", guia.cobertura_especial)
    if aprovados and guia.executante and guia.cnes:
        autorizado = xml.add(node, "prestadorAutorizado")
        xml.add(xml.add(autorizado, "dadosContratado"), "codigoPrestadorNaOperadora", guia.executante)
        xml.add(autorizado, "cnesContratado", guia.cnes)
    xml.add(node, "statusSolicitacao", status)
    codes = dict.fromkeys(code for one in resultados for code in _glosas(one))
    if status == NEGADO and codes:
        motivos = xml.add(node, "motivosNegativa")
        for code in codes:
            xml.add(motivos, "codigoGlosa", code)
    servicos = xml.add(node, "servicosAutorizados")
    for linha in sorted((linha for one in resultados for linha in linhas_of(one)), key=lambda linha: linha.sequencia):
        _item(xml.add(servicos, "servicoAutorizado"), linha)
    xml.add(node, "observacao", observacao(resultados))


def _item(node: xml.No, linha: Respondida) -> None:
    one = linha.resultado
    asked = one.de.procedimento
    xml.add(node, "sequencialItem", str(linha.sequencia))
    procedimento = xml.add(node, "procedimento")
    xml.add(procedimento, "codigoTabela", asked.tabela)
    xml.add(procedimento, "codigoProcedimento", asked.codigo)
    xml.add(procedimento, "descricaoProcedimento", asked.descricao)
    xml.add(node, "quantidadeSolicitada", str(linha.pedida))
    xml.add(node, "quantidadeAutorizada", str(linha.autorizada))
    glosas = {} if linha.autorizada == linha.pedida else _glosas(one)
    if glosas:
        motivos = xml.add(node, "motivosNegativa")
        for code, palavras in glosas.items():
            motivo = xml.add(motivos, "motivoNegativa")
            xml.add(motivo, "codigoGlosa", code)
            xml.add(motivo, "descricaoGlosa", f"Pendente, não negado: {palavras}" if one.decisao == "PENDENTE_AJUSTES" else palavras)


def _glosas(one: Resultado) -> dict[str, str]:
    """By code of Tabela 38, why this is not approved as it was asked, in words of our own."""
    if one.cancelado:
        return {SUBSTITUIDA: f"Cancelado: vale a senha {one.substituta}, de uma mensagem posterior desta guia"}
    if one.decisao == "APROVADO":
        return {}
    found: dict[str, str] = {}
    for motivo in one.motivos:
        code = glosa_of(motivo)
        if code is not None:
            found.setdefault(code, frase(motivo))
    if found:
        return found
    # What is wrong with the pedido itself has no code of its own, and nothing is at zero without one.
    words = "; ".join(dict.fromkeys(frase(motivo) for motivo in one.motivos if motivo != PEDIDO_INVALIDO))
    return {AUDITORIA: words[:_LONGEST_REASON] or _POR_UMA_PESSOA}
