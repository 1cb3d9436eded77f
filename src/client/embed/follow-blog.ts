import type { LiveMessage } from "../../shared/live.ts";

/** Milliseconds without a message, of which the server sends one at least every 25 seconds, until a connection counts as dead. */
const deadAfter = 60_000;
/** Milliseconds before the first and before later attempts to connect again. */
const pauses = { first: 1_000, longest: 60_000 };

/**
 * Follows a blog over server-sent events, from a position, and for as long as the page is open. Not by `EventSource`, which
 * would send cookies where the frame is of the same site.
 */
export async function followBlog(
  id: string,
  cursor: string,
  onMessage: (message: LiveMessage) => void,
): Promise<never> {
  let since = cursor;
  let pause = pauses.first;
  for (;;) {
    try {
      await readEvents({ topics: [`blog:${id}`], since }, (event) => {
        if (event.name !== "message" || event.id === "") return;
        since = event.id;
        pause = pauses.first;
        onMessage(JSON.parse(event.data) as LiveMessage);
      });
    } catch {
      // The network, or the server.
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.75 + Math.random() / 2)));
    pause = Math.min(2 * pause, pauses.longest);
  }
}

interface ServerEvent {
  name: string;
  id: string;
  data: string;
}

/** Reads the events of one connection until its end. */
async function readEvents(input: object, onEvent: (event: ServerEvent) => void): Promise<void> {
  const abort = new AbortController();
  const newTimer = () => setTimeout(() => abort.abort(), deadAfter);
  let timer = newTimer();
  try {
    const address = `/trpc/live.follow?input=${encodeURIComponent(JSON.stringify(input))}`;
    const { ok, body } = await fetch(address, {
      headers: { accept: "text/event-stream" },
      credentials: "omit",
      cache: "no-store",
      signal: abort.signal,
    });
    if (!ok || !body) return;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = newTimer();
      const events = (rest + value).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) onEvent(parseEvent(event));
    }
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

function parseEvent(text: string): ServerEvent {
  const event: ServerEvent = { name: "message", id: "", data: "" };
  for (const line of text.split("\n")) {
    const [, field, value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "event") event.name = value;
    else if (field === "id") event.id = value;
    else if (field === "data") event.data += value;
  }
  return event;
}
