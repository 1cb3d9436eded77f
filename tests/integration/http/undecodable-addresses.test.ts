import { expect, test } from "vitest";
import { createFolder } from "../../support/import-folder.ts";
import { startServer } from "../../support/server.ts";

/* As a process, since a bundler can drop a call that is made only for its error. */

const malformed = ["%zz", "%", "%E0%A4%A", "%C3%28", "%25zz", "%00"];

/** Each kind of route with `*` for the malformed part. */
const pages = [
  "/*",
  "/*/*",
  "/*/feed.xml",
  "/*/liked-blogs",
  "/tag/*",
  "/tag/*/atom.xml",
  "/blog/*",
  "/blog/*.md",
  "/blog/*/feed.json",
  "/followers/*",
  "/search/*",
  "/search/feed.xml?q=*",
  "/search?q=*&page=*",
  "/home?page=*&sort=*",
  "/edit/*",
  "/signin?next=*",
  "/signin?next=/*",
  "/signup?invitation=*",
  "/verify-email/*",
  "/reset-password/*",
  "/unsubscribe/*",
  "/docs/*",
  "/assets/*",
  "/assets/*.js",
  "/static/*",
  "/card/*",
  "/media/*",
  "/media/*/full.webp",
  "/media/*/full.webp?sig=*",
  "/oembed?url=*",
  "/google/callback?state=*&code=*",
  "/exports/*",
  "/?p=*",
  "/*?p=*",
];
const calls = [
  "/trpc/*",
  "/trpc/blogs.list?input=*",
  "/api/v1/*",
  "/api/v1/blogs/*",
  "/api/v1/search-blogs?query=*",
];

test("answers malformed percent-encoding without a server error, and logs none", async () => {
  await using folder = await createFolder({});
  let log = "";
  const options = { onLog: (text: string) => void (log += text) };
  await using server = await startServer({ DATA_DIR: folder.folder, LOG_LEVEL: "warn" }, options);
  const statuses: Record<string, number> = {};
  for (const route of [...pages, ...calls])
    for (const part of malformed)
      for (const cookie of ["", `session=${part}; theme=${part}; ${part}=x`]) {
        const address = route.replaceAll("*", part);
        const headers = { cookie, referer: `${server.url}/${part}` };
        const { status } = await fetch(server.url + address, { headers, redirect: "manual" });
        if (status >= 500 || (part === "%zz" && /^\/(\*|tag\/\*|blog\/\*)$/.test(route)))
          statuses[address] = status;
      }
  expect(statuses).toEqual({ "/%zz": 404, "/tag/%zz": 404, "/blog/%zz": 404 });
  for (const call of ["/api/v1/blogs/%zz", "/trpc/%zz"])
    expect((await fetch(server.url + call)).status).toBe(400);
  expect(log.split("\n").filter((line) => line.includes('"err"'))).toEqual([]);
});
