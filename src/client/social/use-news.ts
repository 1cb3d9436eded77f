import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { UserEvent } from "../../shared/events.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { useUserEvents } from "../users/user-events.ts";
import { applyNoticeEvent, changesList, isOfNotices } from "./notices.ts";
import { applyRequestEvent } from "./requests.ts";

/**
 * Keeps in the cache what waits for a member: notices and requests. Fetched once after the page, then kept by the
 * viewer's own stream; the badges and the pages read it from there.
 */
export function useNews(viewer: Viewer): void {
  const { social, users } = trpc.useUtils();
  const queryClient = useQueryClient();
  useEffect(() => {
    void social.notices.prefetch(undefined, { staleTime: Infinity });
    void social.requests.prefetch(undefined, { staleTime: Infinity });
  }, [social, viewer.session]);

  const fetchers = {
    notices: () => social.notices.fetch(undefined, { staleTime: 0 }),
    requests: () => social.requests.fetch(undefined, { staleTime: 0 }),
  };
  /** What is on its way may have been read before the event: it is asked for once more after it. */
  const fetchAfter = async (what: keyof typeof fetchers): Promise<void> => {
    if (isFetching(what)) await fetchers[what]().catch(() => {});
    await fetchers[what]().catch(() => {});
  };
  const isFetching = (what: string): boolean => queryClient.isFetching({ queryKey: [["social", what]] }) > 0;

  useUserEvents((event: UserEvent) => {
    const concerns = concernOf(event);
    if (concerns && (isFetching(concerns) || !social[concerns].getData())) void fetchAfter(concerns);
    if (concerns === "notices")
      social.notices.setData(undefined, (known) => known && applyNoticeEvent(known, event));
    if (concerns === "requests")
      social.requests.setData(
        undefined,
        (known) => known && { ...known, requests: applyRequestEvent(known.requests, event) },
      );
    // A list that is open decides itself when to show what is new; any other is fetched when it is next opened.
    if (changesList(event)) void social.notices.invalidate(undefined, { refetchType: "none" });

    if (event.kind === "profile.changed") {
      // Settings may have changed in another tab; going public lets in everybody who waits.
      void users.me.invalidate();
      void fetchAfter("requests");
    }
    if (event.kind === "reset") {
      void fetchAfter("notices");
      void fetchAfter("requests");
    }
  });
}

function concernOf(event: UserEvent): "notices" | "requests" | undefined {
  if (isOfNotices(event)) return "notices";
  const { kind } = event;
  return kind === "follow.requested" || kind === "follow.withdrawn" ? "requests" : undefined;
}
