"""A política's tree held against its shape: every fault with its path, its line and what would be right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from pydantic import BaseModel

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.politicas.esquema import FormaPolitica, FormaRegra
from crivo.autorizacoes.politicas.nos import Escalar, Lista, Mapa, No, PoliticaInvalida, Problemas, linha_of
from crivo.kernel.formas.esquema import Json, shape_of
from crivo.kernel.formas.palavras import Caminho, cut, name_of
from crivo.kernel.formas.queixas import Voz, read
from crivo.kernel.linguagem.lexico import read_lexico


def validate_politica(no: No, problemas: Problemas, vazias: Problemas | None = None) -> Politica:
    """The política that the tree states, codes and document types normalised.

    Raises PoliticaInvalida with all that `problemas` already held and all that is found here. Ages between which nobody's lies go to
    `vazias` where that is given, and stand in the way of nothing: a conferência can show them.
    """
    voz = _voz(problemas)
    cabeca, demais = _split(no)
    politica = _read(cabeca, FormaPolitica, (), voz, problemas) or {}
    _check_vigencia(politica, no, problemas)
    primeiras: dict[str, int] = {}
    regras: list[Regra] = []
    for posicao, regra in enumerate(_regras(politica.pop("regras", ()), demais, voz, problemas)):
        if regra is not None:
            _check_regra(regra, posicao, primeiras, no, problemas)
            _check_idades(regra, posicao, no, problemas if vazias is None else vazias)
        if not problemas:
            regras.append(msgspec.convert(regra, Regra))
    if problemas:
        raise PoliticaInvalida(problemas.as_tuple())
    return msgspec.convert({**politica, "regras": regras}, Politica, from_attributes=True)


def _split(no: No) -> tuple[No, tuple[No, ...]]:
    """The document with the first of its regras, and the others: of very many, one at a time is held as more than its tree."""
    regras = no.campos.get("regras") if isinstance(no, Mapa) else None
    if not isinstance(no, Mapa) or not isinstance(regras, Lista):
        return no, ()
    return Mapa({**no.campos, "regras": Lista(regras.itens[:1], regras.linha)}, no.linha), regras.itens[1:]


def _regras(primeira: Sequence[Any], demais: Sequence[No], voz: Voz, problemas: Problemas) -> Iterator[Any]:
    yield from primeira
    for posicao, no in enumerate(demais, start=1):
        yield _read(no, FormaRegra, ("regras", posicao), voz, problemas)


def _read(no: No, forma: type[BaseModel], caminho: Caminho, voz: Voz, problemas: Problemas) -> Any:
    """What a part of the document states; None where nothing can be used."""
    lido = read(forma, _plain(no, shape_of(forma)), voz, caminho)
    for codigo, onde, mensagem in lido.queixas:
        problemas.add(codigo, onde, linha_of(no, onde[len(caminho) :]), mensagem)
    problemas.omit(lido.omitidas)
    return _stated(lido.valor)


def _voz(problemas: Problemas) -> Voz:
    return Voz(
        label=lambda caminho: name_of(caminho, "A política"),
        cite=cut,
        cita=True,
        aponta="; os campos aceitos estão em `crivo politicas esquema`.",
        sugere="; quis dizer `{}`?",
        cheia=lambda: problemas.cheio,
        curta="lista_vazia",
        apelidos=_apelidos(),
    )


@cache
def _apelidos() -> dict[str, dict[str, str]]:
    """By what people call fields, of each object: no document is read by these names, but the complaint knows them."""
    return read_lexico("crivo.autorizacoes.politicas", "apelidos", dict[str, dict[str, str]])


def _plain(no: No, shape: Json) -> Any:
    """The tree as plain values; an unquoted word of YAML is a text where its field asks for one."""
    if isinstance(no, Escalar):
        return no.valor if no.solto is None or no.valor is None or "string" not in shape.get("type", ()) else no.solto
    if isinstance(no, Lista):
        item = shape.get("items", {})
        return [_plain(filho, item) for filho in no.itens]
    campos = shape.get("properties", {})
    return {chave: _plain(filho, campos.get(chave, {})) for chave, filho in no.campos.items()}


def _stated(valor: Any) -> Any:
    """The value without what states nothing: an optional text left blank, a list without items, an object without a field."""
    if isinstance(valor, list):
        return [_stated(item) for item in valor]
    return {nome: _stated(item) for nome, item in valor.items() if item not in ("", {}, [])} if isinstance(valor, dict) else valor


# --- what holds between values


def _check_vigencia(politica: dict[str, Any], no: No, problemas: Problemas) -> None:
    inicio, fim = politica.get("vigencia_inicio"), politica.get("vigencia_fim")
    if inicio and fim and fim < inicio:
        mensagem = f"A vigência termina ({fim}) antes de começar ({inicio}); troque as datas."
        problemas.add("vigencia_invertida", ("vigencia_fim",), linha_of(no, ("vigencia_fim",)), mensagem)


def _check_regra(regra: dict[str, Any], posicao: int, primeiras: dict[str, int], no: No, problemas: Problemas) -> None:
    """`primeiras` has where each identifier stood first, and learns of this one."""
    regra_id = regra.get("regra_id", "").strip()
    primeira = primeiras.setdefault(regra_id, posicao) if regra_id else posicao
    if primeira != posicao:
        caminho: Caminho = ("regras", posicao, "regra_id")
        onde = linha_of(no, ("regras", primeira, "regra_id"))
        mensagem = f"`{cut(regra_id)}` já é o identificador de outra regra, na linha {onde}; dê a esta um identificador próprio."
        problemas.add("regra_id_repetida", caminho, linha_of(no, caminho), mensagem)


def _check_idades(regra: dict[str, Any], posicao: int, no: No, problemas: Problemas) -> None:
    faixa = regra.get("restricoes_idade") or {}
    minimo, maximo = faixa.get("min"), faixa.get("max")
    if minimo is not None and maximo is not None and minimo > maximo:
        caminho: Caminho = ("regras", posicao, "restricoes_idade")
        mensagem = f"A idade mínima ({minimo:.0f}) é maior que a máxima ({maximo:.0f}); troque os valores."
        problemas.add("idade_invertida", caminho, linha_of(no, caminho), mensagem)
