"""What the embedded cluster asks of the operating system."""

from __future__ import annotations

import threading
from pathlib import Path

from crivo.kernel.storage.processes import alone_with


def test_two_that_would_make_the_servers_account_at_once_take_turns(tmp_path: Path) -> None:
    order: list[str] = []
    inside = threading.Event()

    def second() -> None:
        inside.wait()
        order.append("second asks")
        with alone_with(tmp_path):
            order.append("second is in")

    other = threading.Thread(target=second)
    other.start()
    with alone_with(tmp_path):
        inside.set()
        other.join(0.2)
        assert other.is_alive()
        order.append("first leaves")
    other.join()
    assert order == ["second asks", "first leaves", "second is in"]
