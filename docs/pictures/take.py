"""`make pictures`: takes the pictures of the README from the demo itself, in a folder and on ports of their own, and ends all it began.

The demo's clock stands still, so that the same program gives the same pictures.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import sys
import tempfile
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from playwright.async_api import Browser, Page, StorageState, async_playwright, expect

from crivo.clinicas.registro import REGISTRO_PADRAO

HERE: Final = Path(__file__).parent
NOW: Final = "2026-11-16T09:30:00-03:00"
READY: Final = "Ctrl-C encerra tudo"
DESK: Final = (1200, 760)
PHONE: Final = (390, 760)
LARGEST_BYTES: Final = 350_000
ARGUMENTS: Final = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb"]
_START_SECONDS: Final = 110
_END_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: its file, who looks, where the way to it begins after signing in, and how it goes on."""

    name: str
    who: str
    way: Callable[[Page], Awaitable[None]]
    size: tuple[int, int] = DESK
    theme: Literal["light", "dark"] = "light"


async def triagem_avaliacao(page: Page) -> None:
    """The notas that the simulated model suggests, the first project opened."""
    await _tab(page, "avaliacao")
    await page.locator("details.linha > summary").first.click()
    await _top(page, "#titulo-resultado")


async def triagem_irregularidades(page: Page) -> None:
    """The case of two projects that share text, their passages side by side."""
    await _tab(page, "irregularidades&tipo=texto_reutilizado")
    await page.locator(".caso-sinais summary", has_text="Texto reutilizado").first.click()
    await _top(page, "#titulo-resultado")


async def mesa(page: Page) -> None:
    """A project on the mesa, with a hidden order shown on the page where it stood, in the dark theme."""
    await page.goto("/admin/editais/ED-2026-04/mesa/P007")
    await expect(page.get_by_role("button", name="Decidir e próximo")).to_be_visible()


async def autorizacao(page: Page) -> None:
    """A decision that asks for adjustments."""
    await page.goto("/autorizacoes?status=PENDENTE_AJUSTES")
    await page.locator("tbody tr", has_text="Pendente de ajustes").first.get_by_role("link").first.click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Pedido")


async def revisao(page: Page) -> None:
    """The page of whoever reviews, with the most pressing decision in hand."""
    await page.goto("/autorizacoes/fila")
    await page.get_by_role("button", name="Pegar a próxima").click()
    await page.wait_for_url("**/revisao*")


async def conversa(page: Page) -> None:
    """A patient asks for a cardiologist, and is offered free slots."""
    await page.goto("/clinicas/conversa")
    await page.get_by_label("Seu nome completo").fill("Ana Tavares")
    await page.get_by_label("Seu CPF").fill("111.444.777-35")
    await page.get_by_role("button", name="Começar a conversa").click()
    await page.get_by_role("button", name="Quero um cardiologista").click()
    await expect(page.locator("#falas > li")).not_to_have_count(1)
    await expect(page.locator("#falas > .a-caminho")).to_have_count(0, timeout=20_000)


PICTURES: Final = (
    Picture("triagem-avaliacao", "Gestora do edital", triagem_avaliacao),
    Picture("triagem-irregularidades", "Gestora do edital", triagem_irregularidades),
    Picture("mesa", "Gestora do edital", mesa, (1440, 860), theme="dark"),
    Picture("autorizacao", "Revisora de autorizações", autorizacao),
    Picture("revisao", "Revisora de autorizações", revisao),
    Picture("conversa-celular", "Paciente", conversa, PHONE),
)


async def main() -> None:
    """Start the demo, take each picture, and end the demo. Raises ValueError where a picture came out too large."""
    chromium = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
    with tempfile.TemporaryDirectory(prefix="crivo-pictures-") as folder:
        async with _demo(Path(folder)) as (home, links), async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            sessions = {who: await _sign_in(browser, home, links[who]) for who in {one.who for one in PICTURES}}
            for one in PICTURES:
                await _take(browser, home, sessions[one.who], one)
            await browser.close()
    too_large = [path.name for path in HERE.glob("*.png") if path.stat().st_size > LARGEST_BYTES]
    if too_large:
        raise ValueError(f"pictures over {LARGEST_BYTES} bytes: {', '.join(sorted(too_large))}")


