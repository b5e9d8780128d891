// Keeps what was typed in a form with `data-rascunho` until it was received: an expired session, a reload or the way back lose nothing.

const PREFIX = "rascunho:";
// What never is kept: secrets, files, what identifies a patient.
const KEPT = 'textarea, select, input:not([type=password], [type=file], [type=hidden], [type=checkbox], [data-sem-rascunho])';
const PRIVATE = /cpf|cns|senha|token/i;

const keyOf = (form) => `${PREFIX}${window.location.pathname}:${form.dataset.rascunho}`;
const forms = () => document.querySelectorAll("form[data-rascunho]");

function fieldsOf(form) {
  return [...form.elements].filter((field) => field.name && field.matches(KEPT) && !PRIVATE.test(`${field.name} ${field.autocomplete}`));
}

function save(form, sent) {
  const values = fieldsOf(form).filter((field) => field.type !== "radio" || field.checked).map((field) => [field.name, field.value]);
  sessionStorage.setItem(keyOf(form), JSON.stringify({ sent, values }));
}

function kept() {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
}

// What was sent has arrived where the next page is one of ours, of somebody signed in, that refuses nothing.
function settle() {
  const came = performance.getEntriesByType("navigation")[0]?.type === "navigate";
  const received = came && document.body.hasAttribute("data-dentro") && !document.querySelector("[data-recusa]");
  for (const key of kept()) {
    const draft = JSON.parse(sessionStorage.getItem(key));
    if (!draft.sent) continue;
    if (received) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ ...draft, sent: false }));
  }
}

function restore(form) {
  const draft = JSON.parse(sessionStorage.getItem(keyOf(form)));
  if (!draft) return;
  const values = new Map(draft.values);
  let restored = false;
  for (const field of fieldsOf(form)) {
    const value = values.get(field.name);
    if (value === undefined) continue;
    // A reason without the choice that it was written for would be read as one for another.
    if (field.type === "radio") field.checked = value === field.value;
    if (field.type === "radio" || value === field.value) continue;
    field.value = value;
    restored = true;
  }
  if (restored) document.dispatchEvent(new CustomEvent("crivo:aviso", { detail: "Recuperamos o que você tinha escrito." }));
}

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (form?.matches("[data-rascunho]")) save(form, false);
});
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-rascunho]") && !event.defaultPrevented) save(event.target, true);
});

// What was sent without leaving the page, and not received, is a draft again.
document.addEventListener("crivo:solto", (event) => {
  if (event.target.matches("[data-rascunho]")) save(event.target, false);
});

// Nobody finds the drafts of whoever sat here before.
document.addEventListener("submit", (event) => {
  if (event.target.matches('[action="/sair"]')) for (const key of kept()) sessionStorage.removeItem(key);
});

settle();
for (const form of forms()) restore(form);
