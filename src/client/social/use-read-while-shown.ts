import { useEffect, useEffectEvent } from "react";
import type { NotificationKind } from "../../shared/social.ts";
import { trpc } from "../api/trpc.ts";
import { useReadNotice } from "./use-read-notice.ts";

/** Marks the notices as read that tell of nothing but what the page shows. */
export function useReadWhileShown(kind: Extract<NotificationKind, "request" | "follow">, isShown = true): void {
  const { data } = trpc.social.notices.useQuery(undefined, { enabled: false });
  const read = useEffectEvent(useReadNotice());
  const unread = isShown ? data?.notices.find((one) => one.kind === kind && one.unread)?.target : undefined;
  useEffect(() => {
    if (unread !== undefined) read({ kind, target: unread });
  }, [kind, unread]);
}
