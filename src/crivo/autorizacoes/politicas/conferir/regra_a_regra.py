"""What one regra says that cannot be meant: waits above the law's, limits and ages that let nobody through, names nobody knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.motivos import CARENCIA, IDADE, QUANTIDADE, REGRA_NAO_ENCONTRADA, SEM_COBERTURA
from crivo.autorizacoes.palavras import count, documentos_conhecidos, number
from crivo.autorizacoes.politicas.conferir.achados import Achado, Gravidade
from crivo.autorizacoes.politicas.conferir.bancada import Bancada, Pedido, resultado
from crivo.autorizacoes.politicas.conferir.exemplos import changed, menor
from crivo.autorizacoes.politicas.duvidas import nearest_documento
from crivo.autorizacoes.politicas.sobras import NAO_LIDA, nao_lidas
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.dobra import fold

# Lei 9.656/1998, art. 12, V: the longest waits that a contract may set, in days.
TETO_PARTO: Final = 300
TETO_DEMAIS: Final = 180
TETO_URGENCIA: Final = 1
# TUSS table 22: cesariana, parto por via vaginal, parto múltiplo (cada um subsequente), cesariana com histerectomia.
PARTOS: Final = ("31309054", "31309127", "31309135", "31309208")
_SAYS_BIRTH: Final = ("parto", "cesar", "obstetr")
_ALIKE: Final = 75.0  # of 100, from which a known name is offered
_SHOWN: Final = 200
Shows = Callable[[Trilha, Bruto], bool]


def carencias(bancada: Bancada) -> Iterator[Achado]:
    """Waits above the law's: 300 days for birth, 180 for all else, 24 hours in urgency. Source: Lei 9.656/1998 art. 12 V."""
    for posicao, regra in that_check(bancada):
        dias, urgente = regra.carencia_min_dias, regra.carencia_urgencia_dias
        parto = _is_birth(regra)
        teto = TETO_PARTO if parto else TETO_DEMAIS
        if dias is not None and dias > teto:
            may_be_birth = not parto and dias <= TETO_PARTO and any(codigo.startswith(regra.codigo.rstrip("*")) for codigo in PARTOS)
            fora = "Para parto" if parto else "Fora parto"
            yield found(
                bancada,
                posicao,
                "teto_legal_carencia",
                "aviso" if may_be_birth and regra.codigo.endswith("*") else "erro",
                "carencia_min_dias",
                f"{regra.regra_id} pede {count(dias, 'dia', 'dias')} de carência. {fora}, o teto é de {teto} "
                f"(Lei 9.656/1998, art. 12, V). Troque por {teto}, ou menos.",
                [("beneficiario.carencia_cumprida_dias", teto)],
                lambda trilha, _, teto=teto: CARENCIA in trilha.etapas.avaliacao.motivos and served(trilha) >= teto,  # type: ignore[misc]
            )
        if urgente is not None and urgente > TETO_URGENCIA:
            yield found(
                bancada,
                posicao,
                "teto_legal_carencia",
                "erro",
                "carencia_urgencia_dias",
                f"{regra.regra_id} pede {count(urgente, 'dia', 'dias')} de carência em urgência. O teto é de 24 horas "
                "(Lei 9.656/1998, art. 12, V, c). Troque por 1.",
                [("beneficiario.carencia_cumprida_dias", TETO_URGENCIA), ("urgencia", True)],
                lambda trilha, _: (
                    CARENCIA in trilha.etapas.avaliacao.motivos
                    and trilha.etapas.parametros.params_consulta_regras.urgencia
                    and served(trilha) >= TETO_URGENCIA
                ),
            )


