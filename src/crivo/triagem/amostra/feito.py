"""What people did in the sample call: notas of two or three for every project, decisions of most; and what comes after the result.

The recursos would change the list if they were granted, and the diligência's paper mends what it was asked for; nothing here files them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final, Literal

from crivo.triagem.amostra import arquivos, papeis
from crivo.triagem.amostra.dados import data
from crivo.triagem.amostra.montagem import proponente_of
from crivo.triagem.amostra.papeis import Papel, titular_of

_ISSUED: Final = date(2026, 8, 20)
_VALID: Final = date(2026, 12, 20)
_CRITERIOS: Final = ("C1", "C2", "C3", "C4")


@dataclass(frozen=True, slots=True)
class Deferimento:
    """What granting a recurso changes: notas of one avaliador, by e-mail, or the situação of the habilitação."""

    avaliador: str = ""
    notas: Mapping[str, Decimal] | None = None
    situacao: Literal["habilitado"] | None = None


@dataclass(frozen=True, slots=True)
class Recurso:
    """An appeal, with its paper as a file, and what whoever grants it would answer and change."""

    projeto: str
    contra: Literal["habilitacao", "resultado"]
    texto: str
    arquivo: str
    papel: bytes
    resposta: str
    deferimento: Deferimento
    requisito: str | None = None


@dataclass(frozen=True, slots=True)
class Diligencia:
    """What is asked of a proponente for a requisito that the project does not meet, and the paper that mends it."""

    projeto: str
    requisito: str
    pedido: str
    resposta: str
    arquivo: str
    papel: bytes


def done() -> dict[str, list[dict[str, Any]]]:
    """The notas and decisions, as an import says them."""
    feito = data("feito")
    people, pareceres = feito["avaliadores"], feito["pareceres"]
    avaliacoes = [
        {
            "projeto": projeto,
            "avaliador": people[quem],
            "notas": dict(zip(_CRITERIOS, notas, strict=True)),
            "parecer": pareceres.get(f"{projeto}/{quem}", ""),
        }
        for projeto, given in feito["notas"].items()
        for quem, notas in given.items()
    ]
    habilitacoes = [
        {"projeto": projeto, "situacao": one["situacao"], "motivo": one["motivo"]}
        for one in feito["habilitacoes"]
        for projeto in one["projetos"]
    ]
    return {"avaliacoes": avaliacoes, "habilitacoes": habilitacoes}


def recursos() -> tuple[Recurso, ...]:
    """The appeals that would change the list."""
    return tuple(_recursos())


def diligencia() -> Diligencia:
    """The pendência that a paper mends."""
    one = data("feito")["diligencia"]
    papel = _papel(one["papel"], one["projeto"])
    return Diligencia(one["projeto"], one["requisito"], one["pedido"], one["resposta"], one["arquivo"], arquivos.pdf(papel))


def _recursos() -> Iterator[Recurso]:
    feito = data("feito")
    for one in feito["recursos"]:
        granted = one["deferido"]
        notas = {criterio: Decimal(str(nota)) for criterio, nota in granted["notas"].items()} if "notas" in granted else None
        deferimento = Deferimento(feito["avaliadores"].get(granted.get("avaliador"), ""), notas, granted.get("situacao"))
        told = (one["projeto"], one["contra"], one["texto"], one["arquivo"])
        yield Recurso(*told, arquivos.pdf(_papel(one["papel"], one["projeto"])), one["resposta"], deferimento, one.get("requisito"))


def _papel(nome: str, projeto: str) -> Papel:
    quem = proponente_of(projeto)
    match nome:
        case "certidao_federal":
            return papeis.certidao_federal(titular_of(quem), _ISSUED, _VALID)
        case "residencia":
            return papeis.residencia(titular_of(quem, pessoa=True), _ISSUED)
        case _:
            return papeis.plano_de_trabalho(quem["nome"])
