import type { CoverPoint, Picture } from "../../../shared/blogs.ts";
import { withFocus } from "../draft-fields.ts";
import { useUpload } from "../../uploads/use-upload.ts";
import type { FieldUpload } from "../../uploads/use-upload.ts";

export interface Cover extends Omit<FieldUpload, "settle"> {
  /** The stored picture or null; during an upload the new one is shown instead. */
  picture: Picture | null;
  /** Sets the focus point; null for the centre. */
  setFocus(focus: CoverPoint | null): void;
  remove(): void;
  /** Returns the stored picture after the upload. Throws an `UploadError`. */
  settle(): Promise<Picture | null>;
}

/** Returns the cover's state; the form has the picture. `latest` returns the current one. */
export function useCover(
  picture: Picture | null,
  latest: () => Picture | null,
  setPicture: (picture: Picture | null) => void,
  onFile: (file: Blob | null) => void,
): Cover {
  const upload = useUpload("cover", setPicture, onFile);
  const end = (left: Picture | null): void => {
    upload.cancel();
    setPicture(left);
  };
  return {
    ...upload,
    picture,
    cancel: () => end(latest()),
    setFocus: (focus) => picture && setPicture(withFocus(picture, focus)),
    remove: () => end(null),
    async settle() {
      await upload.settle();
      return latest();
    },
  };
}
