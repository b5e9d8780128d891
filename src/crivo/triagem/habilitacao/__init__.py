"""Whether a project may go on, requisito by requisito, by code alone: a suggestion with its evidence, which people decide upon."""

from crivo.triagem.habilitacao.sugestao import habilitar

__all__ = ["habilitar"]
