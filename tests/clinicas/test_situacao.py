"""How the clinics are found to be doing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.orquestrador.chama.breaker import Breaker
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.clinicas.situacao import look


async def test_a_clinic_that_is_away_is_told_with_what_the_conversations_make_of_it(tmp_path: Path) -> None:
    seconds: Iterator[int] = count()
    breakers = {clinica.id: Breaker(lambda: 0.0) for clinica in REGISTRO_PADRAO}
    for _ in range(3):
        breakers["clinic_b"].failed()
    first, second, *_ = REGISTRO_PADRAO
    one = await look([(first, ClinicFolder.under(tmp_path, first.id))], breakers, lambda: float(next(seconds)))
    both = await look([(clinica, ClinicFolder.under(tmp_path, clinica.id)) for clinica in (first, second)], breakers)
    assert [(seen.clinica.id, seen.responde, seen.ms, seen.disjuntor) for seen in one] == [("clinic_a", False, 1000.0, "fechado")]
    assert [(seen.clinica.id, seen.disjuntor) for seen in both] == [("clinic_a", "fechado"), ("clinic_b", "aberto")]
