import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { jwtVerify } from "jose";
import type { PushMessage } from "../../src/shared/push.ts";

/** A received message with its headers. */
export interface ReceivedPush {
  message: PushMessage;
  headers: Record<string, string | string[] | undefined>;
}

/** A browser with its push service on this machine: decrypts messages as browsers do, and verifies the sender. */
export class PushService implements AsyncDisposable {
  readonly received: ReceivedPush[] = [];
  /** The next response statuses; 201 when empty. */
  readonly nextStatuses: number[] = [];
  requestCount = 0;
  #server: Server | undefined;
  #url = "";
  readonly #keys = createECDH("prime256v1");
  readonly #auth = randomBytes(16);
  /** The site's public key at the time of the subscription. */
  key = "";

  constructor() {
    this.#keys.generateKeys();
  }

  static async start(key: string): Promise<PushService> {
    const service = new PushService();
    service.key = key;
    service.#server = createServer((request, response) => {
      service.#receive(request).then(
        (status) => response.writeHead(status).end(),
        (error: unknown) => response.writeHead(500, { "x-reason": String(error) }).end(),
      );
    });
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    service.#url = `http://127.0.0.1:${(service.#server.address() as AddressInfo).port}`;
    return service;
  }

  /** Returns what a page sends to subscribe. */
  subscribe(endpoint = `${this.#url}/push/${randomBytes(8).toString("hex")}`) {
    return {
      endpoint,
      keys: {
        p256dh: this.#keys.getPublicKey().toString("base64url"),
        auth: this.#auth.toString("base64url"),
      },
    };
  }

  async #receive(request: IncomingMessage): Promise<number> {
    this.requestCount++;
    const body = await buffer(request);
    const status = this.nextStatuses.shift() ?? 201;
    const { headers } = request;
    if (status === 201) this.received.push({ message: await this.#read(headers, body), headers });
    return status;
  }

  async #read(headers: ReceivedPush["headers"], body: Buffer): Promise<PushMessage> {
    const [, token = "", key = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.authorization)) ?? [];
    if (key !== this.key) throw new Error("Not the key that it was subscribed with.");
    const raw = Buffer.from(key, "base64url");
    const [x, y] = [raw.subarray(1, 33), raw.subarray(33)].map((part) => part.toString("base64url"));
    const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
    await jwtVerify(token, publicKey, { audience: this.#url, algorithms: ["ES256"] });
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body[20]!);
    const sealed = body.subarray(21 + body[20]!);
    const derive = (secret: Buffer, hkdfSalt: Buffer, info: Buffer | string, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, hkdfSalt, info, length));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#keys.getPublicKey(), sender]);
    const secret = derive(this.#keys.computeSecret(sender), this.#auth, info, 32);
    const decipher = createDecipheriv(
      "aes-128-gcm",
      derive(secret, salt, "Content-Encoding: aes128gcm\0", 16),
      derive(secret, salt, "Content-Encoding: nonce\0", 12),
    );
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    if (plain.at(-1) !== 2) throw new Error("This is not the last record.");
    return JSON.parse(plain.subarray(0, -1).toString()) as PushMessage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}
