"""`crivo avaliar-modelo`: a model put through the three applications' own sets, recorded, replayed, and held beside another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.avaliacao_clinicas import progress
from crivo.cli.saida import emit_value, note, say, table
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.gravadas.comparacao import Comparacao, Mudou, Par
    from crivo.gravadas.medidas import Parte
    from crivo.gravadas.modelo import Contas, Gravacao
    from crivo.gravadas.placar import NaoSabido, Placar
    from crivo.gravadas.registro import Pasta
    from crivo.kernel.settings import Settings

PERGUNTAS: Final = 400
_SHOWN: Final = 20
_AREAS: Final = {
    "redacao": "autorizações, textos",
    "sombra": "autorizações, sombra",
    "clinicas": "clínicas",
    "triagem": "triagem",
    "agentes": "agente",
}
_REACHED: Final = {"responde", "responde_sem_lista"}


class ModeloNaoConfigurado(CrivoError):
    """A recording is asked for, and there is no model, or it does not answer."""

    codigo: ClassVar[str] = "modelo_indisponivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Nenhum modelo para perguntar"


class EscolhaDoModo(CrivoError):
    """Not one thing alone is asked for."""

    codigo: ClassVar[str] = "uso_incorreto"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Uso incorreto"

    def __init__(self) -> None:
        super().__init__("Escolha uma opção: --gravar PASTA, --repetir PASTA ou --comparar PASTA OUTRA.")


def avaliar_modelo(
    ctx: typer.Context,
    gravar: Annotated[
        Path | None,
        typer.Option("--gravar", metavar="PASTA", help="Pergunta ao modelo de CRIVO_MODELO e grava as respostas nesta pasta."),
    ] = None,
    repetir: Annotated[
        Path | None,
        typer.Option("--repetir", metavar="PASTA", help="Passa as respostas gravadas pelo código de hoje, sem chave e sem custo."),
    ] = None,
    comparar: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--comparar", metavar="PASTA OUTRA", help="Põe duas gravações lado a lado: qualidade, tempo e custo."),
    ] = None,
    perguntas: Annotated[
        int | None,
        typer.Option(
            "--perguntas", metavar="N", min=1, max=10_000, help=f"Com --gravar: no máximo tantas perguntas; sem ela, {PERGUNTAS}."
        ),
    ] = None,
    figura: Annotated[Path | None, typer.Option("--figura", metavar="ARQ", help="Com --comparar: grava também um gráfico, em SVG.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Avalia um modelo nos conjuntos das três aplicações: grava as respostas, repete sem chave e compara dois modelos.

    As perguntas são as dos dados de exemplo, em que ninguém existe. Interrompido, o mesmo comando continua de onde parou, e nada é pago
    duas vezes. As perguntas são desta organização: o limite de gasto dela vale.
    """
    from crivo.kernel.logs import configure_logs

    ambiente = Ambiente.of(ctx, tenant, as_json)
    configure_logs("ERROR")
    if sum(chosen is not None for chosen in (gravar, repetir, comparar)) != 1:
        raise EscolhaDoModo
    if gravar is not None:
        _record(ambiente, gravar, perguntas)
    elif repetir is not None:
        _replay(ambiente, repetir)
    elif comparar is not None:
        _compare(ambiente, *comparar, figura)


def _record(ambiente: Ambiente, caminho: Path, perguntas: int | None) -> None:
    from crivo.gravadas.modelo import Gravacao
    from crivo.gravadas.placar import measure

    settings = ambiente.settings()
    require_model(settings)
    pasta = _begun(settings, caminho, perguntas)
    manifesto = pasta.manifesto
    if pasta.gravadas:
        note(f"{len(pasta.gravadas)} respostas já estão em {caminho}; o que falta é perguntado agora.")
    if manifesto.simulado:
        note("O modelo simulado só dá notas a projetos; nada mais é perguntado a ele.")

    async def work(container: Container, scope: Scope) -> tuple[Placar, Gravacao]:
        gravacao = Gravacao(pasta, container.modelo, manifesto.perguntas)
        with progress(manifesto.tamanho.casos, "Perguntando") as step:
            return await measure(gravacao, pasta, scope, manifesto.tamanho, on_case=step), gravacao

    placar, gravacao = ambiente.use(work, settings)
    pasta.keep_score(placar)
    _tell_rest(gravacao)
    if ambiente.json:
        emit_value(placar)
        return
    _show(placar)
    say(f"Gravado em {caminho}: {len(pasta.gravadas)} respostas a perguntas dos dados de exemplo; nenhuma chave e ninguém de verdade.")
    say(f"Para passar as respostas pelo código de outro dia: crivo avaliar-modelo --repetir {caminho}")


