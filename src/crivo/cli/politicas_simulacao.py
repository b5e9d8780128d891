"""`crivo politicas simular`: what a draft would have decided, told line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final

from crivo.autorizacoes.palavras import DECISOES, count, day, listing, number
from crivo.kernel.clock import BRASILIA

if TYPE_CHECKING:
    from crivo.autorizacoes.lote import Line
    from crivo.autorizacoes.simulacao.resultado import Caso
    from crivo.autorizacoes.simulacao.service import Simulada

_SHOWN: Final = 20
_READ_AT_ONCE: Final = 1_000_000


def headline(simulada: Simulada) -> str:
    """'173 de 4.812 decisões mudariam (47 melhoram, 126 pioram).', and how many change with the same outcome."""
    from crivo.autorizacoes.simulacao.ditos import say_same

    simulacao = simulada.simulacao
    if not simulacao.total:
        return _nothing(simulada)
    mudariam = "mudaria" if simulacao.mudam == 1 else "mudariam"
    head = f"{number(simulacao.mudam)} de {count(simulacao.total, 'decisão', 'decisões')} {mudariam}"
    if simulacao.mudam:
        head = f"{head} ({count(simulacao.melhoram, 'melhora', 'melhoram')}, {count(simulacao.pioram, 'piora', 'pioram')})"
    return " ".join([f"{head}.", say_same(simulacao.mesma)]).rstrip()


def _nothing(simulada: Simulada) -> str:
    """Why there was nothing to simulate."""
    from crivo.autorizacoes.simulacao.ditos import ILEGIVEL, VAZIO

    contagem = simulada.simulacao.contagem
    if simulada.periodo is not None:
        return "Nenhum pedido para simular neste período."
    return f"{ILEGIVEL}. Na linha {contagem.linhas_com_erro[0]}: {contagem.erro}" if contagem.ilegiveis else f"{VAZIO}."


def told(simulada: Simulada) -> Iterator[str]:
    """The whole of a simulation for people: what changes, by which regra, the first cases, and what is to be known to read it."""
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
        mesma = f", {number(uma.mesma_decisao)} com a mesma decisão" if uma.mesma_decisao else ""
        yield (
            f"  {nome}: alcança {number(uma.alcancados)}, {count(uma.melhoram, 'melhora', 'melhoram')}, "
            f"{count(uma.pioram, 'piora', 'pioram')}{mesma}"
        )
    yield from _more(len(simulacao.por_regra), "regra", "regras")
    for caso in simulacao.casos[:_SHOWN]:
        yield f"  {_who(caso)}: {DECISOES[caso.antes].palavra} → {DECISOES[caso.depois].palavra}{_because(caso)}"
    yield from _more(simulacao.casos_total, "caso", "casos")
    if simulacao.mesma.casos:
        yield "Com a mesma decisão:"
    for caso in simulacao.mesma.casos[:_SHOWN]:
        yield f"  {_who(caso)}: {DECISOES[caso.depois].palavra}{_because(caso)}"
    yield from _more(simulacao.mesma.casos_total, "caso", "casos")
    yield from _to_be_known(simulada)


def _more(many: int, um: str, varios: str) -> Iterator[str]:
    if many > _SHOWN:
        yield f"  … e mais {count(many - _SHOWN, um, varios)}. Veja todos com --json."


def _who(caso: Caso) -> str:
    """A pedido by its number, with when it came or on which line: several may have the same."""
    referencia = caso.referencia
    onde = f" (linha {referencia.linha})" if referencia.linha is not None else ""
    if referencia.recebida_em is not None:
        onde = f" ({referencia.recebida_em.astimezone(BRASILIA):%d/%m/%Y %H:%M})"
    return f"{referencia.pedido_id or 'pedido sem número'}{onde}"


def _because(caso: Caso) -> str:
    """Why, in brackets: the motivos that hold afterwards, those that no longer do, and what else changes."""
    from crivo.autorizacoes.motivos import rotulo
    from crivo.autorizacoes.simulacao.ditos import say_change

    gone = [one for one in caso.motivos_antes if one not in caso.motivos_depois]
    parts = [listing([rotulo(one) for one in caso.motivos_depois])] if caso.antes != caso.depois else []
    if caso.antes == caso.depois:
        parts.append(listing([rotulo(one) for one in caso.motivos_depois if one not in caso.motivos_antes]))
    parts.append(f"já não pesa: {listing([rotulo(one) for one in gone])}" if gone else "")
    parts += [say_change(um) for um in caso.mudancas]
    said = "; ".join([one for one in parts if one])
    return f" ({said})" if said else ""


def _to_be_known(simulada: Simulada) -> Iterator[str]:
    from crivo.autorizacoes.simulacao.ditos import say_faults, say_repeated
    from crivo.autorizacoes.simulacao.service import SEM_A_CASA

    contagem = simulada.simulacao.contagem
    if simulada.sem_publicada:
        yield "Nada desta administradora está publicado: antes, nenhuma regra alcança os pedidos dela."
    if simulada.nunca_vale:
        yield "Uma versão posterior do documento já está publicada: este rascunho não valeria em dia nenhum."
    if simulada.sem_a_casa:
        yield SEM_A_CASA
    if simulada.trazidos:
        yield f"{count(simulada.trazidos, 'pedido é', 'pedidos são')} de antes do início do rascunho: contam como se ele já valesse."
    if contagem.repetidos:
        yield say_repeated(contagem)
    if contagem.apagados:
        yield f"{count(contagem.apagados, 'decisão ficou', 'decisões ficaram')} de fora: os dados foram apagados a pedido da pessoa."
    if contagem.ilegiveis and simulada.periodo is None:
        yield say_faults(contagem)
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
