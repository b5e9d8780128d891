"""The dossier of a project: what was asked, found, decided by whom, and why it stands where it does. Source: design, After the notas."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID

import pytest
from lxml import html as lxml_html
from pypdf import PdfReader

from chamadas_classificadas import classificada, inscrito, uma_categoria
from crivo.triagem.achados import Evidencia, ItemHabilitacao, ProjetoTriado
from crivo.triagem.casos.guardados import Caso, Dito
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.edital import Criterio, Edital, Projeto, ProjetoDocumento, Proponente, RequisitoDocumento, Responsavel
from crivo.triagem.guardados import Avaliacao, DecisaoHabilitacao, Incumbencia
from crivo.triagem.mesa import NaMesa
from crivo.triagem.publicacao.documentos import em_html
from crivo.triagem.publicacao.documentos.em_pdf import compose
from crivo.triagem.publicacao.dossie import Para, Reunido, lay_out
from publicados import conteudo, linha, selo_of

EM = datetime(2026, 11, 27, 17, 0, tzinfo=UTC)
ANA, BIA, LIA = (UUID(int=at) for at in (11, 12, 13))
CPF = "529.982.247-25"


def nota(avaliador: UUID, criterio: str, valor: str, texto: str) -> Avaliacao:
    return Avaliacao("P1", criterio, avaliador, Decimal(valor), texto, EM, EM)


def caso(situacao: str = "confirmado") -> Caso:
    dito = Dito(
        id=UUID(int=1), tipo="decisao", situacao=situacao, texto="É o mesmo texto de P2.", dono=None, tipos=("texto_reutilizado",),  # type: ignore[arg-type]
        projetos=("P1", "P2"), por=LIA, por_nome="Lia Gestora", em=EM,
    )  # fmt: skip
    return Caso(
        id=UUID(int=2), numero=7, titulo="Mesmo texto em P1 e P2", gravidade="grave", tipos=("texto_reutilizado",), projetos=("P1", "P2"),
        sinais=(), presente=True, historia=(dito,),
    )  # fmt: skip


def reunido() -> Reunido:
    before = DecisaoHabilitacao("P1", "inabilitado", None, f"Faltou a certidão; CPF {CPF}.", LIA, EM - timedelta(days=2))
    decided = DecisaoHabilitacao("P1", "habilitado", "pendencia", "Certidão chegou; Ana Lima viu.", LIA, EM, anteriores=(before,))
    item = ItemHabilitacao(
        requisito="REQ-1", situacao="nao_atende", motivo="documento_vencido", eliminatorio=False, achado="Venceu em 01/10/2026.",
        evidencia=Evidencia(arquivo="certidao.pdf", pagina=2, trecho="validade"),
    )  # fmt: skip
    na_mesa = NaMesa(
        Edital("ED-1", "Edital de cultura", orgao="Secretaria"),
        (Criterio("C1", "Mérito cultural"),),
        (RequisitoDocumento("REQ-1", "CERTIDAO_MUNICIPAL", "4.2", "Certidão municipal"),),
        Projeto("P1", 'Roda <b> #eval("1") =1', Proponente("Maria", CPF, responsavel=Responsavel("Maria", CPF)), "Música", documentos=(ProjetoDocumento("certidao.pdf", "REQ-1"),)),
        ProjetoTriado("P1", "pendencia", "Falta a certidão.", False, (item,), ()),
        decided,
        (nota(ANA, "C1", "8.5", f"Ana Lima aqui: bom. CPF {CPF}"), nota(BIA, "C1", "9", "Concordo com Ana Lima.")),
        (Incumbencia("P1", ANA, "Ana Lima", 1, EM), Incumbencia("P1", BIA, "Bia Sá", 1, EM)),
        {ANA: "Ana Lima", BIA: "Bia Sá", LIA: "Lia Gestora"},
    )  # fmt: skip
    placed = classificada(Classificacao(vagas=uma_categoria(1)), (inscrito("P1"), ["8.5", "9"]), (inscrito("P2"), ["5", "5"]))
    de = conteudo([linha("P1", "Roda", "Música", 1)])
    return Reunido(na_mesa, (caso(),), placed, ((selo_of(de).publicada, de.linhas[0]),))


def text_of(para: Para) -> str:
    written = em_html.render(lay_out(reunido(), para, EM)).decode()
    return " ".join(" ".join(lxml_html.document_fromstring(written).find("body").itertext()).split())


@pytest.mark.parametrize("para", ["interno", "proponente"])
def test_it_says_what_was_asked_found_decided_and_where_it_stands(para: Para) -> None:
    text = text_of(para)
    for told in (
        "Certidão municipal",
        "Venceu em 01/10/2026. certidao.pdf, página 2 Código",
        "Sugestão da triagem: Pendência. Falta a certidão.",
        "Lia Gestora 27/11/2026 às 14h00",
        "em vigor",
        "substituída",
        "8,50",
        "1º de 2 em Música",
        "K3V7QX2MPA4TZ6WB",
        "***.982.247-**",
    ):
        assert told in text, told
    assert CPF not in text
    assert "52998224725" not in text


def test_the_proponente_is_not_told_who_judged_nor_of_whom_else_a_case_is() -> None:
    text = text_of("proponente")
    for kept in ("Ana Lima", "Bia Sá", "É o mesmo texto de P2.", "Mesmo texto em P1 e P2"):
        assert kept not in text, kept
    assert {"Avaliador 1", "Avaliador 2"} <= {f"Avaliador {at}" for at in (1, 2) if f"Avaliador {at}" in text}
    assert "Confirmado" in text
    inside = text_of("interno")
    assert all(told in inside for told in ("Ana Lima", "Bia Sá", "É o mesmo texto de P2.", "Mesmo texto em P1 e P2"))


def test_a_project_of_which_nothing_is_known_yet_has_a_dossier_that_says_so() -> None:
    whole = reunido().na_mesa
    bare = NaMesa(whole.edital, (), (), Projeto("P9", "Só", Proponente("Alguém")), None, None, (), (), {})
    written = em_html.render(lay_out(Reunido(bare, (), None, ()), "interno", EM)).decode()
    for told in ("Ninguém decidiu", "Nenhuma triagem terminada", "Ninguém enviou", "não diz como as notas", "Nenhum resultado com este"):
        assert told in written, told


def test_it_is_a_pdf_a_like_the_others() -> None:
    made = compose(lay_out(reunido(), "interno", EM))
    pages = PdfReader(io.BytesIO(made)).pages
    assert "Dossiê do projeto P1, edital ED-1" in pages[0].extract_text()
    assert made == compose(lay_out(reunido(), "interno", EM))
