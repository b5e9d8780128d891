"""What a message must say at the least: the outcome, of what it is, and of an approval in part how many.

Fault `resultado`, of a denial `sem_fonte`; `numero` where how many is not said. For how long it is valid is not demanded: of the texts
that people called sound more than one in four leaves it to the guia.

Source: design, "Right, on what customers really send".
"""

from __future__ import annotations

from collections.abc import Iterator

from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo, Falha
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.numeros import find_numeros


def check_completude(pagina: Pagina, fatos: Fatos, campo: Campo) -> Iterator[Achado]:
    """A message that tells no outcome, or not of what, or an approval in part without its quantity."""
    if campo not in ("para_beneficiario", "para_solicitante"):
        return
    whole = pagina.quote((0, len(pagina.text)))
    falha: Falha = "sem_fonte" if fatos.final == "NEGADO" else "resultado"
    if not LEXICO.has(f"diz_{fatos.final}", pagina.folded):
        yield Achado(falha, whole, "não diz o que se decidiu")
    if not LEXICO.has("objeto", pagina.folded) and not any(map(pagina.has, fatos.nomes_do_pedido)):
        yield Achado(falha, whole, "não diz o que foi pedido")
    owed = fatos.detalhe.quantidade_aprovada if fatos.final == "APROVADO_PARCIAL" else None
    if owed is not None and owed not in {numero.value for numero in find_numeros(pagina.folded)}:
        yield Achado("numero", whole, "não diz quantas unidades foram aprovadas")
