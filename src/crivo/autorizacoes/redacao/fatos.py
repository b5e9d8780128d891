"""What a text about a decision may say: its numbers by unit, its dates, codes, documents and words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cached_property
from typing import Final

from crivo.autorizacoes.contracts import Alternativa
from crivo.autorizacoes.motivos import PEDIDO_INVALIDO
from crivo.autorizacoes.palavras import documentos_conhecidos, nome_documento
from crivo.autorizacoes.redacao.insumos import Decidido, Number
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.numeros import find_numeros

_STEM: Final = 6
_DAYS_A_MONTH: Final = 30


class Fatos:
    """The inputs of a text, ready to be looked up. Values only; nothing here judges."""

    def __init__(self, decidido: Decidido) -> None:
        self.decidido = decidido
        self.final = decidido.decisao_final
        self.detalhe = decidido.detalhe_decisao
        self.insumos = decidido.pedido
        self.limites = decidido.pedido.limites
        self.motivos = tuple(dict.fromkeys(motivo.partition(":")[0] for motivo in decidido.artefato_registro.motivos))
        self.pendentes = decidido.pedido.documentos.pendentes
        self.fonte = decidido.artefato_registro.fonte_regras

    @property
    def aprovado(self) -> bool:
        """Whether anything was approved."""
        return self.final in ("APROVADO", "APROVADO_PARCIAL")

    @cached_property
    def alternativa(self) -> Alternativa | None:
        """The procedure that may stand in, where there is one."""
        outra = self.insumos.alternativa
        return Alternativa(outra) if isinstance(outra, str) else outra

    @cached_property
    def textos(self) -> tuple[str, ...]:
        """Words of the inputs that may be repeated as they are, folded."""
        observacoes = (self.insumos.observacoes,) if self.insumos.observacoes else ()
        told = (*self.detalhe.condicionantes, *self.insumos.textos, *self.insumos.proprios, *self._nomes, *observacoes)
        return tuple(fold_letters(text) for text in told)

    @cached_property
    def mostrados(self) -> tuple[str, ...]:
        """Words of the inputs that are sentences, and may be told otherwise, folded."""
        observacoes = (self.insumos.observacoes,) if self.insumos.observacoes else ()
        told = (*self.detalhe.condicionantes, *self.insumos.textos, *self.insumos.proprios, *observacoes, *self.insumos.restricoes)
        return tuple(fold_letters(text) for text in told)

    @cached_property
    def explicacoes(self) -> tuple[str, ...]:
        """Our own words for what each document of the inputs is, folded."""
        known = (documentos_conhecidos().get(tipo) for tipo in self.documentos)
        return tuple(fold_letters(one.explicacao) for one in known if one)

    @property
    def _nomes(self) -> tuple[str, ...]:
        """What the procedure, what may stand in for it, and the document of the regra are called."""
        alternativa = self.alternativa.descricao if self.alternativa else None
        told = (self.insumos.descricao, alternativa, self.fonte.documento if self.fonte else None)
        return tuple(text for text in told if text)

    # --- numbers

    @cached_property
    def quantidades(self) -> frozenset[float]:
        """Units of the procedure: asked, approved, the limit, and what is left of the asked ones."""
        asked = self.insumos.quantidade
        periodo = self.insumos.adiante.periodo
        of_periodo = (periodo.quantidade, periodo.usadas, periodo.sobra) if periodo else ()
        known = _given(asked, self.detalhe.quantidade_aprovada, self.limites.quantidade, *of_periodo)
        left = _given(*(asked - one for one in known if asked is not None and asked > one))
        return known | left

    @cached_property
    def prazos(self) -> frozenset[float]:
        """Days: of validity, of carência required, served and left, and the days that the words of the inputs name."""
        limites, adiante = self.limites, self.insumos.adiante
        return _given(
            adiante.cpt_dias,
            adiante.cpt_restantes,
            adiante.periodo.periodo_dias if adiante.periodo else None,
            self.detalhe.prazo_validade_autorizacao_dias,
            limites.carencia_min_dias,
            limites.carencia_cumprida_dias,
            limites.carencia_urgencia_dias,
            self.insumos.dias_carencia_restantes,
        )

    @cached_property
    def idades(self) -> frozenset[float]:
        """Years of age: the person's, and the bounds."""
        return _given(self.limites.idade, self.limites.idade_min, self.limites.idade_max)

    @property
    def diferencas_de_idade(self) -> frozenset[float]:
        """How many years the person is from each bound."""
        idade, bounds = self.limites.idade, (self.limites.idade_min, self.limites.idade_max)
        return frozenset() if idade is None else frozenset(float(abs(idade - bound)) for bound in bounds if bound is not None)

    @property
    def diferencas_de_carencia(self) -> frozenset[float]:
        """How many days of carência were served beyond those required."""
        required, served = self.limites.carencia_min_dias, self.limites.carencia_cumprida_dias
        return frozenset({float(served - required)}) if required is not None and served is not None and served > required else frozenset()

    @cached_property
    def percentuais(self) -> frozenset[float]:
        """Percentages: the person's share, the plan's, and how much of the asked was approved."""
        share = self.detalhe.coparticipacao_percentual
        known = _given(share, None if share is None else 100 - share)
        return known | {100 * part for part in self.partes}

    @cached_property
    def partes(self) -> frozenset[float]:
        """How much of the quantity asked was approved and was not, as shares of one."""
        asked, approved = self.insumos.quantidade, self.detalhe.quantidade_aprovada
        if self.final != "APROVADO_PARCIAL" or not asked or approved is None:
            return frozenset()
        return frozenset({approved / asked, 1 - approved / asked})

    @property
    def parte_cumprida(self) -> frozenset[float]:
        """How much of the carência asked for was served and is left, as shares of one."""
        required, served = self.limites.carencia_min_dias, self.limites.carencia_cumprida_dias
        return (
            frozenset({served / required, 1 - served / required}) if required and served is not None and served < required else frozenset()
        )

    @property
    def instrucoes(self) -> tuple[str, ...]:
        """The words of the regra's exceptions, folded."""
        return tuple(fold_letters(text) for text in self.insumos.textos)

    @cached_property
    def contagens(self) -> frozenset[float]:
        """How many there are of what may be counted: documents, conditions, motivos, and each kind of thing to settle."""
        documentos = self.insumos.documentos
        came = len(set(documentos.exigidos) & set(documentos.anexos))
        told = (
            documentos.exigidos,
            documentos.anexos,
            documentos.pendentes,
            self.detalhe.condicionantes,
            self.decidido.artefato_registro.motivos,
        )
        each_kind = Counter(motivo.partition(":")[0] for motivo in self.decidido.artefato_registro.motivos).values()
        invalid = {float(self.erros), *map(float, each_kind)} if PEDIDO_INVALIDO in self.motivos else set()
        changed = {float(len(self.motivos) + 1)} if self.alternativa else set()  # the code, and what the other code asks for
        divergent = {2.0} if self.insumos.avisos else set()  # one of two values of a field was taken, and RF1 says so
        return (
            frozenset(float(len(listed)) for listed in told)
            | {float(came), float(len(self.motivos)), float(self.insumos.avisos)}
            | invalid
            | divergent
            | changed
        )

    @cached_property
    def citados(self) -> frozenset[float]:
        """Numbers that the words of the regra name; those of our own conditions are inputs with a unit already."""
        return frozenset(numero.value for text in (*self._nomes, *self.insumos.textos) for numero in find_numeros(fold_letters(text)))

    @property
    def reais(self) -> frozenset[float]:
        """Amounts in R$: what the pedido costs, and the most that the regra allows."""
        return _given(*self.insumos.adiante.reais)

    @cached_property
    def quaisquer(self) -> frozenset[float]:
        """Every number that may be told where its unit is not."""
        share = _given(self.detalhe.coparticipacao_percentual)
        return self.quantidades | self.prazos | self.idades | share | self.contagens | self.citados

    def fits_prazo(self, days: float) -> bool:
        """Whether a length of time in days is one of the inputs."""
        return days in self.prazos or days in self.citados

    def fits_months(self, months: float) -> bool:
        """Whether months are a length of the inputs: thirty days each, and 365 days a year."""
        return self.fits_prazo(months * _DAYS_A_MONTH) or (months % 12 == 0 and self.fits_prazo(months / 12 * 365))

    # --- dates

    @cached_property
    def datas(self) -> frozenset[date]:
        """Dates of the pedido and of the vigência, and the one on which the carência ends."""
        fonte = self.fonte
        told = (*self._pedido_datas, fonte.vigencia_inicio if fonte else None, fonte.vigencia_fim if fonte else None)
        volta_em = self.insumos.adiante.periodo.volta_em if self.insumos.adiante.periodo else None
        return frozenset(day for raw in (*told, volta_em) if (day := as_date(raw))) | {day for day in (self.fim_da_carencia,) if day}

    @property
    def _pedido_datas(self) -> tuple[str | None, ...]:
        return (self.insumos.datas.data_pedido, self.insumos.datas.data_prevista)

    @cached_property
    def fim_da_carencia(self) -> date | None:
        """The day on which the carência will be served, counted from the pedido."""
        asked, left = as_date(self.insumos.datas.data_pedido), self.insumos.dias_carencia_restantes
        if self.limites.carencia_cumprida_dias is None or asked is None or left is None:  # not known when it began
            return None
        return asked + timedelta(days=int(left)) if left == int(left) and left < 10_000 else None

    # --- words

    @cached_property
    def documentos(self) -> dict[str, frozenset[str]]:
        """Stems of what each document of the inputs is called and explained by, by its type."""
        listed = self.insumos.documentos
        return {tipo: stems_of_documento(tipo) for tipo in dict.fromkeys((*listed.exigidos, *listed.anexos, *listed.pendentes))}

    @cached_property
    def palavras(self) -> frozenset[str]:
        """Stems of the words that the inputs use for anything but documents."""
        own = ("cartei",) if PEDIDO_INVALIDO in self.motivos else ()
        return frozenset((*own, *(stem for text in self.textos for stem in stems(text))))

    @cached_property
    def nome_do_procedimento(self) -> frozenset[str]:
        """Stems of the words that the procedure and what may stand in for it are called by, with their synonyms."""
        alternativa = self.alternativa.descricao if self.alternativa else None
        own = frozenset(
            word for text in (self.insumos.descricao, alternativa) if text for word in stems(fold_letters(text)) if len(word) > 3
        )
        return with_synonyms(own)

    @property
    def nomes_do_pedido(self) -> tuple[str, ...]:
        """The words of the procedure's own name, and its code."""
        words = re.findall(r"[a-z0-9]{4,}", fold_letters(self.insumos.descricao or ""))
        return (*words, *((self.insumos.codigo,) if self.insumos.codigo else ()))

    def fala_de(self, word: str) -> bool:
        """Whether a word is one of those that the inputs use for anything but documents."""
        return stem(word) in self.palavras

    @cached_property
    def codigos_proprios(self) -> tuple[str, ...]:
        """The codes of the procedure, of what may stand in for it, and of the regra; the number of the pedido is the reader's own."""
        alternativa = self.alternativa.codigo if self.alternativa else None
        told = (self.insumos.codigo, alternativa, self.fonte.regra_id if self.fonte else None)
        return tuple(code for code in told if code)

    @property
    def erros(self) -> int:
        """How many fields of the pedido are to be corrected."""
        return sum(1 for motivo in self.decidido.artefato_registro.motivos if motivo != PEDIDO_INVALIDO)

    @cached_property
    def codigos(self) -> frozenset[str]:
        """Codes and ids that may be told, without marks and case, and the digits that the words of the inputs name."""
        shown = self.insumos.identificadores
        quoted = (match.group() for text in self.textos for match in re.finditer(r"[\w.-]*\d[\w.-]*", text))
        return frozenset(squeeze(code) for code in (*self.codigos_proprios, self.decidido.pedido_id, *shown, *quoted) if code)


