"""Each entry is sealed over the one before it: whatever is done to a chain afterwards shows, and where."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.kernel.atos import NewEntry
from crivo.kernel.audit.chain import GENESIS, Break, Entry, Head, canonical, next_digest, seal, verify

_EM = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


def _chain(length: int) -> tuple[list[Entry], Head]:
    entries = seal(Head(0, GENESIS), "local", _EM, "ana", [NewEntry("decidiu", f"pedido:{n}", {"n": n}) for n in range(1, length + 1)])
    return entries, Head(entries[-1].seq, entries[-1].digest) if entries else Head(0, GENESIS)


def test_a_chain_as_it_was_written_holds() -> None:
    entries, head = _chain(5)
    assert verify(entries, head) == []
    assert [entry.seq for entry in entries] == [1, 2, 3, 4, 5]


def test_an_empty_chain_holds() -> None:
    assert verify([], None) == []
    assert verify([], Head(0, GENESIS)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"alvo": "pedido:9"},
        {"acao": "negou"},
        {"ator": "bia"},
        {"dados": "{}"},
        {"em": _EM + timedelta(microseconds=1)},
        {"tenant_id": "outro"},
    ],
)
def test_an_altered_field_is_found_where_it_stands(change: dict[str, object]) -> None:
    entries, head = _chain(5)
    entries[2] = msgspec.structs.replace(entries[2], **change)
    assert verify(entries, head) == [Break.at(3, "alterada")]


def test_an_altered_entry_that_was_sealed_anew_breaks_the_one_after_it() -> None:
    entries, head = _chain(5)
    (forged,) = seal(Head(2, entries[1].digest), "local", _EM, "ana", [NewEntry("decidiu", "pedido:9")])
    entries[2] = forged
    assert verify(entries, head) == [Break.at(4, "inserida")]


def test_an_entry_removed_from_the_middle_is_missed() -> None:
    entries, head = _chain(5)
    assert verify([*entries[:1], *entries[3:]], head) == [Break(2, "ausente", 3)]


def test_entries_removed_from_the_end_are_missed_by_the_head() -> None:
    entries, head = _chain(5)
    assert verify(entries[:3], head) == [Break(4, "ausente", 5)]
    assert verify([], head) == [Break(1, "ausente", 5)]


def test_two_entries_read_in_the_wrong_order_are_found() -> None:
    entries, head = _chain(4)
    broken = verify([entries[0], entries[2], entries[1], entries[3]], head)
    assert Break.at(2, "fora_de_ordem") in broken


def test_two_entries_that_traded_their_places_are_both_found() -> None:
    entries, head = _chain(4)
    second, third = msgspec.structs.replace(entries[2], seq=2), msgspec.structs.replace(entries[1], seq=3)
    assert {2, 3} <= {found.seq for found in verify([entries[0], second, third, entries[3]], head)}


def test_an_entry_put_in_at_the_end_is_found_by_the_head() -> None:
    entries, head = _chain(3)
    more = seal(head, "local", _EM, "intruso", [NewEntry("decidiu", "pedido:9")])
    assert verify([*entries, *more], head) == [Break.at(4, "inserida")]


def test_a_head_that_is_gone_or_altered_is_found() -> None:
    entries, _ = _chain(3)
    assert verify(entries, None) == [Break.at(3, "cabeca_ausente")]
    assert verify(entries, Head(3, bytes(31) + b"x")) == [Break.at(3, "cabeca_diverge")]


@given(st.lists(st.text(), min_size=4, max_size=4), st.lists(st.text(), min_size=4, max_size=4))
def test_no_two_entries_are_sealed_alike(one: list[str], other: list[str]) -> None:
    sealed_one = next_digest(GENESIS, "local", 1, _EM, *one)
    assert (sealed_one == next_digest(GENESIS, "local", 1, _EM, *other)) == (one == other)


def test_moving_a_character_between_neighbouring_fields_changes_the_seal() -> None:
    seals = {next_digest(GENESIS, "local", 1, _EM, "ana", acao, alvo, "{}") for acao, alvo in (("ab", "c"), ("a", "bc"), ("abc", ""))}
    assert len(seals) == 3


def test_an_instant_counts_whatever_zone_it_is_written_in() -> None:
    elsewhere = _EM.astimezone(timezone(timedelta(hours=-3)))
    assert next_digest(GENESIS, "local", 1, _EM, "a", "b", "c", "{}") == next_digest(GENESIS, "local", 1, elsewhere, "a", "b", "c", "{}")


def test_particulars_are_written_one_way_only() -> None:
    assert {canonical(dict(order)) for order in itertools.permutations([("b", 1), ("a", [True, None]), ("ç", "ã")])} == {
        '{"a":[true,null],"b":1,"ç":"ã"}'
    }
