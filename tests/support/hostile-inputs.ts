import Sqlite from "better-sqlite3";
import { expect } from "vitest";
import type { z } from "zod";
import { blogCalls } from "../../src/server/rest/blogs.ts";
import { entryCalls } from "../../src/server/rest/entries.ts";
import { commentCalls } from "../../src/server/rest/comments.ts";
import { isPostgres } from "../../src/server/database/schema/store.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import type { Endpoints } from "../../src/server/rest/endpoints.ts";
import { likeCalls } from "../../src/server/rest/likes.ts";
import { peopleCalls } from "../../src/server/rest/people.ts";
import { accountCalls } from "../../src/server/rest/accounts.ts";
import { ApiClient } from "./api-client.ts";
import { sharedSiteWith } from "./site-with.ts";
import { aBlog, aComment, type TestSite } from "./test-site.ts";

/** The setting of a file's tests: Ana, who also uses the REST API, Eve, and a blog of Ana's with a comment. */
export async function startHostileSetup() {
  const [testSite, ana, eve] = await sharedSiteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const comment = await ana.api.comments.create.mutate(aComment(blog));
  return { testSite, ana, eve, anas: await ApiClient.of(testSite, ana), blog, comment };
}

/** Expects the site to respond and its database to be intact. */
export async function expectIntact({ url, config }: TestSite): Promise<void> {
  const [healthy, ready] = await Promise.all(["/healthz", "/readyz"].map((address) => fetch(url + address)));
  expect([healthy?.status, ready?.status]).toEqual([200, 200]);
  // PostgreSQL lets no reference break, and does not check itself.
  if (isPostgres) return;
  // A connection of its own, since one that was open before others wrote reports false damage in FTS5's tables.
  const store = new Sqlite(config.databaseFile, { readonly: true });
  expect(store.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(store.pragma("foreign_key_check")).toEqual([]);
  store.close();
}

/** Texts with a meaning somewhere: to a database, a search, a page, a shell, a file system, an eye. */
export const texts: Record<string, string> = {
  "right to left": "שלום עולם، مرحبا بالعالم",
  "turned round": "a\u202Egnp.exe\u202C b",
  isolated: "\u2067abc\u2069 def",
  "piled up": "Z\u0351\u036B\u0343\u0303a\u0329\u0321l\u0342\u0300\u0321g\u0300\u0337o",
  "composed and taken apart": "e\u0301 é Å Å ﬁ",
  emoji: "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽 \u{1F9D1}\u200D\u{1F680}",
  "rare letters": "𠜎𠜱𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \u{10FFFD}",
  turkish: "İıIi ẞß",
  SQL: `'; drop table users; -- " or 1=1 /* */ ; \\' %_[]`,
  "a search": `"AND" OR NOT NEAR(a b, 3) title:x ^a* + - {} ( ) "" ' : * ^`,
  "a script": `<script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)>`,
  "an end of a script": `</script></textarea></title></style><!-- --><![CDATA[ ]]>`,
  "an attribute": `" autofocus onfocus="alert(1)" x='y' \`z\``,
  entities: "&amp; &lt;b&gt; &#60; &quot; &nbsp; &",
  "a template": "{{7*7}} ${7*7} <%= 7*7 %> #{7*7} {%raw%}",
  "a shell": "$(id) `id` | id && id > /dev/null ; %s%n%x",
  "a path": "../../../../etc/passwd ..\\..\\x C:\\x file:///etc/passwd",
  "an address": "javascript:alert(1) data:text/html,<b>x</b> //evil.example",
  "a formula": "=cmd|'/c calc'!A0 +1 -1 @SUM(1)",
  "odd words": "null undefined NaN true [object Object] __proto__ constructor",
  "ends of lines elsewhere": "a\u2028b\u2029c\u0085d",
  escapes: "\\u0000 \\n \\x41 %00 %0d%0a %2e%2e",
};
/** The same as entries for `test.each`. */
export const textEntries = Object.entries(texts);
/** Values that a text field receives but the server changes or refuses. */
export const brokenTexts: Record<string, string> = {
  "a null byte": "a\u0000b",
  "other controls": "a\u0007\u001b[31mb\u007f",
  "half a character": "a\ud800b",
  "the other half": "\udc00",
  nothing: "",
  "white space": " \t\r\n\u00a0\u3000 ",
  "nothing to be seen": "\u200b\u200d\ufeff\u2060",
  "a megabyte": "x".repeat(1_000_000),
  "a megabyte of emoji": "👍".repeat(250_000),
  "a pile of a hundred thousand": `o${"\u0301".repeat(100_000)}`,
};
const notTexts: unknown[] = [null, 3, Infinity, -0, true, [], ["x"], {}, { toString: "x" }, { length: 3 }];
const noIds = ["", "1", "x", "x".repeat(2_000), "null", "' or 1=1 --", "../x", "%00", "\u0000"];
const nearlyIds = [newId().toUpperCase(), `${newId()}\n`, `${newId()} `, `{${newId()}}`];

/** The kind of a field, which determines its invalid values. */
export type Kind = "text" | "id" | "flag" | "number" | "place" | "list" | "choice" | "anything";
export const invalidValues: Record<Kind, unknown[]> = {
  text: notTexts,
  id: [...notTexts, ...noIds, ...nearlyIds],
  flag: [null, 0, 1, "true", "", [], {}],
  place: [null, "1", "", true, [], {}, -1, 1.5, -(2 ** 53), 1e300],
  number: [null, "1", "", true, [], {}, 0, -1, 1.5, -(2 ** 53), 1e300],
  list: [null, "x", 3, true, {}, { 0: "x", length: 1 }, [null], [3], [[]], [{}]],
  choice: [...notTexts, "", "other", "__proto__", "toString"],
  anything: [],
};

/** Returns the names of the fields of a value that a schema refuses. */
export function refusedBy(schema: z.ZodType, value: unknown): PropertyKey[] {
  const { error } = schema.safeParse(value);
  return error ? error.issues.map(({ path: [field = ""] }) => field) : [];
}

/** The schemas of a call of /api/v1. */
export type Shapes = Partial<Record<"params" | "query" | "body", z.ZodType>>;

/** Returns the schemas of every call by its name in the OpenAPI document, as in `PATCH /users/{userId}`. */
export function restShapes(): Map<string, Shapes> {
  const shapes = new Map<string, Shapes>();
  const record = (method: string, path: string, call: Shapes) =>
    void shapes.set(`${method} ${path.replace(/:(\w+)/g, "{$1}")}`, call);
  for (const add of [accountCalls, blogCalls, entryCalls, commentCalls, likeCalls, peopleCalls])
    add({ open: record, member: record } as unknown as Endpoints);
  return shapes;
}

export interface Answer {
  status: number;
  message: string;
}

/** Fails unless the response is a success or a refusal with a readable message. */
export async function expectReadableResponse(call: string, response: Response): Promise<Answer> {
  const text = await response.text();
  expect(response.status, `${call} → ${text.slice(0, 300)}`).toBeLessThan(500);
  if (response.ok) return { status: response.status, message: "" };
  const body = JSON.parse(text) as { success?: boolean; message?: string; error?: { message: string } };
  const message = body.error?.message ?? body.message ?? "";
  expect(message, call).not.toBe("");
  expect(text, call).not.toMatch(/node_modules|at .+\.ts:\d+|SQLITE|sqlite|Failed query/);
  expect(text.length, call).toBeLessThan(5_000);
  return { status: response.status, message };
}
