"""The import of an edital with its projects: validated whole, all or nothing. Source: design, Shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from crivo.kernel.errors import Problem
from crivo.triagem.edital import Avaliador, Chamada, Projeto
from crivo.triagem.importacao.arquivos import Arquivo, Pasta, check_arquivos
from crivo.triagem.importacao.campos import ESQUEMA_CITADO
from crivo.triagem.importacao.coerencia import check_coerencia
from crivo.triagem.importacao.coerencia_resultado import email_of, people_of
from crivo.triagem.importacao.fluxo_json import CLOSED, read_json
from crivo.triagem.importacao.itens import Guardados, Tipados
from crivo.triagem.importacao.leitura_json import Valor, unreadable
from crivo.triagem.importacao.mapas.conversao import convert, convert_inscricoes, is_mapas
from crivo.triagem.importacao.problemas import ImportacaoRecusada, cite
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.importacao.validacao import read

PRINCIPAL: Final = "edital.json"


@dataclass(frozen=True, slots=True)
class Importacao:
    """What an import holds: the call, its document files by the name that projetos give them, and what deserves a look.

    `so_definicao`: it says nothing of projetos nor of avaliadores, so that those of the edital stay.
    """

    chamada: Chamada
    arquivos: Mapping[str, Arquivo]
    avisos: tuple[Problem, ...] = ()
    so_definicao: bool = False


@dataclass(frozen=True, slots=True)
class Acolhedor:
    """The edital into which projects are brought: what it asks for, as an import says it and as a value."""

    documento: Mapping[str, Any]
    chamada: Chamada


def read_chamada(source: Path, folder: Path | None = None, acolhedor: Acolhedor | None = None) -> Importacao:
    """The call in a JSON file, or in a folder that has `edital.json` or a single JSON; documents are found from where the JSON is.

    The JSON is of the published schema, or an export of the Mapas Culturais API. Files stay unread until asked for, and projects are
    held on disk (in `folder`, where one is named), so that memory does not grow with their number.
    With an `acolhedor` the file speaks of projetos and avaliadores alone, and is read as if it said of the rest what the edital says; of
    an export, only the registrations are taken. Raises ImportacaoRecusada with every problem, by path of field.
    """
    place = _find_json(source)
    try:
        file = place.open("rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unreadable(cite(place.name), "arquivo_ausente", CLOSED) from error
    with file:
        return _read(file, place, folder, acolhedor)


def read_definicao(documento: Mapping[str, Any], relato: Relato) -> Chamada | None:
    """What an edital asks for, without its projects, out of the tree of an import; None where `relato` has problems."""
    lido = read(dict(documento), relato)
    if lido is not None:
        check_coerencia(lido, relato)
    return None if lido is None or relato.problemas.total else chamada_of(lido)


def _read(file: BinaryIO, place: Path, folder: Path | None, acolhedor: Acolhedor | None) -> Importacao:
    bruto = read_json(file, cite(place.name))
    relato = Relato(folder=folder)
    if is_mapas(bruto):
        arquivo = cite(place.name)
        if acolhedor is None:
            convertida = convert(bruto, place.parent, arquivo, folder)
        else:
            convertida = convert_inscricoes(bruto, place.parent, arquivo, acolhedor.chamada.requisitos, folder)
        bruto, relato = convertida.documento, convertida.relato
    if acolhedor is not None:
        bruto = _in_edital(bruto, acolhedor, cite(place.name))
    lido = read(bruto, relato)
    pasta = Pasta(place.parent, relato)
    if lido is not None:
        check_coerencia(lido, relato)
        check_arquivos(lido, pasta)
    if lido is None or relato.problemas.total:
        raise ImportacaoRecusada(cite(place.name), relato.problemas.as_tuple(), relato.problemas.total)
    return Importacao(chamada_of(lido), pasta.arquivos(), relato.avisos.as_tuple(), not {"projetos", "avaliadores"} & lido.keys())


def _in_edital(bruto: Valor, acolhedor: Acolhedor, arquivo: str) -> dict[str, Any]:
    """The file with all that it does not say: what the edital asks for, and who judges it where nobody else is named."""
    sent = bruto if isinstance(bruto, dict) else {}
    edital = sent.get("edital")
    codigo = edital.get("id") if isinstance(edital, dict) else None
    whole = {"requisitos", "criterios"} & sent.keys() or (isinstance(edital, dict) and edital.keys() - {"id"})
    if whole or (codigo is not None and codigo != acolhedor.chamada.edital.id):
        mensagem = "Este arquivo traz um edital inteiro. Deixe nele só `projetos`; ou, para trocar o edital, importe-o na lista de editais."
        raise ImportacaoRecusada(arquivo, [Problem(mensagem, "edital", codigo="arquivo_com_edital")])
    if not sent.get("projetos"):
        mensagem = 'O arquivo não traz nenhum projeto. Escreva a lista deles, como `{"projetos": [ … ]}`.'
        raise ImportacaoRecusada(arquivo, [Problem(mensagem, "projetos", codigo="sem_projetos")])
    judging = {} if sent.get("avaliadores") else {"avaliadores": _still_there(acolhedor.chamada.avaliadores, sent["projetos"])}
    return {**sent, **acolhedor.documento, **judging}


def _still_there(avaliadores: Sequence[Avaliador], projetos: Any) -> list[dict[str, Any]]:
    """Who judges, of the projetos that come: those that do not are withdrawn."""
    there = {one.get("id") for one in projetos if isinstance(one, dict)} if any(one.projetos for one in avaliadores) else set()
    return [_said_again(one) | {"projetos": [codigo for codigo in one.projetos if codigo in there]} for one in avaliadores]


def _said_again(avaliador: Avaliador) -> dict[str, Any]:
    """Who judges as a file says it: lists where values have tuples."""
    said: dict[str, Any] = msgspec.to_builtins(avaliador)
    return said | {"categorias": list(avaliador.categorias)}


def chamada_of(lido: dict[str, Any]) -> Chamada:
    """The call of a tree in which nothing is wrong; its projects are made when they are asked for, and who judged is told by e-mail."""
    projetos: Guardados | None = lido.get("projetos")
    chamada = msgspec.convert({nome: valor for nome, valor in lido.items() if nome not in (ESQUEMA_CITADO, "projetos")}, Chamada)
    people = people_of(lido)
    named = [msgspec.structs.replace(one, avaliador=email_of(one.avaliador, people)) for one in chamada.avaliacoes]
    chamada = msgspec.structs.replace(chamada, avaliacoes=tuple(named))
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
