// Shows how a screening comes along, and keeps a button from being pressed twice. Without it a link shows the page again.

const panel = document.getElementById("andamento");
if (panel) follow(panel.dataset.eventos);

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-uma-vez]")) return;
  if (form.dataset.enviado) {
    event.preventDefault();
    return;
  }
  form.dataset.enviado = "sim";
  form.setAttribute("aria-busy", "true");
});

// Whoever comes back to a page that the browser kept may send again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-enviado]")) {
    delete form.dataset.enviado;
    form.removeAttribute("aria-busy");
  }
});

function follow(address) {
  const source = new EventSource(address);
  source.addEventListener("andamento", (event) => show(JSON.parse(event.data)));
  source.addEventListener("fim", () => {
    source.close();
    window.location.reload();
  });
  window.addEventListener("pagehide", () => source.close());
}

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const status = panel.querySelector("[role=status]");
  const now = fresh.querySelector("[role=status]").textContent;
  // Only a new phase is read aloud, not every number.
  if (status.textContent !== now) status.textContent = now;
  for (const part of [".barra .quanto", ".fases"]) panel.querySelector(part).replaceWith(fresh.querySelector(part));
  panel.querySelector("progress").value = fresh.querySelector("progress").value;
}
