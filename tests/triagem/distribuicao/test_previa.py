"""What giving projects would do is told before it is done, each project and person with why, and an old telling is known as old."""

from __future__ import annotations

from uuid import UUID

import msgspec

from crivo.triagem.distribuicao.guardados import Quem
from crivo.triagem.distribuicao.previa import Candidato, Dada, DeFora, changed_since, conflitos_of, foresee
from crivo.triagem.edital import Avaliador, Projeto, Proponente
from crivo.triagem.irregularidades.conflito import find_conflito_de_interesse

RITA, DAVI = Quem(UUID(int=1), "Rita Melo"), Quem(UUID(int=2), "Davi Sena")


def test_each_project_is_given_to_whoever_can_have_it_and_every_other_is_told_with_why() -> None:
    previa = foresee(
        "ED-1",
        ["P5", "P1", "P2", "P3", "P4", "P1"],
        [RITA, DAVI, RITA],
        {
            "P1": Candidato("P1"),
            "P2": Candidato("P2", dado_a=frozenset({RITA.id}), conflitos={DAVI.id: ("o mesmo e-mail",)}),
            "P3": Candidato("P3", inabilitado=True),
            "P4": Candidato("P4", retirado=True, inabilitado=True),
        },
    )
    assert previa.entram == (Dada("P1", (RITA.id, DAVI.id)),)
    assert previa.dadas == 2
    assert previa.ficam == (
        DeFora("P2", "ja_dado", RITA.id),
        DeFora("P2", "conflito", DAVI.id, ("o mesmo e-mail",)),
        DeFora("P3", "inabilitado"),
        DeFora("P4", "retirado"),
        DeFora("P5", "desconhecido"),
    )


def test_what_changed_since_a_preview_is_named_and_only_that() -> None:
    before = {"P1": Candidato("P1"), "P2": Candidato("P2"), "P3": Candidato("P3")}
    seen = foresee("ED-1", list(before), [RITA], before).prevista
    assert changed_since(seen, list(before), foresee("ED-1", list(before), [RITA], before)) is None
    for changed in (
        Candidato("P2", retirado=True),
        Candidato("P2", inabilitado=True),
        Candidato("P2", dado_a=frozenset({RITA.id})),
        Candidato("P2", conflitos={RITA.id: ("o mesmo CPF",)}),
    ):
        now = foresee("ED-1", list(before), [RITA], {**before, "P2": changed})
        assert changed_since(seen, list(before), now) == ("P2",)
    given_to_another = foresee("ED-1", list(before), [RITA], {**before, "P2": Candidato("P2", dado_a=frozenset({DAVI.id}))})
    assert changed_since(seen, list(before), given_to_another) is None
    assert changed_since(seen, list(before), foresee("ED-1", list(before), [DAVI], before)) == ("P1", "P2", "P3")
    assert changed_since("nada", list(before), given_to_another) == ()


def test_an_interest_is_found_as_the_screening_finds_it_and_not_where_a_person_dismissed_it() -> None:
    rita = Avaliador("Rita Melo", "rita@casadacultura.exemplo")
    other = Projeto("P1", "", Proponente("Casa", email="contato@casadacultura.exemplo"))
    own = Projeto("P2", "", Proponente("Rita Melo"))
    free = Projeto("P3", "", Proponente("Ana Luz"))
    found = conflitos_of({RITA.id: rita}, [other, own, free])
    assert found == {"P1": {RITA.id: ("e-mail do mesmo domínio",)}, "P2": {RITA.id: ("o mesmo nome",)}}
    before_anything_was_given = find_conflito_de_interesse([rita], [other, own, free])
    once_given = find_conflito_de_interesse([msgspec.structs.replace(rita, projetos=("P1",))], [other, own, free])
    for dismissed in (before_anything_was_given, once_given):
        assert conflitos_of({RITA.id: rita}, [other, own, free], [one for one in dismissed if one.projetos == ("P1",)]).keys() == {"P2"}
    anothers = find_conflito_de_interesse([Avaliador("Davi Sena", "davi@casadacultura.exemplo")], [other])
    assert conflitos_of({RITA.id: rita}, [other], anothers).keys() == {"P1"}
