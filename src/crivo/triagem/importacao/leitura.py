"""The import of an edital with its projects: validated whole, all or nothing. Source: design, Shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from crivo.kernel.errors import Problem
from crivo.triagem.edital import Chamada, Projeto
from crivo.triagem.importacao.arquivos import Arquivo, Pasta, check_arquivos
from crivo.triagem.importacao.campos import ESQUEMA_CITADO
from crivo.triagem.importacao.coerencia import check_coerencia
from crivo.triagem.importacao.fluxo_json import CLOSED, read_json
from crivo.triagem.importacao.itens import Guardados, Tipados
from crivo.triagem.importacao.leitura_json import unreadable
from crivo.triagem.importacao.mapas.conversao import convert, is_mapas
from crivo.triagem.importacao.problemas import ImportacaoRecusada, cite
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.importacao.validacao import read

PRINCIPAL: Final = "edital.json"


@dataclass(frozen=True, slots=True)
class Importacao:
    """What an import holds: the call, its document files by the name that projetos give them, and what deserves a look."""

    chamada: Chamada
    arquivos: Mapping[str, Arquivo]
    avisos: tuple[Problem, ...] = ()


def read_chamada(source: Path, folder: Path | None = None) -> Importacao:
    """The call in a JSON file, or in a folder that has `edital.json` or a single JSON; documents are found from where the JSON is.

    The JSON is of the published schema, or an export of the Mapas Culturais API. Files stay unread until asked for, and projects are
    held on disk (in `folder`, where one is named), so that memory does not grow with their number.
    Raises ImportacaoRecusada with every problem, by path of field.
    """
    place = _find_json(source)
    try:
        file = place.open("rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unreadable(cite(place.name), "arquivo_ausente", CLOSED) from error
    with file:
        return _read(file, place, folder)


def _read(file: BinaryIO, place: Path, folder: Path | None) -> Importacao:
    bruto = read_json(file, cite(place.name))
    relato = Relato(folder=folder)
    if is_mapas(bruto):
        convertida = convert(bruto, place.parent, cite(place.name), folder)
        bruto, relato = convertida.documento, convertida.relato
    lido = read(bruto, relato)
    pasta = Pasta(place.parent, relato)
    if lido is not None:
        check_coerencia(lido, relato)
        check_arquivos(lido, pasta)
    if lido is None or relato.problemas.total:
        raise ImportacaoRecusada(cite(place.name), relato.problemas.as_tuple(), relato.problemas.total)
    return Importacao(chamada_of(lido), pasta.arquivos(), relato.avisos.as_tuple())


def chamada_of(lido: dict[str, Any]) -> Chamada:
    """The call of a tree in which nothing is wrong; its projects are made when they are asked for."""
    projetos: Guardados | None = lido.get("projetos")
    chamada = msgspec.convert({nome: valor for nome, valor in lido.items() if nome not in (ESQUEMA_CITADO, "projetos")}, Chamada)
    return chamada if projetos is None else msgspec.structs.replace(chamada, projetos=Tipados(projetos, Projeto))


def _find_json(source: Path) -> Path:
    try:
        if not source.is_dir():
            return source
        found = sorted(path for path in source.iterdir() if path.suffix.lower() == ".json" and path.is_file())
    except OSError as error:
        raise unreadable(cite(source.name), "arquivo_ausente", CLOSED) from error
    principal = source / PRINCIPAL
    if principal in found:
        return principal
    if len(found) == 1:
        return found[0]
    mensagem = f"A pasta deve ter um arquivo `{PRINCIPAL}`{', ou um só arquivo JSON' if found else ''}."
    raise unreadable(cite(source.name), "json_ausente", mensagem)
