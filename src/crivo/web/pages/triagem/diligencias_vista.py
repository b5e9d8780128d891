"""Diligências in words: how they stand, what was found before and after, what came, nothing left for a template to work out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import quote
from uuid import UUID

from crivo.kernel.cartas import CartaGuardada
from crivo.kernel.rotulo import Rotulo
from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.diligencias.depois import DoProjeto
from crivo.triagem.diligencias.guardadas import Aberta, Diligencia, Envio, Linha, Papel, Publica, Situacao
from crivo.triagem.diligencias.servico import spelled
from crivo.triagem.palavras import SITUACAO, count
from crivo.web.pages.formatos import instante

SITUACAO_PALAVRAS: Final[Mapping[Situacao, tuple[str, str, str]]] = {
    "aberta": ("Aberta", "pendente", "relogio"),
    "respondida": ("Respondida", "aprovado", "feito"),
    "vencida": ("Vencida", "negado", "recusado"),
    "cancelada": ("Cancelada", "neutro", "recusado"),
}
"""How a diligência stands: a word, its style and its icon."""


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A diligência as a line of the list."""

    numero: int
    endereco: str
    projeto: str
    titulo: str
    pede: str
    situacao: tuple[str, str, str]
    prazo: datetime
    respondida_em: datetime | None

    @classmethod
    def of(cls, linha: Linha, base: str) -> LinhaVista:
        """The line."""
        pede = ", ".join(linha.requisitos) or "dados apagados a pedido"
        address = f"{base}/diligencias/{linha.numero}"
        situacao = SITUACAO_PALAVRAS[linha.situacao]
        return cls(linha.numero, address, linha.projeto, linha.titulo, pede, situacao, linha.prazo, linha.respondida_em)


@dataclass(frozen=True, slots=True)
class PapelVisto:
    """A file that came; `endereco` is where it is kept from, or empty."""

    nome: str
    tamanho: str
    para: str
    endereco: str
    sha256: str


@dataclass(frozen=True, slots=True)
class EnvioVisto:
    """An answer: who sent it, when, its words, its files and its receipt."""

    quem: str
    em: datetime
    texto: str
    recibo: str
    papeis: tuple[PapelVisto, ...]


@dataclass(frozen=True, slots=True)
class ItemVisto:
    """A requisito that was asked about: what had been found, and what the papers that came say of it, where they do."""

    nome: str
    clausula: str
    antes: Rotulo | None
    antes_dito: str
    depois: Rotulo | None
    depois_dito: str


@dataclass(frozen=True, slots=True)
class DiligenciaVista:
    """A diligência as its page shows it."""

    numero: int
    projeto: str
    titulo: str
    mesa: str
    situacao: tuple[str, str, str]
    aberta: bool
    pode_cancelar: bool
    texto: str
    prazo: datetime
    dias: str
    pedida: str
    cancelada: str
    motivo: str
    endereco_publico: str
    codigo: str
    email: str
    carta: str
    itens: tuple[ItemVisto, ...]
    julgamento: str
    envios: tuple[EnvioVisto, ...]
    prazos: tuple[tuple[str, str], ...]
    pedidos: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, aberta: Aberta, base: str) -> DiligenciaVista:
        """The page of a diligência."""
        one, nomes = aberta.diligencia, aberta.nomes
        pedida = one.pedida
        return cls(
            numero=one.numero,
            projeto=one.projeto,
            titulo=aberta.titulo,
            mesa=f"{base}/mesa/{quote(one.projeto, safe='')}",
            situacao=SITUACAO_PALAVRAS[aberta.situacao],
            aberta=aberta.situacao != "cancelada" and pedida is not None,
            pode_cancelar=aberta.situacao in ("aberta", "vencida") and pedida is not None,
            texto=pedida.texto if pedida else "O que se pediu foi apagado, a pedido da pessoa.",
            prazo=one.prazo,
            dias=count(one.dias, "dia útil", "dias úteis"),
            pedida=f"{nomes.get(one.pedida_por, 'Alguém da organização')}, em {instante(one.pedida_em)}",
            cancelada=_cancelled(one, nomes),
            motivo=one.motivo,
            endereco_publico=aberta.endereco,
            codigo=spelled(pedida.codigo) if pedida else "",
            email=pedida.email if pedida else "",
            carta=_letter(aberta.carta),
            itens=_items(one),
            julgamento=_judged(one, aberta.envios),
            envios=tuple([_envio(envio, one, nomes, f"{base}/diligencias/{one.numero}/documentos") for envio in aberta.envios]),
            prazos=tuple(
                [
                    (
                        f"De {instante(um.antes)} para {instante(um.depois)}, por {nomes.get(um.por, 'alguém da organização')}",
                        um.motivo,
                    )
                    for um in aberta.prazos
                ]
            ),
            pedidos=_fields(one),
        )


@dataclass(frozen=True, slots=True)
class ResumoNaMesa:
    """A diligência beside the requisitos of a project: where it is, how it stands, and what changed by it."""

    numero: int
    endereco: str
    situacao: tuple[str, str, str]
    quando: str
    itens: tuple[ItemVisto, ...]
    papeis: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, do_projeto: DoProjeto, base: str) -> ResumoNaMesa:
        """The lines of a diligência on the mesa."""
        one = do_projeto.diligencia
        when = f"respondida em {instante(one.respondida_em)}" if one.respondida_em else f"prazo até {instante(one.prazo)}"
        itens = tuple([um for um in _items(one) if um.depois is not None])
        address = f"{base}/diligencias/{one.numero}"
        papers = tuple([(papel.nome, paper_address(base, one.numero, papel)) for papel in do_projeto.papeis])
        return cls(one.numero, address, SITUACAO_PALAVRAS[do_projeto.situacao], when, itens, papers)


