import { z } from "zod";

const Base64Url = z.string().regex(/^[\w-]+={0,2}$/);

/** A push subscription (`PushSubscription.toJSON`). */
export const BrowserPushSubscription = z.strictObject({
  endpoint: z.url().max(1_000),
  keys: z.strictObject({ p256dh: Base64Url.max(120), auth: Base64Url.max(40) }),
});

export type PushMessage =
  /** Shown until it is read; a later one with the same `tag` replaces it. */
  | { kind: "notification"; tag: string; title: string; body: string; url: string }
  /** The notifications were read elsewhere. */
  | { kind: "read"; tags: string[] };

/** Of the session. `key` is what a browser subscribes with. */
export interface PushState {
  key: string;
  on: boolean;
  /** A new subscription of this browser can replace one: push was turned on, and not off since. */
  renewable: boolean;
}
