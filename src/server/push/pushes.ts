import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { isIP } from "node:net";
import { AppError } from "../../shared/errors.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { seal, unseal } from "../database/site-secret.ts";
import { isOfTheWeb, lookupWithin } from "../media/get-within.ts";

/** A browser's public key and its secret, base64url. */
interface Recipient {
  p256dh: string;
  auth: string;
}

const keyName = "push_key";
const purpose = "push";
/** So long a push service keeps what it could not bring, in seconds. */
const keptFor = 24 * 60 * 60;
/** Bytes that every push service takes, less what encryption adds. */
const mostBytes = 3_000;

const load = createRequire(import.meta.url);
/** web-push takes 12 MB: it is loaded where the first browser subscribes. */
const webPush = () => load("web-push") as typeof import("web-push");

/** What a push service has answered with. */
export type Sent = "taken" | "gone" | "refused" | "later";

/**
 * Sends to the push services of browsers. The site is known to them by a key pair of its own (VAPID, RFC 8292), made at the
 * first start and sealed in the store. It connects to addresses of the web alone, as where a picture is fetched from.
 */
export class Pushes {
  /** What browsers subscribe with: the public key, base64url. */
  readonly key: string;
  readonly #vapid: { subject: string; publicKey: string; privateKey: string };
  readonly #mayReach: (address: string) => boolean;

  private constructor(privateKey: KeyObject, subject: string, mayReach: (address: string) => boolean) {
    const { d = "", x = "", y = "" } = privateKey.export({ format: "jwk" });
    this.key = Buffer.concat([
      Buffer.of(4),
      Buffer.from(x, "base64url"),
      Buffer.from(y, "base64url"),
    ]).toString("base64url");
    this.#vapid = { subject, publicKey: this.key, privateKey: d };
    this.#mayReach = mayReach;
  }

  /** With the store's key, which is made where there is none yet. `mayReach` is another rule for tests. */
  static async open(
    database: Database,
    { https: isHttps, publicUrl }: Pick<Config, "https" | "publicUrl">,
    mayReach = isOfTheWeb,
  ): Promise<Pushes> {
    const sealed =
      (await siteValue(database.read, keyName)) ??
      (await database.write(async (tx) => {
        const known = await siteValue(tx, keyName);
        if (known !== undefined) return known;
        const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
        const text = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64url");
        const made = await seal(tx, purpose, text);
        await setSiteValue(tx, keyName, made);
        return made;
      }));
    const der = Buffer.from(await unseal(database.read, purpose, sealed), "base64url");
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    // Whom a push service may complain to.
    const subject = isHttps ? publicUrl : `mailto:no-reply@${new URL(publicUrl).hostname}`;
    return new Pushes(key, subject, mayReach);
  }

  /** Throws `bad_request` where this is no place to send to, or nothing can be encrypted for it. */
  check(endpoint: string, recipient: Recipient): void {
    try {
      this.#urlOf(endpoint);
      webPush().encrypt(recipient.p256dh, recipient.auth, "test", "aes128gcm");
      if (Buffer.from(recipient.auth, "base64url").length !== 16) throw new Error("No secret of 16 bytes.");
    } catch (cause) {
      throw new AppError("bad_request", "This browser’s push service can’t be used.", { cause });
    }
  }

  /** Sends it, and gives what came of it. Of one `topic` a push service keeps the last. */
  async send(
    { endpoint, ...keys }: Recipient & { endpoint: string },
    message: object,
    { topic, signal }: { topic: string; signal: AbortSignal },
  ): Promise<Sent> {
    const url = this.#urlOf(endpoint);
    const text = JSON.stringify(message);
    if (Buffer.byteLength(text) > mostBytes) return "refused";
    const { headers, body } = webPush().generateRequestDetails({ endpoint: url.href, keys }, text, {
      vapidDetails: this.#vapid,
      TTL: keptFor,
      topic,
    });
    const status = await this.#post(url, headers, body, signal);
    if (status >= 200 && status < 300) return "taken";
    if (status === 404 || status === 410) return "gone";
    return status === 429 || status >= 500 ? "later" : "refused";
  }

  #urlOf(endpoint: string): URL {
    const url = new URL(endpoint);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isTest = url.protocol === "http:" && isIP(host) !== 0 && !isOfTheWeb(host);
    if (url.protocol !== "https:" && !isTest) throw new Error("Of another protocol.");
    if (url.username || url.password) throw new Error("Nobody signs in there.");
    // A name is looked up at the moment of connecting; an address that stands there as it is, by nobody.
    if (isIP(host) !== 0 && !this.#mayReach(host)) throw new Error("Not of the web.");
    return url;
  }

  #post(url: URL, headers: http.OutgoingHttpHeaders, body: Buffer, signal: AbortSignal): Promise<number> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
    return new Promise((done, reject) => {
      const request = (url.protocol === "https:" ? https : http).request(
        url,
        { method: "POST", agent: false, headers, lookup: lookupWithin(this.#mayReach), signal: inTime },
        (response) => {
          // Wherever it leads, and whatever it says besides.
          response.destroy();
          done(response.statusCode ?? 500);
        },
      );
      request.on("error", reject);
      request.end(body);
    });
  }
}
