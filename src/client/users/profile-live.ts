import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import { useUserEvents } from "./user-events.ts";

/** Keeps an open profile at its address: who may not see a tab any more leaves it, and one's own goes along with one's username. */
export function LiveProfile({ profile, tab }: { profile: Profile; tab: ProfileTab }): null {
  const navigate = useNavigate();
  const { username } = profile;
  useOwnAddress(profile, (name) => routes.profile(name, tab));

  const isTheirs = profile.tabs.includes(tab);
  useEffect(() => {
    if (!isTheirs) void navigate(routes.profile(username), { replace: true });
  }, [isTheirs, navigate, username]);
  return null;
}

/** Goes to the page's new address, where it is the viewer's own and they have taken another username. */
export function useOwnAddress(profile: Profile | undefined, addressOf: (username: string) => string): void {
  const navigate = useNavigate();
  const { search } = useLocation();
  useUserEvents((event) => {
    if (event.kind !== "profile.changed" || event.person.id !== profile?.id) return;
    const { username } = event.person;
    if (username !== profile.username) void navigate(addressOf(username) + search, { replace: true });
  });
}
