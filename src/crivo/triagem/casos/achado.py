"""A case as the signs of one execução make it: what set it off, how it is called, and how grave it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from crivo.triagem.achados import Irregularidade, TipoIrregularidade
from crivo.triagem.irregularidades.sinais import SINAIS, SINAL_DE, Familia

Gravidade = Literal["grave", "media", "leve"]
GRAVIDADES: Final[tuple[Gravidade, ...]] = ("grave", "media", "leve")
_GRAVE, _MEDIA = 3, 2  # points from which on
_MANY: Final = 3  # signs of one kind that are worth a point more
PASSADO: Final = "/"  # in what names a project of another edital, and in no code


@dataclass(frozen=True, slots=True, kw_only=True)
class CasoAchado:
    """Signs with one cause. `causa` names it and may quote a project: it is never stored, nor shown. `pistas` are the causes of its signs.

    `projetos` are its projects in order, those of past editais as `edital/projeto`. `lugares` are the places of its signs among those that
    it was made of.
    """

    familia: Familia
    causa: str
    pistas: frozenset[str]
    titulo: str
    gravidade: Gravidade
    tipos: tuple[TipoIrregularidade, ...]
    projetos: tuple[str, ...]
    sinais: tuple[Irregularidade, ...]
    lugares: tuple[int, ...]


def make_caso(signs: Sequence[Irregularidade], lugares: Sequence[int], causas: Mapping[int, frozenset[str]], causa: str) -> CasoAchado:
    """The case of the signs in these places."""
    ordered = sorted(lugares)
    its = tuple([signs[at] for at in ordered])
    tipos = tuple([sinal.codigo for sinal in SINAIS if any(one.tipo == sinal.codigo for one in its)])
    projetos = tuple(sorted({codigo for one in its for codigo in projects_of(one)}, key=lambda codigo: (PASSADO in codigo, codigo)))
    return CasoAchado(
        familia=SINAL_DE[tipos[0]].familia,
        causa=causa,
        pistas=frozenset({causa}).union(*(causas[at] for at in ordered)),
        titulo=title_of(its, projetos),
        gravidade=severity_of(its),
        tipos=tipos,
        projetos=projetos,
        sinais=its,
        lugares=tuple(ordered),
    )


def projects_of(sinal: Irregularidade) -> frozenset[str]:
    """The projects that a sign ties together: its own, and those of past editais that it quotes."""
    return frozenset(sinal.projetos) | {one.projeto for one in sinal.evidencia if one.projeto and PASSADO in one.projeto}


def severity_of(signs: Sequence[Irregularidade]) -> Gravidade:
    """How grave a case is, by points: each kind of sign counts once, with its strongest sign, and one more from three signs of it on.

    From 3 points it is grave, with 2 it is média. Which kind has how many points is in its record.
    """
    strongest: dict[TipoIrregularidade, int] = {}
    for one in signs:
        strongest[one.tipo] = max(strongest.get(one.tipo, 0), _points(one))
    many = Counter(one.tipo for one in signs if not SINAL_DE[one.tipo].oculto)  # the same passage in many files is one deed
    points = sum(strongest.values()) + sum(how >= _MANY for how in many.values())
    return "grave" if points >= _GRAVE else "media" if points >= _MEDIA else "leve"


def title_of(signs: Sequence[Irregularidade], projetos: Sequence[str]) -> str:
    """What a case is called, in pt-BR, made of what its signs are: no word of a project is in it."""
    sinais = [sinal for sinal in SINAIS if any(one.tipo == sinal.codigo for one in signs)]
    match sinais[0].familia:
        case "texto":
            where = f", em {len(projetos)} projetos" if len(projetos) > 1 else ""
            return f"Texto {' '.join(sinal.causa for sinal in sinais)}{where}"
        case "projetos":
            return f"{_how_many(projetos)} com {_listed(list(dict.fromkeys(_cause(one) for one in _by_kind(signs))))}"
        case _:
            several = len(signs) > 1 and sinais[0].causas
            return sinais[0].causas.format(len(signs)) if several else sinais[0].causa


def _points(sinal: Irregularidade) -> int:
    record = SINAL_DE[sinal.tipo]
    value = sinal.valor
    far = value if value is None or record.parte or value <= 0 else max(value, 1 / value)
    strong = record.forte is not None and far is not None and far >= record.forte
    return record.pontos + strong - (sinal.campo in record.fracos)


def _by_kind(signs: Sequence[Irregularidade]) -> list[Irregularidade]:
    order = [sinal.codigo for sinal in SINAIS]
    return sorted(signs, key=lambda one: (order.index(one.tipo), _cause(one)))


def _cause(sinal: Irregularidade) -> str:
    record = SINAL_DE[sinal.tipo]
    return record.causa_de.get(sinal.campo or "", record.causa) or record.palavra.lower()


def _how_many(projetos: Sequence[str]) -> str:
    here = sum(PASSADO not in codigo for codigo in projetos)
    past = len(projetos) - here
    if past and here:
        return f"{_counted(here)} e {'um' if past == 1 else past} de edital anterior"
    return _counted(len(projetos))


def _counted(many: int) -> str:
    words = {1: "Um projeto", 2: "Dois projetos", 3: "Três projetos"}
    return words.get(many, f"{many} projetos")


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} e {words[-1]}"
