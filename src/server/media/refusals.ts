import { AppError, type ErrorCode } from "../../shared/errors.ts";

const refusing = (code: ErrorCode, message: string) => (cause?: unknown) =>
  new AppError(code, message, { cause });

/* Why a picture is not taken, as the one who sent it reads it. */

export const unread = refusing("wrong_type", "We can’t read that picture. Please use PNG or JPEG.");
export const damaged = refusing("bad_request", "That picture is damaged. Please try another one.");
export const tooManyPixels = refusing(
  "too_large",
  "A picture can have up to 40 megapixels, with all its frames.",
);
export const tooCostly = refusing(
  "too_large",
  "That picture is too complex. Please save it as a plain JPEG, or smaller, and try again.",
);
