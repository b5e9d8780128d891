"""The registry of clinics: the six of the source, and one more."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from crivo.clinicas.codigos import letters_of
from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.decide.embutido import plan
from crivo.clinicas.registro import REGISTRO_PADRAO, CadastroComDefeito, Clinica, Registro, read_registro
from crivo.clinicas.service import Clinicas, RegistroInvalido
from crivo.kernel.clock import BRASILIA

SEVENTH = Clinica("clinic_g", "Clínica G", "Cardiologia", 8007, "http://127.0.0.1:8007/mcp")
MORNING = datetime(2028, 9, 12, 8, tzinfo=BRASILIA)


def test_the_six_clinics_are_the_sources_with_their_specialties_and_ports() -> None:
    """Blueprint 1.3: six clinics, two for each of three specialties."""
    assert [(clinica.id, clinica.especialidade, clinica.porta) for clinica in REGISTRO_PADRAO] == [
        ("clinic_a", "Cardiologia", 8001),
        ("clinic_b", "Dermatologia", 8002),
        ("clinic_c", "Cardiologia", 8003),
        ("clinic_d", "Ortopedia", 8004),
        ("clinic_e", "Ortopedia", 8005),
        ("clinic_f", "Dermatologia", 8006),
    ]


@pytest.mark.parametrize("said", ["tem cardiologista?", "compara as clínicas de cardiologia"])
def test_a_seventh_clinic_is_asked_as_soon_as_the_registry_has_it(said: str) -> None:
    """Blueprint 1.7: adding a clinic is registering it."""
    registro = Registro((*REGISTRO_PADRAO, SEVENTH))
    made, _ = plan(said, Dialogue(MORNING, registro))
    assert [step.clinic for step in made.steps] == ["clinic_a", "clinic_c", "clinic_g"]
    named, _ = plan("horários da clínica G", Dialogue(MORNING, registro))
    assert [step.clinic for step in named.steps] == ["clinic_g"]


def test_a_registry_is_read_from_json() -> None:
    raw = (
        b'{"clinics": [{"id": "clinic_g", "nome": "G", "especialidade": "Cardiologia", "porta": 8007, "url": "http://127.0.0.1:8007/mcp"}]}'
    )
    own = Clinica("clinic_g", "G", "Cardiologia", 8007, "http://127.0.0.1:8007/mcp", letras=letters_of("clinic_g"))
    assert read_registro(raw).find("clinic_g") == own


FULL = """{"clinics": [{
  "id": "vista", "nome": "Clínica Boa Vista", "especialidade": "Oftalmologia", "porta": 9001, "url": "http://127.0.0.1:9001/mcp",
  "endereco": "Rua do Farol, 10", "telefone": "(85) 3000-0010", "horario_de_atendimento": "de segunda a sexta, das 7h às 17h",
  "convenios": ["Plano Aurora"], "preco_particular": "R$ 200", "valores": "pix ou cartão", "estacionamento": "não há",
  "como_chegar": "ao lado do terminal", "acessibilidade": "térreo", "preparo": {"Catarata": "venha com acompanhante"},
  "observacoes": "traga os óculos", "prefixo": "OLHO"}], "vocabulario": {"zoio": "Oftalmologia"}}"""


def test_all_that_people_may_ask_of_a_clinic_is_read_and_none_of_it_is_due() -> None:
    clinica = read_registro(FULL.encode()).clinics[0]
    assert clinica.preparo == {"Catarata": "venha com acompanhante"}
    assert clinica.convenios == ("Plano Aurora",)
    assert len(clinica.facts()) == 11
    assert SEVENTH.facts() == ()
    assert len({hash(read_registro(FULL.encode())), hash(read_registro(FULL.encode()))}) == 1


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('"Rua do Farol, 10"', "12", "em clinics[0].endereco (vista): era esperado um texto, e há um número inteiro"),
        ('["Plano Aurora"]', '"Plano Aurora"', "em clinics[0].convenios (vista): era esperado uma lista, e há um texto"),
        ('"endereco"', '"enderesso"', "o campo enderesso não existe; os campos são id, nome"),
        ('"porta": 9001, ', "", "em clinics[0] (vista): falta o campo porta"),
        ('{"zoio": "Oftalmologia"}', "[]", "em vocabulario: era esperado um objeto, e há uma lista"),
        ('"clinics": [', '"clinics": [[', "não é um documento JSON"),
        ('"id": "vista"', '"id": ""', "em clinics[0].id: cada clínica precisa de um id só seu"),
    ],
)
def test_a_registry_with_a_defect_is_refused_with_its_field_and_place(before: str, after: str, told: str) -> None:
    with pytest.raises(CadastroComDefeito) as refused:
        read_registro(FULL.replace(before, after).encode())
    assert told in str(refused.value)


def test_an_installations_registry_is_refused_by_its_file_with_what_is_wrong(tmp_path: Path) -> None:
    place = tmp_path / "clinicas" / "registro.json"
    place.parent.mkdir()
    place.write_text(FULL.replace('"zoio": "Oftalmologia"', '"zoio": "Olhos"'), encoding="utf-8")
    with pytest.raises(RegistroInvalido) as refused:
        _ = Clinicas(tmp_path).registro
    assert str(place) in str(refused.value)
    assert "vocabulario[zoio]" in str(refused.value)
    place.write_text(FULL, encoding="utf-8")
    assert Clinicas(tmp_path).registro.find("vista")


def test_the_samples_clinics_have_streets_and_telephones_that_are_nobodys() -> None:
    assert all(clinica.endereco and clinica.telefone.startswith("(85) 3000-000") for clinica in REGISTRO_PADRAO)
    assert not any(clinica.preco_particular or clinica.valores for clinica in REGISTRO_PADRAO)


def _of_many(count: int) -> tuple[Clinica, ...]:
    return tuple(Clinica(f"c{number}", "C", "Cardiologia", 8007, "http://127.0.0.1:8007/mcp") for number in range(count))


def test_no_two_clinics_begin_their_codes_with_the_same_letters_and_one_that_comes_last_changes_none() -> None:
    """Source: the sample's clinic_d and clinic_f, whose ids make the same two letters."""
    assert letters_of("clinic_d") == letters_of("clinic_f")
    assert len({clinica.letras for clinica in REGISTRO_PADRAO}) == 6
    before, after = Registro(_of_many(200)), Registro(_of_many(361))
    assert [clinica.letras for clinica in after][:200] == [clinica.letras for clinica in before]
    assert len({clinica.letras for clinica in after}) == 361
    assert Registro(_of_many(362)).clinics[-1].letras, "there are no more, and it still has some"


