"""What is known of a version beside what it says: by what it is found and checked again."""

from __future__ import annotations

from datetime import datetime

from crivo.kernel.clock import BRASILIA
from crivo.triagem.condicao import Value
from crivo.triagem.palavras import day, moment
from crivo.triagem.publicacao.guardados import Publicada


class Selo(Value, frozen=True):
    """The seal that every document of a version carries. `onde` is the public address of the version."""

    publicada: Publicada
    onde: str

    @property
    def em(self) -> datetime:
        """When it was published, as the clock stood in Brasília."""
        return self.publicada.publicada_em.astimezone(BRASILIA)

    @property
    def fatos(self) -> tuple[tuple[str, str], ...]:
        """What is said of it, name by name."""
        publicada = self.publicada
        return (
            ("Versão", str(publicada.versao)),
            ("Publicada em", moment(self.em)),
            *((("Recursos até", day(publicada.recursos_ate)),) if publicada.recursos_ate else ()),
            *((("Motivo desta versão", publicada.motivo),) if publicada.motivo else ()),
            ("Código de conferência", publicada.codigo),
            ("Resumo do conteúdo (SHA-256)", publicada.sha256),
            ("Onde conferir", self.onde),
        )


def address_of(endereco: str, tenant_id: str, codigo: str) -> str:
    """Where anybody finds a version; `endereco` is the installation's public one."""
    return f"{endereco.rstrip('/')}/publicacoes/{tenant_id}/{codigo}"
