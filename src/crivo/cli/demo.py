"""`crivo demo`: the sample políticas and pedidos through the whole sieve, and then the pages."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crivo.cli import auditoria, chaves, rotulos, servidor
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.mostra import show_pedidos, show_trilha
from crivo.cli.saida import FAILED, emit_value, note, say
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.amostra import Arquivo
    from crivo.autorizacoes.trilha import Trilha
    from crivo.autorizacoes.verificacao import Verificacao
    from crivo.bootstrap import Container
    from crivo.kernel.audit import Verification
    from crivo.kernel.settings import Settings

_PERSON: Final = "pessoa:demonstracao"
_KEY_LASTS: Final = timedelta(days=1)
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
    cadeia: Verification
    decisoes: Verificacao

    @property
    def divergentes(self) -> tuple[str, ...]:
        """The pedidos whose outcome is not the one worked out by hand."""
        return tuple(d.arquivo for d in self.decididos if d.trilha.etapas.sintese.decisao_final != d.esperada)

    @property
    def holds(self) -> bool:
        """Whether every outcome is as expected and the audit stands."""
        return not (self.divergentes or self.cadeia.quebras or self.decisoes.quebras)


@dataclass(frozen=True, slots=True)
class Entrada:
    """How to get in: a sign-in link for a person, a key for a program."""

    link: str
    chave: str


def demo(
    ctx: typer.Context,
    sem_servidor: Annotated[bool, typer.Option("--sem-servidor", help="Só decide e mostra; não abre as páginas.")] = False,
    porta: Annotated[
        int | None,
        typer.Option("--porta", metavar="N", min=1, max=65535, help="Porta das páginas; sem ela, CRIVO_PORTA."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Importa as políticas de amostra, decide os pedidos de amostra, mostra o resultado e abre as páginas.

    Tudo na amostra é inventado. Rodar de novo não decide outra vez: mostra as mesmas decisões.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings = ambiente.settings(porta=porta)
    if not ambiente.json:
        note("Preparando o banco e decidindo os pedidos de amostra…")

    async def work(container: Container, scope: Scope) -> tuple[Demonstracao, Entrada | None]:
        return await demonstrate(container, scope), None if sem_servidor else await _open_the_door(container, scope)

    feita, entrada = ambiente.use(work)
    if ambiente.json:
        emit_value(_value(feita))
    else:
        _show(feita)
    if entrada is not None:
        _serve(settings, entrada)
    elif not feita.holds:
        raise typer.Exit(FAILED)


async def demonstrate(container: Container, scope: Scope) -> Demonstracao:
    """Import, decide and verify; whatever an earlier run did stands as it is."""
    from crivo.autorizacoes import amostra

    regras = 0
    politicas = amostra.politicas()
    for politica in politicas:
        importacao = await container.politicas.importar(scope, politica.conteudo, publicar=True)
        regras += importacao.politica.regras_total
    for administradora_id, tabela in amostra.campos().items():
        await container.politicas.definir_campos(scope, administradora_id, tabela)
    esperado = amostra.esperado()
    decididos = [await _decide(container, scope, arquivo, esperado[arquivo.nome]["decisao_final"]) for arquivo in amostra.pedidos()]
    cadeia, decisoes = await auditoria.verify(container, scope)
    return Demonstracao(len(politicas), regras, tuple(decididos), cadeia, decisoes)


async def _decide(container: Container, scope: Scope, arquivo: Arquivo, esperada: str) -> Decidido:
    import msgspec

    from crivo.autorizacoes.trilha import Trilha

    chave = f"amostra:{arquivo.nome}:{hashlib.sha256(arquivo.conteudo).hexdigest()[:16]}"
    decidida = await container.autorizacoes.decidir(scope, arquivo.conteudo, chave)
    return Decidido(arquivo.nome, msgspec.json.decode(decidida.autorizacao.trilha, type=Trilha), decidida.repetida, esperada)


async def _open_the_door(container: Container, scope: Scope) -> Entrada:
    from crivo.kernel.access import Sessoes

    link = await Sessoes(container.database, container.clock).create_link(scope, _PERSON)
    return Entrada(link, (await chaves.create(container, scope, "demonstração", None, _KEY_LASTS)).segredo)


def _serve(settings: Settings, entrada: Entrada) -> None:
    home = servidor.address(settings.host, settings.porta)
    told = (
        f"\nAs páginas estão em {home}",
        f"Entre por este link, que serve uma vez e por 15 minutos:\n  {home}/entrar?token={entrada.link}",
        "Ou decida um pedido pela API, com uma chave que vale um dia:",
        f"  curl -s {home}/api/autorizacoes -H 'Authorization: Bearer {entrada.chave}' \\",
        f"    -H 'Content-Type: application/json' -d '{_SAMPLE_BODY}'",
        "Ctrl-C encerra.",
    )
    servidor.run(settings, "\n".join(told), log_nivel="WARNING")


_SAMPLE_BODY: Final = (
    '{"pedido_id": "TESTE-1", "administradora_id": "090417", "plano_id": "PLENO", "data_pedido": "2026-10-05", '
    '"beneficiario": {"id": "B-1", "idade": 40, "carencia_cumprida_dias": 400}, "prestador": {"tipo": "CREDENCIADO"}, '
    '"procedimento": {"codigo": "41101014", "tabela": "TUSS", "quantidade": 3}, "documentos_anexos": ["pedido médico", "laudo médico"]}'
)


def _show(feita: Demonstracao) -> None:
    show_pedidos([(decidido.arquivo, decidido.trilha) for decidido in feita.decididos])
    totals = _totals(feita.decididos)
    say(f"{len(feita.decididos)} pedidos, {feita.politicas} políticas, {feita.regras} regras.")
    say("  " + " · ".join(f"{rotulo.marca} {rotulo.palavra}: {totals[final]}" for final, rotulo in rotulos.DECISOES.items()))
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
    for line in auditoria.tell(feita.cadeia, feita.decisoes):
        say(line)


def _totals(decididos: Sequence[Decidido]) -> Counter[str]:
    return Counter(decidido.trilha.etapas.sintese.decisao_final for decidido in decididos)


def _value(feita: Demonstracao) -> dict[str, Any]:
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
        "auditoria_integra": not (feita.cadeia.quebras or feita.decisoes.quebras),
    }
