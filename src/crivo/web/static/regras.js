// The rules for places: what they would give is counted again while somebody writes, and rows come and go without another page.

const WAIT = 500; // milliseconds without a key
const form = document.querySelector("form[data-previa]");
const preview = document.getElementById("previa");
const here = preview?.querySelector("[data-previa-aqui]");
const state = preview?.querySelector("[data-estado-da-previa]");

let timer = 0;
let asked = null; // the count that is under way
let took = 0; // how long the last one took: the slower they are, the longer one waits for the next

const dataOf = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string"));

async function count() {
  asked?.abort();
  const mine = (asked = new AbortController());
  preview.setAttribute("aria-busy", "true");
  const began = performance.now();
  try {
    const answer = await fetch(form.dataset.previa, { method: "POST", body: dataOf(), signal: mine.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    const made = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".previa-dentro");
    if (!made || mine.signal.aborted) return;
    took = performance.now() - began;
    const open = [...here.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
    for (const summary of made.querySelectorAll("details > summary")) if (open.includes(summary.textContent)) summary.parentElement.open = true;
    here.replaceChildren(made);
    state.textContent = made.hasAttribute("data-incompleta") ? "" : "Números atualizados.";
  } catch (error) {
    if (error.name === "AbortError") return;
    state.textContent = "Os números não foram atualizados. Aperte “Ver o que daria”.";
  } finally {
    if (asked === mine) preview.removeAttribute("aria-busy");
  }
}

function countSoon() {
  clearTimeout(timer);
  timer = setTimeout(count, Math.max(WAIT, Math.min(took * 2, 10_000)));
}

// A field offers the values that projects declare in the field beside it.
function offerValues(field) {
  const value = field.closest(".quando")?.querySelector("[data-valor]");
  const list = [...document.querySelectorAll("datalist[data-do-campo]")].find((one) => one.dataset.doCampo === field.value.trim());
  if (value) list ? value.setAttribute("list", list.id) : value.removeAttribute("list");
}

// A row more or less, or moved: the page is made by the server as ever, and only what stands in the form is put in its place.
async function act(button) {
  const place = new URL(button.formAction).hash.slice(1);
  const data = dataOf();
  data.append(button.name, button.value);
  const answer = await fetch(form.action, { method: "POST", body: data });
  if (!answer.ok) throw new Error(String(answer.status));
  const made = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["regras-campos", "previa"]) {
    const [old, fresh] = [document.getElementById(id), made.getElementById(id)];
    if (!old || !fresh) throw new Error(id);
    if (id === "previa") here.replaceChildren(...fresh.querySelector("[data-previa-aqui]").childNodes);
    else keepOpen(old, fresh), old.replaceWith(fresh);
  }
  form.dispatchEvent(new Event("input")); // there is something unsaved again
  const row = document.getElementById(place);
  row?.scrollIntoView({ block: "nearest" });
  (row?.querySelector("details[open] :is(input:not([type=hidden]), select, textarea)") ?? row?.querySelector("summary, button"))?.focus();
  if (here.querySelector("[data-por-contar]")) countSoon();
}

function keepOpen(old, fresh) {
  for (const details of old.querySelectorAll("details[open]")) {
    const row = details.closest("[id]");
    const same = row && row !== old && fresh.querySelector(`#${CSS.escape(row.id)} > details`);
    if (same) same.open = true;
  }
}

if (form && here) {
  form.addEventListener("input", (event) => {
    if (event.target === form) return;
    if (event.target.matches("[data-campo]")) offerValues(event.target);
    if (!event.target.matches("#copiar_de, #motivo")) countSoon();
  });
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button?.name !== "acao" || !/^(adicionar|retirar|repor|subir|descer|categoria):/.test(button.value)) return;
    event.preventDefault();
    act(button).catch(() => {
      const sent = document.createElement("input");
      Object.assign(sent, { type: "hidden", name: "acao", value: button.value });
      form.append(sent);
      form.action = button.formAction;
      form.submit();
    });
  });
  if (here.querySelector("[data-por-contar]")) count();
}
