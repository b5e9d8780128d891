"""Tokens for one clinic and one role, and the key that they are made from; without a server, and on a clock turned by hand."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import jwt
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cenario import ANA, BIA
from crivo.clinicas.clinica.errors import ClinicaSemChaves
from crivo.clinicas.clinica.folder import ClinicFolder, write_private
from crivo.clinicas.clinica.keys import GRACE_SECONDS, SKEW_SECONDS, Key, KeyFile, Keyring, ensure_keys, exchange_key, read_keys
from crivo.clinicas.clinica.tokens import LONGEST_SECONDS, SHORT_SECONDS, Bearer, Signer, Verifier, sign
from crivo.clinicas.protocol import Role
from crivo.kernel.linguagem.identificadores import read_cpf

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
KEY = Key("k1", "11" * 32)
OTHER = Key("k2", "22" * 32)
CLAIMS: dict[str, Any] = {
    "aud": "clinic_c",
    "papel": "atendimento",
    "iat": int(NOON.timestamp()),
    "exp": int(NOON.timestamp()) + 60,
    "jti": "j" * 22,
}
DIGITS = read_cpf(ANA) or ""


class Hands:
    """A clock that people set, and one that only goes forward."""

    def __init__(self) -> None:
        self.instant = NOON
        self.elapsed = 0.0

    def now(self) -> datetime:
        return self.instant

    def ticks(self) -> float:
        return self.elapsed

    def wait(self, seconds: float) -> None:
        self.elapsed += seconds
        self.instant += timedelta(seconds=seconds)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def verifier(hands: Hands) -> Verifier:
    return Verifier("clinic_c", lambda: Keyring(KEY), hands, hands.ticks)


def signed(key: Key = KEY, headers: dict[str, Any] | None = None, **claims: object) -> str:
    """A token as whoever has the key could make it by hand; a claim of None is left out."""
    given = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    return jwt.encode(given, key.secret, "HS256", headers or {"kid": key.kid})


@pytest.mark.parametrize("papel", ["atendimento", "operador"])
def test_a_token_proves_its_role_at_its_clinic(verifier: Verifier, papel: Role) -> None:
    assert verifier.of(sign(KEY, "clinic_c", papel, NOON)) == Bearer(papel)


def test_two_tokens_are_never_the_same(verifier: Verifier) -> None:
    assert sign(KEY, "clinic_c", "operador", NOON) != sign(KEY, "clinic_c", "operador", NOON)


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "clinic_a"},
        {"aud": ["clinic_c"]},
        {"aud": None},
        {"papel": "admin"},
        {"papel": None},
        {"exp": None},
        {"exp": str(CLAIMS["exp"])},
        {"exp": 1e18},
        {"iat": None},
        {"iat": CLAIMS["exp"]},
        {"iat": CLAIMS["iat"] + SKEW_SECONDS + 1, "exp": CLAIMS["exp"] + 200},  # from a time to come
        {"exp": CLAIMS["iat"] + LONGEST_SECONDS + 1},
        {"jti": None},
        {"jti": "curto"},
        {"jti": "j" * 65},
        {"sub": "outra"},
        {"em_nome_de": "ção"},
        {"em_nome_de": DIGITS},
    ],
)
def test_a_signed_token_of_wrong_claims_proves_nothing(verifier: Verifier, claims: dict[str, Any]) -> None:
    assert verifier.of(signed()) == Bearer("atendimento")
    assert verifier.of(signed(**claims)) == "invalida"


def unsigned(alg: str) -> str:
    def segment(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{segment({'alg': alg, 'typ': 'JWT', 'kid': KEY.kid})}.{segment(CLAIMS)}."


@pytest.mark.parametrize(
    "token",
    [
        "",
        "11" * 32,  # as the fixed ones were
        "a.b.c",
        unsigned("none"),
        unsigned("HS256"),
        signed(Key("k1", "33" * 32)),  # the right name on another key
        signed(OTHER),
        signed(KEY, {"kid": ""}),
        signed(KEY, {"x": "no kid"}),
        jwt.encode(CLAIMS, b"\0" * 64, "HS512", {"kid": "k1"}),
        signed() + "A" * 1024,
        "[" * 900,
    ],
)
def test_what_the_clinics_key_did_not_sign_proves_nothing(verifier: Verifier, token: str) -> None:
    assert verifier.of(token) == "invalida"


def test_a_token_with_any_letter_changed_proves_nothing(verifier: Verifier) -> None:
    token = signed()
    for place in range(len(token)):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        assert verifier.of(changed) == "invalida", place


@given(st.text(max_size=300) | st.lists(st.text("abcXYZ09-_=", max_size=80), min_size=2, max_size=4).map(".".join))
def test_any_text_is_answered(text: str) -> None:
    assert Verifier("clinic_c", lambda: Keyring(KEY), Hands()).of(text) == "invalida"


@pytest.mark.parametrize(
    ("seconds", "holds"), [(-SKEW_SECONDS - 1, False), (-SKEW_SECONDS, True), (SHORT_SECONDS + 59, True), (SHORT_SECONDS + 60, False)]
)
def test_clocks_may_differ_by_a_minute(hands: Hands, verifier: Verifier, seconds: int, holds: bool) -> None:
    hands.instant += timedelta(seconds=seconds)
    assert isinstance(verifier.of(sign(KEY, "clinic_c", "operador", NOON)), Bearer) is holds


def test_a_token_that_is_over_stays_over_however_the_clock_is_set(hands: Hands, verifier: Verifier) -> None:
    token = sign(KEY, "clinic_c", "operador", NOON)
    assert verifier.of(token) == Bearer("operador")
    hands.wait(SHORT_SECONDS + SKEW_SECONDS)
    assert verifier.of(token) == "vencida"
    hands.instant = NOON  # set back to when it was good
    assert verifier.of(token) == "vencida"
    assert verifier.of(sign(KEY, "clinic_c", "operador", NOON)) == Bearer("operador"), "a new one is taken all the same"


def test_a_token_first_seen_once_it_was_over_is_not_revived_either(hands: Hands, verifier: Verifier) -> None:
    token = sign(KEY, "clinic_c", "operador", NOON)
    hands.wait(3600)
    assert verifier.of(token) == "vencida"
    hands.instant = NOON
    assert verifier.of(token) == "vencida"


def test_a_clock_that_stands_still_keeps_no_token(hands: Hands, verifier: Verifier) -> None:
    token = sign(KEY, "clinic_c", "operador", NOON)
    assert verifier.of(token) == Bearer("operador")
    hands.elapsed += SHORT_SECONDS + SKEW_SECONDS
    assert verifier.of(token) == "vencida"


def test_a_clinic_that_starts_with_its_clock_set_back_takes_no_token_of_a_time_to_come(hands: Hands, verifier: Verifier) -> None:
    token = sign(KEY, "clinic_c", "operador", NOON)
    hands.instant = NOON - timedelta(days=1)
    assert verifier.of(token) == "invalida"


def test_what_is_remembered_has_an_end(hands: Hands, verifier: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crivo.clinicas.clinica.tokens._MOST_REMEMBERED", 3)
    for _ in range(9):
        verifier.of(sign(KEY, "clinic_c", "operador", NOON))
    assert len(verifier._seen) == 3


def test_a_token_says_on_whose_behalf_and_tells_nobody_the_cpf(verifier: Verifier) -> None:
    ids = count()
    token = sign(KEY, "clinic_c", "atendimento", NOON, em_nome_de=DIGITS, new_id=lambda _: f"{next(ids):022}")
    again = sign(KEY, "clinic_c", "atendimento", NOON, em_nome_de=DIGITS, new_id=lambda _: f"{next(ids):022}")
    held = verifier.of(token)
    assert isinstance(held, Bearer)
    assert held.em_nome_de is not None
    assert held.em_nome_de.is_of(DIGITS)
    assert not held.em_nome_de.is_of(read_cpf(BIA) or "")
    claimed = [jwt.decode(one, options={"verify_signature": False})["em_nome_de"] for one in (token, again)]
    assert claimed[0] != claimed[1], "two tokens of one person are not known to be hers"
    assert DIGITS not in repr(held) + str(claimed)
    assert KEY.segredo not in repr(held)


@pytest.fixture
def folder(tmp_path: Path) -> ClinicFolder:
    own = ClinicFolder(tmp_path / "clinic_c")
    own.create()
    return own


def numbered() -> Any:
    """Bytes that are others each time."""
    numbers = count(1)
    return lambda size: bytes([next(numbers)]) * size


def test_an_exchanged_key_is_taken_for_five_minutes_more_and_the_clinic_goes_on(folder: ClinicFolder, hands: Hands) -> None:
    random_bytes = numbered()
    old = ensure_keys(folder, random_bytes).atual
    assert folder.keys.stat().st_mode & 0o777 == 0o600
    verifier = Verifier("clinic_c", KeyFile(folder).held, hands, hands.ticks)
    before = sign(old, "clinic_c", "operador", NOON, LONGEST_SECONDS)
    assert verifier.of(before) == Bearer("operador")
    new = exchange_key(folder, NOON, random_bytes).atual
    assert new.kid != old.kid
    assert verifier.of(sign(new, "clinic_c", "operador", NOON)) == Bearer("operador")
    assert verifier.of(before) == Bearer("operador")
    hands.wait(GRACE_SECONDS + 1)
    assert verifier.of(before) == "invalida"
    assert verifier.of(sign(old, "clinic_c", "operador", hands.now())) == "invalida"
    hands.instant = NOON - timedelta(hours=1)  # set back to before the exchange
    assert verifier.of(sign(old, "clinic_c", "operador", hands.now())) == "invalida"


def test_a_key_that_leaked_is_taken_no_more_at_once(folder: ClinicFolder, hands: Hands) -> None:
    random_bytes = numbered()
    old = ensure_keys(folder, random_bytes).atual
    verifier = Verifier("clinic_c", KeyFile(folder).held, hands, hands.ticks)
    exchange_key(folder, NOON, random_bytes, grace=0)
    assert verifier.of(sign(old, "clinic_c", "operador", NOON)) == "invalida"
    assert read_keys(folder).anterior is None


def test_keys_damaged_while_a_clinic_runs_leave_it_those_it_has(folder: ClinicFolder, caplog: pytest.LogCaptureFixture) -> None:
    ring = ensure_keys(folder, numbered())
    file = KeyFile(folder)
    folder.keys.write_text("{")
    assert (file.held(), file.held()) == (ring, ring)
    assert [record.msg for record in caplog.records] == ["chaves_ilegiveis"]
    folder.keys.unlink()
    assert file.held() == ring


def test_fixed_tokens_of_an_earlier_version_make_room_for_a_key(folder: ClinicFolder) -> None:
    fixed = {"atendimento": "ab" * 32, "operador": "cd" * 32}
    write_private(folder.keys, msgspec.json.encode(fixed))
    with pytest.raises(ClinicaSemChaves, match="crivo clinicas token"):
        read_keys(folder)
    ring = ensure_keys(folder, numbered())
    assert read_keys(folder) == ring
    assert Verifier("clinic_c", KeyFile(folder).held, Hands()).of(fixed["operador"]) == "invalida"


def test_a_key_that_others_may_read_is_refused_with_the_command_that_closes_it(folder: ClinicFolder) -> None:
    held = ensure_keys(folder, numbered())
    folder.keys.chmod(0o644)
    with pytest.raises(ClinicaSemChaves, match=r"chmod 600 .*girar-chaves"):
        read_keys(folder)
    folder.keys.chmod(0o600)
    assert read_keys(folder) == held


def test_keys_show_themselves_in_no_message(folder: ClinicFolder) -> None:
    ring = exchange_key(folder, NOON, numbered())
    assert ring.anterior is not None
    assert ring.atual.segredo not in repr(ring)
    assert ring.anterior.chave.segredo not in repr(ring)


def test_a_program_makes_one_token_a_minute_for_each_clinic_and_role(folder: ClinicFolder, hands: Hands) -> None:
    random_bytes = numbered()
    ensure_keys(folder, random_bytes)
    signer = Signer(lambda _: folder, hands)
    first = signer.token("clinic_c", "atendimento")
    hands.wait(59)
    assert signer.token("clinic_c", "atendimento") == first
    others = {
        signer.token("clinic_c", "operador"),
        signer.token("clinic_a", "atendimento"),
        signer.token("clinic_c", "atendimento", DIGITS),
    }
    assert len(others | {first}) == 4
    assert signer.token("clinic_c", "atendimento", DIGITS) not in others, "a patient's is made for each call"
    hands.wait(1)
    second = signer.token("clinic_c", "atendimento")
    exchange_key(folder, hands.now(), random_bytes)
    third = signer.token("clinic_c", "atendimento")
    hands.instant -= timedelta(seconds=1)  # the clock is set back
    assert len({first, second, third, signer.token("clinic_c", "atendimento")}) == 4
    verifier = Verifier("clinic_c", KeyFile(folder).held, hands, hands.ticks)
    assert [verifier.of(token) for token in (first, second, third)] == [Bearer("atendimento")] * 3


def test_a_clinic_without_a_key_gets_one_from_the_moment_it_has(folder: ClinicFolder, hands: Hands) -> None:
    signer = Signer(lambda _: folder, hands)
    with pytest.raises(ClinicaSemChaves):
        signer.token("clinic_c", "operador")
    ensure_keys(folder, numbered())
    assert signer.token("clinic_c", "operador")
