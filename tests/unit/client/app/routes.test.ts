import { matchRoutes } from "react-router-dom";
import { expect, test } from "vitest";
import { ownAddress } from "../../../../src/client/app/own-address.ts";
import { pageAt, pages } from "../../../../src/client/app/routes.ts";
import { pageIn } from "../../../../src/shared/paging.ts";
import { safeNext } from "../../../../src/shared/routes.ts";

test.each([
  ["/", "/", {}],
  ["//", "/", {}],
  ["/HOME//", "/home", {}],
  ["/blog/owls-by-night", "/blog/:slug", { slug: "owls-by-night" }],
  ["/blog/%C3%BCber/", "/blog/:slug", { slug: "über" }],
  ["/ana", "/:username", { username: "ana" }],
  ["/ana/liked-blogs", "/:username/:tab", { username: "ana", tab: "liked-blogs" }],
])("%s is found at %s", (pathname, path, params) => {
  expect(pageAt(pathname)?.path).toBe(path);
  const routes = pages.map((page) => ({ path: page.path }));
  expect({ ...matchRoutes(routes, pathname)?.at(-1)?.params }).toEqual(params);
});

test.each(["/feed.xml", "/ana/liked-blogs/more", "/blog/", "/blogs"])(
  "no page has the address %s",
  (pathname) => expect(pageAt(pathname)).toBeNull(),
);

test.each([
  ["/tag/Ø?q=ü#x", "/tag/%C3%98?q=%C3%BC#x"],
  ["/search?q=a//b", "/search?q=a//b"],
  ["/.//elsewhere.example", "/home"],
  ["https://elsewhere.example", "/home"],
])("the way back to %s is %s", (next, to) => expect(safeNext(next)).toBe(to));

test("an address that cannot be decoded becomes the name of nobody", () => {
  const { url, isOwn } = ownAddress(new URL("/verify-email/%C3%28", "https://example.org"));
  expect([url.pathname, isOwn]).toEqual(["/%2Fverify-email%2F%25C3%2528", true]);
});

test.each([
  ["/home?sort=following&page=2&x=1", "/home?page=2&sort=following"],
  ["/home?sort=likes", "/home?sort=likes"],
  ["/home?sort=oldest&page=1", "/home"],
  ["/tag/owls?sort=following", "/tag/owls"],
])("of the query of %s its page reads %s", (asked, read) => {
  const { url } = ownAddress(new URL(asked, "https://example.org"));
  expect(url.pathname + url.search).toBe(read);
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
])("the page “%s” of an address is page %d, for the server as for the browser", (page, expected) => {
  const asked = new URL(`/home?${String(new URLSearchParams({ page }))}`, "https://example.org");
  expect([pageIn(asked.searchParams), pageIn(ownAddress(asked).url.searchParams)]).toEqual([
    expected,
    expected,
  ]);
});
