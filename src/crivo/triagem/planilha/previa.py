"""What a spreadsheet would add and change over what stands, told before it does. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Final

import msgspec

from crivo.triagem.edital import AvaliacaoDada, Criterio, HabilitacaoDada, HabilitacaoSugerida, Value
from crivo.triagem.planilha.achados import Lista

MUDANCAS_LISTADAS: Final = 200
AVISOS_LISTADOS: Final = 50


class EmPe(Value, frozen=True):
    """What a person wrote of a critério and a project, as it stands: a draft, or sent. A draft may lack the nota."""

    nota: Decimal | None
    texto: str
    enviada: bool


class Escrita(Value, frozen=True):
    """A nota and a text to be kept, in the place of what stood (None: nothing did)."""

    projeto: str
    avaliador: str
    criterio: str
    nota: Decimal
    texto: str
    antes: EmPe | None


class NotaMudada(Value, frozen=True):
    """A nota that would be another; of a draft, `rascunho`, it would come to be sent. `de_parecer`: what is written beside it changes.

    `nome` is of who gave it; their e-mail where no name is known.
    """

    projeto: str
    nome: str
    criterio: str
    antes: Decimal | None
    agora: Decimal
    rascunho: bool
    de_parecer: bool


class DecisaoMudada(Value, frozen=True):
    """A decision that would be another, or be given another reason."""

    projeto: str
    antes: HabilitacaoSugerida
    agora: HabilitacaoSugerida


class PreviaDeNotas(Value, frozen=True):
    """What would come of a spreadsheet. Notas and decisions are counted; those that change are listed, the first 200 of each.

    `pessoas_novas` are e-mails of who would judge the edital and does not yet. `prevista` names exactly this: nothing else is done by it.
    """

    edital_id: str
    projetos: int
    pessoas: int
    notas_novas: int
    notas_mudadas: int
    notas_iguais: int
    decisoes_novas: int
    decisoes_mudadas: int
    decisoes_iguais: int
    linhas: int
    em_branco: int
    pessoas_novas: tuple[str, ...]
    mudadas: tuple[NotaMudada, ...]
    decisoes: tuple[DecisaoMudada, ...]
    avisos: tuple[tuple[str, str], ...]
    avisos_no_total: int
    prevista: str

    @property
    def muda(self) -> bool:
        """Whether anything would be kept at all."""
        return bool(self.notas_novas or self.notas_mudadas or self.decisoes_novas or self.decisoes_mudadas)


class Trazidas(Value, frozen=True):
    """What was kept of a spreadsheet."""

    edital_id: str
    projetos_com_notas: int
    notas_novas: int
    notas_mudadas: int
    decisoes: int
    pessoas_novas: int


def writings(dadas: Iterable[AvaliacaoDada], there: Mapping[tuple[str, str, str], EmPe], criterios: Sequence[Criterio]) -> list[Escrita]:
    """What is to be written: each nota that is another, or was a draft; by project, e-mail and critério of what stands.

    A parecer stands with the first nota of its row; a row without one leaves what was written as it is.
    """
    found = []
    for dada in dadas:
        first = next((one.id for one in criterios if one.id in dada.notas), None)
        for codigo, nota in dada.notas.items():
            was = there.get((dada.projeto, dada.avaliador, codigo))
            texto = dada.parecer if codigo == first and dada.parecer else was.texto if was else ""
            if was is None or not was.enviada or (was.nota, was.texto) != (nota, texto):
                found.append(Escrita(dada.projeto, dada.avaliador, codigo, nota, texto, was))
    return found


def decisions(
    dadas: Iterable[HabilitacaoDada], there: Mapping[str, tuple[HabilitacaoSugerida, str]]
) -> list[tuple[HabilitacaoDada, HabilitacaoSugerida | None]]:
    """What is to be decided, each with what stands. A row without a motivo leaves the one that was given."""
    found = []
    for dada in dadas:
        was = there.get(dada.projeto)
        same = was is not None and was[0] == dada.situacao and (not dada.motivo or was[1] == dada.motivo)
        if not same:
            found.append((dada, was[0] if was else None))
    return found


def foresee(
    edital_id: str,
    importacao: int,
    dadas: Sequence[AvaliacaoDada],
    escritas: Sequence[Escrita],
    habilitacoes: Sequence[HabilitacaoDada],
    decididas: Sequence[tuple[HabilitacaoDada, HabilitacaoSugerida | None]],
    pessoas_novas: Sequence[str],
    nomes: Mapping[str, str],
    counted: tuple[int, int],
    avisos: Lista,
) -> PreviaDeNotas:
    """The preview of what is to be written and decided.

    `nomes` are by e-mail; `counted` are the rows that were filled in, and those that were not.
    """
    mudadas = [_mudada(one, one.antes, nomes) for one in escritas if one.antes is not None and one.antes.nota is not None]
    redecided = [DecisaoMudada(one.projeto, was, one.situacao) for one, was in decididas if was is not None]
    notas = sum(len(one.notas) for one in dadas)
    return PreviaDeNotas(
        edital_id=edital_id,
        projetos=len({one.projeto for one in dadas}),
        pessoas=len({one.avaliador for one in dadas}),
        notas_novas=len(escritas) - len(mudadas),
        notas_mudadas=len(mudadas),
        notas_iguais=notas - len(escritas),
        decisoes_novas=len(decididas) - len(redecided),
        decisoes_mudadas=len(redecided),
        decisoes_iguais=len(habilitacoes) - len(decididas),
        linhas=counted[0],
        em_branco=counted[1],
        pessoas_novas=tuple(pessoas_novas),
        mudadas=tuple(mudadas[:MUDANCAS_LISTADAS]),
        decisoes=tuple(redecided[:MUDANCAS_LISTADAS]),
        avisos=tuple([(one.onde, one.mensagem) for one in avisos.listados[:AVISOS_LISTADOS]]),
        avisos_no_total=avisos.total,
        prevista=_digest(edital_id, importacao, escritas, decididas, pessoas_novas),
    )


def _mudada(one: Escrita, was: EmPe, nomes: Mapping[str, str]) -> NotaMudada:
    return NotaMudada(
        one.projeto, nomes.get(one.avaliador, one.avaliador), one.criterio, was.nota, one.nota, not was.enviada, was.texto != one.texto
    )


def _digest(*said: object) -> str:
    return sha256(msgspec.json.encode(said)).hexdigest()[:32]
