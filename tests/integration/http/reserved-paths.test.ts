import diagnostics from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pages } from "../../../src/client/app/routes.ts";
import { storeAliases } from "../../../src/server/blogs/aliases.ts";
import { isReserved } from "../../../src/shared/reserved-names.ts";
import { Username } from "../../../src/shared/users.ts";
import { aBlog, startTestSite, type TestSite } from "../../support/test-site.ts";

/* Paths of the site itself, from the routes that the server registers. */

let testSite: TestSite;
/** Paths with a name in place of each parameter. */
const served = new Set<string>();

beforeAll(async () => {
  const record = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ url }) => {
      served.add(url.replace(/:\w+(\([^)]*\))?/g, "1"));
    });
  diagnostics.subscribe("fastify.initialization", record);
  testSite = await startTestSite({ METRICS_TOKEN: "a token for metrics" });
  diagnostics.unsubscribe("fastify.initialization", record);
  for (const { path } of pages) served.add(path.replace(/:\w+/g, "1"));
});
afterAll(() => testSite[Symbol.asyncDispose]());

/** The names that a route's first segment has; none where it is a parameter. */
const firstSegments = () =>
  [...served].map((path) => path.split("/")[1] ?? "").filter((name) => !["", "*", "1"].includes(name));

test("refuses every first segment of a route as a username", () => {
  const names = firstSegments();
  expect(names).toEqual(
    expect.arrayContaining([
      "api",
      "feed.json",
      "sitemap.xml",
      "sitemap-1.xml",
      "service-worker.js",
      "metrics",
      "home",
    ]),
  );
  const free = names.filter((name) => !isReserved(name.toLowerCase()) || Username.safeParse(name).success);
  expect(free).toEqual([]);
  for (const name of ["Sitemap-12.xml", "sitemap-people-34.xml", "FEED.JSON"])
    expect(Username.safeParse(name).success, name).toBe(false);
  for (const name of ["sitemapper", "my-sitemap.xml", "feed.jsonx"])
    expect(Username.safeParse(name).success, name).toBe(true);
});

test("refuses aliases at the paths of every route", async () => {
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  // Where there is no blog or person, an alias is found.
  const withoutFallback = [...served].filter(
    (path) => !path.includes("*") && !/^\/(blog\/)?1(\/1)?$/.test(path) && path !== "/",
  );
  expect(withoutFallback).toEqual(
    expect.arrayContaining(["/feed.json", "/1/feed.json", "/sitemap-1.xml", "/blog/1.md", "/healthz"]),
  );
  for (const path of withoutFallback)
    expect(await testSite.write((tx) => storeAliases(tx, id, [path])), path).toEqual([path]);
  const withQuery = ["/feed.json?p=1", "/sitemap-1.xml?p=1", "/home?p=1"];
  expect(await testSite.write((tx) => storeAliases(tx, id, withQuery))).toEqual(withQuery);
  const usable = ["/index.php?p=1", "/2019/feed", "/owls.html", "/1"];
  expect(await testSite.write((tx) => storeAliases(tx, id, usable))).toEqual([]);
});
