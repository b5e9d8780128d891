"""A result with something of everything in it, and much that a spreadsheet would rather run than show."""

from __future__ import annotations

from decimal import Decimal

import pytest

from crivo.triagem.achados import (
    Evidencia,
    Irregularidade,
    ItemHabilitacao,
    LeituraAssistida,
    NotaSugerida,
    ProjetoTriado,
    Resultado,
)
from crivo.triagem.edital import Chamada, Criterio, Edital, Projeto, Proponente

CPF = "529.982.247-25"


@pytest.fixture
def chamada() -> Chamada:
    return Chamada(
        Edital("ED-1", "Edital nº 1: ações & ofícios", orgao="Secretaria de Cultura"),
        criterios=(Criterio("C1", "Mérito", peso=Decimal("2.5")), Criterio("C2", "Alcance")),
        projetos=(
            Projeto("P001", "=1+1", Proponente("Joana Prado", CPF)),
            Projeto("P002", "Coco de roda", Proponente("@Associação", "11222333000181")),
        ),
    )


@pytest.fixture
def resultado() -> Resultado:
    certidao = ItemHabilitacao(
        requisito="REQ-1",
        situacao="nao_atende",
        motivo="documento_vencido",
        eliminatorio=True,
        evidencia=Evidencia(arquivo="docs/rg_52998224725.pdf", pagina=2, trecho=f"+55 válida até 01/08/2026, CPF {CPF}"),
        clausula="4.1",
        descricao="Certidão municipal",
        achado="- A certidão venceu; não cobre 15/09/2026.",
    )
    ilegivel = ItemHabilitacao(requisito="REQ-2", situacao="nao_lido", motivo=None, eliminatorio=False, evidencia=None)
    nota = NotaSugerida(
        "C1", Decimal("7.25"), "Bom projeto", Decimal("0.8"), (Evidencia(arquivo="a.pdf", pagina=1, trecho="linha 1\nlinha 2"),)
    )
    passagens = (Evidencia(campo="resumo", trecho="fala de  alcance"),)
    return Resultado(
        "ED-1",
        "exec-1",
        (
            ProjetoTriado(
                "P001",
                "inabilitado",
                "Certidão vencida",
                False,
                (certidao, ilegivel),
                (nota,),
                (LeituraAssistida("C2", passagens),),
                0.91,
                "P002",
            ),
            ProjetoTriado("P002", None, "", None, (), (), erro="O arquivo não pôde ser lido."),
        ),
        (
            Irregularidade(
                tipo="texto_reutilizado",
                projetos=("P001", "P002"),
                valor=0.41,
                percentil=99.0,
                evidencia=(Evidencia(projeto="P001", trecho="\tcopiado", par=1, semelhanca=0.87),),
                achado="Trechos em comum.",
            ),
            Irregularidade(tipo="texto_oculto", projetos=("P002",), arquivo="b.pdf"),
        ),
    )
