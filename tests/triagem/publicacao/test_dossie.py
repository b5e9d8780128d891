"""The dossier of a project: what was asked, found, decided by whom, and why it stands where it does. Source: design, After the notas."""

from __future__ import annotations

import io
from dataclasses import replace
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
from crivo.triagem.diligencias.guardadas import Aberta, Diligencia, Envio, Pedida, Pedido
from crivo.triagem.diligencias.guardadas import Papel as PapelDaResposta
from crivo.triagem.edital import Criterio, Edital, Projeto, ProjetoDocumento, Proponente, RequisitoDocumento, Responsavel
from crivo.triagem.guardados import Avaliacao, DecisaoHabilitacao, Incumbencia
from crivo.triagem.mesa import NaMesa
from crivo.triagem.publicacao.documentos import em_html
from crivo.triagem.publicacao.documentos.em_pdf import compose
from crivo.triagem.publicacao.dossie import Para, Reunido, lay_out
from crivo.triagem.recursos.contratos import NotaRevista, Recurso, Resposta
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


def ouvido() -> Reunido:
    """The same, of whom a paper was asked that then came, and who contested a nota that was then revised."""
    whole = reunido()
    before = ItemHabilitacao(requisito="REQ-1", situacao="nao_atende", motivo="documento_vencido", eliminatorio=False, evidencia=None)
    after = ItemHabilitacao(
        requisito="REQ-1", situacao="atende", motivo=None, eliminatorio=False, evidencia=None, achado="Vale até 01/03/2027."
    )
    pedida = Pedida("COD", "Envie a certidão em dia.", (Pedido("REQ-1", "Certidão municipal"),), (before,))
    one = Diligencia(
        UUID(int=3), UUID(int=4), UUID(int=5), "P1", 4, UUID(int=6), pedida, 5, EM + timedelta(days=5), LIA, EM, None, None, "", EM,
        (after,), EM,
    )  # fmt: skip
    papel = PapelDaResposta(1, "certidao-nova.pdf", "REQ-1", "0" * 64, 10)
    envio = Envio(UUID(int=7), "proponente", None, EM, "Segue a certidão.", "0" * 64, (papel,))
    aberta = Aberta(whole.na_mesa.edital, "Roda", one, "respondida", "", None, (envio,), (), {LIA: "Lia Gestora"})
    revista = NotaRevista("C1", ANA, Decimal("9.5"), "O anexo não tinha sido lido por Ana Lima.")
    taken_back = Resposta(UUID(int=8), "nao_provido", "Nada a rever.", (), LIA, EM, desfeita_por=LIA, desfeita_em=EM)
    resposta = Resposta(UUID(int=9), "provido", "Quem recorreu tem razão.", (revista,), LIA, EM)
    recurso = Recurso(
        UUID(int=10), 2, "P1", "resultado", "link", EM, EM, None, 1, "A nota não leu o anexo.", "", (), "0" * 64, resposta, (taken_back,)
    )
    return replace(whole, diligencias=(aberta,), recursos=(recurso,), nomes={LIA: "Lia Gestora"})


def text_of(para: Para, of: Reunido | None = None) -> str:
    written = em_html.render(lay_out(of or reunido(), para, EM)).decode()
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


@pytest.mark.parametrize("para", ["interno", "proponente"])
def test_what_was_asked_again_and_contested_is_told_with_what_came_of_it(para: Para) -> None:
    text = text_of(para, ouvido())
    for told in (
        "Antes: não atende",
        "Depois da diligência 4: atende Vale até 01/03/2027.",
        "Diligência 4, respondida.",
        "Envie a certidão em dia.",
        "pelo proponente: Segue a certidão.",
        "certidao-nova.pdf",
        "Recurso 2, contra: resultado.",
        "A nota não leu o anexo.",
        "Provido, 27/11/2026 às 14h00",
        "Quem recorreu tem razão.",
        "passa a 9,50",
        "Nada a rever. Retirada em 27/11/2026",
    ):
        assert told in text, told


def test_the_proponente_is_told_that_a_nota_was_revised_and_not_whose() -> None:
    outside, inside = text_of("proponente", ouvido()), text_of("interno", ouvido())
    assert "Ana Lima" not in outside
    assert "por a organização" not in outside
    assert "dada por Avaliador" in outside
    assert "dada por Ana Lima" in inside
    assert "por Lia Gestora. Quem recorreu tem razão." in inside


def test_without_diligencias_and_recursos_it_says_so() -> None:
    text = text_of("interno")
    assert "Nada mais foi pedido ao proponente" in text
    assert "Nenhum recurso foi apresentado" in text
    assert "Antes:" not in text


def test_it_is_a_pdf_a_like_the_others() -> None:
    made = compose(lay_out(reunido(), "interno", EM))
    pages = PdfReader(io.BytesIO(made)).pages
    assert "Dossiê do projeto P1, edital ED-1" in pages[0].extract_text()
    assert made == compose(lay_out(reunido(), "interno", EM))
