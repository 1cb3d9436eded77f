import { z } from "zod";

const Base64Url = z.string().regex(/^[\w-]+={0,2}$/);

/** What a browser gives of its subscription (`PushSubscription.toJSON`). */
export const Subscription = z.strictObject({
  endpoint: z.url().max(1_000),
  keys: z.strictObject({ p256dh: Base64Url.max(120), auth: Base64Url.max(40) }),
});

/** What the worker is sent. */
export type PushMessage =
  /** Somebody did something: shown until it is read. Of those with one `tag` the last is shown. */
  | { kind: "notification"; tag: string; title: string; body: string; url: string }
  /** What was shown has been read elsewhere. */
  | { kind: "read"; tags: string[] };

/** How things stand for the session that asks. `key` is what a browser subscribes with. */
export interface PushState {
  key: string;
  on: boolean;
  /** Whether another subscription of this browser may take the place of one: it was asked for, and is not turned off. */
  renewable: boolean;
}
