import { TRPCClientError } from "@trpc/client";
import { describe, expect, test } from "vitest";
import { saveFailureOf } from "../../../../src/client/writing/form/save-failure.ts";
import { unsentReason } from "../../../../src/client/writing/form/use-submit.ts";
import { classifyError } from "../../../../src/client/writing/draft-server.ts";
import { saveStatusText } from "../../../../src/client/writing/form/save-status.tsx";
import {
  audienceOfFields,
  maxLength,
  validateFields,
  busySubmitLabel,
  submitLabel,
} from "../../../../src/client/writing/form/blog-fields.ts";
import {
  emptyFields,
  isBlank,
  sameFields,
  blogIntentOf,
  toFormFields,
} from "../../../../src/client/writing/draft-fields.ts";
import { addTags, hasSeparator } from "../../../../src/client/writing/form/tags-rules.ts";
import { UploadError } from "../../../../src/client/uploads/upload.ts";
import { trimDocument } from "../../../../src/shared/document/trim-document.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { newDraftFields } from "../../../../src/shared/drafts.ts";
import { messages } from "../../../../src/shared/errors.ts";
import { dotTag } from "../../../../src/shared/tags.ts";
import { doc, img, p } from "../editor/typing.ts";

const json = (node: ReturnType<typeof doc>) => node.toJSON() as ReturnType<typeof emptyFields>["document"];
const ten = Array.from({ length: 10 }, (_, index) => `tag${index}`);

