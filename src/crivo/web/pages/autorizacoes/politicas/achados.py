"""Findings, test cases and their cover as the pages of a política show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crivo.autorizacoes.motivos import rotulo
from crivo.autorizacoes.palavras import DECISOES, campo_do_pedido, count, day, listing, nome_documento, number, verb
from crivo.autorizacoes.politicas.casos.caso import Caso, to_yaml
from crivo.autorizacoes.politicas.casos.ditos import campo_dito, valor_dito
from crivo.autorizacoes.politicas.casos.execucao import CasoRodado
from crivo.autorizacoes.politicas.casos.servico import Provada
from crivo.autorizacoes.politicas.conferir.achados import Achado, Resultado, grouped, may_change_a_decision
from crivo.autorizacoes.politicas.conferir.exemplos import BENEFICIARIO, PEDIDO
from crivo.kernel.rotulo import Rotulo

SHOWN: Final = 30
_SAYS_NOTHING: Final = (PEDIDO, BENEFICIARIO)


@dataclass(frozen=True, slots=True)
class ResultadoVisto:
    """What an example gets: the decision as a mark, its motivos, and by which regra alone."""

    rotulo: Rotulo
    motivos: str
    sob: str

    @classmethod
    def of(cls, um: Resultado) -> ResultadoVisto:
        """The result of an example."""
        decisao = DECISOES[um.decisao_final]
        palavra = decisao.palavra if um.quantidade_aprovada is None else f"{decisao.palavra}, {number(um.quantidade_aprovada)}"
        return cls(Rotulo(palavra, decisao.marca, decisao.estilo), ", ".join([rotulo(motivo) for motivo in um.motivos]), um.sob)


@dataclass(frozen=True, slots=True)
class AchadoVisto:
    """A finding, and in `tambem` the other regras of which it says the same.

    `exemplo` is its pedido by the names of the fields, without what every example has.
    """

    erro: bool
    titulo: str
    texto: str
    regra: str
    exemplo: tuple[tuple[str, str], ...]
    json: str
    resultados: tuple[ResultadoVisto, ...]
    tambem: str
    iguais: bool
    """Whether what is shown of its results is alike, though the regras say otherwise."""

    @classmethod
    def of(cls, um: Achado, outros: Sequence[Achado] = ()) -> AchadoVisto:
        """A finding as it is shown; `outros` say the same of other regras."""
        exemplo = um.exemplo
        return cls(
            um.gravidade == "erro",
            um.titulo,
            um.explicacao,
            um.regra or "",
            tuple(fields_of(exemplo)) if exemplo else (),
            msgspec.json.format(msgspec.json.encode(exemplo), indent=2).decode() if exemplo else "",
            tuple([ResultadoVisto.of(resultado) for resultado in um.resultados]),
            _named([outro.regra for outro in outros if outro.regra]),
            len({(one.decisao_final, one.quantidade_aprovada, one.motivos) for one in um.resultados}) < len(um.resultados),
        )


@dataclass(frozen=True, slots=True)
class CasoVisto:
    """A test case: how it came out, field by field where otherwise than expected, and its text to be changed.

    `aceito` is its text with what comes out now in the place of what was expected; empty where nothing differs.
    """

    nome: str
    rotulo: Rotulo
    passou: bool
    espera: str
    regra: str
    diferencas: tuple[tuple[str, str, str], ...]
    erro: str
    texto: str
    herdado: bool
    aceito: str
    ja_falhava: bool

    @classmethod
    def of(cls, um: CasoRodado, *, herdado: bool = False, ja_falhava: bool = False) -> CasoVisto:
        """A case that was run; `herdado` where it stands beside an earlier version, `ja_falhava` where it failed there, too."""
        now = {d.campo: d.obtido for d in um.diferencas}
        return cls(
            um.caso.nome,
            Rotulo("Passa", "✓", "aprovado") if um.passou else Rotulo("Falha", "✕", "negado"),
            um.passou,
            expected(um.caso),
            um.regra or "",
            tuple([(campo_dito(d.campo), valor_dito(d.campo, d.esperado), valor_dito(d.campo, d.obtido)) for d in um.diferencas]),
            um.erro or "",
            to_yaml(um.caso).decode(),
            herdado,
            to_yaml(replace(um.caso, esperado={**um.caso.esperado, **now})).decode() if now else "",
            ja_falhava,
        )


@dataclass(frozen=True, slots=True)
class ConferenciaVista:
    """The panel of a version: what was found, how its cases come out, what they cover and what is proposed."""

    achados: tuple[AchadoVisto, ...]
    outros: int
    erros: str
    avisos: str
    casos: int
    verdes: int
    falhos: tuple[str, ...]
    herdados: str
    cobertura: str
    parte: float
    verificacoes: str
    sem_caso: str
    propostos: int

    @classmethod
    def of(cls, achados: Sequence[Achado], provada: Provada) -> ConferenciaVista:
        """The findings and the run as they are shown."""
        erros = sum(1 for um in achados if um.gravidade == "erro")
        testada, cobertura = provada.testada, provada.testada.cobertura
        groups = grouped(achados)
        verificacoes = count(len(cobertura.verificacoes), "verificação já passou", "verificações já passaram")
        return cls(
            tuple([AchadoVisto.of(group[0], group[1:]) for group in groups[:SHOWN]]),
            sum(len(group) for group in groups[SHOWN:]),
            count(erros, "erro", "erros") if erros else "",
            count(len(achados) - erros, "aviso", "avisos") if len(achados) > erros else "",
            len(testada.rodados),
            testada.verdes,
            tuple([um.caso.nome for um in testada.falhos[:SHOWN]]),
            inherited(provada),
            f"{cobertura.regras_com_caso} de {count(cobertura.regras_total, 'regra tem', 'regras têm')} ao menos um caso.",
            cobertura.regras_com_caso / cobertura.regras_total if cobertura.regras_total else 0.0,
            f"{cobertura.verificacoes_completas} de {verificacoes} num caso e falharam em outro." if cobertura.verificacoes else "",
            _named(cobertura.sem_caso),
            len(provada.propostos),
        )


def fields_of(pedido: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    """The fields of a pedido in words, without the number and the beneficiário that every example has."""
    found: list[tuple[str, str]] = []
    for nome, valor in pedido.items():
        caminho = f"{before}{nome}"
        if isinstance(valor, dict):
            found += fields_of(valor, f"{caminho}.")
        elif valor not in _SAYS_NOTHING:
            found.append((campo_do_pedido(caminho).capitalize() or caminho, _value(caminho, valor)))
    return found


def expected(caso: Caso) -> str:
    """What a case expects, in a few words."""
    decisao = DECISOES[caso.esperado["decisao_final"]].palavra
    motivos = caso.esperado.get("motivos")
    return f"{decisao} ({', '.join([rotulo(str(motivo)) for motivo in motivos])})" if motivos else decisao


def warned(achados: Sequence[Achado]) -> tuple[str, tuple[tuple[str, int], ...]]:
    """How many avisos there are, and how many may change a decision, in words, empty where there are none; then each kind's count."""
    avisos = [um for um in achados if um.gravidade == "aviso"]
    mudam = sum(1 for um in avisos if may_change_a_decision(um))
    podem = f"; {mudam} {verb(mudam, 'pode', 'podem')} mudar uma decisão" if mudam else ""
    return f"{count(len(avisos), 'aviso', 'avisos')}{podem}" if avisos else "", tuple(Counter([um.titulo for um in avisos]).items())


