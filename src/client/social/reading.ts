import { useEffect, useEffectEvent, useRef } from "react";
import { trpc } from "../api/trpc.ts";
import type { NoticeGroup, NoticeName } from "../../shared/social.ts";
import { useLiveEvents } from "../live/live.ts";
import { useDo } from "../live/use-do.ts";
import { readNotices } from "./news-acts.ts";
import type { Notices } from "./notices.ts";

/** Marks an entry as read. */
export function useReadNotice(): (entry: NoticeName) => void {
  const act = useDo();
  return ({ kind, target }) => void act(readNotices, { only: { kind, target } });
}

/**
 * Whoever leaves a list has read what stood in it: its marks go then, and not under their eyes. `shown` is what stands there.
 * Whoever went on by an entry has read that one alone; the answer is to be called then.
 */
export function useReadWhenLeft(shown: readonly NoticeGroup[]): () => void {
  const { data } = trpc.social.notices.useQuery(undefined, { enabled: false });
  const act = useDo();
  const isLeft = useRef(false);
  const wentOn = useRef(false);
  const leave = useEffectEvent(() => {
    const unread = shown.filter((one) => one.unread);
    if (wentOn.current || unread.length === 0 || !data) return;
    // All at once where nothing else is unread.
    const isAll = unread.length === data.unread && !(data as Notices).isOlder;
    for (const { kind, target } of isAll ? unread.slice(0, 1) : unread)
      void act(readNotices, { only: isAll ? null : { kind, target } });
  });
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      // React, where it is developed with, takes a part away and puts it back to try it.
      setTimeout(() => isLeft.current && leave());
    };
  }, []);
  return () => void (wentOn.current = true);
}

const tells = { request: "follow.requested", follow: "follower.changed" } as const;

/** Marks as read the notices that tell of nothing but what the page shows, also those that come while somebody looks at it. */
export function useReadWhileShown(kind: keyof typeof tells, isShown = true): void {
  const { data } = trpc.social.notices.useQuery(undefined, { enabled: false });
  const isUnread = data?.notices.some((one) => one.kind === kind && one.unread) ?? false;
  const read = useReadNotice();
  const see = (): void => {
    if (isShown && document.visibilityState === "visible") read({ kind, target: "me" });
  };
  const look = useEffectEvent(see);
  useEffect(() => {
    if (isUnread) look();
  }, [isUnread]);
  useEffect(() => {
    const seen = (): void => look();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
  useLiveEvents((event) => {
    if (event.kind === tells[kind]) see();
  });
}
