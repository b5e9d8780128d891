"""The configured model, where there is one: conversations planned and worded by it, its six agents beside the code, and its notas.

It is asked a bounded number of questions, as the installation's tenant: its ledger keeps the answers, so that what was asked in an earlier
run is not paid again, and its budget holds. The figures are of that model, so none of them has a target.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from bench.linhas import Linha, measured

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.campos import base_table
from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.modelo.comparacao import TEXTOS, Comparado, compare_answer, unanswered
from crivo.autorizacoes.modelo.perguntas import ENTRADA_LONGA, ask_answer, fits
from crivo.autorizacoes.modelo.sombra import Assunto, looked_up
from crivo.autorizacoes.modelo.textos import decidido_of
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.clinicas.avaliacao.conjunto import read_case_file
from crivo.clinicas.avaliacao.execucao import execute
from crivo.clinicas.avaliacao.padrao import CONJUNTO, DADOS
from crivo.kernel.agents.contract import AgentContract
from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.llm.port import Modelo, ModeloIndisponivel, Question, Reply, T
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import open_database
from crivo.kernel.taxas import taxa
from crivo.kernel.tenancy import Scope
from crivo.triagem import amostra
from crivo.triagem.avaliacao.avaliador import AvaliadorModelo
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada
from evals.clinicas import SEM_METAS, metric_rows
from evals.ouro import RECEBIDO_EM

C = TypeVar("C")

MOST_QUESTIONS: Final = 400
_ATOR: Final = "evals"
_CONVERSATIONS: Final = 16
_PROJECTS: Final = 3
_SAMPLES: Final = 3
_NEAR: Final = Decimal("0.10")  # of the range
_REACHED: Final = {"responde", "responde_sem_lista"}
_NOBODY: Final = UUID(int=0)


@dataclass
class Contado:
    """The same model, up to so many questions; remembers what it took."""

    modelo: Modelo
    most: int = MOST_QUESTIONS
    perguntas: int = 0
    repetidas: int = 0
    falhas: int = 0
    tokens: int = 0
    custo: Decimal = field(default_factory=Decimal)
    sem_preco: int = 0

    @property
    def nome(self) -> str:
        """As the settings have it."""
        return self.modelo.nome

    @property
    def simulado(self) -> bool:
        """Whether code plays its part."""
        return self.modelo.simulado

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        """As the port says; what would go beyond the limit is refused as over the budget."""
        if self.perguntas >= self.most:
            raise ModeloIndisponivel("orcamento")
        self.perguntas += 1
        try:
            reply = await self.modelo.ask(scope, question, origem)
        except ModeloIndisponivel:
            self.falhas += 1
            raise
        if reply.repetida:
            self.repetidas += 1
        else:
            self.tokens += reply.tokens_entrada + reply.tokens_saida
            self.custo += reply.custo or Decimal(0)
            self.sem_preco += reply.custo is None
        return reply


def with_model(settings: Settings, exemplos: Path) -> list[Linha]:
    """What the configured model can do, or one row that says that it was not measured, and why. `exemplos` are the worked cases."""
    why = _why_not(settings)
    return [not_measured(why)] if why else asyncio.run(_on_provider(settings, exemplos.read_bytes() if exemplos.exists() else None))


def not_measured(why: str) -> Linha:
    """A row that claims nothing."""
    nota = f"Não foi medido: {why} Tudo o que está acima é o código sozinho, ou um modelo simulado."
    return measured("com um modelo de verdade", "perguntas", 0, None, meta=None, execucoes=0, nota=nota)


def _why_not(settings: Settings) -> str:
    if not settings.tem_modelo:
        return "nenhum modelo está configurado; preencha CRIVO_MODELO e a chave do provedor."
    from crivo.kernel.llm.sonda import probe  # here: most runs have no model

    found = asyncio.run(probe(settings, settings.modelo))
    return "" if found in _REACHED else f"{settings.modelo} não respondeu ({found}); veja 'crivo doutor'."


async def _on_provider(settings: Settings, trabalhados: bytes | None) -> list[Linha]:
    database = await open_database(settings)
    try:
        async with open_modelo(settings, database, settings.clock) as modelo:
            return [] if modelo is None else await measure(modelo, Scope(settings.tenant, _ATOR), trabalhados)
    finally:
        await database.close()


async def measure(
    modelo: Modelo,
    scope: Scope,
    trabalhados: bytes | None,
    *,
    conversas: int = _CONVERSATIONS,
    projetos: int = _PROJECTS,
    most: int = MOST_QUESTIONS,
) -> list[Linha]:
    """All rows of one model, the worked cases where they are there; the last row says what all of it took."""
    contado = Contado(modelo, most)
    rows = [*await conversations(contado, scope, conversas)]
    rows += await shadow(contado, scope, trabalhados) if trabalhados else []
    rows += await scoring(contado, scope, projetos)
    return [*rows, _taken(contado)]


async def conversations(modelo: Modelo, scope: Scope, how_many: int) -> list[Linha]:
    """Some of the packaged conversations, evenly out of all kinds, over six processes: the metrics, and whose plans and words they were."""
    casos = spread(read_case_file(CONJUNTO), how_many)
    with TemporaryDirectory(prefix="crivo-evals-") as folder:
        run = await execute(casos, data_dir=Path(folder), dados=DADOS, agora=None, modelo=modelo, planejador="modelo", dono=scope)
    turns = [trace for traces in run.traces for trace in traces]
    worded = [trace for trace in turns if trace.replies]
    planned = sum(trace.planejador == "modelo" for trace in turns)
    told = "Turnos que o modelo planejou; os outros são do planejador embutido, porque o código recusa ou o modelo falhou"
    return [
        *metric_rows("planejadas pelo modelo", run.resultado, SEM_METAS),
        _share("conversas: turnos planejados pelo modelo", "turnos", planned, len(turns), told),
        _share(
            "conversas: textos do modelo que passam",
            "textos",
            sum(trace.autor == "modelo" for trace in worded),
            len(worded),
            "Turnos com resposta de clínica cujo texto é do modelo; os outros são do código",
        ),
    ]


def spread(casos: Sequence[C], how_many: int) -> list[C]:
    """So many of them, at even distances."""
    taken = min(how_many, len(casos))
    return [casos[at * len(casos) // taken] for at in range(taken)]


async def shadow(modelo: Modelo, scope: Scope, trabalhados: bytes) -> list[Linha]:
    """The six agents on the worked cases, as `sombra` asks them: answers that equal the code's in every field, and texts that stand."""
    conteudo = msgspec.json.decode(trabalhados)
    politicas = [msgspec.convert(one, Politica) for one in conteudo["politicas"]]
    fluxo = Fluxo(Catalogo.of(politicas))
    found: list[list[Comparado]] = []
    for caso in conteudo["casos"]:
        assunto = _assunto(fluxo, politicas, msgspec.json.encode(caso["pedido"]))
        asked = [contract for contract in AGENTES if getattr(assunto.etapas, contract.stage) is not None]
        found += await asyncio.gather(*(_compare(modelo, scope, contract, assunto) for contract in asked))
    return list(_agreement(found))


