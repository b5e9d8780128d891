"""A tree held against the shape of an import: every fault with its path and what would be right."""

from __future__ import annotations

import copy
from typing import Any, Final

from pydantic import BaseModel

from crivo.kernel.formas import queixas
from crivo.kernel.formas.esquema import shape_of
from crivo.kernel.formas.palavras import Caminho
from crivo.triagem.importacao.campos import FormaImportacao, FormaProjeto
from crivo.triagem.importacao.itens import Guardados, Itens
from crivo.triagem.importacao.leitura_json import Repetidas, Valor
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato

_INSIDE: Final = (dict, list, str)


def read(bruto: Valor, relato: Relato) -> dict[str, Any] | None:
    """The tree as the contract holds it, with the reasons in `relato` for what is left out; None where it is no object.

    Projetos are read one by one, and held on disk.
    """
    inteiro = _in_memory(bruto) if isinstance(bruto, dict) else bruto
    lido = _read_part(inteiro, FormaImportacao, (), relato)
    if not isinstance(lido, dict):
        return None
    if isinstance(bruto["projetos"] if "projetos" in lido else None, Itens):
        guardados = Guardados(relato.folder)
        for posicao, projeto in enumerate(bruto["projetos"]):
            guardados.append(_read_part(projeto, FormaProjeto, ("projetos", posicao), relato))
        lido["projetos"] = guardados
    return lido


def _in_memory(bruto: dict[str, Valor]) -> dict[str, Valor]:
    """The file with its lists in memory, but for the projetos, and for one that is told by its length alone."""
    campos = shape_of(FormaImportacao)["properties"]
    inteiro = copy.copy(bruto)
    for nome, valor in bruto.items():
        if isinstance(valor, Itens) and nome in campos and "maxItems" in campos[nome]:
            too_many = len(valor) > campos[nome]["maxItems"]
            inteiro[nome] = [None] * len(valor) if too_many else [] if nome == "projetos" else list(valor)
    return inteiro


def _read_part(valor: Valor, modelo: type[BaseModel], caminho: Caminho, relato: Relato) -> Any:
    lido = queixas.read(modelo, valor, relato.voz, caminho)
    for codigo, onde, mensagem in lido.queixas:
        relato.problemas.add(codigo, onde, mensagem)
    relato.problemas.total += lido.omitidas
    _tell_odd(valor, lido.valor, caminho, relato)
    return lido.valor


def _tell_odd(valor: Valor, lido: Any, caminho: Caminho, relato: Relato) -> None:
    """What no single value shows: names that came twice, and texts that came in otherwise than they were written."""
    if isinstance(valor, dict):
        tell_repeated(valor, caminho, relato)
        kept = lido if isinstance(lido, dict) else {}
        inside: list[tuple[str | int, Valor, Any]] = [(nome, item, kept.get(nome)) for nome, item in valor.items()]
    elif isinstance(valor, list) and isinstance(lido, list):
        inside = [(posicao, *par) for posicao, par in enumerate(zip(valor, lido, strict=False))]
    else:
        if isinstance(lido, str) and lido != valor:
            mensagem = f"{relato.label(caminho)} tinha caracteres de controle; entraram como quebra de linha ou como `�`."
            relato.avisos.add("caractere_de_controle", caminho, mensagem)
        return
    for passo, item, como in inside:
        if item is not como and isinstance(item, _INSIDE):
            _tell_odd(item, como, (*caminho, passo), relato)


def tell_repeated(objeto: dict[str, Valor], caminho: Caminho, relato: Relato) -> None:
    """Tells each name that comes twice in an object."""
    for chave in objeto.chaves if isinstance(objeto, Repetidas) else ():
        mensagem = f"`{cite(chave)}` aparece mais de uma vez no mesmo objeto; deixe só uma."
        relato.problemas.add("chave_repetida", (*caminho, chave), mensagem)
