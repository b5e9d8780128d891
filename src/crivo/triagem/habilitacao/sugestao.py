"""The suggestion for a project: all its requisitos held against what was sent and declared. Source: design, Habilitação; triagem seed."""

from __future__ import annotations

from collections.abc import Sequence

from crivo.triagem.achados import Evidencia, Habilitacao, HabilitacaoSugerida, ItemHabilitacao
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Condicao, Edital, Projeto, Requisito, RequisitoCondicao, RequisitoDocumento
from crivo.triagem.habilitacao.condicoes import declared, holds, meets
from crivo.triagem.habilitacao.documentos import Confirmado, Contexto, check_documento, owners
from crivo.triagem.habilitacao.tipos import tipos_of


def habilitar(
    edital: Edital, requisitos: Sequence[Requisito], lido: ProjetoLido, confirmados: frozenset[Confirmado] = frozenset()
) -> Habilitacao:
    """Hold a project against every requisito, in the edital's order; one whose `quando` does not hold of it is not asked, and says so.

    `confirmados` are files whose type is not in question any more.
    """
    projeto, tipos = lido.projeto, tipos_of(edital.documentos_proprios)
    asked = [requisito for requisito in requisitos if isinstance(requisito, RequisitoDocumento) and holds(requisito.quando, projeto)]
    contexto = Contexto(projeto.proponente, edital.referencia, owners(asked, lido.documentos, tipos), confirmados, tipos)
    return suggest(projeto.id, requisitos, [_item(requisito, lido, contexto) for requisito in requisitos])


def suggest(projeto_id: str, requisitos: Sequence[Requisito], itens: Sequence[ItemHabilitacao]) -> Habilitacao:
    """What the items of a project come to, one for each requisito in order.

    `inabilitado` where an eliminatory one is not met, `pendencia` where anything else is not met or could not be read, else
    `habilitado`. A requisito that is not obrigatorio never holds a project back. `docs_completos`: every obligatory document came.
    """
    binding = [item for item, requisito in zip(itens, requisitos, strict=True) if requisito.obrigatorio]
    sugerida = _suggest(binding)
    return Habilitacao(
        projeto_id=projeto_id,
        habilitacao_sugerida=sugerida,
        habilitacao_motivo=_reason(sugerida, binding),
        docs_completos=not any(item.motivo == "documento_ausente" for item in binding),
        itens=tuple(itens),
    )


def _item(requisito: Requisito, lido: ProjetoLido, contexto: Contexto) -> ItemHabilitacao:
    if requisito.quando is not None and not holds(requisito.quando, lido.projeto):
        return _not_asked(requisito, requisito.quando, lido.projeto, contexto)
    match requisito:
        case RequisitoDocumento():
            sent = [file for file in lido.documentos if file.requisito == requisito.id]
            return check_documento(requisito, sent, contexto)
        case RequisitoCondicao():
            return _check_condicao(requisito, lido.projeto)


def _not_asked(requisito: Requisito, quando: Condicao, projeto: Projeto, contexto: Contexto) -> ItemHabilitacao:
    value = declared(projeto, quando.campo)
    named = contexto.tipos.nome(requisito.documento) if isinstance(requisito, RequisitoDocumento) else ""
    said = "o projeto não declara o dado de que este requisito depende" if value is None else "só se pede em outro caso"
    return ItemHabilitacao(
        requisito=requisito.id,
        situacao="atende",
        motivo=None,
        eliminatorio=requisito.eliminatorio,
        evidencia=Evidencia(campo=quando.campo, trecho="" if value is None else str(value), projeto=projeto.id),
        clausula=requisito.clausula,
        descricao=requisito.descricao or named,
        achado=f"Não se pede a este projeto: {said}.",
        pedido=False,
    )


def _check_condicao(requisito: RequisitoCondicao, projeto: Projeto) -> ItemHabilitacao:
    value = declared(projeto, requisito.campo)
    met = meets(requisito.condicao, value)
    if value is None:
        achado = "O projeto não declara este dado, e é o que se pede." if met else "O projeto não declara este dado."
    else:
        achado = f"O que o projeto declara {'atende' if met else 'não atende'} à condição."
    return ItemHabilitacao(
        requisito=requisito.id,
        situacao="atende" if met else "nao_atende",
        motivo=None if met else "condicao_nao_atendida",
        eliminatorio=requisito.eliminatorio,
        evidencia=Evidencia(campo=requisito.campo, trecho="" if value is None else str(value), projeto=projeto.id),
        clausula=requisito.clausula,
        descricao=requisito.descricao,
        achado=achado,
    )


def _suggest(binding: Sequence[ItemHabilitacao]) -> HabilitacaoSugerida:
    if any(item.situacao == "nao_atende" and item.eliminatorio for item in binding):
        return "inabilitado"
    return "habilitado" if all(item.situacao == "atende" for item in binding) else "pendencia"


def _reason(sugerida: HabilitacaoSugerida, binding: Sequence[ItemHabilitacao]) -> str:
    if sugerida == "habilitado":
        return "Todos os requisitos obrigatórios foram atendidos."
    told = [item for item in binding if item.situacao != "atende"]
    if sugerida == "inabilitado":  # what excludes is said; what could be mended no longer matters
        told = [item for item in told if item.situacao == "nao_atende" and item.eliminatorio]
    return " ".join(f"{_named(item)}: {item.achado}" for item in told)


def _named(item: ItemHabilitacao) -> str:
    name = item.descricao or item.requisito
    return f"{name} (item {item.clausula})" if item.clausula else name
