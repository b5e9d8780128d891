"""The plain message: what happened and what to do next, with no code and no jargon. Source: PRD RF6 "para_beneficiario"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from crivo.autorizacoes import motivos as razoes
from crivo.autorizacoes.contracts import Ajuste, Ajustes, Avaliacao, DecisaoFinal, DetalheDecisao, Normalizacao, PedidoNormalizado, Regra
from crivo.autorizacoes.etapas import avaliacao as rf4
from crivo.autorizacoes.etapas.ajustes import (
    FALTA_INFORMAR,
    dias_de_cpt_restantes,
    dias_restantes,
    efeito_provado,
    limita_por_periodo,
    por_excecao,
)
from crivo.autorizacoes.etapas.documentos import ressalva_do_documento
from crivo.autorizacoes.etapas.ilegiveis import CARENCIA_ILEGIVEL, PRESTADOR_ILEGIVEL
from crivo.autorizacoes.etapas.limites import dia_com_lugar, mais_apertado
from crivo.autorizacoes.palavras import (
    CAMPOS,
    OU,
    SEXOS,
    count,
    day,
    documentos_conhecidos,
    faixa_etaria,
    fonte_simples,
    limite_em_palavras,
    listing,
    nome_documento,
    nome_na_regra,
    number,
    reais,
    verb,
)

Falta = Literal["nada", "documentos", "envio", "mudanca", "pessoa"]
"""What is still to come after a decision, as its message tells it: nothing, documents that an approval asks for, what was not sent, a
change of the pedido, or a person who looks at it.
"""
_LONGEST_NAME = 120
_LONGEST_ACRONYM = 4
_SIGLAS = frozenset({"aba", "diu", "eeg", "fiv", "hiv", "oct", "pet", "pet-ct", "tea", "usg", "uti"})
_TECHNICAL = re.compile(r"[0-9]{5}|_|[<>{}]")
_CAMPOS = {
    **CAMPOS,
    "administradora_id": "o nome da administradora",
    "plano_id": "o seu plano",
    "beneficiario.id": "o número da sua carteirinha",
    "procedimento.codigo": "qual é o procedimento",
    "urgencia": "se o atendimento é urgente",
}


def escrever(
    final: DecisaoFinal,
    detalhe: DetalheDecisao,
    normalizacao: Normalizacao,
    regra: Regra | None,
    avaliacao: Avaliacao,
    ajustes: Ajustes | None,
) -> str:
    """The decision as one would tell it to the person it is about."""
    pedido = normalizacao.pedido_normalizado
    nome = _procedimento(pedido.procedimento.descricao or nome_na_regra(regra))
    match final:
        case "APROVADO":
            partes = [f"Boa notícia! Seu pedido de {nome} foi aprovado.", _aprovado(detalhe, normalizacao, avaliacao)]
        case "APROVADO_PARCIAL":
            partes = [_parcial(nome, pedido, regra, avaliacao), _aprovado(detalhe, normalizacao, avaliacao)]
        case "PENDENTE_AJUSTES":
            partes = _pendente(nome, normalizacao, regra, avaliacao, ajustes)
        case "NEGADO":
            partes = [f"Não foi possível aprovar o seu pedido de {nome}.", *_porques(normalizacao, regra, avaliacao), _CONVERSE]
    if normalizacao.pedido_normalizado.urgencia and razoes.REDE in avaliacao.motivos:
        partes.append(_URGENTE)
    if rf4.IDADE_NAO_CONFERIDA in avaliacao.restricoes_aplicadas:
        partes.append(_idade_nao_conferida(regra))
    fonte = f"\n{fonte_simples(avaliacao.fonte_regras)}" if avaliacao.fonte_regras is not None else ""
    return " ".join([parte for parte in partes if parte]) + fonte


def falta_de(final: DecisaoFinal, avaliacao: Avaliacao) -> Falta:
    """What is still to come after a decision of the code; whoever tells it beside the message tells the same."""
    if final in ("APROVADO", "APROVADO_PARCIAL"):
        return "documentos" if avaliacao.pendencias_documentais else "nada"
    if final == "NEGADO":
        return "nada"
    if _is_unread(avaliacao):
        return "envio"
    if razoes.REGRA_NAO_ENCONTRADA in avaliacao.motivos:
        return "pessoa"
    return "envio" if set(avaliacao.motivos) <= _SO_ENVIAR else "mudanca"


_SO_ENVIAR: Final = frozenset({*FALTA_INFORMAR, razoes.DOCUMENTOS}) | rf4.SO_LIMITAM


def _is_unread(avaliacao: Avaliacao) -> bool:
    return avaliacao.motivos[:1] == (razoes.PEDIDO_INVALIDO,)


_CONVERSE = (
    "Converse com o seu médico sobre outras opções; se não concordar, você pode pedir que uma pessoa da nossa equipe reveja esta resposta."
)


_URGENTE = (
    "Se o atendimento é urgente, ele vem antes: não espere esta resposta para se tratar. Se não houve como escolher um local da rede, "
    "você pode pedir que uma pessoa da nossa equipe reveja o caso."
)
_REDE_OBSCURA = (
    "O pedido não deixa claro se o local escolhido é da rede do seu plano: peça que informem um local da rede e refaçam o pedido."
)
_SEM_TEMPO = "não sabemos há quanto tempo você está no plano"


def _procedimento(descricao: str | None) -> str:
    """What the procedure is called where its name is fit for everybody to read."""
    return _plain_name(descricao) if descricao and len(descricao) <= _LONGEST_NAME else "autorização"


@lru_cache(maxsize=4096)
def _plain_name(descricao: str) -> str:
    descricao = " ".join(descricao.split())
    if not descricao or _TECHNICAL.search(descricao):
        return "autorização"
    if descricao.isupper():
        return " ".join([palavra if _is_acronym(palavra) else palavra.lower() for palavra in descricao.split()])
    return descricao[0].lower() + descricao[1:] if descricao[1:2].islower() else descricao


def _is_acronym(palavra: str) -> bool:
    """Whether a word in capitals is said by its letters: no vowel, or known."""
    letras = palavra.strip("().,;:/-").lower()
    return letras in _SIGLAS or (1 < len(letras) <= _LONGEST_ACRONYM and letras.isalpha() and not set(letras) & set("aeiouáàâãéêíóôõúy"))


def _parcial(nome: str, pedido: PedidoNormalizado, regra: Regra | None, avaliacao: Avaliacao) -> str:
    limite = avaliacao.quantidade_aprovavel or 0
    pedidas = pedido.procedimento.quantidade or 0
    porque = f"o seu plano cobre até {number(limite)} por pedido"
    if regra is not None and limita_por_periodo(regra, avaliacao):
        porque = _ja_usado(pedido, regra)
    return (
        f"Boa notícia, com um limite: no seu pedido de {nome}, aprovamos {number(limite)} de um total de {number(pedidas)}, "
        f"porque {porque}."
    )


def _ja_usado(pedido: PedidoNormalizado, regra: Regra) -> str:
    """How much the plan covers in a span of days, and how much of it was used."""
    limite, usadas = mais_apertado(pedido, regra)
    usado = f"{verb(usadas, 'já foi usada', 'já foram usadas')} {number(usadas)}"
    return f"o seu plano cobre até {limite_em_palavras(limite)}, e {usado}"


def _aprovado(detalhe: DetalheDecisao, normalizacao: Normalizacao, avaliacao: Avaliacao) -> str:
    documentos = _documentos(avaliacao.pendencias_documentais, normalizacao.alertas)
    acima = razoes.QUANTIDADE in avaliacao.motivos
    return _termos(documentos, detalhe.prazo_validade_autorizacao_dias, detalhe.coparticipacao_percentual, acima)


@lru_cache(maxsize=4096)
def _termos(documentos: str, prazo: int | None, coparticipacao: int | float | None, acima: bool) -> str:
    """The terms of an approval, made once for all pedidos under a regra: nothing in them is a person's."""
    partes = []
    if documentos:
        partes.append(f"Para que a autorização valha, entregue {documentos}.")
        if prazo is not None:
            partes.append(f"Ela vale por {count(prazo, 'dia', 'dias')}.")
    elif prazo is not None:
        partes.append(f"Você já pode agendar: a autorização vale por {count(prazo, 'dia', 'dias')}.")
    else:
        partes.append("Você já pode agendar.")
    if coparticipacao:
        partes.append(f"Pelas regras do plano, {number(coparticipacao)}% do valor fica por sua conta.")
    if acima:
        partes.append("Se o seu médico achar que você precisa de mais, ele pode fazer um novo pedido explicando o motivo.")
    return " ".join(partes)


