"""What becomes of the readings of a project's critérios: a suggested nota with its evidence for each, or why there is none.

The critérios are concluded together: what shows of a judge only in the sum of them lowers the confiança of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from msgspec.structs import replace

from crivo.triagem.achados import Evidencia, NotaSugerida, SituacaoNota
from crivo.triagem.avaliacao.conferencia import FALHAS, Contexto, check_justificativa, own_sentence
from crivo.triagem.avaliacao.confianca import compute_confianca
from crivo.triagem.avaliacao.leitura import Amostra, Leituras
from crivo.triagem.avaliacao.pergunta import alien_texts, criterio_text, nota_text
from crivo.triagem.avaliacao.ressalvas import Lido, Ressalva, find_ressalvas, lower, tell_ressalvas
from crivo.triagem.edital import Criterio, Edital, Value

LARGEST_SHIFT: Final = Decimal("0.10")  # of the range
NEAR_THE_END: Final = Decimal("0.15")  # of the range, at either end
LARGEST_UNTOLD: Final = Decimal("0.30")  # of the range, of passages that only might speak to whoever grades
LARGEST_UNSUSTAINED: Final = Decimal("0.25")  # of the range: passages out of their place say somewhat less
_NONE: Final = Decimal("0.00")
_NO_TEXT: Final = "O projeto não tem texto que se possa ler: não há o que avaliar."
_NO_QUOTE: Final = (
    "Nenhuma passagem citada pelo modelo foi encontrada no projeto, nem na segunda tentativa: a nota está sem evidência e vale pouco."
)
_UNSUSTAINED: Final = (
    "Sem nota: ela está perto do extremo, as passagens citadas não a sustentam sozinhas, e só uma parte do texto leva a ela. "
    "Alguma coisa nessa parte pode ter pesado na nota; leia o projeto e avalie sem esta dica."
)
_REMOVED: Final = "Trechos que parecem dirigidos a quem avalia, ou que defendem uma nota, ficaram de fora desta leitura."
_PROVISIONAL: Final = (
    "Nota provisória: uma parte das perguntas ao modelo ficou sem uma boa resposta. Retome a triagem para perguntar só isso de novo."
)
_UNCOMPARED: Final = "A leitura com esses trechos, para comparar, não pôde ser feita."


class Retirados(Value, frozen=True):
    """The passages that a reading was made without: those known to speak to whoever grades, and all."""

    certos: tuple[Evidencia, ...] = ()
    todos: tuple[Evidencia, ...] = ()


class Lidas(Value, frozen=True):
    """The readings of a critério: `limpa` without suspect passages, `inteira` with them, where there are any.

    `metades` are two halves of the project of which one alone leads to the nota. `inteiras`: every question was answered, those of
    checks too.
    """

    limpa: Leituras
    inteira: Leituras | None = None
    metades: tuple[Leituras, Leituras] | None = None
    inteiras: bool = True


def is_near_end(nota: Decimal, criterio: Criterio) -> bool:
    """True if a nota is so near an end of the range that cited evidence must sustain it."""
    near = NEAR_THE_END * (criterio.nota_max - criterio.nota_min)
    return not criterio.nota_min + near < nota < criterio.nota_max - near


class Julgado(Value, frozen=True):
    """A critério with all that was read for it, and what stayed out of the reading that counts."""

    criterio: Criterio
    lidas: Lidas
    retirados: Retirados


def conclude_all(edital: Edital, julgados: Sequence[Julgado], *, modelo: str, simulado: bool) -> tuple[NotaSugerida, ...]:
    """The suggestions for all critérios of a project, in order."""
    alone = [conclude(one.criterio, edital, one.lidas, one.retirados, modelo=modelo, simulado=simulado) for one in julgados]
    ressalvas = find_ressalvas([_lido(one, nota) for one, nota in zip(julgados, alone, strict=True)])
    lowered = [_lowered(nota, why) for nota, why in zip(alone, ressalvas, strict=True)]
    return tuple(nota if one.lidas.inteiras else _provisional(nota) for one, nota in zip(julgados, lowered, strict=True))


def conclude(criterio: Criterio, edital: Edital, lidas: Lidas, retirados: Retirados, *, modelo: str, simulado: bool) -> NotaSugerida:
    """The suggestion out of the readings: the nota is that of the clean one, and none where the others tell that it was moved."""
    lida, comparada = lidas.limpa, lidas.inteira
    nota, amplitude = lida.nota, criterio.nota_max - criterio.nota_min
    if nota is None:
        return _none(criterio, "sem_evidencia" if not lida.pedidas else "falhou", _failure(criterio, lida), modelo, simulado)
    other = comparada.nota if comparada is not None else None
    shift = abs(other - nota) if other is not None else Decimal(0)
    if other is not None and shift > LARGEST_SHIFT * amplitude and (retirados.certos or _is_drawn(nota, other, criterio)):
        told = (
            f"Sem nota: com e sem os trechos ao lado, que podem querer pesar nela, ela mudaria {nota_text(shift)} "
            "de um lado para o outro. Leia os trechos e avalie sem esta dica."
        )
        return _none(criterio, "abstencao", told, lida.amostras[0].modelo, simulado, retirados.todos)
    if lidas.metades is not None:
        return _none(criterio, "abstencao", _UNSUSTAINED, lida.amostras[0].modelo, simulado, lida.evidencias)
    return _suggested(criterio, edital, lida, nota, _removed_note(comparada, retirados), simulado)


def sustains(citada: Leituras, nota: Decimal, criterio: Criterio) -> bool:
    """True if the cited passages alone earn about the same nota as the whole project; True where that could not be asked."""
    return citada.nota is None or abs(citada.nota - nota) <= LARGEST_UNSUSTAINED * (criterio.nota_max - criterio.nota_min)


def _is_drawn(nota: Decimal, other: Decimal, criterio: Criterio) -> bool:
    """Whether a nota is moved as an order moves it: to an end of the range, or far.

    A sentence on the matter of a critério moves a nota too, and somewhat; where nothing else tells that it is an order, the nota without
    it stands.
    """
    return (is_near_end(other, criterio) and not is_near_end(nota, criterio)) or (
        abs(other - nota) > LARGEST_UNTOLD * (criterio.nota_max - criterio.nota_min)
    )


def lead_both(metades: tuple[Leituras, Leituras], nota: Decimal, criterio: Criterio) -> bool:
    """True if each half alone earns about the same nota: it is well founded, or what moved it stands in both."""
    near = LARGEST_SHIFT * (criterio.nota_max - criterio.nota_min)
    return all(metade.nota is not None and abs(metade.nota - nota) <= near for metade in metades)


def is_lopsided(metades: tuple[Leituras, Leituras], nota: Decimal, criterio: Criterio) -> bool:
    """True if one half of the project alone earns the nota and the other is far from it."""
    amplitude = criterio.nota_max - criterio.nota_min
    gaps = sorted(abs(metade.nota - nota) for metade in metades if metade.nota is not None)
    return len(gaps) == len(metades) and gaps[0] <= LARGEST_SHIFT * amplitude and gaps[1] > LARGEST_UNSUSTAINED * amplitude


def _suggested(criterio: Criterio, edital: Edital, lida: Leituras, nota: Decimal, about_removed: str, simulado: bool) -> NotaSugerida:
    amostras = lida.amostras
    shown = _shown(lida, nota)
    evidencias = lida.evidencias
    justificativa, about_text = _checked(criterio, edital, lida, shown, nota)
    notes = (_NO_QUOTE if not evidencias else "", about_removed, about_text, _lost_samples(lida))
    return NotaSugerida(
        criterio=criterio.id,
        nota_sugerida=nota,
        justificativa=justificativa,
        confianca=compute_confianca(
            [amostra.nota for amostra in amostras],
            lida.pedidas,
            criterio.nota_max - criterio.nota_min,
            sum(len(amostra.evidencias) for amostra in amostras),
            sum(amostra.citadas for amostra in amostras),
            lida.material.completude,
        ),
        evidencias=evidencias,
        situacao="sugerida" if evidencias else "sem_evidencia",
        modelo=shown.modelo,
        simulado=simulado,
        amostras=tuple(amostra.nota for amostra in amostras),
        observacao=" ".join(note for note in notes if note),
    )


def _shown(lida: Leituras, nota: Decimal) -> Amostra:
    """The sample whose justificativa is shown: one with evidence, the nearest to the nota."""
    return min(lida.amostras, key=lambda amostra: (not amostra.evidencias, abs(amostra.nota - nota)))


def _lido(julgado: Julgado, nota: NotaSugerida) -> Lido | None:
    """What a nota that is shown with evidence rests on."""
    if nota.situacao != "sugerida" or nota.nota_sugerida is None:
        return None
    criterio, lidas = julgado.criterio, julgado.lidas
    other = lidas.inteira.nota if lidas.inteira is not None else None
    return Lido(
        nome=criterio.nome,
        texto=criterio_text(criterio),
        material=lidas.limpa.material,
        nota=nota.nota_sugerida,
        evidencias=nota.evidencias,
        justificativa=_shown(lidas.limpa, nota.nota_sugerida).justificativa,
        no_fundo=nota.nota_sugerida <= criterio.nota_min + NEAR_THE_END * (criterio.nota_max - criterio.nota_min),
        movida=bool(julgado.retirados.certos) and other is not None and other != nota.nota_sugerida,
    )


def _lowered(nota: NotaSugerida, ressalvas: Sequence[Ressalva]) -> NotaSugerida:
    if not ressalvas:
        return nota
    observacao = f"{tell_ressalvas(ressalvas)} {nota.observacao}".strip()
    return replace(nota, confianca=lower(nota.confianca, ressalvas), observacao=observacao)


def _provisional(nota: NotaSugerida) -> NotaSugerida:
    """The same, told as one that may come out otherwise; one that failed says so already."""
    if nota.situacao == "falhou":
        return nota
    return replace(nota, provisoria=True, observacao=f"{_PROVISIONAL} {nota.observacao}".strip())


def _checked(criterio: Criterio, edital: Edital, lida: Leituras, shown: Amostra, nota: Decimal) -> tuple[str, str]:
    """The justificativa that may be read, and what is to be said of it."""
    contexto = Contexto(lida.material.texto, alien_texts(edital, criterio), nota)
    falhas = check_justificativa(shown.justificativa, contexto)
    if not falhas:
        return shown.justificativa, ""
    reason = " e ".join(FALHAS[falha] for falha in falhas)
    return own_sentence(criterio, shown.evidencias), f"A justificativa foi escrita pelo código: a do modelo {reason}."


def _none(
    criterio: Criterio, situacao: SituacaoNota, observacao: str, modelo: str, simulado: bool, evidencias: tuple[Evidencia, ...] = ()
) -> NotaSugerida:
    return NotaSugerida(
        criterio=criterio.id,
        nota_sugerida=None,
        justificativa="",
        confianca=_NONE,
        evidencias=evidencias,
        situacao=situacao,
        modelo=modelo,
        simulado=simulado,
        amostras=(),
        observacao=observacao,
    )


def _failure(criterio: Criterio, lida: Leituras) -> str:
    if not lida.pedidas:
        return _NO_TEXT
    if lida.falhas:
        return lida.falhas[0]
    low, high = nota_text(criterio.nota_min), nota_text(criterio.nota_max)
    return f"O modelo deu, também na segunda tentativa, uma nota que não vale: fora do intervalo de {low} a {high}, ou com casas demais."


def _removed_note(comparada: Leituras | None, retirados: Retirados) -> str:
    uncompared = _UNCOMPARED if comparada is not None and comparada.nota is None else ""
    return f"{_REMOVED} {uncompared}".strip() if retirados.certos else ""


def _lost_samples(lida: Leituras) -> str:
    lost = lida.pedidas - len(lida.amostras)
    if not lost:
        return ""
    return f"{'Uma leitura' if lost == 1 else f'{lost} leituras'} de {lida.pedidas} não {'deu' if lost == 1 else 'deram'} nota válida."
