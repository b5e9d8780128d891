"""A tree held against the catalogue of fields: every fault with its path and what would be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crivo.triagem.importacao.itens import Guardados, Itens
from crivo.triagem.importacao.leitura_json import Repetidas, Valor
from crivo.triagem.importacao.problemas import Caminho, cite
from crivo.triagem.importacao.relato import Relato, seen
from crivo.triagem.importacao.tipos import ListaDe, MapaDe, Objeto, Tipo, Variante
from crivo.triagem.importacao.valores import read_escolha, read_simples, read_texto
from crivo.triagem.palavras import count, number


def read(valor: Valor, tipo: Tipo, relato: Relato, caminho: Caminho = ()) -> Any:
    """The tree as the contract holds it, absent fields left out; None stands for what could not be used, with the reason in `relato`."""
    match tipo:
        case ListaDe():
            return _read_lista(valor, tipo, caminho, relato)
        case MapaDe():
            return _read_mapa(valor, tipo, caminho, relato)
        case Objeto():
            return _read_objeto(valor, tipo, caminho, relato)
        case Variante():
            return _read_variante(valor, tipo, caminho, relato)
        case _:
            return read_simples(valor, tipo, caminho, relato)


def _read_lista(valor: Valor, tipo: ListaDe, caminho: Caminho, relato: Relato) -> Sequence[Any] | None:
    if not isinstance(valor, list | Itens):
        relato.fail("tipo_errado", caminho, f"deve ser uma lista; {seen(valor)}")
        return None
    if len(valor) > tipo.maximo:
        relato.fail("lista_longa", caminho, f"pode ter até {count(tipo.maximo, 'item', 'itens')}, e tem {number(len(valor))}")
        return None
    if len(valor) < tipo.minimo:
        relato.fail("lista_curta", caminho, f"precisa de ao menos {count(tipo.minimo, 'item', 'itens')}")
    if tipo.em_disco:
        guardados = Guardados(relato.folder)
        for posicao, item in enumerate(valor):
            guardados.append(read(item, tipo.item, relato, (*caminho, posicao)))
        return guardados
    itens = [read(item, tipo.item, relato, (*caminho, posicao)) for posicao, item in enumerate(valor)]
    if tipo.sem_repetir:
        vistos: set[Any] = set()
        for posicao, item in enumerate(itens):
            if item in vistos:
                relato.fail("repetido", (*caminho, posicao), "repete um item anterior da lista")
            elif item is not None:
                vistos.add(item)
    return itens


def _read_mapa(valor: Valor, tipo: MapaDe, caminho: Caminho, relato: Relato) -> dict[str, Any] | None:
    campos = _fields_of(valor, caminho, relato)
    if campos is None:
        return None
    if len(campos) > tipo.maximo:
        relato.fail("lista_longa", caminho, f"pode ter até {count(tipo.maximo, 'campo', 'campos')}, e tem {number(len(campos))}")
        return None
    for chave in campos:
        read_texto(chave, tipo.chave, (*caminho, chave), relato)
    return {chave: read(item, tipo.item, relato, (*caminho, chave)) for chave, item in campos.items()}


def _read_objeto(valor: Valor, tipo: Objeto, caminho: Caminho, relato: Relato, marca: str | None = None) -> dict[str, Any] | None:
    campos = _fields_of(valor, caminho, relato)
    if campos is None:
        return None
    lidos: dict[str, Any] = {}
    for chave, item in campos.items():
        campo = tipo.por_nome.get(chave)
        if campo is not None and (campo.obrigatorio or item is not None):
            lido = read(item, campo.tipo, relato, (*caminho, chave))
            if lido is not None:
                lidos[chave] = lido
        elif campo is None and chave != marca:
            sugestao = relato.suggest(chave, tipo.por_nome) or " Os campos aceitos estão em `crivo triagem esquema`."
            relato.problemas.add("campo_desconhecido", (*caminho, chave), f"`{cite(chave)}` não existe em {tipo.nome}.{sugestao}")
    for campo in tipo.campos:
        if campo.obrigatorio and campo.nome not in campos:
            _add_ausente(campo.nome, campo.descricao, caminho, relato)
    return lidos


def _read_variante(valor: Valor, tipo: Variante, caminho: Caminho, relato: Relato) -> dict[str, Any] | None:
    campos = _fields_of(valor, caminho, relato)
    if campos is None:
        return None
    if tipo.marca not in campos:
        opcoes = " ou ".join(f"`{opcao}`" for opcao in tipo.opcoes)
        _add_ausente(tipo.marca, f"Diga qual é: {opcoes}.", caminho, relato)
        return None
    escolhida = read_escolha(campos[tipo.marca], tipo.opcoes, (*caminho, tipo.marca), relato)
    if escolhida is None:
        return None
    lidos = _read_objeto(valor, tipo.opcoes[escolhida], caminho, relato, tipo.marca)
    return None if lidos is None else {tipo.marca: escolhida, **lidos}


def _fields_of(valor: Valor, caminho: Caminho, relato: Relato) -> dict[str, Valor] | None:
    if not isinstance(valor, dict):
        relato.fail("tipo_errado", caminho, f"deve ser um objeto com campos; {seen(valor)}")
        return None
    if isinstance(valor, Repetidas):
        for chave in valor.chaves:
            mensagem = f"`{cite(chave)}` aparece mais de uma vez no mesmo objeto; deixe só uma."
            relato.problemas.add("chave_repetida", (*caminho, chave), mensagem)
    return valor


def _add_ausente(nome: str, descricao: str, caminho: Caminho, relato: Relato) -> None:
    onde = f" em {relato.label(caminho)}" if caminho else ""
    relato.problemas.add("campo_ausente", (*caminho, nome), f"Falta {relato.label((*caminho, nome))}{onde}. {descricao}")
