"""The ledger of who did what: entries are only ever added, and each is sealed over the one before it."""

from crivo.kernel.audit.chain import Break, Entry, Head, NewEntry, Verification, Verifier, next_digest, verify
from crivo.kernel.audit.ledger import append, verify_tenant
from crivo.kernel.audit.rows import RowBreak, RowsVerification, verify_rows
from crivo.kernel.audit.seals import DIGESTS, SealedTable, changed, read_seals

__all__ = [
    "DIGESTS",
    "Break",
    "Entry",
    "Head",
    "NewEntry",
    "RowBreak",
    "RowsVerification",
    "SealedTable",
    "Verification",
    "Verifier",
    "append",
    "changed",
    "next_digest",
    "read_seals",
    "verify",
    "verify_rows",
    "verify_tenant",
]