def as_date(raw: str | None) -> date | None:
    """An ISO date, None where there is none that can be read."""
    try:
        return date.fromisoformat(raw[:10]) if raw else None
    except ValueError:
        return None


def squeeze(code: str) -> str:
    """A code as it is compared: letters and figures alone, in capitals."""
    return "".join(char for char in fold_letters(code).upper() if char.isalnum())


def stem(word: str) -> str:
    """The beginning of a folded word, by which `médico` and `médicos`, `fisioterapeuta` and `fisioterápico` meet."""
    return word[:_STEM] if len(word) > _STEM else word.rstrip("s") if len(word) > 3 else word


def stems(text: str) -> Iterator[str]:
    """The stems of a folded text's words of three letters and more."""
    return (stem(word) for word in re.findall(r"[a-z]{3,}", text))


def with_synonyms(known: frozenset[str]) -> frozenset[str]:
    """The stems with those of every other name for the same procedure."""
    groups = (frozenset(stem(word) for word in group.split()) for group in LEXICO["sinonimos"])
    return known.union(*(group for group in groups if group & known))


def stems_of_documento(tipo: str) -> frozenset[str]:
    """The stems of a document's type, name and explanation."""
    known = documentos_conhecidos().get(tipo)
    told = f"{tipo.replace('_', ' ')} {nome_documento(tipo)} {known.explicacao if known else ''}"
    return frozenset(stems(fold_letters(told))) | frozenset(
        word for word in re.findall(r"\b[a-z]{2}\b", fold_letters(told)) if word == "rg"
    )


def _given(*values: Number | None) -> frozenset[float]:
    return frozenset(float(value) for value in values if value is not None)
