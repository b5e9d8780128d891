"""What can go wrong with a clinic as a program; what it refuses a person is a `Refusal`, which is no error."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class DbJsonInvalido(CrivoError):
    """A db.json, or a file of patients, that cannot be read or breaks its schema; the silo is as it was."""

    codigo: ClassVar[str] = "db_json_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Arquivo da clínica inválido"


class SiloIndisponivel(CrivoError):
    """The clinic's own store could not be read or written; nothing was half done."""

    codigo: ClassVar[str] = "silo_indisponivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "A agenda da clínica não respondeu"


class AgendaMudou(CrivoError):
    """An agenda is not any more as it was when somebody decided to replace it; it is left as it is."""

    codigo: ClassVar[str] = "agenda_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A agenda mudou nesse meio-tempo"


class PortaDaClinicaOcupada(CrivoError):
    """Another program listens where a clinic should answer."""

    codigo: ClassVar[str] = "porta_da_clinica_ocupada"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "A porta da clínica já está em uso"


class ClinicaJaNoAr(CrivoError):
    """Another process answers for a clinic already, from the same folder."""

    codigo: ClassVar[str] = "clinica_ja_no_ar"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A clínica já está no ar"


class EnderecoDaClinicaInvalido(CrivoError):
    """An address that this machine cannot listen on."""

    codigo: ClassVar[str] = "endereco_da_clinica_invalido"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Não é possível atender neste endereço"


class ClinicaNaoSubiu(CrivoError):
    """A clinic's process did not come to answer."""

    codigo: ClassVar[str] = "clinica_nao_subiu"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Uma clínica não respondeu"


class ClinicaSemChaves(CrivoError):
    """The clinic has no tokens yet, or its file of tokens cannot be read."""

    codigo: ClassVar[str] = "clinica_sem_chaves"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "As chaves da clínica não foram encontradas"
