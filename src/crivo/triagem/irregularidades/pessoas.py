"""The same people behind different projects. Source: design, Irregularidades ("People").

What is compared is never told in clear: CPF, CNPJ, accounts, names and addresses come out masked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.kernel.linguagem.identificadores import document_of, masked_document
from crivo.kernel.linguagem.nomes import folded_name, masked_name
from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Projeto
from crivo.triagem.irregularidades.escrita import counted
from crivo.triagem.irregularidades.identidade import (
    account_of,
    address_of,
    cpfs_of,
    email_of,
    masked_account,
    masked_email,
    proponente_of,
)

_COMMON_SHARE: Final = 0.25  # of the projects: a file that more of them send is a form that was handed out
_COMMON_LEAST: Final = 5
_FULL_NAME_BLANKS: Final = 2
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Marca:
    """Something that tells who is behind a project: which part of it, how it reads, its values, and how one may be shown."""

    campo: str
    nome: str
    values: Callable[[Projeto], Sequence[str]]
    shown: Callable[[str], str]


def _cnpjs(projeto: Projeto) -> Sequence[str]:
    bare = document_of(projeto.proponente.cpf_cnpj)
    return (bare,) if len(bare) > 11 else ()


def _unnumbered_names(projeto: Projeto) -> Sequence[str]:
    """The full names of those whose CPF is not declared; where it is, it tells better, and two people may have one name."""
    proponente = projeto.proponente
    unnumbered = [] if document_of(proponente.cpf_cnpj) else [proponente.nome]
    if proponente.responsavel is not None and not document_of(proponente.responsavel.cpf):
        unnumbered.append(proponente.responsavel.nome)
    return [folded for folded in map(folded_name, unnumbered) if folded.count(" ") >= _FULL_NAME_BLANKS]


# In the order in which they are told, the surest first.
MARCAS: Final[tuple[Marca, ...]] = (
    Marca("cpf_cnpj", "o mesmo CNPJ", _cnpjs, masked_document),
    Marca("cpf", "o mesmo CPF, como proponente ou responsável", lambda projeto: cpfs_of(projeto.proponente), masked_document),
    Marca("nome", "o mesmo nome, como proponente ou responsável", _unnumbered_names, lambda value: masked_name(value.title())),
    Marca("banco", "a mesma conta bancária", lambda projeto: _told(account_of(projeto.proponente.banco)), masked_account),
    Marca("email", "o mesmo e-mail", lambda projeto: _told(email_of(projeto.proponente.email)), masked_email),
    Marca("endereco", "o mesmo endereço", lambda projeto: _told(address_of(projeto.proponente.endereco)), lambda _: ""),
)


def find_proponente_repetido(lidos: Sequence[ProjetoLido]) -> tuple[Irregularidade, ...]:
    """A sign for each set of projects with somebody or something in common, all that they have in common told at once; then for files."""
    projetos = [lido.projeto for lido in lidos]
    shared: dict[tuple[int, ...], list[tuple[Marca, str]]] = defaultdict(list)
    for marca in MARCAS:
        for value, having in _sharing(projetos, marca).items():
            shared[having].append((marca, value))
    people = (_people_sign([projetos[at] for at in having], found) for having, found in sorted(shared.items(), key=lambda item: item[0]))
    return (*people, *_files(lidos))


def _sharing(projetos: Sequence[Projeto], marca: Marca) -> Mapping[str, tuple[int, ...]]:
    having: dict[str, list[int]] = defaultdict(list)
    for at, projeto in enumerate(projetos):
        for value in dict.fromkeys(marca.values(projeto)):
            having[value].append(at)
    return {value: tuple(numbers) for value, numbers in having.items() if len(numbers) > 1}


def _people_sign(projetos: Sequence[Projeto], found: Sequence[tuple[Marca, str]]) -> Irregularidade:
    marcas = list(dict.fromkeys(marca.nome for marca, _ in found))
    said = marcas[0] if len(marcas) == 1 else f"{', '.join(marcas[:-1])} e {marcas[-1]}"
    under = "" if len({proponente_of(projeto) for projeto in projetos}) == 1 else ", com proponentes diferentes"
    return Irregularidade(
        tipo="proponente_repetido",
        projetos=tuple(projeto.id for projeto in projetos),
        campo=found[0][0].campo,
        evidencia=tuple(_marked(projetos, found)),
        achado=f"{counted(len(projetos), 'projeto tem', 'projetos têm')} {said}{under}.",
    )


def _marked(projetos: Sequence[Projeto], found: Sequence[tuple[Marca, str]]) -> Iterator[Evidencia]:
    for par, (marca, value) in enumerate(found, 1):
        for projeto in projetos[:_SHOWN]:
            yield Evidencia(projeto=projeto.id, campo=marca.campo, trecho=marca.shown(value), par=par)


def _files(lidos: Sequence[ProjetoLido]) -> Iterator[Irregularidade]:
    """The same file sent by different proponentes; one that very many send is a form, and one that is empty says nothing."""
    senders: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for at, lido in enumerate(lidos):
        for documento in lido.documentos:
            if documento.tamanho_bytes and documento.leitura != "vazio":
                senders[documento.sha256].append((at, documento.arquivo))
    most = max(_COMMON_SHARE * len(lidos), _COMMON_LEAST)
    told: dict[tuple[int, ...], list[list[tuple[int, str]]]] = defaultdict(list)
    for sent in senders.values():
        having = tuple(dict.fromkeys(at for at, _ in sent))
        if 1 < len(having) <= most and len({proponente_of(lidos[at].projeto) for at in having}) > 1:
            told[having].append(sent)
    for having, files in sorted(told.items()):
        yield _files_sign([lidos[at].projeto.id for at in having], [[(lidos[at].projeto.id, name) for at, name in sent] for sent in files])


def _files_sign(ids: Sequence[str], files: Sequence[Sequence[tuple[str, str]]]) -> Irregularidade:
    said = counted(len(files), "arquivo idêntico", "arquivos idênticos")
    return Irregularidade(
        tipo="proponente_repetido",
        projetos=tuple(ids),
        arquivo=files[0][0][1],
        campo="arquivo",
        evidencia=tuple(
            Evidencia(projeto=projeto, arquivo=arquivo, par=par) for par, sent in enumerate(files, 1) for projeto, arquivo in sent[:_SHOWN]
        ),
        achado=f"{counted(len(ids), 'projeto', 'projetos')} de proponentes diferentes enviaram {said}.",
    )


def _told(value: str) -> Sequence[str]:
    return (value,) if value else ()