describe("tags", () => {
  test("are trimmed and lowercased; empty ones and duplicates are ignored", () => {
    expect(addTags([], "  React ")).toEqual({ tags: ["react"], rest: "", error: null });
    expect(addTags(["react"], "REACT")).toEqual({ tags: ["react"], rest: "", error: null });
    expect(addTags(["react"], "   ")).toEqual({ tags: ["react"], rest: "", error: null });
  });
  test("lose the # before them", () => {
    expect(addTags(["owls"], "#Gardening ＃café ##owls # c#").tags).toEqual([
      "owls",
      "gardening",
      "café",
      "c#",
    ]);
  });
  test("the 11th is refused and stays in the box", () => {
    expect(addTags(ten.slice(1), "tenth").error).toBe(null);
    expect(addTags(ten, "eleventh")).toEqual({ tags: ten, rest: "eleventh", error: messages.tagLimit });
    expect(addTags(ten, "tag3")).toEqual({ tags: ten, rest: "", error: null });
  });
  test("of one or two dots are refused and stay in the box", () => {
    for (const text of [".", ".."])
      expect(addTags(["owls"], text)).toEqual({ tags: ["owls"], rest: text, error: dotTag });
    expect(addTags([], "... .net")).toEqual({ tags: ["...", ".net"], rest: "", error: null });
  });
  test("are separated by spaces, semicolons and the commas of each script", () => {
    for (const sign of [",", "，", "、", "،", ";", "；", " "]) {
      expect(hasSeparator(`owls${sign}`), sign).toBe(true);
      expect(addTags([], `owls${sign}`)).toEqual({ tags: ["owls"], rest: "", error: null });
    }
    for (const text of ["", "owls", "c++", "c#", "node.js", "day-trip"])
      expect(hasSeparator(text)).toBe(false);
    expect(addTags(["owls"], ",")).toEqual({ tags: ["owls"], rest: "", error: null });
  });
  test("can be pasted several at once, up to the limit", () => {
    for (const text of ["b, C\nd a", "b,c;d", " b、c d "])
      expect(addTags(["a"], text)).toEqual({ tags: ["a", "b", "c", "d"], rest: "", error: null });
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
      error: "A tag can have up to 30 characters.",
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
    const later = { at: "2026-11-24T08:00:00.000Z", zone: "UTC" };
    expect(submitLabel({ draft: false, private: true, later }, true)).toBe("Schedule");
  });

  test("says on its button what is being done", () => {
    const later = { at: "2026-11-24T08:00:00.000Z", zone: "UTC" };
    expect(busySubmitLabel({ draft: false, later: null }, false)).toBe("Publishing…");
    expect(busySubmitLabel({ draft: false, later: null }, true)).toBe("Updating…");
    expect(busySubmitLabel({ draft: true, later: null }, true)).toBe("Saving…");
    expect(busySubmitLabel({ draft: true, later }, true)).toBe("Scheduling…");
  });
  test("shows a scheduled draft as one that is published later, with its audience", () => {
    const schedule = { at: "2026-11-24T08:00:00.000Z", zone: "Europe/Berlin" };
    const shown = (change: Parameters<typeof blogIntentOf>[0]["schedule"]) =>
      toFormFields(
        { ...newDraftFields(), private: true },
        null,
        blogIntentOf({ isUnsaved: false, isDraft: true, schedule: change }),
      );
    expect(shown(schedule)).toMatchObject({ draft: false, private: true, later: schedule });
    expect(audienceOfFields(shown(schedule))).toBe("nobody");
    expect(sameFields(shown(schedule), shown(null))).toBe(false);
    expect(shown(null)).toMatchObject({ draft: true, later: null });
    // The same moment in another time zone is no change, another moment is.
    const moved = { ...schedule, zone: "America/New_York" };
    expect(sameFields(shown(schedule), shown(moved))).toBe(true);
    const later = { ...schedule, at: "2026-11-24T09:00:00.000Z" };
    expect(sameFields(shown(schedule), shown(later))).toBe(false);
  });
  test("requires a title and limits the description", () => {
    expect(validateFields({ title: "  ", description: "" }).title).toBeDefined();
    expect(validateFields({ title: "a".repeat(150), description: "a".repeat(150) })).toEqual({});
    expect(validateFields({ title: "a".repeat(151), description: "a".repeat(151) })).toHaveProperty(
      "description",
    );
  });
  test("counts characters, not UTF-16 units", () => {
    expect(maxLength("abc", 150)).toBe(150);
    expect(maxLength("😀😀", 150)).toBe(152);
  });
  test("is blank only without any content", () => {
    expect(isBlank({ ...emptyFields(), draft: true, title: " " })).toBe(true);
    expect(isBlank({ ...emptyFields(), tags: ["a"] })).toBe(false);
    expect(isBlank({ ...emptyFields(), document: json(doc(p(), p(img()))) })).toBe(false);
    const formula = schema.nodes.formula.create({ tex: "x" });
    const card = schema.nodes.embed.create({ href: "https://vimeo.com/12345" });
    expect(isBlank({ ...emptyFields(), document: json(doc(p(formula))) })).toBe(false);
    expect(isBlank({ ...emptyFields(), document: json(doc(card, p())) })).toBe(false);
    expect(isBlank({ ...emptyFields(), document: json(doc(p(), p())) })).toBe(true);
  });
  test("detects whether anything changed", () => {
    expect(sameFields(emptyFields(), emptyFields())).toBe(true);
    expect(sameFields(emptyFields(), { ...emptyFields(), private: true })).toBe(false);
    expect(sameFields(emptyFields(), { ...emptyFields(), document: json(doc(p("a"))) })).toBe(false);
  });
  test("does not store empty lines at the end", () => {
    expect(trimDocument(json(doc(p(), p("a"), p(), p())))).toEqual(json(doc(p(), p("a"))));
    expect(trimDocument(json(doc(p(), p())))).toEqual(json(doc(p())));
    const notes = { type: "footnotes", content: [] };
    expect(trimDocument({ type: "doc", content: [json(p("a")), json(p()), notes] }).content).toEqual([
      json(p("a")),
      notes,
    ]);
  });
  test("says where the typed text is saved", () => {
    const saved = { name: "saved" } as const;
    expect(saveStatusText(saved, "idle", false)).toBe("");
    expect(saveStatusText(saved, "idle", true)).toBe("Saved");
    // The server has it, so it does not matter whether this device could save it.
    expect(saveStatusText(saved, "failed", true)).toBe("Saved");
    expect(saveStatusText({ name: "saving" }, "saving", true)).toBe("Saving…");
    expect(saveStatusText({ name: "offline" }, "saved", true)).toBe("Offline: saved on this device");
    expect(saveStatusText({ name: "troubled" }, "saved", true)).toBe(
      "Server problem. Saved on this device, retrying",
    );
    expect(saveStatusText({ name: "busy" }, "saved", true)).toBe(
      "Server busy. Saved on this device, retrying",
    );
    expect(saveStatusText({ name: "failed", reason: "Too long." }, "saved", true)).toBe(
      "Couldn’t save: Too long.",
    );
    for (const name of ["signed-out", "gone", "ended", "lost", "old"] as const)
      expect(saveStatusText({ name }, "saved", true)).toBe("Saved on this device");
    for (const name of ["offline", "troubled", "busy", "signed-out", "gone", "ended", "lost", "old"] as const)
      expect(saveStatusText({ name }, "failed", true)).toBe("Failed to save on this device");
    // Not yet saved on this device.
    for (const name of ["offline", "troubled", "busy", "signed-out"] as const)
      expect(saveStatusText({ name }, "saving", true)).toBe("Saving…");
  });
});

