"""Signs in one project alone are the same whether its own job finds them or a look over the whole edital does."""

from __future__ import annotations

from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido, TrechoOculto
from crivo.triagem.edital import Chamada
from crivo.triagem.irregularidades.instrucoes import find_texto_instrucional
from crivo.triagem.irregularidades.ocultos import find_texto_oculto
from crivo.triagem.irregularidades.proprias import find_no_projeto, in_order
from crivo.triagem.irregularidades.todas import compare_projects, find_irregularidades
from documentos import ORDEM
from inscritos import EDITAL, projeto, vetores


def lido(codigo: str, *ocultos: TrechoOculto, texto: str = "Plano de trabalho.") -> ProjetoLido:
    documento = DocumentoLido("a.pdf", "0" * 64, 1, "pdf", "lido", (Pagina(1, texto),), ocultos, 1)
    return ProjetoLido(projeto(codigo, f"Oficina de {codigo}"), (documento,))


LIDOS = [
    lido("P1", texto=ORDEM),
    lido("P2", TrechoOculto(ORDEM, "sem_cor", 1), TrechoOculto("Versão do coletivo", "vanish", 2)),
    lido("P3"),
    lido("P4", TrechoOculto(ORDEM, "metadado")),
]


def test_joined_signs_come_kind_by_kind_in_the_order_of_the_edital() -> None:
    signs = in_order(map(find_no_projeto, LIDOS))
    assert [(sign.tipo, sign.projetos) for sign in signs] == [
        ("texto_oculto", ("P2",)),
        ("texto_oculto", ("P4",)),
        ("texto_instrucional", ("P1",)),
        ("texto_instrucional", ("P2",)),
        ("texto_instrucional", ("P4",)),
    ]
    assert signs == (*find_texto_oculto(LIDOS), *find_texto_instrucional(LIDOS))


def test_all_signs_are_those_of_comparing_and_then_those_of_each_project() -> None:
    projetos = tuple(one.projeto for one in LIDOS)
    chamada = Chamada(EDITAL, projetos=projetos)
    whole = find_irregularidades(chamada, LIDOS, vetores(projetos))
    compared = compare_projects(chamada, LIDOS, vetores(projetos))
    assert whole.irregularidades == (*compared.irregularidades, *in_order(map(find_no_projeto, LIDOS)))
    assert whole.mais_parecido == compared.mais_parecido
