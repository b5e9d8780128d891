"""What public calls hold of a proponente: told whole, and erased with its key at their request as long as no call has decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from crivo.kernel.audit import DIGESTS, NewEntry, append
from crivo.kernel.sigilo import Aplicacao, Identidade
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.storage import apagados, desistencias, impedimentos, julgadores, prazos, projetos, recursos, selagem

_KEPT: Final = (
    "O edital {edital} já decidiu sobre o projeto {projeto}: é processo administrativo público, que a lei manda guardar "
    "(Lei 8.159/1991; Lei 12.527/2011; LGPD, art. 16, I)."
)


class AcervoDeTriagem:
    """The projects of a person: their own, and those of an organisation that they answer for; and what editais say of them who judge.

    A record is a key of a project, or the account of somebody who judges.
    """

    aplicacao: Final[Aplicacao] = "triagem"

    async def found(self, uow: UnitOfWork, identidade: Identidade) -> Sequence[UUID]:
        """Every project has its key; people who judge are looked for by their e-mail."""
        return await julgadores.judges_of(uow, identidade.email)

    async def held(self, uow: UnitOfWork, registros: Sequence[UUID]) -> list[dict[str, Any]]:
        """Each project as it was submitted, with the names and digests of its files; its recursos, each as it was made; and what each
        edital says of who judges.
        """
        judging: list[dict[str, Any]] = [
            {"edital": codigo, "avaliador": one} for codigo, one in await julgadores.told_of_judges(uow, registros)
        ]
        judging += [
            {"impedimento": {"projeto": one.projeto_id, "motivo": one.motivo, "em": one.em, "desfeito_em": one.desfeito_em}}
            for one in await impedimentos.of_people(uow, registros)
        ]
        judging += [
            {"prazo": {"edital": one.edital_id, "ate": one.ate, "motivo": one.motivo, "em": one.em, "desfeito_em": one.desfeito_em}}
            for one in await prazos.of_people(uow, registros)
        ]
        asking = [
            {
                "edital": codigo,
                "recurso": one.numero,
                "projeto": one.projeto_id,
                "contra": one.contra,
                "apresentado_em": one.apresentado_em,
                "texto": one.texto,
                "papeis": one.papeis,
            }
            for codigo, one in await recursos.told_of(uow, registros)
        ]
        loaded = await projetos.load_some(uow, await apagados.projects_of(uow, registros))
        withdrawn = await desistencias.of_keys(uow, registros)
        return [
            *judging,
            *asking,
            *(
                {
                    "projeto": one.projeto,
                    "arquivos": [
                        {"arquivo": file.arquivo, "sha256": file.sha256.hex(), "tamanho_bytes": file.tamanho_bytes}
                        for file in one.documentos
                    ],
                    "desistencias": [
                        {"desistiu_em": of.desistiu_em.isoformat(), "motivo": of.motivo, "desfeita": not of.em_vigor}
                        for of in withdrawn.get(one.id, ())
                    ],
                }
                for one in loaded
                if not one.apagado
            ),
        ]

    async def kept_by_law(self, uow: UnitOfWork, registros: Sequence[UUID]) -> Mapping[UUID, str]:
        """The projects that people have decided on."""
        found = await apagados.decided(uow, registros)
        return {one: _KEPT.format(edital=edital, projeto=projeto) for one, (edital, projeto) in found.items()}

    async def erase(self, uow: UnitOfWork, registros: Sequence[UUID]) -> int:
        """Clear what was sealed, and what is said of who judges; a screening under way finds the projects erased."""
        return await apagados.clear(uow, registros)

    async def expired(self, uow: UnitOfWork, limite: datetime) -> Sequence[UUID]:
        """The projects of calls imported before a moment, but for those that people have decided on."""
        old = await apagados.older_than(uow, limite)
        kept = await apagados.decided(uow, old)
        return [one for one in old if one not in kept]

    async def seal_older(self, uow: UnitOfWork, em: datetime) -> int:
        """Seal some of what was stored in the clear; what the audit vouches for has an entry with its new seals."""
        for seal in (selagem.seal_projects, selagem.seal_results, selagem.seal_signs, julgadores.seal_older):
            done = await seal(uow)
            if done:
                return done
        done, selos = await selagem.seal_texts(uow)
        if selos:
            await append(uow, em, [NewEntry(acao="avaliacao.selada", alvo=uow.scope.tenant_id, dados={DIGESTS: selos})])
        return done
