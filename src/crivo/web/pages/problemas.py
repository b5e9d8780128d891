"""Where a fault of a file stands, in words: "Projeto 4, valor unitário"; programs read the path itself, by the API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from crivo.autorizacoes.palavras import campo_do_pedido
from crivo.autorizacoes.politicas.esquema import FormaPolitica
from crivo.kernel.errors import Problem
from crivo.kernel.formas.esquema import fields_of, shape_of
from crivo.triagem.importacao.campos import FormaImportacao

# One item of each list that a file may hold; a list that is not here is called as it is in the file.
_ITENS: Final[Mapping[str, str]] = {
    "projetos": "projeto {}",
    "requisitos": "requisito {}",
    "criterios": "critério {}",
    "avaliadores": "avaliador {}",
    "niveis": "nível {}",
    "formatos": "formato {}",
    "ordem_fases": "fase {}",
    "documentos": "documento {}",
    "orcamento_itens": "item {} do orçamento",
    "cronograma_etapas": "etapa {} do cronograma",
    "regras": "regra {}",
    "alternativas": "alternativa {}",
    "excecoes": "exceção {}",
    "documentos_obrigatorios": "documento obrigatório {}",
    "limites": "limite por período {}",
    "documentos_alternativos": "grupo {} de documentos",
    "documentos_anexos": "documento anexado {}",
}
_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_ABSENT: Final = re.compile(r"Falta `([^`]+)`(?: em `[^`]+`)?\.")
_PLACE: Final = re.compile(r"[a-z_.]+\[\d+\][a-z_.\[\]\d]*")
_CITED: Final = re.compile(r"`([^`]*)`")


@dataclass(frozen=True, slots=True)
class ProblemaVisto:
    """A fault of a file: the line it is on (empty where none), where it is in words (empty for the whole file), what would be right."""

    linha: str
    onde: str
    mensagem: str

    @classmethod
    def of(cls, problema: Problem) -> ProblemaVisto:
        """A fault as a line of a list: a sentence that began with the field's name in the file goes on after the place instead."""
        linha = "" if problema.linha is None else str(problema.linha)
        if absent := _ABSENT.match(problema.mensagem):
            owner = problema.caminho[: -len(absent[1])].rstrip(".") if problema.caminho.endswith(absent[1]) else problema.caminho
            return cls(linha, place_of(owner), quoted(f"falta `{absent[1]}`.{problema.mensagem[absent.end() :]}"))
        began = _CITED.match(problema.mensagem)
        if began and began[1] and problema.caminho.endswith(began[1]):
            return cls(linha, place_of(problema.caminho), quoted(problema.mensagem[began.end() :].lstrip(" :")))
        return cls(linha, place_of(problema.caminho), quoted(problema.mensagem))


def place_of(caminho: str) -> str:
    """A path as people say it, counted from 1: `projetos[3].orcamento_itens[0].valor_unitario` is "Projeto 4, item 1 do orçamento,
    valor unitário". A name that no file of ours has stays as it is, in quotation marks.
    """
    known = campo_do_pedido(caminho)
    said = known or ", ".join(_steps(caminho))
    return said[:1].upper() + said[1:]


def quoted(mensagem: str) -> str:
    """A message about a file with what it cites in quotation marks, as people write it; a place that it cites is told in words."""
    return _CITED.sub(lambda cited: ", ".join(_steps(cited[1])) if _PLACE.fullmatch(cited[1]) else f"“{cited[1]}”", mensagem)


@cache
def _titulos() -> Mapping[str, str]:
    """What each field of our files is called."""
    return {nome: campo["title"] for forma in (FormaPolitica, FormaImportacao) for nome, campo in fields_of(shape_of(forma))}


def _steps(caminho: str) -> Iterator[str]:
    steps = _STEP.findall(caminho)
    for at, (position, name) in enumerate(steps):
        follows = at + 1 < len(steps) and steps[at + 1][0]
        if position:
            owner = steps[at - 1][1] if at else ""
            yield _ITENS.get(owner, f"“{owner}”, item {{}}" if owner else "item {}").replace("{}", str(int(position) + 1))
        elif not follows:
            title = _titulos().get(name)
            yield f"“{name}”" if title is None else title if title[:2].isupper() else title[:1].lower() + title[1:]