describe("saving", () => {
  const answered = (code: string, message: string, field?: string) =>
    TRPCClientError.from({
      error: { message, code: -32000, data: { code, ...(field ? { field } : {}) } },
    } as never);

  test("reports a lost cover as a connection problem, and a refused one with the server's reason", () => {
    expect(saveFailureOf(new UploadError("lost", "x"), messages.blogPost)).toEqual({
      message: messages.connection,
      errors: { cover: messages.connection },
      kind: "refused",
    });
    expect(saveFailureOf(new UploadError("refused", "Too large."), messages.blogPost).errors).toEqual({
      cover: "Too large.",
    });
  });
  test("is retried where that may help, and otherwise gives the reason", () => {
    const classify = (code: string, data: object = {}) =>
      classifyError(Object.assign(new Error("Why."), { data: { code, ...data } }));
    expect(classifyError(TRPCClientError.from(new TypeError("Failed to fetch")))).toBe("offline");
    // The browser is online: the server, or a proxy before it, has failed.
    expect(classify("INTERNAL_SERVER_ERROR")).toBe("troubled");
    const page = new SyntaxError("Unexpected token <");
    expect(classifyError(TRPCClientError.from(page))).toBe("troubled");
    expect(classify("SERVICE_UNAVAILABLE")).toBe("busy");
    expect(classify("TOO_MANY_REQUESTS", { retryAfter: 3 })).toBe("busy");
    // A wait until tomorrow is reported.
    expect(classify("TOO_MANY_REQUESTS", { retryAfter: 30_000 })).toEqual({ reason: "Why." });
    expect(classify("BAD_REQUEST")).toEqual({ reason: "Why." });
    expect(classify("PAYLOAD_TOO_LARGE")).toEqual({ reason: "Why." });
    expect(classify("UNAUTHORIZED")).toBe("signed-out");
    expect(classify("FORBIDDEN")).toBe("ended");
    expect(classify("NOT_FOUND")).toBe("gone");
    expect(classify("CONFLICT", { field: "schema" })).toBe("old");
    expect(classify("CONFLICT", { field: "number" })).toBe("number");
  });
  test("reports an unreachable server as a connection problem, but not a broken one", () => {
    expect(
      saveFailureOf(TRPCClientError.from(new TypeError("Failed to fetch")), messages.blogPost).message,
    ).toBe(messages.connection);
    expect(saveFailureOf(answered("INTERNAL_SERVER_ERROR", "boom"), messages.blogPost).message).toBe(
      "Failed to post blog",
    );
    expect(saveFailureOf(answered("INTERNAL_SERVER_ERROR", "boom"), messages.update).message).toBe(
      "Update failed",
    );
  });
  test("reports an update that cannot reach the server as a failed update", () => {
    const lost = TRPCClientError.from(new TypeError("Failed to fetch"));
    expect(saveFailureOf(lost, messages.update).message).toBe("Update failed");
    // Also where the text is what did not arrive.
    expect(unsentReason({ name: "offline" }, messages.update)).toBe("Update failed");
    expect(unsentReason({ name: "offline" }, messages.blogPost)).toBe(messages.connection);
  });
  test("shows the server's message at the field it is about", () => {
    expect(saveFailureOf(answered("BAD_REQUEST", "Too many tags.", "tags"), messages.blogPost)).toEqual({
      message: "Too many tags.",
      errors: { tags: "Too many tags." },
      kind: "refused",
    });
    expect(
      saveFailureOf(answered("BAD_REQUEST", "A bad text.", "document"), messages.blogPost).errors,
    ).toEqual({
      content: "A bad text.",
    });
  });
  test("tells a blog that was deleted elsewhere from a taken address", () => {
    expect(saveFailureOf(answered("NOT_FOUND", "Gone."), messages.update).kind).toBe("gone");
    expect(saveFailureOf(answered("CONFLICT", "Taken.", "slug"), messages.update)).toEqual({
      message: "Taken.",
      errors: { address: "Taken." },
      kind: "refused",
    });
  });
  test("reports an ended session as signed out", () => {
    expect(saveFailureOf(answered("UNAUTHORIZED", "Please sign in."), messages.blogPost).kind).toBe(
      "signed-out",
    );
    expect(saveFailureOf(new UploadError("signed-out", "Please sign in."), messages.blogPost).kind).toBe(
      "signed-out",
    );
  });
});
