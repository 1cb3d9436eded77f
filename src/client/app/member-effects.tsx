import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { Viewer } from "../../shared/users.ts";
import type { GoToMessage, WorkerMessage } from "../../shared/service-worker.ts";
import { trpc } from "../api/trpc.ts";
import { fetchCode } from "../ui/fetch-code.ts";
import { useLiveEvents, useTopic } from "../live/live.ts";
import { ReportHost } from "../moderation/report.tsx";
import { applySheets } from "../session/site-sheets.ts";
import { useSite } from "../session/site.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { DeleteAccountHost } from "../settings/delete-account.tsx";
import { checkSession } from "../session/session.ts";
import { updateStoredUser, rememberFollow } from "../session/stored-user.ts";
import { notificationTag } from "../../shared/notifications.ts";
import type { CachedNotifications } from "../notifications/notifications.ts";

const OnAirBar = onDemand(() => import("../entries/on-air-bar.tsx"));
const ChangedTexts = onDemand(() => import("../settings/changed-texts.tsx"));

/** What every page of a member needs beside its content; loaded after the page. */
export default function MemberEffects({ viewer }: { viewer: Viewer }) {
  useEffect(() => updateStoredUser(viewer), [viewer]);
  const { blogs } = trpc.useUtils();
  // The bar is loaded only where a live blog of the viewer's is on air, or may be since an event.
  const [mayBeOnAir, setMayBeOnAir] = useState(() => blogs.ownLive.getData()?.blogs.length !== 0);
  useLiveEvents((event, topic) => {
    if (event.kind === "viewer.blogsChanged" && !event.written) setMayBeOnAir(true);
    if (event.kind === "accessLost" && topic === "me") void checkSession();
    if (event.kind === "viewer.follow" || event.kind === "follow.settled")
      rememberFollow(event.userId, event.status === "following");
  });
  // For the badges, which only read the cache.
  trpc.moderation.waiting.useQuery(undefined, {
    enabled: viewer.isAdmin || viewer.isModerator,
    notifyOnChangeProps: [],
  });
  useEffect(() => whenIdle(prefetchMenus), []);
  useServiceWorker(viewer.session);
  useCloseRead();
  const { terms, privacy, sheets } = useSite();
  const { pathname } = useLocation();
  // Custom style sheets do not apply to the administrators' pages.
  useEffect(() => applySheets(sheets), [sheets, pathname]);
  const changed = [terms, privacy].some((since) => since !== null && since > viewer.textsSeenAt);
  useTopic(useTabActive() ? "looking" : null);
  return (
    <>
      {changed && <ChangedTexts viewer={viewer} />}
      <DeleteAccountHost viewer={viewer} />
      <ReportHost />
      {mayBeOnAir && <OnAirBar />}
    </>
  );
}

/** A hidden tab counts as away after this many milliseconds; then push is sent. */
const AWAY_AFTER_MS = 3_000;

/** Whether the viewer looks at the tab and needs no push. */
function useTabActive(): boolean {
  const [isActive, setActive] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const updateActive = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setActive(false), AWAY_AFTER_MS);
      else setActive(true);
    };
    updateActive();
    document.addEventListener("visibilitychange", updateActive);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", updateActive);
    };
  }, []);
  return isActive;
}

/** Sends the tab's session to the service worker and follows its navigation messages. */
function useServiceWorker(session: string): void {
  const navigate = useNavigate();
  const onMessage = useEffectEvent(({ data }: MessageEvent<Partial<GoToMessage> | null>) => {
    if (data?.kind === "go-to" && data.url) void navigate(data.url);
  });
  useEffect(() => {
    const { serviceWorker } = navigator as Partial<Navigator>;
    serviceWorker?.addEventListener("message", onMessage);
    return () => serviceWorker?.removeEventListener("message", onMessage);
  }, []);
  useEffect(() => {
    const post = async (message: WorkerMessage): Promise<void> =>
      (await import("../storage/register-service-worker.ts")).postToServiceWorker(message);
    const postNow = (message: WorkerMessage): void => void post(message).catch(() => undefined);
    const onOnline = (): void => postNow({ kind: "online" });
    postNow({ kind: "session", session });
    addEventListener("online", onOnline);
    return () => {
      removeEventListener("online", onOnline);
      postNow({ kind: "session", session: null });
    };
  }, [session]);
}

/** Fetches the bar's menus in advance. */
function prefetchMenus(): void {
  const parts = matchMedia("(min-width: 64rem)").matches
    ? [
        () => import("../notifications/notifications-popover.tsx"),
        () => import("../ui/menu-popup.tsx"),
        () => import("../notifications/nav-badge.tsx"),
      ]
    : [() => import("./menu-sheet.tsx")];
  // Opening the part reports a failure.
  for (const part of parts) fetchCode<unknown>(part).catch(() => {});
}

/** Safari has no idle callbacks. */
function whenIdle(callback: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(callback, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(callback);
  return () => cancelIdleCallback(handle);
}

/** Closes the notifications on this device that were read on a page, here or elsewhere. */
function useCloseRead(): void {
  const { data } = trpc.social.notifications.useQuery(undefined, { enabled: false });
  const cached: CachedNotifications | undefined = data;
  useEffect(() => {
    if (!cached) return;
    const { notifications, unread, isStale } = cached;
    // A stale list does not say what the newest is.
    const read = new Set(isStale ? [] : notifications.filter((one) => !one.unread).map(notificationTag));
    void closeShown((tag) => unread === 0 || read.has(tag)).catch(() => undefined);
  }, [cached]);
}

async function closeShown(isRead: (tag: string) => boolean): Promise<void> {
  const registration = await (navigator as Partial<Navigator>).serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? [])
    if (isRead(notification.tag)) notification.close();
}
