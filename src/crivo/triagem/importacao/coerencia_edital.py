"""What must hold between the values of an edital, its requisitos and its critérios, before any project is looked at."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any, Final

from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.edital import Criterio
from crivo.triagem.habilitacao.tipos import catalogue
from crivo.triagem.importacao.pecas import Indice, Lido, as_date, check_ids, check_repeats, day_of, objects
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.importacao.valores import DATA
from crivo.triagem.palavras import day, number

_DEFAULTS: Final = Criterio("", "")


def check_edital(lido: Lido, relato: Relato) -> None:
    """The dates of the edital in their order."""
    edital = lido.get("edital") or {}
    check_repeats(edital.get("ordem_fases"), ("edital", "ordem_fases"), relato)
    inscricoes = edital.get("inscricoes") or {}
    inicio, fim = day_of(inscricoes, "inicio"), day_of(inscricoes, "fim")
    if inicio and fim and fim < inicio:
        mensagem = f"As inscrições terminam ({day(fim)}) antes de começar ({day(inicio)}); troque as datas."
        relato.problemas.add("datas_invertidas", ("edital", "inscricoes", "fim"), mensagem)
    referencia = day_of(edital, "data_referencia")
    if referencia and inicio and referencia < inicio:
        mensagem = f"A data de referência ({day(referencia)}) é anterior às inscrições; os documentos serão julgados naquele dia."
        relato.avisos.add("referencia_anterior", ("edital", "data_referencia"), mensagem)
    _check_fases(edital, relato)
    _check_categorias(edital, relato)
    _check_proprios(edital, relato)


def _check_fases(edital: Lido, relato: Relato) -> None:
    begins: dict[str, date] = {}
    for indice, fase in objects(edital, "fases"):
        inicio, fim = day_of(fase, "inicio"), day_of(fase, "fim")
        if inicio and fim and fim < inicio:
            mensagem = f"A fase termina ({day(fim)}) antes de começar ({day(inicio)}); troque as datas."
            relato.problemas.add("datas_invertidas", ("edital", "fases", indice, "fim"), mensagem)
        if inicio and "fase" in fase:
            begins.setdefault(fase["fase"], inicio)
    ordem = [begins[fase] for fase in edital.get("ordem_fases") or () if fase in begins]
    if ordem != sorted(ordem):
        mensagem = "As datas das fases e a ordem das fases não dizem o mesmo: vale a ordem, e as datas são só mostradas."
        relato.avisos.add("fases_fora_de_ordem", ("edital", "fases"), mensagem)


def _check_categorias(edital: Lido, relato: Relato) -> None:
    """Each once, as people tell them apart."""
    categorias = edital.get("categorias") or ()
    check_repeats(categorias, ("edital", "categorias"), relato)
    seen: dict[str, str] = {}
    for posicao, escrita in enumerate(categorias):
        if escrita is not None and seen.setdefault(fold(escrita), escrita) != escrita:
            mensagem = f"só difere de `{cite(seen[fold(escrita)])}` por maiúsculas ou acentos; deixe uma delas"
            relato.fail("categoria_repetida", ("edital", "categorias", posicao), mensagem)


def _check_proprios(edital: Lido, relato: Relato) -> None:
    check_ids("documentos_proprios", edital, relato, ("edital",))
    known = {codigo.casefold() for codigo in catalogue()}
    for indice, tipo in objects(edital, "documentos_proprios"):
        caminho: Caminho = ("edital", "documentos_proprios", indice)
        if tipo.get("id", "").casefold() in known:
            relato.fail("documento_do_catalogo", (*caminho, "id"), "já é um tipo que o crivo conhece; dê ao seu outro código")
        for lista in ("palavras", "palavras_de_outro"):
            for posicao, escrita in enumerate(tipo.get(lista) or ()):
                if escrita is not None and not fold(escrita).strip("+ "):
                    relato.fail("palavra_vazia", (*caminho, lista, posicao), "não tem letra nem algarismo")


def check_requisitos(lido: Lido, relato: Relato) -> Indice:
    """The requisitos by id; each documento is known, each valor of the kind that its operador compares, each validade has a date to
    count from.
    """
    edital = lido.get("edital") or {}
    dated = "data_referencia" in edital or "fim" in (edital.get("inscricoes") or {})
    for indice, requisito in objects(lido, "requisitos"):
        caminho: Caminho = ("requisitos", indice)
        check_repeats(requisito.get("formatos"), (*caminho, "formatos"), relato)
        _check_documento(requisito.get("documento"), edital, (*caminho, "documento"), relato)
        check_condicao(requisito, edital, caminho, relato)
        check_condicao(requisito.get("quando") or {}, edital, (*caminho, "quando"), relato)
        validade = requisito.get("validade")
        if validade and "data" not in validade and not dated:
            mensagem = "precisa de `data`, porque o edital não tem data de referência nem fim das inscrições"
            relato.fail("validade_sem_data", (*caminho, "validade"), mensagem)
    return check_ids("requisitos", lido, relato)


def _check_documento(codigo: str | None, edital: Lido, caminho: Caminho, relato: Relato) -> None:
    listed = edital.get("documentos_proprios") or ()
    proprios = [tipo["id"] for _, tipo in objects(edital, "documentos_proprios") if "id" in tipo]
    conhecidos = [*catalogue(), *proprios]
    if codigo is None or codigo in conhecidos or len(proprios) < len(listed):  # one that could not be read may be the one
        return
    opcoes = ", ".join(f"`{cite(opcao)}`" for opcao in conhecidos)
    mensagem = f"{relato.label(caminho)} deve ser um destes valores: {opcoes}; está escrito `{cite(codigo)}`."
    own = " Um tipo que só este edital tem é descrito em `edital.documentos_proprios`."
    relato.problemas.add("documento_desconhecido", caminho, f"{mensagem}{relato.suggest(codigo, conhecidos)}{own}")


def check_condicao(condicao: Lido, edital: Lido, caminho: Caminho, relato: Relato) -> None:
    """What a condition compares with is of the kind that its operador compares, and a category is one of the edital's."""
    if "operador" not in condicao:
        return
    _check_valor(condicao["operador"], condicao.get("valor"), (*caminho, "valor"), relato)
    categorias = [one for one in edital.get("categorias") or () if one is not None]
    if condicao.get("campo") != "categoria" or not categorias:
        return
    known = {fold(one) for one in categorias}
    valor = condicao.get("valor")
    for dito in valor if isinstance(valor, list) else [valor]:
        if isinstance(dito, str) and fold(dito) not in known:
            mensagem = f"`{cite(dito)}` não é uma das categorias do edital.{relato.suggest(dito, categorias)}"
            relato.problemas.add("categoria_desconhecida", (*caminho, "valor"), mensagem)


