"""Two projects side by side: their sentences aligned, what else they have in common, and how near they are among all pairs.

Nothing that identifies a person is told in clear: CPF, accounts, e-mails and telephones come out masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, Literal

import numpy as np

from crivo.triagem.edital import Projeto, Value
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.alinhamento import Ligada, by_meaning, by_words
from crivo.triagem.irregularidades.escrita import counted, decimal_pt, reais
from crivo.triagem.irregularidades.frases import sentences
from crivo.triagem.irregularidades.identidade import account_of, masked_account
from crivo.triagem.irregularidades.itens import items_of, same_names
from crivo.triagem.irregularidades.pessoas import MARCAS
from crivo.triagem.palavras import CAMPOS, shown

Liga = Literal["mesmas_palavras", "mesma_ideia", "so_em_a", "so_em_b"]
_MOST_SENTENCES: Final = 1_000  # of one project; a million letters are some ten thousand
_BARS: Final = 20
_WIDEST: Final = 0.9  # where the axis begins at the latest, whatever the pairs: by meaning they are all near
_RATIO_SLACK: Final = 0.005
_PHONE: Final = re.compile(r"telefone|celular|whatsapp|contato", re.IGNORECASE)
_PHONE_DIGITS: Final = 8
_NAMES: Final[Mapping[str, str]] = {"cpf_cnpj": "CNPJ", "nome": "nome", **CAMPOS}


class Dita(Value, frozen=True):
    """A sentence, as it may be shown, and the part of the project that it stands in."""

    texto: str
    campo: str


class Alinhada(Value, frozen=True):
    """A sentence beside the one that says the same; one of the two is None where it stands in one project alone."""

    liga: Liga
    a: Dita | None
    b: Dita | None
    semelhanca: float | None = None


class EmComum(Value, frozen=True):
    """Something that both projects have: in words what it is (`dito`), whether it is the same, and how it reads in each, masked."""

    campo: str
    igual: bool
    dito: str
    a: str
    b: str


class Perto(Value, frozen=True):
    """How near the pair is among `pares` pairs: the counts of each of the steps from `de` to `ate`, and how many are nearer.

    `seguinte` is the nearest of all other pairs.
    """

    de: float
    ate: float
    faixas: tuple[int, ...]
    pares: int
    este: float
    mais_perto: int
    seguinte: tuple[str, str, float] | None


def frases_of(projeto: Projeto) -> tuple[Dita, ...]:
    """What the project says of itself, sentence by sentence."""
    fields = (("resumo", projeto.resumo), ("descricao_tecnica", projeto.descricao_tecnica))
    told = [Dita(shown(texto), campo) for campo, inteiro in fields for texto, _ in sentences(inteiro)]
    return tuple(told[:_MOST_SENTENCES])


def lay(a: Sequence[Dita], b: Sequence[Dita], sentido: tuple[Matriz, Matriz] | None = None) -> tuple[Alinhada, ...]:
    """The sentences of both in the order of `a`, those that only `b` has after what they follow there.

    `sentido` are their vectors as `centred` gives them, where meaning can be told; the texts may be longer than these.
    """
    iguais = by_words([one.texto for one in a], [one.texto for one in b])
    ideias: list[Ligada] = []
    if sentido is not None:
        ideias = by_meaning(*sentido, _within({one.a for one in iguais}, sentido[0]), _within({one.b for one in iguais}, sentido[1]))
    ligadas: dict[int, tuple[Liga, Ligada]] = {one.a: ("mesmas_palavras", one) for one in iguais}
    ligadas |= {one.a: ("mesma_ideia", one) for one in ideias}
    return tuple(_woven(a, b, ligadas))


def in_common(a: Projeto, b: Projeto, arquivos: Sequence[tuple[str, str]] = ()) -> tuple[EmComum, ...]:
    """What the two have in common beside their texts; `arquivos` are the names of files with one content."""
    return (*_people(a, b), *_accounts(a, b), *_phones(a, b), *_budgets(a, b), *_files(arquivos))


def nearness(matriz: Matriz, codigos: Sequence[str], a: int, b: int) -> Perto | None:
    """How near rows `a` and `b` are among all pairs of rows of unit length; None where there are no other pairs to tell by."""
    told = np.linalg.norm(matriz, axis=1) > 0
    if not (told[a] and told[b]):
        return None
    first, second = np.triu_indices(len(matriz), 1)
    both = told[first] & told[second]
    first, second = first[both], second[both]
    cosines = (matriz @ matriz.T)[first, second]
    mine = (first == min(a, b)) & (second == max(a, b))
    este = float(cosines[mine][0])
    others = cosines[~mine]
    if not len(others):
        return None
    low, high = min(float(cosines.min()), _WIDEST), 1.0
    faixas, _ = np.histogram(np.clip(cosines, low, high), _BARS, (low, high))
    next_to = int(np.flatnonzero(~mine)[int(others.argmax())])
    seguinte = (codigos[int(first[next_to])], codigos[int(second[next_to])], round(float(cosines[next_to]), 4))
    nearer = int((others > este).sum())
    return Perto(low, high, tuple(faixas.tolist()), len(cosines), round(min(este, 1.0), 4), nearer, seguinte)


def _within(places: set[int], vetores: Matriz) -> list[int]:
    return [at for at in places if at < len(vetores)]


def _woven(a: Sequence[Dita], b: Sequence[Dita], ligadas: Mapping[int, tuple[Liga, Ligada]]) -> Iterator[Alinhada]:
    taken = {one.b for _, one in ligadas.values()}
    told = 0

    def until(end: int) -> Iterator[Alinhada]:
        """What only `b` has, as far as that sentence of it."""
        nonlocal told
        while told < end:
            if told not in taken:
                yield Alinhada("so_em_b", None, b[told])
            told += 1

    for at, dita in enumerate(a):
        if at not in ligadas:
            yield Alinhada("so_em_a", dita, None)
            continue
        liga, one = ligadas[at]
        yield from until(one.b)
        yield Alinhada(liga, dita, b[one.b], round(one.semelhanca, 4))
    yield from until(len(b))


def _people(a: Projeto, b: Projeto) -> Iterator[EmComum]:
    for marca in MARCAS:
        theirs = set(marca.values(b))
        for value in dict.fromkeys(one for one in marca.values(a) if one in theirs):
            yield EmComum(marca.campo, True, marca.nome, said := marca.shown(value) or _NAMES[marca.campo], said)


def _accounts(a: Projeto, b: Projeto) -> Iterator[EmComum]:
    one, other = account_of(a.proponente.banco), account_of(b.proponente.banco)
    if one and other and one != other:
        yield EmComum("banco", False, "contas diferentes", masked_account(one), masked_account(other))


def _phones(a: Projeto, b: Projeto) -> Iterator[EmComum]:
    theirs = _phones_of(b)
    for number in _phones_of(a):
        if number in theirs:
            yield EmComum("telefone", True, "o mesmo telefone", f"final {number[-4:]}", f"final {number[-4:]}")


def _phones_of(projeto: Projeto) -> list[str]:
    declared = [str(value) for name, value in projeto.campos.items() if _PHONE.search(name)]
    bare = ["".join(char for char in value if char.isdigit())[-_PHONE_DIGITS:] for value in declared]
    return [one for one in dict.fromkeys(bare) if len(one) == _PHONE_DIGITS]


def _budgets(a: Projeto, b: Projeto) -> Iterator[EmComum]:
    first, second = items_of(a), items_of(b)
    if not first or not second:
        return
    pairs = list(same_names(first, second))
    same = sum(one.quantidade == other.quantidade and one.valor == other.valor for one, other in pairs)
    said = [counted(len(pairs), "item de mesmo nome", "itens de mesmo nome")] if pairs else []
    said += [counted(same, "igual", "iguais")] if same else []
    ratios = sorted(float(other.total / one.total) for one, other in pairs)
    if len(pairs) > 1 and same < len(pairs) and ratios[-1] / ratios[0] - 1 <= 2 * _RATIO_SLACK:
        said.append(f"valores × {decimal_pt(ratios[len(ratios) // 2])}")
    told = [f"{counted(len(itens), 'item', 'itens')}, {reais(sum((one.total for one in itens), Decimal(0)))}" for itens in (first, second)]
    yield EmComum("orcamento_itens", bool(pairs) and same == len(pairs), ", ".join(said) or "nenhum item de mesmo nome", *told)


def _files(arquivos: Sequence[tuple[str, str]]) -> Iterator[EmComum]:
    for one, other in arquivos:
        yield EmComum("arquivo", True, "o mesmo arquivo", shown(one.rpartition("/")[2]), shown(other.rpartition("/")[2]))