def _documentos(tipos: tuple[str, ...], alertas: tuple[str, ...]) -> str:
    """The documents by name, each with what it is and why one that came does not count, so that nobody has to ask."""
    return _explained(tuple([(tipo, ressalva_do_documento(tipo, alertas)) for tipo in tipos])) if tipos else ""


@lru_cache(maxsize=4096)
def _explained(documentos: tuple[tuple[str, str], ...]) -> str:
    textos = []
    for tipo, ressalva in documentos:
        texto = " ou ".join(map(_explicado, tipo.split(OU)))
        textos.append(f"{texto}, e {ressalva}" if ressalva else texto)
    return listing(textos)


def _explicado(tipo: str) -> str:
    known = documentos_conhecidos().get(tipo)
    return f"{known.artigo} {known.nome} ({known.explicacao})" if known else f"o documento “{nome_documento(tipo)}”"


def _pendente(nome: str, normalizacao: Normalizacao, regra: Regra | None, avaliacao: Avaliacao, ajustes: Ajustes | None) -> list[str]:
    if _is_unread(avaliacao):
        return [_incompleto(avaliacao)]
    if razoes.REGRA_NAO_ENCONTRADA in avaliacao.motivos:
        return [
            f"Recebemos o seu pedido de {nome}, mas não encontramos uma regra do seu plano que responda a ele.",
            "Isso não é uma recusa: uma pessoa da nossa equipe vai analisar o caso. Você não precisa fazer nada agora.",
        ]
    partes = [f"Seu pedido de {nome} ainda não pôde ser aprovado, mas há o que fazer.", *_porques(normalizacao, regra, avaliacao)]
    partes.extend(_encaminhamento(ajuste, avaliacao.motivos) for ajuste in (ajustes.ajustes_sugeridos if ajustes else ()))
    partes.append(_depois(avaliacao, ajustes))
    return partes


