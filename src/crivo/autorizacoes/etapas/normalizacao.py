"""RF1: validate what is required and bring the pedido to one shape. Source: PRD RF1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crivo.autorizacoes.campos import ADMINISTRADORA, CODIGO, DESTINOS, TEXTOS, Found, TabelaDeCampos, keep_extra, settle
from crivo.autorizacoes.contracts import (
    Beneficiario,
    Documento,
    Normalizacao,
    PedidoNormalizado,
    Prestador,
    Procedimento,
    Solicitante,
    Value,
)
from crivo.autorizacoes.etapas.datas import read_date
from crivo.autorizacoes.etapas.ressalvas import URGENCIA_ILEGIVEL, Acervo, ressalvas
from crivo.autorizacoes.etapas.valores import (
    MAX_IDADE,
    UNREADABLE,
    fold_enum,
    read_boolean,
    read_idade,
    read_number,
    text_of,
    years_between,
)
from crivo.autorizacoes.leitura import Bruto, PedidoIlegivel
from crivo.autorizacoes.politicas.codigos import fold_documento, fold_id, normalize_codigo
from crivo.kernel.errors import Problem

SOLICITANTES = {"MEDICO": "MEDICO", "CLINICA": "CLINICA", "HOSPITAL": "HOSPITAL"}
PRESTADORES = {"CREDENCIADO": "CREDENCIADO", "NAO_CREDENCIADO": "NÃO_CREDENCIADO", "NÃO_CREDENCIADO": "NÃO_CREDENCIADO"}
TABELAS = {"TUSS": "TUSS", "CBHPM": "CBHPM", "OUTRA": "OUTRA"}


def _code_of(value: Any) -> Any:
    text = text_of(value)
    return text if text is UNREADABLE else normalize_codigo(text)


_COMPARABLE = {**dict.fromkeys(TEXTOS, text_of), CODIGO: _code_of}


class Recebido(Value, frozen=True, gc=False):
    """A pedido as it came in, and the ISO date of its receipt."""

    bruto: Bruto
    recebido_em: str


def normalizar(recebido: Recebido, tabelas: Mapping[str, TabelaDeCampos], base: TabelaDeCampos, acervo: Acervo) -> Normalizacao:
    """The pedido in one shape, with what blocks it and what is worth knowing.

    `tabelas` holds the field table of each administradora that extended `base`, by folded id. Raises `PedidoIlegivel`, naming every
    field at fault, when a value is of a type that cannot be read. Source: PRD RF1 1.2, 1.3.2.
    """
    found = base.find(recebido.bruto)
    if tabelas:
        own = tabelas.get(fold_id(_administradora(found)))
        if own is not None:
            found = own.find(recebido.bruto)
    lido = _Reader(found).normalizacao(recebido.recebido_em)
    erros, alertas = ressalvas(lido.pedido_normalizado, acervo)
    if not erros and not alertas:
        return lido
    return Normalizacao(
        lido.pedido_normalizado, (*lido.erros_bloqueantes, *erros), (*lido.alertas, *alertas), lido.pedido_valido and not erros
    )


def _administradora(found: Found) -> str:
    """The administradora as the base table alone would read it; only its id can say whose table to use."""
    named = [c for c in found.candidates if c.destino == ADMINISTRADORA]
    value = found.values[ADMINISTRADORA] or (min(named, key=lambda c: (c.rank, c.ordem)).valor if named else "")
    return str(value).strip() if type(value) in (str, int) else ""


class _Reader:
    """One reading of one pedido; it lives as long as a call of `normalizar`."""

    __slots__ = ("alertas", "erros", "found", "ilegiveis", "tuss")

    def __init__(self, found: Found) -> None:
        self.found = found
        self.erros: list[str] = []
        self.alertas: list[str] = []
        self.ilegiveis: list[str] = list(found.misshapen)
        self.tuss = False

    def normalizacao(self, recebido_em: str) -> Normalizacao:
        if self.found.candidates:
            self._settle()
        # The order of DESTINOS: one unpacking is much cheaper than eighteen look-ups.
        (
            pedido_id,
            administradora_id,
            plano_id,
            pedida,
            prevista,
            urgencia,
            documentos,
            beneficiario_id,
            idade,
            nascimento,
            carencia,
            preexistencias,
            codigo,
            tabela,
            descricao,
            quantidade,
            solicitante,
            prestador,
        ) = self.found.values
        pedido_id = self._required(pedido_id, "pedido_id")
        administradora_id = self._required(administradora_id, "administradora_id")
        plano_id = self._required(plano_id, "plano_id")
        beneficiario_id = self._required(beneficiario_id, "beneficiario.id")
        codigo = self._required(codigo, "procedimento.codigo")
        quantidade_lida = self._quantidade(quantidade)
        data_pedido = self._data_pedido(pedida, recebido_em)
        data_prevista = self._data_prevista(prevista)
        nascido_em, anos = self._nascimento(nascimento, data_pedido, recebido_em)
        pedido = PedidoNormalizado(
            pedido_id,
            administradora_id,
            plano_id,
            data_pedido,
            data_prevista,
            self._urgencia(urgencia, data_pedido, data_prevista),
            Beneficiario(beneficiario_id, self._idade(idade, anos), nascido_em, self._carencia(carencia), preexistencias),
            Procedimento(
                normalize_codigo(codigo) if codigo else None,
                self._enum(tabela, "procedimento.tabela", TABELAS, "OUTRA") or ("TUSS" if self.tuss else None),
                self._text(descricao, "procedimento.descricao"),
                quantidade_lida,
            ),
            Solicitante(self._enum(solicitante, "solicitante.tipo", SOLICITANTES, None)),
            Prestador(self._enum(prestador, "prestador.tipo", PRESTADORES, None)),
            () if documentos is None else self._documentos(documentos),
            self.found.extras,
        )
        if self.ilegiveis:
            raise _unreadable(self.ilegiveis)
        if quantidade_lida is None and quantidade is not None and not _blank(quantidade):
            self.erros.append("quantidade_invalida")
        if URGENCIA_ILEGIVEL in self.alertas:
            # Neither is a guess to be decided on: the pedido waits until whoever sent it says which.
            self.erros.append(URGENCIA_ILEGIVEL)
        return Normalizacao(pedido, tuple(self.erros), tuple(self.alertas), not self.erros)

    def _settle(self) -> None:
        # A canonical text that loses must still have been one.
        self.ilegiveis += [DESTINOS[index] for index in TEXTOS if text_of(self.found.values[index]) is UNREADABLE]
        for what, destino, candidate, from_tuss in settle(self.found, _COMPARABLE):
            self.alertas.append(f"campo_{what}:{DESTINOS[destino]}<-{candidate.origem}")
            self.tuss = self.tuss or from_tuss

    def _text(self, value: Any, campo: str) -> str | None:
        if value is None:
            return None
        text = text_of(value)
        if text is UNREADABLE:
            self.ilegiveis.append(campo)
            return None
        return text or None

    def _required(self, value: Any, campo: str) -> str | None:
        text = value.strip() if type(value) is str else self._text(value, campo)
        if not text:
            self.erros.append(f"campo_obrigatorio_ausente:{campo}")
            return None
        return text

    def _quantidade(self, value: Any) -> int | float | None:
        if value is None or _blank(value):
            self.erros.append("campo_obrigatorio_ausente:procedimento.quantidade")
            return None
        number = read_number(value)
        return number if number is not None and number > 0 else None

    def _data_pedido(self, value: Any, recebido_em: str) -> str | None:
        day = read_date(value)
        if day is not None:
            return day
        if value is None or _blank(value):
            self.alertas.append("data_pedido_presumida")
            return recebido_em
        self.erros.append("data_pedido_invalida")
        return None

    def _data_prevista(self, value: Any) -> str | None:
        if value is None or _blank(value):
            return None
        day = read_date(value)
        if day is None:
            self.erros.append("data_prevista_invalida")
        return day

    def _nascimento(self, value: Any, data_pedido: str | None, recebido_em: str) -> tuple[str | None, int | None]:
        """The date of birth, and the age that it gives on the day of the pedido."""
        if value is None or _blank(value):
            return None, None
        day = read_date(value, data_pedido or recebido_em)
        anos = years_between(day, data_pedido) if day is not None and data_pedido is not None else None
        if day is None or (anos is not None and not 0 <= anos <= MAX_IDADE):
            self.alertas.append("data_nascimento_invalida")
            return None, None
        return day, anos

    def _idade(self, value: Any, anos: int | None) -> int | None:
        informada = read_idade(value)
        if informada is None:
            if anos is None:
                self.alertas.append("idade_nao_informada")
            return anos
        if anos is not None and anos != informada:
            self.alertas.append("idade_divergente")
        return informada

    def _carencia(self, value: Any) -> int | float | None:
        days = read_number(value)
        if days is not None and days >= 0:
            return days
        self.alertas.append("carencia_nao_informada" if value is None or _blank(value) else "carencia_invalida")
        return None

    def _urgencia(self, value: Any, data_pedido: str | None, data_prevista: str | None) -> bool:
        if value is True or value is False:
            return bool(value)
        if value is None or _blank(value):
            if data_pedido is not None and data_pedido == data_prevista:
                self.alertas.append("urgencia_presumida_falsa")
            return False
        urgente = read_boolean(value)
        if urgente is None:
            self.alertas.append(URGENCIA_ILEGIVEL)
        return urgente or False

    def _enum(self, value: Any, campo: str, dominio: Mapping[str, str], otherwise: Any) -> Any:
        """The value of a closed domain; unknown text is `otherwise`, with an alert."""
        known = dominio.get(value) if type(value) is str else None
        if known is not None:
            return known
        text = self._text(value, campo)
        if text is None:
            return None
        known = dominio.get(fold_enum(text))
        if known is None:
            self.alertas.append(f"valor_fora_do_dominio:{campo}")
            return otherwise
        return known

    def _documentos(self, value: Any) -> tuple[Documento, ...]:
        if type(value) is not list:
            self.ilegiveis.append("documentos_anexos")
            return ()
        tipos: dict[str, None] = {}
        only_types = True
        for position, item in enumerate(value):
            tipo = item
            if type(item) is dict:
                tipo = item.get("tipo")
                only_types = only_types and len(item) == 1
            if type(tipo) is str:
                tipos[fold_documento(tipo)] = None
            else:
                self.ilegiveis.append(f"documentos_anexos[{position}]")
        if not only_types:
            keep_extra(self.found.extras, ("documentos_anexos",), value)
        tipos.pop("", None)
        return tuple([Documento(tipo) for tipo in tipos])


def _blank(value: Any) -> bool:
    return type(value) is str and (not value or value.isspace())


def _unreadable(campos: list[str]) -> PedidoIlegivel:
    return PedidoIlegivel(
        "O pedido traz campos de um tipo que não se consegue ler. Corrija-os e envie de novo.",
        [
            Problem(_EXPECTED.get(campo.partition("[")[0], "deve ser um texto"), campo[:120], codigo="tipo_ilegivel")
            for campo in campos[:50]
        ],
    )


_EXPECTED = {
    "documentos_anexos": "deve ser uma lista de textos ou de objetos com `tipo`",
    "beneficiario": "deve ser um objeto",
    "procedimento": "deve ser um objeto",
    "solicitante": "deve ser um objeto",
    "prestador": "deve ser um objeto",
}
