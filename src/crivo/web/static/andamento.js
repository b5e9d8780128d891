// Follows what runs on the server: by an event stream, by asking again where the stream breaks, and saying so when nothing moves.

import { closedIn, closedNotice } from "./eventos.js";

const SILENCE_MS = 45000;
const ASK_MS = 5000;

function follow(panel, at) {
  const source = new EventSource(panel.dataset.eventos);
  const listen = listener(panel);
  let asking = 0;
  source.addEventListener("andamento", (event) => heard(panel, pageOf(JSON.parse(event.data)), listen));
  source.addEventListener("fim", () => {
    source.close();
    window.location.reload();
  });
  // The browser tries a broken stream again by itself; one that was refused it gives up.
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED || asking) return;
    asking = setInterval(async () => {
      const closed = await ask(panel, at, listen);
      if (closed) end(closed);
    }, ASK_MS);
  });
  const end = (closed) => {
    clearInterval(asking);
    listen.end();
    panel.replaceChildren(closedNotice(closed));
  };
  window.addEventListener("pagehide", () => {
    source.close();
    clearInterval(asking);
  });
  listen();
}

async function ask(panel, at, listen) {
  try {
    const answer = await fetch(window.location.href, { headers: { accept: "text/html" } });
    if (answer.status === 401 || answer.status === 403) return await closedIn(answer);
    if (!answer.ok) return null;
    const fresh = pageOf(await answer.text()).querySelectorAll("[data-eventos]");
    if (fresh.length >= document.querySelectorAll("[data-eventos]").length) heard(panel, fresh[at], listen);
    else window.location.reload();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no connection is a TypeError: the next time may find one
  }
  return null;
}

function heard(panel, fresh, listen) {
  const status = panel.querySelector("[role=status]");
  const now = fresh.querySelector("[role=status]").textContent;
  const progress = panel.querySelector("progress");
  const before = progress.value;
  // Only a new phase is read aloud, not every number.
  if (status.textContent !== now) status.textContent = now;
  for (const part of [".barra .quanto", ".fases"]) panel.querySelector(part).replaceWith(fresh.querySelector(part));
  progress.max = fresh.querySelector("progress").max;
  progress.value = fresh.querySelector("progress").value;
  if (progress.value !== before) listen();
}

// What it gives back is called each time that something has moved.
function listener(panel) {
  let silence = 0;
  const moved = () => {
    panel.querySelector(".parado")?.remove();
    clearTimeout(silence);
    silence = setTimeout(() => {
      const words = "Faz um tempo que nada muda. O trabalho continua no servidor; você pode voltar mais tarde.";
      panel.append(Object.assign(document.createElement("p"), { className: "parado", role: "status", textContent: words }));
    }, SILENCE_MS);
  };
  moved.end = () => clearTimeout(silence);
  return moved;
}

const pageOf = (text) => new DOMParser().parseFromString(text, "text/html");

[...document.querySelectorAll("[data-eventos]")].forEach(follow);