def inherited(provada: Provada) -> str:
    """How many cases come from which version, in a sentence; empty where none do."""
    if provada.de is None or not provada.herdados:
        return ""
    quantos = len(provada.herdados)
    vem = count(quantos, "caso vem", "casos vêm")
    fica = "ao publicar, fica com esta" if quantos == 1 else "ao publicar, ficam com esta"
    return f"{vem} da versão {provada.de.versao}, que esta sucede; {fica}."


def _named(regras: Sequence[str]) -> str:
    """The first six of these, and how many more there are."""
    return listing([*regras[:6], *([f"mais {len(regras) - 6}"] if len(regras) > 6 else [])])


def _value(caminho: str, valor: Any) -> str:
    if caminho == "documentos_anexos":
        return listing([nome_documento(um["tipo"] if isinstance(um, dict) else str(um)) for um in valor]) or "nenhum"
    if isinstance(valor, bool):
        return "sim" if valor else "não"
    if caminho.startswith("data_"):
        return day(str(valor))
    return number(valor) if isinstance(valor, int | float) else _said(valor)


def _said(valor: Any) -> str:
    if valor is None or valor == []:
        return "nada"
    if isinstance(valor, bool):
        return "sim" if valor else "não"
    return valor if isinstance(valor, str) else msgspec.json.encode(valor).decode()
