// Light, dark or as the system says: kept in a cookie, so that the server's next page comes in it from the first paint.

const KEPT_SECONDS = 31536000;
const root = document.documentElement;
root.classList.add("com-script");

function chosen() {
  return /(?:^|;\s*)crivo_tema=(claro|escuro)(?:;|$)/.exec(document.cookie)?.[1] ?? "";
}

function apply() {
  const tema = chosen();
  if (tema) root.dataset.tema = tema;
  else delete root.dataset.tema;
  for (const option of document.querySelectorAll("input[name=tema]")) option.checked = option.value === tema;
}

document.addEventListener("change", (event) => {
  if (event.target.name !== "tema") return;
  const { value } = event.target;
  document.cookie = `crivo_tema=${value}; path=/; samesite=lax; max-age=${value ? KEPT_SECONDS : 0}`;
  apply();
});

// A page that the browser kept may have been left in another theme.
window.addEventListener("pageshow", apply);
apply();
