"""What an execução is made of: what its projects are judged by, the jobs that it takes, and the digest by which work is found again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from crivo.kernel.jobs.fila import Job
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Tipo
from crivo.triagem.andamento import fases_of
from crivo.triagem.edital import Criterio, Edital, Requisito
from crivo.triagem.storage import editais
from crivo.triagem.storage.execucoes import Registro
from crivo.triagem.storage.projetos import ProjetoGuardado

COM_OCR: Final = "-com-ocr"
SEM_OCR: Final = "-sem-ocr"
PROJETO: Final = "triagem.projeto"
FECHO: Final = "triagem.fecho"
_EDITAIS_KEPT: Final = 16
_FIRST: Final = 1  # a closing job goes before the projects of other editais
_encode = msgspec.json.Encoder(order="deterministic").encode


@dataclass(frozen=True, slots=True)
class Versoes:
    """What reads documents, what judges them and, where there is one, the model that helps: another finds other things in the same content.

    `modelo` says its name and what it is asked with; empty without one.
    """

    leitura: str
    regras: str
    modelo: str = ""

    @property
    def leitura_sem_ocr(self) -> str | None:
        """The same reader as it was before it could read images; None for one that cannot."""
        return f"{self.leitura.removesuffix(COM_OCR)}{SEM_OCR}" if self.leitura.endswith(COM_OCR) else None

    @property
    def nome_do_modelo(self) -> str:
        """The model's name alone; empty without one."""
        nome, _, last = self.modelo.rpartition("-")
        return nome or last


@dataclass(frozen=True, slots=True)
class Quadro:
    """What the projects of an edital are judged by."""

    edital: Edital
    requisitos: tuple[Requisito, ...]
    criterios: tuple[Criterio, ...]


def jobs_of(execucao_id: UUID, pending: Sequence[UUID], modelo: str = "") -> list[Job]:
    """The jobs that are left of an execução: one for each project that was not analysed, or else the one that closes it.

    `modelo` is what the projects are to be graded with, by its name.
    """
    about = {"execucao": str(execucao_id)}
    graded = {"modelo": modelo} if modelo else {}
    return [Job(PROJETO, {**about, **graded, "projeto": str(projeto_id)}) for projeto_id in pending] or [Job(FECHO, about, _FIRST)]


def fila_of(modelo: str) -> str:
    """The queue to which only workers with that model listen."""
    return f"crivo-{sha256(modelo.encode()).hexdigest()[:16]}"


def origem_of(execucao_id: UUID) -> str:
    """What the calls to a model of an execução are paid for, in the ledger."""
    return f"execucao:{execucao_id}"


def project_digest(tipo: Tipo, quadro: Quadro, guardado: ProjetoGuardado, versoes: Versoes) -> bytes:
    """SHA-256 of all that the analysis of one project is made from: the same digest, the same findings."""
    fases = fases_of(tipo)
    requisitos = quadro.requisitos if "habilitacao" in fases else ()
    criterios = quadro.criterios if "avaliacao" in fases else ()
    contents = [(one.arquivo, one.requisito, one.sha256) for one in guardado.documentos]
    own = sorted({"habilitacao", "avaliacao", "irregularidades"} & set(fases))
    asked = "habilitacao" in fases or "avaliacao" in fases
    made_from = (
        versoes.leitura,
        versoes.regras,
        versoes.modelo if asked else "",
        own,
        without_places(quadro.edital),
        requisitos,
        criterios,
        guardado.projeto,
        contents,
    )
    return sha256(_encode(made_from)).digest()


def without_places(edital: Edital) -> Edital:
    """The edital as projects are screened by it: how notas become places finds nothing else in them."""
    return replace(edital, classificacao=None)


def digest_of(made_from: object) -> bytes:
    """SHA-256 of values, whatever order their mappings are in."""
    return sha256(_encode(made_from)).digest()


async def load_quadro(uow: UnitOfWork, edital_id: UUID) -> Quadro:
    """What the projects of an edital are judged by, as it stands."""
    guardado = await editais.get(uow, edital_id)
    criterios = await editais.criterios_of(uow, edital_id)
    return Quadro(guardado.edital, await editais.requisitos_of(uow, edital_id), tuple(one.criterio for one in criterios))


class Quadros:
    """The quadros that a worker used last, each by the import that it came in with."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, UUID, int], Quadro] = {}

    async def get(self, uow: UnitOfWork, registro: Registro) -> Quadro:
        """What an execução judges by."""
        key = (uow.scope.tenant_id, registro.edital_id, registro.importacao)
        if key not in self._kept:
            while len(self._kept) >= _EDITAIS_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = await load_quadro(uow, registro.edital_id)
        return self._kept[key]
