"""The result as JSON, by the names of the design; a CPF in a quote is masked. Source: design, Shapes, `--formato json`."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.achados import Evidencia, Irregularidade, ItemHabilitacao, LeituraAssistida, NotaSugerida, ProjetoTriado, Resultado
from crivo.triagem.conclusoes import NADA, Concluido
from crivo.triagem.exportacao.concluido_json import avaliacoes_of, casos_of, decisao_of, ranking_of

Json = dict[str, Any]

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")


def to_json(resultado: Resultado, concluido: Concluido = NADA) -> bytes:
    """The result in UTF-8: the design's fields always, null where there is nothing; what it adds to them, only where it says something.
    What people concluded is added: `decisao` to a projeto, `casos`, `avaliacoes` and `ranking` beside all.

    What comes out is read back by `msgspec.json.decode(…, type=Resultado)`, the same but for masked CPFs.
    """
    return _ENCODER.encode(
        {
            "edital_id": resultado.edital_id,
            "execucao_id": resultado.execucao_id,
            "projetos": [_projeto(projeto) | decisao_of(projeto.projeto_id, concluido) for projeto in resultado.projetos],
            "irregularidades": [_irregularidade(irregularidade) for irregularidade in resultado.irregularidades],
            **_stated(casos=casos_of(concluido), avaliacoes=avaliacoes_of(concluido), ranking=ranking_of(concluido)),
        }
    )


def _projeto(projeto: ProjetoTriado) -> Json:
    return {
        "projeto_id": projeto.projeto_id,
        "habilitacao_sugerida": projeto.habilitacao_sugerida,
        "habilitacao_motivo": mask_cpfs(projeto.habilitacao_motivo),
        "docs_completos": projeto.docs_completos,
        "itens": [_item(item) for item in projeto.itens],
        "notas": [_nota(nota) for nota in projeto.notas],
        **_stated(
            leitura=[_leitura(leitura) for leitura in projeto.leitura],
            similaridade_max=projeto.similaridade_max,
            projeto_similar=projeto.projeto_similar,
            projeto_similar_id=projeto.projeto_similar,
            erro=projeto.erro,
        ),
    }


def _item(item: ItemHabilitacao) -> Json:
    return {
        "requisito": item.requisito,
        "situacao": item.situacao,
        "motivo": item.motivo,
        "eliminatorio": item.eliminatorio,
        "evidencia": None if item.evidencia is None else _evidencia(item.evidencia),
        "autor": item.autor,
        **_stated(clausula=item.clausula, descricao=item.descricao, achado=mask_cpfs(item.achado), pedido=None if item.pedido else False),
    }


def _nota(nota: NotaSugerida) -> Json:
    return {
        "criterio": nota.criterio,
        "criterio_id": nota.criterio,  # the name of the column in the triagem seed
        "nota_sugerida": nota.nota_sugerida,
        "justificativa": mask_cpfs(nota.justificativa),
        "confianca": nota.confianca,
        "evidencias": [_evidencia(evidencia) for evidencia in nota.evidencias],
        "situacao": nota.situacao,
        "modelo": nota.modelo,
        "simulado": nota.simulado,
        **_stated(amostras=list(nota.amostras), observacao=mask_cpfs(nota.observacao)),
    }


def _leitura(leitura: LeituraAssistida) -> Json:
    return {"criterio": leitura.criterio, "passagens": [_evidencia(passagem) for passagem in leitura.passagens]}


def _irregularidade(irregularidade: Irregularidade) -> Json:
    return {
        "tipo": irregularidade.tipo,
        "projetos": irregularidade.projetos,
        "arquivo": irregularidade.arquivo,
        "campo": irregularidade.campo,
        "valor": irregularidade.valor,
        "evidencia": [_evidencia(evidencia) for evidencia in irregularidade.evidencia],
        "autor": irregularidade.autor,
        **_stated(percentil=irregularidade.percentil, achado=mask_cpfs(irregularidade.achado)),
    }


def _evidencia(evidencia: Evidencia) -> Json:
    return {
        "arquivo": evidencia.arquivo,
        "pagina": evidencia.pagina,
        "trecho": mask_cpfs(evidencia.trecho),
        **_stated(projeto=evidencia.projeto, campo=evidencia.campo, par=evidencia.par, semelhanca=evidencia.semelhanca),
    }


def _stated(**campos: Any) -> Json:
    return {nome: valor for nome, valor in campos.items() if valor is not None and valor not in ("", [])}
