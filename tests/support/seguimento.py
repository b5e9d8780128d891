"""Waiting for a screening, with a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from crivo.kernel.tenancy import Scope
from crivo.triagem.andamento import Execucao
from crivo.triagem.service import Triagem

DEADLINE_SECONDS: Final = 60.0

Trabalhando = Callable[..., AbstractAsyncContextManager[None]]  # a worker with some finders, for as long as a block lasts
Triagens = Callable[..., Triagem]


async def wait_until(
    triagem: Triagem, scope: Scope, edital_id: str, enough: Callable[[Execucao], bool], seconds: float = DEADLINE_SECONDS
) -> Execucao:
    """The execução as soon as it has come far enough. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            execucao = await triagem.status(scope, edital_id)
            if enough(execucao):
                return execucao
            await asyncio.sleep(0.05)


async def wait_for_end(triagem: Triagem, scope: Scope, edital_id: str, seconds: float = DEADLINE_SECONDS) -> Execucao:
    """The execução once it has ended. Raises TimeoutError."""
    return await wait_until(triagem, scope, edital_id, lambda execucao: execucao.status != "em_andamento", seconds)


def analysed(projetos: int) -> Callable[[Execucao], bool]:
    """Whether so many projects are analysed."""
    return lambda execucao: execucao.projetos_analisados == projetos
