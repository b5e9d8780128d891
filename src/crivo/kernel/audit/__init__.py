"""The ledger of who did what: entries are only ever added, and each is sealed over the one before it."""

from crivo.kernel.audit.chain import Break, Entry, Head, NewEntry, Verification, Verifier, next_digest, verify
from crivo.kernel.audit.ledger import append, verify_tenant

__all__ = ["Break", "Entry", "Head", "NewEntry", "Verification", "Verifier", "append", "next_digest", "verify", "verify_tenant"]
