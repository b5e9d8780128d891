"""What an edital asks of fields, and what of it no project has: told, as a letter typed wrong leaves a requisito asked of nobody."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from crivo.kernel.formas.palavras import Caminho
from crivo.triagem.importacao.coerencia_resultado import conditions_of
from crivo.triagem.importacao.pecas import Lido, objects
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato

DERIVADOS: Final = frozenset({"categoria", "valor_total", "orcamento_total"})
"""Besides what a project declares in `campos`, a condition may speak of these."""
_ASKED_OF_NONE: Final = "o requisito não será pedido a nenhum"
_MET_BY_NONE: Final = "a condição não será atendida por nenhum"


def fields_asked(lido: Lido) -> frozenset[str]:
    """The fields of which the edital speaks, but for those that every project has."""
    return frozenset(campo for one, _, _ in _conditions(lido) if (campo := one.get("campo"))) - DERIVADOS


def warn_undeclared(lido: Lido, campos: Collection[str], relato: Relato, quem: str = "Nenhum projeto") -> None:
    """An aviso at each field of a condition that none of the projects has (`campos` are theirs), with the one that was likely meant."""
    declared = DERIVADOS.union(campos)
    for condicao, onde, efeito in _conditions(lido):
        campo = condicao.get("campo")
        absence_is_asked = condicao.get("operador") == "existe" and condicao.get("valor") is False
        if campo is not None and campo not in declared and not absence_is_asked:
            meant = relato.meant(campo, sorted(declared))
            question = f"; você quis dizer `{cite(meant)}`?" if meant else "."
            mensagem = f"{quem} tem o campo `{cite(campo)}`{question} Como está, {efeito}."
            relato.avisos.add("campo_nao_declarado", (*onde, "campo"), mensagem)


def warn_misspelt(projeto: Lido, caminho: Caminho, asked: Collection[str], relato: Relato) -> None:
    """An aviso at each field of a project that is nearly one of those `asked`, which the project does not have."""
    campos = projeto.get("campos") or {}
    lacking = sorted(set(asked) - set(campos))
    for campo in campos if lacking else ():
        meant = None if campo in asked or campo in DERIVADOS else relato.meant(campo, lacking)
        if meant:
            mensagem = f"O edital não pergunta pelo campo `{cite(campo)}`; você quis dizer `{cite(meant)}`?"
            relato.avisos.add("campo_parecido", (*caminho, "campos", campo), mensagem)


def _conditions(lido: Lido) -> Iterator[tuple[Lido, Caminho, str]]:
    """Whatever speaks of a field, where it stands, and what it comes to where no project has the field."""
    for indice, requisito in objects(lido, "requisitos"):
        caminho: Caminho = ("requisitos", indice)
        yield requisito, caminho, _MET_BY_NONE
        yield requisito.get("quando") or {}, (*caminho, "quando"), _ASKED_OF_NONE
    yield from conditions_of(lido)
