"""`crivo pessoas`: what a person may ask for under the LGPD, and how long data are kept."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import asked, emit_value, encode, note, say
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.settings import Settings
    from crivo.kernel.sigilo.pessoas import Apagamento
    from crivo.kernel.storage.rewriting import Reescrita

app = Aplicacao("Mostra e apaga o que há guardado sobre uma pessoa (LGPD, art. 18).")

Quem = Annotated[str, typer.Argument(metavar="CPF|EMAIL", help="CPF, com ou sem pontos, ou e-mail da pessoa.")]
# Words of field names that people write with signs which the names leave out.
_WITH_SIGNS = {
    "agencia": "agência", "aplicacao": "aplicação", "autorizacao": "autorização", "avaliacao": "avaliação",
    "avaliacoes": "avaliações", "beneficiario": "beneficiário", "bloqueantes": "que impedem", "carencia": "carência", "cnpj": "CNPJ",
    "codigo": "código", "condicao": "condição", "coparticipacao": "coparticipação", "cpf": "CPF", "criterio": "critério",
    "decisao": "decisão", "descricao": "descrição", "email": "e-mail", "endereco": "endereço", "excecoes": "exceções",
    "inicio": "início", "inscricao": "inscrição", "maximo": "máximo", "medico": "médico", "minimo": "mínimo", "minimos": "mínimos",
    "municipio": "município", "normalizacao": "normalização", "numero": "número", "obrigatorios": "obrigatórios",
    "observacoes": "observações", "orcamento": "orçamento", "parametros": "parâmetros", "pendencias": "pendências",
    "politica": "política", "preexistencias": "preexistências", "previa": "prévia", "prontuario": "prontuário",
    "responsavel": "responsável", "restricoes": "restrições", "revisao": "revisão", "revisoes": "revisões", "sintese": "síntese",
    "situacao": "situação", "tecnica": "técnica", "titulo": "título", "ultima": "última", "unitario": "unitário",
    "urgencia": "urgência", "us": "(microssegundos)", "usuario": "usuário", "versao": "versão", "vigencia": "vigência",
}  # fmt: skip
_REWRITTEN: Final[Mapping[Reescrita, str]] = {
    "tudo": "Nem páginas antigas do banco nem o registro de escrita dele as têm mais.",
    "tabelas": (
        "As páginas antigas do banco não as têm mais; o registro de escrita (WAL) e as cópias são de quem cuida desse PostgreSQL, e as "
        "têm até serem descartados."
    ),
    "adiada": (
        "Páginas antigas do banco ainda as têm: ele é grande ou estava em uso. Os trabalhadores as escrevem de novo nesta madrugada; "
        "'crivo pessoas reter' o faz agora."
    ),
    "de_outro": (
        "Páginas antigas do banco ainda as têm, e as tabelas são de outro papel do PostgreSQL: peça a quem cuida dele "
        "'vacuum full chaves_de_pessoas, usuarios, contas_de_pacientes, sessoes, conversas'."
    ),
}
_HOLDERS = {"autorizacoes": "Autorizações", "triagem": "Editais", "pessoas": "Cadastro de usuários", "clinicas": "Conversas abertas"}


@app.comando("exportar")
def exportar(
    ctx: typer.Context,
    quem: Quem,
    formato: Annotated[Literal["json", "html"], typer.Option("--formato", help="json, para máquinas, ou html, para ler.")] = "json",
    saida: Annotated[str | None, typer.Option("--saida", metavar="ARQ", help="Grava neste arquivo, que só você lê.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Reúne tudo o que está guardado sobre uma pessoa, nas três aplicações."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> dict[str, Any]:
        return await container.pessoas.exportar(scope, quem)

    found = ambiente.use(work)
    content = encode(found) if formato == "json" else as_html(found).encode()
    if saida is None:
        say(content.decode())
        return
    path = Path(saida)
    path.touch(mode=0o600)
    path.write_bytes(content)
    note(f"✓ Gravado em {saida}. São dados pessoais: entregue à pessoa e apague o arquivo.")


@app.comando("apagar")
def apagar(
    ctx: typer.Context,
    quem: Quem,
    motivo: Annotated[str, typer.Option("--motivo", metavar="TEXTO", help="Por que se apaga; a auditoria guarda só o resumo dele.")],
    sim: Annotated[bool, typer.Option("--sim", help="Não pergunta antes.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Apaga os dados de uma pessoa nas três aplicações, destruindo as chaves que os abrem. Não há volta.

    O que a lei manda guardar fica, e é dito por quê. Números, datas, resultados e a auditoria continuam.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Apagamento, Reescrita] | None:
        if not sim and not asked("Apagar o que está guardado sobre essa pessoa? Não há como desfazer."):
            return None
        erased = await container.pessoas.apagar(scope, quem, motivo)
        return erased, await container.database.rewrite()

    found = ambiente.use(work)
    if found is None:
        note("Nada foi apagado.")
        raise typer.Exit(1)
    done, rewritten = found
    if ambiente.json:
        emit_value({"apagados": done.apagados, "mantidos": done.mantidos, "reescrito": rewritten})
        return
    for nome, many in done.apagados.items():
        say(f"✓ {_holder(nome)}: {many} {'registro apagado' if many == 1 else 'registros apagados'}.")
    for one in done.mantidos:
        say(f"✗ {_holder(one.aplicacao)}, {one.registro}: fica. {one.motivo}")
    note(f"As chaves foram destruídas. {_REWRITTEN[rewritten]} Guarde o motivo nos seus arquivos: aqui fica só o resumo dele.")


@app.comando("reter")
def reter(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Apaga agora o que passou do prazo de guarda (CRIVO_RETENCAO_*); os trabalhadores fazem isto todo dia."""
    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings = ambiente.settings()

    async def work(container: Container, scope: Scope) -> dict[str, int]:
        from crivo.bootstrap import retain

        over = await retain(container.pessoas, settings, scope)
        await container.database.rewrite(whatever_it_takes=True)
        return over

    done = ambiente.use(work, settings)
    if ambiente.json:
        emit_value({"apagados": done})
    elif not _any_term(settings):
        say("Nenhum prazo de guarda está definido: nada é apagado por tempo. Veja CRIVO_RETENCAO_* em .env.example.")
    else:
        say(f"✓ {sum(done.values())} registros passaram do prazo e foram apagados." if done else "✓ Nada passou do prazo de guarda.")


