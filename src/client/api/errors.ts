import { messages } from "../../shared/errors.ts";

interface ErrorData {
  code?: unknown;
  field?: unknown;
  retryAfter?: unknown;
}

function errorData(error: unknown): ErrorData | undefined {
  const data = (error as { data?: unknown } | null | undefined)?.data;
  return typeof data === "object" && data !== null ? data : undefined;
}

/** Returns tRPC's code (`"NOT_FOUND"`, …); undefined without a response. */
export function errorCode(error: unknown): string | undefined {
  const code = errorData(error)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Returns the seconds that the server wants before a retry, if any. */
export function retryAfter(error: unknown): number | undefined {
  const seconds = errorData(error)?.retryAfter;
  return typeof seconds === "number" ? seconds : undefined;
}

/** Returns the server's message for people, or `fallback`. */
export function errorMessage(error: unknown, fallback: string): string {
  const code = errorCode(error);
  // No code: no response ("fetch failed"). An internal error's text is not for people.
  if (code === undefined || code === "INTERNAL_SERVER_ERROR") return fallback;
  const message = (error as { message?: unknown }).message;
  return typeof message === "string" && message !== "" ? message : fallback;
}

/** For requests that are not idempotent: without a response, says that it may have arrived. */
export function unsureMessage(error: unknown, fallback: string): string {
  return isUnanswered(error) ? messages.unsure : errorMessage(error, fallback);
}

/** Returns the form field that the error is about, if any. */
export function errorField(error: unknown): string | undefined {
  const field = errorData(error)?.field;
  return typeof field === "string" ? field : undefined;
}

/** Whether the request got no response, so that a retry may help. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.name === "TRPCClientError" && errorData(error) === undefined;
}

/** Whether a retry may succeed: no response, or a busy server. */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error);
  return code === undefined
    ? isUnanswered(error)
    : code === "SERVICE_UNAVAILABLE" || code === "TOO_MANY_REQUESTS";
}
