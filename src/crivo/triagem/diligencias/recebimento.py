"""Taking an answer in: bounds and kinds of what may come, the receipt, and the job that reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel import audit
from crivo.kernel.errors import Problem
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.diligencias.escrita import named
from crivo.triagem.diligencias.guardadas import Arquivo, Diligencia, Pedido
from crivo.triagem.documentos.conteudo import DocumentoIlegivel
from crivo.triagem.documentos.limites import PADRAO
from crivo.triagem.documentos.tipo import recognise
from crivo.triagem.edital import Formato
from crivo.triagem.erros import RespostaInvalida
from crivo.triagem.recursos.recebimento import FORMATOS
from crivo.triagem.storage import diligencias, registros
from crivo.triagem.storage.diligencias import Recebido
from crivo.triagem.storage.editais import EditalGuardado

JULGAR: Final = "triagem.diligencia"
"""The task that reads an answer's papers and judges the requisitos that they came for."""
ARQUIVO_MAXIMO: Final = 20 * 1024 * 1024  # bytes of one file
ENVIO_MAXIMO: Final = 50 * 1024 * 1024  # bytes of all files of one answer
MOST_FILES: Final = 20  # of one answer
MOST_IN_ALL: Final = 60  # of all answers to one diligência
LONGEST_TEXT: Final = 10_000
LONGEST_NAME: Final = 150
_SPOKEN: Final[Mapping[Formato, str]] = {"txt": "texto simples (TXT)", "csv": "uma tabela em texto (CSV)"}
# What an item takes that names no formats: as for a recurso, and pictures and spreadsheets of offices. A text is none, whatever its name.
_FORMATOS: Final[tuple[Formato, ...]] = (*FORMATOS, "tiff", "xlsx")


async def receive(
    uow: UnitOfWork,
    fila: Fila,
    new_id: Callable[[], UUID],
    guardado: EditalGuardado,
    diligencia: Diligencia,
    chave: Chave,
    texto: str,
    arquivos: Sequence[Arquivo],
    por: UUID | None,
    em: datetime,
) -> str:
    """Keep an answer to a diligência that is locked, and have it read; its receipt, hexadecimal. `por` is None of the proponente.

    Raises RespostaInvalida, before anything is kept.
    """
    said = _read_text(texto)
    recebidos = _check(diligencia, arquivos)
    if not said and not recebidos:
        raise _refused("Anexe ao menos um arquivo, ou escreva um esclarecimento.", "texto")
    there = len(await diligencias.papeis_of(uow, diligencia))
    if there + len(recebidos) > MOST_IN_ALL:
        raise _refused(f"Esta diligência já tem {there} arquivos; cabem {MOST_IN_ALL}. Junte vários em um só PDF.", "arquivos")
    envio_id, autor = new_id(), "gestao" if por else "proponente"
    recibo = receipt_of(diligencia.id, em, said, recebidos)
    selos = await diligencias.receive(uow, diligencia, chave, envio_id, "gestao" if por else "proponente", por, em, said, recibo, recebidos)
    await fila.defer(uow, [Job(JULGAR, {"diligencia": str(diligencia.id)})])
    told = {"projeto": diligencia.projeto, "diligencia": diligencia.numero, "arquivos": len(recebidos), "autor": autor}
    dados = {**told, "recibo": recibo.hex(), audit.DIGESTS: selos}
    await registros.note(uow, new_id(), em, "diligencia.respondida", guardado.edital.id, "diligencia", str(diligencia.id), dados)
    return recibo.hex()


def receipt_of(diligencia_id: UUID, em: datetime, texto: str, recebidos: Sequence[Recebido]) -> bytes:
    """SHA-256 of what came: the diligência, the moment in UTC, the digest of the text, and each file's requisito, name and digest.

    Whoever sent it can make it again from what they have.
    """
    files = [(one.requisito or "", one.nome, one.sha256.hex()) for one in recebidos]
    told = (str(diligencia_id), em.astimezone(UTC).isoformat(timespec="seconds"), sha256(texto.encode()).hexdigest(), files)
    return sha256(msgspec.json.encode(told)).digest()


def _check(diligencia: Diligencia, arquivos: Sequence[Arquivo]) -> list[Recebido]:
    if len(arquivos) > MOST_FILES:
        raise _refused(f"São até {MOST_FILES} arquivos de cada vez. Envie o resto em outra resposta.", "arquivos")
    asked = {one.requisito: one for one in diligencia.pedida.pedidos} if diligencia.pedida else {}
    problems: list[Problem] = []
    taken: list[Recebido] = []
    for one in arquivos:
        nome = _named(one.nome)
        fault = _fault_of(one, asked)
        if fault:
            problems.append(Problem(f"{nome}: {fault}", _item(asked.get(one.requisito or ""))))
        else:
            taken.append(Recebido(one.requisito, nome, one.conteudo, sha256(one.conteudo).digest()))
    if sum(len(one.conteudo) for one in arquivos) > ENVIO_MAXIMO:
        limit = ENVIO_MAXIMO // 1024**2
        problems.append(Problem(f"Os arquivos somam mais de {limit} MB, o limite de um envio. Envie em partes.", "arquivos"))
    if problems:
        raise RespostaInvalida("Nada foi recebido ainda. Corrija o que segue e envie de novo.", problems)
    return taken


def _item(pedido: Pedido | None) -> str:
    """What a file is for, as people call it."""
    return named(pedido) if pedido else "Outro documento"


def _fault_of(arquivo: Arquivo, asked: Mapping[str, Pedido]) -> str:
    if arquivo.requisito is not None and arquivo.requisito not in asked:
        return "este item não foi pedido nesta diligência."
    if not arquivo.conteudo:
        return "o arquivo está vazio."
    if len(arquivo.conteudo) > ARQUIVO_MAXIMO:
        return f"o arquivo passa de {ARQUIVO_MAXIMO // 1024**2} MB, o limite de cada um. Reduza-o ou divida-o."
    try:
        formato = recognise(arquivo.conteudo, PADRAO)
    except DocumentoIlegivel as error:
        return "o arquivo pede senha. Envie-o sem senha." if error.leitura == "protegido" else "o arquivo está danificado. Gere-o de novo."
    pedido = asked.get(arquivo.requisito or "")
    accepted = (pedido.formatos if pedido else ()) or _FORMATOS
    if formato in accepted:
        return ""
    taken = _listed([one.upper() for one in accepted])
    if formato is None:
        return f"o conteúdo não é de um tipo aceito. Envie {taken}."
    return f"o conteúdo do arquivo é {_SPOKEN.get(formato, formato.upper())}, e este item aceita {taken}. Gere-o assim e envie de novo."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} ou {names[-1]}"


def _named(nome: str) -> str:
    """A file's name as it is kept: its last part, one line, with nothing that turns or hides text."""
    last = nome.replace("\\", "/").rpartition("/")[2]
    plain = "".join([letter if letter.isprintable() else "_" for letter in last]).strip(" .")
    return plain[-LONGEST_NAME:] or "arquivo"


def _read_text(texto: str) -> str:
    given = texto.replace("\r\n", "\n").replace("\0", "").strip()
    if len(given) > LONGEST_TEXT:
        raise _refused(f"O texto passa de {LONGEST_TEXT} letras. Resuma-o, ou envie-o como arquivo.", "texto")
    return given


def _refused(mensagem: str, campo: str) -> RespostaInvalida:
    return RespostaInvalida(mensagem, [Problem(mensagem, campo)], campo=campo)