def limites(bancada: Bancada) -> Iterator[Achado]:
    """Limits under which not one unit, or half a unit, would be approved."""
    for posicao, regra in that_check(bancada):
        limite = regra.limite_quantidade
        if limite is not None and limite < 1:
            yield found(
                bancada,
                posicao,
                "limite_invalido",
                "erro",
                "limite_quantidade",
                f"{regra.regra_id} limita a {number(limite)}: nem uma unidade pode ser aprovada, e a resposta sai como aprovação parcial. "
                "Corrija o limite; para não cobrir, use cobertura NAO_COBERTA.",
                [],
                lambda trilha, _: QUANTIDADE in trilha.etapas.avaliacao.motivos and asked(trilha) <= 1,
            )
        elif limite is not None and limite != int(limite) and regra.tabela != "OUTRA":
            yield found(
                bancada,
                posicao,
                "limite_invalido",
                "aviso",
                "limite_quantidade",
                f"{regra.regra_id} limita a {number(limite)}, e quem pede mais recebe {number(limite)}: "
                "procedimento não se faz por pedaço. Corrija para um número inteiro.",
                [("procedimento.quantidade", int(limite) + 1)],
                lambda trilha, _: QUANTIDADE in trilha.etapas.avaliacao.motivos,
            )


def idades(bancada: Bancada) -> Iterator[Achado]:
    """Ages between which nobody's lies."""
    for posicao, regra in that_check(bancada):
        faixa = regra.restricoes_idade
        if faixa is None or faixa.min is None or faixa.max is None or faixa.min <= faixa.max:
            continue
        yield found(
            bancada,
            posicao,
            "faixa_etaria_vazia",
            "erro",
            "restricoes_idade",
            f"{regra.regra_id} pede de {faixa.min} anos para cima e até {count(faixa.max, 'ano', 'anos')}: ninguém cabe, "
            f"nem quem tem {faixa.min} anos. Troque os valores.",
            [("beneficiario.idade", faixa.min)],
            lambda trilha, _, anos=faixa.min: (  # type: ignore[misc]
                IDADE in trilha.etapas.avaliacao.motivos and trilha.etapas.parametros.params_consulta_regras.idade == anos
            ),
        )


def documentos(bancada: Bancada) -> Iterator[Achado]:
    """Document types that are none of the trade's; one that differs in its spelling is never met by the one that is meant."""
    for posicao, regra in that_check(bancada):
        for index, tipo in enumerate(regra.documentos_obrigatorios):
            if tipo in documentos_conhecidos():
                continue
            nearest = nearest_documento(tipo)
            certo = f"quis dizer {nearest}?" if nearest else "o pedido terá de trazê-lo com este mesmo nome."
            outros = [um for um in regra.documentos_obrigatorios if um != tipo]
            anexos = [{"tipo": um} for um in (*outros, *([nearest] if nearest else []))]
            yield found(
                bancada,
                posicao,
                "documento_desconhecido",
                "aviso",
                ("documentos_obrigatorios", index),
                f"{regra.regra_id} exige “{tipo[:_SHOWN]}”, que não é um documento conhecido: {certo}",
                [("documentos", anexos)],
                lambda trilha, pedido, tipo=tipo, nearest=nearest: (  # type: ignore[misc]
                    tipo in trilha.etapas.avaliacao.pendencias_documentais
                    and (nearest is None or {"tipo": nearest} in pedido.get("documentos_anexos", ()))
                ),
            )


def observacoes(bancada: Bancada) -> Iterator[Achado]:
    """Sentences that seem to rule something and that code could not read."""
    for posicao, regra in enumerate(bancada.politica.regras):
        for lida in nao_lidas(regra):
            faixa = regra.restricoes_idade
            fora = [] if faixa is None else [anos for anos in ((faixa.min or 0) - 1, (faixa.max or 130) + 1) if 0 <= anos <= 130]
            yield found(
                bancada,
                posicao,
                NAO_LIDA,
                "aviso",
                "observacoes",
                f"{regra.regra_id} diz nas observações “{lida.frase[:_SHOWN]}”, que parece regra e não foi lida. "
                "Escreva o que ela diz nos campos da regra.",
                [("beneficiario.idade", fora[0])] if fora and lida.assunto == "idade" else [],
                lambda trilha, _: NAO_LIDA in trilha.etapas.normalizacao.alertas,
            )


