"""Políticas as their pages show them: versions, regras in words, and what differs between two versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.palavras import count, day
from crivo.autorizacoes.politicas.comparacao import CampoMudado, RegraMudada
from crivo.autorizacoes.politicas.ditos import TITULOS, codigo, say, says
from crivo.autorizacoes.politicas.sucessao import Encerramento
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.autorizacoes.pessoas import name_of
from crivo.web.pages.autorizacoes.politicas.palavras import COBERTURAS, condicoes, situacao, vale_para, vigencia
from crivo.web.pages.formatos import instante

Lado = tuple[tuple[str, str], ...]  # (text, sign) as the comparison of two texts takes it
_MUDANCAS: Final[Mapping[str, Rotulo]] = {
    "acrescentada": Rotulo("Entrou", "✓", "aprovado"),
    "retirada": Rotulo("Saiu", "✕", "negado"),
    "mudada": Rotulo("Mudou", "◐", "parcial"),
}


@dataclass(frozen=True, slots=True)
class VersaoVista:
    """A version of a document."""

    id: str
    administradora: str
    documento: str
    versao: str
    situacao: Rotulo
    status: str
    vigencia: str
    regras: str
    historia: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, politica: PoliticaGuardada, hoje: date, names: Mapping[str, str]) -> VersaoVista:
        """A stored política as it is shown today."""
        historia = [("Importada", f"{instante(politica.criada_em)}, por {name_of(politica.criada_por, names)}")]
        if politica.publicada_em is not None:
            historia.append(("Publicada", instante(politica.publicada_em)))
        if politica.revogada_em is not None:
            historia.append(("Revogada", instante(politica.revogada_em)))
        return cls(
            str(politica.id),
            politica.administradora_id,
            politica.documento,
            politica.versao,
            situacao(politica, hoje),
            politica.status,
            vigencia(politica.vigencia_inicio, politica.vigencia_fim),
            count(politica.regras_total, "regra", "regras"),
            tuple(historia),
        )


@dataclass(frozen=True, slots=True)
class RegraVista:
    """A regra as a line of the table; `avisos` is what looks odd in it."""

    regra_id: str
    codigo: str
    vale_para: str
    cobertura: Rotulo
    condicoes: tuple[tuple[str, str], ...]
    avisos: tuple[str, ...]

    @classmethod
    def of(cls, regra: Regra, avisos: Sequence[str] = ()) -> RegraVista:
        """A regra in words."""
        return cls(regra.regra_id, codigo(regra.codigo), vale_para(regra), COBERTURAS[regra.cobertura], condicoes(regra), tuple(avisos))


@dataclass(frozen=True, slots=True)
class MudancaVista:
    """A regra that differs between two versions; `pares` are its fields side by side where it is in both."""

    regra: RegraVista
    rotulo: Rotulo
    pares: tuple[tuple[Lado, Lado], ...]

    @classmethod
    def of(cls, mudada: RegraMudada) -> MudancaVista:
        """A changed regra in words."""
        return cls(RegraVista.of(mudada.regra), _MUDANCAS[mudada.mudanca], tuple([side_by_side(campo) for campo in mudada.campos]))


def encerrada(um: Encerramento) -> str:
    """What becomes of a version that a publication closes."""
    nome = f"A versão {um.politica.versao} de “{um.politica.documento}”"
    if um.depois is None:
        return f"{nome} deixa de valer por inteiro."
    antes = f", em vez de {day(um.antes)}" if um.antes else ", em vez de ficar sem data de fim"
    return f"{nome} passa a valer só até {day(um.depois)}{antes}."


def side_by_side(campo: CampoMudado) -> tuple[Lado, Lado]:
    """What a field said and says, marked as gone and come."""
    titulo = f"{TITULOS[campo.campo]}: "
    return (
        ((titulo, ""), (say(campo.campo, campo.antes), "saiu" if says(campo.antes) else "")),
        ((titulo, ""), (say(campo.campo, campo.depois), "entrou" if says(campo.depois) else "")),
    )
