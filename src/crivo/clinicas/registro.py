"""The registry: which clinics there are, what they practise, where they answer, and what people may ask about them. A clinic is data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from crivo.clinicas.codigos import are_letters, letters_of
from crivo.clinicas.quebra import where_broken
from crivo.kernel.linguagem.dobra import fold


class Clinica(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clinic as the router knows it, and what its reception would say of it.

    From `endereco` on all may be left out: what is not there is not known, and is never guessed. `preparo` may be one text for every
    appointment, or a text for each specialty or branch. `prefixo` begins the ids of its patients where the specialty's name does not.
    `impressao` is the SHA-256 of the one certificate that a clinic on another machine may show. `letras` begin the codes of its
    appointments; in a registry no two clinics have the same.
    """

    id: str
    nome: str
    especialidade: str
    porta: int
    url: str
    endereco: str = ""
    telefone: str = ""
    horario_de_atendimento: str = ""
    como_chegar: str = ""
    estacionamento: str = ""
    acessibilidade: str = ""
    convenios: tuple[str, ...] = ()
    preco_particular: str = ""
    valores: str = ""
    preparo: str | dict[str, str] = ""
    observacoes: str = ""
    prefixo: str = ""
    impressao: str = ""
    letras: str = ""

    def __hash__(self) -> int:
        return hash((self.id, self.nome, self.especialidade, self.porta, self.url, self.impressao))

    def facts(self) -> tuple[str, ...]:
        """Every text that the registry has of it besides its name: the installation's own words, nobody's personal data."""
        prepare = tuple(self.preparo.values()) if isinstance(self.preparo, dict) else (self.preparo,)
        told = (self.endereco, self.telefone, self.horario_de_atendimento, self.como_chegar, self.estacionamento, self.acessibilidade)
        return tuple(text for text in (*told, self.preco_particular, self.valores, *prepare, self.observacoes, *self.convenios) if text)


def with_port(clinica: Clinica, port: int) -> str:
    """A clinic's address, on another port."""
    address = urlsplit(clinica.url)
    host = address.hostname or ""
    return address._replace(netloc=f"[{host}]:{port}" if ":" in host else f"{host}:{port}").geturl()


