// The mesa by the keyboard: each key presses a link or a button that is on the page, and none does anything else.
// Keys of one letter can be switched off (WCAG 2.1.4), and never act while something is written.

const SWITCH = "crivo_teclas_da_mesa=desligadas";
const KEPT_SECONDS = 31536000;
const SECURE = location.protocol === "https:" ? "; secure" : "";

const find = (selector) => document.querySelector(selector);
const form = find("#decisao");
const dialog = find("#teclas");
const ticked = find("#teclas-ligadas");

const areOn = () => !document.cookie.split("; ").includes(SWITCH);

ticked.checked = areOn();
ticked.addEventListener("change", () => {
  document.cookie = `${SWITCH}; path=/; samesite=lax; max-age=${ticked.checked ? 0 : KEPT_SECONDS}${SECURE}`;
});

function follow(selector) {
  const link = find(selector);
  if (link) link.click();
  return Boolean(link);
}

function search() {
  const field = find("#procura");
  field.focus();
  field.select();
  return true;
}

function nextFailure() {
  const failing = [...document.querySelectorAll("[data-falha]")];
  if (!failing.length) return false;
  const here = failing.findIndex((one) => one.hasAttribute("aria-current"));
  failing[(here + 1) % failing.length].click();
  return true;
}

// A nota that was given is no longer missing, even before it is kept.
function nextMissing() {
  const missing = [...document.querySelectorAll("input[data-nota]")].find((one) => !one.value.trim());
  return Boolean(missing) && focusOn(`#${CSS.escape(missing.id)}`);
}

function mark() {
  const box = find('.fila-tab tr[aria-current] input[type="checkbox"]');
  if (box) box.click();
  return Boolean(box);
}

function hidden() {
  const toggle = find("#mostrar-escondido");
  if (toggle) toggle.click();
  return Boolean(toggle);
}

function focusOn(selector) {
  const found = find(selector);
  if (!found) return false;
  found.focus({ preventScroll: true });
  found.scrollIntoView({ block: "center" }); // what is decided stands over the end of the column
  return true;
}

function choose(at) {
  const option = form?.querySelectorAll('input[name="decisao"]')[at];
  if (!option) return false;
  if (!option.checked) option.click();
  option.focus();
  return true;
}

function keys() {
  if (dialog.open) dialog.close();
  else dialog.showModal();
  return true;
}

const LETTERS = {
  j: () => follow("#seguinte"),
  k: () => follow("#anterior"),
  "/": search,
  m: mark,
  n: () => nextFailure() || nextMissing(),
  e: hidden,
  c: () => focusOn('.casos-da-mesa .caso:not(.tratado) textarea[name="texto"]'),
  x: () => focusOn('.casos-da-mesa .caso:not(.tratado) button[value="descartar"]'),
  1: () => choose(0),
  2: () => choose(1),
  3: () => choose(2),
  z: () => follow("[data-desfazer]"),
  "?": keys,
};

const writes = (target) => target.closest?.('textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])');

document.addEventListener("keydown", (event) => {
  const principal = find("[data-ctrl-enter]");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && principal && !dialog.open) {
    // Whoever writes the reason of a case, or looks for a project, has not decided this one.
    if (writes(event.target) && event.target.form !== principal.form) return;
    event.preventDefault();
    if (!event.repeat) principal.form.requestSubmit(principal); // held down, it would send what nobody looked over
    return;
  }
  if (event.key === "Escape") {
    if (writes(event.target)) event.target.blur();
    for (const open of document.querySelectorAll("details.escolhe[open]")) open.open = false;
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || writes(event.target)) return;
  if (document.querySelector("dialog[open]") && event.key !== "?") return;
  const act = LETTERS[event.key];
  if (act && areOn() && act()) event.preventDefault();
});

// A reason that nobody changed is exchanged for that of the decision chosen; what somebody wrote stays.
if (form) {
  const field = form.querySelector("#motivo");
  const made = new Set([...form.querySelectorAll("[data-motivo]")].map((one) => one.dataset.motivo.trim()));
  form.addEventListener("change", (event) => {
    const reason = event.target.dataset.motivo;
    if (reason !== undefined && (made.has(field.value.trim()) || !field.value.trim())) field.value = reason;
  });
}

// How many are marked is told where they are acted upon.
const lote = find("#lote");
if (lote) {
  const boxes = [...document.querySelectorAll('.fila-tab input[name="codigo"]')];
  const all = find("#marcar-todos");
  const [marked] = lote.elements.alvo.options;
  // Whoever marks as they read finds their marks in the next project, and after a preview that they went back from.
  const MARKED = `marcados:${new URL(lote.action).pathname}`;
  const kept = new Set(JSON.parse(sessionStorage.getItem(MARKED) ?? "[]"));
  const keep = () => {
    for (const one of boxes) kept[one.checked ? "add" : "delete"](one.value);
    sessionStorage.setItem(MARKED, JSON.stringify([...kept]));
  };
  for (const one of boxes) one.checked ||= kept.has(one.value);
  const count = () => {
    const many = boxes.filter((one) => one.checked).length;
    marked.textContent = many ? `${many.toLocaleString("pt-BR")} ${many === 1 ? "marcado" : "marcados"}` : "marcados";
    lote.classList.toggle("com-marcados", many > 0);
    all.checked = many > 0 && many === boxes.length;
    all.indeterminate = many > 0 && many < boxes.length;
  };
  all.addEventListener("change", () => {
    for (const one of boxes) one.checked = all.checked;
    count();
    keep();
  });
  document.addEventListener("change", (event) => {
    if (event.target.name !== "codigo") return;
    count();
    keep();
  });
  count();
}

// What is unfolded at the end of the column would unfold behind the decision.
document.addEventListener(
  "toggle",
  (event) => event.target.open && event.target.matches(".analise details") && event.target.scrollIntoView({ block: "center" }),
  true,
);

// The open project stays in sight in its queue.
find(".fila-tab tr[aria-current]")?.scrollIntoView({ block: "nearest" });

// A box leads to what it speaks of, which on a telephone is in another part.
document.addEventListener("click", (event) => {
  const { hash } = event.target.closest?.('a[href^="#"]') ?? {};
  const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
  if (!target || target.getClientRects().length || !target.closest(".analise")) return;
  event.preventDefault();
  location.assign(find(".vistas a:last-child").href + hash);
});

for (const details of document.querySelectorAll("details.escolhe")) {
  details.addEventListener("toggle", () => {
    if (details.open) for (const other of document.querySelectorAll("details.escolhe[open]")) if (other !== details) other.open = false;
  });
}