def alternativas(bancada: Bancada) -> Iterator[Achado]:
    """Alternatives that are not covered themselves: who asks for one is refused again."""
    for posicao, regra in enumerate(bancada.politica.regras):
        for index, alternativa in enumerate(regra.alternativas):
            ways = [Pedido(alternativa.codigo, um.plano_id, um.tabela, um.data) for um in bancada.pedidos_de(regra)]
            ways = list(dict.fromkeys(ways))
            achadas = [bancada.find(um) for um in ways]
            if any(achada is not None and achada[0].cobertura != "NAO_COBERTA" for achada in achadas):
                continue

            def refused(pedido: Bruto, codigo: str = alternativa.codigo) -> bool:
                trilha = bancada.decide(pedido)
                motivos = trilha.etapas.avaliacao.motivos
                asked = trilha.etapas.normalizacao.pedido_normalizado.procedimento.codigo
                return asked == codigo and motivos in ((REGRA_NAO_ENCONTRADA,), (SEM_COBERTURA,))

            exemplo = next((menos for um in ways if (menos := menor(bancada.conforme(regra, um), refused))), None)
            porque = "não tem cobertura" if any(achadas) else "não tem regra nenhuma"
            yield Achado(
                codigo="alternativa_nao_coberta",
                gravidade="aviso",
                regra=regra.regra_id,
                linha=bancada.linha(("regras", posicao, "alternativas", index)),
                explicacao=(
                    f"{regra.regra_id} oferece {alternativa.codigo} no lugar de {regra.codigo}, mas {alternativa.codigo} {porque}: "
                    "a troca nunca é sugerida. Cubra a alternativa, ou tire-a da regra."
                ),
                exemplo=exemplo,
                resultados=(resultado("", bancada.decide(exemplo)),) if exemplo else (),
            )


def that_check(bancada: Bancada) -> Iterator[tuple[int, Regra]]:
    """Where nothing is covered, nothing else is checked, and what the regra says besides does no harm."""
    return ((posicao, regra) for posicao, regra in enumerate(bancada.politica.regras) if regra.cobertura != "NAO_COBERTA")


def found(
    bancada: Bancada,
    posicao: int,
    codigo: str,
    gravidade: Gravidade,
    campo: str | Caminho,
    explicacao: str,
    mudancas: Sequence[tuple[str, object]],
    shows: Shows,
) -> Achado:
    """The finding with the smallest pedido that the regra decides and that shows it, by the document alone."""
    regra = bancada.politica.regras[posicao]
    fluxo = bancada.sozinha

    def proves(pedido: Bruto) -> bool:
        trilha = bancada.decide(pedido, fluxo)
        return bancada.decided_by(trilha, regra) and shows(trilha, pedido)

    exemplo: Bruto | None = None
    for um in bancada.pedidos_de(regra):
        pedido = bancada.conforme(regra, um)
        for caminho, valor in mudancas:
            pedido = {**pedido, "documentos_anexos": valor} if caminho == "documentos" else changed(pedido, (caminho, valor))
        exemplo = menor(pedido, proves)
        if exemplo is not None:
            break
    caminho_do_campo = (campo,) if isinstance(campo, str) else campo
    return Achado(
        codigo=codigo,
        gravidade=gravidade,
        regra=regra.regra_id,
        linha=bancada.linha(("regras", posicao, *caminho_do_campo)),
        explicacao=explicacao,
        exemplo=exemplo,
        resultados=(resultado("", bancada.decide(exemplo, fluxo)),) if exemplo else (),
    )


def _is_birth(regra: Regra) -> bool:
    if regra.codigo in PARTOS:
        return True
    said = fold(f"{regra.codigo} {regra.descricao or ''} {regra.observacoes or ''}").lower()
    return any(word in said for word in _SAYS_BIRTH)


def served(trilha: Trilha) -> float:
    """Days of carência that the pedido tells; fewer than any where it tells none."""
    dias = trilha.etapas.parametros.params_consulta_regras.carencia_cumprida_dias
    return -1 if dias is None else dias


def asked(trilha: Trilha) -> float:
    """Units that the pedido asks for."""
    return trilha.etapas.parametros.params_consulta_regras.quantidade or 0
