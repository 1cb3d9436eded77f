import { AppError, type ErrorCode } from "../../shared/errors.ts";

const refusing = (code: ErrorCode, message: string) => (cause?: unknown) =>
  new AppError(code, message, { cause });

/* Why a picture is not taken, as the one who sent it reads it. */

export const unread = refusing("wrong_type", "That is not a picture we can read. Please use PNG or JPEG.");
export const damaged = refusing(
  "bad_request",
  "That picture is damaged and can't be read. Please try another.",
);
export const tooManyPixels = refusing(
  "too_large",
  "A picture has at most 40 megapixels, all its frames together.",
);
export const tooCostly = refusing(
  "too_large",
  "That picture takes too much to read. Please save it as a plain JPEG, or smaller, and try again.",
);
