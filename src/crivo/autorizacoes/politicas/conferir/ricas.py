"""What one regra says of periods, values, pre-existing conditions and documents of which one is enough that cannot be meant."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.etapas.avaliacao import cpt_exigida_dias
from crivo.autorizacoes.motivos import CPT, PERIODO, VALOR
from crivo.autorizacoes.palavras import count, documentos_conhecidos
from crivo.autorizacoes.politicas.conferir.achados import Achado
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.exemplos import PREEXISTENCIA
from crivo.autorizacoes.politicas.conferir.regra_a_regra import asked, found, served, that_check
from crivo.autorizacoes.politicas.contradicoes import CPT_LEGAL_MESES, SEM_CONDICAO, contradicoes
from crivo.autorizacoes.politicas.duvidas import nearest_documento


def cpts(bancada: Bancada) -> Iterator[Achado]:
    """Waits for pre-existing conditions above the law's 24 months. Source: Lei 9.656/1998 art. 11."""
    for posicao, regra in that_check(bancada):
        if regra.cpt_meses is UNSET or regra.cpt_meses <= CPT_LEGAL_MESES:
            continue
        legal = cpt_exigida_dias(Regra(regra_id="", codigo="", cobertura="COBERTA", cpt_meses=CPT_LEGAL_MESES)) or 0
        yield found(
            bancada,
            posicao,
            "cpt_acima_da_lei",
            "erro",
            "cpt_meses",
            f"{regra.regra_id} pede {regra.cpt_meses} meses de plano a quem tem doença preexistente. O teto é de {CPT_LEGAL_MESES} "
            f"(Lei 9.656/1998, art. 11). Troque por {CPT_LEGAL_MESES}, ou menos.",
            [("beneficiario.preexistencias", PREEXISTENCIA), ("beneficiario.carencia_cumprida_dias", max(legal, _waits(regra)))],
            lambda trilha, _, legal=legal: CPT in trilha.etapas.avaliacao.motivos and served(trilha) >= legal,  # type: ignore[misc]
        )


def limites_por_periodo(bancada: Bancada) -> Iterator[Achado]:
    """Limits that another one makes void: who asks for what the looser lets is held by the tighter."""
    for posicao, regra in that_check(bancada):
        for campo, codigo, mensagem in contradicoes(regra):
            if codigo == "limite_contraditorio":
                quantidades = [limite.quantidade for limite in regra.limites or ()]
                solto = (regra.limite_quantidade or 0) if campo == "limite_quantidade" else max(quantidades)
                yield found(
                    bancada,
                    posicao,
                    "limite_invalido",
                    "aviso",
                    campo,
                    f"{regra.regra_id}: {mensagem}",
                    [("procedimento.quantidade", int(min(quantidades)) + 1)],
                    lambda trilha, _, solto=solto: (  # type: ignore[misc]
                        PERIODO in trilha.etapas.avaliacao.motivos and asked(trilha) <= solto
                    ),
                )


def valores(bancada: Bancada) -> Iterator[Achado]:
    """A ceiling of nothing, under which whatever costs anything is refused."""
    for posicao, regra in that_check(bancada):
        if regra.valor_maximo is not UNSET and regra.valor_maximo <= 0:
            yield found(
                bancada,
                posicao,
                "limite_invalido",
                "erro",
                "valor_maximo",
                f"{regra.regra_id} tem valor máximo zero: nada que custe alguma coisa passa. Corrija o valor; para não cobrir, use "
                "cobertura NAO_COBERTA.",
                [("procedimento.valor", 1)],
                lambda trilha, _: VALOR in trilha.etapas.avaliacao.motivos,
            )


def condicionais(bancada: Bancada) -> Iterator[Achado]:
    """Regras that cover under a condition and state none: whoever asks is approved."""
    for posicao, regra in that_check(bancada):
        for campo, codigo, mensagem in contradicoes(regra):
            if codigo == SEM_CONDICAO:
                yield found(
                    bancada,
                    posicao,
                    "condicional_sem_condicao",
                    "aviso",
                    campo,
                    f"{regra.regra_id}: {mensagem}",
                    [],
                    lambda trilha, _: not trilha.etapas.avaliacao.motivos,
                )


def grupos_de_documentos(bancada: Bancada) -> Iterator[Achado]:
    """Document types that are none of the trade's in a group of which one is enough."""
    for posicao, regra in that_check(bancada):
        for index, grupo in enumerate(regra.documentos_alternativos or ()):
            for tipo in [um for um in grupo if um not in documentos_conhecidos()]:
                nearest = nearest_documento(tipo)
                certo = f"quis dizer {nearest}?" if nearest else "o pedido terá de trazê-lo com este mesmo nome."
                yield found(
                    bancada,
                    posicao,
                    "documento_desconhecido",
                    "aviso",
                    ("documentos_alternativos", index),
                    f"{regra.regra_id} aceita “{tipo[:200]}”, que não é um documento conhecido, num grupo de "
                    f"{count(len(grupo), 'documento', 'documentos')}: {certo}",
                    [("documentos", _all_but(regra, index, nearest))],
                    lambda trilha, pedido, grupo=grupo, nearest=nearest: (  # type: ignore[misc]
                        "|".join(grupo) in trilha.etapas.avaliacao.pendencias_documentais
                        and (nearest is None or {"tipo": nearest} in pedido.get("documentos_anexos", ()))
                    ),
                )


def _all_but(regra: Regra, index: int, nearest: str | None) -> list[dict[str, str]]:
    """Every document but those of one group, and the one that its unknown type was meant for."""
    outros = [grupo[0] for posicao, grupo in enumerate(regra.documentos_alternativos or ()) if posicao != index]
    return [{"tipo": um} for um in (*regra.documentos_obrigatorios, *outros, *([nearest] if nearest else []))]


def _waits(regra: Regra) -> int:
    return max(regra.carencia_min_dias or 0, regra.carencia_urgencia_dias or 0)
