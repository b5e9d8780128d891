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

// A connection that broke is a TypeError, one that was given up an AbortError.
export function isLost(error) {
  return error instanceof TypeError || error.name === "AbortError";
}
