// Keeps the queue and the conversation that is open as they are now. Without it there is "Atualizar", and the forms do the rest.

import { closedAt, closedNotice, isLost } from "./eventos.js";

const AGAIN_MS = 15000;
const page = () => document.getElementById("atendimento");
let source = null;

function listen() {
  source = new EventSource(page().dataset.eventos);
  source.addEventListener("andamento", (event) => put(JSON.parse(event.data)));
  // The browser tries a broken stream again by itself; one that was refused it gives up.
  source.addEventListener("error", async () => {
    if (source.readyState !== EventSource.CLOSED) return;
    const closed = await closedAt(window.location.href);
    if (!closed) setTimeout(listen, AGAIN_MS);
    else if (!document.querySelector("[data-fechado]")) page().before(closedNotice(closed));
  });
}

// Only what is new is put into the log, so that only that is read aloud, and what is being written stays.
function put(told) {
  const fresh = new DOMParser().parseFromString(told, "text/html");
  const now = page();
  const next = fresh.getElementById("atendimento");
  document.title = document.title.replace(/^.*?(?=Atendimento)/, alarm(fresh));
  swap(now.querySelector(".fila"), next.querySelector(".fila"));
  const log = now.querySelector("#falas");
  const heard = next.querySelector("#falas");
  if (!log || !heard || now.dataset.eventos !== next.dataset.eventos) {
    swap(now.querySelector(".atendida"), next.querySelector(".atendida"));
    now.classList.toggle("com-conversa", next.classList.contains("com-conversa"));
    return;
  }
  const added = [...heard.children].slice(log.children.length);
  log.append(...added);
  for (const part of [".atendida-cabeca", ".atendida-ficha"]) {
    if (now.querySelector(part) && next.querySelector(part)) swap(now.querySelector(part), next.querySelector(part));
  }
  const wrote = now.querySelector("#resposta");
  if (!wrote || !next.querySelector("#resposta")) swap(now.querySelector("#fim"), next.querySelector("#fim"));
  if (added.length) added.at(-1).scrollIntoView({ block: "nearest", behavior: "instant" });
}

function swap(before, after) {
  if (before.isEqualNode(after)) return;
  const focused = before.contains(document.activeElement) ? document.activeElement : null;
  const selector = focused?.matches("a") ? `a[href="${focused.getAttribute("href")}"]` : focused && `form[action="${focused.form?.getAttribute("action")}"] button`;
  before.replaceWith(after);
  if (selector) after.querySelector(selector)?.focus({ preventScroll: true });
}

function alarm(fresh) {
  const told = fresh.querySelector(".fila-resumo .selo")?.textContent.trim();
  return told ? `${told}: ` : "";
}

document.addEventListener("keydown", (event) => {
  if (event.target.id !== "resposta" || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

// The answer is sent without leaving the page; what was refused is shown by the page itself.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-resposta]")) return;
  event.preventDefault();
  const field = form.elements.texto;
  const sent = new URLSearchParams(new FormData(form));
  field.readOnly = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: sent });
    if (answer.ok) field.value = "";
    else form.submit();
  } catch (error) {
    if (!isLost(error)) throw error;
    form.submit();
  } finally {
    field.readOnly = false;
  }
});

window.addEventListener("pagehide", () => source?.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
listen();
document.querySelector("#falas > :last-child")?.scrollIntoView({ block: "nearest", behavior: "instant" });
