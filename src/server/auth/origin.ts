import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../config.ts";

/**
 * Whether a request that changes something, or opens a socket, comes from the site's own pages: browsers name the page's
 * origin on it, and cookies travel with it whatever page it was. No origin at all is no browser's page; it passes only
 * where no cookie came along.
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
