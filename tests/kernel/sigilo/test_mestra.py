"""The master key: made once, readable by nobody else, and never replaced in silence. Source: design/sujeito.md, Erasure."""

from __future__ import annotations

import stat
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from chaves_de_teste import CHAVE_MESTRA, MESTRA
from crivo.kernel.settings import Settings, WrongSetting, load_settings
from crivo.kernel.sigilo.abertura import open_cofre
from crivo.kernel.sigilo.erros import ChaveExposta, ChaveMestraErrada
from crivo.kernel.sigilo.mestra import FILE, key_in, master_key, read_key


def test_the_first_start_makes_a_file_that_only_its_owner_reads_and_later_ones_read_it(tmp_path: Path) -> None:
    made = key_in(tmp_path / "dados", may_create=True)
    assert stat.S_IMODE((tmp_path / "dados" / FILE).stat().st_mode) == 0o600
    assert key_in(tmp_path / "dados", may_create=False) == made
    assert [file.name for file in (tmp_path / "dados").iterdir()] == [FILE]


def test_a_key_that_others_may_read_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    made, path = key_in(tmp_path, may_create=True), tmp_path / FILE
    for mode in (0o644, 0o640, 0o604, 0o602):
        path.chmod(mode)
        with pytest.raises(ChaveExposta, match=f"Rode: chmod 600 {path}"):
            key_in(tmp_path, may_create=True)
        assert stat.S_IMODE(path.stat().st_mode) == mode
    path.chmod(0o600)
    assert key_in(tmp_path, may_create=True) == made


def test_a_key_that_is_away_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(ChaveMestraErrada, match="Falta a chave mestra"):
        key_in(tmp_path, may_create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_spoiled_file_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("nada")
    with pytest.raises(ChaveMestraErrada, match="32 bytes em base64"):
        key_in(tmp_path, may_create=True)
    assert (tmp_path / FILE).read_text() == "nada"


def test_the_setting_counts_over_the_file(tmp_path: Path) -> None:
    key_in(tmp_path, may_create=True)
    settings = Settings(_env_file=None, data_dir=tmp_path, chave_mestra=SecretStr(CHAVE_MESTRA))
    assert master_key(settings, may_create=False) == MESTRA


@pytest.mark.parametrize("said", ["curta", b64encode(bytes(31)).decode(), "ã" * 44])
def test_a_setting_that_is_no_key_stops_the_start_with_its_name_and_without_its_value(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIVO_CHAVE_MESTRA", said)
    with pytest.raises(WrongSetting, match="CRIVO_CHAVE_MESTRA") as refused:
        load_settings(None)
    assert said not in str(refused.value)


@pytest.mark.parametrize(
    "key",
    [
        bytes(32),
        b"\xff" * 32,
        bytes(range(32)),
        bytes(range(255, 223, -1)),
        bytes.fromhex("deadbeef" * 8),
        bytes([1, 2, 3, 4, 5] * 7)[:32],
        b64decode("senha" * 8 + "sen="),
        b"minha-chave-mestra-super-secreta",
        b"0123456789abcdef0123456789abcdee",
        bytes([0] * 24 + [7, 1, 200, 31, 90, 14, 3, 250]),
    ],
)
def test_a_key_that_nobody_drew_is_refused_with_what_makes_a_good_one(key: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = b64encode(key).decode()
    monkeypatch.setenv("CRIVO_CHAVE_MESTRA", said)
    with pytest.raises(WrongSetting, match=r"CRIVO_CHAVE_MESTRA não é segredo: .*openssl rand -base64 32") as refused:
        load_settings(None)
    assert said not in str(refused.value)
    (tmp_path / FILE).write_text(said)
    with pytest.raises(ChaveMestraErrada, match=r"não é segredo: .*openssl rand -base64 32"):
        key_in(tmp_path, may_create=True)
    assert (tmp_path / FILE).read_text() == said


@given(st.randoms(use_true_random=False))
def test_a_key_that_was_drawn_is_taken(drawn: Random) -> None:
    key = sha256(drawn.randbytes(32)).digest()
    assert read_key(b64encode(key).decode()) == key


def test_another_key_than_the_databases_own_is_refused_and_the_right_one_opens_after_it(urls: tuple[str, str], tmp_path: Path) -> None:
    def settings(key: bytes) -> Settings:
        return Settings(_env_file=None, data_dir=tmp_path, chave_mestra=SecretStr(b64encode(key).decode()))

    open_cofre(urls[0], settings(MESTRA))
    with pytest.raises(ChaveMestraErrada, match="não é a deste banco"):
        open_cofre(urls[0], settings(MESTRA[::-1]))
    open_cofre(urls[0], settings(MESTRA))
    with pytest.raises(ChaveMestraErrada, match="Falta a chave mestra"):
        open_cofre(urls[0], Settings(_env_file=None, data_dir=tmp_path))
