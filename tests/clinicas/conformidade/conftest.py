"""The official tools, and the servers that they are held against."""

from __future__ import annotations

import pytest

from ferramentas_node import NodeTools, node_tools


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> NodeTools:
    return node_tools(tmp_path_factory.mktemp("node"))
