import { expect, test } from "vitest";
import { feedOfFormerAddress } from "../../../../src/server/feeds/former-addresses.ts";

test.each<[string, string | null]>([
  // WordPress
  ["/feed/", "/feed.xml"],
  ["/feed", "/feed.xml"],
  ["/feed/rss2/", "/feed.xml"],
  ["/feed/rdf/", "/feed.xml"],
  ["/feed/atom/", "/atom.xml"],
  ["/blog/feed/", "/feed.xml"],
  ["/?feed=atom", "/atom.xml"],
  ["/?p=1&feed=rss2", "/feed.xml"],
  ["/category/news/world/feed/", "/tag/world/feed.xml"],
  ["/tag/caf%C3%A9/feed/atom/", "/tag/caf%C3%A9/atom.xml"],
  ["/author/jane/feed/", "/jane/feed.xml"],
  // Ghost, Substack
  ["/rss/", "/feed.xml"],
  ["/tag/walks/rss/", "/tag/walks/feed.xml"],
  ["/author/Jane/rss/", "/jane/feed.xml"],
  // Hugo, Zola
  ["/index.xml", "/feed.xml"],
  ["/posts/index.xml", "/feed.xml"],
  ["/tags/walks/index.xml", "/tag/walks/feed.xml"],
  ["/categories/news/atom.xml", "/tag/news/atom.xml"],
  // Jekyll, Eleventy, Astro, Docusaurus
  ["/rss.xml", "/feed.xml"],
  ["/feed/feed.xml", "/feed.xml"],
  ["/feed/feed.json", "/feed.json"],
  ["/feed/by_tag/walks.xml", "/tag/walks/feed.xml"],
  ["/blog/rss.xml", "/feed.xml"],
  ["/blog/atom.xml", "/atom.xml"],
  // Medium
  ["/feed/tagged/walks", "/tag/walks/feed.xml"],
  // Blogger
  ["/feeds/posts/default", "/atom.xml"],
  ["/feeds/posts/default?alt=rss", "/feed.xml"],
  ["/feeds/posts/default/-/Long%20walks", "/tag/long-walks/atom.xml"],
  // The site's own, the comments of a post, and pages
  ["/feed.xml", null],
  ["/tag/walks/feed.xml", null],
  ["/2020/01/a-walk/feed/", null],
  ["/comments/feed/", null],
  ["/jane/feed.xml", null],
  ["/feeding", null],
  ["/tag/%ff/rss/", null],
  // Names that lead to another site or page
  ["/author/%2fevil.example/feed/", null],
  ["/author/%5cevil.example/feed/", null],
  ["/author/x%3Fy/feed/", null],
  ["/author/%00/feed/", null],
  ["/author/%D0%B6/feed/", null],
  ["/tag/%2e%2e/feed/", null],
  [`/${"feed/".repeat(200)}`, null],
])("leads from %s to %s", (address, feed) => {
  expect(feedOfFormerAddress(address)).toBe(feed);
});
