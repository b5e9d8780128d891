"""The tables of a silo, and how one of an earlier version comes to them."""

from __future__ import annotations

from typing import Final

VERSION: Final = 3
BEFORE_KEYS: Final = 1  # names and CPFs stood in the clear
BARE_DIGESTS: Final = 2  # a code's digest had no key, and wrong codes were counted beside the slot that they did not fit

# `paciente` is who has the slot, sealed under the key of that booking; `cpf_indice` is the keyed digest by which the same person is known
# again. A key that was destroyed keeps its digest: that something was erased is still known. `codigo_resumo` is the keyed digest of the
# booking's own code, and `origem` that of the conversation which told it last; what was booked before there were codes has none.
TABLES: Final = (
    """
    create table slots (
        id integer primary key,
        doctor text not null,
        specialty text not null,
        date text not null,
        time text not null,
        available integer not null check (available in (0, 1)),
        paciente blob,
        chave text,
        cpf_indice blob,
        codigo_resumo blob,
        origem blob,
        unique (doctor, date, time),
        check ((paciente is null) = (chave is null)),
        check (available = 0 or chave is null)
    )""",
    "create index slots_por_cpf on slots (cpf_indice) where cpf_indice is not null",
    """
    create table chaves (
        id text primary key,
        cpf blob,
        embrulhada blob,
        criada_em text not null,
        destruida_em text,
        check ((embrulhada is null) = (destruida_em is not null))
    )""",
    "create index chaves_por_cpf on chaves (cpf)",
    # A patient's record stays for as long as the law says, sealed under the silo's own key.
    "create table patients (patient_id text primary key, record blob not null, cpf_indice blob)",
    # By which a silo knows its master key again; it opens nothing.
    "create table sigilo (impressao blob not null)",
)
# How often a code that fits nothing was tried for a CPF on a day, by whom; x'' is all of them together. Written alike for a CPF that holds
# something and one that holds nothing. What was cancelled is known again by its code for a day: it may be given back with it.
TRIES: Final = (
    """
    create table tentativas (
        dia text not null, cpf blob not null, origem blob not null, vezes integer not null, primary key (dia, cpf, origem)
    ) without rowid""",
    """
    create table canceladas (
        dia text not null, cpf blob not null, codigo_resumo blob not null, doctor text not null, date text not null, time text not null,
        primary key (dia, cpf, codigo_resumo)
    ) without rowid""",
)
KEYED: Final = ("alter table slots drop column tentativas", "alter table slots add column origem blob")
BARE: Final = "select id, codigo_resumo from slots where codigo_resumo is not null"
REKEY: Final = "update slots set codigo_resumo = ? where id = ?"
# Whether the slots are the sample's, to which those of coming days are added.
SAMPLE: Final = "create table sample (is_sample integer not null check (is_sample in (0, 1)))"
SET_ASIDE: Final = ("alter table slots rename to slots_1", "alter table patients rename to patients_1")
OLD_SLOTS: Final = "select doctor, specialty, date, time, available, patient_name, cpf from slots_1 order by id"
OLD_PATIENTS: Final = "select record from patients_1"
DROP_OLD: Final = ("drop table slots_1", "drop table patients_1")
