import { useId } from "react";
import type { KeyboardEvent } from "react";
import { Link } from "../ui/link.tsx";
import { routes } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import type { Data } from "../api/trpc.ts";
import { PeopleList, showsPeople } from "./people-list.tsx";
import type { PeopleListKind } from "./people-list.tsx";
import "../ui/tabs.css";
import "./profile.css";

/** Fetches the panel's first list, unless the profile hides it. */
export async function prefetchPanel(data: Data, profile: Profile): Promise<void> {
  if (!showsPeople(profile)) return;
  const input = { username: profile.username, list: "followers", page: 1 } as const;
  // On failure only the panel shows an error.
  await data.social.people.fetch(input).catch(() => {});
}

/** Whether the window is wide enough for the panel; else the counts lead to a page (docs/specification.md, 2.43). */
export const hasPanel = (): boolean => matchMedia("(min-width: 64rem)").matches;

/** Shown beside a profile on a wide screen. */
export function PeoplePanel({
  profile,
  list,
  onList,
}: {
  profile: Profile;
  list: PeopleListKind;
  onList: (list: PeopleListKind) => void;
}) {
  const id = useId();
  if (profile.closed) return null;
  if (!showsPeople(profile)) {
    return (
      <aside className="people-panel" aria-label="Followers and following">
        <PeopleList profile={profile} list={list} page={1} />
      </aside>
    );
  }
  return (
    <aside className="people-panel" aria-label="Followers and following">
      <div className="tabs" role="tablist" aria-label="Lists of people">
        {(["followers", "following"] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            role="tab"
            id={`${id}-${kind}`}
            aria-selected={kind === list}
            aria-controls={`${id}-people`}
            tabIndex={kind === list ? 0 : -1}
            onClick={() => onList(kind)}
            onKeyDown={onArrowKey}
          >
            {kind === "followers" ? "Followers" : "Following"}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-people`} aria-labelledby={`${id}-${list}`}>
        <PeopleList profile={profile} list={list} page={1} plain>
          {({ hasMore }) =>
            hasMore && (
              <Link className="target small medium" to={routes[list](profile.username)}>
                Show all
              </Link>
            )
          }
        </PeopleList>
      </div>
    </aside>
  );
}

/** Arrow keys select the other tab. */
function onArrowKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
  const { nextElementSibling: next, previousElementSibling: previous } = event.currentTarget;
  const neighbour = (next ?? previous) as HTMLElement | null;
  event.preventDefault();
  neighbour?.focus();
  neighbour?.click();
}
