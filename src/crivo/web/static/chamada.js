// The form of an edital: what is looked at next takes the focus, and leaving with something unsaved is asked about.

const form = document.querySelector("form[data-chamada]");
const errors = document.getElementById("erros");
const place = window.location.hash ? document.getElementById(decodeURIComponent(window.location.hash.slice(1))) : null;

if (errors) errors.focus();
else if (place?.matches("[tabindex]")) place.focus();
else if (place?.matches(".linha-da-chamada")) (place.querySelector("details[open] :is(input:not([type=hidden]), select, textarea)") ?? place.querySelector("summary, button"))?.focus();

// A field that an error leads to may stand in a row that is closed.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('#erros a[href^="#"]');
  const field = link && document.getElementById(link.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  for (let around = field.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  field.focus();
});

let unsaved = form?.dataset.chamada === "por-gravar";
form?.addEventListener("input", () => {
  unsaved = true;
});
form?.addEventListener("submit", () => {
  unsaved = false;
});
window.addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});
