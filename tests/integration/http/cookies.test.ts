import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { paint } from "../../support/pictures.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite } from "../../support/test-site.ts";

const [testSite, ana] = await sharedSiteWith("Ana");
const token = ana.cookie.slice("session=".length);
await ana.api.blogs.create.mutate(aBlog({ title: "Bread" }));

const get = (path: string, cookie?: string, init: RequestInit = {}) =>
  fetch(testSite.url + path, { redirect: "manual", ...init, headers: cookie ? { cookie } : {} });
const isAnasPage = (html: string) => html.includes("Menu of Ana");

/** Each returns whom an entry point takes the sender for. */
const entryPoints: Record<string, (cookie: string) => Promise<string>> = {
  "a page": async (cookie) => {
    const page = await get("/home", cookie);
    expect(page.status).toBe(200);
    return isAnasPage(await page.text()) ? "Ana" : "nobody";
  },
  tRPC: async (cookie) => {
    const { result } = (await (await get("/trpc/users.me", cookie)).json()) as {
      result?: { data: { name: string } | null };
    };
    return result?.data?.name ?? "nobody";
  },
  REST: async (cookie) => {
    const answer = await get("/api/v1/recommended", cookie);
    expect([200, 401]).toContain(answer.status);
    return answer.status === 401 ? "nobody" : "Ana";
  },
  "an upload": async (cookie) => {
    const body = new FormData();
    body.append("file", new Blob([new Uint8Array(await paint())]), "x.png");
    const answer = await fetch(`${testSite.url}/upload`, {
      method: "POST",
      body,
      headers: { cookie, origin: testSite.url },
    });
    expect([200, 401]).toContain(answer.status);
    return answer.ok ? "Ana" : "nobody";
  },
  "a socket": async (cookie) => {
    const socket = new WebSocket(`${testSite.url.replace("http", "ws")}/trpc`, {
      headers: { cookie, origin: testSite.url },
    });
    await once(socket, "open");
    socket.send(
      JSON.stringify({
        id: 1,
        method: "subscription",
        params: { path: "live.follow", input: { topics: ["me"] } },
      }),
    );
    const [reply] = (await once(socket, "message")) as [Buffer];
    socket.terminate();
    return "error" in (JSON.parse(reply.toString()) as object) ? "nobody" : "Ana";
  },
};

test.each([
  ["as the site set it", "session=TOKEN", "Ana"],
  ["among others", "a=1; session=TOKEN; theme=dark", "Ana"],
  ["before another that cannot be decoded", "session=TOKEN; promo=50%", "Ana"],
  ["behind another that cannot be decoded", "promo=50%; session=TOKEN", "Ana"],
  ["behind a name that cannot be decoded", "%E0%A4=1; session=TOKEN", "Ana"],
  ["behind what is no cookie", "; ;;a;=;=x; session=TOKEN;", "Ana"],
  ["with no space and with too many", "a=1;session=TOKEN", "Ana"],
  ["behind a tab", "a=1;\tsession=TOKEN", "Ana"],
  ["before another of the same name", "session=TOKEN; session=nothing", "Ana"],
  ["behind another of the same name", "session=nothing; session=TOKEN", "nobody"],
  ["behind an empty one of the same name", "session=; session=TOKEN", "nobody"],
  ["with a letter of its name encoded", "%73ession=TOKEN", "nobody"],
  ["with its whole name encoded", "%73%65%73%73%69%6F%6E=TOKEN", "nobody"],
  ["with a capital", "Session=TOKEN", "nobody"],
  ["with a longer name", "xsession=TOKEN", "nobody"],
  ["of a secure site", "__Host-session=TOKEN", "nobody"],
  ["inside another's quotes", 'a="1; session=TOKEN"', "nobody"],
  ["in quotes", 'session="TOKEN"', "nobody"],
  ["behind a comma", "a=1, session=TOKEN", "nobody"],
  ["that cannot be decoded", "session=50%", "nobody"],
  ["that is too long", `session=TOKEN${"x".repeat(9_000)}`, "nobody"],
  ["named as what every object has", "__proto__=TOKEN; constructor=TOKEN", "nobody"],
])("resolves a session cookie %s to the same viewer at every entry point", async (_what, pattern, viewer) => {
  const cookie = pattern.replaceAll("TOKEN", token);
  for (const [name, viewerName] of Object.entries(entryPoints))
    expect([name, await viewerName(cookie)]).toEqual([name, viewer]);
  expect(isAnasPage(await (await get("/home")).text())).toBe(false);
});

