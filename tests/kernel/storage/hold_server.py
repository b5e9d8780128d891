"""A process that holds the embedded server of a data folder: says so, and lets go when its input ends."""

from __future__ import annotations

import sys
from pathlib import Path

from crivo.kernel.storage.embedded import EmbeddedPostgres, embedded_status

embedded = EmbeddedPostgres(Path(sys.argv[1]), settings={"fsync": "off"})
embedded.start()
sys.stdout.write(f"{embedded_status(Path(sys.argv[1])).pid} {embedded.runtime_url}\n")
sys.stdout.flush()
sys.stdin.read()
if "--sem-soltar" not in sys.argv:
    embedded.release()
