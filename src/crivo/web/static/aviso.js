// Short notices: the one that the server put on the page goes away after a while, and other modules may show more.

const SHOWN_MS = 8000;
const region = document.getElementById("avisos-rapidos");

function fade(notice) {
  let timer = setTimeout(() => notice.remove(), SHOWN_MS);
  // Whoever reads or holds it decides how long it stays.
  for (const held of ["pointerenter", "focusin"]) notice.addEventListener(held, () => clearTimeout(timer));
  for (const left of ["pointerleave", "focusout"]) {
    notice.addEventListener(left, () => {
      clearTimeout(timer);
      timer = setTimeout(() => notice.remove(), SHOWN_MS);
    });
  }
}

document.addEventListener("crivo:aviso", (event) => {
  const notice = document.getElementById("aviso-rapido").content.firstElementChild.cloneNode(true);
  notice.querySelector("p").textContent = event.detail;
  region.append(notice);
  fade(notice);
});

region.addEventListener("click", (event) => event.target.closest(".fechar")?.closest(".aviso-rapido").remove());
for (const notice of region.children) fade(notice);

// Read once: a reload does not tell it again.
const address = new URL(window.location.href);
if (address.searchParams.has("ok")) {
  address.searchParams.delete("ok");
  window.history.replaceState(window.history.state, "", address);
}
