"""The pages as a program that says when it is up."""

from __future__ import annotations

from crivo.kernel.logs import configure_logs
from crivo.kernel.settings import load_settings
from crivo.web.server import serve


def serve_as_told() -> None:
    """Serve by what the environment says, until told to stop."""
    configure_logs("INFO")
    serve(load_settings(None), on_ready=lambda: print("no ar", flush=True))  # noqa: T201 - heard by whoever started it
