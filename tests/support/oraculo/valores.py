"""How each kind of value is read in a pedido: text, codes, document types, numbers, dates, ages, yes and no.

One plain function a kind; None where the value is not of that kind. Source: the design's RF1.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

SIM = ("u", "sim", "s", "true", "verdadeiro", "1", "yes", "urgente", "urgent", "urgencia", "emergencia")
NAO = ("nao", "n", "false", "falso", "0", "no", "eletivo", "eletiva", "nao urgente", "routine", "de rotina")
MESES = ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro")


@cache
def drop_accents(texto: str) -> str:
    return "".join(letra for letra in unicodedata.normalize("NFKD", texto) if not unicodedata.combining(letra))


@cache
def fold_key(chave: str) -> str:
    """`dataPedido`, `Data Pedido`, `DATA_PEDIDO` → `data_pedido`."""
    palavras = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", drop_accents(chave))
    return re.sub(r"[^0-9A-Za-z]+", "_", palavras).strip("_").lower()


@cache
def fold_documento(texto: str) -> str:
    """`Laudo médico` → `LAUDO_MEDICO`."""
    return re.sub(r"[\W_]+", "_", drop_accents(texto).upper()).strip("_")


@cache
def normalize_codigo(texto: str) -> str:
    """`4.03.04.36-1` → `40304361`; a code with letters keeps its punctuation."""
    codigo = "".join(texto.upper().split())
    algarismos = re.sub(r"[./-]", "", codigo)
    return algarismos if algarismos.isdigit() else codigo


def read_texto(valor: Any) -> str | None:
    """The trimmed text, a number as its decimal text; None where absent or blank."""
    if isinstance(valor, float):
        valor = int(valor) if valor.is_integer() else format(Decimal(repr(valor)), "f")
    return (str(valor).strip() or None) if valor is not None else None


def is_blank(valor: Any) -> bool:
    return valor is None or (isinstance(valor, str) and not valor.strip())


def read_numero(valor: Any) -> int | float | None:
    """A JSON number, or text such as `2`, `-1,5`, `1.234,5`; None where it is neither."""
    if isinstance(valor, bool):
        return None
    if isinstance(valor, str):
        escrito = valor.strip()
        if re.fullmatch(r"[+-]?[0-9]{1,3}(\.[0-9]{3})+,[0-9]+", escrito):
            escrito = escrito.replace(".", "")
        elif not re.fullmatch(r"[+-]?[0-9]+([.,][0-9]+)?", escrito):
            return None
        elif re.fullmatch(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}", escrito):
            return None  # a thousand, or one with three decimals
        exato = Decimal(escrito.replace(",", "."))
        return int(exato) if exato == exato.to_integral_value() else float(exato)
    if isinstance(valor, int | float):
        return int(valor) if isinstance(valor, int) or valor.is_integer() else valor
    return None


FORMAS_DE_DATA = (
    re.compile(r"(?P<d>[0-9]{1,2})(?P<s>[/.-])(?P<m>[0-9]{1,2})(?P=s)(?P<a>[0-9]{4})"),
    re.compile(r"(?P<a>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})"),
    re.compile(r"(?P<a>[0-9]{4})/(?P<m>[0-9]{2})/(?P<d>[0-9]{2})"),
    re.compile(r"(?P<a>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})"),
)
DATA_E_HORA = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T.+")


CURTA = re.compile(r"([0-9]{1,2})([/.])([0-9]{1,2})\2([0-9]{2})")
COM_HORA = re.compile(r"([0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4}) (?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?")
POR_EXTENSO = re.compile(r"([0-9]{1,2}) de ([a-zç]+) de ([0-9]{4})")


def read_nascimento(valor: Any, ate: date) -> date | None:
    """A birth date; with a year of two figures, the latest such day that is not after `ate`."""
    curta = CURTA.fullmatch(valor.strip()) if isinstance(valor, str) else None
    if curta is None:
        return read_data(valor)
    dia, _, mes, ano = curta.groups()
    recente = read_data(f"{dia}/{mes}/20{ano}")
    return recente if recente is not None and recente <= ate else read_data(f"{dia}/{mes}/19{ano}")


def in_figures(escrita: str) -> str:
    """`05/11/2026 14:30` and `5 de novembro de 2026` as a plain date in figures; anything else as it is."""
    if com_hora := COM_HORA.fullmatch(escrita):
        return com_hora[1]
    if (extenso := POR_EXTENSO.fullmatch(escrita.lower())) and extenso[2] in MESES:
        return f"{extenso[1]}/{MESES.index(extenso[2]) + 1}/{extenso[3]}"
    return escrita


def read_data(valor: Any) -> date | None:
    """The calendar date, 1900 to 2199, day first; None where it is not one."""
    if isinstance(valor, int) and not isinstance(valor, bool):
        valor = str(valor)
        if len(valor) != 8:
            return None
    if not isinstance(valor, str):
        return None
    escrita = in_figures(valor.strip())
    if DATA_E_HORA.fullmatch(escrita):
        try:
            datetime.fromisoformat(escrita)
        except ValueError:
            return None
        escrita = escrita[:10]
    for forma in FORMAS_DE_DATA:
        if achada := forma.fullmatch(escrita):
            ano, mes, dia = (int(achada[parte]) for parte in "amd")
            try:
                return date(ano, mes, dia) if 1900 <= ano <= 2199 else None
            except ValueError:
                return None
    return None


COM_UNIDADE = re.compile(r"([0-9]{1,9}) ?([a-zA-Z]+)\.?")
ANOS, MESES_DE_VIDA, DIAS = ("anos", "ano", "a", "years"), ("meses", "mes"), ("dias", "dia", "d", "days")


def read_idade(valor: Any) -> int | None:
    """Whole years, 0 to 130, as an integer, an integral float, or digits, also with a unit: twelve months of life are a year."""
    if isinstance(valor, str) and (anos_e_meses := re.fullmatch(r"([0-9]{1,3} anos) e ([0-9]|1[01]) meses", valor.strip())):
        valor = anos_e_meses[1]
    if isinstance(valor, str) and (medida := COM_UNIDADE.fullmatch(drop_accents(valor).strip())):
        quantos, unidade = int(medida[1]), medida[2].lower()
        valor = (
            quantos if unidade in ANOS else quantos // 12 if unidade in MESES_DE_VIDA else 0 if unidade in DIAS and quantos < 365 else None
        )
    if isinstance(valor, str):
        valor = int(valor) if re.fullmatch(r"[0-9]{1,9}", valor := valor.strip()) else None
    if isinstance(valor, float) and valor.is_integer():
        valor = int(valor)
    return valor if isinstance(valor, int) and not isinstance(valor, bool) and 0 <= valor <= 130 else None


def read_dias(valor: Any) -> int | float | None:
    """A number of days, with or without saying that they are days."""
    dias = re.fullmatch(r"(.*[0-9]) ?([a-zA-Z]+)\.?", valor.strip()) if isinstance(valor, str) else None
    return read_numero(dias[1] if dias and dias[2].lower() in DIAS else valor)


def age(nascimento: date, em: date) -> int:
    """Birthdays had."""
    return em.year - nascimento.year - ((em.month, em.day) < (nascimento.month, nascimento.day))


def read_sim_ou_nao(valor: Any) -> bool | None:
    """A boolean, 1 or 0, or the words for them."""
    if isinstance(valor, bool):
        return valor
    dito = (
        drop_accents(valor).strip().lower().replace("-", " ").replace("_", " ")
        if isinstance(valor, str)
        else read_texto(valor)
        if isinstance(valor, int | float)
        else None
    )
    return True if dito in SIM else False if dito in NAO else None


def fold_id(texto: str) -> str:
    """`Plano  Óuro` → `PLANOOURO`: an id as it is compared."""
    return "".join(drop_accents(texto).upper().split())


def match_id(texto: str, conhecidos: list[str]) -> str:
    """Which of the known ids this is, folded; itself folded where it is none of them.

    Figures alone that are none are the one known id that is the same but for zeros before it.
    """
    dobrado = fold_id(texto)
    dobrados = {fold_id(conhecido) for conhecido in conhecidos}
    if dobrado in dobrados or not (dobrado.isascii() and dobrado.isdigit()):
        return dobrado
    com_zeros = [um for um in dobrados if um.startswith("0") and um.isascii() and um.isdigit() and int(um) == int(dobrado)]
    return com_zeros[0] if len(com_zeros) == 1 else dobrado
