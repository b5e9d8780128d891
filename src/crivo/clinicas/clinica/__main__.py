"""`python -m crivo.clinicas.clinica ORDER`, as the supervisor starts it."""

from __future__ import annotations

import sys

import msgspec

from crivo.clinicas.clinica.process import Order, run

if __name__ == "__main__":
    sys.exit(run(msgspec.json.decode(sys.argv[1].encode(), type=Order)))
