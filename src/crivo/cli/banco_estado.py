"""`crivo banco estado`: how the database fares, without changing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import FAILED, emit_value, moment, say, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crivo.kernel.storage.estado import Esquema, Estado, Servidor

_MOST_TABLES: Final = 12
_MOST_NAMED: Final = 4
_MIB: Final = 1024 * 1024
_ONDE: Final = {"embutido": "PostgreSQL embutido", "por_endereco": "PostgreSQL de CRIVO_DATABASE_URL"}


def estado(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Mostra como está o banco: esquema, versão, tamanho, conexões, o que está preso, o último backup. Não muda nada.

    Termina com código 1 onde este programa não pode trabalhar com o banco: ele não responde, é de um crivo mais novo, ou o PostgreSQL é
    antigo demais.
    """
    from crivo.kernel.storage.estado import look

    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings = ambiente.settings()
    found = look(settings.database_url, settings.data_dir)
    if ambiente.json:
        emit_value(_value(found))
    else:
        for line in _lines(found):
            say(line)
        if found.linhas:
            rows = [(name, f"{many:,}".replace(",", ".")) for name, many in list(found.linhas.items())[:_MOST_TABLES] if many]
            say()
            table(("Tabela", "Linhas (estimativa)"), rows, empty="Nenhuma linha ainda.")
    if not found.serve:
        raise typer.Exit(FAILED)


def _value(found: Estado) -> dict[str, Any]:
    return {
        "serve": found.serve,
        "onde": found.onde,
        "motivo": found.motivo,
        "esquema": found.esquema,
        "servidor": found.servidor,
        "ultimo_backup": found.ultimo_backup,
        "backup_por": found.backup_por,
        "linhas": found.linhas,
    }


def _lines(found: Estado) -> Iterator[str]:
    if found.motivo is not None:
        yield f"✗ {_ONDE[found.onde]}: {found.motivo}"
    if found.servidor is not None:
        yield from _of_server(_ONDE[found.onde], found.servidor)
    if found.esquema is not None:
        yield _of_schema(found.esquema)
        made = f"{moment(found.ultimo_backup)}, por {found.backup_por}"
        when = made if found.ultimo_backup else "nenhum anotado neste banco; faça um com 'crivo banco backup ARQ'"
        yield f"{'✓' if found.ultimo_backup else '!'} Último backup: {when}."


def _of_schema(esquema: Esquema) -> str:
    match esquema.situacao:
        case "em_dia":
            return f"✓ Esquema na versão {esquema.banco}, a deste programa."
        case "vazio":
            return f"! O banco ainda não tem nada do crivo: 'crivo banco migrar' o prepara, até a versão {esquema.aqui}."
        case "atras":
            return (
                f"! Esquema na versão {esquema.banco}; 'crivo banco migrar' o leva à {esquema.aqui}, com {_named(esquema.por_executar)}. "
                "Faça um backup antes."
            )
        case "a_frente":
            return f"✗ Esquema na versão {esquema.banco}, de um crivo mais novo: este conhece até a {esquema.aqui}. Atualize o crivo."


def _named(migracoes: tuple[str, ...]) -> str:
    if len(migracoes) > _MOST_NAMED:
        return f"{len(migracoes)} migrações, de {migracoes[0]} a {migracoes[-1]}"
    return " e ".join((", ".join(migracoes[:-1]), migracoes[-1])) if len(migracoes) > 1 else migracoes[0]


def _of_server(onde: str, servidor: Servidor) -> Iterator[str]:
    told = {
        "suportado": ("✓", "suportado"),
        "antigo": ("✗", "antigo demais: o crivo precisa do 15 ao 18"),
        "mais_novo": ("!", "mais novo que os que foram conferidos, do 15 ao 18"),
    }
    mark, how = told[servidor.suporte]
    yield f"{mark} {onde}: versão {servidor.versao}, {how}."
    yield f"✓ {servidor.bytes / _MIB:.0f} MiB, {servidor.conexoes} de {servidor.limite_conexoes} conexões em uso."
    if servidor.esperas:
        yield f"! {servidor.esperas} à espera de uma trava que outra conexão segura."
    for one in servidor.transacoes:
        yield f"! Transação aberta há {one.segundos} s pelo processo {one.processo} do servidor ({one.situacao})."
    arquivo = servidor.arquivo
    if arquivo.ligado:
        last = f"o último pedaço em {moment(arquivo.ultimo)}" if arquivo.ultimo else "nenhum pedaço ainda"
        lost = f"; {arquivo.falhas} não puderam ser guardados" if arquivo.falhas else ""
        yield f"{'!' if arquivo.falhas else '✓'} Arquivo contínuo do PostgreSQL ligado, {last}{lost}."
    else:
        yield "✓ Arquivo contínuo do PostgreSQL desligado: volta-se ao último backup, e a nenhum instante entre dois."
