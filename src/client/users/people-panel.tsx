import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import type { Data } from "../app/page.ts";
import { PeopleList, showsPeople } from "./people-list.tsx";
import type { Which } from "./people-list.tsx";
import "./people-panel.css";

/** What the panel reads first; a profile that shows nobody has none. */
export async function prefetchPanel(data: Data, profile: Profile): Promise<void> {
  if (!showsPeople(profile)) return;
  const input = { username: profile.username, list: "followers", page: 1 } as const;
  // Without it the panel says so itself; the profile is there all the same.
  await data.social.people.fetch(input).catch(() => {});
}

/** Whether the window is wide enough for the panel; under that the counts lead to their own page (specification, 2). */
export const hasPanel = (): boolean => matchMedia("(min-width: 64rem)").matches;

/** Beside a profile on a wide screen: its followers, or whom it follows. */
export function PeoplePanel({ profile, list, onList }: { profile: Profile; list: Which; onList: (list: Which) => void }) {
  if (profile.closed) return null;
  return (
    <aside className="people-panel" aria-label="Followers and following">
      {showsPeople(profile) && (
        <div className="people-panel-tabs">
          {(["followers", "following"] as const).map((one) => (
            <button key={one} type="button" aria-pressed={one === list} onClick={() => onList(one)}>
              {one === "followers" ? "Followers" : "Following"}
            </button>
          ))}
        </div>
      )}
      <PeopleList profile={profile} list={list} page={1}>
        {({ hasMore }) =>
          hasMore && (
            <Link className="people-panel-all" to={routes[list](profile.username)}>
              Show all
            </Link>
          )
        }
      </PeopleList>
    </aside>
  );
}
