import { cardTopics, cardHandlers, muteHandlers } from "../../blog-queries.ts";
import { registerLiveQueries } from "../../../live/live.ts";
import { liveQuery } from "../../../live/queries/live-query.ts";
import { patch, patchListedPerson } from "../../../live/queries/patch.ts";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Link } from "../../../ui/link.tsx";
import type { BlogPage } from "../../../../shared/blogs.ts";
import type { Further } from "../../../../shared/further.ts";
import { routes } from "../../../../shared/routes.ts";
import { trpc } from "../../../api/trpc.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { FollowButton } from "../../../profiles/follow-button.tsx";
import { Neighbours, Related } from "./further-blogs.tsx";
import "./end.css";

/**
 * The end of an article: its authors, the comments (`children`) and further blogs
 * (docs/decisions/0011-article-page-and-interface.md).
 */
export default function End({ blog, children }: { blog: BlogPage; children: ReactNode }) {
  const [without] = useState(() => recordRead(blog.id));
  const { data: further } = trpc.blogs.further.useQuery({ id: blog.id, without });
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => markEndVisible(place.current!), []);
  return (
    <div className="end stack gap-10 text-column hairline-top" ref={place}>
      {further && <Authors blog={blog} authors={further.authors} />}
      {children}
      {further && (
        <div className="end-further stack gap-10">
          <Neighbours further={further} />
          <Related further={further} />
        </div>
      )}
    </div>
  );
}

/** Marks the article while its end is visible, when the bar leaves the margin (end.css). */
function markEndVisible(end: HTMLElement): () => void {
  const article = document.querySelector(".article");
  const watcher = new IntersectionObserver(([entry]) =>
    article?.toggleAttribute("data-ended", entry!.isIntersecting),
  );
  watcher.observe(end);
  return () => {
    watcher.disconnect();
    article?.removeAttribute("data-ended");
  };
}

function Authors({ blog, authors }: { blog: BlogPage; authors: Further["authors"] }) {
  return (
    <section className="stack gap-8" aria-label={authors.length > 1 ? "Authors" : "Author"}>
      {authors.map((person) => (
        <div key={person.id} className="end-author">
          <Link to={routes.profile(person.username)} className="round" tabIndex={-1} aria-hidden="true">
            <Avatar person={person} size={64} />
          </Link>
          <div>
            <p>
              <Link to={routes.profile(person.username)} className="plain-link size-l strong">
                <bdi>{person.name}</bdi>
              </Link>
            </p>
            <p className="note">@{person.username}</p>
            {person.bio && (
              <p className="end-author-bio excerpt soft" dir="auto">
                {person.bio}
              </p>
            )}
          </div>
          {/* The author's follow status comes from the blog, as in the head. */}
          <FollowButton
            person={person}
            status={person.id === blog.author.id ? blog.follow : person.follow}
            asksFirst={person.private}
            named
          />
        </div>
      ))}
    </section>
  );
}

const STORAGE_KEY = "just-read";
/** The most ids that `blogs.further` takes. */
const maxRemembered = 30;

/** Records that this tab reached a blog's end; returns those reached before, newest first. */
function recordRead(id: string): string[] {
  try {
    const known = (JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as string[]).filter(
      (one) => one !== id,
    );
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([id, ...known].slice(0, maxRemembered)));
    return known.slice(0, maxRemembered);
  } catch {
    // Storage is not available.
    return [];
  }
}

const ofPeople = (further: Further, change: (person: Further["authors"][number]) => typeof person): Further =>
  patch(further, { authors: further.authors.map(change) });

/** The recommendations at the end of a blog: the same blogs stay, with their current data. */
const furtherBlogs = liveQuery<Further>({
  topics: (further) => [...cardTopics(further), "me"],
  on: {
    ...cardHandlers<Further>(),
    ...muteHandlers<Further>(),
    "viewer.follow": (further, { userId, status }) => withFollow(further, userId, status),
    "follow.settled": (further, { userId, status }) => withFollow(further, userId, status),
    "person.changed": (further, event, about) => {
      const now = cardHandlers<Further>()["person.changed"]!(further, event, about) as Further;
      return ofPeople(now, (person) => patchListedPerson(person, event));
    },
  },
});

function withFollow(further: Further, userId: string, follow: Further["authors"][number]["follow"]): Further {
  return ofPeople(further, (person) =>
    person.id === userId && person.follow !== "self" ? patch(person, { follow }) : person,
  );
}

registerLiveQueries({ "blogs.further": furtherBlogs });
