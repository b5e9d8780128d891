// In a row of tabs the arrows, Home and End go from one to the next; they stay links, and Enter opens them.

document.addEventListener("keydown", (event) => {
  const row = event.target.closest?.("[data-abas]");
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  const tabs = [...row.querySelectorAll("a")];
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  tabs[(to + tabs.length) % tabs.length].focus();
});

// Sideways only: a page opens at its top.
for (const row of document.querySelectorAll("[data-abas], .fichas")) {
  const open = row.querySelector("[aria-current]");
  if (open) row.scrollLeft = open.offsetLeft - row.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
}
