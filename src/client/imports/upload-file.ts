import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

/** A running upload. `done` rejects with an Error whose message can be shown. */
export interface RunningUpload {
  done: Promise<void>;
  cancel(): void;
}

/** Thrown after `cancel`. */
export class Cancelled extends Error {}

/**
 * Milliseconds without progress before the upload fails. Slow connections report it in large steps; the server waits as long
 * for a byte.
 */
const stallTimeoutMs = 60_000;

/** Uploads a file to import. `onProgress` gets whole per cents. */
export function uploadFile(
  file: File,
  { kind, again, fetch }: { kind: string; again: boolean; fetch: boolean },
  onProgress: (percent: number) => void,
): RunningUpload {
  // fetch() does not report upload progress.
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    const failConnection = () => reject(new Error(messages.connection));
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        failConnection();
        request.abort();
      }, ms);
    };
    wait(stallTimeoutMs);
    request.addEventListener("loadend", () => clearTimeout(timer));
    // The server now checks the file.
    request.upload.addEventListener("load", () => wait(2 * limits.upload.worked));
    request.upload.addEventListener("progress", (event) => {
      if (event.loaded < event.total) wait(stallTimeoutMs);
      if (event.lengthComputable) onProgress(Math.floor((event.loaded / event.total) * 100));
    });
    request.addEventListener("load", () => {
      if (request.status === 200) resolve();
      else reject(new Error(reasonIn(request.responseText)));
    });
    request.addEventListener("error", failConnection);
    request.addEventListener("abort", () => reject(new Cancelled()));
  });
  const form = new FormData();
  form.append("file", file, "file");
  const parameters = new URLSearchParams({
    kind,
    name: file.name,
    again: again ? "1" : "0",
    fetch: fetch ? "1" : "0",
  });
  request.open("POST", `/settings/import?${parameters}`);
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
