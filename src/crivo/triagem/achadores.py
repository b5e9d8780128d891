"""What screening is made of, as the work of an execução sees it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Achadas, Habilitacao, Irregularidade, LeituraAssistida
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import Chamada, Criterio, Edital, Requisito
from crivo.triagem.leitora import Leitora
from crivo.triagem.pelo_sentido import PeloSentido


@dataclass(frozen=True, slots=True)
class Passado:
    """A project of an edital that came in before."""

    edital_id: str
    lido: ProjetoLido


Ler = Callable[[str, bytes], Awaitable[DocumentoLido]]
Procurar = Callable[[Scope, Chamada, Sequence[ProjetoLido], Sequence[Passado], str], Awaitable[Achadas]]


@dataclass(frozen=True, slots=True)
class Achadores:
    """What screening is made of. `habilitar`, `ler_assistido` and `sinais` are pure, and run in a thread; reading has processes of its own.

    `sinais` finds the irregularidades that are in one project alone, `irregularidades` those that come out of comparing all.
    Without a `leitora` there is no model: nothing is asked, and there are no notas. Where there is `sentido`, it finds the passages and
    the signs of a project in place of `ler_assistido` and `sinais`, which go by words alone.
    """

    ler: Ler
    habilitar: Callable[[Edital, Sequence[Requisito], ProjetoLido], Habilitacao]
    ler_assistido: Callable[[Sequence[Criterio], ProjetoLido], tuple[LeituraAssistida, ...]]
    sinais: Callable[[ProjetoLido], tuple[Irregularidade, ...]]
    irregularidades: Procurar
    leitora: Leitora | None = None
    sentido: PeloSentido | None = None
