// A form that asks for it is sent once, and says that it is on its way; a file may be dropped where one is asked for.

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-uma-vez]") || event.defaultPrevented) return;
  if (form.dataset.enviado) {
    event.preventDefault();
    return;
  }
  form.dataset.enviado = "sim";
  form.setAttribute("aria-busy", "true");
  event.submitter?.setAttribute("data-apertado", "");
});

// Whoever comes back to a page that the browser kept may send again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-enviado]")) release(form);
});
document.addEventListener("crivo:solto", (event) => release(event.target));

function release(form) {
  delete form.dataset.enviado;
  form.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("[data-apertado]")) button.removeAttribute("data-apertado");
}

for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    const place = event.target.closest?.("[data-soltar]");
    if (!place) return;
    event.preventDefault();
    place.classList.toggle("por-cima", name === "dragover");
    if (name === "drop" && event.dataTransfer.files.length) {
      const input = place.querySelector("input[type=file]");
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
}

document.addEventListener("change", (event) => {
  const place = event.target.closest("[data-soltar]");
  const file = event.target.files?.[0];
  if (place && file) place.querySelector(".soltar-nome").textContent = `${file.name} (${size(file.size)})`;
});

function size(bytes) {
  const [value, unit] = bytes < 1e6 ? [Math.max(1, Math.round(bytes / 1e3)), "kB"] : [bytes / 1e6, "MB"];
  return `${value.toLocaleString("pt-BR", { maximumFractionDigits: 1 })} ${unit}`;
}
