import { useEffect, useRef, useState } from "react";
import type { Picture } from "../../shared/blogs.ts";
import { refusal } from "./files.ts";
import type { PictureUse } from "./files.ts";
import { Sending } from "./sending.ts";
import type { UnderWay } from "./sending.ts";

/** The one picture of a field, from its choice until it has arrived. */
export interface FieldUpload {
  underWay: UnderWay | null;
  /** Why the last choice was refused, here or by the server. */
  refused: string | null;
  /** Says of a picture that it can't be had, as of one that was refused. */
  refuse(message: string): void;
  choose(file: Blob): void;
  retry(): void;
  /** Ends what is on its way. */
  cancel(): void;
  /** Waits until nothing is on its way any more; tries once more what got lost. Throws an `UploadError`. */
  settle(): Promise<void>;
  /** Whether something was chosen that is not stored, and that `settle` has not told of. */
  isUnderWay(): boolean;
}

/** Sends what is chosen for a field at once. `onFile` hears which file is on its way, so that it can be kept, or null. */
export function useUpload(
  use: PictureUse,
  onArrived: (picture: Picture) => void,
  onFile: (file: Blob | null) => void,
): FieldUpload {
  const [underWay, setUnderWay] = useState<UnderWay | null>(null);
  const [refused, refuse] = useState<string | null>(null);
  const running = useRef<Sending | null>(null);

  const drop = (): void => {
    running.current?.end();
    running.current = null;
  };
  useEffect(() => drop, []);

  const send = (file: Blob): void => {
    drop();
    const sending = new Sending(file, use, {
      changed: (shown) => {
        // What the server refused it would refuse again: its reason is left.
        const isRefused = shown.failed !== null && !shown.again;
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
      const problem = refusal(file, use);
      refuse(problem);
      if (problem) return;
      onFile(file);
      send(file);
    },
    retry: () => running.current?.again(),
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
        if (sending.shown.again) sending.again();
        const { arrival } = sending;
        try {
          await arrival;
        } catch (error) {
          // Otherwise it was given up, for another or for none, or is tried again.
          if (running.current !== sending || sending.arrival !== arrival) continue;
          // What was refused is said once more, to who saves; the next save goes without it.
          if (!sending.shown.again) drop();
          throw error;
        }
      }
    },
    isUnderWay: () => running.current !== null,
  };
}
