"""RF1: validate what is required and bring the pedido to one shape. Source: PRD RF1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crivo.autorizacoes.campos import ADMINISTRADORA, CODIGO, DATA, DESTINOS, TEXTOS
from crivo.autorizacoes.contracts import (
    Beneficiario,
    Documento,
    Normalizacao,
    PedidoNormalizado,
    Prestador,
    Procedimento,
    Solicitante,
    Uso,
    Value,
)
from crivo.autorizacoes.etapas.complementos import complementar
from crivo.autorizacoes.etapas.documentos import read_documentos
from crivo.autorizacoes.etapas.ilegiveis import (
    CARENCIA_ILEGIVEL,
    IDADE_ILEGIVEL,
    NASCIMENTO_ILEGIVEL,
    QUANTIDADE_FRACIONADA,
    URGENCIA_ILEGIVEL,
    unreadable,
)
from crivo.autorizacoes.etapas.ressalvas import Acervo, ressalvas
from crivo.autorizacoes.etapas.valores import (
    MAX_IDADE,
    UNREADABLE,
    fold_enum,
    prestadores,
    read_boolean,
    read_dias,
    read_idade,
    read_number,
    says_nothing,
    text_of,
    years_between,
)
from crivo.autorizacoes.extracao import NAO_USADOS, Extrator, Found, keep_extra, settle
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.motivos import CAMPO_AUSENTE, DATA_DO_PEDIDO, DATA_NO_FUTURO, DATA_PREVISTA, QUANTIDADE_INVALIDA, VALOR_DESCONHECIDO
from crivo.autorizacoes.politicas.codigos import fold_id, normalize_codigo
from crivo.autorizacoes.politicas.planos import QUALQUER
from crivo.autorizacoes.sobras_do_formato import weighing_leftovers
from crivo.kernel.linguagem.datas_escritas import read_date

SOLICITANTES = {"MEDICO": "MEDICO", "CLINICA": "CLINICA", "HOSPITAL": "HOSPITAL"}
PRESTADORES = prestadores()
TABELAS = {"TUSS": "TUSS", "CBHPM": "CBHPM", "OUTRA": "OUTRA"}
# By number, as TISS has them (Tabela 87): the procedures of TUSS; its daily rates, materials and drugs; an operator's own tables.
TABELAS |= {"22": "TUSS", **dict.fromkeys(("18", "19", "20", "00", "98"), "OUTRA")}

_NUMEROS = ("pedido_id", "beneficiario.id")


def _code_of(value: Any) -> Any:
    text = text_of(value)
    return text if text is UNREADABLE else normalize_codigo(text)


_COMPARABLE = {**dict.fromkeys(TEXTOS, text_of), CODIGO: _code_of}


class Recebido(Value, frozen=True, gc=False):
    """A pedido as it came in, the ISO date of its receipt, and what this house knows that its beneficiário already had.

    `historico` is None where nobody asked the house. `ate` is the last ISO date that a pedido may have, None where it may have any: one
    that is made up to try the rules.
    """

    bruto: Bruto
    recebido_em: str
    historico: tuple[Uso, ...] | None = None
    ate: str | None = None


def normalizar(recebido: Recebido, extratores: Mapping[str, Extrator], base: Extrator, acervo: Acervo) -> Normalizacao:
    """The pedido in one shape, with what blocks it and what is worth knowing.

    `extratores` are of the administradoras that extended the table of `base`, by folded id. Raises `PedidoIlegivel`, naming every
    field at fault, when a value is of a type that cannot be read. Source: PRD RF1 1.2, 1.3.2.
    """
    extrator, found = base, base.find(recebido.bruto)
    if extratores:
        own = extratores.get(fold_id(_administradora(found)))
        if own is not None:
            extrator, found = own, own.find(recebido.bruto)
    lido = _Reader(found).normalizacao(recebido.recebido_em, recebido.ate)
    pede = acervo.pede(lido.pedido_normalizado.administradora_id or "")
    if pede:
        lido = complementar(lido, extrator.tabela, pede, recebido.historico)
    erros, alertas = ressalvas(lido.pedido_normalizado, acervo)
    if not erros and not alertas:
        return lido
    return Normalizacao(
        lido.pedido_normalizado, (*lido.erros_bloqueantes, *erros), (*lido.alertas, *alertas), lido.pedido_valido and not erros
    )


def _administradora(found: Found) -> str:
    """The administradora as the base table alone would read it; only its id can say whose table to use."""
    named = (candidate.valor for candidate in found.candidates if candidate.origem.destino == ADMINISTRADORA)
    value = found.values[ADMINISTRADORA] or next(named, "")
    return str(value).strip() if type(value) in (str, int) else ""


class _Reader:
    """One reading of one pedido; it lives as long as a call of `normalizar`."""

    __slots__ = ("alertas", "erros", "found", "ilegiveis", "theirs", "tuss")

    def __init__(self, found: Found) -> None:
        self.found = found
        self.erros: list[str] = []
        self.alertas: list[str] = []
        self.ilegiveis: list[str] = list(found.misshapen)
        self.theirs: dict[str, str] = {}
        self.tuss = False

    def normalizacao(self, recebido_em: str, ate: str | None) -> Normalizacao:
        if self.found.candidates:
            self._settle()
        self.alertas += self.found.nao_lidos
        if NAO_USADOS in self.found.extras:
            self.alertas += weighing_leftovers(self.found.extras, read_date(self.found.values[DATA]) or recebido_em)
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
        data_pedido = self._data_pedido(pedida, recebido_em, ate)
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
            () if documentos is None else self._documentos(documentos, data_pedido),
            self.found.extras,
        )
        if self.ilegiveis:
            raise unreadable(self.ilegiveis, self.found.misshapen, self.theirs)
        if quantidade_lida is None and quantidade is not None and not _blank(quantidade):
            self._keep_unread("procedimento.quantidade", quantidade)
            self.erros.append(QUANTIDADE_INVALIDA)
        if type(quantidade_lida) is float and (quantidade_lida < 1 or pedido.procedimento.tabela != "OUTRA"):
            self.alertas.append(QUANTIDADE_FRACIONADA)  # of procedures there are whole ones; what OUTRA lists may come by halves
        if URGENCIA_ILEGIVEL in self.alertas:
            # Neither is a guess to be decided on: the pedido waits until whoever sent it says which.
            self.erros.append(URGENCIA_ILEGIVEL)
        return Normalizacao(pedido, tuple(self.erros), tuple(self.alertas), not self.erros)

    def _settle(self) -> None:
        # A canonical text that loses must still have been one.
        self.ilegiveis += [DESTINOS[index] for index in TEXTOS if text_of(self.found.values[index]) is UNREADABLE]
        for what, origem, from_tuss in settle(self.found, _COMPARABLE):
            self.alertas.append(f"campo_{what}:{DESTINOS[origem.destino]}<-{'.'.join(origem.chaves)}")
            self.tuss = self.tuss or from_tuss
            if what == "mapeado":
                self.theirs[DESTINOS[origem.destino]] = ".".join(origem.chaves)

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
        # The doors of TISS and FHIR say by QUALQUER that the plano does not matter; whoever means that there is none writes it otherwise.
        if text and says_nothing(text, is_number=campo in _NUMEROS) and not (campo == "plano_id" and text == QUALQUER):
            self._keep_unread(campo, value)
            text = None
        if not text:
            self.erros.append(f"{CAMPO_AUSENTE}:{campo}")
            return None
        return text

    def _quantidade(self, value: Any) -> int | float | None:
        if value is None or _blank(value):
            self.erros.append(f"{CAMPO_AUSENTE}:procedimento.quantidade")
            return None
        number = read_number(value)
        return number if number is not None and number > 0 else None

    def _data_pedido(self, value: Any, recebido_em: str, ate: str | None) -> str | None:
        day = read_date(value)
        if day is not None:
            if ate is not None and day > ate:
                self.erros.append(DATA_NO_FUTURO)
            return day
        if value is None or _blank(value):
            self.alertas.append("data_pedido_presumida")
            return recebido_em
        self._keep_unread("data_pedido", value)
        self.erros.append(DATA_DO_PEDIDO)
        return None

    def _data_prevista(self, value: Any) -> str | None:
        if value is None or _blank(value):
            return None
        day = read_date(value)
        if day is None:
            self._keep_unread("data_prevista", value)
            self.erros.append(DATA_PREVISTA)
        return day

    def _nascimento(self, value: Any, data_pedido: str | None, recebido_em: str) -> tuple[str | None, int | None]:
        """The date of birth, and the age that it gives on the day of the pedido."""
        if value is None or _blank(value):
            return None, None
        day = read_date(value, data_pedido or recebido_em)
        anos = years_between(day, data_pedido) if day is not None and data_pedido is not None else None
        if day is None or (anos is not None and not 0 <= anos <= MAX_IDADE):
            self._keep_unread("beneficiario.data_nascimento", value)
            self.alertas.append(NASCIMENTO_ILEGIVEL)
            return None, None
        return day, anos

    def _idade(self, value: Any, anos: int | None) -> int | None:
        informada = read_idade(value)
        if informada is None:
            if value is not None and not _blank(value):
                self._keep_unread("beneficiario.idade", value)
                self.alertas.append(IDADE_ILEGIVEL)
            if anos is None:
                self.alertas.append("idade_nao_informada")
            return anos
        if anos is not None and anos != informada:
            self.alertas.append("idade_divergente")
        return informada

    def _carencia(self, value: Any) -> int | float | None:
        days = read_number(value)
        if days is None:
            days = read_dias(value)
        if days is not None and days >= 0:
            return days
        if value is None or _blank(value):
            self.alertas.append("carencia_nao_informada")
        else:
            self._keep_unread("beneficiario.carencia_cumprida_dias", value)
            self.alertas.append(CARENCIA_ILEGIVEL)
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
            self._keep_unread("urgencia", value)
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
            self._keep_unread(campo, value)
            self.alertas.append(f"{VALOR_DESCONHECIDO}:{campo}")
            return otherwise
        return known

    def _documentos(self, value: Any, data_pedido: str | None) -> tuple[Documento, ...]:
        if type(value) is not list:
            self.ilegiveis.append("documentos_anexos")
            return ()
        lidos = read_documentos(value, data_pedido)
        if lidos.ilegiveis:
            self.ilegiveis += [f"documentos_anexos[{position}]" for position in lidos.ilegiveis]
        if lidos.mais:
            self.alertas += lidos.alertas
            keep_extra(self.found.extras, ("documentos_anexos",), value)
        return lidos.documentos

    def _keep_unread(self, campo: str, value: Any) -> None:
        """What a known field held and nobody could read stays with the pedido, so that a person can be told what it was."""
        keep_extra(self.found.extras, tuple(campo.split(".")), value)


def _blank(value: Any) -> bool:
    return type(value) is str and (not value or value.isspace())
