"""What every page of a result has around it: the edital, the tabs, and who published what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from starlette.requests import Request

from crivo.triagem.atos import name_of
from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.palavras import shown
from crivo.triagem.publicacao.documentos.formatos import FORMATOS
from crivo.triagem.publicacao.guardados import Publicada, standing
from crivo.web.pages.formatos import dia, instante
from crivo.web.pages.triagem.resultado.endereco import address_of, base_of
from crivo.web.pages.triagem.resultado.palavras import FASE, version_said
from crivo.web.state import scope_of, state_of

Aba = Literal["lugares", "publicacoes", "comparacao", "desistencias"]
_ABAS: Final[tuple[tuple[Aba, str, str], ...]] = (
    ("lugares", "Lugares", ""),
    ("publicacoes", "Publicações", "/publicacoes"),
    ("comparacao", "Comparar", "/comparacao"),
    ("desistencias", "Desistências", "/desistencias"),
)


@dataclass(frozen=True, slots=True)
class PublicadaVista:
    """A version as a line: `em_vigor` where no later one of its fase took its place. `arquivos` is where its files are, but for the format;
    `publica` where anybody reads it.
    """

    versao: int
    nome: str
    fase: str
    quando: str
    quem: str
    motivo: str
    recursos: str
    semente: str
    codigo: str
    sha256: str
    em_vigor: bool
    ler: str
    arquivos: str
    publica: str
    comparar: str

    @classmethod
    def of(cls, one: Publicada, nomes: Mapping[UUID, str], todas: Collection[Publicada], tenant_id: str) -> PublicadaVista:
        """The version in words, among all of its edital."""
        address = address_of(one.edital_id)
        before = max((of.versao for of in todas if of.versao < one.versao), default=0)
        return cls(
            one.versao,
            version_said(one),
            FASE[one.fase],
            instante(one.publicada_em),
            shown(name_of(one.publicada_por, nomes)),
            shown(one.motivo),
            dia(one.recursos_ate) if one.recursos_ate else "",
            shown(one.semente),
            one.codigo,
            one.sha256,
            one == standing(one, todas),
            f"{address}?versao={one.versao}",
            f"{address}/{one.versao}",
            f"/publicacoes/{tenant_id}/{one.codigo}",
            f"{address}/comparacao?antes={before}&depois={one.versao}" if before else "",
        )


async def versions_in_words(request: Request, versoes: Collection[Publicada]) -> list[PublicadaVista]:
    """Versions with the names of who published them."""
    people = {one.publicada_por for one in versoes}
    nomes = await state_of(request).container.decisoes.nomes(scope_of(request), people) if people else {}
    return [PublicadaVista.of(one, nomes, versoes, scope_of(request).tenant_id) for one in versoes]


def frame(
    edital_id: str,
    edital_nome: str,
    aba: Aba,
    versoes: int | None = None,
    desistencias: int | None = None,
    fase: FaseDoResultado = "preliminar",
) -> dict[str, Any]:
    """What the templates of these pages are given; the tabs keep to the fase that is looked at."""
    counts: Mapping[Aba, int | None] = {"publicacoes": versoes, "desistencias": desistencias}
    address, kept = address_of(edital_id), "?fase=final" if fase == "final" else ""
    return {
        "edital": shown(edital_nome),
        "edital_id": edital_id,
        "base": base_of(edital_id),
        "endereco": address,
        "aba": aba,
        "formatos": FORMATOS.values(),
        "abas_do_resultado": [(one, nome, counts.get(one), address + path + kept) for one, nome, path in _ABAS],
    }
