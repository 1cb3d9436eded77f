import { AppError } from "../../shared/errors.ts";

/** Runs what reads a multipart form. Throws `bad_request` where the form is broken or ends too soon. */
export async function readingForm<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    // What Fastify and we refuse names a status; what the parser can't make sense of does not.
    if (cause instanceof AppError || (cause as { statusCode?: unknown }).statusCode !== undefined)
      throw cause;
    throw new AppError("bad_request", "The form could not be read to its end. Please send it again.", {
      cause,
    });
  }
}
