// Sends a pedido without leaving the page, and shows how it is decided. Without it the form goes to the decision by itself.

import { closedAt, closedNotice, eventsOf, isLost } from "./eventos.js";

const STALLED_MS = 30000;
const NO_ANSWER = "Ainda não há resposta. Espere mais um pouco; antes de enviar de novo, veja na lista se o pedido já está lá.";
const NOTHING_MOVES = "Faz um tempo que nada muda. Você não precisa esperar: a decisão vai estar na lista assim que for guardada.";
const NOT_SENT = "A ligação caiu antes da resposta. Veja na lista se o pedido já está lá; se não estiver, envie de novo: o texto continua aqui.";
const LOST = "A ligação caiu, mas o pedido já está com o servidor: a decisão vai estar na lista em instantes. Se não estiver, envie de novo.";

const panel = () => document.getElementById("acompanhamento");
const pageOf = (text) => new DOMParser().parseFromString(text, "text/html");

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-acompanhar]") || event.defaultPrevented) return;
  event.preventDefault();
  send(form);
});

// Whoever comes back to a page that the browser kept may send the next one.
window.addEventListener("pageshow", (event) => {
  const form = document.querySelector("form[data-acompanhar]");
  if (event.persisted && form) reopen(form);
});

async function send(form) {
  for (const notice of form.parentElement.querySelectorAll(":scope > .aviso")) notice.remove();
  const watch = watching(form);
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { accept: "text/event-stream" }, body: new FormData(form) });
    if (answer.headers.get("content-type")?.startsWith("text/event-stream")) await follow(form, answer.body, watch);
    else if (answer.status === 401) form.submit(); // the page itself asks to sign in, and goes on from there
    else refuse(form, await refusalOf(answer));
  } catch (error) {
    if (!isLost(error)) throw error;
    await lose(form);
  } finally {
    watch.end();
  }
}

async function follow(form, body, watch) {
  for await (const [name, data] of eventsOf(body)) {
    watch.moved();
    if (name === "fim") {
      window.location.assign(data);
      return;
    }
    const told = pageOf(data).body.firstElementChild;
    if (name === "recusa") {
      refuse(form, told);
      return;
    }
    if (panel()) update(told);
    else open(form, told);
  }
  await lose(form);
}

function open(form, fresh) {
  const section = form.closest("section");
  section.before(fresh);
  section.hidden = true;
  fresh.querySelector("h2").focus();
}

// Only what has changed is put in place, so that only that is read aloud, and nothing moves twice.
function update(fresh) {
  const shown = panel();
  const progress = shown.querySelector("progress");
  progress.max = fresh.querySelector("progress").max;
  progress.value = fresh.querySelector("progress").value;
  for (const part of [".quanto", ".fases"]) shown.querySelector(part).replaceWith(fresh.querySelector(part));
  for (const text of fresh.querySelectorAll("[data-texto]")) {
    const before = document.getElementById(text.id);
    if (before.textContent !== text.textContent) before.replaceWith(text);
  }
  const status = shown.querySelector("[role=status]");
  const now = fresh.querySelector("[role=status]").textContent;
  if (status.textContent !== now) status.textContent = now;
}

function reopen(form) {
  const wasOpen = panel();
  wasOpen?.remove();
  form.closest("section").hidden = false;
  form.dispatchEvent(new CustomEvent("crivo:solto", { bubbles: true }));
  if (wasOpen) form.querySelector("[type=submit]").focus();
}

function refuse(form, notice) {
  reopen(form);
  form.before(notice);
  notice.scrollIntoView({ block: "nearest" });
}

// What was refused before anything was read is told as a problem, without a page.
async function refusalOf(answer) {
  if (answer.headers.get("content-type")?.startsWith("text/html")) return pageOf(await answer.text()).body.firstElementChild;
  const { title, detail } = await answer.json();
  const notice = warning(detail, "alert");
  notice.classList.replace("atencao", "erro");
  notice.prepend(Object.assign(document.createElement("h2"), { textContent: title }));
  return notice;
}

async function lose(form) {
  const closed = await closedAt(window.location.href);
  if (closed) {
    refuse(form, closedNotice(closed));
  } else if (panel()) {
    panel().querySelector(".parado-aqui")?.remove();
    panel().classList.add("sem-ligacao");
    aboveTheProgress(withTheList(warning(LOST, "alert")));
  } else {
    refuse(form, withTheList(warning(NOT_SENT, "alert")));
  }
}

function watching(form) {
  let silence = 0;
  const stalled = () => {
    const notice = withTheList(warning(panel() ? NOTHING_MOVES : NO_ANSWER, "status"));
    notice.classList.add("parado-aqui");
    if (panel()) aboveTheProgress(notice);
    else form.before(notice);
  };
  const end = () => clearTimeout(silence);
  const moved = () => {
    end();
    document.querySelector(".parado-aqui")?.remove();
    silence = setTimeout(stalled, STALLED_MS);
  };
  moved();
  return { moved, end };
}

function aboveTheProgress(notice) {
  panel().querySelector(".barra").parentElement.before(notice);
}

function warning(words, role) {
  const notice = Object.assign(document.createElement("div"), { className: "aviso atencao" });
  notice.setAttribute("role", role);
  notice.append(Object.assign(document.createElement("p"), { textContent: words }));
  return notice;
}

function withTheList(notice) {
  notice.append(Object.assign(document.createElement("a"), { className: "botao", href: "/autorizacoes", textContent: "Ver a lista" }));
  return notice;
}
