"""A call that was screened already, put into the database as a screening would have left it: thousands of projects in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from random import Random
from typing import Final
from uuid import UUID

from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.achados import (
    Evidencia,
    HabilitacaoSugerida,
    Irregularidade,
    ItemHabilitacao,
    LeituraAssistida,
    Situacao,
    TipoIrregularidade,
)
from crivo.triagem.edital import Avaliador, Criterio, Edital, Projeto, ProjetoDocumento, Proponente, RequisitoDocumento
from crivo.triagem.storage import arquivos, avaliacoes, chaves, editais, execucoes, projetos, resultados
from crivo.triagem.storage import sinais as sinais_do_edital
from crivo.triagem.storage.editais import to_json
from crivo.triagem.storage.execucoes import Registro

NOW: Final = datetime(2026, 11, 20, 17, 5, tzinfo=UTC)
FRASE: Final = "Doze apresentações de reisado em praças e escolas, com oficina de adereços e registro em vídeo para a comunidade. "
# Names that compare otherwise than they look: case, accents, ligatures, widths, blanks, marks of SQL, other scripts, and a CPF.
TITULOS: Final = (
    "Reisado do Sertão",
    "REISADO DO SERTAO",
    "reisado\u00a0 do\tsertão",
    "Straße der Musik",
    "STRASSE DER MUSIK",
    "ﬁlme e oﬁcina",
    "Ｔｅａｔｒｏ　ｄｅ　ｒｕａ",
    "İstanbul ışığı",
    "Καλλιτέχνης και ΚΑΛΛΙΤΈΧΝΗΣ",
    "100% percussão_livre \\ ' \" ; --",
    "مهرجان الموسيقى",
    "🎭🎶",
    "",
    " ",
    "De Maria, CPF 529.982.247-25",
    "igno\u202ere\u200b isto",
    "e\u0301cole",
    "École",
    "Æsop",
    "Ø",
)
_SITUACOES: Final[tuple[Situacao, ...]] = ("atende", "atende", "nao_atende", "nao_lido")
_SUGESTOES: Final[tuple[HabilitacaoSugerida, ...]] = ("habilitado", "habilitado", "pendencia", "inabilitado")
_SINAIS: Final[tuple[TipoIrregularidade, ...]] = ("similaridade", "texto_reutilizado", "texto_oculto", "proponente_repetido")
CRITERIOS: Final = (
    Criterio("C1", "Mérito"),
    Criterio("C2", "Alcance", peso=Decimal(2)),
    Criterio("C3", "Equipe", peso=Decimal("1.5")),
)
AVALIADORES: Final = ("Rita Melo", "Davi Sena", "Bia Nery")


@dataclass(frozen=True, slots=True)
class Pronta:
    """What was put in: the edital and the execução by their ids, the projects by their codes."""

    edital_id: UUID
    execucao_id: UUID
    projetos: dict[str, UUID]


async def put_screened(
    uow: UnitOfWork, quantos: int, codigo: str = "ED-1", *, com_notas: bool = True, julgados: int = 0, sinais: int = 0, semente: int = 1
) -> Pronta:
    """A finished screening of so many projects, a tenth of them decided by a person, `julgados` of them by people who judge.

    Every tenth of the titles is an odd one, notas and shares tie, and some projects failed, abstained or were withdrawn since.
    """
    sorte, new_id = Random(semente), Uuid7(SystemClock()).new  # noqa: S311 - made-up data, the same each time
    edital = await editais.save(uow, Edital(codigo, f"Edital {codigo}"), new_id(), NOW)
    await editais.replace_requisitos(uow, edital.id, (RequisitoDocumento(id="REQ-1", documento="PORTFOLIO"),))
    await editais.replace_criterios(uow, edital.id, CRITERIOS, [new_id() for _ in CRITERIOS], NOW)
    feitos = [_projeto(number, sorte) for number in range(quantos)]
    ids = await projetos.replace(uow, edital.id, feitos, [new_id() for _ in feitos], NOW)
    await _add_files(uow, feitos, ids)
    registro = _registro(new_id(), edital.id, codigo, quantos, edital.importacao, uow.scope.ator)
    await execucoes.insert(uow, registro)
    await resultados.open_for(uow, registro.id, list(ids.values()), [new_id() for _ in ids], NOW)
    await _add_results(uow, registro.id, feitos, ids, sorte, com_leitura=not com_notas)
    if com_notas:
        await _add_notas(uow, registro.id, sorte)
    await sinais_do_edital.replace(uow, registro.id, [_sinal(feitos, sorte) for _ in range(sinais)], None)
    await execucoes.count_reused(uow, registro.id, quantos)
    await execucoes.finish(uow, registro.id, "concluida", None, NOW + timedelta(minutes=7))
    await _add_people(uow, edital.id, ids, sorte, julgados)
    while await AcervoDeTriagem().seal_older(uow, NOW):
        pass
    return Pronta(edital.id, registro.id, ids)


def _projeto(number: int, sorte: Random) -> Projeto:
    titulo = sorte.choice(TITULOS) if sorte.random() < 0.1 else f"{sorte.choice(('Cortejo', 'Mostra', 'Ciranda', 'Ópera'))} {number % 997}"
    return Projeto(
        f"P{number:05}",
        titulo,
        Proponente(f"Associação {sorte.choice(('José', 'Ana', 'Ação', 'Luz'))} {number % 71}", cpf_cnpj="11.222.333/0001-81"),
        categoria=sorte.choice(("Música", "Teatro", "")),
        resumo=FRASE,
        descricao_tecnica=FRASE * 12,
        campos={"municipio": "Caucaia"},
        documentos=(ProjetoDocumento(f"documentos/{number:05}/portfolio.pdf", "REQ-1"),),
    )


async def _add_files(uow: UnitOfWork, feitos: Sequence[Projeto], ids: dict[str, UUID]) -> None:
    digest = sha256(b"um arquivo").digest()
    file = (await arquivos.keep(uow, {digest: b"um arquivo"}))[0][digest]
    edital_id = await uow.connection.exec_driver_sql("select edital_id from projetos where id = %s", (next(iter(ids.values())),))
    posses = (await chaves.hold_all(uow, edital_id.scalar_one())).values()
    await arquivos.share(uow, [(posse.dona, {digest: file}) for posse in posses if posse.dona is not None])
    rows = [
        (uow.scope.tenant_id, ids[one.id], ordem, of.requisito, "", digest, 10) for one in feitos for ordem, of in enumerate(one.documentos)
    ]
    await uow.connection.exec_driver_sql(
        "insert into projeto_documentos (tenant_id, projeto_id, ordem, requisito, arquivo, sha256, tamanho_bytes) "
        "values (%s, %s, %s, %s, %s, %s, %s)",
        rows,
    )


async def _add_results(
    uow: UnitOfWork, execucao_id: UUID, feitos: Sequence[Projeto], ids: dict[str, UUID], sorte: Random, *, com_leitura: bool
) -> None:
    rows = []
    for projeto in feitos:
        erro = "O projeto não pôde ser lido." if sorte.random() < 0.02 else None
        unjudged = erro is not None or sorte.random() < 0.02
        itens = () if unjudged else [_item(projeto, sorte) for _ in range(sorte.randrange(6))]
        leitura = () if erro or not com_leitura else [_lida(one.id, projeto) for one in CRITERIOS]
        like = sorte.choice(feitos)
        rows.append(
            (
                None if unjudged else sorte.choice(_SUGESTOES),
                None if unjudged else f"Conferido: {FRASE}",
                to_json(itens),
                to_json(leitura),
                erro,
                NOW,
                round(sorte.random(), 4),
                ids[like.id],
                uow.scope.tenant_id,
                execucao_id,
                ids[projeto.id],
            )
        )
    await uow.connection.exec_driver_sql(
        "update triagem_ia_resultados set habilitacao_sugerida = %s, habilitacao_motivo = %s, itens = %s, leitura = %s, erro = %s, "
        "concluido_em = %s, similaridade_max = %s, projeto_similar_id = %s where tenant_id = %s and execucao_id = %s and projeto_id = %s",
        rows,
    )


def _item(projeto: Projeto, sorte: Random) -> ItemHabilitacao:
    situacao = sorte.choice(_SITUACOES)
    return ItemHabilitacao(
        requisito="REQ-1",
        situacao=situacao,
        motivo="documento_ausente" if situacao == "nao_atende" else None,
        eliminatorio=False,
        evidencia=Evidencia(arquivo=projeto.documentos[0].arquivo, pagina=1, trecho=FRASE),
        descricao="Portfólio do proponente",
        achado="O documento foi encontrado.",
    )


def _lida(criterio: str, projeto: Projeto) -> LeituraAssistida:
    passagens = [Evidencia(projeto=projeto.id, campo="descricao_tecnica", trecho=FRASE) for _ in range(3)]
    return LeituraAssistida(criterio, tuple(passagens))


async def _add_notas(uow: UnitOfWork, execucao_id: UUID, sorte: Random) -> None:
    found = await uow.connection.exec_driver_sql(
        "select r.id as resultado, c.id as criterio from triagem_ia_resultados r join triagem_ia_execucoes x "
        "on x.tenant_id = r.tenant_id and x.id = r.execucao_id join criterios c on c.tenant_id = x.tenant_id and c.edital_id = x.edital_id "
        "where r.tenant_id = %s and r.execucao_id = %s and r.erro is null order by r.projeto_id, c.ordem",
        (uow.scope.tenant_id, execucao_id),
    )
    new_id, evidencias = Uuid7(SystemClock()).new, to_json([Evidencia(campo="resumo", trecho=FRASE)] * 2)
    rows = []
    for one in found.all():
        abstained = sorte.random() < 0.03
        nota = None if abstained else Decimal(sorte.randrange(0, 21)) / 2
        situacao = "abstencao" if abstained else "sem_evidencia" if sorte.random() < 0.05 else "sugerida"
        rows.append(
            (uow.scope.tenant_id, new_id(), one.resultado, one.criterio, nota, FRASE * 3, Decimal("0.7"), NOW, evidencias, situacao)
        )
    await uow.connection.exec_driver_sql(
        "insert into triagem_ia_notas (tenant_id, id, resultado_id, criterio_id, nota_sugerida, justificativa, confianca, created_at, "
        "evidencias, situacao, modelo) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 'modelo-de-teste')",
        rows,
    )


def _sinal(feitos: Sequence[Projeto], sorte: Random) -> Irregularidade:
    tipo = sorte.choice(_SINAIS)
    um, outro = sorte.sample(feitos, 2)
    pair = tipo in ("similaridade", "texto_reutilizado", "proponente_repetido")
    projetos_do_sinal = (um.id, outro.id) if pair else (um.id,) if sorte.random() < 0.9 else ("DE-OUTRO.edital",)
    evidencia = [
        Evidencia(projeto=codigo, campo="descricao_tecnica", trecho=FRASE * 2, par=par) for par in range(3) for codigo in projetos_do_sinal
    ]
    return Irregularidade(
        tipo=tipo,
        projetos=projetos_do_sinal,
        valor=None if sorte.random() < 0.2 else round(sorte.random(), 1),
        arquivo=um.documentos[0].arquivo if tipo == "texto_oculto" else None,
        evidencia=tuple(evidencia),
        achado=f"{sorte.choice(('Semelhança', 'Repetição de AÇÃO'))} entre textos.",
    )


def _registro(execucao_id: UUID, edital_id: UUID, codigo: str, total: int, importacao: int, ator: str) -> Registro:
    return Registro(
        execucao_id,
        edital_id,
        codigo,
        "completa",
        "em_andamento",
        total,
        0,
        None,
        NOW,
        None,
        None,
        ator,
        importacao,
        None,
        0,
        irregularidades_reaproveitadas=False,
    )


async def _add_people(uow: UnitOfWork, edital_id: UUID, ids: dict[str, UUID], sorte: Random, julgados: int) -> None:
    new_id, tenant = Uuid7(SystemClock()).new, uow.scope.tenant_id
    given = list(ids)[:julgados]
    people = [
        (await avaliacoes.ensure_usuario(uow, new_id(), Avaliador(nome, f"{nome[:4].strip()}@avalia.exemplo".lower()), NOW), nome)
        for nome in AVALIADORES
    ]
    avaliadores = [(usuario_id, Avaliador(nome, f"{nome[:4].strip()}@avalia.exemplo".lower(), tuple(given))) for usuario_id, nome in people]
    await avaliacoes.replace_avaliadores(uow, edital_id, avaliadores, ids, says_projetos=True)
    criterios = [one.id for one in await editais.criterios_of(uow, edital_id)]
    rows = [
        (tenant, ids[codigo], criterio, usuario_id, Decimal(sorte.randrange(0, 11)), "Um parecer.", NOW, NOW, sent)
        for codigo in given
        for usuario_id, _ in people
        for sent in [NOW if sorte.random() < 0.8 else None]
        for criterio in criterios[: 3 if sorte.random() < 0.9 else 2]
    ]
    if rows:
        await uow.connection.exec_driver_sql(
            "insert into avaliacoes (tenant_id, projeto_id, criterio_id, avaliador_id, nota, texto, created_at, atualizada_em, enviada_em) "
            "values (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            rows,
        )
    decided = [
        (tenant, ids[codigo], sorte.choice(_SUGESTOES), sorte.choice((*_SUGESTOES, None)), "Um motivo.", people[0][0], NOW)
        for codigo in sorte.sample(sorted(ids), len(ids) // 10)
    ]
    await uow.connection.exec_driver_sql(
        "insert into habilitacao_decisoes (tenant_id, projeto_id, decisao, sugestao, motivo, decidido_por, decidido_em) "
        "values (%s, %s, %s, %s, %s, %s, %s)",
        decided,
    )
