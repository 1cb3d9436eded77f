import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

const userPresent = 1;
const userVerified = 4;
const withKey = 64;

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();
/** Encodes bytes as CBOR, for more than 23 of them. */
const bytes = (data: Buffer) =>
  data.length < 256
    ? Buffer.concat([Buffer.from([0x58, data.length]), data])
    : Buffer.concat([Buffer.from([0x59, data.length >> 8, data.length & 255]), data]);

interface AuthenticatorOptions {
  origin?: string;
  /** Of a frame in another site's page; browsers may leave out its origin. */
  crossOrigin?: boolean;
  topOrigin?: string;
  /** Without user verification by finger, face or PIN. */
  unverified?: boolean;
  count?: number;
}

/** A software device with a passkey (WebAuthn level 3): returns what a browser would send for it. */
export class Authenticator {
  readonly id = randomBytes(16).toString("base64url");
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #publicKey: { x?: string; y?: string };
  #userHandle = "";
  #count = 0;

  constructor(publicUrl: string) {
    this.#origin = new URL(publicUrl).origin;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    this.#publicKey = publicKey.export({ format: "jwk" });
  }

  create(
    options: { challenge: string; rp: { id?: string | undefined }; user: { id: string } },
    overrides: AuthenticatorOptions = {},
  ) {
    this.#userHandle = options.user.id;
    const [x, y] = [this.#publicKey.x, this.#publicKey.y].map((part) => Buffer.from(part!, "base64url"));
    const cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(x!),
      Buffer.from([0x22]),
      bytes(y!),
    ]);
    const id = Buffer.from(this.id, "base64url");
    const data = Buffer.concat([
      this.#data(options.rp.id ?? "", withKey, overrides),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      cose,
    ]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from("fmt"),
      Buffer.from([0x64]),
      Buffer.from("none"),
      Buffer.from([0x67]),
      Buffer.from("attStmt"),
      Buffer.from([0xa0, 0x68]),
      Buffer.from("authData"),
      bytes(data),
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData("create", options.challenge, overrides).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  get(options: { challenge: string; rpId?: string | undefined }, overrides: AuthenticatorOptions = {}) {
    const data = this.#data(options.rpId ?? "", 0, overrides);
    const clientData = this.#clientData("get", options.challenge, overrides);
    return this.#credential({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", Buffer.concat([data, sha256(clientData)]), this.#key).toString("base64url"),
      userHandle: this.#userHandle,
    });
  }

  #data(
    rpId: string,
    flags: number,
    { unverified = false, count = ++this.#count }: AuthenticatorOptions,
  ): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    return Buffer.concat([
      sha256(rpId),
      Buffer.from([flags | userPresent | (unverified ? 0 : userVerified)]),
      counter,
    ]);
  }

  #clientData(
    type: "create" | "get",
    challenge: string,
    { origin = this.#origin, crossOrigin = false, topOrigin }: AuthenticatorOptions,
  ): Buffer {
    return Buffer.from(
      JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin, topOrigin }),
    );
  }

  #credential<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: "public-key", response, clientExtensionResults: {} };
  }
}
