"""Running test cases through the real stages, and which regras and checks they have been through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import msgspec

from crivo.autorizacoes import motivos as razoes
from crivo.autorizacoes.contracts import Avaliacao, Regra, Value
from crivo.autorizacoes.etapas.avaliacao import carencia_exigida
from crivo.autorizacoes.leitura import PedidoIlegivel, read_pedido
from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.trilha import Trilha


class Diferenca(Value, frozen=True, gc=False):
    """A field that came out otherwise than expected."""

    campo: str
    esperado: Any
    obtido: Any


class CasoRodado(Value, frozen=True, gc=False):
    """A case that was run: green without differences. `regra` decided it; `erro` is why its pedido could not be read."""

    caso: Caso
    diferencas: tuple[Diferenca, ...]
    regra: str | None
    erro: str | None = None

    @property
    def passou(self) -> bool:
        """Whether all came out as expected."""
        return not self.diferencas and self.erro is None


class Verificacao(Value, frozen=True, gc=False):
    """A check of a regra: whether some case passed it, and whether some case failed it."""

    regra: str
    nome: str
    passou: bool
    falhou: bool


class Cobertura(Value, frozen=True, gc=False):
    """What the cases have been through; `sem_caso` are the regras that decided none of them."""

    regras_total: int
    regras_com_caso: int
    sem_caso: tuple[str, ...]
    verificacoes: tuple[Verificacao, ...]

    @property
    def verificacoes_completas(self) -> int:
        """How many checks were passed by some case and failed by another."""
        return sum(1 for uma in self.verificacoes if uma.passou and uma.falhou)


class Testada(Value, frozen=True, gc=False):
    """All the cases of a document, run."""

    rodados: tuple[CasoRodado, ...]
    cobertura: Cobertura

    @property
    def verdes(self) -> int:
        """How many came out as expected."""
        return sum(1 for um in self.rodados if um.passou)

    @property
    def falhos(self) -> tuple[CasoRodado, ...]:
        """Those that did not."""
        return tuple([um for um in self.rodados if not um.passou])


@dataclass(frozen=True, slots=True)
class Check:
    """A check of RF4 as coverage counts it: what it is called, where it is made, its trace when made, and its motivos when failed."""

    nome: str
    asked: Callable[[Regra], object]
    marcas: tuple[str, ...]
    motivos: frozenset[str]

    def failed(self, avaliacao: Avaliacao) -> bool:
        """Whether the pedido did not pass."""
        return not self.motivos.isdisjoint(avaliacao.motivos) or (self.nome == "documentos" and bool(avaliacao.pendencias_documentais))

    def made(self, avaliacao: Avaliacao) -> bool:
        """Whether the check was made at all."""
        return self.failed(avaliacao) or any(uma.startswith(self.marcas) for uma in avaliacao.restricoes_aplicadas)


def _faixa(regra: Regra) -> bool:
    return regra.restricoes_idade is not None and (regra.restricoes_idade.min, regra.restricoes_idade.max) != (None, None)


# In the order of RF4. A regra that covers nothing makes no other check than the first.
CHECKS: Final = (
    Check("cobertura", lambda regra: regra.cobertura == "NAO_COBERTA", (), frozenset({razoes.SEM_COBERTURA})),
    Check(
        "carencia",
        lambda regra: carencia_exigida(False, regra) or carencia_exigida(True, regra),
        ("carencia_min_dias=", "carencia_urgencia_dias="),
        frozenset({razoes.CARENCIA}),
    ),
    Check("cpt", lambda regra: regra.cpt_meses, ("cpt_meses=",), frozenset({razoes.CPT})),
    Check("idade", _faixa, ("restricoes_idade.",), frozenset({razoes.IDADE})),
    Check("sexo", lambda regra: regra.sexo, ("sexo=",), frozenset({razoes.SEXO, razoes.SEM_SEXO})),
    Check("rede", lambda regra: regra.restricoes_rede == "APENAS_CREDENCIADA", ("restricoes_rede=",), frozenset({razoes.REDE})),
    Check(
        "valor",
        lambda regra: regra.valor_maximo is not msgspec.UNSET,
        ("valor_maximo=",),
        frozenset({razoes.VALOR, razoes.SEM_VALOR}),
    ),
    Check("quantidade", lambda regra: regra.limite_quantidade is not None, ("limite_quantidade=",), frozenset({razoes.QUANTIDADE})),
    Check(
        "limites",
        lambda regra: regra.limites,
        ("limite_por_periodo=",),
        frozenset({razoes.ESGOTADO, razoes.PERIODO, razoes.SEM_HISTORICO, razoes.HISTORICO_INCOMPLETO}),
    ),
    Check(
        "documentos",
        lambda regra: regra.documentos_obrigatorios or regra.documentos_alternativos,
        ("documentos_obrigatorios=", "documentos_alternativos="),
        frozenset({razoes.DOCUMENTOS}),
    ),
)


def checks_of(regra: Regra) -> tuple[Check, ...]:
    """The checks that the regra makes of a pedido."""
    asked = tuple([check for check in CHECKS if check.asked(regra)])
    return asked[:1] if regra.cobertura == "NAO_COBERTA" else asked


def run(bancada: Bancada, casos: Sequence[Caso]) -> Testada:
    """Every case by the real stages, and what of the document they have been through."""
    rodados, trilhas = [], []
    for caso in casos:
        rodado, trilha = _run_one(bancada, caso)
        rodados.append(rodado)
        if trilha is not None:
            trilhas.append(trilha)
    return Testada(tuple(rodados), coverage(bancada, trilhas))


def decide(bancada: Bancada, caso: Caso) -> Trilha:
    """What comes of the case's pedido. Raises PedidoIlegivel."""
    recebido = date.fromisoformat(caso.recebido_em or bancada.politica.vigencia_inicio)
    fluxo = bancada.fluxo if caso.com_publicadas else bancada.sozinha
    return fluxo.decide_bruto(read_pedido(msgspec.json.encode(caso.pedido)), recebido)