@dataclass(frozen=True, slots=True)
class PublicaVista:
    """A diligência as whoever has its code sees it."""

    orgao: str
    edital: str
    titulo: str
    situacao: Situacao
    selo: tuple[str, str, str]
    em_tempo: bool
    texto: str
    prazo: datetime
    codigo: str
    pedidos: tuple[tuple[str, str, str], ...]
    envios: tuple[EnvioVisto, ...]

    @classmethod
    def of(cls, publica: Publica) -> PublicaVista:
        """The page that is answered on."""
        one = publica.diligencia
        return cls(
            publica.orgao,
            publica.edital,
            publica.titulo,
            publica.situacao,
            SITUACAO_PALAVRAS[publica.situacao],
            publica.em_tempo,
            one.pedida.texto if one.pedida else "",
            one.prazo,
            spelled(one.pedida.codigo) if one.pedida else "",
            _fields(one),
            tuple([_envio(envio, one, {}, "") for envio in publica.envios]),
        )


def paper_address(base: str, numero: int, papel: Papel) -> str:
    """Where a paper of an answer is kept from."""
    return f"{base}/diligencias/{numero}/documentos/{papel.ordem}"


def _fields(one: Diligencia) -> tuple[tuple[str, str, str], ...]:
    """The fields for files: name, what it is for, and the formats that it takes; the last one is for whatever else."""
    if one.pedida is None:
        return ()
    asked = [
        (f"arquivo-{at}", f"{um.descricao} (item {um.clausula})" if um.clausula else um.descricao, ", ".join(um.formatos).upper())
        for at, um in enumerate(one.pedida.pedidos)
        if um.e_documento
    ]
    return (*asked, ("arquivo-outros", "Outro documento, se quiser", ""))


def _items(one: Diligencia) -> tuple[ItemVisto, ...]:
    if one.pedida is None:
        return ()
    antes = {item.requisito: item for item in one.pedida.antes}
    depois = {item.requisito: item for item in one.depois or ()}
    return tuple([_item(um.descricao, um.clausula, antes.get(um.requisito), depois.get(um.requisito)) for um in one.pedida.pedidos])


def _item(nome: str, clausula: str, antes: ItemHabilitacao | None, depois: ItemHabilitacao | None) -> ItemVisto:
    return ItemVisto(
        nome,
        clausula,
        SITUACAO[antes.situacao] if antes else None,
        antes.achado if antes else "Ainda não tinha sido conferido.",
        SITUACAO[depois.situacao] if depois else None,
        depois.achado if depois else "",
    )


def _judged(one: Diligencia, envios: Sequence[Envio]) -> str:
    if one.respondida_em is None:
        return ""
    if one.julgada_em is None:
        return "Os documentos que vieram estão sendo lidos. Atualize a página em instantes."
    if one.depois is None:
        return "Os documentos que vieram não puderam ser conferidos por código. Leia-os e decida."
    if not any(envio.papeis for envio in envios):
        return "Veio um esclarecimento, sem documento. Leia-o e decida."
    return f"Conferido por código em {instante(one.julgada_em)}. Quem decide é você, na mesa."


def _envio(envio: Envio, one: Diligencia, nomes: Mapping[UUID, str], base: str) -> EnvioVisto:
    asked = {um.requisito: um.descricao for um in one.pedida.pedidos} if one.pedida else {}
    papeis = tuple(
        [
            PapelVisto(
                papel.nome,
                _size(papel.tamanho_bytes),
                asked.get(papel.requisito or "", "Outro documento"),
                f"{base}/{papel.ordem}" if base else "",
                papel.sha256,
            )
            for papel in envio.papeis
        ]
    )
    quem = "Proponente" if envio.autor == "proponente" else nomes.get(envio.por, "A organização") if envio.por else "A organização"
    return EnvioVisto(quem, envio.em, envio.texto, envio.recibo, papeis)


def _cancelled(one: Diligencia, nomes: Mapping[UUID, str]) -> str:
    if one.cancelada_em is None:
        return ""
    quem = nomes.get(one.cancelada_por, "Alguém da organização") if one.cancelada_por else "Alguém da organização"
    return f"{quem}, em {instante(one.cancelada_em)}"


def _letter(carta: CartaGuardada | None) -> str:
    """What became of the letter that asks; empty where there was nobody to write to."""
    if carta is None:
        return ""
    match carta.situacao:
        case "na_fila" | "enviando":
            return "A carta está na fila e sai em instantes."
        case "falhou":
            return "A carta não saiu. Veja o motivo em Cartas, ou entregue o link por outro meio."
        case "cancelada":
            return "A carta não chegou a sair."
        case "enviada":
            when = f" em {instante(carta.enviada_em)}" if carta.enviada_em else ""
            if carta.via == "arquivo":
                return f"A carta foi gravada em arquivo{when}, pois não há servidor de e-mail: falta alguém enviá-la."
            return f"A carta foi {'entregue por outro meio' if carta.via == 'outro_meio' else 'enviada'}{when}."


def _size(tamanho: int) -> str:
    if tamanho >= 1024**2:
        return f"{tamanho / 1024**2:.1f} MB".replace(".", ",")
    return f"{max(1, tamanho // 1024)} kB"
