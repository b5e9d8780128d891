"""What a classification is made from: the rules, the projects, and what people gave and decided. No model's nota is among it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.classificacao.definicao import Classificacao, PorCampo
from crivo.triagem.edital import Criterio, Projeto, Value
from crivo.triagem.habilitacao.condicoes import declared


class Inscrito(Value, frozen=True):
    """A project in force: what it declares of the fields that the rules ask for. `enviado_em` has an offset."""

    id: str
    categoria: str = ""
    enviado_em: datetime | None = None
    campos: Mapping[str, Any] = {}


class Avaliada(Value, frozen=True):
    """The notas that one person sent for a project, by critério."""

    projeto: str
    avaliador: str
    notas: Mapping[str, Decimal]


class Decidida(Value, frozen=True):
    """What a person decided of a project's habilitação, and why."""

    projeto: str
    situacao: HabilitacaoSugerida
    motivo: str = ""


class Desistencia(Value, frozen=True):
    """That a project withdrew, and when. Why is the proponente's own, and counts for nothing here."""

    projeto: str
    em: date


class Concorrencia(Value, frozen=True):
    """All of it. One decision and one withdrawal a project, one set of notas a person and project; what speaks of no project here
    counts for nothing.
    """

    edital_id: str
    classificacao: Classificacao
    criterios: Sequence[Criterio] = ()
    inscritos: Sequence[Inscrito] = ()
    avaliacoes: Sequence[Avaliada] = ()
    habilitacoes: Sequence[Decidida] = ()
    desistencias: Sequence[Desistencia] = ()

    @property
    def semente(self) -> str:
        """What is drawn with."""
        return self.classificacao.semente or self.edital_id


def campos_of(classificacao: Classificacao) -> frozenset[str]:
    """The declared fields that the rules ask for."""
    conditions = [one.quando for one in classificacao.bonus] + [cota.quando for vagas in classificacao.vagas for cota in vagas.cotas]
    ties = [one.campo for one in classificacao.desempate if isinstance(one, PorCampo)]
    return frozenset([*(one.campo for one in conditions), *ties])


def inscrito_of(projeto: Projeto, campos: frozenset[str]) -> Inscrito:
    """A project as it competes: of what it declares, these fields alone."""
    return Inscrito(projeto.id, projeto.categoria, projeto.enviado_em, {campo: declared(projeto, campo) for campo in campos})
