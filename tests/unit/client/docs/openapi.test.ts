import { describe, expect, test } from "vitest";
import {
  boundsOf,
  callsByTag,
  curlOf,
  fieldsOf,
  schemasOf,
  typeOf,
} from "../../../../src/client/docs/openapi.ts";
import type { Call, OpenApi } from "../../../../src/client/docs/openapi.ts";

const answer = (schema: object) => ({ 200: { content: { "application/json": { schema } } } });
const document: OpenApi = {
  info: { title: "API", version: "1" },
  paths: {
    "/api/v1/signin": {
      post: {
        summary: "Sign in",
        tags: ["Accounts"],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { email: { type: "string" }, remember: { type: "boolean" } },
                required: ["email"],
              },
            },
          },
        },
        responses: answer({ $ref: "#/components/schemas/User" }),
      },
    },
    "/api/v1/blogs": {
      get: {
        summary: "The feed",
        tags: ["Blogs"],
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer", default: 4, minimum: 1, maximum: 50 } },
        ],
        responses: answer({
          type: "object",
          properties: { blogs: { type: "array", items: { $ref: "#/components/schemas/Card" } } },
        }),
      },
    },
    "/api/v1/blogs/{blogId}": {
      delete: {
        summary: "Delete a blog",
        tags: ["Blogs"],
        security: [{ bearer: [] }],
        parameters: [{ name: "blogId", in: "path", required: true, schema: { type: "string" } }],
      },
    },
  },
  components: {
    schemas: {
      User: {
        type: "object",
        properties: { friend: { anyOf: [{ $ref: "#/components/schemas/User" }, { type: "null" }] } },
      },
      Card: { type: "object", properties: { author: { $ref: "#/components/schemas/User" } } },
      Unused: { type: "object" },
    },
  },
};
const calls = callsByTag(document).flatMap((group) => group.calls);
const call = (id: string): Call => calls.find((candidate) => candidate.id === id)!;

describe("the API documentation", () => {
  test("groups calls by tag, in the document's order, and gives each its own address", () => {
    expect(
      callsByTag(document).map(({ tag, calls: tagCalls }) => [tag, tagCalls.map(({ id }) => id)]),
    ).toEqual([
      ["Accounts", ["post-signin"]],
      ["Blogs", ["get-blogs", "delete-blogs-blogId"]],
    ]);
    expect(call("delete-blogs-blogId").needsToken).toBe(true);
    expect(call("get-blogs").needsToken).toBe(false);
  });

  test("describes the schemas that calls use, also recursive ones, and no others", () => {
    expect(schemasOf(document, calls).map(([name]) => name)).toEqual(["Card", "User"]);
  });

  test("writes types as TypeScript does", () => {
    expect(typeOf({ type: ["string", "null"] })).toEqual(["string | null"]);
    expect(typeOf({ enum: ["latest", "likes"] })).toEqual([`"latest" | "likes"`]);
    expect(typeOf({ type: "array", items: { $ref: "#/components/schemas/Card" } })).toEqual([
      { shape: "Card" },
      "[]",
    ]);
    expect(typeOf({ anyOf: [{ $ref: "#/components/schemas/Card" }, { type: "null" }] })).toEqual([
      { shape: "Card" },
      " | ",
      "null",
    ]);
  });

  test("describes the bounds of a value", () => {
    expect(boundsOf({ type: "string", minLength: 8, maxLength: 200 })).toBe(
      "at least 8 characters, at most 200 characters",
    );
    expect(boundsOf({ type: "integer", minimum: 1, maximum: 50, default: 4 })).toBe(
      "1 to 50, 4 where it is missing",
    );
    expect(boundsOf({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).toBe("from 1");
  });

  test("shows the fields of a list's items", () => {
    const schema = {
      type: "array",
      items: { type: "object", properties: { _id: { type: "string" } }, required: ["_id"] },
    };
    expect(fieldsOf(schema)).toEqual([{ name: "_id", schema: { type: "string" }, isOptional: false }]);
  });

  test("gives curl examples that a shell takes as they are", () => {
    expect(curlOf(call("get-blogs"), "https://a.example")).toBe(
      "curl 'https://a.example/api/v1/blogs?limit=4'",
    );
    expect(curlOf(call("post-signin"), "https://a.example")).toBe(
      `curl -X POST 'https://a.example/api/v1/signin' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"email":"ana@example.org","remember":true}'`,
    );
    expect(curlOf(call("delete-blogs-blogId"), "https://a.example")).toBe(
      `curl -X DELETE 'https://a.example/api/v1/blogs/BLOG_ID' \\\n  -H "Authorization: Bearer $TOKEN"`,
    );
  });
});