def _assunto(fluxo: Fluxo, politicas: Sequence[Politica], pedido: bytes) -> Assunto:
    etapas = fluxo.decide(pedido, RECEBIDO_EM).etapas
    administradora = etapas.normalizacao.pedido_normalizado.administradora_id
    own = [msgspec.json.encode(one).decode() for one in politicas if one.administradora_id == administradora]
    received = datetime.combine(RECEBIDO_EM, time(12), UTC)
    final = etapas.sintese.decisao_final
    guardada = Autorizacao(_NOBODY, None, administradora, final, received, RECEBIDO_EM, 1, pedido, b"", b"", b"")
    return Assunto(guardada, etapas, base_table(), own)


async def _compare(modelo: Modelo, scope: Scope, contract: AgentContract, assunto: Assunto) -> list[Comparado]:
    etapas = assunto.etapas
    decidido = decidido_of(etapas)
    seen = {"pedido": assunto.guardada.pedido.decode(), **{agente.stage: getattr(etapas, agente.stage) for agente in AGENTES}}
    question = ask_answer(contract, seen, contract.output, beside=looked_up(contract, assunto, decidido) or (), espera_seconds=120)
    if not fits(contract, question):
        return unanswered(contract, modelo.nome, ENTRADA_LONGA)
    try:
        reply = await modelo.ask(scope, question, "evals:sombra")
    except ModeloIndisponivel as error:
        return unanswered(contract, modelo.nome, error.falha)
    return compare_answer(contract, reply.modelo, getattr(etapas, contract.stage), reply.valor, decidido)


