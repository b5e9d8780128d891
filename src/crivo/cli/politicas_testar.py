"""`crivo politicas testar`: the cases beside a política, run; what they cover; and cases proposed for what none covers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crivo.autorizacoes.palavras import count
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import ArquivoInacessivel, read_file
from crivo.cli.politicas_achar import LARGEST_DOCUMENT, case_files, document_in, find_politica, formato_of
from crivo.cli.saida import FAILED, emit_value, say
from crivo.kernel.errors import CrivoError, Problem
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.politicas.casos.caso import Caso
    from crivo.autorizacoes.politicas.casos.execucao import CasoRodado, Cobertura
    from crivo.autorizacoes.politicas.casos.servico import Provada
    from crivo.bootstrap import Container

_LARGEST_CASE: Final = 1_000_000
_SHOWN: Final = 20
_NOT_A_NAME: Final = re.compile(r"[^a-z0-9]+")


def provar(
    ctx: typer.Context,
    pasta: Annotated[str, typer.Argument(metavar="PASTA|ID", help="A pasta com a política e casos/, ou o id de uma política guardada.")],
    propor: Annotated[
        bool, typer.Option("--propor", help="Escreve em casos/propostos/ casos para o que nenhum cobre; aceite um movendo-o para casos/.")
    ] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Roda os casos de teste de uma política e diz que regras e verificações eles cobrem.

    Cada caso tem um pedido e o que se espera dele. Termina com código 1 quando algum falha.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    folder = Path(pasta) if Path(pasta).is_dir() else None
    documento, casos = document_and_cases(folder) if folder else ("", [])

    async def work(container: Container, scope: Scope) -> Provada:
        if folder is None:
            return await container.casos_de_politica.guardada(scope, (await find_politica(container.politicas, scope, pasta)).id)
        raw = read_file(documento, LARGEST_DOCUMENT)
        return (await container.casos_de_politica.documento(scope, raw, formato_of(documento), casos))[1]

    provada = ambiente.use(work)
    written = _write(folder, provada.propostos) if propor and folder else []
    if ambiente.json:
        emit_value(_value(provada, written))
    else:
        for line in _told(provada, written):
            say(line)
    if provada.testada.falhos:
        raise typer.Exit(FAILED)


def document_and_cases(folder: Path) -> tuple[str, list[Caso]]:
    """The document of a folder and its cases. Raises PastaSemPolitica, CasoInvalido."""
    return str(document_in(folder)), read_cases(folder)


def read_cases(folder: Path) -> list[Caso]:
    """The cases beside the document of a folder. Raises CasoInvalido with the faults of every file, and where two have one name."""
    from crivo.autorizacoes.politicas.casos.caso import CasoInvalido, read_casos

    casos: dict[str, tuple[Caso, str]] = {}
    faults: list[Problem] = []
    for file in case_files(folder):
        try:
            for caso in read_casos(read_file(str(file), _LARGEST_CASE), file.stem):
                _, first = casos.setdefault(caso.nome, (caso, file.name))
                if casos[caso.nome][0] is not caso:
                    mensagem = f"“{caso.nome}” já é o nome de um caso em {first}; dê a este outro nome."
                    faults.append(Problem(mensagem, file.name, codigo="nome_repetido"))
        except CrivoError as error:
            problemas = error.problemas or (Problem(error.mensagem, codigo=error.codigo),)
            faults += [Problem(um.mensagem, f"{file.name}: {um.caminho}".rstrip(": "), um.linha, um.codigo) for um in problemas]
    if faults:
        raise CasoInvalido("Corrija os casos indicados e tente de novo.", faults)
    return [caso for caso, _ in casos.values()]


def _write(folder: Path, propostos: tuple[Caso, ...]) -> list[str]:
    """The proposed cases as files, each in the place of one of before; their names."""
    from crivo.autorizacoes.politicas.casos.caso import to_yaml

    target = folder / "casos" / "propostos"
    written = []
    try:
        target.mkdir(parents=True, exist_ok=True)
        for caso in propostos:
            name = f"{_NOT_A_NAME.sub('-', fold(caso.nome).lower()).strip('-')[:80]}.yaml"
            (target / name).write_bytes(to_yaml(caso))
            written.append(name)
    except OSError as error:
        raise ArquivoInacessivel(f"Não foi possível escrever em {target}: {error.strerror or error}.") from None
    return written


def _value(provada: Provada, written: list[str]) -> dict[str, Any]:
    testada, cobertura = provada.testada, provada.testada.cobertura
    return {
        "casos": [
            {
                "caso": um.caso.nome,
                "passou": um.passou,
                "regra": um.regra,
                "diferencas": um.diferencas,
                "erro": um.erro,
                "herdado": um.caso.nome in provada.herdados,
                "ja_falhava": um.caso.nome in provada.ja_falhavam,
            }
            for um in testada.rodados
        ],
        "total": len(testada.rodados),
        "verdes": testada.verdes,
        "cobertura": {
            "regras_total": cobertura.regras_total,
            "regras_com_caso": cobertura.regras_com_caso,
            "sem_caso": cobertura.sem_caso,
            "verificacoes_total": len(cobertura.verificacoes),
            "verificacoes_completas": cobertura.verificacoes_completas,
            "verificacoes": cobertura.verificacoes,
        },
        "propostos": [{"caso": caso.nome, "pedido": caso.pedido, "esperado": caso.esperado} for caso in provada.propostos],
        "escritos": written,
    }


def _told(provada: Provada, written: list[str]) -> Iterator[str]:
    testada = provada.testada
    for um in testada.falhos:
        yield from _failure(um, provada)
    if testada.rodados:
        yield f"{testada.verdes} de {count(len(testada.rodados), 'caso passa', 'casos passam')}."
        if provada.de is not None and provada.herdados:
            yield f"    {count(len(provada.herdados), 'vem', 'vêm')} da versão {provada.de.versao}; ao publicar, ficam com esta."
    else:
        yield "Nenhum caso de teste ainda."
    yield from _covered(testada.cobertura)
    if written:
        escritos = count(len(written), "caso proposto escrito", "casos propostos escritos")
        yield f"{escritos} em casos/propostos/. Leia cada um e mova para casos/ os certos."
    elif provada.propostos:
        yield f"{count(len(provada.propostos), 'caso pode ser proposto', 'casos podem ser propostos')} para o que falta: use --propor."


def _failure(um: CasoRodado, provada: Provada) -> Iterator[str]:
    from crivo.autorizacoes.politicas.casos.ditos import campo_dito, valor_dito

    before = f" (já falhava na versão {provada.de.versao})" if provada.de and um.caso.nome in provada.ja_falhavam else ""
    yield f"falhou: {um.caso.nome}{before}"
    if um.erro:
        yield f"    {um.erro}"
    for diferenca in um.diferencas:
        esperado, obtido = (valor_dito(diferenca.campo, valor) for valor in (diferenca.esperado, diferenca.obtido))
        yield f"    {campo_dito(diferenca.campo)}: esperado {esperado}, saiu {obtido}"


def _covered(cobertura: Cobertura) -> Iterator[str]:
    yield f"{cobertura.regras_com_caso} de {count(cobertura.regras_total, 'regra tem', 'regras têm')} ao menos um caso."
    if cobertura.sem_caso:
        mais = f" e mais {len(cobertura.sem_caso) - _SHOWN}" if len(cobertura.sem_caso) > _SHOWN else ""
        yield f"    sem caso: {', '.join(cobertura.sem_caso[:_SHOWN])}{mais}"
    total = count(len(cobertura.verificacoes), "verificação", "verificações")
    yield f"{cobertura.verificacoes_completas} de {total} já passaram num caso e falharam em outro."
