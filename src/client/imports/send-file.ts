import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

/** A file on its way. `done` rejects with an Error whose message tells why it did not arrive. */
export interface Sent {
  done: Promise<void>;
  cancel(): void;
}

/** Thrown where whoever sends it has stopped it. */
export class Cancelled extends Error {}

/** A slow line has much of it in its hands before any more goes out; the server waits as long for a byte. */
const stalled = 60_000;

/** Sends a file to import from. `onProgress` hears whole per cents. */
export function sendFile(
  file: File,
  { kind, again, fetch }: { kind: string; again: boolean; fetch: boolean },
  onProgress: (percent: number) => void,
): Sent {
  // fetch() cannot tell how much it has sent.
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    const lost = () => reject(new Error(messages.connection));
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        lost();
        request.abort();
      }, ms);
    };
    wait(stalled);
    request.addEventListener("loadend", () => clearTimeout(timer));
    // All sent, it is looked at.
    request.upload.addEventListener("load", () => wait(2 * limits.upload.worked));
    request.upload.addEventListener("progress", (event) => {
      if (event.loaded < event.total) wait(stalled);
      if (event.lengthComputable) onProgress(Math.floor((event.loaded / event.total) * 100));
    });
    request.addEventListener("load", () => {
      if (request.status === 200) resolve();
      else reject(new Error(reasonIn(request.responseText)));
    });
    request.addEventListener("error", lost);
    request.addEventListener("abort", () => reject(new Cancelled()));
  });
  const form = new FormData();
  form.append("file", file, "file");
  const said = new URLSearchParams({
    kind,
    name: file.name,
    again: again ? "1" : "0",
    fetch: fetch ? "1" : "0",
  });
  request.open("POST", `/settings/import?${said}`);
  request.send(form);
  return { done, cancel: () => request.abort() };
}

function reasonIn(body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === "string" && message !== "" ? message : messages.wrong;
  } catch {
    return messages.connection;
  }
}
