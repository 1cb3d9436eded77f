import { useSyncExternalStore } from "react";
import { Wishes, shownStanding } from "./wishes.ts";
import type { Standing } from "./wishes.ts";

/** This tab's wishes. Never touched on the server. */
export const wishes = new Wishes();

/** The names under which switches are known to `wishes`. */
export const switchKey = {
  like: (blogId: string) => `like:${blogId}`,
  save: (blogId: string) => `save:${blogId}`,
  follow: (userId: string) => `follow:${userId}`,
  commentLike: (commentId: string) => `comment-like:${commentId}`,
};

/** A switch as it shows now: the server's word from the cache, with the person's own wish on top of it. */
export function useStanding(key: string, standing: Standing): Standing & { open: boolean } {
  const wish = useSyncExternalStore(
    wishes.subscribe,
    () => wishes.get(key),
    () => undefined,
  );
  return { ...shownStanding(standing, wish), open: wish !== undefined };
}