def _tell_rest(gravacao: Gravacao) -> None:
    """What the same command would ask if it were run again."""
    from crivo.gravadas.modelo import may_pass

    if gravacao.sem_orcamento:
        note("O limite de gasto do mês acabou antes do fim. Quando houver de novo, o mesmo comando continua daqui.")
    failed = may_pass(gravacao.contas)
    if failed:
        note(f"Sem resposta, por algo que pode passar: {_listed(failed)}. O mesmo comando, outra vez, pergunta só isso.")


def require_model(settings: Settings) -> None:
    """Raise ModeloNaoConfigurado where no model is configured, or the one that is does not answer."""
    if not settings.modelo:
        raise ModeloNaoConfigurado(
            "Preencha CRIVO_MODELO e a chave do serviço, confira com 'crivo doutor' e rode de novo. "
            "Sem modelo, --repetir e --comparar leem o que já foi gravado."
        )
    from crivo.kernel.llm.sonda import probe

    found = asyncio.run(probe(settings, settings.modelo))
    if found not in _REACHED:
        raise ModeloNaoConfigurado(f"{settings.modelo} não respondeu ({found}). 'crivo doutor' diz o que falta.")


def _begun(settings: Settings, caminho: Path, perguntas: int | None) -> Pasta:
    from crivo.gravadas.registro import Manifesto, Tamanho, asked_before, begin

    most = perguntas or asked_before(caminho) or PERGUNTAS
    simulado = not settings.tem_modelo
    return begin(caminho, Manifesto(settings.modelo, simulado, most, Tamanho.of(most, simulado=simulado), settings.clock.now()))


def _replay(ambiente: Ambiente, caminho: Path) -> None:
    from crivo.gravadas.comparacao import changed, compare
    from crivo.gravadas.placar import score_of
    from crivo.gravadas.registro import open_pasta

    pasta = open_pasta(caminho)
    before = score_of(pasta)
    placar, contas = replayed(pasta)
    mudaram = changed(contas)
    if ambiente.json:
        emit_value({"gravado": before, "agora": placar, "mudaram": mudaram})
        return
    if before is None:
        note("A gravação não chegou ao fim: não há placar de quando foi gravada.")
        _show(placar)
    else:
        show_pairs(compare(before, placar).medidas, ("Quando gravada", "Agora"))
        show_agents(placar)
        tell_unknown(placar.nao_sabido)
    _show_changed(mudaram)


def replayed(pasta: Pasta) -> tuple[Placar, Contas]:
    """The score of a recording by today's code, and what became of each question."""
    from crivo.gravadas.modelo import Gravacao
    from crivo.gravadas.placar import measure

    gravacao = Gravacao(pasta)
    with progress(pasta.manifesto.tamanho.casos, "Repetindo") as step:
        placar = asyncio.run(measure(gravacao, pasta, Scope(LOCAL_TENANT, "avaliar-modelo"), pasta.manifesto.tamanho, on_case=step))
    return placar, gravacao.contas


def _compare(ambiente: Ambiente, primeira: Path, segunda: Path, figura: Path | None) -> None:
    from crivo.gravadas.comparacao import compare
    from crivo.gravadas.figura import svg
    from crivo.gravadas.registro import open_pasta, write_text

    pastas = open_pasta(primeira), open_pasta(segunda)
    (one, _), (other, _) = (replayed(pasta) for pasta in pastas)
    found = compare(one, other)
    if figura is not None:
        write_text(figura, svg(found))
    if ambiente.json:
        emit_value({**_fields(found), "nao_sabido": [one.nao_sabido, other.nao_sabido]})
        return
    show_pairs(found.medidas, found.modelos)
    _show_times(found)
    for caminho, placar in zip((primeira, segunda), (one, other), strict=True):
        tell_unknown(placar.nao_sabido, f"{caminho}: ")
    if figura is not None:
        say(f"Gráfico em {figura}.")


def _fields(found: Comparacao) -> dict[str, object]:
    import msgspec

    return msgspec.structs.asdict(found)


def show_scores(placar: Placar) -> None:
    """What was counted, and what became of each agent's questions, for people."""
    rows = [(_AREAS[medida.area], medida.nome, told(medida.parte)) for medida in placar.medidas if medida.parte.total]
    table(("Onde", "O que se conta", "Quanto"), rows, whole="O que se conta", empty="Nada foi medido.")
    show_agents(placar)


def _show(placar: Placar) -> None:
    show_scores(placar)
    worst = sorted((parte.certos / parte.total, campo) for campo, parte in placar.campos.items() if parte.certos < parte.total)
    if worst:
        say(f"Campos em que o modelo menos concorda com o código ({len(worst)} de {len(placar.campos)}; todos com --json)")
        table(("Campo", "Concordância"), [(campo, told(placar.campos[campo])) for _, campo in worst[:_SHOWN]])
    tell_unknown(placar.nao_sabido)


