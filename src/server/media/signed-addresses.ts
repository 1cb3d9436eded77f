import { createHmac } from "node:crypto";
import { isEqualConstantTime } from "../auth/signatures.ts";
import type { Database } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";

const hour = 60 * 60 * 1_000;
/** Addresses stay the same this long, for caches. */
const step = hour / 6;

/**
 * Signed addresses for API clients without cookie, given to those who can see the picture. Each opens one picture for about an
 * hour.
 */
export class SignedAddresses {
  readonly #database: Database;
  #secret: string | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the query string for a picture's path. */
  async query(id: string, now = Date.now()): Promise<string> {
    const until = Math.ceil(now / step) * step + hour;
    return `?until=${until}&key=${await this.#keyFor(id, until)}`;
  }

  /** Whether a signature is ours and still valid. */
  async isValid(
    id: string,
    { until, key }: { until?: unknown; key?: unknown },
    now = Date.now(),
  ): Promise<boolean> {
    if (typeof until !== "string" || typeof key !== "string" || !/^\d{1,15}$/.test(until)) return false;
    if (Number(until) < now) return false;
    return isEqualConstantTime(key, await this.#keyFor(id, Number(until)));
  }

  async #keyFor(id: string, until: number): Promise<string> {
    this.#secret ??= await siteSecret(this.#database.read, "addresses of pictures");
    return createHmac("sha256", this.#secret).update(`${id} ${until}`).digest("base64url");
  }
}
