"""A recording on disk: a folder of JSON files that a person can read and compare, one for each question that a model was asked.

`gravacao.json` says of which model it is and how much was asked; `perguntas/<agente>/<digest>-<amostra>.json` are the questions with
their answers; `placar.json` is the score when it was recorded. Only made-up data that comes with the product is asked, so that nobody's is
in it; no key is either.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.llm.marcacao import render
from crivo.kernel.llm.port import Falha, Question

FORMATO: Final = 1
_MANIFESTO: Final = "gravacao.json"
PLACAR: Final = "placar.json"
_PERGUNTAS: Final = "perguntas"
_ANY_NONCE: Final = "N"
_OF_A_PROJECT: Final = 16
_DIGITS: Final = 16  # of a digest, in a file's name


class GravacaoIlegivel(CrivoError):
    """The folder holds no recording, or not one that this version reads."""

    codigo: ClassVar[str] = "gravacao_ilegivel"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Gravação ilegível"


class GravacaoDeOutroModelo(CrivoError):
    """The folder holds answers of another model: two in one folder could not be told apart."""

    codigo: ClassVar[str] = "gravacao_de_outro_modelo"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A pasta é de outro modelo"

    def __init__(self, pasta: Path, dela: str, pedido: str) -> None:
        super().__init__(f"{pasta} tem respostas de {dela}, e CRIVO_MODELO é {pedido}. Grave em outra pasta e compare as duas depois.")


class GravacaoNaoGravada(CrivoError):
    """The system refused a file of a recording."""

    codigo: ClassVar[str] = "gravacao_nao_gravada"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "A gravação não pôde ser escrita"


class Tamanho(msgspec.Struct, frozen=True):
    """How much of each set is asked: pedidos whose texts are written, pedidos for the six agents, conversations and projects."""

    redacao: int
    sombra: int
    conversas: int
    projetos: int

    @classmethod
    def of(cls, perguntas: int, *, simulado: bool = False) -> Tamanho:
        """What takes about so many questions: some 2 for the texts of a pedido, 5 for its agents, 4 a conversation, 16 a project.

        A simulated model grades projects, and does nothing else.
        """
        if simulado:
            return cls(0, 0, 0, max(1, perguntas // _OF_A_PROJECT))
        return cls(max(1, perguntas // 13), perguntas // 25, perguntas // 16, perguntas // 80)

    @property
    def casos(self) -> int:
        """All of them."""
        return self.redacao + self.sombra + self.conversas + self.projetos


class Manifesto(msgspec.Struct, frozen=True):
    """Of which model a recording is, as CRIVO_MODELO had it, made by which version, and how much was asked at most."""

    modelo: str
    simulado: bool
    perguntas: int
    tamanho: Tamanho
    comecada_em: datetime
    crivo: str = ""
    formato: int = FORMATO


class Resposta(msgspec.Struct, frozen=True):
    """One answer in the form that was asked for, and what the model was told of it then (pt-BR), None where nothing was wrong."""

    valor: Any
    problema: str | None = None


class Gravada(msgspec.Struct, frozen=True):
    """One question and what came of it.

    `pergunta` is the SHA-256 of `dados`, the lines that the model was shown after the prompt. `respostas` are the first answer and, where
    it was told a fault, the second; `primeira_conhecida` is False where the answer had been paid for before and only the last one was
    kept. `ms` is how long the model took, waiting for a place included, and None where nothing was asked. `selo` is the SHA-256 of all
    the rest: a file that was changed afterwards is told from one that was recorded.
    """

    agente: str
    prompt_versao: str
    prompt_digest: str
    pergunta: str
    amostra: int
    dados: tuple[str, ...]
    respostas: tuple[Resposta, ...] = ()
    primeira_conhecida: bool = True
    provisoria: bool = False
    falha: Falha | None = None
    modelo: str = ""
    tokens_entrada: int = 0
    tokens_saida: int = 0
    custo: Decimal | None = None
    ms: int | None = None
    selo: str = ""

    def sealed(self) -> Gravada:
        """The same, with its seal."""
        return msgspec.structs.replace(self, selo=self._seal())

    @property
    def is_as_recorded(self) -> bool:
        """Whether nothing of it was changed since."""
        return self.selo == self._seal()

    def _seal(self) -> str:
        return sha256(msgspec.json.encode(msgspec.structs.replace(self, selo=""), order="sorted")).hexdigest()


@dataclass(frozen=True, slots=True)
class Chave:
    """What makes two questions the same: who asks, what is shown, and which reading of it; not the prompt, which is what changes."""

    agente: str
    pergunta: str
    amostra: int

    @classmethod
    def of(cls, question: Question[Any]) -> Chave:
        """That of a question, under any marks."""
        return cls(question.agente, digest_of(shown(question)), question.amostra)


def shown(question: Question[Any]) -> str:
    """What a question shows after its prompt, with marks that are the same every time."""
    return render(question.partes, _ANY_NONCE)


def digest_of(dados: str) -> str:
    """SHA-256 of what was shown, in hexadecimal."""
    return sha256(dados.encode()).hexdigest()


@dataclass(slots=True)
class Pasta:
    """The folder of a recording. `alteradas` and `ilegiveis` are the files that are not used: changed since, or unreadable."""

    caminho: Path
    manifesto: Manifesto
    gravadas: dict[Chave, Gravada] = field(default_factory=dict)
    alteradas: list[str] = field(default_factory=list)
    ilegiveis: list[str] = field(default_factory=list)

    def keep(self, gravada: Gravada) -> None:
        """Write an answer down, whole or not at all. Raises GravacaoNaoGravada."""
        sealed = gravada.sealed()
        chave = Chave(sealed.agente, sealed.pergunta, sealed.amostra)
        place = self._place(chave)
        _write(place, sealed)
        self.gravadas[chave] = sealed
        for told in (self.alteradas, self.ilegiveis):
            if (name := str(place.relative_to(self.caminho))) in told:
                told.remove(name)

    def keep_score(self, placar: msgspec.Struct) -> None:
        """Write the score of what was recorded. Raises GravacaoNaoGravada."""
        _write(self.caminho / PLACAR, placar)

    def _place(self, chave: Chave) -> Path:
        return self.caminho / _PERGUNTAS / chave.agente / f"{chave.pergunta[:_DIGITS]}-{chave.amostra}.json"


def asked_before(caminho: Path) -> int | None:
    """How many questions a recording that is there was bounded to, None where there is none."""
    return open_pasta(caminho).manifesto.perguntas if (caminho / _MANIFESTO).exists() else None


def begin(caminho: Path, manifesto: Manifesto) -> Pasta:
    """A recording to write to: a new one, or one of the same model to go on with. Raises what `open_pasta` does, and of another model."""
    if (caminho / _MANIFESTO).exists():
        pasta = open_pasta(caminho)
        if pasta.manifesto.modelo != manifesto.modelo:
            raise GravacaoDeOutroModelo(caminho, pasta.manifesto.modelo, manifesto.modelo)
        manifesto = msgspec.structs.replace(manifesto, comecada_em=pasta.manifesto.comecada_em)
        pasta.manifesto = manifesto
    elif caminho.exists() and (not caminho.is_dir() or any(caminho.iterdir())):
        raise GravacaoIlegivel(f"{caminho} já existe e não é uma gravação. Diga uma pasta nova, ou vazia.")
    else:
        pasta = Pasta(caminho, manifesto)
    _write(caminho / _MANIFESTO, msgspec.structs.replace(manifesto, crivo=version("crivo")))
    return pasta


def open_pasta(caminho: Path) -> Pasta:
    """A recording to read. Raises GravacaoIlegivel."""
    try:
        manifesto = msgspec.json.decode((caminho / _MANIFESTO).read_bytes(), type=Manifesto)
    except FileNotFoundError:
        raise GravacaoIlegivel(f"{caminho} não tem {_MANIFESTO}. Grave primeiro: crivo avaliar-modelo --gravar {caminho}") from None
    except (msgspec.DecodeError, OSError) as error:
        raise GravacaoIlegivel(f"{caminho / _MANIFESTO} não se lê ({type(error).__name__}).") from None
    if manifesto.formato != FORMATO:
        raise GravacaoIlegivel(f"{caminho} é do formato {manifesto.formato}, e este crivo lê o {FORMATO}. Grave de novo.")
    pasta = Pasta(caminho, manifesto)
    for path in sorted((caminho / _PERGUNTAS).glob("*/*.json")):
        _take(pasta, path)
    return pasta


def _take(pasta: Pasta, path: Path) -> None:
    name = str(path.relative_to(pasta.caminho))
    try:
        gravada = msgspec.json.decode(path.read_bytes(), type=Gravada)
    except (msgspec.DecodeError, OSError, UnicodeDecodeError):
        pasta.ilegiveis.append(name)
        return
    if gravada.is_as_recorded and digest_of("\n".join(gravada.dados)) == gravada.pergunta:
        pasta.gravadas[Chave(gravada.agente, gravada.pergunta, gravada.amostra)] = gravada
    else:
        pasta.alteradas.append(name)


def encoded(value: msgspec.Struct) -> bytes:
    """A value as the files of a recording are written."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def write_text(path: Path, texto: str) -> None:
    """Write a file beside a recording, whole or not at all. Raises GravacaoNaoGravada."""
    _put(path, texto.encode())


def _write(path: Path, value: msgspec.Struct) -> None:
    _put(path, encoded(value))


def _put(path: Path, content: bytes) -> None:
    draft = path.with_suffix(f".{os.getpid()}.parte")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(content)
        draft.replace(path)
    except OSError as error:
        raise GravacaoNaoGravada(f"Não foi possível gravar {path}: {error.strerror}. Confira a pasta e o espaço em disco.") from None
