"""The technical message: codes, limits, documents and the source, for who asked. Source: PRD RF6 "para_solicitante"."""

from __future__ import annotations

from functools import lru_cache

from crivo.autorizacoes import motivos as razoes
from crivo.autorizacoes.contracts import Ajuste, Ajustes, Avaliacao, DecisaoFinal, DetalheDecisao, Normalizacao, PedidoNormalizado, Regra
from crivo.autorizacoes.etapas import avaliacao as rf4
from crivo.autorizacoes.etapas.ajustes import limita_por_periodo
from crivo.autorizacoes.etapas.complementos import HISTORICO_ILEGIVEL, NO_LUGAR, SO_DA_CASA
from crivo.autorizacoes.etapas.documentos import ressalva_do_documento
from crivo.autorizacoes.etapas.ilegiveis import (
    CARENCIA_ILEGIVEL,
    IDADE_ILEGIVEL,
    NASCIMENTO_ILEGIVEL,
    PRESTADOR_ILEGIVEL,
    QUANTIDADE_FRACIONADA,
    as_sent,
)
from crivo.autorizacoes.etapas.limites import mais_apertado
from crivo.autorizacoes.palavras import (
    SEXOS,
    count,
    day,
    documento_com_artigo,
    faixa_etaria,
    fonte_tecnica,
    limite_em_palavras,
    listing,
    nome_campo,
    nome_documento,
    nome_na_regra,
    number,
    reais,
    verb,
)

_LONGEST_NAME = 200
_AUSENTE = f"{razoes.CAMPO_AUSENTE}:"


def escrever(
    final: DecisaoFinal,
    detalhe: DetalheDecisao,
    normalizacao: Normalizacao,
    regra: Regra | None,
    avaliacao: Avaliacao,
    ajustes: Ajustes | None,
) -> str:
    """The decision with everything needed to act on it, one matter a line."""
    pedido = normalizacao.pedido_normalizado
    numero = f"Pedido {pedido.pedido_id}" if pedido.pedido_id else "Pedido sem número"
    partes = [f"{numero}: {_resultado(final, pedido, regra, avaliacao)}"]
    if final == "PENDENTE_AJUSTES" or final == "NEGADO":
        partes.append(_motivos(normalizacao, regra, avaliacao))
    if ajustes is not None and detalhe.condicionantes:
        partes.append(f"Para prosseguir: {'; '.join([_passo(um) for um in ajustes.ajustes_sugeridos if _helps(um)])}.")
    if ajustes is not None:
        partes.append(ajustes.resumo_efeito)
    partes.extend(_condicoes(detalhe, normalizacao, regra, avaliacao))
    partes.append(fonte_tecnica(avaliacao.fonte_regras) if avaliacao.fonte_regras else _sem_fonte(avaliacao))
    return "\n".join(partes)


def _helps(ajuste: Ajuste) -> bool:
    return ajuste.impacto_conformidade != "NAO_RESOLVE"


def _passo(ajuste: Ajuste) -> str:
    """An adjustment as one thing to do, in words."""
    valor = ajuste.valor_sugerido
    match ajuste.acao_tipo:
        case "ANEXAR_DOCUMENTO":
            return f"anexar {documento_com_artigo(str(valor))}"
        case "ALTERAR_PRESTADOR":
            return "indicar um prestador da rede credenciada"
        case "REDUZIR_QUANTIDADE" if isinstance(valor, (int, float)):
            return f"reduzir a quantidade para {number(valor)}"
        case "AJUSTAR_CODIGO":
            return f"trocar o código do procedimento para {valor}"
        case "AGUARDAR_CARENCIA" if isinstance(valor, (int, float)):
            return f"aguardar mais {count(valor, 'dia', 'dias')} de carência"
        case "OUTRO" if isinstance(valor, (int, float)):
            return f"rever o valor do pedido, que pode ser de até {reais(valor)}"
        case "OUTRO" if isinstance(valor, str):
            return f"pedir de novo a partir de {day(valor)}"
        case _ if ajuste.impacto_conformidade == "RESOLVE_TOTAL":
            return f"informar corretamente {nome_campo(ajuste.campo_alvo)}"
        case _:
            # It stands in the middle of a sentence; an instruction of the regra stays as its author wrote it.
            texto = ajuste.justificativa.rstrip(".")
            return f"a{texto[1:]}" if texto.startswith("A regra ") else texto


