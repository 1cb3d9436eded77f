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
  const answered = new Set<string>();
  /** `{names}` in the documented path are replaced by `values`. */
  const ask = async (
    client: ApiClient,
    call: string,
    values: Record<string, string> = {},
    body?: unknown,
  ) => {
    const [method = "", path = ""] = call.split(" ");
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "missing");
    const { status, body: answer } = await client.call(method, filled, body);
    answered.add(`${call.replace(/\?.*/, "")} ${status === 200 ? "granted" : "refused"}`);
    return answer;
  };
  const id = newId();
  const email = "new@example.org";

  await ask(guest, "POST /signup", {}, { name: "New", email, password });
  await ask(guest, "POST /signup", {}, { name: "", email, password });
  await ask(guest, "POST /resend-verification", {}, { email });
  await ask(guest, "POST /resend-verification", {}, { email: "x" });
  const token = await testSite.mailedToken(email, "verify-email");
  for (let times = 0; times < 2; times += 1) await ask(guest, "GET /verify-email/{token}", { token });
  await ask(guest, "POST /forgot-password", {}, { email });
  await ask(guest, "POST /forgot-password");
  const reset = { token: await testSite.mailedToken(email, "reset-password"), password };
  for (let times = 0; times < 2; times += 1) await ask(guest, "POST /reset-password", {}, reset);
  const { user } = await ask(guest, "POST /signin", {}, { email, password });
  await ask(guest, "POST /signin", {}, { email, password: "not this one" });
  await ask(guest, "POST /google-auth", {}, { accessToken: "x" });
  const news = new ApiClient(testSite, user.token);

  const { blog } = await ask(anas, "POST /blogs", {}, blogForm());
  await ask(anas, "POST /blogs", {}, blogForm({ draft: "perhaps" }));
  const [ofBlog, ofNone] = [{ blogId: blog._id }, { blogId: id }];
  await ask(anas, "PATCH /blogs/{blogId}", ofBlog, blogForm({ title: "Another" }));
  await ask(anas, "PATCH /blogs/{blogId}", ofBlog, blogForm({ title: "" }));
  for (const of of [ofBlog, ofNone]) {
    await ask(eves, "POST /blogs/like/{blogId}", of, {});
    await ask(eves, "PATCH /save-blog/{blogId}", of, {});
    await ask(eves, "GET /blogs/{blogId}", of);
  }
  const { comment } = await ask(anas, "POST /blogs/comment/{blogId}", ofBlog, { comment: "Yes." });
  await ask(anas, "POST /blogs/comment/{blogId}", ofBlog, { comment: "" });
  const ofComment = { commentId: comment._id, ...ofBlog };
  await ask(eves, "POST /comment/{commentId}/{blogId}", ofComment, { reply: "No." });
  await ask(eves, "POST /comment/{commentId}/{blogId}", ofComment, {});
  for (const of of [ofComment, { commentId: id }]) {
    await ask(eves, "PATCH /blogs/like-comment/{commentId}", of, {});
    await ask(anas, "PATCH /blogs/edit-comment/{commentId}", of, { updatedCommentContent: "Maybe." });
  }

  await ask(anas, "PUT /user/update-interests", {}, { interests: ["night"] });
  await ask(anas, "PUT /user/update-interests", {}, { interests: "night" });
  await ask(anas, "PATCH /change-saved-liked-blog-visibility", {}, { private: true });
  await ask(anas, "PATCH /change-saved-liked-blog-visibility", {}, { private: "yes" });
  await ask(eves, "PATCH /follow/{userId}", { userId: ana.me.id }, {});
  await ask(eves, "PATCH /follow/{userId}", { userId: eve.me.id }, {});
  await ask(anas, "GET /users/{username}", { username: "ana" });
  await ask(anas, "GET /users/{username}", { username: "nobody" });
  const accept = { requesterId: eve.me.id, action: "accept" };
  await ask(anas, "PATCH /handle-follow-request", {}, accept);
  await ask(anas, "PATCH /handle-follow-request", {}, { ...accept, action: "maybe" });
  await ask(anas, "PATCH /users/{userId}", { userId: ana.me.id }, { bio: "Owls." });
  await ask(anas, "PATCH /users/{userId}", { userId: ana.me.id }, { username: "a" });
  for (const client of [eves, guest]) {
    await ask(client, "GET /recommended");
    await ask(client, "GET /blogs/user/{userId}", { userId: ana.me.id });
  }
  for (const page of [1, 0]) {
    await ask(anas, `GET /blogs?page=${page}`);
    await ask(anas, `GET /search-blogs?search=owls&page=${page}`);
    await ask(anas, `GET /search-users?search=eve&page=${page}`);
  }
  for (let times = 0; times < 2; times += 1) {
    await ask(anas, "DELETE /blogs/comment/{commentId}", ofComment);
    await ask(anas, "DELETE /blogs/{blogId}", ofBlog);
    await ask(news, "DELETE /delete-account");
  }

  for (const client of [eves, guest]) await ask(client, "POST /signout");

  const { body } = await guest.call("GET", "/openapi.json");
  const all = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) =>
      ["granted", "refused"].map((end) => `${method.toUpperCase()} ${path.replace("/api/v1", "")} ${end}`),
    ),
  );
  // The test of Google sign-in has a provider.
  expect(all.filter((one) => !answered.has(one))).toEqual(["POST /google-auth granted"]);
  expect([...answered].filter((one) => !all.includes(one))).toEqual([]);
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
