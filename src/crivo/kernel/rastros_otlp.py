"""Spans sent out by OTLP over HTTP, where `OTEL_EXPORTER_OTLP_ENDPOINT` says where to. The one file that knows the SDK.

The SDK reads its other standard names (`OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`…) from the environment.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar, Final

from crivo.kernel import rastros
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.instalacao import command_for_extra

if TYPE_CHECKING:
    from crivo.kernel.settings import Settings

_LAST_SECONDS: Final = 2.0


class SemExportador(CrivoError):
    """Traces are to be exported, and what exports them is not installed."""

    codigo: ClassVar[str] = "sem_exportador_de_rastros"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Falta o que envia os rastros"


def require_exporter(settings: Settings) -> None:
    """See that what sends spans is there, where any are to be sent. Raises SemExportador."""
    if not settings.rastros_para:
        return
    try:
        import opentelemetry.exporter.otlp.proto.http.trace_exporter
        import opentelemetry.sdk.trace  # noqa: F401 - both are of the extra
    except ImportError:
        raise SemExportador(
            "OTEL_EXPORTER_OTLP_ENDPOINT diz para onde enviar rastros, mas falta o que os envia. "
            f"Instale com: {command_for_extra('otlp')}. Para não enviar, deixe OTEL_EXPORTER_OTLP_ENDPOINT vazio."
        ) from None


@contextmanager
def exporting(settings: Settings, papel: str) -> Iterator[None]:
    """Send the spans of this process while the block lasts, where the settings say where to; what is on its way at the end is sent.

    `papel` is what the process does, as in `servidor`. A collector that does not answer costs spans and no request. Raises SemExportador.
    """
    require_exporter(settings)
    if not settings.rastros_para:
        yield
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    nome = {"service.name": settings.otel_service_name, "service.version": version("crivo"), "crivo.papel": papel}
    provider = TracerProvider(resource=Resource.create(nome), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint=settings.rastros_para)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    rastros.export_to(provider)
    try:
        yield
    finally:
        rastros.export_to(None)
        giving_up = threading.Timer(_LAST_SECONDS, exporter.shutdown)  # else it would try again for as long as a batch may take
        giving_up.start()
        provider.shutdown()
        giving_up.cancel()
