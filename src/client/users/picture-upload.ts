import { useEffect, useRef, useState } from "react";
import type { Picture } from "../../shared/blogs.ts";
import { interrupted } from "../uploads/sending.ts";
import { useUpload } from "../uploads/use-upload.ts";
import type { FieldUpload } from "../uploads/use-upload.ts";

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

/** Forgets that a picture of this account was on its way. */
export const forgetPicture = (viewerId: string): void => void takeNote(viewerId);

/** What is to become of the account's picture: `undefined` it stays, `null` it goes. */
type Chosen = Picture | null | undefined;

export interface PictureUpload extends Omit<FieldUpload, "settle"> {
  chosen: Chosen;
  remove(): void;
  /** What was chosen, once it has arrived. Throws an `UploadError`. */
  settle(): Promise<Chosen>;
}

/** The picture of the profile form: sent as soon as it is chosen, so that it is there when the form is. */
export function usePictureUpload(viewerId: string): PictureUpload {
  const [chosen, setChosen] = useState<Chosen>(undefined);
  const latest = useRef<Chosen>(undefined);
  const choose = (picture: Chosen): void => {
    latest.current = picture;
    setChosen(picture);
  };
  const noted = useRef(false);
  const upload = useUpload("profile", choose, (file) => {
    noted.current = file !== null;
    note(file && { viewerId, name: file instanceof File ? file.name : "a picture" });
  });
  const { refuse } = upload;
  useEffect(() => {
    const lost = takeNote(viewerId);
    if (lost !== null) refuse(interrupted(lost));
    return () => {
      if (noted.current) note(null);
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
