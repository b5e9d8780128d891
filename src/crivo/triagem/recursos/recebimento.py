"""What a recurso must be to come in: words enough, and papers of formats that are read here. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from crivo.kernel.linguagem.dobra import is_writable
from crivo.triagem.documentos.conteudo import DocumentoIlegivel
from crivo.triagem.documentos.limites import PADRAO
from crivo.triagem.documentos.tipo import recognise
from crivo.triagem.edital import Formato
from crivo.triagem.palavras import number
from crivo.triagem.recursos.contratos import Anexo, Papel
from crivo.triagem.recursos.erros import RecursoInvalido

SHORTEST_TEXT: Final = 20
LONGEST_TEXT: Final = 20_000
MOST_PAPERS: Final = 5
LARGEST_PAPER: Final = 10_000_000  # bytes
MOST_BYTES: Final = 25_000_000
FORMATOS: Final[tuple[Formato, ...]] = ("pdf", "jpg", "png", "docx", "odt")
_LONGEST_NAME: Final = 120
_SPOKEN: Final = "PDF, imagem (JPG ou PNG), DOCX ou ODT"
# What would turn, hide or split the words around a name.
_UNSAFE: Final = frozenset(
    [*range(0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
)


def read_text(texto: str) -> str:
    """The words of a recurso. Raises RecursoInvalido."""
    given = texto.replace("\r\n", "\n").strip()
    if len(given) < SHORTEST_TEXT:
        raise RecursoInvalido(f"Escreva o que você pede e por quê, com ao menos {SHORTEST_TEXT} letras.", campo="texto")
    if len(given) > LONGEST_TEXT:
        raise RecursoInvalido(
            f"O texto tem {number(len(given))} letras; cabem {number(LONGEST_TEXT)}. Encurte-o, ou envie o restante em um PDF.",
            campo="texto",
        )
    if not all(is_writable(one) for one in given if one not in "\n\t"):
        raise RecursoInvalido("O texto tem letras que não podem ser guardadas. Copie-o de novo, como texto simples.", campo="texto")
    return given


def read_papers(anexos: Sequence[Anexo]) -> tuple[Papel, ...]:
    """What each file is, by its content and never by its name; what was left empty is none. Raises RecursoInvalido."""
    if len(anexos) > MOST_PAPERS:
        raise RecursoInvalido(f"Envie até {MOST_PAPERS} arquivos. Junte em um PDF o que passar disso.", campo="papeis")
    if sum(len(one.conteudo) for one in anexos) > MOST_BYTES:
        raise RecursoInvalido(f"Os arquivos somam mais de {MOST_BYTES // 1_000_000} MB. Envie versões menores.", campo="papeis")
    return tuple([_paper(one, at) for at, one in enumerate(anexos, 1)])


def _paper(anexo: Anexo, at: int) -> Papel:
    nome = _name(anexo.nome) or f"arquivo {at}"
    if not anexo.conteudo:
        raise RecursoInvalido(f"O {at}º arquivo está vazio. Confira-o e envie de novo.", campo="papeis")
    if len(anexo.conteudo) > LARGEST_PAPER:
        raise RecursoInvalido(f"O {at}º arquivo passa de {LARGEST_PAPER // 1_000_000} MB. Envie uma versão menor.", campo="papeis")
    try:
        formato = recognise(anexo.conteudo, PADRAO)
    except DocumentoIlegivel:
        raise RecursoInvalido(f"O {at}º arquivo está danificado ou protegido por senha. Envie-o sem senha.", campo="papeis") from None
    if formato not in FORMATOS:
        raise RecursoInvalido(f"O {at}º arquivo não é de um formato aceito aqui: {_SPOKEN}.", campo="papeis")
    return Papel(nome, formato, sha256(anexo.conteudo).hexdigest(), len(anexo.conteudo))


def _name(nome: str) -> str:
    """The last part of a path, on one line, with nothing in it that turns or hides what stands around."""
    last = nome.replace("\\", "/").rpartition("/")[2]
    plain = "".join([one for one in last if ord(one) not in _UNSAFE and not 0xD800 <= ord(one) < 0xE000]).strip(" .")
    if len(plain) <= _LONGEST_NAME:
        return plain
    stem, dot, ending = plain.rpartition(".")
    return f"{(stem or ending)[: _LONGEST_NAME - 8]}{dot}{ending[:6]}"
