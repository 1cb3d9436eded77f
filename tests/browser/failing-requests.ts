import type { Page } from "@playwright/test";
import { allowErrors } from "./test-site.ts";

/** A lasting failure: pages retry network errors by themselves, but not this one. */
export const internalError = { code: "INTERNAL_SERVER_ERROR", httpStatus: 500, message: "SQLITE_CORRUPT" };

/** Makes the server refuse a procedure from now on, with a bug by default. Calls `onRequest` for each request. */
export async function failRequests(
  page: Page,
  procedure: string | RegExp,
  { code, httpStatus, message } = internalError,
  onRequest = (): void => {},
): Promise<void> {
  allowErrors(page);
  const address = typeof procedure === "string" ? `**/trpc/*${procedure}*` : procedure;
  await page.route(address, (route) => {
    onRequest();
    const procedures = new URL(route.request().url()).pathname.split(",");
    const error = { message, code: -32_603, data: { code, httpStatus } };
    return route.fulfill({ status: httpStatus, json: procedures.map(() => ({ error })) });
  });
}

export const stopFailing = (page: Page): Promise<void> => page.unrouteAll();
