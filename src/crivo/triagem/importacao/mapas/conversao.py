"""An export of the Mapas Culturais API, turned into the shape of an import before it is validated like any other.

It is one JSON object with what the platform's own API answers: `opportunity` (with `registrationFileConfigurations` and
`registrationFieldConfigurations`, which may also stand beside it), `evaluationMethodConfiguration` and `registrations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from crivo.kernel.errors import Problem
from crivo.kernel.formas.palavras import Caminho
from crivo.triagem.edital import Requisito
from crivo.triagem.importacao.itens import Itens
from crivo.triagem.importacao.leitura_json import Valor
from crivo.triagem.importacao.mapas.anexos import Enderecadas, match_anexos
from crivo.triagem.importacao.mapas.edital import (
    Origens,
    convert_avaliadores,
    convert_criterios,
    convert_edital,
    convert_requisitos,
)
from crivo.triagem.importacao.mapas.inscricoes import convert_projetos, read_formulario
from crivo.triagem.importacao.mapas.valores import as_items, as_object
from crivo.triagem.importacao.problemas import ImportacaoRecusada
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.importacao.validacao import tell_repeated

_MARKS: Final = frozenset({"opportunity", "registrations", "evaluationMethodConfiguration", "exporterVersion"})


@dataclass(frozen=True, slots=True)
class Convertida:
    """The export in the shape of an import; `relato` tells its problems by the paths of the export."""

    documento: dict[str, Any]
    relato: Relato


def is_mapas(bruto: Valor) -> bool:
    """Whether a JSON file is an export of Mapas Culturais."""
    return isinstance(bruto, dict) and "edital" not in bruto and not _MARKS.isdisjoint(bruto)


def convert(bruto: Mapping[str, Valor], pasta: Path, arquivo: str, folder: Path | None = None) -> Convertida:
    """The import that an export states. Raises ImportacaoRecusada where it is the platform's copy of a form, which has no registrations."""
    partes = _parts_of(bruto, arquivo)
    origens: Origens = {}
    relato = Relato(origens, folder)
    _tell_repeated(bruto, relato)
    oportunidade, na_oportunidade = partes.oportunidade
    metodo, no_metodo = partes.metodo
    documento = {
        "edital": convert_edital(oportunidade, na_oportunidade, origens),
        "requisitos": convert_requisitos(*partes.anexos, origens, relato),
        "criterios": convert_criterios(metodo, no_metodo, origens, relato) if metodo else [],
        "projetos": convert_projetos(*partes.inscricoes, read_formulario(partes.campos), pasta, origens, relato),
        "avaliadores": convert_avaliadores(metodo, no_metodo, _distributed(partes.inscricoes[0]), origens, relato),
    }
    return Convertida(documento, relato)


def convert_inscricoes(
    bruto: Mapping[str, Valor], pasta: Path, arquivo: str, requisitos: Sequence[Requisito], folder: Path | None = None
) -> Convertida:
    """The registrations of an export alone, their files for the requisitos of an edital that asks for what it asks for by itself.

    Raises ImportacaoRecusada as `convert`.
    """
    partes = _parts_of(bruto, arquivo)
    origens: Origens = {}
    relato = Relato(origens, folder)
    _tell_repeated(bruto, relato)
    metodo, no_metodo = partes.metodo
    para = match_anexos(*partes.anexos, requisitos, relato)
    projetos = convert_projetos(*partes.inscricoes, read_formulario(partes.campos), pasta, origens, relato)
    documento = {
        "projetos": Enderecadas(projetos, para),
        "avaliadores": convert_avaliadores(metodo, no_metodo, _distributed(partes.inscricoes[0]), origens, relato),
    }
    return Convertida(documento, relato)


class _Partes(NamedTuple):
    """The parts of an export, each with where it stands."""

    oportunidade: tuple[Mapping[str, Valor], Caminho]
    metodo: tuple[Mapping[str, Valor], Caminho]
    anexos: tuple[Valor, Caminho]
    campos: Valor
    inscricoes: tuple[Valor, Caminho]


def _parts_of(bruto: Mapping[str, Valor], arquivo: str) -> _Partes:
    if "exporterVersion" in bruto:
        mensagem = "Esta exportação traz só a configuração da oportunidade; exporte pela API também as inscrições (`registrations`)."
        raise ImportacaoRecusada(arquivo, [Problem(mensagem, codigo="exportacao_sem_inscricoes")])
    oportunidade, na_oportunidade = _part(bruto, "opportunity")
    return _Partes(
        (oportunidade, na_oportunidade),
        _part(bruto, "evaluationMethodConfiguration", oportunidade, na_oportunidade),
        _beside("registrationFileConfigurations", bruto, oportunidade, na_oportunidade),
        _beside("registrationFieldConfigurations", bruto, oportunidade, na_oportunidade)[0],
        _beside("registrations", bruto, oportunidade, na_oportunidade),
    )


def _part(
    bruto: Mapping[str, Valor], nome: str, dentro: Mapping[str, Valor] | None = None, caminho: Caminho = ()
) -> tuple[Mapping[str, Valor], Caminho]:
    if nome in bruto or dentro is None:
        return as_object(bruto.get(nome)), (nome,)
    return as_object(dentro.get(nome)), (*caminho, nome)


def _beside(nome: str, bruto: Mapping[str, Valor], dentro: Mapping[str, Valor], caminho: Caminho) -> tuple[Valor, Caminho]:
    return (bruto[nome], (nome,)) if nome in bruto else (dentro.get(nome), (*caminho, nome))


def _distributed(inscricoes: Valor) -> Mapping[str, list[str]]:
    """The projetos by the user to whom the platform gave them."""
    by_user: dict[str, list[str]] = {}
    for _, item in as_items(inscricoes):
        inscricao = as_object(item)
        for usuario in as_object(inscricao.get("valuers")):
            by_user.setdefault(usuario, []).append(str(inscricao.get("number") or inscricao.get("id")))
    return by_user


def _tell_repeated(bruto: Valor, relato: Relato) -> None:
    """Tells each name that comes twice; of a list one item is held at a time."""
    pending: list[Iterator[tuple[Caminho, Valor]]] = [iter([((), bruto)])]
    while pending:
        found = next(pending[-1], None)
        if found is None:
            pending.pop()
            continue
        caminho, valor = found
        if isinstance(valor, dict):
            tell_repeated(valor, caminho, relato)
        if isinstance(valor, dict | list | Itens):
            pending.append(_within(caminho, valor))


def _within(caminho: Caminho, valor: Valor) -> Iterator[tuple[Caminho, Valor]]:
    return (((*caminho, passo), item) for passo, item in as_items(valor))
