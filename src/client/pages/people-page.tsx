import { redirect, useLocation, useParams, useSearchParams } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { routes } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import { errorCode } from "../api/errors.ts";
import { pageInQuery } from "../../shared/paging.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useCurrentAddress, useNotFoundAfterRefetch, useTitle } from "./head.ts";
import { Pager } from "../ui/pager.tsx";
import { useMarkReadWhileShown } from "../notifications/mark-read.ts";
import { Avatar } from "../ui/avatar.tsx";
import { PeopleList, showsPeople } from "../profiles/people-list.tsx";
import type { PeopleListKind } from "../profiles/people-list.tsx";
import "../profiles/people.css";
import "../ui/tabs.css";
import "../profiles/profile-queries.ts";

export async function loader({ params, url, data }: PageRequest): Promise<PageFacts> {
  const username = params.person ?? "";
  const list = listOf(url.pathname);
  const profile = await data.users.profile.fetch({ username });
  if (profile.username !== username) throw redirect(routes[list](profile.username) + url.search, 301);
  const page = pageInQuery(url.searchParams);
  const people =
    showsPeople(profile) &&
    (await data.social.people.fetch({ username, list, page }).catch((error: unknown) => {
      // The profile became private between the two requests; the page shows that.
      if (errorCode(error) !== "FORBIDDEN") throw error;
    }));
  return {
    title: titleOf(profile, list),
    isNotFound: page > 1 && !!people && people.people.length === 0,
  };
}

const names: Record<PeopleListKind, string> = { followers: "Followers", following: "Following" };
const titleOf = ({ name }: Profile, list: PeopleListKind): string => `${names[list]} · ${name}`;
const listOf = (pathname: string): PeopleListKind =>
  pathname.startsWith("/followers/") ? "followers" : "following";

export default function PeoplePage() {
  const { person: username = "" } = useParams();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const list = listOf(pathname);
  const page = pageInQuery(search);
  const { data: profile, error } = trpc.users.profile.useQuery({ username });
  useMarkReadWhileShown("follow", profile?.follow === "self" && list === "followers" && page === 1);
  useTitle(profile && titleOf(profile, list));
  useCurrentAddress(profile && routes[list](profile.username));
  useNotFoundAfterRefetch(error);
  if (!profile) return null;
  return (
    <div className="page narrow">
      <header className="row gap-4 people-head">
        <Avatar person={profile} size={48} />
        <div>
          <h1 className="size-2xl">
            <span className="visually-hidden">{names[list]} of </span>
            <Link className="plain-link" to={routes.profile(username)}>
              <bdi>{profile.name}</bdi>
            </Link>
          </h1>
          <p className="note">@{profile.username}</p>
        </div>
      </header>
      <Tabs profile={profile} list={list} />
      <PeopleList profile={profile} list={list} page={page}>
        {({ hasMore }) => <Pager action={routes[list](username)} page={page} hasMore={hasMore} />}
      </PeopleList>
    </div>
  );
}

function Tabs({ profile, list }: { profile: Profile; list: PeopleListKind }) {
  const counts: Record<PeopleListKind, number | null> = {
    followers: profile.followersCount,
    following: profile.followingCount,
  };
  return (
    <nav className="tabs" aria-label="Lists">
      {(["followers", "following"] as const).map((kind) => (
        <Link
          key={kind}
          to={routes[kind](profile.username)}
          aria-current={kind === list ? "page" : undefined}
        >
          {names[kind]}{" "}
          {counts[kind] !== null && (
            <span className="tab-count tabular">{counts[kind].toLocaleString("en")}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
