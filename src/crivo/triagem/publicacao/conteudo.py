"""What a published result says, and the bytes that its digest is of.

Nothing is in it that does not go out: names and titles as the call made them public, of a CPF the middle alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

import msgspec

from crivo.kernel.linguagem.identificadores import CPF_DIGITS, format_cnpj, is_cnpj, masked_cpf
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.classificacao.publicado import FaseDoResultado, LugarPublicado, publish
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.edital import Edital, Projeto, Value

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")


class Identificado(Value, frozen=True):
    """A project as a list names it; `documento` is the middle of a CPF or a whole CNPJ, empty where neither was declared."""

    titulo: str
    proponente: str
    documento: str = ""


class CriterioPublicado(Value, frozen=True):
    """A critério by which the places were made."""

    id: str
    nome: str
    peso: Decimal
    nota_max: Decimal


class Linha(Value, frozen=True):
    """A project with its place."""

    lugar: LugarPublicado
    projeto: Identificado


class RecursoPublicado(Value, frozen=True):
    """What became of a recurso; what was asked and the reasons go to whoever asked alone."""

    numero: int
    projeto_id: str
    resultado: str


class Conteudo(Value, frozen=True):
    """A result as it goes out. `semente` is what was drawn with; `linhas` are in the order of `ResultadoPublicado`; `recursos` are those
    that were answered before it.
    """

    edital_id: str
    edital_nome: str
    orgao: str
    fase: FaseDoResultado
    versao: int
    semente: str
    regras: Classificacao
    criterios: tuple[CriterioPublicado, ...]
    linhas: tuple[Linha, ...]
    recursos: tuple[RecursoPublicado, ...] = ()


def identify(projeto: Projeto) -> Identificado:
    """What a list may say of a project."""
    return Identificado(projeto.titulo, projeto.proponente.nome, public_document(projeto.proponente.cpf_cnpj))


def public_document(written: str) -> str:
    """The middle of a CPF, a whole CNPJ; what is neither is left out."""
    bare = "".join(one for one in written if one.isalnum())
    if len(bare) == CPF_DIGITS and bare.isdecimal():
        return masked_cpf(bare)
    return format_cnpj(bare) if is_cnpj(bare) else ""


def contents_of(
    edital: Edital,
    classificada: Classificada,
    pessoas: Mapping[str, Identificado],
    fase: FaseDoResultado,
    versao: int,
    recursos: tuple[RecursoPublicado, ...] = (),
) -> Conteudo:
    """The result of now as the version that it would be."""
    concorrencia = classificada.concorrencia
    return Conteudo(
        edital.id,
        edital.nome,
        edital.orgao,
        fase,
        versao,
        concorrencia.semente,
        concorrencia.classificacao,
        tuple([CriterioPublicado(one.id, one.nome, one.peso, one.nota_max) for one in concorrencia.criterios]),
        tuple([Linha(one, pessoas[one.projeto_id]) for one in publish(classificada, fase).projetos]),
        recursos,
    )


def encode(conteudo: Conteudo) -> bytes:
    """One spelling of a result: the same result is the same bytes, whenever and wherever it is written."""
    return _ENCODER.encode(conteudo)


def decode(written: bytes) -> Conteudo:
    """A result as it was encoded."""
    return msgspec.json.decode(written, type=Conteudo)


def digest_of(written: bytes) -> str:
    """SHA-256 of the bytes, in hexadecimal digits."""
    return hashlib.sha256(written).hexdigest()