class Registro(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every clinic, in the order in which people read them.

    `vocabulario` leads from a word that people say to a specialty, to a branch that is known, or to `Especialidade/Ramo`.
    """

    clinics: tuple[Clinica, ...]
    vocabulario: dict[str, str] = {}

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "clinics", _lettered(self.clinics))

    def __hash__(self) -> int:
        return hash((self.clinics, *self.vocabulario.items()))

    def __iter__(self) -> Iterator[Clinica]:
        return iter(self.clinics)

    def find(self, clinic_id: str) -> Clinica | None:
        """The clinic of that id, or None."""
        return next((clinica for clinica in self.clinics if clinica.id == clinic_id), None)

    def of_specialty(self, especialidade: str) -> tuple[Clinica, ...]:
        """Every clinic of a specialty, also one whose own has it in its name (`Ginecologia e Obstetrícia`). Source: blueprint rule 10."""
        return tuple(clinica for clinica in self.clinics if practises(clinica.especialidade, especialidade))


def _lettered(clinics: Iterable[Clinica]) -> tuple[Clinica, ...]:
    """The same, each with letters of its own; those that have some keep them, and one that comes last changes none before it."""
    found = tuple(clinics)
    taken = {clinica.letras for clinica in found}
    lettered = []
    for clinica in found:
        own = clinica if clinica.letras else msgspec.structs.replace(clinica, letras=letters_of(clinica.id, taken))
        taken.add(own.letras)
        lettered.append(own)
    return tuple(lettered)


_WORD: Final = re.compile(r"\w+")


def practises(own: str, asked: str) -> bool:
    """Whether a clinic's specialty is the one that is asked for, or has it in its name as whole words."""
    return own == asked or f" {' '.join(_WORD.findall(fold(asked)))} " in f" {' '.join(_WORD.findall(fold(own)))} "


class CadastroComDefeito(ValueError):
    """A registry that cannot be taken as it is; the message says in pt-BR which field of which place, and what it should be."""


def read_registro(raw: bytes) -> Registro:
    """The registry in a JSON document `{"clinics": [...]}`; raises `CadastroComDefeito` where it is none."""
    try:
        document = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        where = where_broken(raw, error)
        message = "não é um documento JSON" + (f" (ele {where})" if where else "")
        raise CadastroComDefeito(message) from None
    try:
        registro = msgspec.convert(document, Registro)
    except msgspec.ValidationError as error:
        raise CadastroComDefeito(_fault(str(error), document)) from None
    known: set[str] = set()
    letters: set[str] = set()
    for place, clinica in enumerate(registro):
        if clinica.id in known or not clinica.id:
            message = f"em clinics[{place}].id: cada clínica precisa de um id só seu, e este {'se repete' if clinica.id else 'está vazio'}"
            raise CadastroComDefeito(message)
        known.add(clinica.id)
        if not are_letters(clinica.letras) or clinica.letras in letters:
            message = (
                f"em clinics[{place}].letras ({clinica.id}): são duas consoantes maiúsculas, sem L nem Y, que nenhuma outra clínica tem"
            )
            raise CadastroComDefeito(message)
        letters.add(clinica.letras)
        if (fault := _fault_of_address(clinica)) is not None:
            field, message = fault
            raise CadastroComDefeito(f"em clinics[{place}].{field} ({clinica.id}): {message}")
    return registro


_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_SHA256: Final = re.compile(r"(?:[0-9a-fA-F]{2}:?){32}")


def _fault_of_address(clinica: Clinica) -> tuple[str, str] | None:
    """The field by which a clinic could not be proven before it is spoken to, and what it should be."""
    try:
        address = urlsplit(clinica.url)
    except ValueError:
        address = urlsplit("")
    scheme, host = address.scheme, address.hostname
    if clinica.impressao and (scheme != "https" or not _SHA256.fullmatch(clinica.impressao)):
        return "impressao", "a impressão digital é o SHA-256 do certificado, em hexadecimal, de uma clínica cujo endereço começa com https"
    if scheme == "http" and host not in _LOOPBACK:
        return (
            "url",
            "fora desta máquina o endereço começa com https, para que a clínica seja provada antes de ouvir qualquer coisa",
        )
    return None


_PLACE: Final = re.compile(r" - at `\$\.?([^`]*)`")
_TYPES: Final = {
    "str": "um texto",
    "int": "um número inteiro",
    "float": "um número",
    "array": "uma lista",
    "object": "um objeto",
    "bool": "sim ou não",
    "null": "nada",
    "str | object": "um texto, ou um texto por especialidade",
}
_KINDS: Final = re.compile(r"Expected `([^`]+)`, got `([^`]+)`")
_MISSING: Final = re.compile(r"missing required field `([^`]+)`")
_UNKNOWN: Final = re.compile(r"contains unknown field `([^`]+)`")


def _fault(message: str, document: object) -> str:
    """What `msgspec` found, told in pt-BR with the place: `clinics[1].telefone` and the clinic that it is of."""
    at = _PLACE.search(message)
    place = at.group(1).replace("[...]", "") if at else ""
    where = f"em {place}{_clinic_at(place, document)}: " if place else ""
    if found := _MISSING.search(message):
        return f"{where}falta o campo {found.group(1)}"
    if found := _UNKNOWN.search(message):
        known = Clinica if place.startswith("clinics") else Registro
        return f"{where}o campo {found.group(1)} não existe; os campos são {', '.join(known.__struct_fields__)}"
    if found := _KINDS.search(message):
        expected, got = (_TYPES.get(kind, kind) for kind in found.groups())
        return f"{where}era esperado {expected}, e há {got}"
    return f"{where}o valor não serve"


def _clinic_at(place: str, document: object) -> str:
    """The id of the clinic that a place is in, in parentheses, where it has one."""
    index = re.match(r"clinics\[(\d+)\]", place)
    listed: Any = document.get("clinics") if index and isinstance(document, dict) else None
    one = listed[int(index.group(1))] if index and isinstance(listed, list) else None
    return f" ({one['id']})" if isinstance(one, dict) and isinstance(one.get("id"), str) else ""


_CLINICS: Final = (
    ("clinic_a", "Clínica A", "Cardiologia", 8001, "Rua das Acácias, 120, Centro", "(85) 3000-0001"),
    ("clinic_b", "Clínica B", "Dermatologia", 8002, "Rua dos Ipês, 45, Aldeota", "(85) 3000-0002"),
    ("clinic_c", "Clínica C", "Cardiologia", 8003, "Avenida das Palmeiras, 900, Meireles", "(85) 3000-0003"),
    ("clinic_d", "Clínica D", "Ortopedia", 8004, "Rua do Cajueiro, 310, Benfica", "(85) 3000-0004"),
    ("clinic_e", "Clínica E", "Ortopedia", 8005, "Avenida das Carnaúbas, 1500, Papicu", "(85) 3000-0005"),
    ("clinic_f", "Clínica F", "Dermatologia", 8006, "Rua das Jangadas, 78, Mucuripe", "(85) 3000-0006"),
)
_HOURS: Final = "de segunda a sexta, das 8h às 18h; sábado, das 8h às 12h"
_BRING: Final = "Leve um documento com foto e os exames que já tiver. Chegue 15 minutos antes."
REGISTRO_PADRAO: Final = Registro(
    tuple(
        Clinica(
            id_,
            nome,
            especialidade,
            porta,
            f"http://127.0.0.1:{porta}/mcp",
            endereco=endereco,
            telefone=telefone,
            horario_de_atendimento=_HOURS,
            estacionamento="Há vagas gratuitas para pacientes ao lado da entrada.",
            acessibilidade="Entrada sem degraus e banheiro adaptado.",
            preparo=_BRING,
        )
        for id_, nome, especialidade, porta, endereco, telefone in _CLINICS
    )
)
"""The blueprint's six clinics, with streets and telephones that are made up. Source: blueprint 1.3."""
