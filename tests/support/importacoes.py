"""An import that is right in everything, to be spoilt in one thing at a time. Everybody in it is made up."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from crivo.kernel.errors import Problem
from crivo.triagem.importacao import Importacao, ImportacaoRecusada, read_chamada

Documento = dict[str, Any]

_COMPLETA: Documento = {
    "edital": {
        "id": "ED-2026-04",
        "nome": "Edital de Fomento às Culturas Populares",
        "objetivo": "Apoiar mestres e grupos.",
        "texto": "Capítulo 1",
        "orgao": "Secretaria de Cultura de Caucaia",
        "inscricoes": {"inicio": "2026-08-01", "fim": "2026-09-15"},
        "ordem_fases": ["habilitacao", "avaliacao"],
        "orcamento_detalhado": "exigir",
        "data_referencia": "2026-09-15",
        "nota_antes_da_dica": True,
        "amostras": 1,
        "fases": [
            {"fase": "habilitacao", "inicio": "2026-09-16", "fim": "2026-09-30"},
            {"fase": "resultado_final", "inicio": "2026-11-03"},
        ],
        "categorias": ["Culturas populares", "Audiovisual"],
        "documentos_proprios": [
            {
                "id": "ATA_DA_RODA",
                "nome": "Ata da roda",
                "palavras": ["ata da roda", "roda de mestres + presentes"],
                "palavras_de_outro": ["ata de assembleia"],
            }
        ],
        "classificacao": {
            "nota_final": "media_ponderada",
            "minimo_avaliadores": 2,
            "divergencia_maxima": 30,
            "escala": 100,
            "casas": 2,
            "corte": {"nota_final_minima": 60, "por_criterio": {"C1": 5.5}, "zero_elimina": ["C1"]},
            "bonus": [
                {"id": "BON-1", "clausula": "7.3", "quando": {"campo": "municipio", "operador": "igual", "valor": "Caucaia"}, "pontos": 2.5}
            ],
            "bonus_maximo": 10,
            "desempate": [
                {"por": "criterio", "criterio": "C1"},
                {"por": "campo", "campo": "integrantes", "maior": False},
                {"por": "inscricao"},
                {"por": "sorteio"},
            ],
            "vagas": [
                {
                    "categoria": "Culturas populares",
                    "total": 10,
                    "valor": 50000,
                    "cotas": [
                        {
                            "id": "ESTREANTES",
                            "clausula": "5.1",
                            "quando": {"campo": "estreante", "operador": "igual", "valor": True},
                            "vagas": 3,
                        }
                    ],
                },
                {"categoria": "*", "total": 2},
            ],
            "remanejamento": ["cotas", "categorias"],
            "suplentes": 5,
            "semente": "ED-2026-04, 20/11/2026",
        },
    },
    "requisitos": [
        {
            "id": "REQ-1",
            "clausula": "4.1",
            "tipo": "documento",
            "documento": "CERTIDAO_MUNICIPAL",
            "descricao": "Certidão negativa municipal",
            "formatos": ["pdf"],
            "obrigatorio": True,
            "em_nome_do_proponente": True,
            "validade": {"regra": "valido_em", "data": "2026-09-15"},
            "eliminatorio": False,
        },
        {
            "id": "REQ-2",
            "tipo": "documento",
            "documento": "COMPROVANTE_RESIDENCIA",
            "validade": {"regra": "emitido_no_maximo_dias_antes", "dias": 90},
            "quando": {"campo": "municipio", "operador": "diferente", "valor": "Sobral"},
        },
        {
            "id": "REQ-7",
            "clausula": "4.7",
            "tipo": "condicao",
            "campo": "municipio",
            "operador": "em",
            "valor": ["Caucaia"],
            "descricao": "Sede em Caucaia",
            "eliminatorio": True,
        },
    ],
    "criterios": [
        {
            "id": "C1",
            "nome": "Relevância cultural",
            "descricao": "Importância para a comunidade",
            "peso": 2,
            "nota_min": 0,
            "nota_max": 10,
            "niveis": [{"nota": 0, "descricao": "Nenhuma"}, {"nota": 5, "descricao": "Alguma"}, {"nota": 10, "descricao": "Grande"}],
        }
    ],
    "projetos": [
        {
            "id": "P001",
            "titulo": "Reisado do Sertão",
            "categoria": "Culturas populares",
            "enviado_em": "2026-09-10T14:00:00-03:00",
            "resumo": "Temporada do grupo de reisado.",
            "descricao_tecnica": "Doze apresentações em praças.",
            "proponente": {
                "nome": "Associação do Reisado",
                "cpf_cnpj": "11.222.333/0001-81",
                "email": "contato@reisado.example",
                "endereco": "Rua das Flores, 10",
                "responsavel": {"nome": "Joana Prado", "cpf": "529.982.247-25"},
                "banco": {"codigo": "001", "agencia": "1234", "conta": "56789-0"},
            },
            "campos": {"municipio": "Caucaia", "estreante": True, "integrantes": 12, "linguagens": ["dança", "música"]},
            "orcamento_itens": [{"descricao": "Figurino", "quantidade": 10, "valor_unitario": 150.5}],
            "cronograma_etapas": [{"nome": "Ensaios", "inicio": "2027-01-01", "fim": "2027-02-01"}],
            "documentos": [{"requisito": "REQ-1", "arquivo": "documentos/P001/certidao.pdf"}, {"arquivo": "documentos/P001/fotos.pdf"}],
        }
    ],
    "avaliadores": [{"nome": "Rui Leal", "email": "rui@jurado.example", "projetos": ["P001"], "cpf": "390.533.447-05"}],
    "avaliacoes": [{"projeto": "P001", "avaliador": "rui@jurado.example", "notas": {"C1": 8.5}, "parecer": "Um grupo vivo."}],
    "habilitacoes": [{"projeto": "P001", "situacao": "habilitado", "motivo": "Documentos conferidos."}],
}
_FILES: Mapping[str, bytes] = {"documentos/P001/certidao.pdf": b"%PDF-1.7 certidao", "documentos/P001/fotos.pdf": b"%PDF-1.7 fotos"}


def certa() -> Documento:
    """A right import, free to be changed."""
    documento = completa()
    del documento["edital"]["classificacao"], documento["avaliacoes"], documento["habilitacoes"]
    return documento


def completa() -> Documento:
    """The same, which also says how notas become places, and what people already gave and decided."""
    return copy.deepcopy(_COMPLETA)


def at(documento: Documento, caminho: str) -> tuple[Any, str | int]:
    """The place of a path, as its parent and its last step: `projetos.0.titulo`."""
    *passos, ultimo = [int(passo) if passo.isdigit() else passo for passo in caminho.split(".")]
    pai: Any = documento
    for passo in passos:
        pai = pai[passo]
    return pai, ultimo


def com(caminho: str, valor: Any, de: Callable[[], Documento] = certa) -> Documento:
    """A right import but for one value."""
    documento = de()
    pai, ultimo = at(documento, caminho)
    pai[ultimo] = valor
    return documento


def write(folder: Path, documento: Documento | str | bytes, files: Mapping[str, bytes] = _FILES) -> Path:
    """Writes the import and its files in a folder, and returns the folder."""
    raw = documento if isinstance(documento, str | bytes) else json.dumps(documento, ensure_ascii=False)
    (folder / "edital.json").write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    for nome, content in files.items():
        (folder / nome).parent.mkdir(parents=True, exist_ok=True)
        (folder / nome).write_bytes(content)
    return folder


def accepted(folder: Path, documento: Documento | str | bytes) -> Importacao:
    """What such an import gives."""
    return read_chamada(write(folder, documento))


def refused(folder: Path, documento: Documento | str | bytes) -> tuple[Problem, ...]:
    """The problems for which such an import is refused."""
    with pytest.raises(ImportacaoRecusada) as refusal:
        read_chamada(write(folder, documento))
    return refusal.value.problemas


def told(problemas: tuple[Problem, ...]) -> set[tuple[str, str]]:
    """Problems by path and code."""
    return {(problem.caminho, problem.codigo) for problem in problemas}
