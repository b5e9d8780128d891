"""The schemas by which messages of standards are held, where somebody asked for it."""

from __future__ import annotations

from collections.abc import Sequence

from crivo.autorizacoes.tiss.xml import ESQUEMA, Esquema
from crivo.cli.exames.exame import Exame
from crivo.kernel.settings import Settings


def look(settings: Settings) -> Sequence[Exame]:
    """Whether messages of TISS can be held to the published schemas."""
    told = "esquema_tiss", "Esquema do TISS"
    pasta = settings.tiss_xsd
    if pasta is None:
        return (Exame(*told, "opcional", "sem os .xsd: as guias são lidas, e não conferidas pelo esquema", "CRIVO_TISS_XSD"),)
    falha = Esquema(pasta).falha
    if falha:
        return (Exame(*told, "mal", f"{falha}. Enquanto isso as guias são lidas sem ele", "CRIVO_TISS_XSD"),)
    return (Exame(*told, "bem", f"{ESQUEMA}, em {pasta}"),)
