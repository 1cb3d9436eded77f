import { expect, test } from "vitest";
import { ownAddress } from "../../../src/client/app/own-address.ts";
import { matchRoute } from "../../../src/client/app/resolve.ts";
import { notFound } from "../../../src/client/app/routes.ts";

test.each([
  ["/", "/", {}],
  ["//", "/", {}],
  ["/HOME//", "/home", {}],
  ["/blog/owls-by-night", "/blog/:slug", { slug: "owls-by-night" }],
  ["/blog/%C3%BCber/", "/blog/:slug", { slug: "%C3%BCber" }],
  ["/ana", "/:username", { username: "ana" }],
  ["/ana/liked-blogs", "/:username/:tab", { username: "ana", tab: "liked-blogs" }],
])("%s is found at %s", (pathname, path, params) => {
  const found = matchRoute(pathname);
  expect([found.route.path, { ...found.params }]).toEqual([path, params]);
});

test.each(["/feed.xml", "/ana/liked-blogs/more", "/blog/", "/%E0%A4%A", "/blogs"])(
  "no page has the address %s",
  (pathname) => expect(matchRoute(pathname).route).toBe(notFound),
);

test.each([
  ["/home?sort=following&page=2&x=1", "/home?page=2&sort=following"],
  ["/home?sort=likes", "/home?sort=likes"],
  ["/home?sort=oldest&page=1", "/home"],
  ["/tag/owls?sort=following", "/tag/owls"],
])("of the query of %s its page reads %s", (asked, read) => {
  const { url } = ownAddress(new URL(asked, "https://example.org"));
  expect(url.pathname + url.search).toBe(read);
});
