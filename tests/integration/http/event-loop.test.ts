import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { signUpAndSignIn, openBrowser, type SignedInBrowser } from "../../support/browser.ts";
import {
  costlyDocuments,
  costlyForms,
  costlyHtml,
  costlyJson,
  costlyTexts,
} from "../../support/hostile-bodies.ts";
import { rawCalls, insertThread, type RawCalls } from "../../support/raw-calls.ts";
import { startServer, type ServerProcess } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { aBlog, aComment } from "../../support/sample-content.ts";

/* A server in its own process logs every stretch of over 50 ms of its thread's own time (loop-watch.ts), and must log none. */

let folder: string;
let server: ServerProcess;
let ana: SignedInBrowser;
let calls: RawCalls;
let blog: { id: string; slug: string };
let log = "";

const loggedStretches = () =>
  log
    .split("\n")
    .filter((line) => line.includes("requests blocked the event loop"))
    .map((line) => JSON.parse(line) as { milliseconds: number; calls: string[] })
    .map((stretch) => `${stretch.milliseconds} ms: ${stretch.calls.join(", ")}`);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "reprise-test-"));
  server = await startServer(
    { DATA_DIR: folder, LOG_LEVEL: "warn" },
    { onLog: (text) => void (log += text) },
  );
  ana = await signUpAndSignIn(openBrowser(server.url), "Ana", path.join(folder, "outbox"));
  calls = await rawCalls(server.url, ana);
  blog = await ana.api.blogs.create.mutate(aBlog());
  // Loads modules and warms up code, which are not a body's cost.
  await calls.rest("POST", "/blogs", JSON.stringify({ title: "x", content: "<p>x</p>".repeat(5_000) }));
  await calls.form('--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nx\r\n--x--\r\n');
  await ana.api.comments.create.mutate(aComment(blog, { text: "Lovely." }));
  for (let count = 0; count < 3; count++) {
    for (const makeForm of Object.values(costlyForms)) await calls.form(makeForm().slice(0, 200_000));
    await calls.create("{}");
    await ana.api.blogs.search.query({ query: "owls" });
    await fetch(`${server.url}/${ana.me.username}/${blog.slug}`);
    await calls.rest("GET", `/blogs/${blog.slug}`);
  }
});
afterAll(async () => {
  await ana.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Only a stretch in each of three rounds counts, since garbage collection can pause at any time. */
async function expectNoBlocking(send: () => Promise<{ status: number; body: string }>[]): Promise<void> {
  for (let round = 0; round < 3; round++) {
    log = "";
    for (const { status, body } of await Promise.all(send())) {
      expect(status, body.slice(0, 300)).not.toBe(500);
      expect(status, body.slice(0, 300)).toBeLessThan(504);
    }
    // Includes work after the responses.
    for (let index = 0; index < 3; index++) await fetch(`${server.url}/healthz`);
    if (loggedStretches().length === 0) return;
  }
  expect(loggedStretches()).toEqual([]);
}

/** The most expensive body of each kind. `npm test` sends these, `npm run test:more` sends the rest. */
const mostExpensive = new Set([
  "HTML: styles",
  "HTML: tables",
  "a document of as many nodes as are taken",
  "JSON that nobody asks for: keys",
  "a form of ten megabytes of content",
  "twenty searches at once for words",
]);

function testEach(
  kind: string,
  bodies: Record<string, () => string>,
  check: (makeBody: () => string) => Promise<void>,
): void {
  for (const [what, makeBody] of Object.entries(bodies))
    test(`${kind} ${what}`, { tags: mostExpensive.has(`${kind} ${what}`) ? [] : ["more"] }, () =>
      check(makeBody),
    );
}

describe("does not block the event loop:", () => {
  testEach("HTML:", costlyHtml, async (makeHtml) => {
    const html = makeHtml();
    await expectNoBlocking(() => [
      calls.form(
        `--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nx\r\n--x\r\ncontent-disposition: form-data; name="content"\r\n\r\n${JSON.stringify(html)}\r\n--x--\r\n`,
      ),
      calls.rest("POST", "/blogs", JSON.stringify({ title: "x", content: html })),
    ]);
  });

  testEach("a document", costlyDocuments, async (makeDocument) => {
    const document = makeDocument();
    await expectNoBlocking(() => [calls.create(document)]);
    await expectNoBlocking(() => [calls.rest("POST", "/blogs", `{"title":"x","content":${document}}`)]);
    await expectNoBlocking(() => [calls.trpc("blogs.update", `{"id":"${blog.id}","document":${document}}`)]);
  });

  testEach("JSON that nobody asks for:", costlyJson, async (makeJson) => {
    const body = makeJson();
    // One by one: two bodies at once are two requests.
    await expectNoBlocking(() => [calls.trpc("blogs.create", body)]);
    await expectNoBlocking(() => [calls.trpc("comments.create,users.updateSettings?batch=1", body)]);
    await expectNoBlocking(() => [
      calls.rest("POST", "/blogs", body),
      calls.rest("PATCH", `/users/${ana.me.id}`, body),
    ]);
    await expectNoBlocking(() => [calls.rest("POST", "/signup", body)]);
  });

  testEach("a form", costlyForms, async (makeForm) => {
    await expectNoBlocking(() => [calls.form(makeForm())]);
  });

  testEach("twenty searches at once for", costlyTexts.searches, async (makeQuery) => {
    const query = makeQuery().trim();
    await expectNoBlocking(() =>
      Array.from({ length: 20 }, async () => {
        await ana.api.blogs.search.query({ query: query.slice(0, 200) }).catch(() => undefined);
        return { status: 200, body: "" };
      }),
    );
  });

  testEach("a comment of", costlyTexts.comments, async (makeText) => {
    await expectNoBlocking(() => [
      calls.rest("POST", `/blogs/comment/${blog.id}`, JSON.stringify({ comment: makeText() })),
    ]);
  });

  test("the longest tags, names and interests", { tags: ["more"] }, async () => {
    const longTexts = Array.from({ length: 100 }, (_, index) => `${index}${"é".repeat(190)}`);
    await expectNoBlocking(() => [
      calls.create("{}", { tags: longTexts }),
      calls.trpc("users.updateSettings", JSON.stringify({ interests: longTexts })),
      calls.trpc("users.updateProfile", JSON.stringify({ name: "ﷺ".repeat(300), bio: "ﷺ".repeat(1_200) })),
    ]);
  });

  test("large images within HTML and as a profile picture", { tags: ["more"] }, async () => {
    const data = Buffer.alloc(7 * 1024 * 1024, 7).toString("base64");
    const content = JSON.stringify(`<p><img src="data:image/png;base64,${data}"></p>`.repeat(3));
    await expectNoBlocking(() => [
      calls.form(
        `--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nx\r\n--x\r\ncontent-disposition: form-data; name="content"\r\n\r\n${content}\r\n--x--\r\n`,
      ),
    ]);
    await expectNoBlocking(() => [
      calls.rest(
        "PATCH",
        `/users/${ana.me.id}`,
        JSON.stringify({ profilePic: `data:image/png;base64,${data}` }),
      ),
    ]);
  });

  test("a batch of the largest calls", { tags: ["more"] }, async () => {
    const inputs = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        index,
        aBlog({
          document: { type: "doc", content: Array.from({ length: 600 }, () => ({ type: "paragraph" })) },
        }),
      ]),
    );
    const names = Array.from({ length: 20 }, () => "blogs.create").join(",");
    await expectNoBlocking(() => [calls.trpc(`${names}?batch=1`, JSON.stringify(inputs))]);
  });

  test("the deletion of a thread of twenty thousand replies", { tags: ["more"] }, async () => {
    const roots: string[] = [];
    const place = { dataDir: folder, who: ana, blogId: blog.id };
    while (roots.length < 3)
      roots.push(await insertThread(place, { replies: 20_000, text: "So it went on." }));
    await expectNoBlocking(() => [calls.rest("DELETE", `/blogs/comment/${roots.pop()!}`)]);
  });

  test("the longest cookies", { tags: ["more"] }, async () => {
    const cookie = Array.from({ length: 1_500 }, (_, index) => `c${index}=%`)
      .join("; ")
      .slice(0, 14_000);
    await expectNoBlocking(() => [
      fetch(`${server.url}/api/v1/blogs`, { headers: { cookie } }).then(async (answer) => ({
        status: answer.status,
        body: await answer.text(),
      })),
    ]);
  });

  test("reading the largest blog, over REST and in the editor", { tags: ["more"] }, async () => {
    const largeBlog = await ana.api.blogs.create.mutate(
      aBlog({
        id: newId(),
        document: JSON.parse(costlyDocuments["of as many nodes as are taken"]!()) as unknown,
      }),
    );
    await until(async () => (await fetch(`${server.url}/healthz`)).ok);
    await expectNoBlocking(() => [calls.rest("GET", `/blogs/${largeBlog.slug}`)]);
    await expectNoBlocking(() => [
      calls.rest("GET", `/blogs/${largeBlog.slug}`),
      calls.rest("GET", `/blogs/${largeBlog.slug}`),
    ]);
    await expectNoBlocking(() => [
      ana.api.blogs.forEdit.query({ slug: largeBlog.slug }).then(() => ({ status: 200, body: "" })),
    ]);
  });
});
