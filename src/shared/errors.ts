/** The expected errors with their HTTP and tRPC codes (docs/specification.md, 8.2). */
export const errorCodes = {
  bad_request: { http: 400, trpc: "BAD_REQUEST" },
  unauthorized: { http: 401, trpc: "UNAUTHORIZED" },
  forbidden: { http: 403, trpc: "FORBIDDEN" },
  not_found: { http: 404, trpc: "NOT_FOUND" },
  conflict: { http: 409, trpc: "CONFLICT" },
  precondition_failed: { http: 412, trpc: "PRECONDITION_FAILED" },
  too_large: { http: 413, trpc: "PAYLOAD_TOO_LARGE" },
  wrong_type: { http: 415, trpc: "UNSUPPORTED_MEDIA_TYPE" },
  too_many: { http: 429, trpc: "TOO_MANY_REQUESTS" },
  unavailable: { http: 503, trpc: "SERVICE_UNAVAILABLE" },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An expected error; its message is for the person who sees it. Anything else thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The input field, so that a form can show the message there. */
  readonly field: string | undefined;
  /** Seconds until a retry is useful (`too_many`, `unavailable`). */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { field?: string; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "AppError";
    this.code = code;
    this.field = more.field;
    this.retryAfter = more.retryAfter;
  }
}

/** Returns the error for work that the server has no capacity for. */
export const tooBusy = (): AppError =>
  new AppError("unavailable", "The site is very busy. Please try again in a moment.", { retryAfter: 5 });
/** Returns the error for work that would begin during shutdown. */
export const shuttingDown = (): AppError =>
  new AppError("unavailable", "The site is shutting down. Please try again in a moment.", { retryAfter: 5 });

/** Returns the message about an unknown field, whose name is shortened. */
export const unknownFieldMessage = (name: string): string =>
  `There is no field “${[...name.slice(0, 100).toWellFormed()].slice(0, 40).join("")}” here. Please leave it out.`;

/** Default messages (docs/specification.md, 8). */
export const messages = {
  wrong: "Something went wrong",
  blogFetch: "Failed to fetch blog",
  dataFetch: "Failed to fetch data",
  blogDelete: "Failed to delete blog",
  blogPost: "Failed to post blog",
  update: "Update failed",
  requestsLoad: "Failed to load follow requests",
  dataLoad: "Error loading data",
  unsure: "We couldn’t reach the server, so this may or may not have worked. Please try again.",
  connection: "check your internet connection dude.",
  tagLimit: "You can only add upto 10 tags.Limit reached",
  usernameShort: "Username must be at least 3 characters.",
  interestEmpty: "Interest cannot be empty",
} as const;