describe("hides a page rendered for a member from guests", () => {
  test.each([
    ["at another address of it", "/home/?", undefined],
    ["by HEAD", "/home?page=2", "HEAD"],
    ["on the whole address", "/", undefined],
  ])("%s", async (_what, path, method = "GET") => {
    for (const cookie of [`%73ession=${token}`, `session=${token}`]) {
      await get(path, cookie, { method });
      const guests = await get(path);
      expect(isAnasPage(await guests.text())).toBe(false);
    }
  });

  test("while pages of both are rendered concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      await ana.api.users.updateProfile.mutate({ bio: `Round ${round}` });
      const cookies = [undefined, `session=${token}`, `%73ession=${token}`, "session=nothing", undefined];
      const pages = await Promise.all(
        cookies.map(async (cookie) => isAnasPage(await (await get("/home", cookie)).text())),
      );
      expect(pages).toEqual([false, true, false, false, false]);
    }
  });

  test("after the member signs out, and does not cache that response", async () => {
    const eve = await testSite.createAccount("Eve");
    const { cookie } = eve;
    await eve.api.users.signOut.mutate();
    const endedAnswer = await get("/home", cookie);
    expect(endedAnswer.headers.get("cache-control")).toBe("private, no-store");
    expect(await endedAnswer.text()).not.toContain("Menu of Eve");
  });
});

test("parses the theme cookie like the session cookie", async () => {
  for (const [cookie, theme] of [
    ["theme=dark", ' data-theme="dark"'],
    ["promo=50%; theme=light", ' data-theme="light"'],
    ["a=1;theme=dark", ' data-theme="dark"'],
    ["theme=light; theme=dark", ' data-theme="light"'],
    ["th%65me=dark", ""],
    ["theme=%64ark", ""],
    ['theme=dark" onload=x', ""],
    ["theme=__proto__", ""],
  ])
    expect(await (await get("/home", cookie)).text()).toContain(`<html lang="en"${theme}>`);
});

describe("the page cache", () => {
  const etagOf = async (path: string) => (await get(path)).headers.get("etag");

  test("ignores query parameters that the page does not read, and skips other spellings of the path", async () => {
    const etag = await etagOf("/home");
    expect(etag).not.toBeNull();
    for (const query of [
      "?x=1",
      "?utm_source=y&page=1",
      "?sort=latest",
      "?page=01",
      "?page=2x",
      "?%70ag=2",
      "?",
      "?q=2",
    ])
      expect([query, await etagOf(`/home${query}`)]).toEqual([query, etag]);
    expect(await etagOf("/home?sort=likes&x=1")).toBe(await etagOf("/home?sort=likes"));
    expect(await etagOf("/home?sort=likes")).not.toBe(etag);
    for (const path of ["/HOME", "/home/", "/home//", "/Home?sort=likes"]) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get("cache-control")]).toEqual([path, 200, "private, no-store"]);
    }
  });

  test("keeps a page after a thousand requests with other query parameters", async () => {
    const etag = await etagOf("/home");
    for (let round = 0; round < 11; round++)
      await Promise.all(Array.from({ length: 100 }, (_, index) => etagOf(`/home?x=${round}-${index}`)));
    // The ETag would change with another rendering.
    expect(await etagOf("/home")).toBe(etag);
  });

  test.each([
    ["another host", "GET /home HTTP/1.1\r\nhost: evil.example"],
    ["another host before the proxy", "GET /home HTTP/1.1\r\nhost: x\r\nx-forwarded-host: evil.example"],
    ["the whole address", "GET http://evil.example/home HTTP/1.1\r\nhost: evil.example"],
    ["an address with a name", "GET http://a:b@evil.example/home HTTP/1.1\r\nhost: evil.example"],
    ["another scheme", "GET x://evil.example/home HTTP/1.1\r\nhost: evil.example"],
    ["another scheme and no path", "GET x://@evil.example HTTP/1.1\r\nhost: evil.example"],
    ["two slashes", "GET //evil.example/home HTTP/1.1\r\nhost: evil.example"],
  ])("puts no foreign host into a page for a request that names %s", async (_what, head) => {
    await using freshSite = await startTestSite();
    const { port } = new URL(freshSite.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`${head}\r\nconnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 [234]/);
    const guests = await (await fetch(`${freshSite.url}/home`)).text();
    expect(guests).not.toContain("evil.example");
    if (answer.startsWith("HTTP/1.1 200")) expect(answer).not.toContain("evil.example");
  });
});