@lru_cache(maxsize=4096)
def _procedimento(codigo: str | None, tabela: str | None, descricao: str | None) -> str:
    if codigo is None:
        return "pedido, que não diz qual é o procedimento"
    nome = f", {' '.join(descricao.split())}" if descricao else ""
    return f"procedimento {codigo}{f' ({tabela})' if tabela else ''}{nome}"


def _resultado(final: DecisaoFinal, pedido: PedidoNormalizado, regra: Regra | None, avaliacao: Avaliacao) -> str:
    pedida = pedido.procedimento
    descricao = pedida.descricao or nome_na_regra(regra)
    if descricao is not None and len(descricao) > _LONGEST_NAME:
        descricao = None
    procedimento = _procedimento(pedida.codigo, pedida.tabela, descricao)
    aprovavel = avaliacao.quantidade_aprovavel or 0
    match final:
        case "APROVADO":
            return f"APROVADO. Autorizamos {count(aprovavel, 'unidade', 'unidades')} do {procedimento}."
        case "APROVADO_PARCIAL":
            pedidas = count(pedido.procedimento.quantidade or 0, "unidade", "unidades")
            return (
                f"APROVADO EM PARTE. Autorizamos {number(aprovavel)} de {pedidas} do {procedimento}: {_ate_onde(pedido, regra, avaliacao)}."
            )
        case "PENDENTE_AJUSTES":
            return f"PENDENTE DE AJUSTES. Ainda não é possível autorizar o {procedimento}."
        case "NEGADO":
            return f"NEGADO. Não é possível autorizar o {procedimento}."


def _ate_onde(pedido: PedidoNormalizado, regra: Regra | None, avaliacao: Avaliacao) -> str:
    """Which limit an approval in part comes from."""
    aprovavel = count(avaliacao.quantidade_aprovavel or 0, "unidade", "unidades")
    if regra is None or not limita_por_periodo(regra, avaliacao):
        return f"o limite da regra é de {aprovavel}"
    return f"o {_ja_usado(pedido, regra)}"


def _ja_usado(pedido: PedidoNormalizado, regra: Regra) -> str:
    """The limit by period that leaves least, and how much of it was used."""
    limite, usadas = mais_apertado(pedido, regra)
    return f"limite da regra é de {limite_em_palavras(limite)}, {verb(usadas, 'já foi usada', 'já foram usadas')} {number(usadas)}"


def _motivos(normalizacao: Normalizacao, regra: Regra | None, avaliacao: Avaliacao) -> str:
    ausentes = [nome_campo(motivo.removeprefix(_AUSENTE)) for motivo in avaliacao.motivos if motivo.startswith(_AUSENTE)]
    textos = [
        _motivo(motivo, normalizacao, regra, avaliacao)
        for motivo in avaliacao.motivos
        if motivo != razoes.PEDIDO_INVALIDO and not motivo.startswith(_AUSENTE)
    ]
    if ausentes:
        campos = verb(len(ausentes), "falta um campo obrigatório", "faltam campos obrigatórios")
        textos.insert(0, f"{campos}: {listing(ausentes)}")
    rotulo = "Motivo" if len(textos) == 1 else "Motivos"
    return f"{rotulo}: {'; '.join(textos)}."


def _motivo(codigo: str, normalizacao: Normalizacao, regra: Regra | None, avaliacao: Avaliacao) -> str:
    """One motivo with the figures behind it."""
    known = razoes.find_motivo(codigo)
    return known.tecnico if known and known.tecnico else _com_numeros(codigo, normalizacao, regra, avaliacao)


