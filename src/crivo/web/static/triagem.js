// What the pages of screening do beyond what every page does: follow a run, and fetch the inside of a line when it is opened.
import "./andamento.js";

async function fill(line, link) {
  const place = link.parentElement;
  place.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(link.href, { headers: { accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const inside = answer.ok && fresh.getElementById(line.id)?.querySelector(".dentro");
    // Whoever is no longer signed in is asked to enter again where the link leads.
    if (inside) place.replaceWith(inside);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no connection is a TypeError: the link stays for another try
  } finally {
    place.removeAttribute("aria-busy");
  }
}

// The event of a `details` does not bubble.
document.addEventListener(
  "toggle",
  (event) => {
    const link = event.target.open && event.target.querySelector?.("[data-dentro-da-linha]");
    if (link) fill(event.target, link);
  },
  true,
);
