import { useEffect, useRef, useState } from "react";
import type { Picture } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { coverRefusal } from "../../editor/pictures/files.ts";
import { UploadError, upload } from "../../api/upload.ts";
import type { Upload } from "../../api/upload.ts";

/** A chosen cover on its way to the server. */
export interface CoverUpload {
  file: Blob;
  /** An address of the file for the preview. */
  preview: string;
  percent: number;
  /** Why it did not arrive; null while it is being sent. */
  failed: string | null;
}

export interface Cover {
  /** The stored picture, or null. */
  picture: Picture | null;
  /** Takes the place of the stored one until it has arrived. */
  upload: CoverUpload | null;
  /** Why the last choice was refused, here or by the server. */
  refused: string | null;
  choose(file: Blob): void;
  retry(): void;
  /** Ends what is on its way; the stored picture stays. */
  cancel(): void;
  /** Takes the stored picture away. */
  remove(): void;
  /** The stored picture once nothing is on its way any more; tries once more what got lost. Throws an `UploadError`. */
  settle(): Promise<Picture | null>;
  /** Whether something was chosen that is not stored, and that `settle` has not told of. */
  isUnderWay(): boolean;
}

/** The cover's state: the picture is the form's, what is on its way is kept here. `latest` gives it as it is at the time of the call. */
export function useCover(
  picture: Picture | null,
  latest: () => Picture | null,
  setPicture: (picture: Picture | null) => void,
  onFile: (file: Blob | null) => void,
): Cover {
  const [current, setCurrent] = useState<CoverUpload | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const running = useRef<{ upload: Upload; file: Blob; preview: string; arrived: Promise<Picture> } | null>(
    null,
  );
  const failedFile = useRef<Blob | null>(null);

  const drop = () => {
    running.current?.upload.cancel();
    if (running.current) URL.revokeObjectURL(running.current.preview);
    running.current = null;
    failedFile.current = null;
  };
  useEffect(() => drop, []);

  const send = (file: Blob): Promise<Picture> => {
    drop();
    const preview = URL.createObjectURL(file);
    const show = (change: Partial<CoverUpload>) => {
      if (running.current?.preview === preview)
        setCurrent({ file, preview, percent: 0, failed: null, ...change });
    };
    const name = file instanceof File ? file.name : "cover";
    const started = upload(file, name, "cover", (percent) => show({ percent }));
    const arrived = started.done.then(
      (stored) => {
        if (running.current?.preview === preview) {
          setPicture(stored);
          onFile(null);
          setCurrent(null);
          drop();
        }
        return stored;
      },
      (error: unknown) => {
        const reason = error instanceof UploadError ? error : new UploadError("lost", messages.wrong);
        if (running.current?.preview === preview) {
          if (reason.reason === "refused") {
            setRefused(reason.message);
            setCurrent(null);
            onFile(null);
          } else {
            failedFile.current = file;
            show({ failed: reason.message });
          }
        }
        throw reason;
      },
    );
    // Who waits for it hears of a failure; if nobody does, the field shows it.
    arrived.catch(() => {});
    running.current = { upload: started, file, preview, arrived };
    show({});
    return arrived;
  };

  const end = (left: Picture | null) => {
    drop();
    setCurrent(null);
    setRefused(null);
    onFile(null);
    setPicture(left);
  };

  return {
    picture,
    upload: current,
    refused,
    choose(file) {
      const problem = coverRefusal(file);
      setRefused(problem);
      if (problem) return;
      onFile(file);
      void send(file).catch(() => {});
    },
    retry() {
      if (failedFile.current) void send(failedFile.current).catch(() => {});
    },
    cancel: () => end(latest()),
    remove: () => end(null),
    async settle() {
      for (;;) {
        const arrived = failedFile.current ? send(failedFile.current) : running.current?.arrived;
        if (!arrived) return latest();
        try {
          await arrived;
        } catch (error) {
          // Otherwise it was given up, for another or for none.
          if (running.current?.arrived !== arrived) continue;
          // What was refused is said once more, to who saves; the next save goes without it.
          if (!failedFile.current) drop();
          throw error;
        }
      }
    },
    isUnderWay: () => running.current !== null,
  };
}