def _com_numeros(codigo: str, normalizacao: Normalizacao, regra: Regra | None, avaliacao: Avaliacao) -> str:
    pedido = normalizacao.pedido_normalizado
    match codigo:
        case razoes.CARENCIA:
            return _carencia(normalizacao, regra)
        case razoes.IDADE:
            faixa = regra.restricoes_idade if regra else None
            limites = faixa_etaria(faixa.min, faixa.max) if faixa else ""
            return f"idade de {count(pedido.beneficiario.idade or 0, 'ano', 'anos')} fora da faixa autorizada ({limites})"
        case razoes.REDE:
            return f"autorização restrita à rede credenciada, prestador {_prestador(normalizacao)}"
        case razoes.QUANTIDADE:
            limite = number(regra.limite_quantidade or 0 if regra else 0)
            return f"quantidade {number(pedido.procedimento.quantidade or 0)} acima do limite de {limite}"
        case razoes.PERIODO | razoes.ESGOTADO if regra is not None:
            pedidas = pedido.procedimento.quantidade or 0
            return f"{_ja_usado(pedido, regra)} e {verb(pedidas, 'foi pedida', 'foram pedidas')} {number(pedidas)}"
        case razoes.DOCUMENTOS:
            faltam = avaliacao.pendencias_documentais
            return f"{verb(len(faltam), 'falta', 'faltam')} {listing([_documento(tipo, normalizacao.alertas) for tipo in faltam])}"
        case _:
            return _do_que_veio_depois(codigo, normalizacao, regra)


def _do_que_veio_depois(codigo: str, normalizacao: Normalizacao, regra: Regra | None) -> str:
    """The motivos that came after the PRD."""
    pedido = normalizacao.pedido_normalizado
    sexo = SEXOS[regra.sexo] if regra is not None and regra.sexo else ""
    maximo = reais(regra.valor_maximo or 0) if regra is not None else ""
    match codigo:
        case razoes.CPT:
            prazo = count(rf4.cpt_exigida_dias(regra) or 0 if regra else 0, "dia", "dias")
            cumprida = pedido.beneficiario.carencia_cumprida_dias
            tempo = "tempo cumprido não informado" if cumprida is None else count(cumprida, "dia cumprido", "dias cumpridos")
            return f"cobertura parcial temporária, com doença preexistente declarada: carência de {prazo} exigida, {tempo}"
        case razoes.SEXO:
            return f"beneficiário fora da regra, que vale só para o sexo {sexo}"
        case razoes.SEM_SEXO:
            veio = _veio(normalizacao, "beneficiario.sexo")
            return f"autorização restrita a beneficiários do sexo {sexo}, e o pedido não informa o sexo de um jeito que se leia{veio}"
        case razoes.VALOR:
            return f"valor de {reais(pedido.procedimento.valor or 0)} acima do máximo de {maximo}"
        case razoes.SEM_VALOR:
            veio = _veio(normalizacao, "procedimento.valor")
            return f"valor máximo de {maximo}, e o pedido não informa o valor de um jeito que se leia{veio}"
        case razoes.SEM_HISTORICO:
            if HISTORICO_ILEGIVEL in normalizacao.alertas:
                return "limite por período, e o pedido não traz o histórico de uso de um jeito que se leia"
            return "limite por período, e o pedido não informa o histórico de uso; o histórico desta casa não foi consultado"
        case razoes.HISTORICO_INCOMPLETO:
            return "limite por período, e o histórico traz um uso sem código, data ou quantidade que se leia"
        case _:
            return "motivo sem descrição"


def _documento(tipo: str, alertas: tuple[str, ...]) -> str:
    ressalva = ressalva_do_documento(tipo, alertas)
    return f"{documento_com_artigo(tipo)} ({ressalva})" if ressalva else documento_com_artigo(tipo)


def _prestador(normalizacao: Normalizacao) -> str:
    pedido = normalizacao.pedido_normalizado
    if pedido.prestador.tipo:
        return "fora dela"
    return (
        f"de tipo que não se conhece{_veio(normalizacao, 'prestador.tipo')}"
        if PRESTADOR_ILEGIVEL in normalizacao.alertas
        else "de tipo não informado"
    )


def _veio(normalizacao: Normalizacao, campo: str) -> str:
    """What an unread field held, in brackets; nothing where it cannot be shown."""
    sent = as_sent(normalizacao.pedido_normalizado.extras, campo)
    return f" (veio “{sent}”)" if sent else ""


def _carencia(normalizacao: Normalizacao, regra: Regra | None) -> str:
    pedido = normalizacao.pedido_normalizado
    exigida = rf4.carencia_exigida(pedido.urgencia, regra) if regra else None
    prazo = count(exigida[1], "dia", "dias") if exigida else ""
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    if cumprida is None and CARENCIA_ILEGIVEL in normalizacao.alertas:
        veio = _veio(normalizacao, "beneficiario.carencia_cumprida_dias")
        return f"carência de {prazo} exigida e tempo cumprido que não se lê como número de dias{veio}"
    if cumprida is None:
        return f"carência de {prazo} exigida e tempo cumprido não informado"
    return f"carência de {prazo} exigida, {count(cumprida, 'dia cumprido', 'dias cumpridos')}"


