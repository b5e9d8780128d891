"""What the API answers about a política that is examined and tested."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.politicas.casos.servico import Provada
from crivo.autorizacoes.politicas.conferir.servico import Conferida


class ResultadoDoExemplo(msgspec.Struct, frozen=True):
    """What the example gets; `sob` names the regra that it is decided by alone, empty where all count."""

    sob: str
    decisao_final: DecisaoFinal
    quantidade_aprovada: int | float | None
    motivos: tuple[str, ...]


class AchadoDaConferencia(msgspec.Struct, frozen=True):
    """One finding; `exemplo` is the smallest pedido that shows it, null where none can."""

    codigo: str
    gravidade: Literal["erro", "aviso"]
    regra: str | None
    explicacao: str
    exemplo: dict[str, Any] | None
    resultados: tuple[ResultadoDoExemplo, ...]


class ConferenciaDaPolitica(msgspec.Struct, frozen=True):
    """All that was found, errors first."""

    erros: int
    avisos: int
    achados: tuple[AchadoDaConferencia, ...]

    @classmethod
    def of(cls, conferida: Conferida) -> ConferenciaDaPolitica:
        """The findings as they are answered."""
        achados = tuple(
            AchadoDaConferencia(
                um.codigo,
                um.gravidade,
                um.regra,
                um.explicacao,
                um.exemplo,
                tuple(ResultadoDoExemplo(r.sob, r.decisao_final, r.quantidade_aprovada, r.motivos) for r in um.resultados),
            )
            for um in conferida.achados
        )
        erros = sum(1 for um in achados if um.gravidade == "erro")
        return cls(erros, len(achados) - erros, achados)


class DiferencaDoCaso(msgspec.Struct, frozen=True):
    """A field that came out otherwise than expected."""

    campo: str
    esperado: Any
    obtido: Any


class CasoRodado(msgspec.Struct, frozen=True):
    """A test case that was run; `regra` decided it, `erro` is why its pedido could not be read.

    `herdado` is one of the version that a draft succeeds, which is kept with the draft once that is published.
    """

    caso: str
    passou: bool
    regra: str | None
    diferencas: tuple[DiferencaDoCaso, ...]
    erro: str | None
    herdado: bool


class CasoProposto(msgspec.Struct, frozen=True):
    """A case for what none covers, with what the document decides today; nobody has accepted it yet."""

    caso: str
    pedido: dict[str, Any]
    esperado: dict[str, Any]


class TesteDaPolitica(msgspec.Struct, frozen=True):
    """The kept cases of a version as they come out today, what they cover, and what is proposed."""

    total: int
    verdes: int
    casos: tuple[CasoRodado, ...]
    regras_total: int
    regras_com_caso: int
    sem_caso: tuple[str, ...]
    verificacoes_total: int
    verificacoes_completas: int
    propostos: tuple[CasoProposto, ...]

    @classmethod
    def of(cls, provada: Provada) -> TesteDaPolitica:
        """The run as it is answered."""
        testada, cobertura = provada.testada, provada.testada.cobertura
        return cls(
            len(testada.rodados),
            testada.verdes,
            tuple(
                CasoRodado(
                    um.caso.nome,
                    um.passou,
                    um.regra,
                    tuple(DiferencaDoCaso(d.campo, d.esperado, d.obtido) for d in um.diferencas),
                    um.erro,
                    um.caso.nome in provada.herdados,
                )
                for um in testada.rodados
            ),
            cobertura.regras_total,
            cobertura.regras_com_caso,
            cobertura.sem_caso,
            len(cobertura.verificacoes),
            cobertura.verificacoes_completas,
            tuple(CasoProposto(caso.nome, caso.pedido, dict(caso.esperado)) for caso in provada.propostos),
        )
