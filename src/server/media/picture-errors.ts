import { AppError, type ErrorCode } from "../../shared/errors.ts";

const pictureError = (code: ErrorCode, message: string) => (cause?: unknown) =>
  new AppError(code, message, { cause });

/* Reasons for refusing a picture, shown to the uploader. */

export const unreadablePicture = pictureError(
  "wrong_type",
  "We can’t read that picture. Please use PNG or JPEG.",
);
export const damagedPicture = pictureError("bad_request", "That picture is damaged. Please try another one.");
/** libvips reports it in words. */
export const diskFull = (cause?: unknown): Error =>
  Object.assign(new Error("There is no room for a picture.", { cause }), { code: "ENOSPC" });
export const tooManyPixels = pictureError(
  "too_large",
  "A picture can have up to 40 megapixels, with all its frames.",
);
export const tooComplexPicture = pictureError(
  "too_large",
  "That picture is too complex. Please save it as a plain JPEG, or smaller, and try again.",
);
