"""Why a project stands where it does, as facts: the rules in their order, and what would have changed it. `palavras` puts them in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.classificacao.definicao import Desempate
from crivo.triagem.condicao import Condicao, Value


class Desistencia(Value, frozen=True):
    """When the project withdrew."""

    em: date


class Habilitacao(Value, frozen=True):
    """What a person decided; None where nobody did."""

    situacao: HabilitacaoSugerida | None
    motivo: str = ""


class Avaliadores(Value, frozen=True):
    """How many complete avaliações there are, how many are asked for, and how many others lack a nota. With two, the largest distance
    on a critério, in percent of its range, and on which.
    """

    completas: int
    minimo: int
    incompletas: int = 0
    distancia: Fraction | None = None
    criterio: str = ""


class Distantes(Value, frozen=True):
    """Two notas of a critério further apart than the edital allows; distance and limit in percent of its range."""

    criterio: str
    menor: Decimal
    maior: Decimal
    distancia: Fraction
    limite: Decimal


class Parcela(Value, frozen=True):
    """A critério's mean, and what it weighs."""

    criterio: str
    media: Fraction
    peso: Decimal


class NotaBase(Value, frozen=True):
    """`escala` × Σ peso × média ÷ `maxima`, which is Σ peso × nota_max; half up to the `casas` of `valor`."""

    parcelas: tuple[Parcela, ...]
    escala: Decimal
    maxima: Decimal
    valor: Decimal


class Cortado(Value, frozen=True):
    """A cut that was not reached: in a critério, or, without one, of the nota_base. `zero`: a 0 is enough there."""

    criterio: str
    valor: Fraction
    minima: Decimal
    zero: bool = False


class Passou(Value, frozen=True):
    """The cuts that were reached: the least nota_base, and those of critérios with their means."""

    minima: Decimal | None
    criterios: tuple[tuple[str, Fraction, Decimal], ...] = ()
    sem_zero: tuple[str, ...] = ()


class UmBonus(Value, frozen=True):
    """A bônus, and whether it holds."""

    id: str
    quando: Condicao
    valeu: bool
    pontos: Decimal


class NotaFinal(Value, frozen=True):
    """`base` and the points that count, of those `somados` at most `maximo`."""

    base: Decimal
    somados: Decimal
    maximo: Decimal | None
    bonus: Decimal
    valor: Decimal


class Empate(Value, frozen=True):
    """An equal nota_final, decided by a tie-break (None: the draw that ends all), with the name of its critério or field, and what each of
    the two has of it: a mean, a moment, what is declared, or the draw in hexadecimal digits.
    """

    por: Desempate | None
    nome: str
    outro: str
    atras: bool
    meu: Fraction | datetime | str | None
    dele: Fraction | datetime | str | None


class Posicao(Value, frozen=True):
    """The place among `de` that compete together; `categoria` is empty where all do."""

    posicao: int
    de: int
    categoria: str


class Vaga(Value, frozen=True):
    """The broad places of a category, and the last project that took one; None where nobody did."""

    total: int
    ampla: int
    ficou: bool
    ultimo: tuple[str, Decimal] | None


class UmaCota(Value, frozen=True):
    """The places of a cota: which optants took them, and which projects those that no optant was left for, by which vaga (AMPLA or a
    cota).
    """

    cota: str
    vagas: int
    levaram: tuple[str, ...]
    passaram: tuple[tuple[str, str], ...] = ()


class DeCotas(Value, frozen=True):
    """Where the places of a category went that are not broad, and which of these cotas the project opted for."""

    cotas: tuple[UmaCota, ...]
    optou: tuple[str, ...]


class VagaDeCota(Value, frozen=True):
    """The places of a cota that this project opted for, and who took them, with their nota_final."""

    cota: str
    vagas: int
    ficou: bool
    levaram: tuple[tuple[str, Decimal], ...]


class VagaRecebida(Value, frozen=True):
    """A place of a cota without optants that went to another's."""

    de: str
    cota: str


class VagaRevertida(Value, frozen=True):
    """A place of a cota that went to the broad competition, as no optant was left."""

    de: str


class VagaDeOutra(Value, frozen=True):
    """A place that another category could not fill."""

    de: str


class Suplencia(Value, frozen=True):
    """The place among the suplentes of a category."""

    ordem: int
    de: int


class Depois(Value, frozen=True):
    """Behind the vagas and the suplentes that there are."""

    suplentes: int


class SemVagas(Value, frozen=True):
    """A category that the edital gives no vagas."""

    categoria: str


Fato = (
    Desistencia
    | Habilitacao
    | Avaliadores
    | Distantes
    | NotaBase
    | Cortado
    | Passou
    | UmBonus
    | NotaFinal
    | Empate
    | Posicao
    | Vaga
    | DeCotas
    | VagaDeCota
    | VagaRecebida
    | VagaRevertida
    | VagaDeOutra
    | Suplencia
    | Depois
    | SemVagas
)


class Passo(Value, frozen=True):
    """A rule of the design by its number, the edital's clause where it has one, and what was found."""

    regra: int
    fato: Fato
    clausula: str = ""


class FaltouParaAmpla(Value, frozen=True):
    """How far the nota_final is below the last broad place; 0 where a tie-break decided."""

    pontos: Decimal
    ultimo: str


class FaltouParaCota(Value, frozen=True):
    """The same of a cota that this project opted for."""

    cota: str
    pontos: Decimal
    ultimo: str


class FaltouNoCorte(Value, frozen=True):
    """How far a mean, or the nota_base, is below its cut."""

    criterio: str
    pontos: Fraction


class SaiSeHouverOptante(Value, frozen=True):
    """The place is lost to an optant of a cota, should one appear."""

    cota: str


class SaiSeHouverNaCategoria(Value, frozen=True):
    """The place is lost to a project of another category, should one more be classified there."""

    categoria: str


Mudanca = FaltouParaAmpla | FaltouParaCota | FaltouNoCorte | SaiSeHouverOptante | SaiSeHouverNaCategoria


class Explicacao(Value, frozen=True):
    """The rules that a project went through, and what would have changed what became of it."""

    passos: Sequence[Passo]
    mudaria: Sequence[Mudanca]
