import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { UserEvent } from "../../shared/events.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { useUserEvents } from "../users/user-events.ts";
import { applyNoticeEvent, changesList } from "./notices.ts";
import { applyRequestEvent } from "./requests.ts";

/**
 * Keeps in the cache what waits for a member: notices, requests, followers. Fetched once after the page, then kept by the
 * viewer's own stream; the badges and the pages read it from there.
 */
export function useNews(viewer: Viewer): void {
  const { social, users } = trpc.useUtils();
  const queryClient = useQueryClient();
  useEffect(() => {
    void social.notices.prefetch(undefined, { staleTime: Infinity });
    void social.requests.prefetch(undefined, { staleTime: Infinity });
  }, [social, viewer.session]);

  useUserEvents((event: UserEvent) => {
    social.notices.setData(undefined, (known) => known && applyNoticeEvent(known, event));
    social.requests.setData(undefined, (known) => known && applyRequestEvent(known, event));
    // A list that is open decides itself when to show what is new; any other is fetched when it is next opened.
    if (changesList(event)) void social.notices.invalidate(undefined, { refetchType: "none" });
    if (event.kind === "follower.changed") {
      const { username } = viewer;
      users.profile.setData({ username }, (profile) => profile && { ...profile, followersCount: event.followersCount });
    }
    // Lists of followers ask again: the viewer is in one more of them, or somebody is in the viewer's own. The list of
    // whom the viewer follows keeps those who were just dropped, so that they can be followed again.
    if (event.kind === "follower.changed" || event.kind === "own.follow" || event.kind === "follow.settled") {
      void queryClient.invalidateQueries({ queryKey: [["social", "people"]], predicate: ({ queryKey }) => listIn(queryKey) === "followers" });
      void queryClient.invalidateQueries({ queryKey: [["social", "people"]], refetchType: "none" });
    }
    // Settings may have changed in another tab; going public lets in everybody who waits.
    if (event.kind === "profile.changed" || event.kind === "reset") void social.requests.invalidate(undefined, { refetchType: "all" });
    if (event.kind === "profile.changed") void users.me.invalidate();
    if (event.kind === "reset") void social.notices.invalidate(undefined, { refetchType: "all" });
  });
}

/** Which of the two lists a query of `social.people` asks for. */
const listIn = ([, options]: readonly unknown[]): string | undefined => (options as { input?: { list?: string } } | undefined)?.input?.list;