def _run_one(bancada: Bancada, caso: Caso) -> tuple[CasoRodado, Trilha | None]:
    try:
        trilha = decide(bancada, caso)
    except PedidoIlegivel as error:
        return CasoRodado(caso, (), None, error.mensagem), None
    obtidos = observed(trilha)
    diferencas = [
        Diferenca(campo, esperado, obtidos[campo]) for campo, esperado in caso.esperado.items() if not _same(esperado, obtidos[campo])
    ]
    return CasoRodado(caso, tuple(diferencas), obtidos["regra_id"]), trilha


def observed(trilha: Trilha) -> dict[str, Any]:
    """Everything that a case may expect, as it came out."""
    etapas = trilha.etapas
    avaliacao, decisao, fonte = etapas.avaliacao, etapas.sintese, etapas.consulta.fonte_regras
    ajustes = etapas.ajustes.ajustes_sugeridos if etapas.ajustes else ()
    found = {
        "decisao_final": decisao.decisao_final,
        "quantidade_aprovada": decisao.detalhe_decisao.quantidade_aprovada,
        "condicionantes": decisao.detalhe_decisao.condicionantes,
        "motivos": avaliacao.motivos,
        "pendencias_documentais": avaliacao.pendencias_documentais,
        "conforme": avaliacao.conforme,
        "decisao_preliminar": avaliacao.decisao_preliminar,
        "quantidade_aprovavel": avaliacao.quantidade_aprovavel,
        "coparticipacao_percentual": avaliacao.coparticipacao_percentual,
        "prazo_validade_autorizacao_dias": avaliacao.prazo_validade_autorizacao_dias,
        "alertas": etapas.normalizacao.alertas,
        "erros_bloqueantes": etapas.normalizacao.erros_bloqueantes,
        "ajustes": ajustes,
        "regra_id": fonte.regra_id if fonte else None,
        "documento": fonte.documento if fonte else None,
        "versao": fonte.versao if fonte else None,
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found))
    return plain


def _same(esperado: Any, obtido: Any) -> bool:
    """Equal; of an object, such as an adjustment, only what is stated."""
    if isinstance(esperado, Mapping) and isinstance(obtido, Mapping):
        return all(nome in obtido and _same(valor, obtido[nome]) for nome, valor in esperado.items())
    if isinstance(esperado, list) and isinstance(obtido, list):
        return len(esperado) == len(obtido) and all(map(_same, esperado, obtido))
    if isinstance(esperado, bool) or isinstance(obtido, bool):
        return esperado is obtido
    if isinstance(obtido, str):
        return str(esperado) == obtido
    return bool(esperado == obtido)


def coverage(bancada: Bancada, trilhas: Iterable[Trilha]) -> Cobertura:
    """Which regras of the document decided a case, and which of their checks were passed and failed."""
    politica = bancada.politica
    by_regra: dict[str, list[Avaliacao]] = {}
    for trilha in trilhas:
        fonte = trilha.etapas.consulta.fonte_regras
        if fonte is not None and (fonte.documento, fonte.versao) == (politica.documento, politica.versao):
            by_regra.setdefault(fonte.regra_id, []).append(trilha.etapas.avaliacao)
    sem_caso, verificacoes = [], []
    for regra in politica.regras:
        avaliacoes = by_regra.get(regra.regra_id, [])
        if not avaliacoes:
            sem_caso.append(regra.regra_id)
        for check in checks_of(regra):
            falhou = any(check.failed(uma) for uma in avaliacoes)
            passou = any(check.made(uma) and not check.failed(uma) for uma in avaliacoes) or (check.nome == "cobertura" and falhou)
            verificacoes.append(Verificacao(regra.regra_id, check.nome, passou, falhou))
    return Cobertura(len(politica.regras), len(politica.regras) - len(sem_caso), tuple(sem_caso), tuple(verificacoes))