def _depois(avaliacao: Avaliacao, ajustes: Ajustes | None) -> str:
    """What comes after the adjustments; where they do not suffice, the reader is told so and not left to hope."""
    sugeridos = ajustes.ajustes_sugeridos if ajustes else ()
    sem_saida = [ajuste.campo_alvo for ajuste in sugeridos if ajuste.impacto_conformidade == "NAO_RESOLVE"]
    if sem_saida and sem_saida != ["beneficiario.idade"]:
        return "Isso é necessário, mas não basta: o seu caso está fora da regra do plano. Fale com o seu médico sobre outras opções."
    if sem_saida:
        return "Isso é necessário, mas não basta: a idade está fora da regra do plano. Fale com o seu médico sobre outras opções."
    if {razoes.IDADE, razoes.SEXO} & set(avaliacao.motivos) and len(sugeridos) == 1:
        return "O resultado depende dessa análise, e ainda não dá para dizer qual será."
    if razoes.IDADE in avaliacao.motivos:
        return "Resolver o restante não basta por si: a questão da idade ainda depende dessa análise."
    if razoes.SEXO in avaliacao.motivos:
        return "Resolver o restante não basta por si: o caso ainda depende dessa análise."
    if not set(FALTA_INFORMAR).isdisjoint(avaliacao.motivos):
        return _quando_chegar(set(avaliacao.motivos) - set(FALTA_INFORMAR) - {razoes.DOCUMENTOS})
    if ajustes is not None and efeito_provado(ajustes) == "nenhum" and not {razoes.IDADE, razoes.SEXO} & set(avaliacao.motivos):
        return "Isso é necessário, mas pode não bastar: o pedido refeito ainda tem de cumprir as outras regras do plano."
    return "Assim que isso for resolvido, analisamos o pedido de novo."


