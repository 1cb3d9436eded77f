import { useEffect, useRef, useState } from "react";
import type { Picture } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { UploadError, notUploaded, refusal, upload } from "../api/upload.ts";
import type { Upload } from "../api/upload.ts";

/** What the media store takes (server/media/store.ts). */
export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const noteKey = "reprise-picture-under-way";

/** Notes on this device whose picture is on its way, so that a page that comes after a closed one can tell that it did not arrive. */
function note(begun: { viewerId: string; name: string } | null): void {
  try {
    if (begun) localStorage.setItem(noteKey, JSON.stringify(begun));
    else localStorage.removeItem(noteKey);
  } catch {
    // Storage may be full or forbidden: then nothing is told.
  }
}

/** The name of a picture of this account that was noted and has not arrived; asked once. */
function takeNote(viewerId: string): string | null {
  try {
    const noted = JSON.parse(localStorage.getItem(noteKey) ?? "null") as {
      viewerId: string;
      name: string;
    } | null;
    if (noted?.viewerId !== viewerId) return null;
    note(null);
    return noted.name;
  } catch {
    return null;
  }
}

/** A picture on its way to the server, or one that did not arrive. */
export interface Sending {
  preview: string;
  percent: number;
  failed: string | null;
  /** Whether another try may help. */
  again: boolean;
}

/** What is to become of the account's picture: `undefined` it stays, `null` it goes. */
export type Chosen = Picture | null | undefined;

export interface PictureUpload {
  chosen: Chosen;
  sending: Sending | null;
  /** Why a file was refused before it was sent. */
  refused: string | null;
  choose(file: File): void;
  retry(): void;
  cancel(): void;
  remove(): void;
  /** What was chosen, once it has arrived. Throws an `UploadError`. */
  settle(): Promise<Chosen>;
}

/** The picture of the profile form: sent as soon as it is chosen, so that it is there when the form is. */
export function usePictureUpload(viewerId: string): PictureUpload {
  const [chosen, setChosen] = useState<Chosen>(undefined);
  const [sending, setSending] = useState<Sending | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const running = useRef<{ upload: Upload; file: File; preview: string; arrived: Promise<Picture> } | null>(
    null,
  );

  const drop = (): void => {
    running.current?.upload.cancel();
    if (running.current) URL.revokeObjectURL(running.current.preview);
    if (running.current) note(null);
    running.current = null;
  };
  useEffect(() => {
    const lost = takeNote(viewerId);
    if (lost !== null) setRefused(notUploaded(lost));
    return drop;
  }, [viewerId]);

  const send = (file: File): void => {
    drop();
    const preview = URL.createObjectURL(file);
    const isCurrent = (): boolean => running.current?.preview === preview;
    const show = (change: Partial<Sending>): void => {
      if (isCurrent()) setSending({ preview, percent: 0, failed: null, again: false, ...change });
    };
    const started = upload(file, file.name, "text", (percent) => show({ percent }));
    running.current = { upload: started, file, preview, arrived: started.done };
    note({ viewerId, name: file.name });
    show({});
    started.done.then(
      (picture) => {
        if (!isCurrent()) return;
        setChosen(picture);
        setSending(null);
        drop();
      },
      (error: unknown) => {
        const { message, reason } =
          error instanceof UploadError ? error : new UploadError("lost", messages.wrong);
        show({ failed: message, again: reason === "lost" });
      },
    );
  };
  const stop = (): void => {
    drop();
    setSending(null);
    setRefused(null);
  };
  return {
    chosen,
    sending,
    refused,
    choose(file) {
      const problem = refusal(file, pictureTypes, "a PNG, JPEG, GIF or WebP picture");
      setRefused(problem);
      if (!problem) send(file);
    },
    retry() {
      if (running.current) send(running.current.file);
    },
    cancel: stop,
    remove() {
      stop();
      setChosen(null);
    },
    async settle() {
      return running.current ? running.current.arrived : chosen;
    },
  };
}
