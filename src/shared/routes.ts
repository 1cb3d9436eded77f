/** Addresses of the site, built in one place, and the names no account may take. */
export const routes = {
  home: (page = 1, sort: "latest" | "likes" | "following" = "latest") => {
    const query = new URLSearchParams();
    if (page > 1) query.set("page", String(page));
    if (sort !== "latest") query.set("sort", sort);
    return query.size > 0 ? `/home?${query}` : "/home";
  },
  blog: (slug: string) => `/blog/${slug}`,
  comment: (slug: string, commentId: string) => `/blog/${slug}#comment-${commentId}`,
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
  /** Where a guest is sent who asked for a page that needs an account; `next` brings them back after it. */
  signIn: (next?: string) => (next && next !== "/" ? `/signin?next=${encodeURIComponent(next)}` : "/signin"),
} as const;

/** Those of links that people are sent: no page leads there, so that no reader's script has them. */
export const sentRoutes = {
  verifyEmail: (token: string) => `/verify-email/${token}`,
  resetPassword: (token: string) => `/reset-password/${token}`,
  changeEmail: (token: string) => `/change-email/${token}`,
  undoAccess: (token: string) => `/undo-access/${token}`,
  deleteAccount: (token: string) => `/delete-account/${token}`,
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  /** What an invitation leads to. */
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

/** A first path segment that a link in a page may have and no page has: the server answers it. It is nobody's name (reserved-names.ts). */
export const isServed = /^(docs|api|blogs?|assets|media|static|offline|google|feed\.xml)$/;

/** A path inside this site from an untrusted `next` parameter; anything else becomes `/home`. */
export function safeNext(next: string | null | undefined): string {
  if (!next?.startsWith("/") || /^[^?#]*\/\/|[\\\u0000-\u001f]/.test(next)) return routes.home();
  // As it may be written in a header.
  return next.replace(/[^ -~]+/g, (letters) => encodeURIComponent(letters.toWellFormed()));
}

/** Where one writes. Where administrators choose who does, nobody else is led there. */
export const WRITE = "/add-blog";