def _check_valor(operador: str, valor: Any, caminho: Caminho, relato: Relato) -> None:
    expected = ""
    if operador == "em" and not (isinstance(valor, list) and valor):
        expected = 'uma lista com ao menos um valor, como ["Caucaia"]'
    elif operador in {"igual", "diferente"} and (valor is None or isinstance(valor, list)):
        expected = "um único valor; para uma lista, use o operador `em`"
    elif operador in {"minimo", "maximo"} and not _is_ordered(valor):
        expected = "um número, ou uma data no formato AAAA-MM-DD"
    elif operador == "existe" and not (valor is None or isinstance(valor, bool)):
        expected = "`true` ou `false`, ou ser deixado de fora"
    if expected:
        relato.fail("valor_incompativel", caminho, f"com o operador `{operador}` deve ser {expected}")


def _is_ordered(valor: Any) -> bool:
    if isinstance(valor, str):
        return re.fullmatch(DATA, valor) is not None and as_date(valor) is not None
    return isinstance(valor, int | float | Decimal) and not isinstance(valor, bool)


def check_criterios(lido: Lido, relato: Relato) -> None:
    """Each scale goes up, and its levels are in it, each nota once."""
    check_ids("criterios", lido, relato)
    for indice, criterio in objects(lido, "criterios"):
        caminho: Caminho = ("criterios", indice)
        minimo, maximo = criterio.get("nota_min", _DEFAULTS.nota_min), criterio.get("nota_max", _DEFAULTS.nota_max)
        if minimo >= maximo:
            mensagem = f"A nota mínima ({number(minimo)}) deve ser menor que a máxima ({number(maximo)})."
            relato.problemas.add("notas_invertidas", (*caminho, "nota_min"), mensagem)
            continue
        vistas: set[Decimal] = set()
        for posicao, nivel in objects(criterio, "niveis"):
            nota = nivel.get("nota")
            onde: Caminho = (*caminho, "niveis", posicao, "nota")
            if nota is not None and not minimo <= nota <= maximo:
                relato.fail("nivel_fora_da_escala", onde, f"deve estar entre {number(minimo)} e {number(maximo)}, a escala do critério")
            elif nota in vistas:
                relato.fail("nivel_repetido", onde, f"repete a nota {number(nota)}; cada nível tem a sua")
            if nota is not None:
                vistas.add(nota)
