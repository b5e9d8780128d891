"""A document's bytes as a tree in which every value knows its line: JSON or YAML, told apart by how it opens."""

from __future__ import annotations

import re
from typing import Final, Literal

from crivo.autorizacoes.politicas.leitura_json import read_json
from crivo.autorizacoes.politicas.leitura_yaml import read_yaml
from crivo.autorizacoes.politicas.nos import No, PoliticaInvalida, Problemas, unreadable

TAMANHO_MAXIMO: Final = 50 * 1024 * 1024
_INVISIBLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NOT_TEXT: Final = (
    (b"%PDF", "um PDF"),
    (b"PK\x03\x04", "uma planilha, um documento de texto ou uma pasta compactada"),
    (b"\xd0\xcf\x11\xe0", "um documento de Word ou uma planilha"),
    (b"\x89PNG", "uma imagem"),
    (b"\xff\xd8\xff", "uma imagem"),
)


def read_tree(raw: bytes, formato: Literal["json", "yaml"] | None, problemas: Problemas) -> No:
    """The tree of a document of up to 50 MB; repeated keys go to `problemas`. Raises PoliticaInvalida where it cannot be read."""
    return _read_text(_decode(raw), formato, problemas)


def _decode(raw: bytes) -> str:
    if len(raw) > TAMANHO_MAXIMO:
        raise unreadable("arquivo_grande", None, "O arquivo passa de 50 MB; divida as regras em mais de um documento.")
    try:
        texto = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        for mark, what in _NOT_TEXT:
            if raw.startswith(mark):
                mensagem = f"Este arquivo é {what}. O documento vem em texto: peça o arquivo .json ou .yaml, ou comece pelo exemplo."
                raise unreadable("codificacao_invalida", None, mensagem) from error
        linha = raw.count(b"\n", 0, error.start) + 1
        mensagem = "Há uma letra que não pôde ser lida. No editor, salve o arquivo de novo com a codificação UTF-8."
        raise unreadable("codificacao_invalida", linha, mensagem) from error
    invisible = _INVISIBLE.search(texto)
    if invisible is not None:
        linha = texto.count("\n", 0, invisible.start()) + 1
        raise unreadable("caractere_invisivel", linha, "Há um caractere de controle, invisível, nesta linha; apague-o.")
    if not texto.strip():
        raise unreadable("arquivo_vazio", 1, "O arquivo está vazio; escreva nele o documento.")
    return texto


def _read_text(texto: str, formato: Literal["json", "yaml"] | None, problemas: Problemas) -> No:
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
