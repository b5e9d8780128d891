"""A política's tree held against its shape: every fault with its path, its line and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.politicas.esquema import FormaPolitica
from crivo.autorizacoes.politicas.nos import Escalar, Lista, Mapa, No, PoliticaInvalida, Problemas, linha_of
from crivo.kernel.formas.esquema import Json, shape_of
from crivo.kernel.formas.palavras import Caminho, cut, name_of
from crivo.kernel.formas.queixas import Voz, read


def validate_politica(no: No, problemas: Problemas) -> Politica:
    """The política that the tree states, codes and document types normalised.

    Raises PoliticaInvalida with all that `problemas` already held and all that is found here.
    """
    lido = read(FormaPolitica, _plain(no, shape_of(FormaPolitica)), _voz(problemas))
    for codigo, caminho, mensagem in lido.queixas:
        problemas.add(codigo, caminho, linha_of(no, caminho), mensagem)
    if isinstance(lido.valor, dict):
        _check_document(lido.valor, no, problemas)
    achados = problemas.as_tuple()
    if achados:
        raise PoliticaInvalida(achados)
    return msgspec.convert(_stated(lido.valor), Politica)


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
    raw = resources.files("crivo.autorizacoes.politicas").joinpath("apelidos.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, dict[str, str]])


def _plain(no: No, shape: Json) -> Any:
    """The tree as plain values; an unquoted word of YAML is a text where its field asks for one."""
    match no:
        case Mapa():
            campos = shape.get("properties", {})
            return {chave: _plain(filho, campos.get(chave, {})) for chave, filho in no.campos.items()}
        case Lista():
            item = shape.get("items", {})
            return [_plain(filho, item) for filho in no.itens]
        case Escalar():
            return no.valor if no.valor is None or no.solto is None or "string" not in shape.get("type", ()) else no.solto


def _stated(valor: Any) -> Any:
    """The value without what states nothing: an optional text left blank, or an optional object without a field."""
    if isinstance(valor, dict):
        return {nome: _stated(item) for nome, item in valor.items() if item not in ("", {})}
    return [_stated(item) for item in valor] if isinstance(valor, list) else valor


# --- what holds between values


def _check_document(politica: dict[str, Any], no: No, problemas: Problemas) -> None:
    inicio, fim = politica.get("vigencia_inicio"), politica.get("vigencia_fim")
    if inicio and fim and fim < inicio:
        mensagem = f"A vigência termina ({fim}) antes de começar ({inicio}); troque as datas."
        problemas.add("vigencia_invertida", ("vigencia_fim",), linha_of(no, ("vigencia_fim",)), mensagem)
    _check_regras(politica.get("regras") or (), no, problemas)


def _check_regras(regras: Iterable[dict[str, Any] | None], no: No, problemas: Problemas) -> None:
    primeiras: dict[str, int] = {}
    for posicao, regra in enumerate(regras):
        if regra is None:
            continue
        regra_id = regra.get("regra_id", "").strip()
        primeira = primeiras.setdefault(regra_id, posicao) if regra_id else posicao
        if primeira != posicao:
            caminho: Caminho = ("regras", posicao, "regra_id")
            onde = linha_of(no, ("regras", primeira, "regra_id"))
            mensagem = f"`{cut(regra_id)}` já é o identificador de outra regra, na linha {onde}; dê a esta um identificador próprio."
            problemas.add("regra_id_repetida", caminho, linha_of(no, caminho), mensagem)
        faixa = regra.get("restricoes_idade") or {}
        minimo, maximo = faixa.get("min"), faixa.get("max")
        if minimo is not None and maximo is not None and minimo > maximo:
            caminho = ("regras", posicao, "restricoes_idade")
            mensagem = f"A idade mínima ({minimo:.0f}) é maior que a máxima ({maximo:.0f}); troque os valores."
            problemas.add("idade_invertida", caminho, linha_of(no, caminho), mensagem)
