import { useEffect, useEffectEvent } from "react";
import { trpc } from "../api/trpc.ts";
import type { NoticeName } from "../../shared/social.ts";
import { doAct, useLiveEvents } from "../live/live.ts";
import { readNotices, seeNotices } from "./news-acts.ts";
import type { Notices } from "./notices.ts";

/** Marks an entry as read. */
export const readNotice = ({ kind, target }: NoticeName): void =>
  void doAct(readNotices, { only: { kind, target } });

/** The viewer has seen the list while it is shown to them: the bell shows only what comes after its newest notice. */
export function useSeeNotices(known: Notices | undefined): void {
  const newest = known?.newest ?? null;
  const isNew = (known?.unseen ?? 0) > 0 && known?.isOlder !== true;
  const see = useEffectEvent(() => {
    if (newest && isNew && document.visibilityState === "visible") void doAct(seeNotices, { newest });
  });
  useEffect(() => see(), [newest, isNew]);
  useEffect(() => {
    const seen = (): void => see();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
}

const tells = { request: "follow.requested", follow: "follower.changed" } as const;

/** Marks as read the notices that tell of nothing but what the page shows, also those that come while somebody looks at it. */
export function useReadWhileShown(kind: keyof typeof tells, isShown = true): void {
  const { data } = trpc.social.notices.useQuery(undefined, { enabled: false });
  const isUnread = data?.notices.some((one) => one.kind === kind && one.unread) ?? false;
  const see = (): void => {
    if (isShown && document.visibilityState === "visible") readNotice({ kind, target: "me" });
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
