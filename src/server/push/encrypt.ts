import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** What is encrypted for whom: a browser's public key and its secret, base64url. */
export interface Recipient {
  p256dh: string;
  auth: string;
}

const recordSize = 4_096;

/**
 * A message that the browser alone can read, whatever its push service sees of it (RFC 8291, one record of RFC 8188). `sender`
 * and `salt` are made anew for each. Throws where the recipient's key is no point of the curve.
 */
export function encryptFor(
  { p256dh, auth }: Recipient,
  text: string,
  sender = newSender(),
  salt = randomBytes(16),
): Buffer {
  const theirs = Buffer.from(p256dh, "base64url");
  const ours = sender.getPublicKey();
  const derive = (key: Buffer, by: Buffer, info: Buffer | string, length: number): Buffer =>
    Buffer.from(hkdfSync("sha256", key, by, info, length));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ours]);
  const key = derive(sender.computeSecret(theirs), Buffer.from(auth, "base64url"), info, 32);
  const cipher = createCipheriv(
    "aes-128-gcm",
    derive(key, salt, "Content-Encoding: aes128gcm\0", 16),
    derive(key, salt, "Content-Encoding: nonce\0", 12),
  );
  const head = Buffer.alloc(21);
  salt.copy(head);
  head.writeUInt32BE(recordSize, 16);
  head[20] = ours.length;
  // The 2 says that no record follows.
  const sealed = [cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final()];
  return Buffer.concat([head, ours, ...sealed, cipher.getAuthTag()]);
}

function newSender() {
  const sender = createECDH("prime256v1");
  sender.generateKeys();
  return sender;
}
