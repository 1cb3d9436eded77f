import type { CoverPoint, Picture } from "../../../shared/blogs.ts";
import { aimed } from "./values.ts";
import { useUpload } from "../../uploads/use-upload.ts";
import type { FieldUpload } from "../../uploads/use-upload.ts";

export interface Cover extends Omit<FieldUpload, "settle"> {
  /** The stored picture, or null; what is on its way takes its place until it has arrived. */
  picture: Picture | null;
  /** Sets which point of it stays in view wherever it is cropped; null: its middle. */
  aim(focus: CoverPoint | null): void;
  /** Takes the stored picture away. */
  remove(): void;
  /** The stored picture once nothing is on its way any more. Throws an `UploadError`. */
  settle(): Promise<Picture | null>;
}

/** The cover's state: the picture is the form's. `latest` gives it as it is at the time of the call. */
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
    aim: (focus) => picture && setPicture(aimed(picture, focus)),
    remove: () => end(null),
    async settle() {
      await upload.settle();
      return latest();
    },
  };
}
