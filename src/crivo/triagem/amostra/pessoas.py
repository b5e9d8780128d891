"""The made-up people, budgets and calendars of the sample, the same at every run."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any, Final

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.identificadores import with_check_digits

_STREETS: Final = ("Rua das Flores", "Rua do Açude", "Travessa da Matriz", "Rua Nova", "Avenida da Estação", "Rua do Mercado")
_ORGANISATIONS: Final = frozenset(
    {"Associação", "Ateliê", "Banda", "Bloco", "Centro", "Coletivo", "Companhia", "Grupo", "Instituto", "Irmandade", "Nação"}
    | {"Produtora", "Quadrilha", "Trupe"}
)
_NAMES: Final = ("Adélia", "Bernardo", "Conceição", "Damião", "Eulália", "Firmino", "Genésio", "Hilda", "Idalina", "Joaquim")
_MIDDLE: Final = ("Freitas", "Macedo", "Peixoto", "Ribeiro", "Sampaio", "Torres", "Uchoa", "Veloso", "Xavier", "Zanella")
_SURNAMES: Final = ("Arruda", "Bessa", "Camelo", "Dantas", "Esmeraldo", "Feitosa", "Guedes", "Holanda", "Inácio", "Jucá")
_ITEMS: Final[Mapping[str, tuple[tuple[str, int, str], ...]]] = {
    "Música": (
        ("Cachê de músico (apresentação)", 12, "420"),
        ("Locação de som (diária)", 6, "780"),
        ("Gravação em estúdio (hora)", 20, "165"),
    ),
    "Teatro": (("Cachê de ator (apresentação)", 16, "380"), ("Confecção de figurino", 8, "290"), ("Locação de luz (diária)", 6, "640")),
    "Dança": (("Cachê de bailarino (apresentação)", 10, "400"), ("Confecção de figurino", 6, "285"), ("Piso de dança (locação)", 4, "520")),
    "Literatura": (("Impressão de livreto (unidade)", 400, "11.50"), ("Oficineiro (hora)", 60, "95"), ("Compra de livros", 120, "38")),
    "Audiovisual": (
        ("Locação de projetor (diária)", 12, "350"),
        ("Edição de vídeo (hora)", 40, "110"),
        ("Operador de câmera (diária)", 10, "480"),
    ),
    "Artes visuais": (
        ("Material de pintura e modelagem", 1, "4200"),
        ("Montagem de exposição", 1, "5600"),
        ("Oficineiro (hora)", 40, "95"),
    ),
    "Cultura popular": (
        ("Mestre de saber tradicional (mês)", 6, "1500"),
        ("Confecção de figurino", 30, "180"),
        ("Locação de som (diária)", 4, "780"),
    ),
    "Patrimônio": (
        ("Bolsa de estudante (mês)", 18, "450"),
        ("Digitalização (documento)", 3000, "2.20"),
        ("Consultoria em conservação (dia)", 8, "620"),
    ),
}
_COMMON_ITEMS: Final = (
    ("Intérprete de Libras (diária)", 6, "650"),
    ("Produção executiva (mês)", 6, "1800"),
    ("Transporte local (viagem)", 10, "240"),
    ("Material gráfico (milheiro)", 2, "310"),
)
_STAGES: Final = (("Preparação", 0, 45), ("Realização", 45, 200), ("Prestação de contas", 200, 240))
_STARTS: Final = date(2027, 1, 11)


def number(of: str, below: int) -> int:
    """A number under `below` that depends on the text alone."""
    return int.from_bytes(sha256(of.encode()).digest()[:8], "big") % below


def proponente(nome: str, municipio: str, key: str) -> dict[str, Any]:
    """Who proposes: an organisation with someone who answers for it, or a person; digits that check, all invented."""
    handle = fold(nome).split()[0]
    base = {
        "nome": nome,
        "email": f"{handle}{key[-2:]}@correio.exemplo",
        "endereco": f"{_STREETS[number(key, len(_STREETS))]}, {number(key + 'n', 900) + 10}, {municipio}",
        "banco": bank(key),
    }
    if nome.split()[0] not in _ORGANISATIONS:
        return {**base, "cpf_cnpj": cpf_of(key)}
    return {**base, "cpf_cnpj": cnpj_of(key), "responsavel": {"nome": person_of(key), "cpf": cpf_of(key + "resp")}}


def bank(key: str) -> dict[str, str]:
    """Where the money would go."""
    conta = f"{number(key + 'conta', 90000) + 10000}-{number(key, 10)}"
    return {"codigo": "001", "agencia": f"{number(key + 'agencia', 9000) + 1000}", "conta": conta}


def person_of(key: str) -> str:
    """A full name."""
    return f"{_NAMES[number(key, 10)]} {_MIDDLE[number(key + 'm', 10)]} {_SURNAMES[number(key + 's', 10)]}"


def cpf_of(key: str) -> str:
    """A CPF whose digits check."""
    return with_check_digits(f"{number(key + 'cpf', 10**9):09d}")


def cnpj_of(key: str) -> str:
    """A CNPJ whose digits check."""
    return with_check_digits(f"{number(key + 'cnpj', 10**8):08d}0001")


def budget(categoria: str, key: str) -> list[dict[str, Any]]:
    """The lines of a budget: those of its area and the usual ones, each priced a little apart."""
    return [
        {"descricao": item, "quantidade": quantity, "valor_unitario": _about(price, key + item)}
        for item, quantity, price in (*_ITEMS[categoria], *_COMMON_ITEMS)
    ]


def calendar(key: str) -> list[dict[str, Any]]:
    """Three stages in the year after the call."""
    begin = _STARTS + timedelta(days=number(key, 60))
    return [
        {"nome": nome, "inicio": (begin + timedelta(days=first)).isoformat(), "fim": (begin + timedelta(days=last)).isoformat()}
        for nome, first, last in _STAGES
    ]


def _about(price: str, key: str) -> float:
    off = Decimal(number(key, 301) - 150) / 1000  # within 15 %
    return float((Decimal(price) * (1 + off)).quantize(Decimal("0.01")))
