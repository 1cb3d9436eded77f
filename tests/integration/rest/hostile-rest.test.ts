import { afterEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { expectDocumented } from "../../support/expect-documented.ts";
import {
  brokenTexts,
  expectIntact,
  expectReadableResponse,
  refusedBy,
  restShapes,
  startHostileSetup,
  texts,
  invalidValues,
  type Answer,
  type Kind,
} from "../../support/hostile-inputs.ts";
import { password } from "../../support/test-site.ts";

/*
 * Hostile values for every parameter of every call of /api/v1. Values that a schema refuses are tried on the schema, and one
 * request shows the response.
 */

const { testSite, ana, eve, anas, blog, comment } = await startHostileSetup();
afterEach(() => expectIntact(testSite));

/** Names that every object inherits. */
const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

describe("calls of the API", () => {
  /** Valid bodies; ids in them are unknown. */
  const bodies = (): Record<string, Record<string, unknown>> => ({
    "POST /signup": {
      name: "Nobody",
      email: "nobody@example.org",
      password,
      invitation: "none",
      contact_url: "",
      answer: "",
    },
    "POST /resend-verification": { email: "nobody@example.org" },
    "POST /forgot-password": { email: "nobody@example.org" },
    "POST /reset-password": { token: "x", password },
    "POST /signin": { name: "", email: "nobody@example.org", password, code: "123456" },
    "POST /google-auth": { accessToken: "x", code: "123456" },
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
    "PATCH /blogs/{blogId}/live": { live: true, summary: ["Yes."] },
  });
  const parameters = (call: string): Record<string, string> => ({
    userId: call.startsWith("PATCH /users") ? ana.me.id : eve.me.id,
    username: ana.me.username,
    blogId: call.startsWith("DELETE") ? newId() : blog.id,
    commentId: call.startsWith("DELETE") ? newId() : comment.id,
    entryId: newId(),
    token: "x",
  });
  const address = (call: string, change: Record<string, string> = {}): string =>
    call
      .replace(/^\w+ /, "")
      .replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent((change[name] ?? parameters(call)[name] ?? "x").toWellFormed()),
      );

  const shapes = restShapes();
  const bodyOf = (call: string) => shapes.get(call)!.body!;

  async function send(call: string, path: string, body?: string, type = "application/json"): Promise<Answer> {
    const method = call.split(" ")[0]!;
    const response = await fetch(`${testSite.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${anas.token}`,
        ...(body === undefined ? {} : { "content-type": type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    await expectDocumented(method, response, await response.clone().json());
    return expectReadableResponse(`${call} ${path.slice(0, 200)} ${body?.slice(0, 200) ?? ""}`, response);
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
    const { paths } = (await (await fetch(`${testSite.url}/api/v1/openapi.json`)).json()) as Document;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters: named = [], requestBody }]) => ({
        call: `${method.toUpperCase()} ${path.replace("/api/v1", "")}`,
        inPath: named.filter((one) => one.in === "path").map(({ name }) => name),
        inQuery: named.filter((one) => one.in === "query").map(({ name }) => name),
        inBody: Object.keys(requestBody?.content["application/json"]?.schema.properties ?? {}),
      })),
    );
  }

  test("covers every documented call with a body, all of its fields and all query parameters", async () => {
    // Without a password this call deletes the account; delete-account.test.ts tests it.
    const withBody = (await documented()).filter(
      ({ call, inBody }) => inBody.length > 0 && call !== "DELETE /delete-account",
    );
    expect(Object.fromEntries(withBody.map(({ call, inBody }) => [call, inBody.sort()]))).toEqual(
      Object.fromEntries(Object.entries(bodies()).map(([call, body]) => [call, Object.keys(body).sort()])),
    );
    expect([...new Set((await documented()).flatMap(({ inQuery }) => inQuery))].sort()).toEqual([
      "after",
      "limit",
      "order",
      "page",
      "search",
      "sort",
    ]);
  });

  test("refuses a wrong type in every field of a body, and a missing field", async () => {
    const optional =
      /^PATCH \/(users|change|blogs\/\{blogId\}\/live)|^POST \/signin name|^POST \/\S+ (code|invitation|contact_url|answer)/;
    for (const [call, body] of Object.entries(bodies())) {
      const refusedFields = (sent: object) => refusedBy(bodyOf(call), JSON.parse(JSON.stringify(sent)));
      for (const [name, value] of Object.entries(body)) {
        const { [name]: _left, ...rest } = body;
        if (!optional.test(`${call} ${name}`))
          expect(refusedFields(rest), `${call} without ${name}`).toContain(name);
        const kind: Kind = typeof value === "boolean" ? "flag" : Array.isArray(value) ? "list" : "text";
        for (const other of invalidValues[kind]) {
          // `null` removes the picture.
          if (name === "profilePic" && JSON.stringify(other) === "null") continue;
          expect(refusedFields({ ...rest, [name]: other }), `${call} ${JSON.stringify(other)}`).toContain(
            name,
          );
        }
      }
      const [name = ""] = Object.keys(body);
      const answer = await send(call, address(call), JSON.stringify({ ...body, [name]: {} }));
      expect([call, answer]).toEqual([call, { status: 400, message: expect.any(String) }]);
    }
  });

  test("accepts any text in a body or answers with a client error", async () => {
    // A worker thread parses so long a body before the schema sees it, so one is sent per call.
    const isLong = (text: string) => text.length > 50_000;
    // An invalid value of these ends the call before other fields are read. hostile-fields.test.ts tries each field alone.
    const ownGroupFields = ["contact_url", "profilePic"];
    for (const [call, body] of Object.entries(bodies())) {
      const names = Object.keys(body).filter((name) => typeof body[name] === "string");
      const accepts = (name: string, text: string) =>
        refusedBy(bodyOf(call), { ...body, [name]: text }).length === 0;
      const groups = [
        names.filter((name) => !ownGroupFields.includes(name)),
        ...ownGroupFields.map((name) => [name]),
      ];
      for (const group of groups.map((one) => one.filter((name) => names.includes(name))))
        await Promise.all(
          [...Object.values(texts), ...Object.values(brokenTexts)].map(async (text) => {
            const accepted = group.filter((name, index) =>
              isLong(text) ? index === 0 : accepts(name, text),
            );
            if (accepted.length === 0) return;
            const json = JSON.stringify({
              ...body,
              ...Object.fromEntries(accepted.map((name) => [name, text])),
            });
            const { status } = await send(call, address(call), json);
            expect([200, 400, 401, 403, 404, 413], `${call} ${json.slice(0, 200)}`).toContain(status);
          }),
        );
    }
  });

  test("refuses unknown fields by name, and changes neither accounts nor Object.prototype", async () => {
    const userRows = () =>
      testSite.rows(
        "select id, email, is_admin, verified_at, created_at from users where email <> 'nobody@example.org'",
      );
    const [before, parts] = [userRows(), Object.getOwnPropertyNames(Object.prototype)];
    const unknown = {
      isAdmin: true,
      id: eve.me.id,
      _id: eve.me.id,
      authorId: eve.me.id,
      email: "x@example.org",
      verifiedAt: 1,
    };
    const poison = { prototype: { isAdmin: true }, isAdmin: true };
    const noSuchField = (name: string) => `There is no field “${name}” here. Please leave it out.`;
    for (const [call, body] of Object.entries(bodies())) {
      for (const name of [...Object.keys(unknown), ...inherited.slice(1)].filter(
        (one) => !Object.hasOwn(body, one),
      )) {
        const { error } = bodyOf(call).safeParse({ ...body, [name]: poison });
        expect([call, error?.issues[0]?.message]).toEqual([call, noSuchField(name)]);
      }
      expect(await send(call, address(call), JSON.stringify({ ...body, isAdmin: poison }))).toEqual({
        status: 400,
        message: noSuchField("isAdmin"),
      });
    }
    // All calls share one JSON parser, so two are enough.
    for (const call of ["POST /signup", "PATCH /users/{userId}"])
      for (const name of ["__proto__", "\\u005f_proto__", "__pro\\u0074o__"])
        for (const json of [
          JSON.stringify({ here: poison, ...bodies()[call] }),
          JSON.stringify({ here: bodies()[call] }),
          JSON.stringify({ ...bodies()[call], deep: [{ here: poison }] }),
        ]) {
          const { status } = await send(call, address(call), json.replace("here", name));
          expect([call, name, status]).toEqual([call, name, 400]);
        }
    expect(userRows()).toEqual(before);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(parts);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test.each(inherited)("treats %s as an ordinary word", async (name) => {
    const blogOf = (content: string) =>
      anas.call("POST", "/blogs", { title: name, content, tags: JSON.stringify([name]) });
    const created = await blogOf(JSON.stringify(`<p>${name}</p>`));
    expect(created.status).toBe(200);
    const { blog: stored } = (await anas.call("GET", `/blogs/${created.body.blog.blogId}`)).body;
    expect([stored.title, stored.tags, stored.content]).toEqual([
      name,
      [name.toLowerCase()],
      `<p>${name}</p>`,
    ]);
    expect((await anas.call("PUT", "/user/update-interests", { interests: [name] })).status).toBe(200);
    expect((await anas.call("GET", "/recommended")).status).toBe(200);
    expect((await anas.call("GET", `/search-blogs?search=${name}`)).body.blogs).toHaveLength(1);
  });

  test("answers an invalid path parameter with 400, 403 or 404", async () => {
    const values = [
      ...Object.values(texts),
      "a\u0000b",
      "../openapi.json",
      "null",
      "undefined",
      "NaN",
      ...inherited,
      newId(),
      "x".repeat(4_000),
    ];
    for (const { call, inPath } of await documented())
      for (const name of inPath) {
        const params = shapes.get(call)!.params!;
        const isRefused = (value: string) =>
          refusedBy(params, { ...parameters(call), [name]: value }).length > 0;
        const refusedValues = values.filter(isRefused);
        for (const value of values.filter(
          (one) => !isRefused(one) || one === refusedValues[0] || one === refusedValues.at(-1),
        )) {
          const body = bodies()[call];
          const { status } = await send(call, address(call, { [name]: value }), body && JSON.stringify(body));
          expect([400, 403, 404], `${call} ${name} ${value.slice(0, 50)}`).toContain(status);
        }
      }
  });

  test("refuses invalid values of query parameters, and ignores unknown parameters", async () => {
    const numbers = ["-1", "0", "1.5", "1e1000", "abc", "1;drop", "٣", "[1]", "\u0000", "9".repeat(400)];
    for (const { call, inQuery } of await documented())
      for (const name of inQuery.filter((one) => one === "limit" || one === "page")) {
        for (const value of numbers)
          expect(refusedBy(shapes.get(call)!.query!, { [name]: value }), `${call} ${value}`).toContain(name);
        const { status, message } = await send(call, `${address(call)}?${name}=-1`);
        expect([call, status, message]).toEqual([call, 400, expect.stringContaining(name)]);
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
      ...inherited.map((name) => `${name}=1`),
      "__proto__[page]=2",
    ]) {
      const { status } = await send("GET /blogs", `/blogs?${query}`);
      // Unknown parameters are ignored.
      expect([status, query]).toEqual([/^(page|sort|limit)=/.test(query) ? 400 : 200, query]);
    }
    for (const query of ["%", "%zz", "%E0%A4%A", "&&&===", "page=1#x", "?page=1", "search=%00"])
      for (const path of ["/blogs", "/search-blogs", "/search-users"])
        expect([200, 400], `${path}?${query}`).toContain((await send("GET", `${path}?${query}`)).status);
  });

  test("returns an empty page beyond the end", async () => {
    for (const page of ["99999999", "2147483648", "9007199254740991"])
      for (const path of [
        "/blogs?",
        "/blogs?sort=likes&",
        "/search-blogs?search=owls&",
        "/search-users?search=ana&",
      ]) {
        const { status, body } = await anas.call("GET", `${path}page=${page}`);
        expect({ status, path, ...body }).toMatchObject({ status: 200, hasMore: false });
        expect(body.blogs ?? body.users, path).toEqual([]);
      }
  });

  test("answers a search for any text with 200 and no results", async () => {
    for (const text of Object.values(texts))
      for (const path of ["/search-blogs", "/search-users"]) {
        const { status, body } = await anas.call("GET", `${path}?search=${encodeURIComponent(text)}`);
        expect(status).toBe(200);
        expect(body.blogs ?? body.users).toEqual([]);
      }
  });
});
