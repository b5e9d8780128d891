"""What is worth knowing beside decisions and is no part of them, as a header of their answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crivo.autorizacoes.service import Decidida

AVISO: Final = (
    "`administradora_desconhecida`, onde nenhuma política publicada é da administradora que o pedido diz; `observacao_nao_lida`, onde a "
    "regra tem uma frase que o crivo não leu e que poderia mudar a decisão; `documento_nao_reconhecido`, onde falta um documento e veio "
    "outro, com um nome que ninguém conhece; `campo_nao_lido` e `observacao_do_pedido_nao_lida`, onde o que um mapeamento deixou de um "
    "pedido pode pesar: a trilha diz o quê. Vários vêm separados por vírgula."
)


def told_beside(decididas: Sequence[Decidida]) -> dict[str, str]:
    """The header `Crivo-Aviso` of these decisions; none where there is nothing to tell."""
    avisos = dict.fromkeys([aviso for decidida in decididas for aviso in decidida.avisos])
    return {"crivo-aviso": ", ".join(avisos)} if avisos else {}
