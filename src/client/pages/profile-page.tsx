import { redirect, useParams, useSearchParams } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { useState } from "react";
import type { BlogList as List } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { profileTabs, routes } from "../../shared/routes.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import { pageInQuery } from "../../shared/paging.ts";
import { trpc } from "../api/trpc.ts";
import { NotFound } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useCurrentAddress, useNotFoundAfterRefetch, useTitle } from "./head.ts";
import { BlogList, BlogListSkeleton } from "../blogs/cards/blog-list.tsx";
import { Pager, NoSuchPage } from "../ui/pager.tsx";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { ClosedAccount } from "../profiles/closed-account.tsx";
import type { PeopleListKind } from "../profiles/people-list.tsx";
import { PeoplePanel, prefetchPanel } from "../profiles/people-panel.tsx";
import { ProfileHead } from "../profiles/profile-head.tsx";
import { useViewer } from "../session/viewer.ts";
import { audienceLabels } from "../../shared/audience.ts";
import "../profiles/profile-queries.ts";
import "../ui/tabs.css";

export async function loader({ params, url, data }: PageRequest): Promise<PageFacts> {
  const username = params.username ?? "";
  const tab = tabOf(params.tab);
  if (!tab) throw new NotFound();
  const profile = await data.users.profile.fetch({ username });
  if (profile.username !== username) throw redirect(routes.profile(profile.username, tab) + url.search, 301);
  // A tab that the viewer cannot see redirects to the profile (docs/specification.md, 2.40).
  if (!profile.tabs.includes(tab)) throw redirect(routes.profile(username));
  const page = pageInQuery(url.searchParams);
  const [{ blogs }] = profile.closed
    ? [{ blogs: [] }]
    : await Promise.all([data.blogs.byAuthor.fetch({ username, tab, page }), prefetchPanel(data, profile)]);
  return {
    title: titleOf(profile, tab),
    description: profile.bio || `${profile.name} (@${profile.username})`,
    canonical: `${routes.profile(username)}${tab === "blogs" && page > 1 ? `?page=${page}` : ""}`,
    ...(profile.private ? {} : { feed: { title: profile.name, path: routes.profile(username) } }),
    // A page beyond the last is not cached.
    ...(blogs.length > 0 || page === 1
      ? { topics: [`profile:${profile.id}`, ...blogs.map((blog) => `blog:${blog.id}`)] }
      : { isNotFound: !profile.closed }),
  };
}

const titleOf = ({ name }: Profile, tab: ProfileTab): string =>
  tab === "blogs" ? name : `${tabNames[tab]} · ${name}`;
const tabOf = (name = "blogs"): ProfileTab | undefined => profileTabs.find((tab) => tab === name);

export default function ProfilePage() {
  const { username = "", tab: name } = useParams();
  const [search] = useSearchParams();
  const tab = tabOf(name) ?? "blogs";
  const [people, setPeople] = useState<PeopleListKind>("followers");
  const { data: profile, error } = trpc.users.profile.useQuery({ username });
  useTitle(profile && titleOf(profile, tab));
  useCurrentAddress(profile && routes.profile(profile.username, profile.tabs.includes(tab) ? tab : "blogs"));
  useNotFoundAfterRefetch(error);
  if (!profile) return null;
  return (
    <div className="page profile">
      <ProfileHead profile={profile} onPeople={setPeople} />
      <ProfileTabs profile={profile} tab={tab} />
      {profile.closed ? (
        <ClosedAccount profile={profile} title="This user's blogs are private." />
      ) : (
        <Blogs profile={profile} tab={tab} page={pageInQuery(search)} />
      )}
      <PeoplePanel profile={profile} list={people} onList={setPeople} />
    </div>
  );
}

function Blogs({ profile, tab, page }: { profile: Profile; tab: ProfileTab; page: number }) {
  const query = trpc.blogs.byAuthor.useQuery({ username: profile.username, tab, page });
  return (
    <section aria-labelledby="profile-list">
      <h2 id="profile-list" className="visually-hidden" data-focus={page > 1 || undefined}>
        {tabNames[tab]}
      </h2>
      <QueryResult query={query} noun="blogs" fallback={<BlogListSkeleton />} failure={messages.dataFetch}>
        {(list) => <Page list={list} profile={profile} tab={tab} />}
      </QueryResult>
    </section>
  );
}

function Page({ list, profile, tab }: { list: List; profile: Profile; tab: ProfileTab }) {
  const isMe = useViewer()?.id === profile.id;
  const isByProfile = tab !== "saved-blogs" && tab !== "liked-blogs";
  return (
    <>
      {list.blogs.length > 0 ? (
        <BlogList blogs={list.blogs} byline={!isByProfile} />
      ) : (
        <Nothing profile={profile} tab={tab} page={list.page} isMe={isMe} />
      )}
      <Pager action={routes.profile(profile.username, tab)} page={list.page} hasMore={list.hasMore} />
    </>
  );
}

const emptyTexts: Record<ProfileTab, { mine: string; theirs: (name: string) => string }> = {
  blogs: {
    mine: "What you publish will appear here.",
    theirs: (name) => `${name} has not published anything yet.`,
  },
  "saved-blogs": {
    mine: "Blogs that you save to read later will appear here.",
    theirs: (name) => `${name} has saved no blogs.`,
  },
  "liked-blogs": {
    mine: "Blogs that you like will appear here.",
    theirs: (name) => `${name} has liked no blogs yet.`,
  },
  "draft-blogs": {
    mine: "What you begin and do not publish yet will appear here.",
    theirs: () => "No drafts.",
  },
  "private-blogs": {
    mine: "What you publish for your followers alone will appear here.",
    theirs: (name) => `${name} has written nothing for followers alone yet.`,
  },
};

interface NothingProps {
  profile: Profile;
  tab: ProfileTab;
  page: number;
  isMe: boolean;
}

function Nothing({ profile: { name, username }, tab, page, isMe }: NothingProps) {
  if (page > 1) return <NoSuchPage page={page} first={routes.profile(username, tab)} />;
  if (!isMe) return <EmptyState title={emptyTexts[tab].theirs(name)} />;
  const isReadingList = tab === "saved-blogs" || tab === "liked-blogs";
  return (
    <EmptyState
      title={emptyTexts[tab].mine}
      action={
        isReadingList ? (
          <LinkButton to={routes.home()}>Find something to read</LinkButton>
        ) : (
          <LinkButton kind="primary" to="/add-blog">
            Write a blog
          </LinkButton>
        )
      }
    />
  );
}

const tabNames: Record<ProfileTab, string> = {
  blogs: "Blogs",
  "saved-blogs": "Saved",
  "liked-blogs": "Liked",
  "draft-blogs": "Drafts",
  "private-blogs": audienceLabels.followers,
};

/** The lists that the viewer can see, as links, so that each has an address. */
function ProfileTabs({ profile, tab }: { profile: Profile; tab: ProfileTab }) {
  if (profile.tabs.length < 2) return null;
  return (
    <nav className="tabs" aria-label="Lists">
      {profile.tabs.map((name) => (
        <Link
          key={name}
          to={routes.profile(profile.username, name)}
          aria-current={name === tab ? "page" : undefined}
        >
          {tabNames[name]}
        </Link>
      ))}
    </nav>
  );
}
