import { TRPCClientError } from "@trpc/client";
import { describe, expect, test } from "vitest";
import { failureOf, saveBlog } from "../../../src/client/blogs/form/save.ts";
import { keptText } from "../../../src/client/blogs/form/status.tsx";
import {
  emptyFields,
  isBlank,
  maxLength,
  problemsOf,
  sameFields,
  submitLabel,
  trimmed,
} from "../../../src/client/blogs/form/values.ts";
import { addTags } from "../../../src/client/blogs/form/tags-rules.ts";
import { UploadError } from "../../../src/client/uploads/upload.ts";
import { messages } from "../../../src/shared/errors.ts";
import { doc, img, p } from "./typing.ts";

const json = (node: ReturnType<typeof doc>) => node.toJSON() as ReturnType<typeof emptyFields>["document"];
const ten = Array.from({ length: 10 }, (_, index) => `tag${index}`);

describe("tags", () => {
  test("are trimmed and lowercased; empty ones and duplicates are ignored", () => {
    expect(addTags([], "  React ")).toEqual({ tags: ["react"], rest: "", error: null });
    expect(addTags(["react"], "REACT")).toEqual({ tags: ["react"], rest: "", error: null });
    expect(addTags(["react"], "   ")).toEqual({ tags: ["react"], rest: "", error: null });
  });
  test("the 11th is refused and stays in the box", () => {
    expect(addTags(ten.slice(1), "tenth").error).toBe(null);
    expect(addTags(ten, "eleventh")).toEqual({ tags: ten, rest: "eleventh", error: messages.tagLimit });
    expect(addTags(ten, "tag3")).toEqual({ tags: ten, rest: "", error: null });
  });
  test("several are pasted at once", () => {
    expect(addTags(["a"], "b, C\nd a")).toEqual({ tags: ["a", "b", "c", "d"], rest: "", error: null });
    expect(addTags(ten.slice(2), "one two three four")).toEqual({
      tags: [...ten.slice(2), "one", "two"],
      rest: "three four",
      error: messages.tagLimit,
    });
  });
  test("have at most 30 characters, counted as people do", () => {
    expect(addTags([], "😀".repeat(30)).error).toBe(null);
    expect(addTags([], "a".repeat(31))).toMatchObject({
      tags: [],
      rest: "a".repeat(31),
      error: "A tag has at most 30 characters.",
    });
  });
});

describe("the form", () => {
  test("says what its button does", () => {
    expect(submitLabel({ draft: false, private: false }, false)).toBe("Publish Blog");
    expect(submitLabel({ draft: false, private: true }, false)).toBe("Publish Privately");
    expect(submitLabel({ draft: true, private: true }, false)).toBe("Save as draft");
    expect(submitLabel({ draft: false, private: true }, true)).toBe("Update Blog");
    expect(submitLabel({ draft: true, private: false }, true)).toBe("Save as draft");
  });
  test("asks for a title", () => {
    expect(problemsOf({ title: "  ", description: "" }).title).toBeDefined();
    expect(problemsOf({ title: "a".repeat(150), description: "a".repeat(150) })).toEqual({});
    expect(problemsOf({ title: "a".repeat(151), description: "a".repeat(151) })).toHaveProperty(
      "description",
    );
  });
  test("counts characters, not halves of them", () => {
    expect(maxLength("abc", 150)).toBe(150);
    expect(maxLength("😀😀", 150)).toBe(152);
  });
  test("keeps what is worth keeping", () => {
    expect(isBlank({ ...emptyFields(), draft: true, title: " " })).toBe(true);
    expect(isBlank({ ...emptyFields(), tags: ["a"] })).toBe(false);
    expect(isBlank({ ...emptyFields(), document: json(doc(p(), p(img()))) })).toBe(false);
    expect(isBlank({ ...emptyFields(), document: json(doc(p(), p())) })).toBe(true);
  });
  test("knows whether anything changed", () => {
    expect(sameFields(emptyFields(), emptyFields())).toBe(true);
    expect(sameFields(emptyFields(), { ...emptyFields(), private: true })).toBe(false);
    expect(sameFields(emptyFields(), { ...emptyFields(), document: json(doc(p("a"))) })).toBe(false);
  });
  test("does not store the empty line at the end", () => {
    expect(trimmed(json(doc(p(), p("a"), p(), p())))).toEqual(json(doc(p(), p("a"))));
    expect(trimmed(json(doc(p(), p())))).toEqual(json(doc(p())));
  });
  test("says where what was typed is", () => {
    expect(keptText("saved", true)).toBe("Saved on this device");
    expect(keptText("saving", true)).toBe("Saving…");
    expect(keptText("saved", false)).toMatch(/^Offline/);
    expect(keptText("failed", false)).toMatch(/^Failed/);
  });
});

