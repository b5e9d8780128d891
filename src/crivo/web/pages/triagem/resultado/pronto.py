"""What is to be settled before a result is published: each with how it stands, in words, and where it is settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from crivo.triagem.classificacao.resultado import Classificada, Faltam
from crivo.triagem.guardados import SEM_DECISAO
from crivo.triagem.palavras import count, number
from crivo.triagem.publicacao.guardados import Pendencia, Rascunho, TipoDePendencia
from crivo.triagem.publicacao.palavras import pendencia_said
from crivo.web.pages.triagem.resultado.endereco import TODAS, address_of, base_of

Estado = Literal["ok", "atencao", "erro", "info"]
_ICONE: Final[Mapping[Estado, str]] = {"ok": "feito", "atencao": "atencao", "erro": "recusado", "info": "info"}
_FALADO: Final[Mapping[Estado, str]] = {"ok": "Pronto", "atencao": "Atenção", "erro": "Impede", "info": "Saiba"}


@dataclass(frozen=True, slots=True)
class Conferencia:
    """Something to be settled; without `endereco` there is nothing to do about it on a page."""

    estado: Estado
    dito: str
    endereco: str = ""

    @property
    def icone(self) -> str:
        """The drawing of its state."""
        return _ICONE[self.estado]

    @property
    def falado(self) -> str:
        """Its state for who does not see the drawing."""
        return _FALADO[self.estado]


def checks_of(edital_id: str, rascunho: Rascunho, graves: int) -> tuple[Conferencia, ...]:
    """All of it, what stands against a publication first."""
    base, found = base_of(edital_id), rascunho.classificada
    told = {one.tipo: one for one in rascunho.pendencias}
    blocks = [Conferencia("erro", pendencia_said(one), _where(edital_id, one)) for one in rascunho.pendencias if one.impede]
    cases = (
        [Conferencia("atencao", f"{count(graves, 'caso grave aberto', 'casos graves abertos')}", f"{base}/triagem-ia?aba=irregularidades")]
        if graves
        else []
    )
    withdrawn = len(found.concorrencia.desistencias)
    gone = (
        [Conferencia("info", count(withdrawn, "desistência", "desistências"), f"{address_of(edital_id)}/desistencias")] if withdrawn else []
    )
    return (*blocks, _decided(edital_id, found, told), *_judged(edital_id, found, told), *cases, *gone, _drawn(rascunho))


def told_before(pendencia: Pendencia, edital_id: str) -> Conferencia:
    """A pendência on the page that publishes."""
    return Conferencia("erro" if pendencia.impede else "atencao", pendencia_said(pendencia), _where(edital_id, pendencia))


def _where(edital_id: str, pendencia: Pendencia) -> str:
    match pendencia.tipo:
        case "sem_preliminar":
            return f"{address_of(edital_id)}?fase=preliminar"
        case "pendentes":
            return f"{address_of(edital_id)}?categoria={TODAS}&mostrar=fora"
        case "sem_decisao":
            return f"{base_of(edital_id)}/triagem-ia?decisao={SEM_DECISAO}"
        case "prazo_de_recurso":
            return f"{address_of(edital_id)}/publicacoes"
        case "recursos_abertos":
            return f"{base_of(edital_id)}/recursos"


def _decided(edital_id: str, found: Classificada, told: Mapping[TipoDePendencia, Pendencia]) -> Conferencia:
    todos = len(found.lugares) - len(found.concorrencia.desistencias)
    lacking = told.get("sem_decisao")
    if lacking is None:
        return Conferencia("ok", f"{number(todos)} de {count(todos, 'habilitação decidida', 'habilitações decididas')}")
    have = todos - lacking.quantos
    return Conferencia("atencao", f"{number(have)} de {number(todos)} habilitações decididas", _where(edital_id, lacking))


def _judged(edital_id: str, found: Classificada, told: Mapping[TipoDePendencia, Pendencia]) -> tuple[Conferencia, ...]:
    minimo = max(1, found.concorrencia.classificacao.minimo_avaliadores)
    few = sum(any(isinstance(of, Faltam) for of in one.fora) for one in found.lugares)
    out = sum(one.situacao == "inabilitado" for one in found.lugares) + len(found.concorrencia.desistencias)
    have = max(0, len(found.lugares) - few - out)
    wanted = "avaliação" if minimo == 1 else "avaliações"
    judged = Conferencia(
        "info" if few else "ok", f"{number(have)} com {number(minimo)} {wanted} ou mais", f"{base_of(edital_id)}/avaliadores"
    )
    waiting = told.get("pendentes")
    if waiting is None:
        return (judged,)
    return (judged, Conferencia("atencao", count(waiting.quantos, "pendente", "pendentes"), _where(edital_id, waiting)))


def _drawn(rascunho: Rascunho) -> Conferencia:
    drawn = sum(one.lugar.desempate == "sorteio" for one in rascunho.conteudo.linhas)
    if not drawn:
        return Conferencia("info", "Sorteio não foi preciso")
    return Conferencia("info", f"{count(drawn, 'lugar veio', 'lugares vieram')} de sorteio, com a semente {rascunho.conteudo.semente}")
