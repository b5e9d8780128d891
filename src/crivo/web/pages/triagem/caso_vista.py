"""Cases as cards: everything in words, nothing left for the template to work out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.casos.achado import PASSADO
from crivo.triagem.casos.guardados import Caso, Dito
from crivo.triagem.casos.palavras import GRAVIDADE, NAO_APARECE, SITUACAO_CASO, mudou_said
from crivo.triagem.palavras import shown
from crivo.web.pages.formatos import instante
from crivo.web.pages.triagem.caso_marca import caso_address
from crivo.web.pages.triagem.enderecos import Enderecos
from crivo.web.pages.triagem.sinais import SinalVista
from crivo.web.pages.triagem.vista import Quem

_LEFT = "alguém que não está mais aqui"
_ERASED = "O que foi escrito aqui foi apagado junto com os dados de um projeto."


@dataclass(frozen=True, slots=True)
class DitoVisto:
    """A decision or a note: what came of it, its words, and whose it is."""

    rotulo: Rotulo | None
    feito: str
    texto: str
    assinatura: str

    @classmethod
    def of(cls, dito: Dito) -> DitoVisto:
        """As it is shown."""
        texto = _ERASED if dito.texto is None else shown(dito.texto)
        rotulo = SITUACAO_CASO[dito.situacao] if dito.situacao else None
        feito = {"desfeita": "Decisão desfeita", "dono": "Passou a cuidar" if dito.dono else "Deixou de cuidar"}.get(dito.tipo, "")
        return cls(rotulo, feito, texto, f"{shown(dito.por_nome) or _LEFT}, {instante(dito.em)}")


@dataclass(frozen=True, slots=True)
class CasoVista:
    """A card. `grau` is the severity by its code, to be drawn, and `gravidade` in a word; `decidido` is the decision that stands.

    `antes` is all that was said before it, the last first. `meu`: it is whoever looks who treats it.
    """

    numero: int
    endereco: str
    titulo: str
    grau: str
    gravidade: str
    rotulo: Rotulo
    situacao: str
    projetos: tuple[tuple[Quem, str], ...]
    sinais: tuple[SinalVista, ...]
    dono: str
    meu: bool
    decidido: DitoVisto | None
    anotacoes: tuple[DitoVisto, ...]
    antes: tuple[DitoVisto, ...]
    mudou: str
    sumido: str
    versao: int

    @classmethod
    def of(cls, caso: Caso, quem: Mapping[str, Quem], enderecos: Enderecos, eu: str = "") -> CasoVista:
        """The card of a case; `eu` is the id of whoever looks."""
        standing = caso.decisoes[-1] if caso.decisoes else None
        before = [one for one in reversed(caso.historia) if one.tipo != "anotacao" and one is not standing]
        return cls(
            caso.numero,
            caso_address(enderecos.edital_id, caso.numero),
            caso.titulo,
            caso.gravidade,
            GRAVIDADE[caso.gravidade],
            SITUACAO_CASO[caso.situacao],
            caso.situacao,
            tuple([(quem[codigo], "de edital anterior" if PASSADO in codigo else "") for codigo in caso.projetos]),
            tuple([SinalVista.of(one, quem, enderecos) for one in caso.sinais]),
            (shown(caso.dono_nome) or _LEFT) if caso.dono else "",
            caso.dono is not None and str(caso.dono) == eu,
            DitoVisto.of(standing) if standing else None,
            tuple([DitoVisto.of(one) for one in caso.anotacoes]),
            tuple([DitoVisto.of(one) for one in before]),
            mudou_said(caso),
            "" if caso.presente else NAO_APARECE,
            caso.versao,
        )
