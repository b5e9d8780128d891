// Server-sent events over `fetch`: what EventSource does, for a form that was sent.

// Each event as its name and its data, which is JSON.
export async function* eventsOf(body) {
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

// Why an address is closed to whoever had it open, as its page says it: its title and its words; null where it is open, or nobody knows.
export async function closedAt(address) {
  try {
    return await closedIn(await fetch(address, { headers: { accept: "text/html" } }));
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}

// The same of an answer that is there.
export async function closedIn(answer) {
  if (answer.status !== 401 && answer.status !== 403) return null;
  const told = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-recusa]");
  const title = told?.querySelector("h1, h2, h3")?.textContent ?? "Sua sessão terminou";
  return { title, words: told?.querySelector("p")?.textContent ?? "Abra a página de novo para entrar." };
}

// The same as a notice.
export function closedNotice({ title, words }) {
  const notice = Object.assign(document.createElement("div"), { className: "aviso erro" });
  notice.setAttribute("role", "alert");
  notice.dataset.fechado = "";
  notice.append(Object.assign(document.createElement("h2"), { textContent: title }), Object.assign(document.createElement("p"), { textContent: words }));
  notice.append(Object.assign(document.createElement("a"), { className: "botao", href: window.location.href, textContent: "Abrir a página de novo" }));
  return notice;
}

// A connection that broke is a TypeError, one that was given up an AbortError.
export function isLost(error) {
  return error instanceof TypeError || error.name === "AbortError";
}
