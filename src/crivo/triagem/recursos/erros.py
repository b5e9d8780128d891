"""What can be wrong with a recurso, its code and its answer."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class RecursoNotFound(CrivoError):
    """The edital has no recurso of that number."""

    codigo: ClassVar[str] = "recurso_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Recurso não encontrado"


class CodigoRecusado(CrivoError):
    """No project has that code here; whether the organisation exists is not told."""

    codigo: ClassVar[str] = "codigo_de_recurso_recusado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Código não encontrado"


class ForaDoPrazo(CrivoError):
    """A recurso before its first day, or after its last."""

    codigo: ClassVar[str] = "recurso_fora_do_prazo"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Fora do prazo de recurso"


class RecursoInvalido(CrivoError):
    """A recurso that says too little, or whose papers will not do."""

    codigo: ClassVar[str] = "recurso_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O recurso não foi enviado"


class RespostaInvalida(CrivoError):
    """An answer that says too little, or changes what cannot be changed so."""

    codigo: ClassVar[str] = "resposta_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A resposta não foi gravada"


class RespostaDeQuemDecidiu(CrivoError):
    """Whoever answers decided what is contested."""

    codigo: ClassVar[str] = "resposta_de_quem_decidiu"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "Outra pessoa responde a este recurso"


class RecursoJaRespondido(CrivoError):
    """Somebody answered it already."""

    codigo: ClassVar[str] = "recurso_ja_respondido"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Este recurso já foi respondido"


class EfeitoMudou(CrivoError):
    """The list, or what the answer changes, is no longer what was seen; nothing was done."""

    codigo: ClassVar[str] = "efeito_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Algo mudou desde a prévia"
