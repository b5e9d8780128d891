"""A pedido while it is decided, as its panel shows it: the decision, the six agents, and who is writing each text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from crivo.autorizacoes.acompanhamento import Acontecimento, DecididoPeloCodigo, Escrevendo, Escrito
from crivo.autorizacoes.palavras import DECISOES, count
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.autorizacoes.etapas import EtapaVista, etapas_vistas
from crivo.web.pages.autorizacoes.trilha import campo_da_trilha, falha_do_modelo, falha_do_texto
from crivo.web.pages.formatos import duracao

Situacao = Literal["feita", "atual", "falta"]
_NO_NUMBER: Final = "sem número"
_NOT_NEEDED: Final = "O pedido está de acordo com a regra."


@dataclass(frozen=True, slots=True)
class TextoVisto:
    """A text of an agent: `autor` is empty while a model is asked for it, `porque` says why the code wrote it after all."""

    lugar: str
    nome: str
    autor: str
    porque: str


@dataclass(frozen=True, slots=True)
class AgenteVisto:
    """An agent with what it answered, in one line; `tempo` is empty where it was not needed."""

    titulo: str
    linha: str
    tempo: int | None
    textos: tuple[TextoVisto, ...]


@dataclass(frozen=True, slots=True)
class AcompanhamentoVista:
    """How far a pedido has come; `feitos` of `total` steps are behind it, of which the last one is that it is stored."""

    numero: str
    rotulo: Rotulo
    agentes: tuple[AgenteVisto, ...]
    feitos: int
    total: int
    quanto: str
    fases: tuple[tuple[str, str, Situacao], ...]
    agora: str

    @classmethod
    def of(cls, decidido: DecididoPeloCodigo, depois: Sequence[Acontecimento]) -> AcompanhamentoVista:
        """The panel once the code has decided and so much has happened since."""
        trilha = decidido.trilha
        asked = [one for one in depois if isinstance(one, Escrevendo)]
        settled = {(one.etapa, one.campo): one for one in depois if isinstance(one, Escrito)}
        rotulo = DECISOES[trilha.etapas.sintese.decisao_final]
        textos = [(one.etapa, _texto(one, settled.get((one.etapa, one.campo)))) for one in asked]
        return cls(
            mask_cpfs(trilha.pedido_id or _NO_NUMBER),
            rotulo,
            tuple([_agente(etapa, [texto for nome, texto in textos if nome == etapa.nome]) for etapa in etapas_vistas(trilha)]),
            1 + len(settled),
            2 + len(asked),
            f"{len(settled)} de {count(len(asked), 'texto escrito', 'textos escritos')}",
            tuple(_fases(trilha, len(settled), len(asked))),
            _agora(rotulo, len(settled), len(asked)),
        )


def _agente(etapa: EtapaVista, textos: Sequence[TextoVisto]) -> AgenteVisto:
    return AgenteVisto(etapa.titulo, _linha(etapa), etapa.tempo, tuple(textos))


def _linha(etapa: EtapaVista) -> str:
    """What an agent answered, in words that no model is going to change."""
    if not etapa.conclusoes:
        return _NOT_NEEDED
    if etapa.nome == "ajustes":
        return f"{count(len(etapa.conclusoes) - 1, 'ajuste sugerido', 'ajustes sugeridos')}."
    return " ".join(etapa.conclusoes[: 2 if etapa.nome == "avaliacao" else 1])


def _texto(escrevendo: Escrevendo, escrito: Escrito | None) -> TextoVisto:
    lugar, nome = f"texto-{escrevendo.etapa}-{escrevendo.campo}", campo_da_trilha(escrevendo.campo)
    return TextoVisto(lugar, nome, "", "") if escrito is None else TextoVisto(lugar, nome, escrito.autor, _porque(escrito))


def _porque(escrito: Escrito) -> str:
    if escrito.falha is not None:
        return falha_do_modelo(escrito.falha)
    return f"o texto do modelo {falha_do_texto(escrito.falhas[0])}" if escrito.falhas else ""


def _fases(trilha: Trilha, done: int, many: int) -> Iterator[tuple[str, str, Situacao]]:
    yield "Decisão pelo código", f"seis agentes, {duracao(sum(trilha.tempos_us.values()))}", "feita"
    written = done == many
    if many:
        yield "Textos", f"{done} de {many}", "feita" if written else "atual"
    yield "Guardar a decisão", "com a trilha", "atual" if written else "falta"


def _agora(rotulo: Rotulo, done: int, many: int) -> str:
    if done == many:
        return "Textos prontos. Guardando a decisão." if many else "Guardando a decisão."
    missing = f"{'Falta' if many - done == 1 else 'Faltam'} {count(many - done, 'texto', 'textos')}."
    return f"Decisão: {rotulo.palavra}. {missing}" if done == 0 else missing
