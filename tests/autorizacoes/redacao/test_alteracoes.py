"""The code's own messages, altered in one place: whatever was altered, the text no longer stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date

from msgspec import structs

from crivo.autorizacoes import amostra
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.palavras import nome_documento
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.redacao import Campo, Decidido, conferir

RECEIVED_ON = date(2026, 11, 20)
CAMPOS: tuple[Campo, Campo] = ("para_solicitante", "para_beneficiario")
OUTROS_DESFECHOS = {
    "APROVADO": (("foi aprovado", "foi negado"), ("APROVADO. Autorizamos", "NEGADO. Não é possível autorizar")),
    "APROVADO_PARCIAL": (("Boa notícia, com um limite", "Infelizmente foi negado"), ("APROVADO EM PARTE", "APROVADO POR INTEIRO")),
    "NEGADO": (
        ("Não foi possível aprovar o seu pedido", "Foi aprovado o seu pedido"),
        ("NEGADO. Não é possível", "APROVADO. Está autorizado e é possível"),
    ),
    "PENDENTE_AJUSTES": (
        ("ainda não pôde ser aprovado", "foi aprovado"),
        ("PENDENTE DE AJUSTES", "NEGADO"),
        ("Ainda não é possível autorizar", "Está autorizado"),
    ),
}
ACRESCIMOS = {
    "promessa": " Garantimos que o próximo pedido será aprovado.",
    "lei": " Conforme a Lei 9.656/98.",
    "telefone": " Ligue para 0800 700 1234.",
    "dinheiro": " O valor é de R$ 1.200,00.",
    "quando": " Responda até a próxima semana.",
}


def altered(texto: str, decidido: Decidido) -> Iterator[tuple[str, str]]:
    """Each way in which the text says one thing differently, by its kind."""
    for match in re.finditer(r"(?<![\w./,-])\d{1,3}(?![\w./]|,\d)", texto):
        yield "numero", f"{texto[: match.start()]}{int(match.group()) + 7}{texto[match.end() :]}"
    for match in re.finditer(r"\d\d/\d\d/\d{4}", texto):
        yield "data", f"{texto[: match.start()]}{int(match.group()[:2]) % 28 + 1:02d}{texto[match.start() + 2 :]}"
    fonte = decidido.artefato_registro.fonte_regras
    if fonte is not None:
        yield "documento da fonte", texto.replace(fonte.documento, "Manual Geral de Procedimentos")
        yield "versão", texto.replace(f"versão {fonte.versao}", "versão 99.9")
        yield "regra", texto.replace(f"regra {fonte.regra_id}", "regra R-999X")
    if decidido.pedido.codigo:
        yield "código", texto.replace(decidido.pedido.codigo, "77777777")
    for tipo in decidido.pedido.documentos.pendentes:
        yield "documento", texto.replace(nome_documento(tipo), nome_documento("AUDIOMETRIA" if tipo != "AUDIOMETRIA" else "RECEITA_MEDICA"))
    for said, instead in OUTROS_DESFECHOS[decidido.decisao_final]:
        yield "desfecho", texto.replace(said, instead)
    yield from ((kind, texto + added) for kind, added in ACRESCIMOS.items())


def test_a_message_altered_in_one_place_is_held_back() -> None:
    """Design: every number, code, date and document named must be in the inputs; the outcome must not be contradicted."""
    fluxo = Fluxo(Catalogo.of([read_politica(arquivo.conteudo).politica for arquivo in amostra.politicas()]), amostra.campos())
    tried: Counter[str] = Counter()
    passed = []
    for arquivo in amostra.pedidos():
        etapas = fluxo.decide(arquivo.conteudo, RECEIVED_ON).etapas
        decidido = Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)
        # The block of inputs as the contract has it, without the further words that the product adds.
        decidido = structs.replace(decidido, pedido=structs.replace(decidido.pedido, textos=()))
        for campo in CAMPOS:
            texto: str = getattr(etapas.sintese.mensagens, campo)
            for kind, other in altered(texto, decidido):
                if other != texto:
                    tried[kind] += 1
                    passed += [(kind, other)] if conferir(other, campo, decidido).ok else []
    assert passed == []
    assert sum(tried.values()) >= 1500
    assert len(tried) == 13
