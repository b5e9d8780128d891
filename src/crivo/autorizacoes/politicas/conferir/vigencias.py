"""`lacuna_de_vigencia` and `sobreposicao_de_vigencia`: days that no version governs, and days that two documents govern."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.motivos import REGRA_NAO_ENCONTRADA
from crivo.autorizacoes.palavras import count, day
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.politicas.conferir.achados import Achado
from crivo.autorizacoes.politicas.conferir.bancada import Bancada, Pedido, chaves, outcome, resultado
from crivo.autorizacoes.politicas.conferir.exemplos import menor

_TRIED = 50  # regras asked for an example, of as many as there are: they are alike in this


def lacunas(bancada: Bancada) -> Iterator[Achado]:
    """Days between this version and the one before or after it on which a procedure of either has no regra."""
    if bancada.valendo is None:
        return
    suas = [uma for uma in bancada.outras if fold_id(uma.documento) == fold_id(bancada.politica.documento)]
    ordered = sorted([bancada.valendo, *suas], key=lambda uma: uma.vigencia_inicio)
    covered: Politica | None = None  # the one that reaches furthest so far
    for uma in ordered:
        if covered is not None and covered.vigencia_fim is not None and bancada.valendo in (covered, uma):
            primeiro, ultimo = _shift(covered.vigencia_fim, 1), _shift(uma.vigencia_inicio, -1)
            if primeiro <= ultimo:
                yield from _gap(bancada, covered, uma, primeiro, ultimo)
        if covered is None or (covered.vigencia_fim is not None and (uma.vigencia_fim is None or uma.vigencia_fim > covered.vigencia_fim)):
            covered = uma


def _gap(bancada: Bancada, antes: Politica, depois: Politica, primeiro: str, ultimo: str) -> Iterator[Achado]:
    for regra in islice((*bancada.politica.regras, *antes.regras), _TRIED):
        for um in islice(bancada.pedidos_de(regra), 4):
            pedido = bancada.conforme(regra, Pedido(um.codigo, um.plano_id, um.tabela, primeiro))
            outro = pedido | {"data_pedido": depois.vigencia_inicio if regra in depois.regras else antes.vigencia_fim}

            def falls(candidate: Bruto, outro: Bruto = outro) -> bool:
                shown = bancada.decide(candidate).etapas.avaliacao.motivos == (REGRA_NAO_ENCONTRADA,)
                return shown and bancada.decide(candidate | {"data_pedido": outro["data_pedido"]}).etapas.consulta.fonte_regras is not None

            exemplo = menor(pedido, falls)
            if exemplo is not None:
                dias = (date.fromisoformat(ultimo) - date.fromisoformat(primeiro)).days + 1
                entre = f"de {day(primeiro)} a {day(ultimo)}" if dias > 1 else f"em {day(primeiro)}"
                yield Achado(
                    codigo="lacuna_de_vigencia",
                    gravidade="aviso",
                    regra=None,
                    linha=bancada.linha(("vigencia_inicio",) if depois is bancada.valendo else ("vigencia_fim",)),
                    explicacao=(
                        f"A versão {antes.versao} vale até {day(antes.vigencia_fim or '')} e a {depois.versao} começa em "
                        f"{day(depois.vigencia_inicio)}: {entre} ({count(dias, 'dia', 'dias')}) nenhuma das duas vale, "
                        "e o pedido fica sem regra. Ajuste o fim de uma ou o começo da outra."
                    ),
                    exemplo=exemplo,
                    resultados=(resultado("", bancada.decide(exemplo)),),
                )
                return


def sobreposicoes(bancada: Bancada) -> Iterator[Achado]:
    """Other documents in force on the same days that say otherwise for the very same pedidos; one finding for each."""
    if bancada.valendo is None:
        return
    minhas = {chave: (posicao, regra) for posicao, regra in reversed(list(enumerate(bancada.politica.regras))) for chave in chaves(regra)}
    for outra in bancada.outras:
        inicio = max(bancada.valendo.vigencia_inicio, outra.vigencia_inicio)
        fim = min(bancada.valendo.vigencia_fim or "9999-12-31", outra.vigencia_fim or "9999-12-31")
        pares = [(minhas[chave], regra) for regra in outra.regras for chave in chaves(regra) if chave in minhas] if inicio <= fim else []
        yield from _overlap(bancada, outra, inicio, fim, pares)


def _overlap(bancada: Bancada, outra: Politica, inicio: str, fim: str, pares: list[tuple[tuple[int, Regra], Regra]]) -> Iterator[Achado]:
    ate = "" if fim == "9999-12-31" else f" até {day(fim)}"
    alone = Fluxo(Catalogo.of([outra]))
    for (posicao, minha), dela in islice(pares, _TRIED):

        def differs(pedido: Bruto, minha: Regra = minha, dela: Regra = dela) -> bool:
            a, b = bancada.decide(pedido, bancada.sozinha), bancada.decide(pedido, alone)
            both = bancada.decided_by(a, minha) and b.etapas.consulta.regras_recuperadas == dela
            whole = bancada.decide(pedido).etapas.consulta.fonte_regras
            return both and whole is not None and outcome(a) != outcome(b)

        for um in islice(bancada.pedidos_de(minha), 8):
            no_dia = Pedido(um.codigo, um.plano_id, um.tabela, inicio)
            bases = [bancada.conforme(dela, no_dia), bancada.conforme(minha, no_dia)]
            exemplo = next((menor(p, differs) for base in bases for p in bancada.varied(base, minha, dela) if differs(p)), None)
            if exemplo is not None:
                vence = bancada.decide(exemplo).etapas.consulta.fonte_regras
                venceu = f" Vale a de “{vence.documento}”, versão {vence.versao}." if vence else ""
                yield Achado(
                    codigo="sobreposicao_de_vigencia",
                    gravidade="aviso",
                    regra=minha.regra_id,
                    linha=bancada.linha(("regras", posicao)),
                    explicacao=(
                        f"“{outra.documento}”, versão {outra.versao}, vale nos mesmos dias (de {day(inicio)}{ate or ' em diante'}) "
                        f"e tem {count(len(pares), 'regra', 'regras')} para os mesmos pedidos que este documento. {dela.regra_id}, de lá, "
                        f"diz outra coisa que {minha.regra_id}, daqui.{venceu} Encerre um dos dois, ou tire a regra de um deles."
                    ),
                    exemplo=exemplo,
                    resultados=(
                        resultado(minha.regra_id, bancada.decide(exemplo, bancada.sozinha)),
                        resultado(dela.regra_id, bancada.decide(exemplo, alone)),
                    ),
                )
                return


def _shift(dia: str, dias: int) -> str:
    return (date.fromisoformat(dia) + timedelta(days=dias)).isoformat()
