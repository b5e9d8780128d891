// Opens dialogs in browsers that do not know `command`, closes them, and closes a menu that is left.

const known = "commandForElement" in HTMLButtonElement.prototype;

document.addEventListener("click", (event) => {
  const { target } = event;
  const opener = target.closest("[data-abre]");
  if (opener && !known) document.getElementById(opener.dataset.abre).showModal();
  if (target.closest("[data-fecha]") || target.matches("dialog[open]")) target.closest("dialog").close();
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  const menu = event.target.closest?.("details.menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