def told(parte: Parte | None) -> str:
    """`97,5 % (94,1 a 99,0; 117/120)`, or a dash where nothing was counted."""
    if parte is None or not parte.total:
        return "–"
    found = parte.taxa
    shown = f"{_hundred(found.valor)} % ({_hundred(found.de)} a {_hundred(found.ate)}; {found.certos}/{found.total})"
    return shown.replace(".", ",")


def _hundred(value: float | None) -> str:
    return f"{100 * (value or 0):.1f}"


def show_pairs(pares: Iterable[Par], names: tuple[str, str]) -> None:
    """Figures side by side, and which side is better beyond what the counts can bear."""
    better = {None: "", "primeira": names[0], "segunda": names[1]}
    rows = [(_AREAS[par.area], par.nome, told(par.primeira), told(par.segunda), better[par.melhor]) for par in pares if _counts(par)]
    table(("Onde", "O que se conta", *names, "Melhor com certeza"), rows, whole="O que se conta")


def _counts(par: Par) -> bool:
    return any(parte is not None and parte.total for parte in (par.primeira, par.segunda))


def show_agents(placar: Placar) -> None:
    """What became of each agent's questions, and what they took."""
    rows = [
        (
            agente.nome,
            ", ".join(agente.prompts),
            str(agente.perguntas),
            told(agente.a_primeira) if agente.conferida else "–",
            told(agente.no_fim) if agente.conferida else "–",
            _listed(agente.falhas) or "nenhuma",
            str(agente.tokens_entrada + agente.tokens_saida),
            _dollars(agente.custo, agente.sem_preco),
            _ms(agente.ms_mediana, agente.ms_p95),
        )
        for agente in placar.agentes
    ]
    columns = ("Agente", "Prompt", "Perguntas", "Aceitas à primeira", "Aceitas no fim", "Sem resposta", "Tokens", "US$", "Mediana e p95")
    table(columns, rows, whole="Agente")


def _show_times(found: Comparacao) -> None:
    one, other = found.modelos
    rows = [
        (
            tempo.agente,
            *(str(many) for many in tempo.perguntas),
            *(_ms(mediana, p95) for mediana, p95 in zip(tempo.ms_mediana, tempo.ms_p95, strict=True)),
            *(str(tokens) for tokens in tempo.tokens),
            *(_dollars(custo, 0) for custo in tempo.custo),
        )
        for tempo in found.tempos
    ]
    heads = ("perguntas", "mediana e p95", "tokens", "US$")
    table(("Agente", *(f"{nome}: {head}" for head in heads for nome in (one, other))), rows, whole="Agente")
    for nome, custo, sem_preco in zip(found.modelos, found.custo, found.sem_preco, strict=True):
        say(f"{nome}, ao todo, em US$: {_dollars(custo, sem_preco)}.")


def _ms(mediana: int | None, p95: int | None) -> str:
    return "–" if mediana is None or p95 is None else f"{mediana / 1000:.1f} s e {p95 / 1000:.1f} s".replace(".", ",")


def _dollars(custo: Decimal, sem_preco: int) -> str:
    if sem_preco and not custo:
        return "sem preço conhecido"
    return f"{custo:.4f}{f' e {sem_preco} sem preço conhecido' if sem_preco else ''}".replace(".", ",")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {many}" for name, many in counts.items())


def tell_unknown(found: NaoSabido, where: str = "") -> None:
    """What is not in the figures: nothing is left out without a word."""
    lines = (
        ("Perguntas sem resposta gravada", _listed(found.sem_resposta)),
        ("Respostas que não têm mais a forma pedida", _listed(found.fora_da_forma)),
        ("Respostas com falha hoje, que na gravação não foi avisada: não se sabe o que o modelo diria", _listed(found.sem_segunda)),
        ("Respostas a outra versão do prompt", _listed(found.outro_prompt)),
        ("Respostas a perguntas que ninguém mais faz", _listed(found.nao_perguntadas)),
        ("Arquivos alterados depois de gravados, e por isso fora da conta", ", ".join(found.alteradas)),
        ("Arquivos ilegíveis", ", ".join(found.ilegiveis)),
    )
    for what, which in lines:
        if which:
            say(f"{where}{what}: {which}.")


def _show_changed(mudaram: list[Mudou]) -> None:
    worse = [one for one in mudaram if one.sentido == "piorou"]
    if not mudaram:
        say("Nenhuma resposta passou a ser aceita ou recusada desde a gravação.")
        return
    say(f"A conferência de hoje aceita {len(mudaram) - len(worse)} respostas que recusava, e recusa {len(worse)} que aceitava:")
    for one in [*worse, *(one for one in mudaram if one.sentido == "melhorou")][:_SHOWN]:
        head = "recusa agora" if one.sentido == "piorou" else "aceita agora"
        say(f"  {head}: {one.agente} {one.pergunta[:16]}-{one.amostra}, resposta {one.resposta}: {one.agora or one.antes}")
    if len(mudaram) > _SHOWN:
        say(f"  … e mais {len(mudaram) - _SHOWN}; todas com --json.")