def _quando_chegar(outros: set[str]) -> str:
    """What comes once all that is to be told has come; `outros` are motivos that no telling settles."""
    if outros:
        return "Só com tudo isso resolvido é que o pedido pode ser analisado de novo."
    return "Assim que isso chegar, analisamos o pedido de novo."


def _encaminhamento(ajuste: Ajuste, motivos: tuple[str, ...]) -> str:
    if ajuste.acao_tipo == "AJUSTAR_CODIGO":
        return "Existe um procedimento parecido que o plano cobre: peça ao seu médico que veja se ele serve para você e refaça o pedido."
    if por_excecao(ajuste, motivos):
        return "A regra prevê um caminho especial para casos como o seu: peça a quem fez o pedido que o encaminhe para essa análise."
    return ""


def _incompleto(avaliacao: Avaliacao) -> str:
    campos = [razoes.alvo(motivo) for motivo in avaliacao.motivos if motivo != razoes.PEDIDO_INVALIDO]
    falta = listing(list(dict.fromkeys(_CAMPOS.get(campo, "uma informação") for campo in campos)))
    return (
        f"Recebemos o seu pedido, mas ele veio com informações faltando ou incorretas: {falta}. "
        "Quem fez o pedido (seu médico, a clínica ou o hospital) precisa corrigir e enviar de novo. "
        "Isso não é uma recusa: assim que chegar corrigido, analisamos."
    )


def _porques(normalizacao: Normalizacao, regra: Regra | None, avaliacao: Avaliacao) -> list[str]:
    return [_porque(motivo, normalizacao, regra, avaliacao) for motivo in avaliacao.motivos]


def _porque(motivo: str, normalizacao: Normalizacao, regra: Regra | None, avaliacao: Avaliacao) -> str:
    pedido = normalizacao.pedido_normalizado
    match motivo:
        case razoes.CARENCIA:
            return _espera(normalizacao, regra)
        case razoes.IDADE:
            faixa = regra.restricoes_idade if regra else None
            return f"O seu plano cobre este procedimento para pessoas {faixa_etaria(faixa.min, faixa.max) if faixa else ''}."
        case razoes.REDE:
            if PRESTADOR_ILEGIVEL in normalizacao.alertas:
                return _REDE_OBSCURA
            if pedido.prestador.tipo is None:
                return (
                    "O pedido não diz se o local escolhido é da rede do seu plano: peça que informem um local da rede e refaçam o pedido."
                )
            return "O local escolhido não faz parte da rede do seu plano: escolha um local da rede e peça que refaçam o pedido."
        case razoes.QUANTIDADE:
            pedidas = pedido.procedimento.quantidade or 0
            limite = number(regra.limite_quantidade or 0 if regra else 0)
            return f"O seu plano cobre até {limite} por pedido, e {verb(pedidas, 'foi pedida', 'foram pedidas')} {number(pedidas)}."
        case razoes.DOCUMENTOS:
            return f"Falta enviar {_documentos(avaliacao.pendencias_documentais, normalizacao.alertas)}."
        case razoes.PERIODO if regra is not None:
            return f"O{_ja_usado(pedido, regra)[1:]}."
        case razoes.ESGOTADO if regra is not None:
            dia = dia_com_lugar(pedido, regra)
            quando = f": um novo pedido pode ser feito a partir de {day(dia)}" if dia else ""
            return f"O{_ja_usado(pedido, regra)[1:]}{quando}."
        case _:
            known = razoes.find_motivo(motivo)
            return known.simples if known and known.simples else _do_que_veio_depois(motivo, pedido, regra)


