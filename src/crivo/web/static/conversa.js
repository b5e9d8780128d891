// Sends a message without leaving the page, and shows the turn as it happens. Without it the forms do the same by themselves.

const phone = window.matchMedia("(max-width: 40rem)");

function start() {
  if (phone.matches) document.querySelector("#lado .rastro")?.removeAttribute("open");
  document.addEventListener("submit", onSubmit);
  document.addEventListener("keydown", onKey);
  toTheEnd();
}

function onKey(event) {
  if (event.target.id === "mensagem" && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
}

async function onSubmit(event) {
  const form = event.target;
  if (!form.matches("form[data-turno]")) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  const progress = showWaiting(fields.get("texto"));
  const now = document.getElementById("agora");
  now.inert = true;
  const done = await follow(form.action, fields, (told) => { progress.textContent = told; });
  if (done === "refused") {
    // The page itself says why, with the text still there.
    if (event.submitter?.name) form.append(hidden(event.submitter));
    form.submit();
  } else if (done === "broken") {
    // The turn goes on to its end on the server: the page shows how it ended.
    window.location.reload();
  }
}

async function follow(address, fields, tell) {
  try {
    const answer = await fetch(address, { method: "POST", headers: { accept: "text/event-stream" }, body: fields });
    if (!answer.ok || !answer.headers.get("content-type")?.startsWith("text/event-stream")) return "refused";
    for await (const [name, data] of eventsOf(answer.body)) {
      if (name === "andamento") tell(data);
      if (name === "fim") {
        show(data);
        return "done";
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // a connection that broke is a TypeError
  }
  return "broken";
}

async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (waiting + value).split("\n\n");
    waiting = blocks.pop();
    for (const block of blocks) {
      const [name, data] = block.split("\n");
      yield [name.slice("event: ".length), JSON.parse(data.slice("data: ".length))];
    }
  }
}

function showWaiting(text) {
  const turn = document.createElement("li");
  turn.className = "turno a-caminho";
  const said = Object.assign(document.createElement("p"), { className: "fala pessoa" });
  said.append(Object.assign(document.createElement("span"), { className: "de", textContent: "Você" }), text);
  const progress = Object.assign(document.createElement("p"), { className: "andamento", textContent: "Um momento…" });
  turn.append(said, progress);
  document.getElementById("falas").append(turn);
  toTheEnd();
  return progress;
}

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const log = document.getElementById("falas");
  log.querySelector(".a-caminho")?.remove();
  // Only what is new is put into the log, so that only that is read aloud.
  log.append(...[...fresh.getElementById("falas").children].slice(log.children.length));
  const wasOpen = document.querySelector("#lado .rastro").open;
  for (const id of ["agora", "lado"]) document.getElementById(id).replaceWith(fresh.getElementById(id));
  document.querySelector("#lado .rastro").open = wasOpen;
  // On a phone the keyboard would cover what there is to choose from.
  if (!phone.matches) document.getElementById("mensagem").focus({ preventScroll: true });
  toTheEnd();
}

function hidden(submitter) {
  return Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value });
}

function toTheEnd() {
  const last = document.getElementById("falas").lastElementChild;
  if (last?.previousElementSibling) last.scrollIntoView({ block: "start", behavior: "instant" });
}

start();
