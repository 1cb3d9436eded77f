import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Picture } from "../../shared/blogs.ts";
import type { PictureUse } from "./files.ts";

/**
 * Why a picture is not on the server: `refused` by it or by us (another try is pointless, `message` says why), `lost` on
 * the way (try again), `signed-out`, or `cancelled` by the writer.
 */
export type UploadFailure = "refused" | "lost" | "signed-out" | "cancelled";

export class UploadError extends Error {
  readonly reason: UploadFailure;

  constructor(reason: UploadFailure, message: string) {
    super(message);
    this.name = "UploadError";
    this.reason = reason;
  }
}

/** An upload under way. `done` rejects with an `UploadError` and nothing else. */
export interface Upload {
  done: Promise<Picture>;
  cancel(): void;
}

/**
 * Sends one picture to the media store. `onProgress` hears whole per cents, 100 when all is sent but not yet answered. As
 * a cover the server takes it only if it is really a png or jpeg.
 */
export function upload(
  file: Blob,
  name: string,
  use: PictureUse,
  onProgress: (percent: number) => void,
): Upload {
  // fetch() cannot tell how much it has sent.
  const request = new XMLHttpRequest();
  const done = new Promise<Picture>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    const lost = () => reject(new UploadError("lost", messages.connection));
    // By what goes out and not in all: a large picture over a slow line takes as long as it takes.
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        lost();
        request.abort();
      }, ms);
    };
    wait(limits.upload.stalled);
    request.addEventListener("loadend", () => clearTimeout(timer));
    request.upload.addEventListener("load", () => wait(limits.upload.worked));
    request.upload.addEventListener("progress", (event) => {
      if (event.loaded < event.total) wait(limits.upload.stalled);
      if (event.lengthComputable) onProgress(Math.floor((event.loaded / event.total) * 100));
    });
    request.addEventListener("load", () => {
      const answer = readAnswer(request.status, request.responseText);
      if (answer instanceof UploadError) reject(answer);
      else resolve(answer);
    });
    request.addEventListener("error", lost);
    request.addEventListener("timeout", lost);
    request.addEventListener("abort", () => reject(new UploadError("cancelled", "Cancelled.")));
  });
  const form = new FormData();
  form.append("file", file, name);
  request.open("POST", "/upload");
  request.setRequestHeader("x-picture-use", use === "cover" ? "cover" : "text");
  request.send(form);
  return { done, cancel: () => request.abort() };
}

/** The picture in the server's answer, or what its refusal means to the writer. */
export function readAnswer(status: number, body: string): Picture | UploadError {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    // Not our server speaking (a proxy, a page of a captive network), or cut off: as good as no answer.
    return new UploadError("lost", messages.connection);
  }
  if (status === 200 || status === 201) {
    return isPicture(answer) ? answer : new UploadError("lost", messages.connection);
  }
  const message = (answer as { message?: unknown } | null)?.message;
  const text = typeof message === "string" && message !== "" ? message : messages.wrong;
  if (status === 401) return new UploadError("signed-out", text);
  // Too many, or something broke over there: the same picture may well pass a little later.
  return new UploadError(status === 429 || status >= 500 ? "lost" : "refused", text);
}

function isPicture(answer: unknown): answer is Picture {
  const picture = answer as Partial<Picture> | null;
  return (
    typeof picture?.id === "string" && typeof picture.src === "string" && typeof picture.width === "number"
  );
}
