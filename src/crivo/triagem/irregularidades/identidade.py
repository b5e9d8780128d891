"""Who is behind a project, in the forms in which it can be compared, and in those in which it may be shown."""

from __future__ import annotations

import re

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.identificadores import CPF_DIGITS, document_of
from crivo.kernel.linguagem.nomes import folded_name
from crivo.triagem.edital import Banco, Projeto, Proponente

_NOT_ALNUM = re.compile(r"[\W_]+")


def proponente_of(projeto: Projeto) -> str:
    """The same text for the same proponente: the CPF or CNPJ, or the folded name where there is none, or the project's own id."""
    proponente = projeto.proponente
    return document_of(proponente.cpf_cnpj) or folded_name(proponente.nome) or f"projeto {projeto.id}"


def email_of(email: str) -> str:
    """An e-mail address as it is compared, empty where it is none; what follows a `+` is the same mailbox."""
    local, at, domain = fold(email).replace(" ", "").rpartition("@")
    return f"{local.split('+')[0]}@{domain}" if at and local and "." in domain else ""


def address_of(endereco: str) -> str:
    """A street address as it is compared, words in full, no punctuation; empty without a number, as a street alone is shared by many."""
    said = [_SHORT.get(word, word) for word in folded_name(endereco).split()]
    told = [word for word in said if word not in _NOISE]
    return " ".join(told) if len(told) >= 3 and any(word.isdigit() for word in told) else ""


def account_of(banco: Banco | None) -> str:
    """A bank account as it is compared, by bank, branch and number without leading zeros; empty where any is missing."""
    if banco is None:
        return ""
    parts = [_NOT_ALNUM.sub("", part).upper().lstrip("0") for part in (banco.codigo, banco.agencia, banco.conta)]
    return "/".join(parts) if all(parts) and len(parts[2]) > 2 else ""


def masked_email(email: str) -> str:
    """The first letter and the domain."""
    local, _, domain = email.rpartition("@")
    return f"{local[:1]}***@{domain}"


def masked_account(account: str) -> str:
    """The bank and the account's last two characters."""
    codigo, _, conta = account.split("/")
    return f"banco {codigo}, conta final {conta[-2:]}"


def names_of(proponente: Proponente) -> tuple[str, ...]:
    """The proponente and who answers for it, as written."""
    responsavel = proponente.responsavel.nome if proponente.responsavel else ""
    return tuple(nome for nome in (proponente.nome, responsavel) if nome.strip())


def cpfs_of(proponente: Proponente) -> tuple[str, ...]:
    """The CPFs of the proponente and of who answers for it."""
    declared = (proponente.cpf_cnpj, proponente.responsavel.cpf if proponente.responsavel else "")
    return tuple(dict.fromkeys(bare for bare in map(document_of, declared) if len(bare) == CPF_DIGITS))


_SHORT = {
    "r": "rua",
    "av": "avenida",
    "trav": "travessa",
    "tv": "travessa",
    "pca": "praca",
    "ap": "apartamento",
    "apto": "apartamento",
    "bl": "bloco",
    "rod": "rodovia",
}
_NOISE = frozenset({"n", "no", "numero", "num", "cep", "bairro", "de", "da", "do", "das", "dos"})
