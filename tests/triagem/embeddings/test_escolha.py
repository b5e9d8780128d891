"""The setting names an embedder, or is told what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from crivo.kernel.errors import Kind
from crivo.triagem.embeddings.escolha import is_remote, open_embedder
from crivo.triagem.embeddings.local import LocalEmbedder
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable


@pytest.mark.parametrize("setting", ["local", ""])
def test_without_a_choice_texts_are_compared_without_a_model(setting: str) -> None:
    assert isinstance(open_embedder(setting), LocalEmbedder)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("sentence-transformers:", "modules.json"),
        ("sentence-transformers:/nao/existe", "modules.json"),
        ("gpt", "use local, semantico ou sentence-transformers:<pasta>, ou ainda openai:<modelo>"),
    ],
)
def test_what_cannot_be_used_is_told_with_what_can(setting: str, said: str) -> None:
    with pytest.raises(EmbeddingsUnavailable, match=said) as raised:
        open_embedder(setting)
    assert raised.value.kind is Kind.MISUSE
    assert "local" in raised.value.mensagem


def test_a_folder_that_is_no_model_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingsUnavailable, match=tmp_path.name):
        open_embedder(f"sentence-transformers:{tmp_path}")


@pytest.mark.parametrize(
    ("setting", "remote"),
    [
        ("openai:text-embedding-3-small", True),
        ("https://modelos.exemplo.org/v1#e5", True),
        ("local", False),
        ("sentence-transformers:/x", False),
    ],
)
def test_a_service_is_known_by_its_setting(setting: str, remote: bool) -> None:
    assert is_remote(setting) is remote