def test_letters_that_are_given_are_kept_and_those_that_another_has_are_refused() -> None:
    one = {"id": "a", "nome": "A", "especialidade": "X", "porta": 1, "url": "http://127.0.0.1:1/mcp"}
    others = [{**one, "id": name} for name in "bc"]
    registro = read_registro(msgspec.json.encode({"clinics": [*others, {**one, "letras": letters_of("b")}]}))
    assert registro.clinics[-1].letras == letters_of("b") != registro.clinics[0].letras
    for letras in ("AB", "b", letters_of("b")):
        with pytest.raises(CadastroComDefeito, match=r"clinics\[.\]\.letras"):
            read_registro(msgspec.json.encode({"clinics": [{**others[0], "letras": letters_of("b")}, {**one, "letras": letras}]}))


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (FULL[:600].encode(), "termina antes do fim, na linha 6, coluna 90"),
        (b'{"clinics": [', "termina antes do fim, na linha 1, coluna 13"),
        (b'{"clinics": [\n  {"id": "a"\n   "nome": "A"}]}', "quebra na linha 3, coluna 4"),
        ('{"clinics": [{"nome": "Clínica São João" x'.encode(), "quebra na linha 1, coluna 42"),
        (b'{"clinics": []}\n}', "quebra na linha 2, coluna 1"),
        (b"", "está vazio"),
        (b" \n", "está vazio"),
    ],
)
def test_a_registry_that_is_cut_off_or_broken_is_told_with_its_line_and_column(raw: bytes, told: str) -> None:
    with pytest.raises(CadastroComDefeito) as caught:
        read_registro(raw)
    assert told in str(caught.value)


@pytest.mark.parametrize("raw", [b'{"clinics": "\xff"}', b"[" * 100_000])
def test_a_registry_whose_fault_has_no_place_is_refused_all_the_same(raw: bytes) -> None:
    with pytest.raises(CadastroComDefeito, match="não é um documento JSON"):
        read_registro(raw)
