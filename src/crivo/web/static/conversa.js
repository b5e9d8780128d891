// Sends a message without leaving the page, and shows the turn as it happens. Without it the forms do the same by themselves.

import { closedAt, closedNotice, eventsOf, isLost } from "./eventos.js";

const SILENCE_MS = 9000;
const STALLED_MS = 30000;
const ASK_MS = 1500;
const SIGNED_OUT = [401, 403];
const phone = window.matchMedia("(max-width: 40rem)");

function start() {
  if (phone.matches) document.querySelector("#lado .rastro")?.removeAttribute("open");
  document.addEventListener("submit", onSubmit);
  document.addEventListener("keydown", onKey);
  toTheEnd();
  if (isBusy(document)) recover(showWaiting(""), ASK_MS);
  document.addEventListener("click", onClick);
  listen();
}

// What asks before it is done asks here; without scripts the link leads to a page that does.
function onClick(event) {
  const link = event.target.closest("a[data-dialogo]");
  if (!link) return;
  event.preventDefault();
  document.getElementById(link.dataset.dialogo).showModal();
}

// While it waits for a person, or has one: what they write comes by itself.
let source = null;

function listen() {
  const address = document.getElementById("agora").dataset.eventos;
  if (!address || source) return;
  source = new EventSource(address);
  source.addEventListener("andamento", (event) => hear(JSON.parse(event.data)));
  source.addEventListener("fim", (event) => {
    deafen();
    const told = JSON.parse(event.data);
    if (told) hear(told);
    else window.location.reload();
  });
  // The browser tries a broken stream again by itself; one that was refused it gives up.
  source.addEventListener("error", async () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    deafen();
    const closed = await closedAt(window.location.pathname);
    if (!closed) setTimeout(listen, STALLED_MS);
    else if (!document.querySelector("[data-fechado]")) document.getElementById("falas").after(closedNotice(closed));
  });
}

function deafen() {
  source?.close();
  source = null;
}

window.addEventListener("pagehide", deafen);
window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });

// What came stands in the page, and what is being written stays as it is.
function hear(told) {
  if (document.querySelector(".a-caminho")) return; // the turn that is underway brings all of it
  const fresh = new DOMParser().parseFromString(told, "text/html");
  const isNew = fresh.getElementById("falas").children.length > document.getElementById("falas").children.length;
  const before = document.getElementById("agora");
  if (!isNew && before.textContent === fresh.getElementById("agora").textContent) return;
  const field = document.getElementById("mensagem");
  const { value, selectionStart, selectionEnd } = field;
  const isWriting = document.activeElement === field;
  put(fresh);
  const now = document.getElementById("mensagem");
  now.value = value;
  if (isWriting) {
    now.focus({ preventScroll: true });
    now.setSelectionRange(selectionStart, selectionEnd);
  }
  if (isNew) toTheEnd();
}

function onKey(event) {
  if (event.target.id === "mensagem" && event.key === "Enter" && !event.shiftKey && !event.isComposing && !phone.matches) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
}

async function onSubmit(event) {
  const form = event.target;
  if (!form.matches("form[data-turno]")) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  const waiting = showWaiting(fields.get("texto"));
  hold(true);
  const done = await follow(form.action, fields, waiting.tell);
  if (done === "refused") {
    // The page itself says why, with the text still there.
    if (event.submitter?.name) form.append(hidden(event.submitter));
    form.submit();
  } else if (done === "signed out") {
    waiting.gone();
    hold(false);
    await askToSignIn(form, event.submitter);
  } else if (done === "broken") {
    // The turn goes on to its end on the server: the page shows how it ended.
    waiting.tell("A ligação caiu. Procurando a sua resposta…");
    await recover(waiting, ASK_MS);
  }
}

async function follow(address, fields, tell) {
  const stopper = new AbortController();
  let slow = 0;
  let stalled = 0;
  const listen = () => {
    clearTimeout(slow);
    clearTimeout(stalled);
    slow = setTimeout(() => tell("Está demorando um pouco mais. Continuo aqui…"), SILENCE_MS);
    stalled = setTimeout(() => stopper.abort(), STALLED_MS);
  };
  listen();
  try {
    const options = { method: "POST", headers: { accept: "text/event-stream" }, body: fields, signal: stopper.signal };
    const answer = await fetch(address, options);
    if (SIGNED_OUT.includes(answer.status)) return "signed out";
    if (!answer.ok || !answer.headers.get("content-type")?.startsWith("text/event-stream")) return "refused";
    for await (const [name, data] of eventsOf(answer.body)) {
      listen();
      if (name === "andamento") tell(data);
      if (name === "fim") {
        show(new DOMParser().parseFromString(data, "text/html"));
        return "done";
      }
    }
  } catch (error) {
    if (!isLost(error)) throw error;
  } finally {
    clearTimeout(slow);
    clearTimeout(stalled);
  }
  return "broken";
}