def as_html(found: dict[str, Any]) -> str:
    """What is held, to be read: one page without a script, a heading for each application, a table for each record."""
    import msgspec

    plain = msgspec.json.decode(encode(found))
    parts = [f"<h2>{escape(_holder(nome))}</h2>" + "".join(_record(one) for one in held) for nome, held in plain["dados"].items()]
    return (
        '<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>O que está guardado sobre você</title>'
        '<meta name="viewport" content="width=device-width"><h1>O que está guardado sobre você</h1>'
        f"<p>Reunido em {escape(str(plain['gerado_em']))}, por pedido seu (Lei 13.709/2018, art. 18).</p>{''.join(parts)}</html>\n"
    )


def _record(value: Any) -> str:
    if isinstance(value, dict):
        head = "<tr><th scope='row' align='left' valign='top'>"
        rows = "".join(f"{head}{escape(_said(str(name)))}</th><td>{_record(inner)}</td></tr>" for name, inner in value.items())
        return f"<table border='1' cellpadding='4'>{rows}</table>"
    if isinstance(value, list):
        return f"<ul>{''.join(f'<li>{_record(one)}</li>' for one in value)}</ul>" if value else "nenhum"
    return "—" if value is None else escape("sim" if value is True else "não" if value is False else str(value))


def _said(field: str) -> str:
    """A field's name as people say it: `ultima_consulta` is 'Última consulta'."""
    words = " ".join(_WITH_SIGNS.get(word, word) for word in field.replace(".", "_").split("_") if word)
    return words[:1].upper() + words[1:]


def _holder(nome: str) -> str:
    return _HOLDERS.get(nome, nome)


def _any_term(settings: Settings) -> bool:
    return any((settings.retencao_autorizacoes, settings.retencao_clinicas, settings.retencao_triagem))
