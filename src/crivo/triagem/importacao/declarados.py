"""What an edital asks of fields, and what of it no project has: told, as a letter typed wrong leaves a requisito asked of nobody."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from crivo.kernel.formas.palavras import Caminho
from crivo.triagem.importacao.pecas import Lido, objects
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato

DERIVADOS: Final = frozenset({"categoria", "valor_total", "orcamento_total"})
"""Besides what a project declares in `campos`, a condition may speak of these."""
_ASKED_OF_NONE: Final = "o requisito não será pedido a nenhum"
_MET_BY_NONE: Final = "a condição não será atendida por nenhum"


def fields_asked(lido: Lido) -> frozenset[str]:
    """The fields of which the requisitos speak, but for those that every project has."""
    asked = {parte.get("campo") for _, one in objects(lido, "requisitos") for parte in (one, one.get("quando") or {})}
    return frozenset(campo for campo in asked if campo) - DERIVADOS


def warn_undeclared(lido: Lido, campos: Collection[str], relato: Relato, quem: str = "Nenhum projeto") -> None:
    """An aviso at each field of a condition that none of the projects has (`campos` are theirs), with the one that was likely meant."""
    declared = DERIVADOS.union(campos)
    for indice, requisito in objects(lido, "requisitos"):
        caminho: Caminho = ("requisitos", indice)
        asked = ((requisito, caminho, _MET_BY_NONE), (requisito.get("quando") or {}, (*caminho, "quando"), _ASKED_OF_NONE))
        for condicao, onde, efeito in asked:
            campo = condicao.get("campo")
            if campo is not None and campo not in declared:
                meant = relato.meant(campo, sorted(declared))
                question = f"; você quis dizer `{cite(meant)}`?" if meant else "."
                mensagem = f"{quem} tem o campo `{cite(campo)}`{question} Como está, {efeito}."
                relato.avisos.add("campo_nao_declarado", (*onde, "campo"), mensagem)
