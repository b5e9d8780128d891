"""The demo on autorizações: sample políticas imported, sample pedidos decided and compared with what was worked out by hand."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from crivo.autorizacoes.palavras import DECISOES
from crivo.cli import auditoria
from crivo.cli.mostra import show_pedidos, show_trilha
from crivo.cli.saida import say
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.auditoria.conferencia import Conferencia
    from crivo.autorizacoes.amostra import Arquivo
    from crivo.autorizacoes.trilha import Trilha
    from crivo.bootstrap import Container

_SHOWN_IN_FULL: Final = "30-tudo-ao-mesmo-tempo.json"


@dataclass(frozen=True, slots=True)
class Decidido:
    """A sample pedido with its decision; `repetida` where an earlier run had decided it."""

    arquivo: str
    trilha: Trilha
    repetida: bool
    esperada: str


@dataclass(frozen=True, slots=True)
class Demonstracao:
    """All that the demo did."""

    politicas: int
    regras: int
    decididos: tuple[Decidido, ...]
    auditoria: Conferencia

    @property
    def divergentes(self) -> tuple[str, ...]:
        """The pedidos whose outcome is not the one worked out by hand."""
        return tuple(d.arquivo for d in self.decididos if d.trilha.etapas.sintese.decisao_final != d.esperada)

    @property
    def holds(self) -> bool:
        """Whether every outcome is as expected and the audit stands."""
        return not self.divergentes and self.auditoria.integra


async def demonstrate(container: Container, scope: Scope) -> Demonstracao:
    """Import, decide and verify; whatever an earlier run did stands as it is."""
    from crivo.autorizacoes import amostra
    from crivo.autorizacoes.politicas.service import VersaoPublicada

    regras = 0
    politicas = amostra.politicas()
    for politica in politicas:
        try:
            importacao = await container.politicas.importar(scope, politica.conteudo, publicar=True)
        except VersaoPublicada:
            continue  # an earlier demo published another text of it, and that one goes on deciding
        regras += importacao.politica.regras_total
    for administradora_id, tabela in amostra.campos().items():
        await container.politicas.definir_campos(scope, administradora_id, tabela)
    esperado = amostra.esperado()
    decididos = [await _decide(container, scope, arquivo, esperado[arquivo.nome]["decisao_final"]) for arquivo in amostra.pedidos()]
    return Demonstracao(len(politicas), regras, tuple(decididos), await auditoria.verify(container, scope))


async def _decide(container: Container, scope: Scope, arquivo: Arquivo, esperada: str) -> Decidido:
    import msgspec

    from crivo.autorizacoes.trilha import Trilha

    chave = f"amostra:{arquivo.nome}:{hashlib.sha256(arquivo.conteudo).hexdigest()[:16]}"
    decidida = await container.autorizacoes.decidir(scope, arquivo.conteudo, chave)
    return Decidido(arquivo.nome, msgspec.json.decode(decidida.autorizacao.trilha, type=Trilha), decidida.repetida, esperada)


def show(feita: Demonstracao) -> None:
    """Print the outcome of each pedido, the totals, one trail in full, and the state of the audit."""
    show_pedidos([(decidido.arquivo, decidido.trilha) for decidido in feita.decididos])
    totals = _totals(feita.decididos)
    say(f"{len(feita.decididos)} pedidos, {feita.politicas} políticas, {feita.regras} regras.")
    say("  " + " · ".join(f"{rotulo.marca} {rotulo.palavra}: {totals[final]}" for final, rotulo in DECISOES.items()))
    repetidas = sum(decidido.repetida for decidido in feita.decididos)
    if repetidas:
        say(f"  {repetidas} já tinham sido decididos antes: a mesma chave de idempotência trouxe a mesma decisão.")
    if feita.divergentes:
        say(f"✗ Saíram diferentes do gabarito: {', '.join(feita.divergentes)}.")
    else:
        say("✓ Todos os resultados são os do gabarito, feito à mão.")
    shown = next((decidido for decidido in feita.decididos if decidido.arquivo == _SHOWN_IN_FULL), None)
    if shown:
        say(f"\nA trilha de {shown.arquivo}, agente por agente")
        show_trilha(shown.trilha)
    for line in auditoria.tell(feita.auditoria):
        say(line)


def _totals(decididos: Sequence[Decidido]) -> Counter[str]:
    return Counter(decidido.trilha.etapas.sintese.decisao_final for decidido in decididos)


def value(feita: Demonstracao) -> dict[str, Any]:
    """The outcome as machines read it."""
    pedidos = [
        {
            "arquivo": decidido.arquivo,
            "decisao_final": decidido.trilha.etapas.sintese.decisao_final,
            "esperada": decidido.esperada,
            "motivos": decidido.trilha.etapas.avaliacao.motivos,
            "repetida": decidido.repetida,
        }
        for decidido in feita.decididos
    ]
    return {
        "politicas": feita.politicas,
        "regras": feita.regras,
        "pedidos": pedidos,
        "totais": _totals(feita.decididos),
        "divergentes": feita.divergentes,
        "auditoria_integra": feita.auditoria.integra,
    }