describe("saving", () => {
  const answered = (code: string, message: string, field?: string) =>
    TRPCClientError.from({
      error: { message, code: -32000, data: { code, ...(field ? { field } : {}) } },
    } as never);

  test("sends everything with the id that was made at the beginning", async () => {
    const fields = { ...emptyFields(), title: "One", tags: ["a"], private: true };
    const cover = { id: "cover", src: "", srcset: "", width: 1, height: 1, color: "#000000" };
    let sent: unknown;
    const answer = await saveBlog(
      "id-1",
      fields,
      async () => cover,
      async (input) => ((sent = input), { slug: "one", version: 1, message: "Done." }),
      messages.blogPost,
    );
    expect(answer).toEqual({ saved: { slug: "one", version: 1, message: "Done." }, cover });
    expect(sent).toEqual({
      id: "id-1",
      title: "One",
      description: "",
      tags: ["a"],
      document: fields.document,
      coverId: "cover",
      draft: false,
      private: true,
    });
  });
  test("does not send a blog whose cover did not arrive", async () => {
    let sent = false;
    const answer = await saveBlog(
      "id",
      emptyFields(),
      () => Promise.reject(new UploadError("lost", "x")),
      async () => ((sent = true), { slug: "", version: 1, message: "" }),
      messages.blogPost,
    );
    expect(answer).toEqual({
      failure: { message: messages.connection, errors: { cover: messages.connection }, why: "refused" },
    });
    expect(sent).toBe(false);
  });
  test("a server that could not be reached is the connection's fault, a broken one is not", () => {
    expect(failureOf(TRPCClientError.from(new TypeError("Failed to fetch")), messages.blogPost).message).toBe(
      messages.connection,
    );
    expect(failureOf(answered("INTERNAL_SERVER_ERROR", "boom"), messages.blogPost).message).toBe(
      "Failed to post blog",
    );
    expect(failureOf(answered("INTERNAL_SERVER_ERROR", "boom"), messages.update).message).toBe(
      "Update failed",
    );
  });
  test("the server's own words go to the field they are about", () => {
    expect(failureOf(answered("BAD_REQUEST", "Too many tags.", "tags"), messages.blogPost)).toEqual({
      message: "Too many tags.",
      errors: { tags: "Too many tags." },
      why: "refused",
    });
    expect(failureOf(answered("BAD_REQUEST", "A bad text.", "document"), messages.blogPost).errors).toEqual({
      content: "A bad text.",
    });
  });
  test("a blog that was changed or deleted elsewhere is told apart from a taken address", () => {
    expect(failureOf(answered("CONFLICT", "Changed.", "version"), messages.update).why).toBe("stale");
    expect(failureOf(answered("NOT_FOUND", "Gone."), messages.update).why).toBe("gone");
    expect(failureOf(answered("CONFLICT", "Taken.", "slug"), messages.update)).toEqual({
      message: "Taken.",
      errors: { address: "Taken." },
      why: "refused",
    });
  });
  test("an ended session is told apart", () => {
    expect(failureOf(answered("UNAUTHORIZED", "Please sign in."), messages.blogPost).why).toBe("signed-out");
    expect(failureOf(new UploadError("signed-out", "Please sign in."), messages.blogPost).why).toBe(
      "signed-out",
    );
  });
});
