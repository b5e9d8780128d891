"""Whether the files of a project meet a requisito of a document: each check a function, in the order in which they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from crivo.triagem.achados import Evidencia, ItemHabilitacao, Motivo, Situacao
from crivo.triagem.documentos.datas import find_datas
from crivo.triagem.documentos.duvida import without_doubtful
from crivo.triagem.documentos.lido import DocumentoLido, Leitura
from crivo.triagem.edital import Proponente, RequisitoDocumento
from crivo.triagem.habilitacao.debitos import find_debitos
from crivo.triagem.habilitacao.incerteza import find_incerteza
from crivo.triagem.habilitacao.prazos import check_prazo
from crivo.triagem.habilitacao.tipos import Tipos, tipos_of
from crivo.triagem.habilitacao.titular import belongs_to, line_that_names, may_be_named

_QUOTE_CHARS: Final = 240
_POSITIVA: Final = "A certidão é positiva: diz que há débitos, e não que tem efeitos de negativa."
_MAYBE_POSITIVA: Final = "O documento fala de débitos, e não é claro se vale como certidão negativa; leia e decida."
_UNREADABLE: Final[Mapping[Leitura, tuple[Motivo | None, str]]] = {
    "corrompido": ("documento_corrompido", "O arquivo está danificado e não abre."),
    "protegido": ("documento_protegido", "O arquivo pede senha para abrir."),
    "vazio": ("documento_vazio", "O arquivo não tem nada para ler."),
    "desconhecido": ("formato_nao_aceito", "O conteúdo do arquivo não é de um tipo de documento conhecido."),
    "grande_demais": (None, "O arquivo é grande demais para ser lido por inteiro; confira à mão."),
    "tempo_esgotado": (None, "A leitura do arquivo passou do tempo; confira à mão."),
    "sem_ocr": (
        None,
        "É uma imagem, e esta instalação não lê imagens: confira à mão, ou instale o leitor ('crivo doutor' diz como) e execute de novo.",
    ),
    "ilegivel": (None, "É uma imagem em que não se lê texto com segurança (foto, letra de mão ou cópia ruim); confira à mão."),
}
# What is nearest to being met comes last: of several files sent, the best one is told.
_WORST_FIRST: Final[tuple[Motivo | None, ...]] = (
    "documento_ausente",
    "documento_corrompido",
    "documento_vazio",
    "documento_protegido",
    "formato_nao_aceito",
    "documento_tipo_errado",
    "documento_repetido",
    "documento_de_terceiro",
    "condicao_nao_atendida",
    "documento_vencido",
    None,
)


class Confirmado(NamedTuple):
    """A file, by its SHA-256, taken for what a requisito asks."""

    requisito: str
    sha256: str


class Contexto(NamedTuple):
    """What a check knows beside the file: whose project it is, the day of reference, and which files were sent for another requisito.

    `confirmados` are files that somebody recognised for a requisito where their marks do not tell; `tipos` are those of the edital.
    """

    proponente: Proponente
    referencia: date | None
    donos: Mapping[str, str]  # sha256 → the requisito that a file sent for several of them counts for
    confirmados: frozenset[Confirmado] = frozenset()
    tipos: Tipos = tipos_of()


class _Verdict(NamedTuple):
    situacao: Situacao
    motivo: Motivo | None
    achado: str
    evidencia: Evidencia | None


def check_documento(requisito: RequisitoDocumento, enviados: Sequence[DocumentoLido], contexto: Contexto) -> ItemHabilitacao:
    """The item of a requisito: met by any of the files sent for it, else why the best of them does not meet it."""
    if enviados:
        verdict = max((_check_file(requisito, file, contexto) for file in enviados), key=_merit)
    elif requisito.obrigatorio:
        verdict = _Verdict("nao_atende", "documento_ausente", "Nenhum arquivo foi enviado.", None)
    else:
        verdict = _Verdict("atende", None, "Nenhum arquivo foi enviado; o edital não o obriga.", None)
    return ItemHabilitacao(
        requisito=requisito.id,
        situacao=verdict.situacao,
        motivo=verdict.motivo,
        eliminatorio=requisito.eliminatorio,
        evidencia=verdict.evidencia,
        clausula=requisito.clausula,
        descricao=requisito.descricao or contexto.tipos.nome(requisito.documento),
        achado=verdict.achado,
    )


def owners(requisitos: Sequence[RequisitoDocumento], documentos: Sequence[DocumentoLido], tipos: Tipos) -> Mapping[str, str]:
    """For each file sent for more than one requisito, the one it counts for: the first whose type it is, else the first."""
    by_content: dict[str, list[RequisitoDocumento]] = {}
    texts: dict[str, str] = {}
    for requisito in requisitos:
        for file in documentos:
            if file.requisito == requisito.id and file.tamanho_bytes:
                by_content.setdefault(file.sha256, []).append(requisito)
                texts[file.sha256] = file.texto
    return {
        digest: min(wanted, key=lambda requisito: not tipos.is_of(texts[digest], requisito.documento)).id
        for digest, wanted in by_content.items()
        if len({requisito.id for requisito in wanted}) > 1
    }


def _merit(verdict: _Verdict) -> tuple[bool, int]:
    return verdict.situacao == "atende", _WORST_FIRST.index(verdict.motivo)


def _check_file(requisito: RequisitoDocumento, file: DocumentoLido, contexto: Contexto) -> _Verdict:
    seen = Evidencia(arquivo=file.arquivo)
    wrong_format = requisito.formatos and file.formato is not None and file.formato not in requisito.formatos
    if wrong_format and file.leitura != "vazio":
        accepted = ", ".join(formato.upper() for formato in requisito.formatos)
        found = f"O conteúdo é {str(file.formato).upper()}; o edital aceita {accepted}."
        return _Verdict("nao_atende", "formato_nao_aceito", found, seen)
    if file.leitura != "lido":
        motivo, said = _UNREADABLE[file.leitura]
        return _Verdict("nao_atende" if motivo else "nao_lido", motivo, said, seen)
    verdict = _check_text(requisito, file, contexto)
    certain = without_doubtful(file)
    again = verdict if certain is file else _check_text(requisito, certain, contexto)
    quase = verdict.motivo == "documento_de_terceiro" and may_be_named(file.texto, contexto.proponente, requisito.documento)
    incerteza = find_incerteza(file, certain, verdict[:2], again[:2], quase_o_nome=quase)
    return verdict if incerteza is None else _Verdict("nao_lido", None, f"{incerteza} O que se leu: {verdict.achado}", verdict.evidencia)


def _check_text(requisito: RequisitoDocumento, file: DocumentoLido, contexto: Contexto) -> _Verdict:
    texto, tipo = file.texto, requisito.documento
    if contexto.donos.get(file.sha256, requisito.id) != requisito.id:
        said = "É o mesmo arquivo enviado para outro requisito."
        return _Verdict("nao_atende", "documento_repetido", said, quote(file, _first_line(texto)))
    confirmed = Confirmado(requisito.id, file.sha256) in contexto.confirmados
    if not confirmed and not contexto.tipos.is_of(texto, tipo):
        likely = next((found for found in contexto.tipos.find(texto) if found != tipo), None)
        said = (
            f"Parece ser outro documento: {contexto.tipos.nome(likely)}." if likely else "O texto não traz o que se espera deste documento."
        )
        return _Verdict("nao_atende", "documento_tipo_errado", said, quote(file, _first_line(texto)))
    if requisito.em_nome_do_proponente and not belongs_to(texto, contexto.proponente, tipo):
        return _Verdict("nao_atende", "documento_de_terceiro", "Está em nome de outra pessoa.", quote(file, line_that_names(texto)))
    debitos = find_debitos(texto, tipo)
    if debitos and debitos.certo:
        return _Verdict("nao_atende", "condicao_nao_atendida", _POSITIVA, quote(file, debitos.trecho))
    verdict = _check_prazo(requisito, file, contexto, "" if confirmed else _doubt(texto, tipo, contexto.tipos))
    if debitos and verdict.situacao == "atende":
        return _Verdict("nao_lido", None, _MAYBE_POSITIVA, quote(file, debitos.trecho))
    return verdict


def _check_prazo(requisito: RequisitoDocumento, file: DocumentoLido, contexto: Contexto, doubt: str) -> _Verdict:
    texto = file.texto
    if requisito.validade is not None:
        prazo = check_prazo(find_datas(texto), requisito.validade, contexto.referencia)
        evidencia = quote(file, prazo.trecho)
        if prazo.em_vigor is None:
            return _Verdict("nao_lido", None, prazo.achado, evidencia)
        if not prazo.em_vigor:
            return _Verdict("nao_atende", "documento_vencido", prazo.achado, evidencia)
        return _Verdict("atende", None, " ".join(filter(None, (prazo.achado, doubt))), evidencia)
    achado = f"Enviado e legível. {doubt}" if doubt else "Enviado, legível e do tipo pedido."
    return _Verdict("atende", None, achado, quote(file, _first_line(texto)))


def _doubt(texto: str, tipo: str, tipos: Tipos) -> str:
    """What is to be said of a file whose type nothing in it tells; nothing where its marks do."""
    if tipos.bears_marks(texto, tipo):
        return ""
    likely = next((found for found in tipos.find(texto) if found != tipo), None)
    told = f"Parece ser {tipos.nome(likely)}. " if likely else ""
    return f"{told}Não há como conferir o tipo por código; leia."


def quote(file: DocumentoLido, trecho: str) -> Evidencia:
    """Evidence in a file: the words, and the page on which they stand."""
    words = trecho.strip()[:_QUOTE_CHARS]
    page = next((pagina.numero for pagina in file.paginas if words and words in pagina.texto), None)
    return Evidencia(arquivo=file.arquivo, pagina=page, trecho=words)


def _first_line(texto: str) -> str:
    return next((line.strip() for line in texto.splitlines() if line.strip()), "")