def _agreement(found: Sequence[Sequence[Comparado]]) -> Iterator[Linha]:
    for contract in AGENTES:
        own = [fields for fields in found if fields[0].agente == contract.stage]
        answered = [fields for fields in own if not _failed(fields)]
        values = [all(one.igual for one in fields if (one.agente, one.campo) not in TEXTOS) for fields in answered]
        told = f"Respostas iguais às do código em todo campo que não é texto; {len(own) - len(answered)} de {len(own)} sem resposta"
        yield _share(f"sombra, {contract.stage}: respostas inteiras", "respostas", sum(values), len(values), told)
    texts = [one for fields in found if not _failed(fields) for one in fields if (one.agente, one.campo) in TEXTOS]
    yield _share("sombra: textos que passam na conferência", "campos", sum(one.igual for one in texts), len(texts), "Os três que escrevem")


def _failed(fields: Sequence[Comparado]) -> bool:
    """Whether a question had no answer: then no field agrees, and all have the same reason."""
    return all(not one.igual and one.falha is not None for one in fields)


async def scoring(modelo: Modelo, scope: Scope, how_many: int) -> list[Linha]:
    """Projects of the sample by every critério, three readings each: notas given, with their evidence, and how near the readings are."""
    with TemporaryDirectory() as folder:
        chamada = msgspec.json.decode(amostra.write_sample(Path(folder)).read_bytes(), type=Chamada)
    edital = msgspec.structs.replace(chamada.edital, amostras=_SAMPLES)
    avaliador, nonce = AvaliadorModelo(modelo), new_nonce()
    notas = [
        (criterio, nota)
        for projeto in chamada.projetos[:how_many]
        for criterio, nota in zip(
            chamada.criterios,
            await avaliador.avaliar(scope, edital, chamada.criterios, ProjetoLido(projeto), "evals:notas", nonce),
            strict=True,
        )
    ]
    given = [nota for _, nota in notas if nota.nota_sugerida is not None]
    read = [(criterio, nota) for criterio, nota in notas if len(nota.amostras) > 1]
    near = sum(max(nota.amostras) - min(nota.amostras) <= _NEAR * (criterio.nota_max - criterio.nota_min) for criterio, nota in read)
    return [
        _share("avaliação: critérios com nota", "critérios", len(given), len(notas), "Os outros: sem resposta, ou nota suspensa"),
        _share(
            "avaliação: notas com citação encontrada no projeto",
            "notas",
            sum(bool(nota.evidencias) for nota in given),
            len(given),
            "Palavra por palavra, no texto do projeto",
        ),
        _share(
            "avaliação: leituras da mesma nota que concordam",
            "critérios",
            near,
            len(read),
            f"{_SAMPLES} leituras, da maior à menor no máximo 10 % da escala",
        ),
    ]


def _taken(contado: Contado) -> Linha:
    unknown = f"; {contado.sem_preco} sem preço conhecido" if contado.sem_preco else ""
    nota = (
        f"{contado.nome}: {contado.perguntas} perguntas de no máximo {contado.most}, {contado.repetidas} já pagas antes, "
        f"{contado.falhas} sem resposta, {contado.tokens} tokens{unknown}."
    )
    return measured("custo do que foi perguntado", "US$", float(contado.custo), None, meta=None, execucoes=contado.perguntas, nota=nota)


def _share(linha: str, unidade: str, certos: int, total: int, nota: str) -> Linha:
    found = taxa(certos, total)
    bounds = f"intervalo de {100 * (found.de or 0):.1f} a {100 * (found.ate or 0):.1f} %".replace(".", ",") if total else "sem casos"
    return measured(linha, unidade, certos, total, meta=None, execucoes=total, nota=f"{nota}; {bounds}.")
