import { useEffect, useRef, useState } from "react";
import type { Picture } from "../../shared/blogs.ts";
import { refusalReason } from "./files.ts";
import type { PictureUse } from "./files.ts";
import { PictureUpload } from "./picture-upload.ts";
import type { UploadState } from "./picture-upload.ts";

/** The upload of a field with one picture. */
export interface FieldUpload {
  underWay: UploadState | null;
  /** Why the last choice was refused, here or by the server. */
  refused: string | null;
  /** Shows this as if a picture was refused. */
  refuse(message: string): void;
  choose(file: Blob): void;
  retry(): void;
  cancel(): void;
  /** Waits until no upload is running; retries a failed one once. Throws an `UploadError`. */
  settle(): Promise<void>;
  /** Whether a choice is not stored, and `settle` has not reported it. */
  isUnderWay(): boolean;
}

/**
 * Uploads a chosen file at once. `onFile` receives it, so that it can be stored, and null once it is uploaded, refused or
 * cancelled.
 */
export function useUpload(
  use: PictureUse,
  onArrived: (picture: Picture) => void,
  onFile: (file: Blob | null) => void,
): FieldUpload {
  const [underWay, setUnderWay] = useState<UploadState | null>(null);
  const [refused, refuse] = useState<string | null>(null);
  const running = useRef<PictureUpload | null>(null);

  const drop = (): void => {
    running.current?.endUpload();
    running.current = null;
  };
  useEffect(() => drop, []);

  const send = (file: Blob): void => {
    drop();
    const sending = new PictureUpload(file, use, {
      changed: (shown) => {
        // A retry is pointless: only the reason stays.
        const isRefused = shown.failed !== null && !shown.canRetry;
        setUnderWay(isRefused ? null : shown);
        if (!isRefused) return;
        refuse(shown.failed);
        onFile(null);
      },
      arrived: (picture) => {
        drop();
        setUnderWay(null);
        onArrived(picture);
        onFile(null);
      },
    });
    running.current = sending;
    setUnderWay(sending.shown);
  };

  return {
    underWay,
    refused,
    refuse,
    choose(file) {
      const problem = refusalReason(file, use);
      refuse(problem);
      if (problem) return;
      onFile(file);
      send(file);
    },
    retry: () => running.current?.tryAgain(),
    cancel() {
      drop();
      setUnderWay(null);
      refuse(null);
      onFile(null);
    },
    async settle() {
      for (;;) {
        const sending = running.current;
        if (!sending) return;
        if (sending.shown.canRetry) sending.tryAgain();
        const { arrival } = sending;
        try {
          await arrival;
        } catch (error) {
          // Otherwise cancelled, replaced or retried.
          if (running.current !== sending || sending.arrival !== arrival) continue;
          // Reported once to the caller who saves; the next save continues without it.
          if (!sending.shown.canRetry) drop();
          throw error;
        }
      }
    },
    isUnderWay: () => running.current !== null,
  };
}
