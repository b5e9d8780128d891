"""What each column of an administradora's spreadsheet is: shown, confirmed, and kept for next month's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, get_args

import msgspec
import yaml

from crivo.autorizacoes.politicas.codigos import fold_documento
from crivo.autorizacoes.politicas.planilha.colunas import VARIAS, Campo
from crivo.autorizacoes.politicas.planilha.listas import tipo_do_documento
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.formas.palavras import cut
from crivo.kernel.linguagem.dobra import fold

MAPA_MAXIMO: Final = 200_000
FIXOS: Final = ("cobertura", "tabela", "plano")
CAMPOS: Final[tuple[str, ...]] = tuple(campo for parte in get_args(Campo) for campo in (get_args(parte) or (parte,)))
_TITULOS_MAXIMO: Final = 300


class MapaInvalido(CrivoError):
    """A map of columns that cannot be read, or names what no regra has."""

    codigo: ClassVar[str] = "mapa_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O mapa das colunas não pôde ser lido"


class MapaDeColunas(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The campo of each column by its heading; empty where nobody decided.

    `fixos` holds of every row where its own column says nothing. `fracao`: 0,2 stands for 20 %. `plano_da_folha`: sheets are planos.
    `folhas_ignoradas` are sheets that are not read, by their names.
    `documentos`: the type that a document is, by what the sheet calls it.
    """

    colunas: dict[str, str]
    fixos: dict[str, str] = {}
    fracao: bool = False
    plano_da_folha: bool = False
    documentos: dict[str, str] = {}
    folhas_ignoradas: list[str] = []

    @property
    def lidas(self) -> Mapping[str, str]:
        """The columns that are read."""
        return {titulo: campo for titulo, campo in self.colunas.items() if campo not in ("", "ignorar")}

    def reads(self, folha: str) -> bool:
        """Whether a sheet of that name is read."""
        return fold(folha) not in {fold(nome) for nome in self.folhas_ignoradas}

    def find(self, titulo: str) -> str | None:
        """The campo of a heading, however its letters are written; None where the map has no such heading."""
        if titulo in self.colunas:
            return self.colunas[titulo]
        folded = fold(titulo)
        return next((campo for conhecido, campo in self.colunas.items() if fold(conhecido) == folded), None)

    @property
    def decided(self) -> MapaDeColunas:
        """The map without the columns that nobody has decided about, which are asked again of the next file."""
        return msgspec.structs.replace(self, colunas={titulo: campo for titulo, campo in self.colunas.items() if campo})

    def fits(self, titulos: Sequence[str]) -> bool:
        """Whether a file has every column that the map reads and none that nobody has decided about."""
        folded = {fold(titulo) for titulo in titulos}
        return {fold(titulo) for titulo in self.lidas} <= folded <= {fold(titulo) for titulo in self.decided.colunas}

    def over(self, guessed: MapaDeColunas) -> MapaDeColunas:
        """This map for the headings that it decides, and the guess for the others; two columns never say the same by a guess."""
        known = {titulo: self.find(titulo) or "" for titulo in guessed.colunas}
        taken = set(known.values()) - VARIAS
        colunas = {
            titulo: campo or ("" if guessed.colunas[titulo] in taken else guessed.colunas[titulo]) for titulo, campo in known.items()
        }
        documentos = {**guessed.documentos, **self.documentos}
        fixos, ignoradas = {**guessed.fixos, **self.fixos}, list(dict.fromkeys((*self.folhas_ignoradas, *guessed.folhas_ignoradas)))
        return msgspec.structs.replace(self, colunas=colunas, fixos=fixos, documentos=documentos, folhas_ignoradas=ignoradas)

    def new_in(self, titulos: Sequence[str]) -> tuple[str, ...]:
        """The headings of a file of which this map says nothing."""
        return tuple(titulo for titulo in titulos if not self.find(titulo))

    def documento(self, tipo: str) -> str:
        """The type that a document is: another where the map says so, else its own."""
        return next((tipo_do_documento(outro) for nosso, outro in self.documentos.items() if fold_documento(nosso) == tipo), tipo)

    def missing(self, titulos: Sequence[str]) -> Mapping[str, str]:
        """The columns that the map reads and a file does not have."""
        folded = {fold(titulo) for titulo in titulos}
        return {titulo: campo for titulo, campo in self.lidas.items() if fold(titulo) not in folded}


def read_mapa(raw: bytes) -> MapaDeColunas:
    """A map in YAML or JSON. Raises MapaInvalido."""
    if len(raw) > MAPA_MAXIMO:
        raise MapaInvalido("O mapa é grande demais. Ele só diz o que é cada coluna.")
    try:
        found = msgspec.convert(_plain(raw), MapaDeColunas)
    except (msgspec.ValidationError, yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError):
        raise MapaInvalido("O mapa é um YAML ou JSON com `colunas`: o título de cada coluna e o campo que ela diz.") from None
    return check_mapa(found)


def _plain(raw: bytes) -> object:
    texto = raw.decode("utf-8-sig")
    if any(isinstance(token, yaml.AliasToken | yaml.AnchorToken) for token in yaml.scan(texto, Loader=yaml.SafeLoader)):
        raise ValueError  # what repeats itself may be endless
    return yaml.safe_load(texto)


def check_mapa(mapa: MapaDeColunas) -> MapaDeColunas:
    """The map itself. Raises MapaInvalido where it names a campo that is none."""
    if len(mapa.colunas) > _TITULOS_MAXIMO:
        raise MapaInvalido(f"O mapa tem mais de {_TITULOS_MAXIMO} colunas.")
    if len(mapa.folhas_ignoradas) > _TITULOS_MAXIMO:
        raise MapaInvalido(f"O mapa tem mais de {_TITULOS_MAXIMO} folhas.")
    if len(mapa.documentos) > _TITULOS_MAXIMO or not all(map(fold_documento, (*mapa.documentos, *mapa.documentos.values()))):
        raise MapaInvalido("Em `documentos`, diga de cada documento da planilha qual ele é, como Laudo: LAUDO_MEDICO.")
    unknown = [campo for campo in mapa.colunas.values() if campo and campo not in CAMPOS]
    unknown += [campo for campo in mapa.fixos if campo not in FIXOS]
    if unknown:
        raise MapaInvalido(f"“{cut(unknown[0])}” não é um campo. Os campos são: {', '.join(CAMPOS)}; fixos podem ser {', '.join(FIXOS)}.")
    return mapa


def write_mapa(mapa: MapaDeColunas) -> str:
    """The map as YAML, to keep and change."""
    return yaml.safe_dump(msgspec.to_builtins(mapa), allow_unicode=True, sort_keys=False)
