import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../runtime/config.ts";

/**
 * Returns whether a changing request or socket comes from the site's own pages. Browsers send the page's `Origin`, and cookies
 * from any page. A request without an origin is no browser page's, and passes only without a cookie.
 */
export function isOwnOrigin(config: Config, headers: IncomingHttpHeaders): boolean {
  const { origin } = headers;
  if (headers["sec-fetch-site"] === "cross-site") return false;
  if (origin === undefined) return headers.cookie === undefined;
  if (origin === config.publicUrl) return true;
  try {
    const host = config.trustProxy ? (firstOf(headers["x-forwarded-host"]) ?? headers.host) : headers.host;
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}

const firstOf = (header: string | string[] | undefined) =>
  (Array.isArray(header) ? header[0] : header)?.split(",")[0]?.trim();
