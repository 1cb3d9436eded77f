import { parseHTML } from "linkedom";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import { appRouter } from "../../src/server/router.ts";
import { limits } from "../../src/shared/limits.ts";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { paint } from "../support/pictures.ts";
import { aBlog, aComment, paragraphs, password, startTown, type Resident, type Town } from "../support/town.ts";

/*
 * Every field of every procedure and every parameter of every call of /api/v1, and what a person or a program may put into
 * it. bad-input.test.ts is about bodies, batches, documents and uploads; this is about the fields.
 */

let town: Town;
let ana: Resident;
let eve: Resident;
let anas: ApiClient;
let blog: { id: string; slug: string };
let comment: { id: string };

beforeAll(async () => {
  town = await startTown();
  [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  anas = await ApiClient.of(town, ana);
  blog = await ana.api.blogs.create.mutate(aBlog());
  comment = await ana.api.comments.create.mutate(aComment(blog));
});
afterAll(() => town[Symbol.asyncDispose]());

// Whatever was sent: the site serves, and the store is whole.
afterEach(async () => {
  const [healthy, ready] = await Promise.all(
    ["/healthz", "/readyz"].map((address) => fetch(town.url + address)),
  );
  expect([healthy?.status, ready?.status]).toEqual([200, 200]);
  expect(town.rows("pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(town.rows("pragma foreign_key_check")).toEqual([]);
});

/** Texts that mean something somewhere: to a database, a search, a page, a shell, a file system, an eye. */
const texts: Record<string, string> = {
  "right to left": "שלום עולם، مرحبا بالعالم",
  "turned round": "a\u202Egnp.exe\u202C b",
  "isolated": "\u2067abc\u2069 def",
  "piled up": "Z\u0351\u036B\u0343\u0303a\u0329\u0321l\u0342\u0300\u0321g\u0300\u0337o",
  "composed and taken apart": "e\u0301 é Å Å ﬁ",
  "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽 \u{1F9D1}\u200D\u{1F680}",
  "rare letters": "𠜎𠜱𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \u{10FFFD}",
  "turkish": "İıIi ẞß",
  "SQL": `'; drop table users; -- " or 1=1 /* */ ; \\' %_[]`,
  "a search": `"AND" OR NOT NEAR(a b, 3) title:x ^a* + - {} ( ) "" ' : * ^`,
  "a script": `<script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)>`,
  "an end of a script": `</script></textarea></title></style><!-- --><![CDATA[ ]]>`,
  "an attribute": `" autofocus onfocus="alert(1)" x='y' \`z\``,
  "entities": "&amp; &lt;b&gt; &#60; &quot; &nbsp; &",
  "a template": "{{7*7}} ${7*7} <%= 7*7 %> #{7*7} {%raw%}",
  "a shell": "$(id) `id` | id && id > /dev/null ; %s%n%x",
  "a path": "../../../../etc/passwd ..\\..\\x C:\\x file:///etc/passwd",
  "an address": "javascript:alert(1) data:text/html,<b>x</b> //evil.example",
  "a formula": "=cmd|'/c calc'!A0 +1 -1 @SUM(1)",
  "odd words": "null undefined NaN true [object Object] __proto__ constructor",
  "ends of lines elsewhere": "a\u2028b\u2029c\u0085d",
  "escapes": "\\u0000 \\n \\x41 %00 %0d%0a %2e%2e",
};
const voices = Object.entries(texts);
/** What a text field takes but nobody could store as it is, or refuses. */
const broken: Record<string, string> = {
  "a null byte": "a\u0000b",
  "other controls": "a\u0007\u001b[31mb\u007f",
  "half a character": "a\ud800b",
  "the other half": "\udc00",
  "nothing": "",
  "white space": " \t\r\n\u00a0\u3000 ",
  "nothing to be seen": "\u200b\u200d\ufeff\u2060",
  "a megabyte": "x".repeat(1_000_000),
  "a megabyte of emoji": "👍".repeat(250_000),
  "a pile of a hundred thousand": `o${"\u0301".repeat(100_000)}`,
};
const notTexts = [null, 3, 1e400, -0, true, [], ["x"], {}, { toString: "x" }, { length: 3 }];

/** What a field is, which says what is no value for it. */
type Kind = "text" | "id" | "flag" | "number" | "list" | "choice" | "anything";
const wrong: Record<Kind, unknown[]> = {
  text: notTexts,
  id: [...notTexts, "", "x", newId().toUpperCase(), `${newId()}\n`, `{${newId()}}`, "' or 1=1 --", "../x"],
  flag: [null, 0, 1, "true", "", [], {}],
  number: [null, "1", "", true, [], {}, 0, -1, 1.5, -(2 ** 53), 1e300],
  list: [null, "x", 3, true, {}, { 0: "x", length: 1 }, [null], [3], [[]], [{}]],
  choice: [...notTexts, "", "other", "__proto__", "toString"],
  anything: [],
};

interface Answer {
  status: number;
  message: string;
}

/** Everything but a success or a refusal that a person can read fails here. */
async function judged(what: string, response: Response): Promise<Answer> {
  const text = await response.text();
  expect(response.status, `${what} → ${text.slice(0, 300)}`).toBeLessThan(500);
  if (response.ok) return { status: response.status, message: "" };
  const body = JSON.parse(text) as { success?: boolean; message?: string; error?: { message: string } };
  const message = body.error?.message ?? body.message ?? "";
  expect(message, what).not.toBe("");
  expect(text, what).not.toMatch(/node_modules|at .+\.ts:\d+|SQLITE|sqlite/);
  expect(text.length, what).toBeLessThan(5_000);
  return { status: response.status, message };
}

describe("procedures", () => {
  const resumed = { since: "text", lastEventId: "text" } as const;
  /** The fields of each procedure, and values that it takes. */
  const fields: Record<string, Record<string, Kind>> = {
    "blogs.list": { page: "number", sort: "choice" },
    "blogs.byAuthor": { username: "text", tab: "choice", page: "number" },
    "blogs.mine": { page: "number" },
    "blogs.bySlug": { slug: "text" },
    "blogs.card": { id: "id" },
    "blogs.forEdit": { slug: "text" },
    "blogs.create": {
      id: "id",
      title: "text",
      description: "text",
      tags: "list",
      document: "anything",
      coverId: "id",
      draft: "flag",
      private: "flag",
    },
    "blogs.update": {
      id: "id",
      title: "text",
      description: "text",
      tags: "list",
      document: "anything",
      coverId: "id",
      draft: "flag",
      private: "flag",
    },
    "blogs.remove": { id: "id" },
    "blogs.search": { query: "text", page: "number" },
    "blogs.feed": resumed,
    "blogs.live": { blogId: "id", ...resumed },
    "comments.list": { blogId: "id", before: "id", including: "id" },
    "comments.create": { id: "id", blogId: "id", parentId: "id", text: "text" },
    "comments.edit": { id: "id", text: "text" },
    "comments.remove": { id: "id" },
    "comments.like": { id: "id", liked: "flag" },
    "social.likeBlog": { blogId: "id", liked: "flag" },
    "social.saveBlog": { blogId: "id", saved: "flag" },
    "social.follow": { userId: "id", follow: "flag" },
    "social.handleRequest": { requesterId: "id", action: "choice" },
    "social.readNotices": { only: "anything" },
    "social.people": { username: "text", list: "choice", page: "number" },
    "social.removeFollower": { userId: "id" },
    "users.profile": { username: "text" },
    "users.signUp": { name: "text", email: "text", password: "text" },
    "users.verifyEmail": { token: "text" },
    "users.resendVerification": { email: "text" },
    "users.forgotPassword": { email: "text" },
    "users.resetPassword": { token: "text", password: "text" },
    "users.revokeSession": { handle: "text" },
    "users.signIn": { email: "text", password: "text" },
    "users.updateProfile": { name: "text", username: "text", bio: "text", pictureId: "id" },
    "users.updateSettings": {
      private: "flag",
      showLikedBlogs: "flag",
      showSavedBlogs: "flag",
      showFollowers: "flag",
      interests: "list",
    },
    "users.search": { query: "text", page: "number" },
    "users.live": resumed,
  };
  /** Where nothing is a value too. */
  const nullable = new Set([
    "blogs.create coverId",
    "blogs.update coverId",
    "comments.create parentId",
    "users.updateProfile pictureId",
  ]);

  /** An input that is right in every field; ids are nobody's, so that nothing is removed. */
  function right(procedure: string): Record<string, unknown> {
    const known: Record<string, unknown> = {
      "blogId": blog.id,
      "slug": blog.slug,
      "username": ana.me.username,
      "comments.like id": comment.id,
      "comments.edit id": comment.id,
      "blogs.update id": blog.id,
      "sort": "latest",
      "tab": "blogs",
      "list": "followers",
      "action": "accept",
      "email": "nobody@example.org",
      password,
      "document": paragraphs("Owls, mostly."),
      "coverId": null,
      "parentId": null,
      "pictureId": null,
      "users.updateProfile username": "ana",
      "before": undefined,
      "including": comment.id,
      "since": undefined,
      "lastEventId": undefined,
      "only": undefined,
      "userId": eve.me.id,
    };
    const byKind = { text: "text", flag: true, number: 1, list: ["x"], choice: "", anything: undefined };
    return Object.fromEntries(
      Object.entries(fields[procedure]!).map(([name, kind]) => [
        name,
        `${procedure} ${name}` in known
          ? known[`${procedure} ${name}`]
          : name in known
            ? known[name]
            : kind === "id"
              ? newId()
              : byKind[kind],
      ]),
    );
  }

  type Internals = Record<
    string,
    { _def: { type: "query" | "mutation" | "subscription"; inputs: { shape: object }[] } }
  >;
  const procedures = appRouter._def.procedures as unknown as Internals;

  /** Over plain HTTP, with JSON as it is written: the client of the site would not send most of this. */
  async function call(procedure: string, json: string): Promise<Answer> {
    // A sign-in's cookie would make somebody else of the browser.
    const headers = { cookie: ana.cookie, origin: town.url };
    if (procedures[procedure]!._def.type === "mutation")
      return judged(
        `${procedure} ${json.slice(0, 200)}`,
        await fetch(`${town.url}/trpc/${procedure}`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: json,
        }),
      );
    // Longer ones are cut by the parser of HTTP itself.
    if (json.length > 10_000) return { status: 414, message: "" };
    const end = new AbortController();
    const response = await fetch(`${town.url}/trpc/${procedure}?input=${encodeURIComponent(json)}`, {
      headers,
      signal: end.signal,
    });
    if (procedures[procedure]!._def.type !== "subscription" || !response.ok)
      return judged(`${procedure} ${json.slice(0, 200)}`, response);
    end.abort();
    return { status: 200, message: "" };
  }

  const withField = (procedure: string, name: string, value: unknown): string => {
    const text = typeof value === "number" && !Number.isFinite(value) ? "1e400" : JSON.stringify(value);
    const { [name]: _replaced, ...rest } = right(procedure);
    return JSON.stringify({ ...rest, [name]: "\u0001" }).replace(`"\\u0001"`, () => text);
  };

  test("are all here, with all their fields", () => {
    const inputs = Object.entries(procedures).flatMap(([name, { _def }]) =>
      _def.inputs[0] ? [[name, Object.keys(_def.inputs[0].shape).sort()]] : [],
    );
    expect(Object.fromEntries(inputs)).toEqual(
      Object.fromEntries(Object.entries(fields).map(([name, kinds]) => [name, Object.keys(kinds).sort()])),
    );
  });

  const every = Object.entries(fields).flatMap(([procedure, kinds]) =>
    Object.entries(kinds).map(([name, kind]) => ({ procedure, name, kind })),
  );

  test.each(every.filter(({ kind }) => kind !== "anything"))(
    "$procedure refuses what is no $kind as $name",
    async ({ procedure, name, kind }) => {
      for (const value of wrong[kind]) {
        if (value === null && nullable.has(`${procedure} ${name}`)) continue;
        const json = withField(procedure, name, value);
        expect(await call(procedure, json), json.slice(0, 300)).toMatchObject({ status: 400 });
      }
    },
  );

  test.each(every.filter(({ kind }) => kind === "text" || kind === "anything"))(
    "$procedure takes any text as $name, or says what is wrong with it",
    async ({ procedure, name }) => {
      for (const value of [...Object.values(texts), ...Object.values(broken)])
        expect(
          [200, 400, 401, 403, 404, 409, 413, 414],
          `${procedure} ${name} ${value.slice(0, 50)}`,
        ).toContain((await call(procedure, withField(procedure, name, value))).status);
    },
  );

  test.each(Object.keys(fields))("%s has no use for what it does not know", async (procedure) => {
    const extra = `"__proto__":{"isAdmin":true},"isAdmin":true,"authorId":"${eve.me.id}","verifiedAt":1}`;
    const json = JSON.stringify(right(procedure)).replace(/\}$/, (end) => `,${extra}`.slice(0, -1) + end);
    await call(procedure, json.replace("{,", "{"));
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(town.rows("select count(*) as total from users where is_admin = 1")).toEqual([{ total: 1 }]);
  });
});

describe("calls of the API", () => {
  /** Values that each takes; ids are nobody's where something would be removed. */
  const bodies = (): Record<string, Record<string, unknown>> => ({
    "POST /signup": { name: "Nobody", email: "nobody@example.org", password },
    "POST /resend-verification": { email: "nobody@example.org" },
    "POST /forgot-password": { email: "nobody@example.org" },
    "POST /reset-password": { token: "x", password },
    "POST /signin": { email: "nobody@example.org", password },
    "POST /google-auth": { accessToken: "x" },
    "PATCH /users/{userId}": { name: "Ana", username: "ana", bio: "Owls.", profilePic: "" },
    "PATCH /handle-follow-request": { requesterId: newId(), action: "accept" },
    "PATCH /change-saved-liked-blog-visibility": {
      private: false,
      showLikedBlogs: true,
      showSavedBlogs: true,
      showFollowers: true,
      interests: ["x"],
    },
    "PUT /user/update-interests": { interests: ["x"] },
    "POST /blogs/comment/{blogId}": { comment: "Yes." },
    "POST /comment/{commentId}/{blogId}": { reply: "Yes." },
    "PATCH /blogs/edit-comment/{commentId}": { updatedCommentContent: "Yes." },
  });
  const parameters = (call: string): Record<string, string> => ({
    userId: call.startsWith("PATCH /users") ? ana.me.id : eve.me.id,
    username: ana.me.username,
    blogId: call.startsWith("DELETE") ? newId() : blog.id,
    commentId: call.startsWith("DELETE") ? newId() : comment.id,
    token: "x",
  });
  const address = (call: string, change: Record<string, string> = {}): string =>
    call
      .replace(/^\w+ /, "")
      .replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent((change[name] ?? parameters(call)[name] ?? "x").toWellFormed()),
      );

  async function send(call: string, path: string, body?: string, type = "application/json"): Promise<Answer> {
    return judged(
      `${call} ${path.slice(0, 200)} ${body?.slice(0, 200) ?? ""}`,
      await fetch(`${town.url}/api/v1${path}`, {
        method: call.split(" ")[0]!,
        headers: {
          authorization: `Bearer ${anas.token}`,
          ...(body === undefined ? {} : { "content-type": type }),
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
  }

  interface Document {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: { name: string; in: string }[];
          requestBody?: { content: Record<string, { schema: { properties?: object } }> };
        }
      >
    >;
  }
  async function documented() {
    const { paths } = (await (await fetch(`${town.url}/api/v1/openapi.json`)).json()) as Document;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters: named = [], requestBody }]) => ({
        call: `${method.toUpperCase()} ${path.replace("/api/v1", "")}`,
        inPath: named.filter((one) => one.in === "path").map(({ name }) => name),
        inQuery: named.filter((one) => one.in === "query").map(({ name }) => name),
        inBody: Object.keys(requestBody?.content["application/json"]?.schema.properties ?? {}),
      })),
    );
  }

  test("are all here, with all that their bodies hold", async () => {
    const found = (await documented()).filter(({ inBody }) => inBody.length > 0);
    expect(Object.fromEntries(found.map(({ call, inBody }) => [call, inBody.sort()]))).toEqual(
      Object.fromEntries(Object.entries(bodies()).map(([call, body]) => [call, Object.keys(body).sort()])),
    );
    expect([...new Set((await documented()).flatMap(({ inQuery }) => inQuery))].sort()).toEqual([
      "limit",
      "page",
      "search",
      "sort",
    ]);
  });

  test("refuse what is of the wrong type in every field of a body, and what is missing", async () => {
    const optional = /^PATCH \/(users|change)/;
    for (const [call, body] of Object.entries(bodies())) {
      for (const [name, value] of Object.entries(body)) {
        const { [name]: _left, ...rest } = body;
        if (!optional.test(call))
          expect(await send(call, address(call), JSON.stringify(rest)), `${call} without ${name}`).toEqual({
            status: call.includes("google") ? 404 : 400,
            message: expect.any(String),
          });
        const kind: Kind = typeof value === "boolean" ? "flag" : Array.isArray(value) ? "list" : "text";
        for (const other of wrong[kind]) {
          // A picture may be taken away.
          if (name === "profilePic" && other === null) continue;
          const { status } = await send(call, address(call), JSON.stringify({ ...rest, [name]: other }));
          expect(status, `${call} ${name} ${JSON.stringify(other)}`).toBe(call.includes("google") ? 404 : 400);
        }
      }
    }
  });

  test("take any text in a body, or say what is wrong with it", async () => {
    for (const [call, body] of Object.entries(bodies()))
      for (const [name, value] of Object.entries(body))
        if (typeof value === "string")
          await Promise.all(
            [...Object.values(texts), ...Object.values(broken)].map(async (text) =>
              expect(
                [200, 400, 401, 403, 404, 413],
                `${call} ${name} ${text.slice(0, 50)}`,
              ).toContain((await send(call, address(call), JSON.stringify({ ...body, [name]: text }))).status),
            ),
          );
  });

  test("find nothing under an address that is none", async () => {
    const values = [
      ...Object.values(texts),
      "a\u0000b",
      ".",
      "..",
      "../openapi.json",
      "null",
      "undefined",
      "NaN",
      newId(),
      "x".repeat(4_000),
    ];
    for (const { call, inPath } of await documented())
      for (const name of inPath)
        for (const value of values) {
          const path = address(call, { [name]: value });
          // A dot or two are steps in an address.
          if (value === "." || value === "..") continue;
          const body = bodies()[call];
          const { status } = await send(call, path, body && JSON.stringify(body));
          expect([400, 403, 404], `${call} ${name} ${value.slice(0, 50)}`).toContain(status);
        }
  });

  test("refuse a query that is none, one by one, and take the rest of the address with it", async () => {
    const numbers = ["-1", "0", "1.5", "1e1000", "abc", "1;drop", "٣", "[1]", "\u0000", "9".repeat(400)];
    for (const { call, inQuery } of await documented())
      for (const name of inQuery.filter((one) => one === "limit" || one === "page"))
        for (const value of numbers) {
          const { status, message } = await send(call, `${address(call)}?${name}=${encodeURIComponent(value)}`);
          expect(status, `${call} ${name}=${value}`).toBe(400);
          expect(message).toMatch(new RegExp(name));
        }
    for (const query of [
      "sort=",
      "sort=LATEST",
      "sort=likes;--",
      "page=1&page=2",
      "limit=1&limit=2",
      "sort=likes&sort=latest",
      "page[]=1",
      "page[$gt]=1",
    ]) {
      const { status } = await send("GET /blogs", `/blogs?${query}`);
      // What is not asked for by its name is not asked for.
      expect([status, query]).toEqual([query.startsWith("page[") ? 200 : 400, query]);
    }
    for (const query of ["%", "%zz", "%E0%A4%A", "&&&===", "page=1#x", "?page=1", "search=%00"])
      for (const path of ["/blogs", "/search-blogs", "/search-users"])
        expect([200, 400], `${path}?${query}`).toContain((await send("GET", `${path}?${query}`)).status);
  });

  test("give the page beyond every end as an empty one", async () => {
    for (const page of ["99999999", "2147483648", "9007199254740991"])
      for (const path of ["/blogs?", "/blogs?sort=likes&", "/search-blogs?search=owls&", "/search-users?search=ana&"]) {
        const { status, body } = await anas.call("GET", `${path}page=${page}`);
        expect({ status, path, ...body }).toMatchObject({ status: 200, hasMore: false });
        expect(body.blogs ?? body.users, path).toEqual([]);
      }
  });

  test.each(voices)("search for %s", async (_what, text) => {
    for (const path of ["/search-blogs", "/search-users"]) {
      const { status, body } = await anas.call("GET", `${path}?search=${encodeURIComponent(text)}`);
      expect(status).toBe(200);
      expect(body.blogs ?? body.users).toEqual([]);
    }
  });
});
