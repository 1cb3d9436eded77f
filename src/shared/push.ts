import { z } from "zod";

const Base64Url = z.string().regex(/^[\w-]+={0,2}$/);

/** A push subscription (`PushSubscription.toJSON`). */
export const BrowserPushSubscription = z.strictObject({
  endpoint: z.url().max(1_000),
  keys: z.strictObject({ p256dh: Base64Url.max(120), auth: Base64Url.max(40) }),
});

/** A notification, which replaces that with the same `tag`. `read`: the tags of earlier ones that were read meanwhile. */
export interface PushMessage {
  tag: string;
  title: string;
  body: string;
  url: string;
  read: string[];
}

/** Of the session. `key` is what a browser subscribes with. */
export interface PushState {
  key: string;
  on: boolean;
  /** A new subscription of this browser can replace one: push was turned on, and not off since. */
  renewable: boolean;
}
