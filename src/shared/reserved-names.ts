/** First path segments that the site serves or may serve: no username can be one. */
export const reservedNames: ReadonlySet<string> = new Set(
  `home signin signup signout login logout register verify-email forgot-password reset-password change-email undo-access delete-account unsubscribe select-interests
   add-blog write new edit blog blogs my-blogs followers following edit-profile profile settings search explore requests
   notifications oembed docs api trpc live assets media upload uploads static public avatar card cards feed feeds rss atom sitemap robots
   favicon manifest healthz readyz metrics admin moderation about help support terms privacy legal contact status
   google google-auth auth oauth callback account accounts user users me people person tag tags topic topics
   comment comments social well-known .well-known null undefined reprise root system offline error index
   robots.txt sitemap.xml favicon.ico favicon.svg manifest.webmanifest feed.xml rss.xml atom.xml sw.js service-worker.js security.txt`
    .split(/\s+/)
    .filter(Boolean),
);