@asynccontextmanager
async def _demo(folder: Path) -> AsyncIterator[tuple[str, dict[str, str]]]:
    """Where the demo answers, and the sign-in link of each of its people."""
    ports = _free_ports(1 + len(REGISTRO_PADRAO.clinics))
    clinics = [
        {"id": one.id, "nome": one.nome, "especialidade": one.especialidade, "porta": port, "url": f"http://127.0.0.1:{port}/mcp"}
        for one, port in zip(REGISTRO_PADRAO, ports[1:], strict=True)
    ]
    (folder / "clinicas").mkdir()
    (folder / "clinicas" / "registro.json").write_text(json.dumps({"clinics": clinics}), encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")}
    own = {"CRIVO_DATA_DIR": str(folder), "CRIVO_AGORA": NOW, "CRIVO_PORTA_METRICAS": "0", "PYTHONUNBUFFERED": "1"}
    program = str(Path(sys.executable).with_name("crivo"))
    process = await asyncio.create_subprocess_exec(
        program, "demo", "--porta", str(ports[0]), env=inherited | own, stdout=PIPE, stderr=STDOUT
    )
    try:
        async with asyncio.timeout(_START_SECONDS):
            links = await _links(process)
        yield f"http://127.0.0.1:{ports[0]}", links
    finally:
        await _end(process)


async def _links(process: Process) -> dict[str, str]:
    """The link under each of the people that the demo names. Raises RuntimeError, with what it said, where it ended before."""
    links: dict[str, str] = {}
    said: list[str] = []
    while process.stdout is not None and (raw := await process.stdout.readline()):
        said.append(raw.decode().strip())
        if "/entrar?token=" in said[-1]:
            links[said[-2]] = said[-1]
        if said[-1].startswith(READY):
            return links
    raise RuntimeError("\n".join(["the demo ended before it was ready:", *said[-20:]]))


async def _end(process: Process) -> None:
    """It ends its clinics and its database itself when it is asked to."""
    if process.returncode is None:
        process.terminate()
    try:
        await asyncio.wait_for(process.communicate(), _END_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


async def _sign_in(browser: Browser, home: str, link: str) -> StorageState:
    """What the browser of somebody holds who has signed in."""
    context = await browser.new_context(base_url=home)
    page = await context.new_page()
    await page.goto(link)
    await page.get_by_role("button", name="Entrar no crivo").click()
    await expect(page.get_by_label("Sua conta")).to_be_visible()
    kept = await context.storage_state()
    await context.close()
    return kept


async def _take(browser: Browser, home: str, session: StorageState, picture: Picture) -> None:
    width, height = picture.size
    context = await browser.new_context(
        base_url=home,
        storage_state=session,
        color_scheme=picture.theme,
        viewport={"width": width, "height": height},
        locale="pt-BR",
        reduced_motion="reduce",
    )
    page = await context.new_page()
    await picture.way(page)
    await page.wait_for_load_state("networkidle")
    await page.mouse.move(0, 0)
    await page.screenshot(path=HERE / f"{picture.name}.png", animations="disabled", caret="hide")
    await context.close()


async def _tab(page: Page, aba: str) -> None:
    await page.goto("/admin/editais/ED-2026-04/triagem-ia?aba=" + aba)
    await expect(page.locator("#titulo-resultado")).to_be_visible()


async def _top(page: Page, place: str) -> None:
    await page.locator(place).evaluate("(element) => element.scrollIntoView({ block: 'start', behavior: 'instant' })")


def _free_ports(how_many: int) -> list[int]:
    with ExitStack() as held:
        listeners = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(how_many)]
        return [int(one.getsockname()[1]) for one in listeners]


if __name__ == "__main__":
    asyncio.run(main())
