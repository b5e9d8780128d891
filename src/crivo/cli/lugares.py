"""`crivo triagem resultado`: who is selected, in which vaga and why, out of what people gave and decided."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import STANDARD, open_saida
from crivo.cli.resultado_triagem import EditalId, SaidaObrigatoria
from crivo.cli.saida import note, say, table
from crivo.kernel.atos import NewEntry
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crivo.bootstrap import Container
    from crivo.triagem.classificacao.publicado import FaseDoResultado, ResultadoPublicado
    from crivo.triagem.classificacao.resultado import Classificada
    from crivo.triagem.exportacao.lugares import ComId
    from crivo.triagem.publicacao.conteudo import Conteudo
    from crivo.triagem.publicacao.publicacoes import Arquivo


def resultado(
    ctx: typer.Context,
    edital: EditalId,
    fase: Annotated[
        Literal["preliminar", "final"],
        typer.Option("--fase", metavar="FASE", help="preliminar ou final: o que vai escrito nele; as contas são as mesmas."),
    ] = "preliminar",
    formato: Annotated[
        Literal["json", "xlsx", "csv", "pdf", "html", "docx"] | None,
        typer.Option("--formato", metavar="FORMATO", help="json, xlsx, csv, pdf, html ou docx; sem ele, uma tabela no terminal."),
    ] = None,
    versao: Annotated[
        int | None, typer.Option("--versao", metavar="N", min=1, help="A versão publicada; sem ela, o resultado de agora, um rascunho.")
    ] = None,
    saida: Annotated[str, typer.Option("--saida", metavar="ARQ", help="Arquivo a gravar; '-' escreve na saída padrão.")] = STANDARD,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Classifica os projetos pelas notas e decisões de pessoas: lugar, situação, vaga e o motivo de cada um.

    Nota de modelo não entra. Sem --versao nada fica guardado: a conta é feita de novo a cada vez, e o documento sai como RASCUNHO.
    Com --versao sai o que foi publicado, sempre os mesmos bytes.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    asked = "json" if ambiente.json else formato
    if asked in ("xlsx", "pdf", "html", "docx") or (versao is not None and asked == "csv"):
        _take(ambiente, edital, fase, asked, versao, saida)
        return

    async def work(container: Container, scope: Scope) -> Classificada | Conteudo:
        found: Classificada | Conteudo = (
            await container.lugares.resultado(scope, edital)
            if versao is None
            else (await container.resultados.versao(scope, edital, versao)).conteudo
        )
        which = {"fase": fase} if versao is None else {"versao": versao}
        told = {"edital": edital, **which, "formato": asked or "tabela", "projetos": _many(found)}
        await container.auditoria.anotar(scope, NewEntry(acao="resultado.exportado", alvo=f"edital:{edital}", dados=told))
        return found

    found = ambiente.use(work)
    if asked is None and saida == STANDARD:
        show(found)
        return
    from crivo.triagem.exportacao import lugares_to_csv, lugares_to_json

    publicado, criterios = _published(found, fase)
    content = lugares_to_csv(publicado, criterios) if asked == "csv" else lugares_to_json(publicado) + b"\n"
    with Path("/dev/null").open("rb") as nothing, open_saida(saida, nothing) as written:
        written.write(content)
    if saida != STANDARD:
        note(f"✓ Gravado em {saida}.")


def _many(found: Classificada | Conteudo) -> int:
    from crivo.triagem.publicacao.conteudo import Conteudo

    return len(found.linhas if isinstance(found, Conteudo) else found.lugares)


def _published(found: Classificada | Conteudo, fase: FaseDoResultado) -> tuple[ResultadoPublicado, Sequence[ComId]]:
    from crivo.triagem.classificacao.publicado import ResultadoPublicado, publish
    from crivo.triagem.publicacao.conteudo import Conteudo

    if isinstance(found, Conteudo):
        return ResultadoPublicado(found.edital_id, found.fase, tuple([one.lugar for one in found.linhas])), found.criterios
    return publish(found, fase), found.regua.criterios


def show(found: Classificada | Conteudo) -> None:
    """Print the places of each category, and why the others have none."""
    from crivo.triagem.publicacao.conteudo import Conteudo

    if isinstance(found, Conteudo):
        _show_version(found)
    else:
        _show_draft(found)


def _show_version(found: Conteudo) -> None:
    from decimal import Decimal

    from crivo.triagem.classificacao.numeros import nota_said
    from crivo.triagem.classificacao.palavras import SITUACAO
    from crivo.triagem.palavras import count
    from crivo.triagem.publicacao.quadro import groups_of

    for grupo in groups_of(found):
        name = "Todas as categorias" if grupo.categoria == "*" else grupo.categoria or "Sem categoria"
        say(f"\n{name}, {count(grupo.vagas.total if grupo.vagas else 0, 'vaga', 'vagas')}")
        rows = [
            (
                str(one.posicao or "–"),
                one.projeto_id,
                "–" if one.nota_final is None else nota_said(Decimal(one.nota_final)),
                SITUACAO[one.situacao],
                one.vaga or "",
                one.motivo,
            )
            for one in (linha.lugar for linha in (*grupo.ordem, *grupo.fora))
        ]
        table(("Lugar", "Projeto", "Nota final", "Situação", "Vaga", "Motivo"), rows, whole="Projeto", empty="Nenhum projeto.")


def _take(
    ambiente: Ambiente,
    edital: str,
    fase: Literal["preliminar", "final"],
    formato: Literal["json", "xlsx", "csv", "pdf", "html", "docx"],
    versao: int | None,
    saida: str,
) -> None:
    """Write a version, or the draft, as a file."""
    if saida == STANDARD and formato in ("xlsx", "pdf", "docx") and sys.stdout.isatty():
        raise SaidaObrigatoria(f"O arquivo não cabe no terminal. Diga onde gravar com --saida resultado.{formato}.")

    async def work(container: Container, scope: Scope) -> Arquivo:
        if versao is None:
            return await container.publicacoes.rascunho(scope, edital, fase, formato)
        return await container.publicacoes.arquivo(scope, edital, versao, formato)

    made = ambiente.use(work)
    with Path("/dev/null").open("rb") as nothing, open_saida(saida, nothing) as written:
        written.write(made.content)
    if saida != STANDARD:
        note(f"✓ Gravado em {saida}. SHA-256: {made.sha256}")


def _show_draft(found: Classificada) -> None:
    from crivo.triagem.classificacao.numeros import nota_said
    from crivo.triagem.classificacao.palavras import SITUACAO, motivo
    from crivo.triagem.palavras import count

    for grupo in found.grupos:
        name = "Todas as categorias" if grupo.categoria == "*" else grupo.categoria or "Sem categoria"
        say(f"\n{name}, {count(grupo.vagas.total if grupo.vagas else 0, 'vaga', 'vagas')}")
        rows = [
            (str(one.posicao), one.inscrito.id, nota_said(found.final(one)), SITUACAO[one.situacao], one.vaga or "", motivo(found, one))
            for one in grupo.ordem
        ]
        table(("Lugar", "Projeto", "Nota final", "Situação", "Vaga", "Motivo"), rows, whole="Projeto", empty="Nenhum projeto.")
    outside = [(one.inscrito.id, SITUACAO[one.situacao], motivo(found, one)) for one in found.lugares if one.grupo is None]
    if outside:
        say("\nSem lugar")
        table(("Projeto", "Situação", "Motivo"), outside, whole="Projeto")
