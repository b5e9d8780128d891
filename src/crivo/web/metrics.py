"""What an operator watches: requests, how long they took, and how decisions end. No label holds anything that was sent."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry

from crivo.kernel.medidas import counter, histogram
from crivo.vigia.catalogo import DECISOES, HTTP, HTTP_SEGUNDOS

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD: Final = "OUTRO"
_BUCKETS_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The metrics of one application, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = counter(HTTP, self.registry)
        self._seconds = histogram(HTTP_SEGUNDOS, _BUCKETS_SECONDS, self.registry)
        self._decisions = counter(DECISOES, self.registry)

    def answered(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a request; `route` is the template of its address. One that is listened to for as long as somebody likes took no time."""
        method = method if method in METHODS else OTHER_METHOD
        self._requests.labels(method, route, str(status)).inc()
        if seconds is not None:
            self._seconds.labels(method, route).observe(seconds)

    def decided(self, decisao_final: str) -> None:
        """Count a decision that was made now; one that an idempotency key brought back is none."""
        self._decisions.labels(decisao_final).inc()
