"""The master key: made once, readable by nobody else, and never replaced in silence. Source: design/sujeito.md, Erasure."""

from __future__ import annotations

import stat
from base64 import b64encode
from pathlib import Path

import pytest
from pydantic import SecretStr

from chaves_de_teste import CHAVE_MESTRA, MESTRA
from crivo.kernel.settings import Settings, WrongSetting, load_settings
from crivo.kernel.sigilo.abertura import open_cofre
from crivo.kernel.sigilo.erros import ChaveExposta, ChaveMestraErrada
from crivo.kernel.sigilo.mestra import FILE, key_in, master_key


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


def test_another_key_than_the_databases_own_is_refused_and_the_right_one_opens_after_it(urls: tuple[str, str], tmp_path: Path) -> None:
    def settings(key: bytes) -> Settings:
        return Settings(_env_file=None, data_dir=tmp_path, chave_mestra=SecretStr(b64encode(key).decode()))

    open_cofre(urls[0], settings(MESTRA))
    with pytest.raises(ChaveMestraErrada, match="não é a deste banco"):
        open_cofre(urls[0], settings(bytes(32)))
    open_cofre(urls[0], settings(MESTRA))
    with pytest.raises(ChaveMestraErrada, match="Falta a chave mestra"):
        open_cofre(urls[0], Settings(_env_file=None, data_dir=tmp_path))
