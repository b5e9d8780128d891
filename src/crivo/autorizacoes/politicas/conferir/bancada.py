"""Where findings are proved: the política among those it would stand beside, and the real stages over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from msgspec.structs import replace

from crivo.autorizacoes.contracts import FonteRegras, Politica, Regra
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id, normalize_padrao
from crivo.autorizacoes.politicas.conferir.achados import Resultado
from crivo.autorizacoes.politicas.conferir.exemplos import codigos_de, conforme, variacoes, varied
from crivo.autorizacoes.politicas.planos import planos_da
from crivo.autorizacoes.politicas.sucessao import Publicada, succeed
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.formas.palavras import Caminho

_TABELAS = (None, "TUSS", "CBHPM", "OUTRA")
Chave = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Pedido:
    """A procedure asked at once that once code, plano and table are chosen: what a code written in a regra comes down to."""

    codigo: str
    plano_id: str
    tabela: str | None
    data: str


class Bancada:
    """One política with what is, or would be, published beside it; decisions of today, of examples received today."""

    def __init__(
        self,
        politica: Politica,
        publicadas: Sequence[Publicada],
        hoje: date,
        linha: Callable[[Caminho], int | None] = lambda _: None,
    ) -> None:
        """`publicadas` are the other versions and documents of the administradora; `linha` finds a value's line in the file."""
        dona = fold_id(politica.administradora_id)
        dela = [uma for uma in publicadas if fold_id(uma.politica.administradora_id) == dona]
        outras = [uma for uma in dela if not _same(uma.politica, politica)]
        encerra = next((uma.encerra for uma in dela if _same(uma.politica, politica)), True)
        em_vigor = succeed([*outras, Publicada(politica, encerra)])
        self.politica = politica
        self.hoje = hoje
        self.linha = linha
        self.valendo = next((uma for uma in em_vigor if _same(uma, politica)), None)
        self.outras = tuple([uma for uma in em_vigor if not _same(uma, politica)])
        self.catalogo = Catalogo.of(em_vigor)
        self.fluxo = Fluxo(self.catalogo)
        self.sozinha = self.fluxo if not self.outras and self.valendo == politica else Fluxo(Catalogo.of([politica]))
        self.dias = self._dias()  # ISO dates in its validity at which what is in force may change, its first day first
        self._declarados = tuple(dict.fromkeys([plano for uma in (politica, *self.outras) for plano in uma.planos]))
        nomeados = self._nomeados()
        self._fresco = next(nome for nome in _names() if fold_id(nome) not in nomeados)

    def decide(self, pedido: Bruto, fluxo: Fluxo | None = None) -> Trilha:
        """What the real stages make of a pedido that came today."""
        return (fluxo or self.fluxo).decide_bruto(pedido, self.hoje)

    def apenas(self, regra: Regra) -> Fluxo:
        """The stages as if the document had that regra alone, and declared no planos."""
        return Fluxo(Catalogo.of([replace(self.politica, regras=(regra,), planos=())]))

    def decided_by(self, trilha: Trilha, regra: Regra) -> bool:
        """Whether it was this regra of this document that the pedido met."""
        return self.owns(trilha.etapas.consulta.fonte_regras, regra)

    def owns(self, fonte: FonteRegras | None, regra: Regra) -> bool:
        """Whether a source is this regra of this document."""
        mine = (regra.regra_id, self.politica.documento, self.politica.versao)
        return fonte is not None and (fonte.regra_id, fonte.documento, fonte.versao) == mine

    def _dias(self) -> tuple[str, ...]:
        if self.valendo is None:
            return ()
        inicio, fim = self.valendo.vigencia_inicio, self.valendo.vigencia_fim
        marcos = {uma.vigencia_inicio for uma in self.outras} | {_next(uma.vigencia_fim) for uma in self.outras if uma.vigencia_fim}
        return (inicio, *sorted(dia for dia in marcos if inicio < dia and (fim is None or dia <= fim)))

    def pedidos_de(self, regra: Regra) -> Iterator[Pedido]:
        """Ways to ask for what the regra is for, the plainest first: together they reach it if anything does."""
        planos = self._planos(regra)
        tabelas = _TABELAS if regra.tabela == CURINGA else (regra.tabela,)
        for dia in self.dias:
            for codigo in codigos_de(normalize_padrao(regra.codigo)):
                for plano in planos:
                    for tabela in tabelas:
                        yield Pedido(codigo, plano, tabela, dia)

    def find(self, pedido: Pedido) -> tuple[Regra, FonteRegras] | None:
        """The regra that the published documents give; None where there is none, or where the plano is none that is declared."""
        dona = self.politica.administradora_id
        if self.catalogo.situacao_do_plano(dona, pedido.plano_id, pedido.data) == "fora_dos_declarados":
            return None
        return self.catalogo.find_regra(dona, pedido.plano_id, pedido.codigo, pedido.tabela, pedido.data)

    def reach(self, regra: Regra) -> Pedido | None:
        """How a pedido meets the regra; None where none does."""
        for um in self.pedidos_de(regra):
            achada = self.find(um)
            if achada is not None and self.owns(achada[1], regra):
                return um
        return None

    def conforme(self, regra: Regra, pedido: Pedido) -> Bruto:
        """A pedido that passes every check of the regra."""
        return conforme(self.politica.administradora_id, pedido.plano_id, pedido.codigo, pedido.tabela, pedido.data, regra)

    def varied(self, base: Bruto, *regras: Regra) -> list[Bruto]:
        """The pedido and its variations at the limits of these regras."""
        return list(varied(base, variacoes(*regras)))

    def _planos(self, regra: Regra) -> tuple[str, ...]:
        planos = planos_da(regra)
        return (*self._declarados, self._fresco) if planos == (CURINGA,) else planos

    def _nomeados(self) -> set[str]:
        todas = (self.politica, *self.outras)
        nas_regras = {fold_id(plano) for uma in todas for regra in uma.regras for plano in planos_da(regra)}
        return nas_regras | {fold_id(plano) for plano in self._declarados}


def resultado(sob: str, trilha: Trilha) -> Resultado:
    """What the example got, in short."""
    decisao = trilha.etapas.sintese
    return Resultado(sob, decisao.decisao_final, decisao.detalhe_decisao.quantidade_aprovada, trilha.etapas.avaliacao.motivos)


def outcome(trilha: Trilha) -> tuple[object, ...]:
    """What makes two decisions the same to whoever asked, wherever the regra stands."""
    decisao = trilha.etapas.sintese
    return decisao.decisao_final, decisao.detalhe_decisao, trilha.etapas.avaliacao.motivos


def chaves(regra: Regra) -> list[Chave]:
    """What two regras share that are for the very same pedidos: code, plano and table, one for each plano of the regra."""
    codigo = fold_id(normalize_padrao(regra.codigo))
    return [(codigo, fold_id(plano), regra.tabela) for plano in planos_da(regra)]


def _same(uma: Politica, outra: Politica) -> bool:
    return (fold_id(uma.documento), uma.versao) == (fold_id(outra.documento), outra.versao)


def _next(dia: str) -> str:
    return date.fromordinal(date.fromisoformat(dia).toordinal() + 1).isoformat()


def _names() -> Sequence[str]:
    return ("QUALQUER", *[f"QUALQUER-{numero}" for numero in range(1, 100_000)])
