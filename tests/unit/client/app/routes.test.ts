import { matchRoutes } from "react-router-dom";
import { expect, test } from "vitest";
import { canonicalAddress } from "../../../../src/client/app/canonical-address.ts";
import { pageAt, pages } from "../../../../src/client/app/routes.ts";
import { pageInQuery } from "../../../../src/shared/paging.ts";
import { safeNext } from "../../../../src/shared/routes.ts";

test.each([
  ["/", "/", {}],
  ["//", "/", {}],
  ["/HOME//", "/home", {}],
  ["/blog/owls-by-night", "/blog/:slug", { slug: "owls-by-night" }],
  ["/blog/%C3%BCber/", "/blog/:slug", { slug: "über" }],
  ["/ana", "/:username", { username: "ana" }],
  ["/ana/liked-blogs", "/:username/:tab", { username: "ana", tab: "liked-blogs" }],
])("matches %s to the page %s", (pathname, path, params) => {
  expect(pageAt(pathname)?.path).toBe(path);
  const routes = pages.map((page) => ({ path: page.path }));
  expect({ ...matchRoutes(routes, pathname)?.at(-1)?.params }).toEqual(params);
});

test.each(["/feed.xml", "/ana/liked-blogs/more", "/blog/", "/blogs"])("matches no page for %s", (pathname) =>
  expect(pageAt(pathname)).toBeNull(),
);

test.each([
  ["/tag/Ø?q=ü#x", "/tag/%C3%98?q=%C3%BC#x"],
  ["/search?q=a//b", "/search?q=a//b"],
  ["/.//elsewhere.example", "/home"],
  ["https://elsewhere.example", "/home"],
])("turns the return address %s into %s", (next, to) => expect(safeNext(next)).toBe(to));

test("turns an address that cannot be decoded into a username that does not exist", () => {
  const { url, isOwn } = canonicalAddress(new URL("/verify-email/%C3%28", "https://example.org"));
  expect([url.pathname, isOwn]).toEqual(["/%2Fverify-email%2F%25C3%2528", true]);
});

test.each([
  ["/home", true],
  ["/blog/feed", true],
  ["/index.xml", true],
  ["/ana/liked-blogs", true],
  ["/feed/", false],
  ["/Feed/atom", false],
  ["/feed.xml", false],
  ["/2020/01/owls", false],
])("says of %s whether it can be a page: %s", (address, expected) =>
  expect(canonicalAddress(new URL(address, "https://example.org")).canBePage).toBe(expected),
);

test.each([
  ["/home?sort=following&page=2&x=1", "/home?page=2&sort=following"],
  ["/home?sort=likes", "/home?sort=likes"],
  ["/home?sort=oldest&page=1", "/home"],
  ["/tag/owls?sort=following", "/tag/owls"],
])("reduces the query of %s to what its page reads: %s", (address, expected) => {
  const { url } = canonicalAddress(new URL(address, "https://example.org"));
  expect(url.pathname + url.search).toBe(expected);
});

test.each([
  ["2", 2],
  ["99999", 99_999],
  ["0", 1],
  ["-2", 1],
  ["02", 1],
  ["2.5", 1],
  ["1e1", 1],
  [" 2", 1],
  ["100000", 1],
  ["99999999", 1],
  ["next", 1],
])("reads the page “%s” of an address as page %d, on the server and in the browser", (page, expected) => {
  const address = new URL(`/home?${String(new URLSearchParams({ page }))}`, "https://example.org");
  expect([
    pageInQuery(address.searchParams),
    pageInQuery(canonicalAddress(address).url.searchParams),
  ]).toEqual([expected, expected]);
});
