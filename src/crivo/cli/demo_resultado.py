"""The demo on what comes after the notas: a diligência answered, a preliminary list, two recursos granted, and the list that they make."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from crivo.cli.saida import say
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from uuid import UUID

    from crivo.bootstrap import Container
    from crivo.triagem.amostra import Recurso
    from crivo.triagem.classificacao.publicado import FaseDoResultado
    from crivo.triagem.publicacao.conteudo import Conteudo
    from crivo.triagem.publicacao.guardados import Publicada
    from crivo.triagem.publicacao.movimentos import Movido
    from crivo.triagem.recursos.contratos import Proposta

_BUSINESS_DAYS: Final = 5
_PRELIMINAR: Final[FaseDoResultado] = "preliminar"
_MOTIVO: Final = "Dois recursos providos: uma nota foi corrigida e uma habilitação, revista."


@dataclass(frozen=True, slots=True)
class Listado:
    """The preliminary list in force, where anybody opens it, and what the recursos changed of the one before it."""

    publicada: Publicada
    conteudo: Conteudo
    endereco: str
    mudou: tuple[Movido, ...]


async def demonstrate(container: Container, scope: Scope, gestora: Scope, outra: Scope, edital_id: str) -> Listado:
    """Publish the sample's list and hear two recursos; what an earlier run did is not done again.

    `gestora` manages the call, and `outra`, who decided nothing in it, answers the recursos.
    """
    if not await container.resultados.versoes(scope, edital_id):
        await _ask_and_answer(container, gestora, edital_id)
        await _publish(container, gestora, edital_id, "", _deadline(container))
        for number in await _appeal(container, gestora, edital_id):
            await _grant(container, outra, edital_id, number)
        await _publish(container, gestora, edital_id, _MOTIVO, _deadline(container))
    return await _listed(container, scope, edital_id)


def show(listado: Listado) -> None:
    """Print the list as it was published, where it is, and what the recursos changed."""
    from crivo.cli import lugares
    from crivo.cli.saida import table
    from crivo.triagem.classificacao.palavras import SITUACAO

    say(f"\nA lista preliminar, versão {listado.publicada.versao}, publicada")
    lugares.show(listado.conteudo)
    if listado.mudou:
        say("\nO que os recursos mudaram da versão anterior")
        sides = [(one.mudanca.projeto_id, one.mudanca.titulo, one.mudanca.antes, one.mudanca.depois) for one in listado.mudou]
        rows = [
            (codigo, titulo, SITUACAO[antes.situacao] if antes else "", SITUACAO[depois.situacao] if depois else "")
            for codigo, titulo, antes, depois in sides
        ]
        table(("Projeto", "Título", "Antes", "Agora"), rows, whole="Projeto")
    say(f"✓ Qualquer pessoa abre e confere a lista em {listado.endereco}")


async def _ask_and_answer(container: Container, gestora: Scope, edital_id: str) -> None:
    """A diligência that its proponente answers by the code that came to them."""
    from crivo.triagem import amostra
    from crivo.triagem.diligencias.guardadas import Arquivo
    from crivo.triagem.diligencias.servico import NovaDiligencia

    one = amostra.diligencia()
    nova = NovaDiligencia((one.requisito,), one.pedido, _BUSINESS_DAYS)
    number = await container.diligencias.pedir(gestora, edital_id, one.projeto, nova)
    codigo = (await container.diligencias.abrir(gestora, edital_id, number)).endereco.rpartition("/")[2]
    await container.respostas.responder(gestora.tenant_id, codigo, one.resposta, [Arquivo(one.requisito, one.arquivo, one.papel)])


async def _publish(container: Container, gestora: Scope, edital_id: str, motivo: str, recursos_ate: date) -> None:
    seen = await container.resultados.rascunho(gestora, edital_id, _PRELIMINAR)
    await container.resultados.publicar(gestora, edital_id, _PRELIMINAR, seen.sha256, motivo, recursos_ate)


def _deadline(container: Container) -> date:
    from crivo.kernel.clock import today
    from crivo.kernel.prazos import nth_business_day

    return nth_business_day(today(container.clock), _BUSINESS_DAYS)


async def _appeal(container: Container, gestora: Scope, edital_id: str) -> list[tuple[int, Recurso]]:
    """The recursos of the sample, each by the code of its project."""
    from crivo.triagem import amostra
    from crivo.triagem.recursos.contratos import Anexo

    codigos = await container.peticoes.codigos(gestora, edital_id)
    made = []
    for one in amostra.recursos():
        papeis = [Anexo(one.arquivo, one.papel)]
        kept = await container.peticoes.apresentar(gestora.tenant_id, codigos[one.projeto], one.contra, one.texto, papeis)
        made.append((kept.numero, one))
    return made


async def _grant(container: Container, outra: Scope, edital_id: str, which: tuple[int, Recurso]) -> None:
    number, one = which
    judges = {of.email: of.id for of in (await container.quem_avalia.equipe(outra, edital_id)).pessoas}
    proposta = _proposal(one, judges)
    seen = await container.recursos.prever(outra, edital_id, number, proposta)
    await container.recursos.responder(outra, edital_id, number, proposta, seen.visto)


def _proposal(one: Recurso, judges: dict[str, UUID]) -> Proposta:
    from crivo.triagem.recursos.contratos import Mudanca, NotaRevista, Proposta, Redecidida

    granted = one.deferimento
    mudancas: list[Mudanca] = [
        NotaRevista(criterio, judges[granted.avaliador], nota, one.resposta) for criterio, nota in (granted.notas or {}).items()
    ]
    if granted.situacao is not None:
        mudancas.append(Redecidida(granted.situacao))
    return Proposta("provido", one.resposta, tuple(mudancas))


async def _listed(container: Container, scope: Scope, edital_id: str) -> Listado:
    from crivo.triagem.publicacao.comparacao import compare
    from crivo.triagem.publicacao.movimentos import moved

    versoes = await container.resultados.versoes(scope, edital_id)
    last = await container.resultados.versao(scope, edital_id, versoes[0].versao)
    before = await container.resultados.versao(scope, edital_id, versoes[1].versao) if len(versoes) > 1 else last
    endereco = f"{container.settings.endereco}/publicacoes/{scope.tenant_id}/{last.publicada.codigo}"
    return Listado(last.publicada, last.conteudo, endereco, moved(compare(before.conteudo, last.conteudo)))
