"""The import of a política: bytes in, and out the política with the report of what was read and what looks odd."""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.motivos import DA_REGRA, IDADE
from crivo.autorizacoes.politicas.documento import Importada, LidaDeObservacoes, Relatorio
from crivo.autorizacoes.politicas.duvidas import add_duvidas
from crivo.autorizacoes.politicas.leitura_json import read_json
from crivo.autorizacoes.politicas.leitura_yaml import read_yaml
from crivo.autorizacoes.politicas.nos import No, PoliticaInvalida, Problemas, linha_of, unreadable
from crivo.autorizacoes.politicas.observacoes import read_alternativas, read_excecao_idade
from crivo.autorizacoes.politicas.validacao import validate_politica
from crivo.kernel.formas.palavras import Caminho, format_caminho

TAMANHO_MAXIMO: Final = 50 * 1024 * 1024
_INVISIBLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def read_politica(raw: bytes, formato: Literal["json", "yaml"] | None = None) -> Importada:
    """The política in a file of up to 50 MB, with its report; without `formato`, a file that opens with `{` or `[` is JSON.

    Raises PoliticaInvalida with every problem of the file. Source: design, RF3.
    """
    problemas = Problemas()
    return import_tree(_read_tree(_decode(raw), formato, problemas), problemas)


def import_tree(no: No, problemas: Problemas) -> Importada:
    """The política that a tree states, whatever it was read from, with its report; raises as `read_politica`."""
    politica, lidas = _with_observacoes(validate_politica(no, problemas), no)
    avisos = Problemas()
    for posicao, regra in enumerate(politica.regras):
        _add_avisos(regra, ("regras", posicao), no, avisos)
    add_duvidas(politica, no, avisos)
    return Importada(politica, Relatorio(len(politica.regras), avisos.as_tuple(), lidas))


_NOT_TEXT: Final = (
    (b"%PDF", "um PDF"),
    (b"PK\x03\x04", "uma planilha, um documento de texto ou uma pasta compactada"),
    (b"\xd0\xcf\x11\xe0", "um documento de Word ou uma planilha"),
    (b"\x89PNG", "uma imagem"),
    (b"\xff\xd8\xff", "uma imagem"),
)


def _decode(raw: bytes) -> str:
    if len(raw) > TAMANHO_MAXIMO:
        raise unreadable("arquivo_grande", None, "O arquivo passa de 50 MB; divida as regras em mais de um documento.")
    try:
        texto = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        for mark, what in _NOT_TEXT:
            if raw.startswith(mark):
                mensagem = f"Este arquivo é {what}. A política vem em texto: peça o arquivo .json ou .yaml, ou comece pelo exemplo."
                raise unreadable("codificacao_invalida", None, mensagem) from error
        linha = raw.count(b"\n", 0, error.start) + 1
        mensagem = "Há uma letra que não pôde ser lida. No editor, salve o arquivo de novo com a codificação UTF-8."
        raise unreadable("codificacao_invalida", linha, mensagem) from error
    invisible = _INVISIBLE.search(texto)
    if invisible is not None:
        linha = texto.count("\n", 0, invisible.start()) + 1
        raise unreadable("caractere_invisivel", linha, "Há um caractere de controle, invisível, nesta linha; apague-o.")
    if not texto.strip():
        raise unreadable("arquivo_vazio", 1, "O arquivo está vazio; escreva nele uma política.")
    return texto


def _read_tree(texto: str, formato: Literal["json", "yaml"] | None, problemas: Problemas) -> No:
    looks_json = texto.lstrip()[0] in "{["
    if formato == "json" or (formato is None and looks_json):
        return read_json(texto, problemas, solto=False)
    if looks_json:
        # JSON is YAML too, but for details that YAML readers refuse, such as tabs: it is tried first.
        tentativa = Problemas()
        try:
            no = read_json(texto, tentativa, solto=True)
        except PoliticaInvalida:
            return read_yaml(texto, problemas)
        problemas.extend(tentativa)
        return no
    return read_yaml(texto, problemas)


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
