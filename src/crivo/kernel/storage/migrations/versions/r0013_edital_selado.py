"""What a public call holds of a person is sealed under keys that can be destroyed, as authorizations are since revision 0011."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0013"
down_revision = "0012"

_MARK: Final = r"'\x00637331'::bytea"

# A record may be about two people: whose it is, and whoever answers for them. Retention is told from a person's own request.
_KEYS: Final = (
    "alter table chaves_de_pessoas add column responsavel bytea, add column por_prazo boolean not null default false",
    "create index chaves_por_responsavel on chaves_de_pessoas (tenant_id, responsavel) where responsavel is not null",
    "grant update (por_prazo) on chaves_de_pessoas to crivo_app",
)

# A row is in the clear, as before, or sealed and names its key, and then nothing of it stands in the columns that it stood in.
_PROJECTS: Final = (
    f"""
    alter table projetos
        add column chave uuid,
        add column conteudo bytea,
        add column nomes bytea,
        add constraint projeto_selado_ou_legivel check (conteudo is null or (
            chave is not null and nomes is not null and substring(conteudo for 4) = {_MARK} and substring(nomes for 4) = {_MARK}
            and titulo = '' and resumo = '' and descricao_tecnica = '' and proponente = '{{}}' and campos = '{{}}'
            and procura = '' and titulo_dobrado = ''))""",
    "create index projetos_por_chave on projetos (tenant_id, chave)",
    f"""
    alter table triagem_ia_resultados
        add column chave uuid,
        add column selado bytea,
        add constraint resultado_selado check (selado is null or (chave is not null and substring(selado for 4) = {_MARK}))""",
    "create index resultados_por_chave on triagem_ia_resultados (tenant_id, chave)",
    f"alter table triagem_ia_notas add column selado bytea check (selado is null or substring(selado for 4) = {_MARK})",
    # Under every key that it names: with any of them destroyed nobody reads it.
    f"""
    alter table triagem_ia_irregularidades
        add column chaves uuid[],
        add column selado bytea check (selado is null or substring(selado for 4) = {_MARK})""",
    "create index irregularidades_por_chave on triagem_ia_irregularidades using gin (chaves)",
)

# A file's own key, under that of each project which has the file.
_FILES: Final = (
    """
    create table chaves_de_arquivos (
        tenant_id text not null constraint chaves_de_arquivos_do_inquilino references tenants (id),
        sha256 bytea not null,
        chave uuid not null,
        embrulhada bytea not null,
        primary key (tenant_id, sha256, chave)
    )""",
    "create index chaves_de_arquivos_por_chave on chaves_de_arquivos (tenant_id, chave)",
)

# What is sealed cannot be packed, and costs time to try.
_STORAGE: Final = (
    "alter table projetos alter column conteudo set storage external, alter column nomes set storage external",
    "alter table documentos_lidos alter column lido set storage external",
    "alter table triagem_ia_resultados alter column selado set storage external",
)

# Vectors are kept by a digest of their text's digest from now on, so that the row does not open itself: those of before are made again.
_VECTORS: Final = ("truncate vetores",)

_GRANTS: Final = (
    "grant select, insert, delete on chaves_de_arquivos to crivo_app",
    "grant update (chave, conteudo, nomes) on projetos to crivo_app",
    "grant update (arquivo) on projeto_documentos to crivo_app",
    "grant update (conteudo) on arquivos to crivo_app",
    "grant update (lido) on documentos_lidos to crivo_app",
    "grant update (chave, selado) on triagem_ia_resultados to crivo_app",
    "grant update (selado) on triagem_ia_notas to crivo_app",
    "grant update (dados) on edital_avaliadores to crivo_app",
    "grant update (dados, chaves, selado) on triagem_ia_irregularidades to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From projects that are written over to projects whose keys are destroyed."""
    for statement in (*_KEYS, *_PROJECTS, *_FILES, *_STORAGE, *_VECTORS, *_GRANTS):
        op.execute(statement)
    op.execute("alter table chaves_de_arquivos enable row level security")
    op.execute("alter table chaves_de_arquivos force row level security")
    mine = f"tenant_id = {_CURRENT_TENANT}"
    op.execute(f"create policy inquilino on chaves_de_arquivos using ({mine}) with check ({mine})")
