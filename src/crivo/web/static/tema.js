// Light, dark or as the system says: kept in a cookie, so that the server's next page comes in it from the first paint.

const KEPT_SECONDS = 31536000;
// Over https under a name that browsers take from this host alone, and never from plain http.
const secure = location.protocol === "https:";
const name = secure ? "__Host-crivo_tema" : "crivo_tema";
const root = document.documentElement;
root.classList.add("com-script");

function chosen() {
  return new RegExp(`(?:^|;\\s*)${name}=(claro|escuro)(?:;|$)`).exec(document.cookie)?.[1] ?? "";
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
  document.cookie = `${name}=${value}; path=/; samesite=lax; max-age=${value ? KEPT_SECONDS : 0}${secure ? "; secure" : ""}`;
  apply();
});

// A page that the browser kept may have been left in another theme.
window.addEventListener("pageshow", apply);
apply();
