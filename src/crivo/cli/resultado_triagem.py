"""`crivo triagem exportar`, `concordancia` and `avaliar`: what came of a screening, and how well it did."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import STANDARD, open_saida, read_file
from crivo.cli.saida import emit_value, note, say, table
from crivo.kernel.atos import NewEntry
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crivo.bootstrap import Container
    from crivo.kernel.taxas import Taxa
    from crivo.triagem.achados import Resultado
    from crivo.triagem.atos import Decididas
    from crivo.triagem.concordancia import Acordo, Concordancia, Medida
    from crivo.triagem.edital import Chamada

_KEY_BYTES = 50_000_000
_NOTHING_DECIDED = "Ninguém decidiu nada ainda. Quem decide são pessoas, na página da triagem."

EditalId = Annotated[str, typer.Argument(metavar="EDITAL", help="Código do edital, como ED-2026-04.")]


class SaidaObrigatoria(CrivoError):
    """A spreadsheet cannot be printed on a terminal."""

    codigo: ClassVar[str] = "saida_obrigatoria"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Falta dizer onde gravar"


class GabaritoInvalido(CrivoError):
    """The answer key cannot be read, or is none."""

    codigo: ClassVar[str] = "gabarito_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Gabarito inválido"


def exportar(
    ctx: typer.Context,
    edital: EditalId,
    formato: Annotated[Literal["csv", "xlsx", "json"], typer.Option("--formato", metavar="FORMATO", help="csv, xlsx ou json.")],
    tabela: Annotated[
        Literal["habilitacao", "avaliacao", "irregularidades", "decisoes", "notas", "casos", "recursos", "ranking"] | None,
        typer.Option(
            "--tabela",
            metavar="TABELA",
            help="habilitacao, avaliacao, irregularidades, decisoes, notas, casos, recursos, ranking. Sem ela, a 1ª; XLSX, todas.",
        ),
    ] = None,
    saida: Annotated[str, typer.Option("--saida", metavar="ARQ", help="Arquivo a gravar; '-' escreve na saída padrão.")] = STANDARD,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Exporta o que a última triagem terminada achou e o que as pessoas decidiram: JSON para programas, CSV e planilha para pessoas."""
    if formato == "xlsx" and saida == STANDARD and sys.stdout.isatty():
        raise SaidaObrigatoria("A planilha não cabe no terminal. Diga onde gravar com --saida resultado.xlsx.")
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> bytes:
        from crivo.triagem.exportacao import to_csv, to_json, to_xlsx

        resultado, chamada = await _found(container, scope, edital)
        concluido = await container.conclusoes.todas(scope, edital)
        told = {"edital": edital, "formato": formato, "projetos": len(resultado.projetos)}
        await container.auditoria.anotar(scope, NewEntry(acao="triagem.exportada", alvo=f"edital:{edital}", dados=told))
        match formato:
            case "json":
                return to_json(resultado, concluido) + b"\n"
            case "csv":
                return to_csv(resultado, chamada, tabela or "habilitacao", concluido)
            case "xlsx":
                return to_xlsx(resultado, chamada, container.clock.now(), concluido, tabela)

    content = ambiente.use(work)
    with Path("/dev/null").open("rb") as nothing, open_saida(saida, nothing) as written:
        written.write(content)
    if saida != STANDARD:
        note(f"✓ Gravado em {saida}.")


