import { expect, test } from "vitest";
import { unsentWords } from "../../../../src/client/blogs/form/unsent.ts";
import type { NodeJson } from "../../../../src/shared/document/schema.ts";
import { paragraphs } from "../../../support/sample-content.ts";

const fields = (title: string, ...texts: string[]) => ({
  title,
  description: "",
  document: paragraphs(...texts) as NodeJson,
});

test("returns the changed paragraphs and fields that the server does not have, as plain text", () => {
  const confirmed = fields("Owls", "First.", "Second.", "Third.");
  expect(unsentWords(confirmed, confirmed)).toBe("");
  expect(unsentWords(fields("Owls", "First.", "Second, and more.", "Third.", "Four"), confirmed)).toBe(
    "Second, and more.\n\nFour",
  );
  expect(unsentWords({ ...confirmed, title: "Owls, heard", description: " By ear. " }, confirmed)).toBe(
    "Owls, heard\n\nBy ear.",
  );
  // Deleted text is not kept, nor is a paragraph without words.
  expect(unsentWords(fields("Owls", "First.", ""), confirmed)).toBe("");
});
