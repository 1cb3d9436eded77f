import { defaultSort, sortParameters, type FeedSort } from "./feed-sorts.ts";

/** Paths of the site, built in one place. */
export const routes = {
  home: (page = 1, sort: FeedSort = defaultSort) => {
    const query = new URLSearchParams({ ...(page > 1 && { page: String(page) }), ...sortParameters(sort) });
    return query.size > 0 ? `/home?${query}` : "/home";
  },
  blog: (slug: string) => `/blog/${slug}`,
  comment: (slug: string, commentId: string) => `/blog/${slug}#comment-${commentId}`,
  entry: (slug: string, entryId: string) => `/blog/${slug}/${entryId}`,
  /** A live blog for the frames of other sites. */
  embed: (slug: string) => `/blog/${slug}/embed`,
  edit: (slug: string) => `/edit/${slug}`,
  profile: (username: string, tab?: ProfileTab) =>
    tab && tab !== "blogs" ? `/${username}/${tab}` : `/${username}`,
  followers: (username: string) => `/followers/${username}`,
  following: (username: string) => `/following/${username}`,
  search: (query: string, tab: "blogs" | "people" = "blogs", page = 1) => {
    const parameters = new URLSearchParams({ q: query });
    if (tab !== "blogs") parameters.set("tab", tab);
    if (page > 1) parameters.set("page", String(page));
    return `/search?${parameters}`;
  },
  tag: (tag: string) => `/tag/${encodeURIComponent(tag)}`,
  /** `next` brings a guest back after signing in. */
  signIn: (next?: string) => (next && next !== "/" ? `/signin?next=${encodeURIComponent(next)}` : "/signin"),
} as const;

/** Paths in emails and invitations, which no page links to: readers' scripts do not contain them. */
export const sentRoutes = {
  verifyEmail: (token: string) => `/verify-email/${token}`,
  resetPassword: (token: string) => `/reset-password/${token}`,
  changeEmail: (token: string) => `/change-email/${token}`,
  undoAccess: (token: string) => `/undo-access/${token}`,
  deleteAccount: (token: string) => `/delete-account/${token}`,
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  /** In the fragment, which no server gets. */
  setUp: (secret: string) => `/setup#${secret}`,
  signUp: (invitation: string) => `/signup?invitation=${encodeURIComponent(invitation)}`,
} as const;

export type ProfileTab = "blogs" | "saved-blogs" | "liked-blogs" | "draft-blogs" | "private-blogs";
export const profileTabs: readonly ProfileTab[] = [
  "blogs",
  "saved-blogs",
  "liked-blogs",
  "draft-blogs",
  "private-blogs",
];

/**
 * First path segments that the server answers, not a page; pages can link to them. They cannot be usernames
 * (reserved-names.ts).
 */
export const servedSegment = /^(docs|api|blogs?|assets|media|static|offline|google|feed\.xml)$/;

/** Returns a path of this site from an untrusted `next` parameter, else `/home`. */
export function safeNext(next: string | null | undefined): string {
  if (!next?.startsWith("/") || /^[^?#]*\/\/|[\\\u0000-\u001f]/.test(next)) return routes.home();
  // Escaped as a header requires.
  return next.replace(/[^ -~]+/g, (letters) => encodeURIComponent(letters.toWellFormed()));
}

/** The editor for a new blog. If only approved writers can publish, no one else gets a link to it. */
export const WRITE = "/add-blog";
