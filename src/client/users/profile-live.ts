import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { useUserEvents } from "./user-events.ts";
import { useViewer } from "./viewer.ts";

/** Keeps an open profile as a fresh load would show it to this viewer: who is let in sees the blogs, who is not leaves the tab. */
export function LiveProfile({ profile, tab }: { profile: Profile; tab: ProfileTab }): null {
  const cache = trpc.useUtils();
  const navigate = useNavigate();
  const isMe = useViewer()?.id === profile.id;
  const { id, username } = profile;

  useUserEvents((event) => {
    const settled = (event.kind === "follow.settled" || event.kind === "own.follow") && event.userId === id;
    const mine = isMe && (event.kind === "profile.changed" || event.kind === "own.blogs");
    if (settled || mine) {
      void cache.users.profile.invalidate({ username });
      void cache.blogs.byAuthor.invalidate();
    }
  });

  const isTheirs = profile.tabs.includes(tab);
  useEffect(() => {
    if (!isTheirs) void navigate(routes.profile(username), { replace: true });
  }, [isTheirs, navigate, username]);
  return null;
}
