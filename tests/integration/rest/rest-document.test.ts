import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { expectDocumented } from "../../support/expect-documented.ts";
import { password, startTestSite } from "../../support/test-site.ts";

/* Responses as /api/v1/openapi.json describes them. The client of all tests checks every response against it. */

test("answers every call as documented, granted and refused", async () => {
  await using testSite = await startTestSite();
  const guest = new ApiClient(testSite);
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const [anas, eves] = [await ApiClient.of(testSite, ana), await ApiClient.of(testSite, eve)];
  const answeredCalls = new Set<string>();
  /** `{names}` in the documented path are replaced by `values`. */
  const callDocumented = async (
    client: ApiClient,
    call: string,
    values: Record<string, string> = {},
    body?: unknown,
  ) => {
    const [method = "", path = ""] = call.split(" ");
    const resolvedPath = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "missing");
    const { status, body: answer } = await client.call(method, resolvedPath, body);
    answeredCalls.add(`${call.replace(/\?.*/, "")} ${status === 200 ? "granted" : "refused"}`);
    return answer;
  };
  const id = newId();
  const email = "new@example.org";

  await callDocumented(guest, "POST /signup", {}, { name: "New", email, password });
  await callDocumented(guest, "POST /signup", {}, { name: "", email, password });
  await callDocumented(guest, "POST /resend-verification", {}, { email });
  await callDocumented(guest, "POST /resend-verification", {}, { email: "x" });
  const token = await testSite.mailedToken(email, "verify-email");
  for (let times = 0; times < 2; times += 1)
    await callDocumented(guest, "GET /verify-email/{token}", { token });
  await callDocumented(guest, "POST /forgot-password", {}, { email });
  await callDocumented(guest, "POST /forgot-password");
  const reset = { token: await testSite.mailedToken(email, "reset-password"), password };
  for (let times = 0; times < 2; times += 1) await callDocumented(guest, "POST /reset-password", {}, reset);
  const { user } = await callDocumented(guest, "POST /signin", {}, { email, password });
  await callDocumented(guest, "POST /signin", {}, { email, password: "not this one" });
  await callDocumented(guest, "POST /google-auth", {}, { accessToken: "x" });
  const newClient = new ApiClient(testSite, user.token);

  const { blog } = await callDocumented(anas, "POST /blogs", {}, blogForm());
  await callDocumented(anas, "POST /blogs", {}, blogForm({ draft: "perhaps" }));
  const [blogIds, missingIds] = [{ blogId: blog._id }, { blogId: id }];
  await callDocumented(anas, "PATCH /blogs/{blogId}", blogIds, blogForm({ title: "Another" }));
  await callDocumented(anas, "PATCH /blogs/{blogId}", blogIds, blogForm({ title: "" }));
  for (const ids of [blogIds, missingIds]) {
    await callDocumented(eves, "POST /blogs/like/{blogId}", ids, {});
    await callDocumented(eves, "PATCH /save-blog/{blogId}", ids, {});
    await callDocumented(eves, "GET /blogs/{blogId}", ids);
  }
  const { comment } = await callDocumented(anas, "POST /blogs/comment/{blogId}", blogIds, {
    comment: "Yes.",
  });
  await callDocumented(anas, "POST /blogs/comment/{blogId}", blogIds, { comment: "" });
  const commentIds = { commentId: comment._id, ...blogIds };
  await callDocumented(eves, "POST /comment/{commentId}/{blogId}", commentIds, { reply: "No." });
  await callDocumented(eves, "POST /comment/{commentId}/{blogId}", commentIds, {});
  for (const ids of [commentIds, { commentId: id }]) {
    await callDocumented(eves, "PATCH /blogs/like-comment/{commentId}", ids, {});
    await callDocumented(anas, "PATCH /blogs/edit-comment/{commentId}", ids, {
      updatedCommentContent: "Maybe.",
    });
  }

  for (const live of [true, "yes"])
    await callDocumented(anas, "PATCH /blogs/{blogId}/live", blogIds, { live });
  const { entry } = await callDocumented(anas, "POST /blogs/{blogId}/entries", blogIds, { title: "Dusk" });
  await callDocumented(anas, "POST /blogs/{blogId}/entries", blogIds, { title: "" });
  for (const ids of [blogIds, missingIds]) await callDocumented(guest, "GET /blogs/{blogId}/entries", ids);
  for (const entryIds of [{ entryId: entry._id }, { entryId: id }])
    for (const call of ["PATCH /entries/{entryId}", "DELETE /entries/{entryId}"])
      await callDocumented(anas, call, entryIds, call.startsWith("PATCH") ? { isKey: true } : undefined);

  await callDocumented(anas, "PUT /user/update-interests", {}, { interests: ["night"] });
  await callDocumented(anas, "PUT /user/update-interests", {}, { interests: "night" });
  await callDocumented(anas, "PATCH /change-saved-liked-blog-visibility", {}, { private: true });
  await callDocumented(anas, "PATCH /change-saved-liked-blog-visibility", {}, { private: "yes" });
  await callDocumented(eves, "PATCH /follow/{userId}", { userId: ana.me.id }, {});
  await callDocumented(eves, "PATCH /follow/{userId}", { userId: eve.me.id }, {});
  await callDocumented(anas, "GET /users/{username}", { username: "ana" });
  await callDocumented(anas, "GET /users/{username}", { username: "nobody" });
  const accept = { requesterId: eve.me.id, action: "accept" };
  await callDocumented(anas, "PATCH /handle-follow-request", {}, accept);
  await callDocumented(anas, "PATCH /handle-follow-request", {}, { ...accept, action: "maybe" });
  await callDocumented(anas, "PATCH /users/{userId}", { userId: ana.me.id }, { bio: "Owls." });
  await callDocumented(anas, "PATCH /users/{userId}", { userId: ana.me.id }, { username: "a" });
  for (const client of [eves, guest]) {
    await callDocumented(client, "GET /recommended");
    await callDocumented(client, "GET /blogs/user/{userId}", { userId: ana.me.id });
  }
  for (const page of [1, 0]) {
    await callDocumented(anas, `GET /blogs?page=${page}`);
    await callDocumented(anas, `GET /search-blogs?search=owls&page=${page}`);
    await callDocumented(anas, `GET /search-users?search=eve&page=${page}`);
  }
  for (let times = 0; times < 2; times += 1) {
    await callDocumented(anas, "DELETE /blogs/comment/{commentId}", commentIds);
    await callDocumented(anas, "DELETE /blogs/{blogId}", blogIds);
    await callDocumented(newClient, "DELETE /delete-account");
  }

  for (const client of [eves, guest]) await callDocumented(client, "POST /signout");

  const { body } = await guest.call("GET", "/openapi.json");
  const all = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) =>
      ["granted", "refused"].map(
        (outcome) => `${method.toUpperCase()} ${path.replace("/api/v1", "")} ${outcome}`,
      ),
    ),
  );
  // The test of Google sign-in has a provider.
  expect(all.filter((one) => !answeredCalls.has(one))).toEqual(["POST /google-auth granted"]);
  expect([...answeredCalls].filter((one) => !all.includes(one))).toEqual([]);
  expect(body.openapi).toMatch(/^3\.1/);
});

test("allows additional fields in the document", async () => {
  await using testSite = await startTestSite();
  const { body } = await new ApiClient(testSite).call("GET", "/openapi.json");
  expect(JSON.stringify(body)).not.toContain(`"additionalProperties":false`);
});

test.each([
  ["lacks a field", 200, { success: true, blogs: [] }],
  ["has a field of another type", 200, { success: true, blogs: [], hasMore: "no" }],
  ["has a field that nobody told of", 200, { success: true, blogs: [], hasMore: false, total: 0 }],
  ["fails in another shape", 404, { error: "Not Found" }],
  ["is of a status that nobody told of", 302, {}],
])("fails on a response that %s", async (_what, status, body) => {
  await using testSite = await startTestSite();
  await expect(
    expectDocumented("GET", { url: `${testSite.url}/api/v1/blogs`, status }, body),
  ).rejects.toThrow("document");
});