def decisoes(ctx: typer.Context, edital: EditalId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista o que as pessoas decidiram da habilitação: quem, quando, por quê, e se difere da sugestão."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Decididas:
        return await container.decisoes.listar(scope, edital)

    found = ambiente.use(work)
    if ambiente.json:
        emit_value({"edital_id": edital, "projetos": _told(found), "atos": found.atos})
        return
    table(("Projeto", "Decisão", "Sugestão", "Quem", "Quando", "Motivo"), list(_decided(found)), whole="Projeto", empty=_NOTHING_DECIDED)


def _told(found: Decididas) -> list[dict[str, object]]:
    from crivo.triagem.conclusoes import Concluido
    from crivo.triagem.exportacao.concluido_json import decisao_of

    gone = {codigo: those for codigo, those in found.anteriores.items() if codigo not in found.em_vigor}
    concluido = Concluido(decisoes=found.em_vigor, desfeitas=gone, nomes=found.nomes)
    return [{"projeto_id": codigo, **decisao_of(codigo, concluido)} for codigo in sorted(found.em_vigor.keys() | gone.keys())]


def _decided(found: Decididas) -> Iterator[tuple[str, ...]]:
    from crivo.kernel.linguagem.identificadores import mask_cpfs
    from crivo.triagem.atos import name_of, when
    from crivo.triagem.palavras import HABILITACAO

    for codigo, one in sorted(found.em_vigor.items()):
        suggested = HABILITACAO[one.sugestao].palavra if one.sugestao else "nenhuma"
        differs = f"{suggested} (difere)" if one.difere else suggested
        who, at = name_of(one.decidido_por, found.nomes), when(one.decidido_em)
        yield codigo, HABILITACAO[one.decisao].palavra, differs, who, at, mask_cpfs(one.motivo)


def concordancia(ctx: typer.Context, edital: EditalId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Compara as notas das pessoas com as sugeridas, por critério e por avaliador, e as pessoas entre si."""
    from crivo.triagem.concordancia import NotaHumana, measure_concordancia, sugeridas_of

    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Concordancia:
        resultado, chamada = await _found(container, scope, edital)
        notas = await container.julgamento.notas(scope, edital)
        humanas = [NotaHumana(one.projeto_id, one.criterio, str(one.avaliador), one.nota) for one in notas]
        return measure_concordancia(chamada.criterios, humanas, sugeridas_of(resultado))

    medida = ambiente.use(work)
    if ambiente.json:
        emit_value(medida)
        return
    for titulo, acordos in (
        ("Por critério, pessoas e sugestão", medida.por_criterio),
        ("Por avaliador, pessoa e sugestão", medida.por_avaliador),
        ("Entre avaliadores", medida.entre_avaliadores),
    ):
        say(f"\n{titulo}")
        table(("Quem", "Pares", "Diferença média", "Kappa", "ICC"), [_row(acordo) for acordo in acordos], empty="Ainda não há notas.")


def avaliar(
    ctx: typer.Context,
    edital: Annotated[str, typer.Option("--edital", metavar="EDITAL", help="Código do edital que foi triado.")],
    gabarito: Annotated[str, typer.Option("--gabarito", metavar="ARQ", help="O que a triagem deveria achar, na forma da exportação JSON.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Confere a última triagem terminada com um gabarito: itens, sugestões e sinais, com intervalos de 95%."""
    import msgspec

    from crivo.triagem.conferencia import compare, read_gabarito

    ambiente = Ambiente.of(ctx, tenant, as_json)
    try:
        key = read_gabarito(read_file(gabarito, _KEY_BYTES))
    except msgspec.MsgspecError as error:
        raise GabaritoInvalido(f"O arquivo {gabarito} não tem a forma de um gabarito: {error}.") from None

    async def work(container: Container, scope: Scope) -> Resultado:
        return await container.triagem.resultado(scope, edital)

    conferencia = compare(ambiente.use(work), key)
    if ambiente.json:
        emit_value(conferencia)
        return
    metricas = conferencia.metricas
    rows = [("Itens de habilitação", _share(metricas.itens), "")]
    rows += [("Sugestões de habilitação", _share(metricas.habilitacao), ""), ("Documentos completos", _share(metricas.docs_completos), "")]
    rows += [(tipo, _share(acerto.cobertura), _share(acerto.precisao)) for tipo, acerto in metricas.irregularidades.items()]
    table(("O quê", "Acertos", "Precisão"), rows)
    wrong = [caso.id for caso in conferencia.casos if not caso.certo]
    say(f"{len(conferencia.casos)} casos. Errados: {', '.join(wrong) or 'nenhum'}.")


async def _found(container: Container, scope: Scope, edital: str) -> tuple[Resultado, Chamada]:
    return await container.triagem.resultado(scope, edital), await container.triagem.edital(scope, edital)


def _row(acordo: Acordo) -> tuple[str, ...]:
    who = acordo.de if acordo.com is None else f"{acordo.de} e {acordo.com}"
    return (who, str(acordo.pares), _measure(acordo.diferenca_media), _measure(acordo.kappa), _measure(acordo.icc))


def _measure(medida: Medida) -> str:
    if medida.valor is None:
        return medida.razao or "—"
    interval = f" [{medida.inferior:.2f}; {medida.superior:.2f}]" if medida.inferior is not None and medida.superior is not None else ""
    return f"{medida.valor:.2f}{interval}".replace(".", ",")


def _share(taxa: Taxa) -> str:
    if taxa.valor is None or taxa.de is None or taxa.ate is None:
        return "—"
    return f"{taxa.certos}/{taxa.total} ({taxa.valor:.1%}; {taxa.de:.1%} a {taxa.ate:.1%})".replace(".", ",")