def _condicoes(detalhe: DetalheDecisao, normalizacao: Normalizacao, regra: Regra | None, avaliacao: Avaliacao) -> list[str]:
    pedido = normalizacao.pedido_normalizado
    textos = []
    if rf4.IDADE_NAO_CONFERIDA in avaliacao.restricoes_aplicadas:
        textos.append(_idade_nao_conferida(normalizacao, regra))
    if rf4.CPT_NAO_CONFERIDA in avaliacao.restricoes_aplicadas:
        textos.append("Preexistência não conferida: o pedido não informa se há doença declarada. Informe para que seja conferida.")
    if SO_DA_CASA in normalizacao.alertas and regra is not None and regra.limites:
        textos.append("Histórico: o pedido não informa nenhum, e só contou o desta casa. Informe o que foi usado fora dela, se houve.")
    if NO_LUGAR in normalizacao.alertas and regra is not None and regra.limites:
        textos.append(
            "No lugar do que esta casa já aprovou para este mesmo pedido (mesmo número, procedimento e data): "
            "aquilo não contou no limite por período."
        )
    if QUANTIDADE_FRACIONADA in normalizacao.alertas:
        textos.append(f"Confira a quantidade: foi pedida {number(pedido.procedimento.quantidade or 0)}, que não é um número inteiro.")
    if avaliacao.conforme and detalhe.condicionantes:
        textos.append(
            f"Autorização condicionada à entrega de: {listing([nome_documento(tipo) for tipo in avaliacao.pendencias_documentais])}."
        )
    textos += _termos(detalhe.coparticipacao_percentual, detalhe.prazo_validade_autorizacao_dias, avaliacao.conforme)
    if rf4.URGENCIA in avaliacao.restricoes_aplicadas:
        textos.append("Urgência: análise prioritária, sem flexibilizar a regra.")
    if pedido.urgencia and razoes.REDE in avaliacao.motivos:
        textos.append(
            "Pedido urgente: o atendimento vem antes, e esta resposta não pede que se troque de lugar no meio dele. "
            "Onde não houve como escolher a rede, peça que uma pessoa da análise reveja o caso."
        )
    if pedido.data_prevista is not None and avaliacao.conforme:
        textos.append(f"Data prevista: {day(pedido.data_prevista)}.")
    return textos


@lru_cache(maxsize=4096)
def _termos(coparticipacao: int | float | None, prazo: int | None, conforme: bool) -> tuple[str, ...]:
    """What the regra says of money and time, made once for all pedidos under it."""
    textos = []
    if coparticipacao is not None:
        textos.append(f"Coparticipação: {number(coparticipacao)}%.")
    if prazo is not None:
        dias = count(prazo, "dia", "dias")
        textos.append(f"Validade da autorização: {dias}." if conforme else f"Validade, quando autorizado: {dias}.")
    return tuple(textos)


def _idade_nao_conferida(normalizacao: Normalizacao, regra: Regra | None) -> str:
    """That an age restriction stands and nobody could check it: the source holds an unknown age against nobody."""
    faixa = regra.restricoes_idade if regra else None
    limites = faixa_etaria(faixa.min, faixa.max) if faixa else ""
    veio = _veio(normalizacao, "beneficiario.idade")
    if IDADE_ILEGIVEL in normalizacao.alertas:
        idade = f"a idade veio de um jeito que não se lê{veio}"
    elif NASCIMENTO_ILEGIVEL in normalizacao.alertas:
        idade = f"a data de nascimento veio de um jeito que não se lê{_veio(normalizacao, 'beneficiario.data_nascimento')}"
    else:
        idade = "o pedido não informa a idade"
    return f"Idade não conferida: {idade}, e a regra vale para beneficiários {limites}. Informe a idade para que seja conferida."


def _sem_fonte(avaliacao: Avaliacao) -> str:
    if avaliacao.motivos[:1] == (razoes.PEDIDO_INVALIDO,):
        return "Fonte: nenhuma regra foi consultada, porque o pedido não pôde ser avaliado."
    return "Fonte: nenhuma regra publicada se aplica."
