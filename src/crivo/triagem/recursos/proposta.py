"""Whether an answer can be given as it is proposed: it says why, and it changes what may be changed so. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, Protocol, assert_never
from uuid import UUID

from msgspec.structs import replace

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.edital import Criterio
from crivo.triagem.palavras import number
from crivo.triagem.recursos.contratos import PROVIDOS, CampoCorrigido, Mudanca, NotaRevista, Proposta, Redecidida
from crivo.triagem.recursos.erros import RespostaInvalida

SHORTEST_REASON: Final = 20
LONGEST_REASON: Final = 10_000
SHORTEST_WHY: Final = 5
SHORTEST_UNDOING: Final = 10
LONGEST_WHY: Final = 1_000
LONGEST_VALUE: Final = 200


class Nota(Protocol):
    """A nota that counts, of a person for a critério."""

    @property
    def criterio(self) -> str:
        """Its critério's id."""
        ...

    @property
    def avaliador(self) -> UUID:
        """Whose it is."""
        ...

    @property
    def nota(self) -> Decimal:
        """Its value."""
        ...


def checked(
    proposta: Proposta,
    decisao: HabilitacaoSugerida | None,
    notas: Sequence[Nota],
    criterios: Mapping[str, Criterio],
    corrigiveis: Mapping[str, str],
) -> Proposta:
    """The proposal as it is kept, its reasons trimmed. Raises RespostaInvalida, with its field.

    `decisao` is what stands decided of the habilitação, `notas` those that count of the project, `corrigiveis` the declared fields that
    the rules ask for with what is declared.
    """
    motivo = _reason(proposta.motivo, SHORTEST_REASON, LONGEST_REASON, "motivo", "Escreva o motivo da resposta: ele vai a quem recorreu")
    if proposta.desfecho in PROVIDOS and not proposta.mudancas:
        raise RespostaInvalida(
            "Diga o que muda: a habilitação, uma nota ou um campo. Se nada muda, o recurso não foi provido.", campo="mudancas"
        )
    if proposta.desfecho not in PROVIDOS and proposta.mudancas:
        raise RespostaInvalida("Um recurso que não é provido não muda nada. Tire as mudanças, ou escolha outro desfecho.", campo="desfecho")
    targets = [_target(one) for one in proposta.mudancas]
    if len(set(targets)) < len(targets):
        raise RespostaInvalida("A mesma coisa mudaria duas vezes. Deixe uma só.", campo="mudancas")
    stands = {(one.criterio, one.avaliador): one.nota for one in notas}
    return replace(
        proposta, motivo=motivo, mudancas=tuple([_checked(one, decisao, stands, criterios, corrigiveis) for one in proposta.mudancas])
    )


def checked_undoing(motivo: str) -> str:
    """Why an answer is taken back, trimmed. Raises RespostaInvalida, with its field."""
    return _reason(motivo, SHORTEST_UNDOING, LONGEST_WHY, "desfazer", "Diga por que a resposta é retirada: quem recorreu vai ler isto")


def _checked(
    mudanca: Mudanca,
    decisao: HabilitacaoSugerida | None,
    notas: Mapping[tuple[str, UUID], Decimal],
    criterios: Mapping[str, Criterio],
    corrigiveis: Mapping[str, str],
) -> Mudanca:
    match mudanca:
        case Redecidida(situacao):
            if situacao == decisao:
                raise RespostaInvalida("A habilitação já é essa. Escolha outra, ou diga que não foi provido.", campo="situacao")
            return mudanca
        case NotaRevista(criterio, avaliador, nota):
            era = notas.get((criterio, avaliador))
            return replace(mudanca, motivo=_revised(criterios.get(criterio), era, nota, mudanca.motivo), era=era)
        case CampoCorrigido(campo, valor):
            return replace(mudanca, valor=valor.strip(), motivo=_corrected(campo, valor.strip(), corrigiveis, mudanca.motivo))
        case _:
            assert_never(mudanca)


def _revised(criterio: Criterio | None, agora: Decimal | None, nota: Decimal, motivo: str) -> str:
    """The reason as it is kept."""
    if criterio is None or agora is None:
        raise RespostaInvalida("Esta nota não conta mais para o projeto. Abra o recurso de novo para ver as que contam.", campo="mudancas")
    if not nota.is_finite() or not criterio.nota_min <= nota <= criterio.nota_max or nota != round(nota, 2):
        faixa = f"de {number(criterio.nota_min)} a {number(criterio.nota_max)}"
        raise RespostaInvalida(f"A nota de '{criterio.nome}' vai {faixa}, com até duas casas depois da vírgula.", campo="mudancas")
    if nota == agora:
        raise RespostaInvalida(f"A nota de '{criterio.nome}' já é {number(nota, 2)}. Deixe em branco a que não muda.", campo="mudancas")
    return _reason(motivo, SHORTEST_WHY, LONGEST_WHY, "mudancas", f"Diga por que a nota de '{criterio.nome}' muda")


def _corrected(campo: str, valor: str, corrigiveis: Mapping[str, str], motivo: str) -> str:
    """The reason as it is kept."""
    if campo not in corrigiveis:
        raise RespostaInvalida("As regras do edital não usam este campo: corrigi-lo não mudaria lugar nenhum.", campo="mudancas")
    if not valor or len(valor) > LONGEST_VALUE or not valor.isprintable():
        raise RespostaInvalida(f"Escreva o valor certo do campo, com até {LONGEST_VALUE} letras.", campo="mudancas")
    if valor == corrigiveis[campo]:
        raise RespostaInvalida("O campo já diz isso. Deixe em branco o que não muda.", campo="mudancas")
    return _reason(motivo, SHORTEST_WHY, LONGEST_WHY, "mudancas", "Diga por que o campo é corrigido")


def _reason(text: str, shortest: int, longest: int, campo: str, ask: str) -> str:
    given = text.replace("\0", "").strip()
    if len(given) < shortest:
        raise RespostaInvalida(f"{ask}, com ao menos {shortest} letras.", campo=campo)
    if len(given) > longest:
        raise RespostaInvalida(f"O motivo deve ter até {number(longest)} letras.", campo=campo)
    return given


def _target(mudanca: Mudanca) -> tuple[str, ...]:
    match mudanca:
        case Redecidida():
            return ("habilitacao",)
        case NotaRevista(criterio, avaliador):
            return ("nota", criterio, str(avaliador))
        case CampoCorrigido(campo):
            return ("campo", campo)
        case _:
            assert_never(mudanca)
