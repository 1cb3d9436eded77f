import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Picture } from "../../shared/blogs.ts";
import type { PictureUse } from "./files.ts";

/**
 * `refused` by the server or by us (a retry is pointless, `message` says why), `lost` on the way (retry), `signed-out`, or
 * `cancelled` by the writer.
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

/** `done` rejects only with an `UploadError`. */
export interface Upload {
  done: Promise<Picture>;
  cancel(): void;
}

/**
 * Sends a picture to the media store. `onProgress` receives whole per cents; 100 means sent but not answered. Covers must be
 * real PNG or JPEG files.
 */
export function upload(
  file: Blob,
  name: string,
  use: PictureUse,
  onProgress: (percent: number) => void,
): Upload {
  // fetch() does not report upload progress.
  const request = new XMLHttpRequest();
  const done = new Promise<Picture>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    const lost = () => reject(new UploadError("lost", messages.connection));
    // Counts from the last progress event, not in total: a large picture can take long on a slow connection.
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
      const answer = readResponse(request.status, request.responseText);
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

/** Returns the picture, or the error for the writer. */
export function readResponse(status: number, body: string): Picture | UploadError {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    // Not our server (a proxy, a captive portal), or cut off.
    return new UploadError("lost", messages.connection);
  }
  if (status === 200 || status === 201) {
    return isPicture(answer) ? answer : new UploadError("lost", messages.connection);
  }
  const message = (answer as { message?: unknown } | null)?.message;
  const text = typeof message === "string" && message !== "" ? message : messages.wrong;
  if (status === 401) return new UploadError("signed-out", text);
  // Rate limited or a server error: a retry may succeed.
  return new UploadError(status === 429 || status >= 500 ? "lost" : "refused", text);
}

function isPicture(answer: unknown): answer is Picture {
  const picture = answer as Partial<Picture> | null;
  return (
    typeof picture?.id === "string" && typeof picture.src === "string" && typeof picture.width === "number"
  );
}
