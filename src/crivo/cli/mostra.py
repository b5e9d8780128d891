"""Decisions and trails drawn for people on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from crivo.autorizacoes.motivos import PEDIDO_INVALIDO, rotulo
from crivo.autorizacoes.palavras import listing, number
from crivo.cli import rotulos
from crivo.cli.saida import say, table

if TYPE_CHECKING:
    from crivo.autorizacoes.trilha import Etapas, Trilha

_AUTHORS: Final = {"codigo": "código", "modelo": "modelo", "pessoa": "pessoa"}
_POSITION: Final = re.compile(r"\[\d+\]")


def show_pedidos(decididos: Iterable[tuple[str, Trilha]]) -> None:
    """A table of decided pedidos: file, procedure, outcome, why, by which regra, and what would help."""
    rows = [(arquivo.removesuffix(".json"), *_cells(trilha.etapas)) for arquivo, trilha in decididos]
    table(("Pedido", "Procedimento", "Decisão", "Por quê", "Regra", "O que fazer"), rows, empty="Nenhum pedido.")


def show_trilha(trilha: Trilha) -> None:
    """A trail, agent by agent: what each is for, how long it took, what it answered, and who wrote each field."""
    import msgspec

    from crivo.autorizacoes.agentes import AGENTES

    authors: dict[str, dict[str, str]] = msgspec.json.decode(trilha.autoria)
    for position, agente in enumerate(AGENTES, 1):
        answer = getattr(trilha.etapas, agente.stage)
        say(f"\n{position}. {agente.stage} ({agente.source}): {agente.tarefa}")
        if answer is None:
            say("   Não rodou: o pedido está conforme.")
            continue
        say(f"   Viu {listing(agente.sees)}; levou {number(trilha.tempos_us[agente.stage])} µs.")
        rows = [(campo, valor, _author(campo, authors[agente.stage])) for campo, valor in _leaves(msgspec.to_builtins(answer))]
        table(("Campo", "Valor", "Autor"), rows, lines=True)


def _cells(etapas: Etapas) -> tuple[Any, ...]:
    from crivo.autorizacoes.etapas.sintese import describe

    procedimento = etapas.normalizacao.pedido_normalizado.procedimento
    motivos = "; ".join([rotulo(codigo) for codigo in etapas.avaliacao.motivos if codigo != PEDIDO_INVALIDO])
    fonte = etapas.avaliacao.fonte_regras
    ajustes = etapas.ajustes.ajustes_sugeridos if etapas.ajustes else ()
    todo = [describe(ajuste) for ajuste in ajustes] or list(etapas.sintese.detalhe_decisao.condicionantes)
    return (
        procedimento.descricao or procedimento.codigo or "",
        rotulos.decisao(etapas.sintese.decisao_final),
        motivos,
        f"{fonte.regra_id} (versão {fonte.versao})" if fonte else "nenhuma",
        "; ".join(todo),
    )


def _author(campo: str, authors: Mapping[str, str]) -> str:
    """Who wrote a field; what is inside a free-form object was written with it."""
    path = _POSITION.sub("", campo)
    author = next((author for written, author in authors.items() if path == written or path.startswith(f"{written}.")), "")
    return _AUTHORS.get(author, author)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Each field that holds something, by its path; a list of plain values is one field."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from _leaves(inner, f"{path}.{name}" if path else name)
        case list() | tuple() if any(isinstance(item, dict) for item in value):
            for position, item in enumerate(value):
                yield from _leaves(item, f"{path}[{position}]")
        case None | [] | ():
            return
        case list() | tuple():
            yield path, "\n".join(_word(item) for item in value)
        case _:
            yield path, _word(value)


def _word(value: Any) -> str:
    match value:
        case bool():
            return "sim" if value else "não"
        case int() | float():
            return number(value)
        case _:
            return str(value)
