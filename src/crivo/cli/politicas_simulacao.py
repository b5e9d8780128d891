"""`crivo politicas simular`: what a draft would have decided, told line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final

from crivo.autorizacoes.palavras import DECISOES, count, day, listing, number

if TYPE_CHECKING:
    from crivo.autorizacoes.lote import Line
    from crivo.autorizacoes.simulacao.service import Simulada

_SHOWN: Final = 20
_READ_AT_ONCE: Final = 1_000_000


def headline(simulada: Simulada) -> str:
    """'173 de 4.812 decisões mudariam (47 melhoram, 126 pioram).'"""
    simulacao = simulada.simulacao
    if not simulacao.total:
        return "Nenhum pedido para simular neste período."
    mudariam = "mudaria" if simulacao.mudam == 1 else "mudariam"
    head = f"{number(simulacao.mudam)} de {count(simulacao.total, 'decisão', 'decisões')} {mudariam}"
    if not simulacao.mudam:
        return f"{head}."
    return f"{head} ({count(simulacao.melhoram, 'melhora', 'melhoram')}, {count(simulacao.pioram, 'piora', 'pioram')})."


def told(simulada: Simulada) -> Iterator[str]:
    """The whole of a simulation for people: what changes, by which regra, the first cases, and what is to be known to read it."""
    from crivo.autorizacoes.motivos import rotulo

    simulacao, rascunho = simulada.simulacao, simulada.rascunho
    onde = "os pedidos do arquivo"
    if simulada.periodo is not None:
        onde = f"os pedidos de {day(simulada.periodo.desde.isoformat())} a {day(simulada.periodo.ate.isoformat())}"
    yield f"{rascunho.documento}, versão {rascunho.versao}, sobre {onde}, contra o que está publicado agora:"
    yield headline(simulada)
    for (antes, depois), quantos in simulacao.pares.items():
        if antes != depois:
            yield f"  {DECISOES[antes].palavra} → {DECISOES[depois].palavra}: {number(quantos)}"
    for uma in simulacao.por_regra[:_SHOWN]:
        nome = f"regra {uma.regra_id}" if uma.regra_id else "sem regra no rascunho"
        yield (
            f"  {nome}: alcança {number(uma.alcancados)}, {count(uma.melhoram, 'melhora', 'melhoram')}, "
            f"{count(uma.pioram, 'piora', 'pioram')}"
        )
    for caso in simulacao.casos[:_SHOWN]:
        motivos = listing([rotulo(motivo) for motivo in caso.motivos_depois or caso.motivos_antes])
        passa = f"{DECISOES[caso.antes].palavra} → {DECISOES[caso.depois].palavra}"
        yield f"  {caso.referencia.pedido_id or 'pedido sem número'}: {passa}{f' ({motivos})' if motivos else ''}"
    if simulacao.casos_total > _SHOWN:
        yield f"  … e mais {number(simulacao.casos_total - _SHOWN)}. Veja todos com --json."
    yield from _to_be_known(simulada)


def _to_be_known(simulada: Simulada) -> Iterator[str]:
    simulacao, contagem = simulada.simulacao, simulada.simulacao.contagem
    if simulada.sem_publicada:
        yield "Nada desta administradora está publicado: antes, nenhuma regra alcança os pedidos dela."
    if simulada.nunca_vale:
        yield "Uma versão posterior do documento já está publicada: este rascunho não valeria em dia nenhum."
    if simulada.trazidos:
        yield f"{count(simulada.trazidos, 'pedido é', 'pedidos são')} de antes do início do rascunho: contam como se ele já valesse."
    if simulacao.so_motivos or simulacao.so_quantidade:
        yield (
            f"Sem mudar a decisão: {count(simulacao.so_motivos, 'muda', 'mudam')} de motivo, "
            f"{count(simulacao.so_quantidade, 'muda', 'mudam')} de quantidade aprovada."
        )
    if contagem.apagados:
        yield f"{count(contagem.apagados, 'decisão ficou', 'decisões ficaram')} de fora: os dados foram apagados a pedido da pessoa."
    if contagem.ilegiveis and simulada.periodo is None:
        linhas = listing([str(one) for one in contagem.linhas_com_erro])
        mais = " e outras" if contagem.ilegiveis > len(contagem.linhas_com_erro) else ""
        yield f"{count(contagem.ilegiveis, 'linha', 'linhas')} sem um pedido que se leia, de fora: {linhas}{mais}."
    elif contagem.ilegiveis:
        fora = count(contagem.ilegiveis, "decisão ficou", "decisões ficaram")
        yield f"{fora} de fora, por não poder ser lida. Confira o registro com 'crivo auditoria verificar'."
    if contagem.relidos:
        relidas = count(contagem.relidos, "decisão antiga foi relida", "decisões antigas foram relidas")
        yield f"{relidas} do seu registro; da próxima vez é mais rápido."


@contextmanager
def simulating(path: str | None) -> Iterator[tuple[Iterator[Line] | None, Callable[[int, int], None]]]:
    """The lines of a file to simulate, none where no file is named, and who hears how it goes: a bar on a terminal, nobody elsewhere."""
    from crivo.cli.arquivos import open_entrada

    with ExitStack() as opened:
        lines = None if path is None else lines_of(opened.enter_context(open_entrada(path)))
        if not sys.stderr.isatty():
            yield lines, lambda *_: None
            return
        from rich.progress import BarColumn, Progress, TextColumn

        from crivo.cli.saida import console

        columns = (TextColumn("Simulando"), BarColumn(), TextColumn("{task.completed} pedidos"))
        bar = opened.enter_context(Progress(*columns, console=console(error=True), transient=True))
        task = bar.add_task("", total=None)
        yield lines, lambda done, total: bar.update(task, completed=done, total=total or None)


def lines_of(entrada: BinaryIO) -> Iterator[Line]:
    """The lines of a file, one at a time; one that is too long comes as none."""
    from crivo.autorizacoes.lote import LineReader

    reader = LineReader()
    while chunk := entrada.read(_READ_AT_ONCE):
        yield from (line and line.rstrip(b"\r") for line in reader.feed(chunk))
    yield from reader.finish()
