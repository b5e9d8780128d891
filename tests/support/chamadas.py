"""Small calls made up on the spot, and what screens them in no time while it counts how often it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import msgspec

from crivo.kernel.tenancy import Scope
from crivo.triagem.achadores import Achadores, Passado
from crivo.triagem.achados import Achadas, Evidencia, Habilitacao, Irregularidade, ItemHabilitacao, LeituraAssistida
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import (
    Avaliador,
    Chamada,
    Criterio,
    CronogramaEtapa,
    Edital,
    OrcamentoItem,
    Projeto,
    ProjetoDocumento,
    Proponente,
    Requisito,
    RequisitoDocumento,
)
from crivo.triagem.leitora import Leitora
from crivo.triagem.pelo_sentido import PeloSentido
from crivo.triagem.quadro import Versoes

VERSOES = Versoes("leitor-1", "regras-1")


@dataclass(frozen=True)
class Arquivo:
    conteudo: bytes

    def read(self) -> bytes:
        return self.conteudo


@dataclass(frozen=True)
class Importacao:
    chamada: Chamada
    arquivos: Mapping[str, Arquivo]
    so_definicao: bool = False


def importacao(
    projetos: int,
    codigo: str = "ED-1",
    *,
    documentos: int = 1,
    avaliadores: Sequence[Avaliador] = (),
    mudados: Mapping[str, str] | None = None,
) -> Importacao:
    """An edital with so many projects, each with so many documents of its own; the second half of the projects copies the first's text.

    `mudados` gives some of them another summary.
    """
    feitos = [_projeto(numero, projetos, documentos) for numero in range(1, projetos + 1)]
    feitos = [msgspec.structs.replace(one, resumo=(mudados or {}).get(one.id, one.resumo)) for one in feitos]
    chamada = Chamada(
        Edital(codigo, f"Edital {codigo}"),
        (RequisitoDocumento(id="REQ-1", documento="PORTFOLIO"),),
        (Criterio("C1", "Mérito"), Criterio("C2", "Alcance", peso=Decimal(2))),
        tuple(feitos),
        tuple(avaliadores),
    )
    arquivos = {one.arquivo: Arquivo(f"conteúdo de {one.arquivo}".encode()) for projeto in feitos for one in projeto.documentos}
    return Importacao(chamada, arquivos)


def _projeto(numero: int, total: int, documentos: int) -> Projeto:
    return Projeto(
        f"P{numero:04}",
        f"Projeto {numero}",
        Proponente(f"Pessoa {numero}", email=f"p{numero}@exemplo.org"),
        resumo=f"Texto {numero % max(1, total // 2)}",
        campos={"municipio": "Caucaia", "anos": 3.5},
        orcamento_itens=(OrcamentoItem("Palco", Decimal("1.50"), Decimal("100.10")),),
        cronograma_etapas=(CronogramaEtapa("Montagem"),),
        documentos=tuple(ProjetoDocumento(f"documentos/{numero}/{qual}.txt", "REQ-1") for qual in range(documentos)),
    )


@dataclass
class Falsos:
    """Finders that answer by rule, and note each call as a line: what costs must not be done twice."""

    anotar: Callable[[str], None] = lambda _linha: None
    pausa: Callable[[], Awaitable[None]] = lambda: asyncio.sleep(0)
    quebrados: frozenset[str] = frozenset()
    leitora: Leitora | None = None
    sentido: PeloSentido | None = None
    marcados: frozenset[str] = frozenset()  # projects that hide text and speak to whoever grades
    chamadas: list[str] = field(default_factory=list)

    def achadores(self) -> Achadores:
        return Achadores(self.ler, self.habilitar, self.ler_assistido, self.sinais, self.irregularidades, self.leitora, self.sentido)

    async def ler(self, arquivo: str, content: bytes) -> DocumentoLido:
        self._note(f"ler {arquivo}")
        await self.pausa()
        return DocumentoLido(arquivo, sha256(content).hexdigest(), len(content), "txt", "lido", (Pagina(1, content.decode()),), (), 1)

    def habilitar(self, edital: Edital, requisitos: Sequence[Requisito], lido: ProjetoLido) -> Habilitacao:
        self._note(f"habilitar {lido.projeto.id}")
        if lido.projeto.id in self.quebrados:
            raise ValueError("um defeito")
        found = lido.documentos[0] if lido.documentos else None
        item = ItemHabilitacao(
            requisito=requisitos[0].id,
            situacao="atende" if found else "nao_atende",
            motivo=None if found else "documento_ausente",
            eliminatorio=False,
            evidencia=Evidencia(arquivo=found.arquivo, pagina=1, trecho=found.texto) if found else None,
        )
        return Habilitacao(lido.projeto.id, "habilitado" if found else "pendencia", "Documentos conferidos.", bool(found), (item,))

    def ler_assistido(self, criterios: Sequence[Criterio], lido: ProjetoLido) -> tuple[LeituraAssistida, ...]:
        self._note(f"assistir {lido.projeto.id}")
        return tuple(LeituraAssistida(one.id, (Evidencia(campo="resumo", trecho=lido.projeto.resumo),)) for one in criterios)

    def sinais(self, lido: ProjetoLido) -> tuple[Irregularidade, ...]:
        if lido.projeto.id not in self.marcados:
            return ()
        self._note(f"sinais {lido.projeto.id}")
        return tuple(Irregularidade(tipo=tipo, projetos=(lido.projeto.id,)) for tipo in ("texto_oculto", "texto_instrucional"))

    async def irregularidades(
        self, scope: Scope, chamada: Chamada, lidos: Sequence[ProjetoLido], passados: Sequence[Passado], origem: str
    ) -> Achadas:
        self._note(f"irregularidades {len(lidos)}")
        await self.pausa()
        pares = [(a.projeto.id, b.projeto.id) for a, b in combinations(lidos, 2) if a.projeto.resumo == b.projeto.resumo]
        found = [Irregularidade(tipo="similaridade", projetos=par, valor=1.0) for par in pares]
        found += [Irregularidade(tipo="texto_reutilizado", projetos=(one.lido.projeto.id,), valor=1.0) for one in passados[:1]]
        return Achadas(tuple(found), {a: (b, 1.0) for a, b in pares} | {b: (a, 1.0) for a, b in pares})

    def _note(self, linha: str) -> None:
        self.chamadas.append(linha)
        self.anotar(linha)


def note_in(arquivo: Path) -> Callable[[str], None]:
    """Notes lines at the end of a file that many processes share."""

    def note(linha: str) -> None:
        with arquivo.open("a", encoding="utf-8") as aberto:
            aberto.write(linha + "\n")

    return note
