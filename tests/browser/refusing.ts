import type { Page } from "@playwright/test";
import { forgive } from "./site.ts";

/** What stays: the page asks again by itself for what is lost, not for this. */
export const bug = { code: "INTERNAL_SERVER_ERROR", httpStatus: 500, message: "SQLITE_CORRUPT" };

/** From here on the server refuses a procedure: as where it has a bug, or with words of its own. `hear` is told of each question. */
export async function refuse(
  page: Page,
  procedure: string | RegExp,
  { code, httpStatus, message } = bug,
  hear = (): void => {},
): Promise<void> {
  forgive(page);
  const address = typeof procedure === "string" ? `**/trpc/*${procedure}*` : procedure;
  await page.route(address, (route) => {
    hear();
    const asked = new URL(route.request().url()).pathname.split(",");
    const error = { message, code: -32_603, data: { code, httpStatus } };
    return route.fulfill({ status: httpStatus, json: asked.map(() => ({ error })) });
  });
}

export const relent = (page: Page): Promise<void> => page.unrouteAll();
