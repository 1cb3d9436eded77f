import { messages } from "../../shared/errors.ts";

interface Facts {
  code?: unknown;
  field?: unknown;
  retryAfter?: unknown;
}

function factsOf(error: unknown): Facts | undefined {
  const data = (error as { data?: unknown } | null | undefined)?.data;
  return typeof data === "object" && data !== null ? data : undefined;
}

/** tRPC's code (`"NOT_FOUND"`, …) of an error that the server answered with; undefined where no answer came. */
export function errorCode(error: unknown): string | undefined {
  const code = factsOf(error)?.code;
  return typeof code === "string" ? code : undefined;
}

/** In how many seconds the server welcomes another try, where it said so. */
export function retryAfter(error: unknown): number | undefined {
  const seconds = factsOf(error)?.retryAfter;
  return typeof seconds === "number" ? seconds : undefined;
}

/** What to tell the person: the server's own words where it wrote some for them, otherwise `fallback`. */
export function errorMessage(error: unknown, fallback: string): string {
  const code = errorCode(error);
  // Without a code there was no answer ("fetch failed"), and an internal error's text is not for people.
  if (code === undefined || code === "INTERNAL_SERVER_ERROR") return fallback;
  const message = (error as { message?: unknown }).message;
  return typeof message === "string" && message !== "" ? message : fallback;
}

/** The same for what makes another thing when it is sent twice: where no answer came, it says that it may have arrived. */
export function unsureMessage(error: unknown, fallback: string): string {
  return isUnanswered(error) ? messages.unsure : errorMessage(error, fallback);
}

/** Which input of the form the message is about, where the server said so. */
export function errorField(error: unknown): string | undefined {
  const field = factsOf(error)?.field;
  return typeof field === "string" ? field : undefined;
}

/** True where the request got no answer at all: worth a retry, and no fault of what was sent. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.name === "TRPCClientError" && factsOf(error) === undefined;
}

/** True where the same request may well be answered a little later: it was lost, or the server is too busy for it now. */
export function mayPass(error: unknown): boolean {
  const code = errorCode(error);
  return code === undefined
    ? isUnanswered(error)
    : code === "SERVICE_UNAVAILABLE" || code === "TOO_MANY_REQUESTS";
}
