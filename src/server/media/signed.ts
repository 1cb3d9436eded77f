import { createHmac } from "node:crypto";
import { isSame } from "../auth/signatures.ts";
import type { Database } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";

const hour = 60 * 60 * 1_000;
/** Addresses are the same for so long, so that what was fetched once is found again. */
const step = hour / 6;

/**
 * Addresses by which a client elsewhere, which has no cookie, fetches a picture that is not for everybody. Who may read
 * what shows it is given one; it opens that picture alone, for an hour or a little more.
 */
export class SignedAddresses {
  readonly #database: Database;
  #secret: string | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What stands behind a picture's path. */
  async query(id: string, now = Date.now()): Promise<string> {
    const until = Math.ceil(now / step) * step + hour;
    return `?until=${until}&key=${await this.#keyFor(id, until)}`;
  }

  /** Whether an address is one that was given, and still is valid. */
  async isGiven(
    id: string,
    { until, key }: { until?: unknown; key?: unknown },
    now = Date.now(),
  ): Promise<boolean> {
    if (typeof until !== "string" || typeof key !== "string" || !/^\d{1,15}$/.test(until)) return false;
    if (Number(until) < now) return false;
    return isSame(key, await this.#keyFor(id, Number(until)));
  }

  async #keyFor(id: string, until: number): Promise<string> {
    this.#secret ??= await siteSecret(this.#database.read, "addresses of pictures");
    return createHmac("sha256", this.#secret).update(`${id} ${until}`).digest("base64url");
  }
}
