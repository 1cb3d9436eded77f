import { useEffect, useRef, useState } from "react";
import type { Picture } from "../../shared/blogs.ts";
import { interruptedMessage } from "../uploads/picture-upload.ts";
import { useUpload } from "../uploads/use-upload.ts";
import type { FieldUpload } from "../uploads/use-upload.ts";

const recordKey = "reprise-picture-under-way";

/** Records an upload on this device, so that the next page can report that it did not arrive. */
function recordUpload(upload: { viewerId: string; name: string } | null): void {
  try {
    if (upload) localStorage.setItem(recordKey, JSON.stringify(upload));
    else localStorage.removeItem(recordKey);
  } catch {
    // Storage is full or forbidden: nothing will be reported.
  }
}

/** Returns the name of the account's unfinished upload and deletes its record. */
function takeUploadRecord(viewerId: string): string | null {
  try {
    const record = JSON.parse(localStorage.getItem(recordKey) ?? "null") as {
      viewerId: string;
      name: string;
    } | null;
    if (record?.viewerId !== viewerId) return null;
    recordUpload(null);
    return record.name;
  } catch {
    return null;
  }
}

/** Deletes the record of the account's upload. */
export const forgetUpload = (viewerId: string): void => void takeUploadRecord(viewerId);

/** The new picture; `undefined` keeps the old one, `null` removes it. */
type Chosen = Picture | null | undefined;

export interface PictureUpload extends Omit<FieldUpload, "settle"> {
  chosen: Chosen;
  remove(): void;
  /** Waits for the upload. Throws an `UploadError`. */
  settle(): Promise<Chosen>;
}

/** The picture of the profile form, uploaded once chosen, so that saving need not wait. */
export function usePictureUpload(viewerId: string): PictureUpload {
  const [chosen, setChosen] = useState<Chosen>(undefined);
  const latest = useRef<Chosen>(undefined);
  const choose = (picture: Chosen): void => {
    latest.current = picture;
    setChosen(picture);
  };
  const hasRecord = useRef(false);
  const upload = useUpload("profile", choose, (file) => {
    hasRecord.current = file !== null;
    recordUpload(file && { viewerId, name: file instanceof File ? file.name : "a picture" });
  });
  const { refuse } = upload;
  useEffect(() => {
    const lostName = takeUploadRecord(viewerId);
    if (lostName !== null) refuse(interruptedMessage(lostName));
    return () => {
      if (hasRecord.current) recordUpload(null);
    };
  }, [viewerId, refuse]);
  return {
    ...upload,
    chosen,
    remove() {
      upload.cancel();
      choose(null);
    },
    async settle() {
      await upload.settle();
      return latest.current;
    },
  };
}
