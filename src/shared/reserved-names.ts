/** First path segments that the site serves or may serve; `isReserved` also knows numbered ones. */
export const reservedNames: ReadonlySet<string> = new Set(
  `home signin signup signout login logout register verify-email forgot-password reset-password change-email undo-access delete-account unsubscribe select-interests
   add-blog write new edit blog blogs my-blogs followers following edit-profile profile settings setup search explore requests
   notifications oembed docs api trpc live assets media upload uploads static public avatar card cards feed feeds rss atom sitemap robots
   favicon manifest healthz readyz metrics admin moderation about help support terms privacy legal contact status
   google google-auth auth oauth callback account accounts user users me people person tag tags topic topics
   comment comments social well-known .well-known null undefined reprise root system offline error index
   robots.txt humans.txt ads.txt app-ads.txt llms.txt security.txt favicon.ico favicon.svg favicon.png apple-touch-icon.png
   apple-touch-icon-precomposed.png browserconfig.xml crossdomain.xml manifest.json manifest.webmanifest site.webmanifest
   feed.xml feed.json rss.xml atom.xml sw.js service-worker.js opensearch.xml`
    .split(/\s+/)
    .filter(Boolean),
);

/** Whether no username can be `name` (lower case), since the site serves or may serve it as a first path segment. */
export const isReserved = (name: string): boolean =>
  reservedNames.has(name) || /^sitemap([-_.].*)?\.xml(\.gz)?$/.test(name);
