/** Addresses of the site, built in one place, and the names no account may take. */
export const routes = {
  home: (page = 1, sort: "latest" | "likes" = "latest") => {
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
  verifyEmail: (token: string) => `/verify-email/${token}`,
  resetPassword: (token: string) => `/reset-password/${token}`,
  changeEmail: (token: string) => `/change-email/${token}`,
  deleteAccount: (token: string) => `/delete-account/${token}`,
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  /** What an invitation leads to. */
  signUp: (invitation: string) => `/signup?invitation=${encodeURIComponent(invitation)}`,
  /** Where a guest is sent who asked for a page that needs an account; `next` brings them back after it. */
  signIn: (next?: string) => (next && next !== "/" ? `/signin?next=${encodeURIComponent(next)}` : "/signin"),
} as const;

export type ProfileTab = "blogs" | "saved-blogs" | "liked-blogs" | "draft-blogs" | "private-blogs";
export const profileTabs: readonly ProfileTab[] = [
  "blogs",
  "saved-blogs",
  "liked-blogs",
  "draft-blogs",
  "private-blogs",
];

/** First path segments that the site serves or may serve: no username may be one of them. */
export const reservedNames: ReadonlySet<string> = new Set(
  `home signin signup signout login logout register verify-email forgot-password reset-password change-email delete-account unsubscribe select-interests
   add-blog write new edit blog blogs my-blogs followers following edit-profile profile settings search explore requests
   notifications docs api trpc live assets media upload uploads static public avatar card cards feed feeds rss atom sitemap robots
   favicon manifest healthz readyz metrics admin moderation about help support terms privacy legal contact status
   google google-auth auth oauth callback account accounts user users me people person tag tags topic topics
   comment comments social well-known .well-known null undefined reprise root system offline error index
   robots.txt sitemap.xml favicon.ico favicon.svg manifest.webmanifest feed.xml rss.xml atom.xml sw.js service-worker.js security.txt`
    .split(/\s+/)
    .filter(Boolean),
);

/** A path inside this site from an untrusted `next` parameter; anything else becomes `/home`. */
export function safeNext(next: string | null | undefined): string {
  if (!next || !next.startsWith("/") || next.startsWith("//") || /[\\\u0000-\u001f]/.test(next))
    return routes.home();
  return next;
}
