"""`python -m evals.registro --para PASTA` writes what the product answers; `--comparar A B` shows where two such folders differ.

What is recorded: every turn of the conversations that were mended upon, 20,000 drawn messages to the embedded planner, the alarms, the
verifier, the check of texts, the decisions of the sample and of drawn pedidos with their texts, the sample call and sentences to whoever
grades. It is for before and after a change that should change nothing; what judges unseen is not among it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import date
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))  # where the labelled call lives, outside the product

from crivo.autorizacoes import amostra
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.redacao import conjunto as redacao
from crivo.clinicas.avaliacao.conjunto import Caso, TurnoEsperado, read_case_file
from crivo.clinicas.avaliacao.ensaio import as_known, read_data, run_case
from crivo.clinicas.avaliacao.execucao import stated_clock
from crivo.clinicas.avaliacao.padrao import CONJUNTO, DADOS
from crivo.clinicas.orquestrador.confere import avaliacao as verificador
from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente
from crivo.clinicas.orquestrador.conversa import dialogo
from crivo.clinicas.orquestrador.decide.decisao import decide_by_code
from crivo.clinicas.orquestrador.emergencia.alarme import find_alarme
from crivo.triagem import amostra as chamada_de_amostra
from crivo.triagem.edital import Chamada
from crivo.triagem.irregularidades.instrucoes import find_instrucoes
from edital_rotulado.triado import judge, read_projects
from evals.conversas import AGENDAS
from evals.mensagens import draw_messages
from oraculo.amostras import Sorte
from oraculo.comparacao import publish
from oraculo.geradores import draw_caso, draw_politicas, write_json
from oraculo.rodar import PEDIDOS_POR_POLITICA

RAIZ: Final = Path(__file__).resolve().parents[1]
Registro = Iterator[tuple[str, Any]]
"""What is recorded of each case, by a name that says what was read."""
MENSAGENS: Final = 20_000
PEDIDOS: Final = 3_000
_A_PART: Final = 1_000
_RECEIVED_ON: Final = date(2026, 11, 20)
_SHARED: Final = RAIZ.parent / "shared/data"
_ANA: Final = Paciente("Ana Braga", "529.982.247-25")
_BEFORE: Final[tuple[tuple[str, ...], ...]] = (
    (),
    ("quero marcar com o cardiologista",),
    ("quero marcar com o cardiologista", "o segundo"),
    ("quero marcar com o cardiologista", "o segundo", "sim", "quero cancelar minha consulta"),
    ("quero marcar com o cardiologista", "o primeiro", "sim", "tem dermatologista?"),
)
"""What was said before a drawn message: nothing; slots shown; one proposed; one held and asked to be cancelled; one held, slots shown."""
_REDACAO: Final = ("desenvolvimento", "reportado", "segundo", "terceiro", "quarto", "quinto", "sexto")
_VERIFICADOR: Final = ("desenvolvimento", "reportado", "novo", "segunda_mao")
_INSTRUCOES: Final = ("desenvolvimento", "segunda_mao", "terceira_mao")
_SHOWN: Final = 5


def conversas() -> Registro:
    """Every turn of the sets of conversations: steps, words and verdict."""
    for nome, casos, folder in _conversation_sets():
        now = stated_clock(folder) if folder.exists() else None
        if now is None:
            continue
        dados = read_data(folder)
        for caso in casos:
            obtido = run_case(caso, dados, now)
            for said, turno in zip(caso.turnos, obtido.turnos, strict=True):
                yield f"{nome} {caso.id}: {said.texto}", turno


def _conversation_sets() -> Iterator[tuple[str, tuple[Caso, ...], Path]]:
    tests = RAIZ / "tests/clinicas"
    yield "padrao", tuple(read_case_file(CONJUNTO)), DADOS
    yield "frescos", tuple(read_case_file(tests / "frescos.json")), DADOS
    for nome in ("test_queries", "reportado"):
        yield nome, tuple(read_case_file(tests / f"{nome}.json")), _SHARED / "clinicas"
    for path in sorted((RAIZ / "evals/conversas_corpus").glob("*.json")):
        yield path.stem, tuple(map(_everyday, json.loads(path.read_bytes()))), AGENDAS


def _everyday(raw: dict[str, Any]) -> Caso:
    turnos = tuple(TurnoEsperado(turno["texto"]) for turno in raw["turnos"])
    return Caso(raw["id"], "multi_turno", turnos, paciente=msgspec.convert(raw["paciente"], Paciente))


def mensagens(parte: int) -> Registro:
    """The plans of drawn messages, one part of them, in turn over a few states of a conversation."""
    states = _states()
    medicos = sorted(states[0].doctors)
    for at, texto in enumerate(draw_messages(_A_PART, parte, medicos)):
        yield f"{parte}.{at} [{at % len(states)}] {texto}", _planned(texto, states[at % len(states)])


def _planned(texto: str, state: Dialogue) -> Any:
    """The plan; what broke where nothing was planned, so that one message hides no other."""
    try:
        return decide_by_code(texto, state)
    except Exception as error:  # noqa: BLE001  # what broke is what was answered
        return f"{type(error).__name__}: {error}"


@cache
def _states() -> tuple[Dialogue, ...]:
    now = stated_clock(DADOS)
    assert now is not None
    dados = read_data(DADOS)
    known = as_known(Caso("", "normal", (), paciente=_ANA))
    states = []
    for before in _BEFORE:
        clinics = dados.open(now)
        state = Dialogue(now, dados.registro, doctors=clinics.directory(), paciente=_ANA, quem=known)
        for texto in before:
            decided = decide_by_code(texto, state)
            replies = tuple(clinics.call(step, _ANA) for step in decided.plan.steps)
            state = dialogo.after(state, texto, decided.plan, replies, decided.pending, decided.para)
        states.append(state)
    return tuple(states)


def emergencias() -> Registro:
    """The alarm of every message of the lots that taught it."""
    for path in sorted((RAIZ / "evals/emergencia_corpus").glob("*.json")):
        for fala in json.loads(path.read_bytes()):
            yield f"{path.stem}: {fala['texto']}", find_alarme(fala["texto"])


def verificados() -> Registro:
    """The verdicts on the labelled texts of the verifier."""
    for nome in _VERIFICADOR:
        casos = verificador.load_casos(RAIZ / f"tests/clinicas/orquestrador/confere/{nome}.json")
        for caso, lido in zip(casos, verificador.avaliar(casos)["casos"], strict=True):
            yield f"{nome} {caso.id}: {caso.texto}", lido


def redigidos() -> Registro:
    """What the check finds in the labelled texts about decisions."""
    for nome in _REDACAO:
        casos = redacao.read_casos((RAIZ / f"tests/autorizacoes/redacao/{nome}.json").read_bytes())
        for caso, lido in zip(casos, redacao.avaliar(casos)["casos"], strict=True):
            yield f"{nome} {caso.id}: {caso.texto}", lido


def decisoes() -> Registro:
    """The decisions of the sample and the worked cases, and of drawn pedidos, whole and with their texts."""
    politicas = [read_politica(arquivo.conteudo) for arquivo in amostra.politicas()]
    yield from ((f"política {at}", politica) for at, politica in enumerate(politicas))
    fluxo = Fluxo(Catalogo.of([lida.politica for lida in politicas]), amostra.campos())
    for arquivo in amostra.pedidos():
        yield arquivo.nome, _decided(fluxo, arquivo.conteudo, _RECEIVED_ON)
    sorte = Sorte(7)
    for posicao in range(PEDIDOS):
        if posicao % PEDIDOS_POR_POLITICA == 0:
            drawn = draw_politicas(sorte)
            fluxo = publish(drawn)
        caso = draw_caso(sorte, drawn)
        yield f"sorteado {posicao}", _decided(fluxo, write_json(sorte, caso.pedido), caso.recebido_em)


def _decided(fluxo: Fluxo, pedido: bytes, received_on: date) -> Any:
    try:
        return msgspec.structs.replace(fluxo.decide(pedido, received_on), tempos_us={})  # how long it took is not what was answered
    except PedidoIlegivel as error:
        return str(error), error.problemas


def triagem() -> Registro:
    """The sample call: readings, verdicts and signs."""
    with TemporaryDirectory() as folder:
        path = chamada_de_amostra.write_sample(Path(folder))
        chamada = msgspec.json.decode(path.read_bytes(), type=Chamada)
        sent = [documento.arquivo for projeto in chamada.projetos for documento in projeto.documentos]
        arquivos = {arquivo: (path.parent / arquivo).read_bytes() for arquivo in sent}
    lidos = asyncio.run(read_projects(chamada, arquivos))
    yield from ((f"lido {lido.projeto.id}", lido) for lido in lidos)
    resultado = judge(chamada, lidos)
    yield from ((f"projeto {triado.projeto_id}", triado) for triado in resultado.projetos)
    yield from ((f"sinal {at}", sinal) for at, sinal in enumerate(resultado.irregularidades))


def avaliados() -> Registro:
    """Notas under attack, of the half that was learned from, as the code settles what a simulated model gives."""
    from avaliacao_atacada import plantados, run_set  # reads the sample when it is loaded

    for nome in ("ataques", "honestos"):
        for caso in run_set([one for one in plantados(nome) if one.metade == 1]):
            yield f"{nome} {caso.plantado.id}: {caso.plantado.texto}", (caso.sinalizado, caso.abstencoes, caso.desvios)


def instrucoes() -> Registro:
    """What speaks to whoever grades, in the sets that were learned from."""
    for nome in _INSTRUCOES:
        for at, caso in enumerate(json.loads((RAIZ / f"tests/triagem/irregularidades/instrucoes_{nome}.json").read_bytes())):
            yield f"{nome} {at}: {caso['texto']}", find_instrucoes(caso["texto"])


PARTES: Final[tuple[Callable[[], Registro], ...]] = (
    conversas, redigidos, decisoes, triagem, avaliados, instrucoes, verificados, emergencias,
)  # fmt: skip


def record(pasta: Path, processos: int) -> None:
    """Write every part, some at a time."""
    pasta.mkdir(parents=True, exist_ok=True)
    drawn = [f"mensagens {parte}" for parte in range(MENSAGENS // _A_PART)]
    with ProcessPoolExecutor(processos, mp_context=get_context("spawn")) as pool:
        writing = [pool.submit(_write, nome, pasta) for nome in (*(parte.__name__ for parte in PARTES), *drawn)]
        for done in as_completed(writing):
            nome, lines, seconds = done.result()
            print(f"{nome}: {lines} em {seconds:.0f} s de processador", flush=True)


def _write(nome: str, pasta: Path) -> tuple[str, int, float]:
    began = time.process_time()
    kind, _, number = nome.partition(" ")
    parte = mensagens(int(number)) if number else next(one for one in PARTES if one.__name__ == kind)()
    lines = [msgspec.json.encode([name, saida], enc_hook=_plain, order="sorted") for name, saida in parte]
    (pasta / f"{nome.replace(' ', '_')}.jsonl").write_bytes(b"\n".join([*lines, b""]))
    return nome, len(lines), time.process_time() - began


def _plain(value: Any) -> Any:
    """What JSON knows no form for, by its own words."""
    return sorted(value) if isinstance(value, set | frozenset) else str(value)


def compare(antes: Path, depois: Path, shown: int = _SHOWN) -> int:
    """Print the differences of two folders; how many there are."""
    total = 0
    for nome in sorted({path.name for folder in (antes, depois) for path in folder.glob("*.jsonl")}):
        before, after = _read(antes / nome), _read(depois / nome)
        changed = [name for name in (*before, *(after.keys() - before.keys())) if before.get(name) != after.get(name)]
        total += len(changed)
        print(f"{nome}: {len(changed)} de {len(before.keys() | after.keys())} diferem")
        for name in islice(changed, shown):
            print(f"  {name}")
            for where, one, other in islice(_differences(before.get(name), after.get(name)), shown):
                print(f"    {where}: {_short(one)} → {_short(other)}")
    return total


def _read(path: Path) -> dict[str, Any]:
    lines = path.read_bytes().splitlines() if path.exists() else []
    return dict(map(msgspec.json.decode, lines))


def _differences(one: Any, other: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from _differences(one.get(key), other.get(key), f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _differences(left, right, f"{where}[{at}]")
    elif one != other:
        yield where, one, other


def _short(value: Any, letters: int = 160) -> str:
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= letters else f"{told[:letters]}…"


def main(argv: Sequence[str] | None = None) -> int:
    """Records or compares; 1 where two records differ."""
    parser = argparse.ArgumentParser(prog="python -m evals.registro", description="Registra o que o produto responde, e compara registros.")
    doing = parser.add_mutually_exclusive_group(required=True)
    doing.add_argument("--para", type=Path, metavar="PASTA", help="grava as respostas nesta pasta")
    doing.add_argument("--comparar", type=Path, nargs=2, metavar=("A", "B"), help="mostra onde dois registros diferem")
    parser.add_argument("--processos", type=int, default=os.cpu_count() or 1, help="quantos processos (padrão: os processadores)")
    parser.add_argument("--mostrar", type=int, default=_SHOWN, help="quantas diferenças de cada parte (padrão: 5)")
    given = parser.parse_args(argv)
    if given.para is not None:
        record(given.para, given.processos)
        return 0
    return 1 if compare(given.comparar[0], given.comparar[1], given.mostrar) else 0


if __name__ == "__main__":
    sys.exit(main())
