"""The queue as its page shows it: what the address asks for, and each decision as a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Annotated, Final
from urllib.parse import parse_qsl, urlencode

from fastapi import Query

from crivo.autorizacoes.motivos import frase, rotulo
from crivo.autorizacoes.palavras import DECISOES, count
from crivo.autorizacoes.revisao import Dizeres, NaFila, Recorte
from crivo.autorizacoes.revisao.fila import IDADES, LIVRES, MINHAS, NAO_DITO, TUDO, values_of
from crivo.autorizacoes.revisao.prazos import FAIXAS, TIPOS
from crivo.kernel.clock import BRASILIA
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.autorizacoes.pessoas import name_of
from crivo.web.pages.autorizacoes.prazo_vista import FAIXAS_EM_PALAVRAS, PrazoVista
from crivo.web.pages.listas import Coluna

QUEUE: Final = "/autorizacoes/fila"
COLUNAS: Final[tuple[Coluna[NaFila], ...]] = (
    Coluna("pedido", "Pedido", lambda one: one.pedido_id or ""),
    Coluna("prazo", "Prazo", lambda one: one.vez),
    Coluna("idade", "Espera", lambda one: one.recebida_em),
    Coluna("decisao", "Decisão do código", lambda one: one.decisao_final),
    Coluna("quem", "De quem é", lambda one: one.quem),
)
_FILTROS: Final = tuple([one.name for one in fields(Recorte)])
_LONGEST: Final = 200
_NOT_SAID: Final[Mapping[str, str]] = {
    "administradora": "não informada",
    "plano": "não informado",
    "regra": "nenhuma regra",
    "tipo": "não dito",
}


@dataclass(frozen=True, slots=True)
class Peneira:
    """What an address asks for: which of those that wait, in what order, and which page of them."""

    recorte: Recorte = TUDO
    ordem: str = ""
    pagina: int = 1

    @property
    def query(self) -> dict[str, str]:
        """All but the page, as an address says it."""
        return {**{name: getattr(self.recorte, name) for name in _FILTROS}, "ordem": self.ordem}

    @property
    def volta(self) -> str:
        """The same as one text, for forms that come back to it."""
        said = {name: value for name, value in self.query.items() if value}
        return urlencode({**said, **({"pagina": str(self.pagina)} if self.pagina > 1 else {})})

    @property
    def endereco(self) -> str:
        """Its address."""
        return f"{QUEUE}?{self.volta}" if self.volta else QUEUE

    @classmethod
    def read(cls, volta: str) -> Peneira:
        """What `volta` said; what is none of it is left out."""
        said = {name: value[:_LONGEST].replace("\0", "") for name, value in parse_qsl(volta[:4_000])}
        pagina = said.get("pagina", "")
        recorte = Recorte(**{name: said.get(name, "") for name in _FILTROS})
        return cls(recorte, said.get("ordem", ""), int(pagina) if pagina.isascii() and pagina.isdigit() and len(pagina) < 5 else 1)


Escrito = Annotated[str, Query(max_length=_LONGEST)]


def peneira_of(
    q: Escrito = "",
    decisao: Escrito = "",
    prazo: Escrito = "",
    quem: Escrito = "",
    regra: Escrito = "",
    administradora: Escrito = "",
    plano: Escrito = "",
    tipo: Escrito = "",
    urgencia: Escrito = "",
    idade: Escrito = "",
    motivo: Escrito = "",
    ordem: Escrito = "",
    pagina: Annotated[int, Query(ge=1, le=1_000)] = 1,
) -> Peneira:
    """What an address asks for."""
    recorte = Recorte(
        q=q.replace("\0", "").strip(),
        decisao=decisao,
        prazo=prazo,
        quem=quem,
        regra=regra,
        administradora=administradora,
        plano=plano,
        tipo=tipo,
        urgencia=urgencia,
        idade=idade,
        motivo=motivo,
    )
    return Peneira(recorte, ordem, pagina)


@dataclass(frozen=True, slots=True)
class NaFilaVista:
    """A decision that waits, as a line. `dono` is whose it is and `quem` who decides it now, each empty for nobody, `meu` and `minha` where
    that is whoever looks.
    """

    id: str
    numero: str
    procedimento: str
    administradora: str
    rotulo: Rotulo
    motivo: str
    desde: date
    idade: str
    prazo: PrazoVista
    urgente: bool
    dono: str
    visto: str
    meu: bool
    quem: str
    ate: datetime | None
    minha: bool

    @classmethod
    def of(cls, one: NaFila, dito: Dizeres | None, agora: datetime, ator: str, names: Mapping[str, str]) -> NaFilaVista:
        """The line of a decision, seen by `ator`."""
        reserva = one.reserva
        fuso = BRASILIA if one.prazo is None else one.prazo.ate.tzinfo  # the place where its deadline counts
        others = f", e mais {count(len(one.motivos) - 1, 'motivo', 'motivos')}" if len(one.motivos) > 1 else ""
        return cls(
            str(one.id),
            mask_cpfs(one.pedido_id or "sem número"),
            mask_cpfs(dito.descricao or dito.codigo) if dito else "",
            mask_cpfs(one.administradora_id or "não informada"),
            DECISOES[one.decisao_final],
            f"{frase(one.motivos[0])}{others}" if one.motivos else "",
            one.recebida_em.astimezone(fuso).date(),
            age(one.recebida_em.astimezone(fuso), agora),
            PrazoVista.of(one.prazo, agora, one.tipo),
            one.urgente,
            name_of(one.responsavel, names) if one.responsavel else "",
            one.responsavel,
            one.responsavel == ator,
            "" if reserva is None else name_of(reserva.revisor, names),
            None if reserva is None else reserva.ate,
            reserva is not None and reserva.revisor == ator,
        )


def age(since: datetime, agora: datetime) -> str:
    """How long something waits, in the largest unit that tells it; days as the calendar of its place counts them, as deadlines are."""
    waited = agora - since
    if waited.days > 0:
        return count((agora.astimezone(since.tzinfo).date() - since.date()).days, "dia", "dias")
    hours = max(0, int(waited.total_seconds() // 3600))
    return count(hours, "hora", "horas") if hours else "menos de 1 hora"


def choices(
    fila: Sequence[NaFila], peneira: Peneira, ator: str, names: Mapping[str, str]
) -> list[tuple[str, str, list[tuple[str, str]], str, str]]:
    """The selects of the queue, each with its name, its words, its values in words, the one in force, and its word for all."""
    recorte = peneira.recorte
    others = {one.quem for one in fila} - {"", ator}
    people = [(LIVRES, "ninguém"), (MINHAS, "você"), *sorted([(one, name_of(one, names)) for one in others], key=lambda one: one[1])]
    reasons = {motivo for one in fila for motivo in one.motivos}
    told = sorted([(code, rotulo(f"{code}:um campo").replace("_", " ")) for code in reasons], key=lambda one: one[1])
    bands: list[tuple[str, str]] = [(one, FAIXAS_EM_PALAVRAS[one]) for one in FAIXAS]
    ages = [(one, f"há {count(days, 'dia', 'dias')} ou mais") for one, days in IDADES.items()]
    found = [
        ("prazo", "Prazo", bands, recorte.prazo, "Todos"),
        ("quem", "De quem é", people, recorte.quem, "Qualquer um"),
        ("urgencia", "Urgência", [("sim", "urgentes"), ("nao", "não urgentes")], recorte.urgencia, "Todas"),
        ("decisao", "Decisão", [(code, DECISOES[code].palavra) for code in ("PENDENTE_AJUSTES", "NEGADO")], recorte.decisao, "Todas"),
        ("motivo", "Motivo", told, recorte.motivo, "Todos"),
        ("regra", "Regra", _said(fila, "regra"), recorte.regra, "Todas"),
        ("administradora", "Administradora", _said(fila, "administradora"), recorte.administradora, "Todas"),
        ("plano", "Plano", _said(fila, "plano"), recorte.plano, "Todos"),
        ("tipo", "Atendimento", _said(fila, "tipo"), recorte.tipo, "Todos"),
        ("idade", "Espera", ages, recorte.idade, "Qualquer"),
    ]
    # An address may ask for what no list holds: the select shows what is asked for all the same.
    return [
        (name, word, [*options, (value, mask_cpfs(value))] if _is_unknown(options, value) else options, value, every)
        for name, word, options, value, every in found
    ]


def unknown(filtros: Sequence[tuple[str, str, list[tuple[str, str]], str, str]], fila: Sequence[NaFila], ator: str) -> list[str]:
    """Which filters ask for a value that nothing in the queue has, as words: `Plano: Ouro`."""
    known = {name: {value for value, _ in options} for name, _, options, _, _ in choices(fila, Peneira(), ator, {})}
    return [f"{word}: {mask_cpfs(value)}" for name, word, _, value, _ in filtros if value and value not in known[name]]


def _is_unknown(options: Sequence[tuple[str, str]], value: str) -> bool:
    return bool(value) and all(one != value for one, _ in options)


def _said(fila: Sequence[NaFila], name: str) -> list[tuple[str, str]]:
    of: Callable[[NaFila], str | None] = {
        "regra": lambda one: one.regra_id,
        "administradora": lambda one: one.administradora_id,
        "plano": lambda one: one.plano_id,
        "tipo": lambda one: one.tipo,
    }[name]
    return [(code, _NOT_SAID[name] if code == NAO_DITO else TIPOS.get(code, mask_cpfs(code))) for code in values_of(fila, of)]
