"""The papers of the unseen call are judged rightly by what they say in clean letters: what fails in their images fails there."""

from __future__ import annotations

from msgspec.structs import replace

from chamada_de_fora import REFERENCIA, papeis
from crivo.triagem.documentos.datas import find_datas
from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Edital, Projeto
from crivo.triagem.habilitacao import habilitar


def test_every_paper_of_the_unseen_call_says_in_clean_letters_what_its_key_says() -> None:
    edital = Edital("FORA", "Chamada de fora", data_referencia=REFERENCIA)
    found = papeis()
    assert len(found) == 34
    for papel in found:
        lido = replace(read_document("papel", papel.pdf), requisito=papel.requisito.id)
        item = habilitar(edital, (papel.requisito,), ProjetoLido(Projeto("P", "P", papel.proponente), (lido,))).itens[0]
        assert (item.situacao, item.motivo) == (papel.situacao, papel.motivo), papel.nome
        assert set(papel.datas) <= {data.data for data in find_datas(lido.texto)}, papel.nome
