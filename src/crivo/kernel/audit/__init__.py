"""The ledger of who did what: entries are only ever added, and each is sealed over the one before it."""

from crivo.kernel.atos import NewEntry
from crivo.kernel.audit.chain import Break, Entry, Head, Verification, Verifier, next_digest, verify
from crivo.kernel.audit.ledger import CHAVE, append, verify_tenant
from crivo.kernel.audit.rows import COMPLETE, RowBreak, RowsVerification, is_complete, read_unsealed, verify_rows
from crivo.kernel.audit.seals import DIGESTS, SealedTable, changed, read_seals

__all__ = [
    "CHAVE",
    "COMPLETE",
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
    "is_complete",
    "next_digest",
    "read_seals",
    "read_unsealed",
    "verify",
    "verify_rows",
    "verify_tenant",
]
