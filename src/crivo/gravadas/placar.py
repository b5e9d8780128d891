"""The score of a recording: what each application got out of it, what each agent was told and took, and what a replay cannot know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

import msgspec

from crivo.gravadas import autorizacoes, clinicas, triagem
from crivo.gravadas.autorizacoes import Casos
from crivo.gravadas.medidas import Medida, Parte, part
from crivo.gravadas.modelo import Contas, Feita, Gravacao
from crivo.gravadas.registro import PLACAR, Chave, Pasta, Tamanho
from crivo.kernel.tenancy import Scope


class PorAgente(msgspec.Struct, frozen=True):
    """What became of an agent's questions; one that answers whole, as in `sombra`, has no check to be told by, and is apart.

    `a_primeira` are those whose first answer has no fault, of those whose first answer is known; `no_fim` those that stand once they were
    told it, of all that are checked. `tokens`, `custo` (dollars) and times (milliseconds) are of all that was paid for them.
    """

    agente: str
    prompts: tuple[str, ...]
    perguntas: int
    conferida: bool
    a_primeira: Parte
    no_fim: Parte
    falhas: Mapping[str, int]
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal
    sem_preco: int
    ms_mediana: int | None
    ms_p95: int | None

    @property
    def nome(self) -> str:
        """What it is called where both kinds stand beside each other."""
        return f"{self.agente} (sombra)" if not self.conferida and self.agente.startswith("autorizacoes.") else self.agente


class NaoSabido(msgspec.Struct, frozen=True):
    """What is not in the figures, and is told for that.

    Questions without a recorded reply; replies whose form is not today's; those with a fault today that the model was never told;
    those to another text of the prompt; those that nothing asks any more; files that were changed, or cannot be read.
    """

    sem_resposta: Mapping[str, int]
    fora_da_forma: Mapping[str, int]
    sem_segunda: Mapping[str, int]
    outro_prompt: Mapping[str, int]
    nao_perguntadas: Mapping[str, int]
    alteradas: tuple[str, ...]
    ilegiveis: tuple[str, ...]


class Placar(msgspec.Struct, frozen=True):
    """All of it. `campos` is the agreement of `sombra`, field by field."""

    modelo: str
    simulado: bool
    medidas: tuple[Medida, ...]
    agentes: tuple[PorAgente, ...]
    campos: Mapping[str, Parte]
    nao_sabido: NaoSabido


async def measure(
    gravacao: Gravacao, pasta: Pasta, scope: Scope, tamanho: Tamanho, casos: Casos | None = None, on_case: Callable[[], None] = lambda: None
) -> Placar:
    """Run every set over the model of a recording, and score it; `casos` are for `sombra`, those of the sample unless they are given.

    What is asked is the same every time, so that the same answers have the same score, byte for byte.
    """
    sample = autorizacoes.sample()
    medidas = await autorizacoes.written(gravacao, scope, sample, tamanho.redacao, on_case)
    agreement, campos = await autorizacoes.shadowed(gravacao, scope, casos or sample, tamanho.sombra, on_case)
    medidas += agreement
    medidas += await clinicas.talked(gravacao, scope, tamanho.conversas, on_case)
    medidas += await triagem.graded(gravacao, scope, tamanho.projetos, on_case)
    return Placar(
        gravacao.nome, gravacao.simulado, tuple(medidas), tuple(by_agent(gravacao.contas)), campos, not_known(gravacao.contas, pasta)
    )


def score_of(pasta: Pasta) -> Placar | None:
    """The score when it was recorded, None where that was not finished, or is of another form."""
    try:
        return msgspec.json.decode((pasta.caminho / PLACAR).read_bytes(), type=Placar)
    except (OSError, msgspec.DecodeError):
        return None


def by_agent(contas: Contas) -> list[PorAgente]:
    """What became of the questions, by agent in alphabetical order."""
    groups: dict[tuple[str, bool], list[Feita]] = {}
    for feita in contas.feitas.values():
        groups.setdefault((feita.gravada.agente, feita.conferida), []).append(feita)
    return [_agent(agente, feitas, conferida=conferida) for (agente, conferida), feitas in sorted(groups.items())]


def _agent(agente: str, feitas: Sequence[Feita], *, conferida: bool) -> PorAgente:
    known = [feita for feita in feitas if feita.primeira in {"aceita", "avisada"} and feita.fim != "falhou"]
    answered = [feita for feita in feitas if feita.fim in {"aceita", "com_falha"}]
    times = sorted(feita.gravada.ms for feita in feitas if feita.gravada.ms is not None)
    replies = [feita.gravada for feita in feitas if feita.gravada.falha is None]
    return PorAgente(
        agente=agente,
        prompts=tuple(sorted({feita.gravada.prompt_versao for feita in feitas})),
        perguntas=len(feitas),
        conferida=conferida,
        a_primeira=part(known, lambda feita: feita.primeira == "aceita"),
        no_fim=part(answered, lambda feita: feita.fim == "aceita"),
        falhas=dict(sorted(Counter(feita.falha for feita in feitas if feita.falha is not None).items())),
        tokens_entrada=sum(gravada.tokens_entrada for gravada in replies),
        tokens_saida=sum(gravada.tokens_saida for gravada in replies),
        custo=sum((gravada.custo or Decimal(0) for gravada in replies), Decimal(0)),
        sem_preco=sum(gravada.custo is None for gravada in replies),
        ms_mediana=times[len(times) // 2] if times else None,
        ms_p95=times[min(len(times) - 1, len(times) * 95 // 100)] if times else None,
    )


def not_known(contas: Contas, pasta: Pasta) -> NaoSabido:
    """What a run over a recording could not tell, by agent."""
    asked = contas.feitas.keys() | contas.sem_resposta
    return NaoSabido(
        sem_resposta=_counted(contas.sem_resposta),
        fora_da_forma=_counted(contas.fora_da_forma),
        sem_segunda=_counted(contas.sem_segunda),
        outro_prompt=_counted(contas.outro_prompt),
        nao_perguntadas=_counted(pasta.gravadas.keys() - asked),
        alteradas=tuple(pasta.alteradas),
        ilegiveis=tuple(pasta.ilegiveis),
    )


def _counted(chaves: Iterable[Chave]) -> dict[str, int]:
    return dict(sorted(Counter(chave.agente for chave in chaves).items()))


def total_cost(placar: Placar) -> tuple[Decimal, int]:
    """What all of it has cost, in dollars, and how many answers have no known price."""
    return sum((one.custo for one in placar.agentes), Decimal(0)), sum(one.sem_preco for one in placar.agentes)
