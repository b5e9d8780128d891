"""`procedimento_sem_regra`: codes that were asked for and that nothing would govern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.motivos import REGRA_NAO_ENCONTRADA
from crivo.autorizacoes.palavras import count
from crivo.autorizacoes.politicas.conferir.achados import Achado
from crivo.autorizacoes.politicas.conferir.bancada import Bancada, resultado
from crivo.autorizacoes.politicas.conferir.exemplos import BENEFICIARIO, PEDIDO, menor


@dataclass(frozen=True, slots=True)
class Procurado:
    """A procedure as pedidos of the past asked for it, and how many did."""

    plano_id: str
    codigo: str
    tabela: str | None
    vezes: int


def sem_regra(bancada: Bancada, procurados: Sequence[Procurado]) -> Iterator[Achado]:
    """Codes of the past for which, on the document's first day, no regra of any published document would be found."""
    if not bancada.dias:
        return
    dia, dona = bancada.dias[0], bancada.politica.administradora_id
    vezes: dict[str, int] = {}
    primeiros: dict[str, Bruto] = {}
    for um in procurados:
        if bancada.catalogo.situacao_do_plano(dona, um.plano_id, dia) == "fora_dos_declarados":
            continue
        if bancada.catalogo.find_regra(dona, um.plano_id, um.codigo, um.tabela, dia) is None:
            vezes[um.codigo] = vezes.get(um.codigo, 0) + um.vezes
            procedimento = {"codigo": um.codigo, "quantidade": 1} | ({"tabela": um.tabela} if um.tabela else {})
            primeiros.setdefault(
                um.codigo,
                {
                    "pedido_id": PEDIDO,
                    "administradora_id": dona,
                    "plano_id": um.plano_id,
                    "data_pedido": dia,
                    "beneficiario": {"id": BENEFICIARIO},
                    "procedimento": procedimento,
                },
            )
    for codigo, quantos in sorted(vezes.items(), key=lambda par: (-par[1], par[0])):

        def falls(pedido: Bruto, codigo: str = codigo) -> bool:
            trilha = bancada.decide(pedido)
            asked = trilha.etapas.normalizacao.pedido_normalizado.procedimento.codigo
            return asked == codigo and trilha.etapas.avaliacao.motivos == (REGRA_NAO_ENCONTRADA,)

        exemplo = menor(primeiros[codigo], falls)
        yield Achado(
            codigo="procedimento_sem_regra",
            gravidade="aviso",
            regra=None,
            linha=None,
            explicacao=(
                f"{codigo} já foi pedido {count(quantos, 'vez', 'vezes')} e não teria regra: o pedido iria para análise manual. "
                "Escreva uma regra para ele, se a política trata dele."
            ),
            exemplo=exemplo,
            resultados=(resultado("", bancada.decide(exemplo)),) if exemplo else (),
        )
