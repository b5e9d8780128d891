// A step of a mapping without leaving the page: the server makes it as ever, and what it made is put in the place of the form.

const WHOLE = /^publicar$/; // goes on to another page
let pressed = "";

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const button = event.submitter;
  if (!form.matches("form[data-montar]") || !button || WHOLE.test(button.value)) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") {
    pressed = button.value; // while a step is on its way: it is done after that one
    return;
  }
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form, button) });
    const made = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("form[data-montar]");
    if (!made) throw new Error(String(answer.status));
    put(form, made, button.value);
  } catch {
    // Whatever went wrong, the browser does it the plain way, and shows what the server says.
    form.removeAttribute("data-montar");
    form.removeAttribute("aria-busy");
    form.requestSubmit(button);
  }
});

function put(form, made, done) {
  const tops = [...form.querySelectorAll(".rolagem")].map((one) => one.scrollTop);
  form.replaceWith(made);
  [...made.querySelectorAll(".rolagem")].forEach((one, at) => (one.scrollTop = tops[at] ?? 0));
  const refused = made.querySelector("[data-recusa]");
  const same = [...made.querySelectorAll("button[name=acao]")].find((one) => one.value === done && !one.disabled);
  const waiting = [...made.querySelectorAll("button[name=acao]")].find((one) => one.value === pressed && !one.disabled);
  pressed = "";
  if (waiting && !refused) return made.requestSubmit(waiting);
  (refused ?? same ?? made.querySelector('[aria-pressed="true"]'))?.focus({ preventScroll: !refused });
}
