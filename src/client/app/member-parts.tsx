import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { Viewer } from "../../shared/users.ts";
import type { GoTo, WorkerMessage } from "../../shared/worker.ts";
import { trpc } from "../api/trpc.ts";
import { fetchCode } from "../ui/fetch-code.ts";
import { registerLiveQueries, useLiveEvents, useTopic } from "../live/live.ts";
import { notificationQueries } from "../notifications/notification-queries.ts";
import { ReportHost } from "../users/report.tsx";
import { show } from "../session/show-sheets.ts";
import { useSite } from "../session/site.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { DeleteAccountHost } from "../users/delete-account.tsx";
import { checkSession } from "../session/session.ts";
import { keepUser, rememberFollow } from "../session/stored-user.ts";

registerLiveQueries(notificationQueries);

const ChangedTexts = onDemand(() => import("../users/changed-texts.tsx"));

/** What every page of a member has beside what it shows; loaded after the page itself. */
export default function MemberParts({ viewer }: { viewer: Viewer }) {
  // The badges read them from the cache: here they are asked for once, and kept.
  trpc.social.notifications.useQuery(undefined, { notifyOnChangeProps: [] });
  trpc.social.requests.useQuery(undefined, { notifyOnChangeProps: [] });
  useEffect(() => keepUser(viewer), [viewer]);
  useLiveEvents((event, topic) => {
    if (event.kind === "accessLost" && topic === "me") void checkSession();
    if (event.kind === "viewer.follow" || event.kind === "follow.settled")
      rememberFollow(event.userId, event.status === "following");
  });
  useEffect(() => whenIdle(fetchBarParts), []);
  useWorker(viewer.session);
  const { terms, privacy, sheets } = useSite();
  const { pathname } = useLocation();
  // Of what administrators wrote, none counts where they work.
  useEffect(() => show(sheets), [sheets, pathname]);
  const changed = [terms, privacy].some((since) => since !== null && since > viewer.textsSeenAt);
  useTopic(useLooking() ? "looking" : null);
  return (
    <>
      {changed && <ChangedTexts viewer={viewer} />}
      <DeleteAccountHost viewer={viewer} />
      <ReportHost />
    </>
  );
}

/** Whoever looks away for so long is told by push. */
const LOOKED_AWAY = 3_000;

/** Whether somebody looks at the tab: they need not be told elsewhere of what stands in it. */
function useLooking(): boolean {
  const [isLooking, setLooking] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setLooking(false), LOOKED_AWAY);
      else setLooking(true);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return isLooking;
}

/** The worker keeps what this session reads, as long as the tab is its own. */
function useWorker(session: string): void {
  const navigate = useNavigate();
  const heard = useEffectEvent(({ data }: MessageEvent<Partial<GoTo> | null>) => {
    if (data?.kind === "go-to" && data.url) void navigate(data.url);
  });
  useEffect(() => {
    const { serviceWorker } = navigator as Partial<Navigator>;
    serviceWorker?.addEventListener("message", heard);
    return () => serviceWorker?.removeEventListener("message", heard);
  }, []);
  useEffect(() => {
    const tell = async (message: WorkerMessage): Promise<void> =>
      (await import("../device/worker.ts")).tellWorker(message);
    const tellNow = (message: WorkerMessage): void => void tell(message).catch(() => undefined);
    const isBack = (): void => tellNow({ kind: "online" });
    tellNow({ kind: "session", session });
    addEventListener("online", isBack);
    return () => {
      removeEventListener("online", isBack);
      tellNow({ kind: "session", session: null });
    };
  }, [session]);
}

/** What opens from the bar, for most members sooner or later: it is here when they ask for it. */
function fetchBarParts(): void {
  const parts = matchMedia("(min-width: 64rem)").matches
    ? [() => import("../notifications/notifications-popover.tsx"), () => import("../ui/menu-popup.tsx")]
    : [() => import("./menu-sheet.tsx")];
  // Where one can't be had now, asking for it will tell.
  for (const part of parts) fetchCode<unknown>(part).catch(() => {});
}

/** Safari has no idle callbacks. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act);
  return () => cancelIdleCallback(handle);
}
