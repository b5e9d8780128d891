"""The product's places beside the independent statement, field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import msgspec

from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia, Decidida, Desistencia, campos_of, inscrito_of
from crivo.triagem.classificacao.publicado import publish
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.edital import Chamada, Edital, Projeto
from oraculo_lugares.enunciado import resultado

Json = dict[str, Any]
CAMPOS = ("situacao", "posicao", "vaga", "notas", "nota_base", "bonus", "nota_final", "desempate")
EXEMPLOS_GUARDADOS = 20


def exact(valor: Any) -> Any:
    """The tree with each number that has a comma as it is written: the import reads them so."""
    if isinstance(valor, float):
        return Decimal(str(valor))
    if isinstance(valor, dict):
        return {chave: exact(dentro) for chave, dentro in valor.items()}
    return [exact(one) for one in valor] if isinstance(valor, list) else valor


def concorrencia_of(chamada: Json) -> Concorrencia:
    """The values of the product, out of the JSON of an import."""
    lida = msgspec.convert(exact({nome: chamada[nome] for nome in ("edital", "criterios")}), Chamada)
    edital: Edital = lida.edital
    assert edital.classificacao is not None
    campos = campos_of(edital.classificacao)
    return Concorrencia(
        edital.id,
        edital.classificacao,
        lida.criterios,
        [inscrito_of(msgspec.convert(one, Projeto), campos) for one in chamada["projetos"]],
        [msgspec.convert(exact(one), Avaliada) for one in chamada["avaliacoes"]],
        [msgspec.convert(one, Decidida) for one in chamada["habilitacoes"]],
        [msgspec.convert(one, Desistencia) for one in chamada.get("desistencias", ())],
    )


def classified(chamada: Json) -> Classificada:
    """The places of a call."""
    return classify(concorrencia_of(chamada))


def rows_of(chamada: Json) -> dict[str, Json]:
    """The rows that the product publishes, by project."""
    publicado = publish(classified(chamada), "preliminar")
    return {one.projeto_id: {campo: getattr(one, campo) for campo in ("motivo", *CAMPOS)} for one in publicado.projetos}


def differences(chamada: Json, nosso: dict[str, Json] | None = None) -> list[tuple[str, str, Any, Any]]:
    """Where product and statement disagree: project, field, the product's value and the statement's."""
    nosso = rows_of(chamada) if nosso is None else nosso
    dito = resultado({**chamada, "projetos": [dict(projeto) for projeto in chamada["projetos"]]})
    found = [(codigo, "linha", codigo in nosso, codigo in dito) for codigo in nosso.keys() ^ dito.keys()]
    return found + [
        (codigo, campo, nosso[codigo][campo], dito[codigo][campo])
        for codigo in dito
        if codigo in nosso
        for campo in CAMPOS
        if nosso[codigo][campo] != dito[codigo][campo]
    ]


@dataclass
class Placar:
    """What has been compared so far, and how often each outcome came up."""

    casos: int = 0
    divergentes: int = 0
    contagens: Counter[str] = field(default_factory=Counter)
    exemplos: list[Json] = field(default_factory=list)

    def compare(self, chamadas: Iterable[Json]) -> Placar:
        for chamada in chamadas:
            nosso = rows_of(chamada)
            found = differences(chamada, nosso)
            self.casos += 1
            self.contagens.update(row["situacao"] for row in nosso.values())
            if found:
                self.divergentes += 1
                if len(self.exemplos) < EXEMPLOS_GUARDADOS:
                    self.exemplos.append({"chamada": chamada, "diferencas": found})
        return self
