"""YAML read with lines, and with its surprises taken out: no aliases, no tags, no dates, octals or words turned into booleans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import yaml

from crivo.autorizacoes.politicas.leitura_json import read_number
from crivo.autorizacoes.politicas.nos import (
    PROFUNDIDADE_MAXIMA,
    Escalar,
    Lista,
    Mapa,
    No,
    PoliticaInvalida,
    Problemas,
    add_chave_repetida,
    unreadable,
)
from crivo.kernel.formas.palavras import Caminho

# The words of YAML 1.2; `sim`, `não`, `on`, `yes` and the like stay text.
_WORDS: Final[dict[str, bool | None]] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_ASTERISCO: Final = 'Em YAML um `*` no começo do valor precisa de aspas: escreva "*".'
_HINTS: Final[tuple[tuple[str, str], ...]] = (
    ("while scanning an alias", _ASTERISCO),
    (
        "cannot start any token",
        "Há um caractere que não pode começar um valor: troque tabulações por espaços, ou ponha o texto entre aspas.",
    ),
    ("mapping values are not allowed", "Há dois-pontos onde o YAML não espera: confira o recuo, ou ponha o texto todo entre aspas."),
    ("could not find expected ':'", "Falta o `: ` depois do nome de um campo, ou há aspas que não fecham."),
    ("unexpected end of stream", "O arquivo acaba antes da hora: há aspas, chaves ou colchetes que não fecham."),
    ("did not find expected", "O recuo, ou o fechamento de uma lista ou objeto, não combina com as linhas de cima."),
)
_UNREADABLE: Final = "O YAML não pôde ser lido a partir daqui: confira recuo, dois-pontos e aspas."


def read_yaml(texto: str, problemas: Problemas) -> No:
    """The tree of a YAML text of one document; repeated keys go to `problemas`, and unquoted scalars keep the text as written.

    Raises PoliticaInvalida where the text is not YAML, uses aliases, anchors or tags, or is nested deeper than 16 levels.
    """
    try:
        return _Reader(texto, problemas).read()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise unreadable("yaml_invalido", mark.line + 1 if mark else None, _hint(error)) from error
    # A ReaderError has no mark; the reader written in Python lets a ValueError out for an escape beyond Unicode.
    except (yaml.YAMLError, ValueError) as error:
        raise unreadable(
            "yaml_invalido", None, "O arquivo tem um caractere que o YAML não aceita; procure caracteres invisíveis."
        ) from error


def _hint(error: yaml.MarkedYAMLError) -> str:
    said = f"{error.context} {error.problem}"
    return next((mensagem for fragment, mensagem in _HINTS if fragment in said), _UNREADABLE)


def _loader() -> Any:
    return yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


class _Reader:
    def __init__(self, texto: str, problemas: Problemas) -> None:
        self._events: Iterator[Any] = iter(yaml.parse(texto, Loader=_loader()))
        self._problemas = problemas

    def read(self) -> No:
        event = self._next()
        if not isinstance(event, yaml.DocumentStartEvent):
            raise unreadable("arquivo_vazio", 1, "O arquivo não tem conteúdo: escreva nele uma política.")
        event = self._next()
        no = self._value(event, _linha(event), (), 0)
        self._next()
        event = self._next()
        if isinstance(event, yaml.DocumentStartEvent):
            raise unreadable(
                "varios_documentos", _linha(event), "Há mais de um documento no arquivo (`---`); deixe uma política por arquivo."
            )
        return no

    def _next(self) -> Any:
        """The next event after the start of the stream, whose own event says nothing."""
        event = next(self._events)
        return next(self._events) if isinstance(event, yaml.StreamStartEvent) else event

    def _value(self, event: Any, linha: int, caminho: Caminho, depth: int) -> No:
        if isinstance(event, yaml.ScalarEvent):
            self._refuse_indirection(event, caminho)
            return _escalar(event, linha)
        if not isinstance(event, yaml.CollectionStartEvent):
            raise self._refusal(event, caminho)
        self._refuse_indirection(event, caminho)
        if depth >= PROFUNDIDADE_MAXIMA:
            mensagem = f"Há mais de {PROFUNDIDADE_MAXIMA} níveis de aninhamento; uma política nunca precisa de tantos."
            raise unreadable("yaml_invalido", _linha(event), mensagem, caminho)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapa(linha, caminho, depth)
        return self._lista(linha, caminho, depth)

    def _lista(self, linha: int, caminho: Caminho, depth: int) -> No:
        itens: list[No] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            itens.append(self._value(event, _linha(event), (*caminho, len(itens)), depth + 1))
        return Lista(tuple(itens), linha)

    def _mapa(self, linha: int, caminho: Caminho, depth: int) -> No:
        campos: dict[str, No] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            linha_chave = _linha(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise unreadable("yaml_invalido", linha_chave, "O nome de um campo deve ser um texto simples.", caminho)
            self._refuse_indirection(event, caminho)
            chave = str(event.value)
            valor = self._value(self._next(), linha_chave, (*caminho, chave), depth + 1)
            if chave in campos:
                add_chave_repetida(self._problemas, (*caminho, chave), linha_chave, campos[chave].linha)
            campos[chave] = valor
        return Mapa(campos, linha)

    def _refuse_indirection(self, event: Any, caminho: Caminho) -> None:
        if event.anchor is not None or event.tag is not None:
            raise self._refusal(event, caminho)

    def _refusal(self, event: Any, caminho: Caminho) -> PoliticaInvalida:
        mensagem = f"Referências (`&`, `*`) e marcações (`!`) não são aceitas; escreva o valor por extenso. {_ASTERISCO}"
        return unreadable("yaml_com_referencia", _linha(event), mensagem, caminho)


def _linha(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _escalar(event: Any, linha: int) -> Escalar:
    escrito = str(event.value)
    is_plain = bool(event.implicit[0])
    if not is_plain:
        return Escalar(escrito, linha)
    if escrito in _WORDS:
        return Escalar(_WORDS[escrito], linha, escrito)
    number = read_number(escrito)
    return Escalar(escrito, linha) if number is None else Escalar(number, linha, escrito)