def _do_que_veio_depois(motivo: str, pedido: PedidoNormalizado, regra: Regra | None) -> str:
    """The motivos that came after the PRD."""
    sexo = SEXOS[regra.sexo] if regra is not None and regra.sexo else ""
    maximo = reais(regra.valor_maximo or 0) if regra is not None else ""
    match motivo:
        case razoes.CPT if regra is not None:
            prazo = count(rf4.cpt_exigida_dias(regra) or 0, "dia", "dias")
            if pedido.beneficiario.carencia_cumprida_dias is None:
                ainda = f"{_SEM_TEMPO}: peça a quem fez o pedido que informe"
            else:
                faltam = dias_de_cpt_restantes(pedido, regra)
                ainda = f"{verb(faltam, 'falta', 'faltam')} {count(faltam, 'dia', 'dias')} para você completar"
            return f"Para quem declarou uma doença ao entrar no plano, ele pede {prazo} de espera antes deste procedimento, e {ainda}."
        case razoes.SEXO:
            return f"O seu plano cobre este procedimento para pessoas do sexo {sexo}."
        case razoes.SEM_SEXO:
            return (
                f"O seu plano cobre este procedimento para pessoas do sexo {sexo}, e o pedido não diz o seu de um jeito que se leia: "
                "peça a quem fez o pedido que informe."
            )
        case razoes.VALOR:
            valor = reais(pedido.procedimento.valor or 0)
            return f"O pedido custa {valor}, e o seu plano cobre até {maximo} por pedido: peça a quem fez o pedido que reveja o valor."
        case razoes.SEM_VALOR:
            return (
                f"O seu plano cobre até {maximo} por pedido, e o pedido não diz quanto custa de um jeito que se leia: "
                "peça a quem fez o pedido que informe."
            )
        case razoes.SEM_HISTORICO:
            return f"{_LIMITE_NO_TEMPO}: peça a quem fez o pedido que informe o que você já usou."
        case razoes.HISTORICO_INCOMPLETO:
            return f"{_LIMITE_NO_TEMPO} por inteiro: peça a quem fez o pedido que complete essa informação."
        case _:
            return ""


_LIMITE_NO_TEMPO = "O seu plano tem um limite para este procedimento ao longo do tempo, e não sabemos o que você já usou"


def _idade_nao_conferida(regra: Regra | None) -> str:
    """What to do where the plano asks for an age and the pedido does not tell it in a way that can be read."""
    faixa = regra.restricoes_idade if regra else None
    limites = faixa_etaria(faixa.min, faixa.max) if faixa else ""
    return f"Não sabemos a sua idade, e a regra do plano vale para pessoas {limites}: peça a quem fez o pedido que a informe."


def _espera(normalizacao: Normalizacao, regra: Regra | None) -> str:
    pedido = normalizacao.pedido_normalizado
    exigida = rf4.carencia_exigida(pedido.urgencia, regra) if regra else None
    prazo = count(exigida[1], "dia", "dias") if exigida else ""
    if pedido.beneficiario.carencia_cumprida_dias is None:
        tempo = "o tempo que você já cumpriu veio de um jeito que não se lê" if CARENCIA_ILEGIVEL in normalizacao.alertas else _SEM_TEMPO
        return f"O seu plano pede {prazo} de espera antes deste procedimento, e {tempo}: peça a quem fez o pedido que informe."
    faltam = dias_restantes(pedido, regra) if regra else 0
    ainda = f"{verb(faltam, 'falta', 'faltam')} {count(faltam, 'dia', 'dias')}"
    return f"O seu plano pede {prazo} de espera antes deste procedimento, e {ainda} para você completar."
