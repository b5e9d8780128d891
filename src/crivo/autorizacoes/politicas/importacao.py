"""The import of a política: bytes in, and out the política with the report of what was read and what looks odd."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import msgspec

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.motivos import DA_REGRA, IDADE
from crivo.autorizacoes.politicas.arvore import read_tree
from crivo.autorizacoes.politicas.contradicoes import contradicoes
from crivo.autorizacoes.politicas.documento import Importada, LidaDeObservacoes, Relatorio
from crivo.autorizacoes.politicas.duvidas import add_duvidas
from crivo.autorizacoes.politicas.nos import No, Problemas, linha_of
from crivo.autorizacoes.politicas.observacoes import read_alternativas, read_excecao_idade
from crivo.autorizacoes.politicas.validacao import validate_politica
from crivo.kernel.formas.palavras import Caminho, format_caminho


def read_politica(raw: bytes, formato: Literal["json", "yaml"] | None = None) -> Importada:
    """The política in a file of up to 50 MB, with its report; without `formato`, a file that opens with `{` or `[` is JSON.

    Raises PoliticaInvalida with every problem of the file. Source: design, RF3.
    """
    problemas = Problemas()
    return import_tree(read_tree(raw, formato, problemas), problemas)


def import_tree(no: No, problemas: Problemas) -> Importada:
    """The política that a tree states, whatever it was read from, with its report; raises as `read_politica`."""
    politica, lidas = _with_observacoes(validate_politica(no, problemas), no)
    avisos = Problemas()
    for posicao, regra in enumerate(politica.regras):
        _add_avisos(regra, ("regras", posicao), no, avisos)
    add_duvidas(politica, no, avisos)
    return Importada(politica, Relatorio(len(politica.regras), avisos.as_tuple(), lidas))


def read_to_examine(raw: bytes, formato: Literal["json", "yaml"] | None = None) -> tuple[Politica, Callable[[Caminho], int]]:
    """The política in a file as `read_politica` would import it, and what finds the line of a value in it.

    Ages between which nobody's lies are let through, as they can be shown. Raises PoliticaInvalida with every other problem of the file.
    """
    problemas = Problemas()
    no = read_tree(raw, formato, problemas)
    politica, _ = _with_observacoes(validate_politica(no, problemas, Problemas()), no)
    return politica, partial(linha_of, no)


# --- what only the free text says


def _with_observacoes(politica: Politica, no: No) -> tuple[Politica, tuple[LidaDeObservacoes, ...]]:
    lidas: list[LidaDeObservacoes] = []
    regras: list[Regra] = []
    for posicao, regra in enumerate(politica.regras):
        completa = _complete(regra)
        if completa is not regra:
            lidas += _what_was_read(regra, completa, ("regras", posicao, "observacoes"), no)
        regras.append(completa)
    return (msgspec.structs.replace(politica, regras=tuple(regras)) if lidas else politica), tuple(lidas)


def _complete(regra: Regra) -> Regra:
    """The regra with what its observacoes alone state; the very same value where they state nothing more."""
    observacoes = regra.observacoes
    if observacoes is None:
        return regra
    alternativas = regra.alternativas or read_alternativas(regra.codigo, observacoes)
    excecoes = regra.excecoes
    if not any(excecao.motivo == IDADE for excecao in excecoes):
        excecao_idade = read_excecao_idade(observacoes)
        excecoes = excecoes if excecao_idade is None else (*excecoes, excecao_idade)
    if (alternativas, excecoes) == (regra.alternativas, regra.excecoes):
        return regra
    return msgspec.structs.replace(regra, alternativas=alternativas, excecoes=excecoes)


def _what_was_read(antes: Regra, depois: Regra, caminho: Caminho, no: No) -> list[LidaDeObservacoes]:
    onde, linha, trecho = format_caminho(caminho), linha_of(no, caminho), depois.observacoes or ""
    novas = depois.alternativas[len(antes.alternativas) :]
    codigos = [
        LidaDeObservacoes(depois.regra_id, onde, linha, "alternativas", _describe(alternativa.codigo, alternativa.descricao), trecho)
        for alternativa in novas
    ]
    saidas = [
        LidaDeObservacoes(depois.regra_id, onde, linha, "excecoes", excecao.instrucao, trecho)
        for excecao in depois.excecoes[len(antes.excecoes) :]
    ]
    return [*codigos, *saidas]


def _describe(codigo: str, descricao: str | None) -> str:
    return f"{codigo} - {descricao}" if descricao else codigo


# --- what is allowed, and yet deserves a look


def _add_avisos(regra: Regra, caminho: Caminho, no: No, avisos: Problemas) -> None:
    if regra.limite_quantidade is not None and regra.limite_quantidade < 1:
        onde = (*caminho, "limite_quantidade")
        mensagem = "Um limite abaixo de 1 não deixa aprovar nem uma unidade; para não cobrir, use cobertura `NAO_COBERTA`."
        avisos.add("limite_abaixo_de_um", onde, linha_of(no, onde), mensagem)
    for campo, codigo, mensagem in contradicoes(regra):
        onde = (*caminho, campo)
        avisos.add(codigo, onde, linha_of(no, onde), mensagem)
    for posicao, alternativa in enumerate(regra.alternativas):
        if alternativa.codigo == regra.codigo:
            onde = (*caminho, "alternativas", posicao, "codigo")
            mensagem = f"`{alternativa.codigo}` é o código da própria regra; indique um procedimento diferente ou apague a alternativa."
            avisos.add("alternativa_igual", onde, linha_of(no, onde), mensagem)
    for posicao, excecao in enumerate(regra.excecoes):
        if excecao.motivo not in DA_REGRA:
            onde = (*caminho, "excecoes", posicao, "motivo")
            mensagem = f"Nenhuma avaliação dá o motivo `{excecao.motivo[:40]}`, e a exceção nunca será usada"
            mensagem += f"; os motivos são {', '.join(DA_REGRA)}."
            avisos.add("motivo_desconhecido", onde, linha_of(no, onde), mensagem)
