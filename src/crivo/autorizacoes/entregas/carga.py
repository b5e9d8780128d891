"""What a message says, made of the stored decision as it goes: nothing of it is kept a second time, and what was erased is not sent.

The same delivery has the same bytes in every try. Moments are in UTC, as the API has them.
Source: design/autorizacoes.md, RF6, Standards.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import Decisao, DetalheDecisao
from crivo.autorizacoes.entregas.contracts import Conteudo, Tipo
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.revisao.contracts import Revisao
from crivo.autorizacoes.trilha import Trilha

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Decisao)


def body_of(autorizacao: Autorizacao, revisao: Revisao | None, conteudo: Conteudo, endereco: str) -> bytes:
    """The message about a decision, or about a person's over it; `endereco` is where the pages are, without a slash at its end.

    Whole, it holds the RF6 document but for what is said to the beneficiary, who reads that at a link of their own.
    """
    decisao = standing(_DECODER.decode(autorizacao.decisao), revisao, quantity_asked(autorizacao))
    data: dict[str, Any] = {
        "autorizacao_id": str(autorizacao.id),
        "pedido_id": decisao.pedido_id,
        "decisao_final": decisao.decisao_final,
        "recebida_em": autorizacao.recebida_em.astimezone(UTC),
        "links": {
            "decisao": f"{endereco}/api/autorizacoes/{autorizacao.id}",
            "revisoes": f"{endereco}/api/autorizacoes/{autorizacao.id}/revisao",
            "pagina": f"{endereco}/autorizacoes/{autorizacao.id}",
        },
    }
    if revisao is not None:
        data["revisao"] = {
            "id": str(revisao.id),
            "decisao_anterior": revisao.decisao_anterior,
            "decidida_em": revisao.decidida_em.astimezone(UTC),
        }
    if conteudo == "inteiro":
        document = msgspec.to_builtins(decisao)
        del document["mensagens"]["para_beneficiario"]
        data["decisao"] = document
    tipo: Tipo = "autorizacao.decidida" if revisao is None else "autorizacao.revista"
    return _envelope(tipo, autorizacao.recebida_em if revisao is None else revisao.decidida_em, data)


def quantity_asked(autorizacao: Autorizacao) -> int | float | None:
    """The quantity that a stored pedido asks for, where it says one."""
    return msgspec.json.decode(autorizacao.trilha, type=Trilha).etapas.normalizacao.pedido_normalizado.procedimento.quantidade


def example_body(entrega_id: UUID, em: datetime) -> bytes:
    """The message that only shows that messages come through."""
    told = "Este é um exemplo, enviado por uma pessoa para conferir o endereço e a assinatura. Nada foi decidido."
    return _envelope("exemplo", em, {"entrega_id": str(entrega_id), "mensagem": told})


def standing(decisao: Decisao, revisao: Revisao | None, pedida: int | float | None = None) -> Decisao:
    """The document as it stands after a person's decision: what they decided, in their words; `pedida` is the quantity asked for.

    What the code left to be done was of its own decision: a person says in the message what is to be done.
    """
    if revisao is None:
        return decisao
    before = decisao.detalhe_decisao
    if revisao.decisao_final in ("APROVADO", "APROVADO_PARCIAL"):
        quantidade = revisao.quantidade_aprovada if revisao.decisao_final == "APROVADO_PARCIAL" else pedida
        detalhe = DetalheDecisao(quantidade, before.coparticipacao_percentual, before.prazo_validade_autorizacao_dias, ())
    else:
        detalhe = DetalheDecisao(None, None, None, ())
    artefato = msgspec.structs.replace(decisao.artefato_registro, status=revisao.decisao_final)
    return msgspec.structs.replace(
        decisao,
        decisao_final=revisao.decisao_final,
        detalhe_decisao=detalhe,
        mensagens=revisao.mensagens,
        artefato_registro=artefato,
    )


def _envelope(tipo: Tipo, em: datetime, data: dict[str, Any]) -> bytes:
    return _ENCODER.encode({"type": tipo, "timestamp": em.astimezone(UTC), "data": data})
