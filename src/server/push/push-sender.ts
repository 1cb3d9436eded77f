import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { isIP } from "node:net";
import { AppError } from "../../shared/errors.ts";
import type { Config } from "../runtime/config.ts";
import type { Database } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { seal, unseal } from "../database/site-secret.ts";
import { isPublicAddress, restrictedLookup } from "../media/fetch-public.ts";

/** base64url. */
interface Recipient {
  p256dh: string;
  auth: string;
}

const keyName = "push_key";
const purpose = "push";
/** How long a push service keeps undelivered messages, in seconds. */
const ttlSeconds = 24 * 60 * 60;
/** In bytes: what every push service accepts, less encryption overhead. */
const maxBytes = 3_000;

const load = createRequire(import.meta.url);
/** Loaded when the first browser subscribes: it takes 12 MB. */
const webPush = () => load("web-push") as typeof import("web-push");

export type PushOutcome = "taken" | "gone" | "refused" | "later";

/**
 * Sends to push services. The site's key pair (VAPID, RFC 8292) is created at the first start and stored encrypted. Connects to
 * public addresses only.
 */
export class PushSender {
  /** The public key for subscribing, base64url. */
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

  /** Loads or creates the key pair. Tests override `mayReach`. */
  static async open(
    database: Database,
    { https: isHttps, publicUrl }: Pick<Config, "https" | "publicUrl">,
    mayReach = isPublicAddress,
  ): Promise<PushSender> {
    const sealedKey =
      (await siteValue(database.read, keyName)) ??
      (await database.write(async (tx) => {
        const existing = await siteValue(tx, keyName);
        if (existing !== undefined) return existing;
        const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
        const text = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64url");
        const newKey = await seal(tx, purpose, text);
        await setSiteValue(tx, keyName, newKey);
        return newKey;
      }));
    const der = Buffer.from(await unseal(database.read, purpose, sealedKey), "base64url");
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    // The contact for push services.
    const subject = isHttps ? publicUrl : `mailto:no-reply@${new URL(publicUrl).hostname}`;
    return new PushSender(key, subject, mayReach);
  }

  /** Throws `bad_request` for an unusable endpoint or keys. */
  check(endpoint: string, recipient: Recipient): void {
    try {
      this.#urlOf(endpoint);
      webPush().encrypt(recipient.p256dh, recipient.auth, "test", "aes128gcm");
      if (Buffer.from(recipient.auth, "base64url").length !== 16) throw new Error("No secret of 16 bytes.");
    } catch (cause) {
      throw new AppError("bad_request", "This browser’s push service can’t be used.", { cause });
    }
  }

  /** Sends a message. A push service keeps the last undelivered one of a `topic`. */
  async send(
    { endpoint, ...keys }: Recipient & { endpoint: string },
    message: object,
    { topic, signal }: { topic: string; signal: AbortSignal },
  ): Promise<PushOutcome> {
    const url = this.#urlOf(endpoint);
    const text = JSON.stringify(message);
    if (Buffer.byteLength(text) > maxBytes) return "refused";
    const { headers, body } = webPush().generateRequestDetails({ endpoint: url.href, keys }, text, {
      vapidDetails: this.#vapid,
      TTL: ttlSeconds,
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
    const isTest = url.protocol === "http:" && isIP(host) !== 0 && !isPublicAddress(host);
    if (url.protocol !== "https:" && !isTest) throw new Error("Of another protocol.");
    if (url.username || url.password) throw new Error("Nobody signs in there.");
    // Hostnames are checked when they are resolved; IP addresses are not resolved.
    if (isIP(host) !== 0 && !this.#mayReach(host)) throw new Error("Not of the web.");
    return url;
  }

  #post(url: URL, headers: http.OutgoingHttpHeaders, body: Buffer, signal: AbortSignal): Promise<number> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
    return new Promise((done, reject) => {
      const request = (url.protocol === "https:" ? https : http).request(
        url,
        { method: "POST", agent: false, headers, lookup: restrictedLookup(this.#mayReach), signal: deadline },
        (response) => {
          // Ignores redirects and the body.
          response.destroy();
          done(response.statusCode ?? 500);
        },
      );
      request.on("error", reject);
      request.end(body);
    });
  }
}
