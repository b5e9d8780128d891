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

// What the page itself gave a field, before anybody wrote in it.
function givenTo(field) {
  if (field.type === "radio") return [...field.form.elements].find((one) => one.name === field.name && one.defaultChecked)?.value ?? "";
  if (field.matches("select")) return ([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.value ?? "";
  return field.defaultValue;
}

// By what stands in its `data-visto` field a form says what a value was written over.
const seenBy = (field) => field.form.elements[field.dataset.visto];

// What somebody wrote is kept, and not what the page gave: that may be another when it is opened again, and is not to be put back over it.
// What came back refused was written too, and is still in the draft. A choice goes with what was written for it.
function save(form, sent) {
  const before = new Map((JSON.parse(sessionStorage.getItem(keyOf(form)))?.values ?? []).map(([name, value]) => [name, value]));
  const isWritten = (field) => field.value !== givenTo(field) || before.get(field.name) === field.value;
  const fields = fieldsOf(form).filter((field) => field.type !== "radio" || field.checked);
  const values = fields
    .filter((field) => field.type === "radio" || isWritten(field))
    .map((field) => [field.name, field.value, seenBy(field)?.value]);
  if (fields.some(isWritten)) sessionStorage.setItem(keyOf(form), JSON.stringify({ sent, values }));
  else sessionStorage.removeItem(keyOf(form));
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
  const values = new Map(draft.values.map(([name, value, seen]) => [name, { value, seen }]));
  let restored = false;
  for (const field of fieldsOf(form)) {
    if (!values.has(field.name)) continue;
    const { value, seen } = values.get(field.name);
    // A reason without the choice that it was written for would be read as one for another.
    if (field.type === "radio") field.checked = value === field.value;
    if (field.type === "radio" || value === field.value) continue;
    field.value = value;
    if (seen !== undefined && seenBy(field)) seenBy(field).value = seen;
    restored = true;
  }
  if (restored && !draft.told) document.dispatchEvent(new CustomEvent("crivo:aviso", { detail: "Recuperamos o que você tinha escrito." }));
  if (restored) sessionStorage.setItem(keyOf(form), JSON.stringify({ ...draft, told: true })); // once, not at every page that is turned
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
