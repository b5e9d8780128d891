"""A test case as it is written in `casos/*.yaml`, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, ClassVar, Final

import yaml

from crivo.autorizacoes.contracts import Value
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.palavras import DECISOES, listing
from crivo.autorizacoes.politicas.arvore import read_tree
from crivo.autorizacoes.politicas.nos import Escalar, Lista, Mapa, No, PoliticaInvalida, Problemas, linha_of
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.formas.palavras import Caminho

NOME_MAXIMO: Final = 200
CAMPOS: Final = ("caso", "pedido", "esperado", "com_publicadas", "recebido_em")
ESPERADOS: Final = (
    "decisao_final",
    "quantidade_aprovada",
    "motivos",
    "pendencias_documentais",
    "condicionantes",
    "conforme",
    "decisao_preliminar",
    "quantidade_aprovavel",
    "coparticipacao_percentual",
    "prazo_validade_autorizacao_dias",
    "alertas",
    "erros_bloqueantes",
    "ajustes",
    "regra_id",
    "documento",
    "versao",
)


class CasoInvalido(CrivoError):
    """A file of test cases that cannot be used; `problemas` has every fault, with its line."""

    codigo: ClassVar[str] = "caso_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Um caso de teste não pôde ser lido"


class Caso(Value, frozen=True, gc=False, kw_only=True):
    """A pedido and what is expected of it: `decisao_final`, and of `ESPERADOS` whatever else is stated.

    `com_publicadas` decides it among all that is published, else by the document alone. `recebido_em` is an ISO date; without one the
    pedido came on the first day of the document.
    """

    nome: str
    pedido: Bruto
    esperado: Mapping[str, Any]
    com_publicadas: bool = False
    recebido_em: str | None = None


def read_casos(raw: bytes, nome: str) -> tuple[Caso, ...]:
    """The cases in a file: one, or a list of them; `nome` is what one is called that has no name of its own. Raises CasoInvalido."""
    problemas = Problemas()
    try:
        no = read_tree(raw, None, problemas)
    except PoliticaInvalida as error:
        raise CasoInvalido("O arquivo não pôde ser lido. Corrija-o e tente de novo.", error.problemas) from None
    nos = list(enumerate(no.itens)) if isinstance(no, Lista) else [(None, no)]
    casos = [_caso(um, nome if posicao is None else f"{nome} {posicao + 1}", problemas) for posicao, um in nos]
    if problemas:
        found = problemas.as_tuple()
        raise CasoInvalido("Corrija o que está indicado e tente de novo.", found)
    return tuple([caso for caso in casos if caso is not None])


def check_caso(caso: Caso) -> tuple[Problem, ...]:
    """What is wrong with a case that did not come from a file."""
    problemas = Problemas()
    raiz = Mapa({}, 1)
    _check_esperado(caso.esperado, raiz, problemas)
    _check_dia(caso.recebido_em, raiz, problemas)
    return problemas.as_tuple()


def to_yaml(caso: Caso) -> bytes:
    """The case as a file that `read_casos` reads the same again."""
    documento: dict[str, Any] = {"caso": caso.nome, "pedido": caso.pedido, "esperado": dict(caso.esperado)}
    if caso.com_publicadas:
        documento["com_publicadas"] = True
    if caso.recebido_em is not None:
        documento["recebido_em"] = caso.recebido_em
    written = yaml.safe_dump(documento, allow_unicode=True, sort_keys=False, width=120, default_flow_style=False)
    return str(written).encode()


def _caso(no: No, nome: str, problemas: Problemas) -> Caso | None:
    if not isinstance(no, Mapa):
        problemas.add("caso_invalido", (), no.linha, "Um caso tem `pedido` e `esperado`; escreva os dois como campos.")
        return None
    for campo in no.campos:
        if campo not in CAMPOS:
            mensagem = f"`{campo[:40]}` não é um campo de caso; os campos são {listing(CAMPOS)}."
            problemas.add("campo_desconhecido", (campo,), linha_of(no, (campo,)), mensagem)
    pedido, esperado = _plain(no.campos.get("pedido")), _plain(no.campos.get("esperado"))
    if not isinstance(pedido, dict):
        problemas.add("pedido_ausente", ("pedido",), linha_of(no, ("pedido",)), "Falta o `pedido`, com os campos que ele traz.")
    if isinstance(esperado, str):
        esperado = {"decisao_final": esperado}
    if not isinstance(esperado, dict):
        mensagem = "Falta `esperado`: escreva ao menos `decisao_final`."
        problemas.add("esperado_ausente", ("esperado",), linha_of(no, ("esperado",)), mensagem)
        esperado = {"decisao_final": "APROVADO"}
    _check_esperado(esperado, no, problemas)
    com_publicadas, recebido_em = _plain(no.campos.get("com_publicadas")), _plain(no.campos.get("recebido_em"))
    if com_publicadas not in (None, True, False):
        mensagem = "Escreva `com_publicadas: true` ou `false`."
        problemas.add("valor_invalido", ("com_publicadas",), linha_of(no, ("com_publicadas",)), mensagem)
    _check_dia(recebido_em, no, problemas)
    dito = str(_plain(no.campos.get("caso")) or nome).strip()[:NOME_MAXIMO]
    if problemas:
        return None
    return Caso(nome=dito, pedido=pedido, esperado=esperado, com_publicadas=bool(com_publicadas), recebido_em=recebido_em)


def _check_esperado(esperado: Mapping[str, Any], no: No, problemas: Problemas) -> None:
    for campo in esperado:
        if campo not in ESPERADOS:
            caminho: Caminho = ("esperado", campo)
            mensagem = f"`{campo[:40]}` não é algo que se possa esperar; os campos são {listing(ESPERADOS)}."
            problemas.add("campo_desconhecido", caminho, linha_of(no, caminho), mensagem)
    final = esperado.get("decisao_final")
    if final not in DECISOES:
        caminho = ("esperado", "decisao_final")
        problemas.add(
            "decisao_invalida", caminho, linha_of(no, caminho), f"`decisao_final` deve ser uma destas: {listing(list(DECISOES))}."
        )


def _check_dia(dia: Any, no: No, problemas: Problemas) -> None:
    try:
        valid = dia is None or date.fromisoformat(dia).isoformat() == dia
    except (TypeError, ValueError):
        valid = False
    if not valid:
        mensagem = "`recebido_em` deve ser uma data no formato AAAA-MM-DD, como 2026-01-31."
        problemas.add("data_invalida", ("recebido_em",), linha_of(no, ("recebido_em",)), mensagem)


def _plain(no: No | None) -> Any:
    """The tree as plain values; a number that would be written otherwise again, as a code with zeros before it, is the text it was."""
    match no:
        case None:
            return None
        case Escalar(valor=bool() | None):
            return no.valor
        case Escalar():
            return no.valor if no.solto is None or str(no.valor) == no.solto else no.solto
        case Lista():
            return [_plain(filho) for filho in no.itens]
        case Mapa():
            return {chave: _plain(filho) for chave, filho in no.campos.items()}
