"""Small results to be written: what they say is chosen to break whatever writes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

from crivo.triagem.classificacao.definicao import AMPLA, Classificacao, Cota, PorCampo, PorInscricao, Vagas
from crivo.triagem.classificacao.publicado import LugarPublicado
from crivo.triagem.condicao import Condicao
from crivo.triagem.publicacao.conteudo import Conteudo, CriterioPublicado, Identificado, Linha, digest_of, encode
from crivo.triagem.publicacao.documentos.selo import Selo, address_of
from crivo.triagem.publicacao.guardados import Publicada

EM = datetime(2026, 11, 27, 17, 5, 9, tzinfo=UTC)
HOSTIS = (
    "<script>alert(1)</script> & \"aspas\" 'simples'",
    '#eval("1+1") *forte* _it_ $x$ \\ #image("/etc/passwd") @ref <rot>',
    '=HYPERLINK("http://mau.exemplo";"clique")',
    "+55 11 =cmd|' /C calc'!A0",
    "שלום עולם, \u202eavesso\u202c e depois",
    "Festa 🎉 do 日本 e do \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "Nome" + "comprido" * 37,
    "nul\x00 e sino\x07 e\tguia",
    "CPF 529.982.247-25 no título",
    "ã̃́ combinado; fi ffi ﬁ",
)
_NEGRAS = Cota("NEGRAS", Condicao("cota", "igual", "negra"), 1, "5.1")


def linha(codigo: str, titulo: str, categoria: str, posicao: int | None, situacao: str = "selecionado", vaga: str | None = AMPLA) -> Linha:
    nota = Decimal("86.25") if posicao else None
    lugar = LugarPublicado(
        codigo,
        posicao,
        situacao,  # type: ignore[arg-type]  # one of the contract's, said by the test
        vaga if situacao == "selecionado" else None,
        categoria,
        {"C1": Decimal("8.25"), "C2": 7} if posicao else {},
        Decimal("81.25") if posicao else None,
        5 if posicao else None,
        nota,
        "C1" if posicao == 2 else None,
        f"{posicao}º, com 86,25: selecionado." if posicao else "Inabilitado: faltou a certidão.",
    )
    return Linha(lugar, Identificado(titulo, "Maria das Dores", "***.982.247-**"))


def conteudo(linhas: Sequence[Linha] = (), vagas: tuple[Vagas, ...] = (), nome: str = "Cultura em Toda Parte") -> Conteudo:
    return Conteudo(
        "ED-2026-04",
        nome,
        "Secretaria de Cultura de Serra Clara",
        "preliminar",
        2,
        "ED-2026-04",
        Classificacao(vagas=vagas, desempate=(PorCampo("idade"), PorInscricao())),
        (
            CriterioPublicado("C1", "Mérito cultural", Decimal(2), Decimal(10)),
            CriterioPublicado("C2", "Viabilidade", Decimal(1), Decimal(10)),
        ),
        tuple(linhas),
    )


def hostil(categorias: int = 1) -> Conteudo:
    """Every hostile title once in each category, and once without a place."""
    linhas = [
        linha(f"P{at}{place:02}", titulo, f"Categoria {at}", place, "selecionado" if place < 3 else "suplente")
        for at in range(1, categorias + 1)
        for place, titulo in enumerate(HOSTIS, 1)
    ]
    linhas += [linha(f"X{at:02}", titulo, "Categoria 1", None, "inabilitado") for at, titulo in enumerate(HOSTIS, 1)]
    vagas = tuple([Vagas(f"Categoria {at}", 2, Decimal(50_000), (_NEGRAS,)) for at in range(1, categorias + 1)])
    return conteudo(linhas, vagas, nome='Edital <b>nº 4</b> #eval("x") =1+1')


def selo_of(de: Conteudo, codigo: str = "K3V7QX2MPA4TZ6WB") -> Selo:
    sha256 = digest_of(encode(de))
    publicada = Publicada(
        de.edital_id, de.versao, de.fase, codigo, sha256, de.semente, "Nota corrigida em P102.", date(2026, 12, 4), UUID(int=7), EM
    )
    return Selo(publicada, address_of("https://crivo.exemplo", "serra-clara", codigo))
