// Copies the text of an element, or prints the page.

document.addEventListener("click", async (event) => {
  if (event.target.closest("[data-imprimir]")) window.print();
  const button = event.target.closest("[data-copiar]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copiar).innerText;
  const told = (await copied(text)) ? "Texto copiado." : "O navegador não deixou copiar. Selecione o texto e copie.";
  document.dispatchEvent(new CustomEvent("crivo:aviso", { detail: told }));
});

// A page that came without encryption has no clipboard, and a person may refuse it.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