// Asks for the page until the answer is there; a message that never arrived is written again into the field.
async function recover(waiting, pause) {
  const before = document.getElementById("falas").querySelectorAll(".turno:not(.a-caminho)").length;
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, pause); });
    const fresh = await current();
    if (!fresh) {
      waiting.tell("Ainda sem ligação. Tento de novo em instantes…");
    } else if (!isBusy(fresh)) {
      const arrived = fresh.querySelectorAll("#falas > .turno").length > before;
      show(fresh);
      if (!arrived && waiting.text) document.getElementById("mensagem").value = waiting.text;
      return;
    }
  }
}

// The page as it is now; null without a connection.
async function current() {
  try {
    const answer = await fetch(window.location.pathname, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok && page.getElementById("falas")) return page;
    window.location.reload();
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  return null;
}

// What was written stays; once signed in again, in another tab, it can be sent.
async function askToSignIn(form, submitter) {
  const fresh = await fetch(window.location.pathname, { headers: { accept: "text/html" } });
  const token = fresh.ok ? new DOMParser().parseFromString(await fresh.text(), "text/html").querySelector("[data-turno] [name=csrf]") : null;
  if (token && token.value !== form.elements.csrf.value) {
    for (const field of document.querySelectorAll("[name=csrf]")) field.value = token.value;
    form.requestSubmit(submitter);
    return;
  }
  const notice = Object.assign(document.createElement("p"), { className: "aviso atencao" });
  notice.setAttribute("role", "alert");
  const link = Object.assign(document.createElement("a"), { href: "/entrar", target: "_blank", textContent: "Entre de novo em outra aba" });
  notice.append("Sua sessão terminou. ", link, " e envie outra vez: o que você escreveu continua aqui.");
  document.querySelector("#agora > .aviso")?.remove();
  document.getElementById("agora").prepend(notice);
}

function showWaiting(text) {
  const turn = Object.assign(document.createElement("li"), { className: "turno a-caminho" });
  if (text) {
    const said = Object.assign(document.createElement("p"), { className: "fala pessoa", dir: "auto" });
    said.append(Object.assign(document.createElement("span"), { className: "de", textContent: "Você" }), text);
    turn.append(said);
  }
  const dots = Object.assign(document.createElement("span"), { className: "escrevendo", ariaHidden: "true" });
  dots.append(...["i", "i", "i"].map((name) => document.createElement(name)));
  const words = Object.assign(document.createElement("span"), { textContent: "Um momento…" });
  const progress = Object.assign(document.createElement("p"), { className: "andamento" });
  progress.append(dots, words);
  turn.append(progress);
  document.getElementById("falas").append(turn);
  toTheEnd();
  return { text, tell: (told) => { words.textContent = told; }, gone: () => turn.remove() };
}

function show(fresh) {
  put(fresh);
  // On a phone the keyboard would cover what there is to choose from.
  if (!phone.matches) document.getElementById("mensagem").focus({ preventScroll: true });
  toTheEnd();
  listen();
}

function put(fresh) {
  const log = document.getElementById("falas");
  log.querySelector(".a-caminho")?.remove();
  // Only what is new is put into the log, so that only that is read aloud.
  log.append(...[...fresh.getElementById("falas").children].slice(log.children.length));
  // What was missing from an earlier answer is asked for again only after the last one.
  for (const form of [...log.querySelectorAll(".falta form")]) if (form.closest(".turno") !== log.lastElementChild) form.remove();
  // What was understood is taken out of the last answer alone.
  for (const button of [...log.querySelectorAll(".entendi button")]) if (button.closest(".turno") !== log.lastElementChild) button.remove();
  // Only what was done last can be undone.
  const done = [...log.querySelectorAll(".confirmacao")].at(-1)?.closest(".turno");
  for (const undo of [...log.querySelectorAll(".desfaz")]) if (undo.closest(".turno") !== done) undo.remove();
  const wasOpen = document.querySelector("#lado .rastro")?.open;
  for (const id of ["agora", "lado"]) document.getElementById(id).replaceWith(fresh.getElementById(id));
  const trace = document.querySelector("#lado .rastro");
  if (trace) trace.open = wasOpen;
}

function hold(isHeld) {
  for (const id of ["agora", "lado"]) document.getElementById(id).inert = isHeld;
}

function hidden(submitter) {
  return Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value });
}

function isBusy(page) {
  return page.getElementById("agora").hasAttribute("data-ocupada");
}

function toTheEnd() {
  const last = document.getElementById("falas").lastElementChild;
  if (last?.previousElementSibling) last.scrollIntoView({ block: "start", behavior: "instant" });
}

start();
