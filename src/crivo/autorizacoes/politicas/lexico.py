"""The words by which observações are read, as data; all of them folded: lower case, no accents, one blank between words."""

from __future__ import annotations

from functools import cache

import msgspec

from crivo.kernel.linguagem.lexico import read_lexico


class Lexico(msgspec.Struct, frozen=True):
    """Lists of words and phrases, by what they do in a sentence."""

    antes_do_codigo: tuple[str, ...]
    pede_o_codigo: tuple[str, ...]
    em_vez: tuple[str, ...]
    depois_do_codigo: tuple[str, ...]
    entre: frozenset[str]
    nega_alternativa: tuple[str, ...]
    idade: tuple[str, ...]
    leva_a_auditoria: tuple[str, ...]
    auditoria: tuple[str, ...]
    auditoria_faz: tuple[str, ...]
    nega_via: tuple[str, ...]
    restringe: tuple[str, ...]
    restringe_com_numero: tuple[str, ...]
    decide_sem_numero: tuple[str, ...]
    quem_decide: tuple[str, ...]
    excetua: tuple[str, ...]
    outra_rede: tuple[str, ...]
    sexo: tuple[str, ...]
    nao_cobre: tuple[str, ...]
    sem_restricao: dict[str, tuple[str, ...]]
    assunto_de: dict[str, tuple[str, ...]]


@cache
def lexico() -> Lexico:
    """The lexicon as it comes with the product."""
    return read_lexico("crivo.autorizacoes.politicas", "observacoes", Lexico)
