import { expect, test } from "vitest";
import { unsentWords } from "../../../src/client/blogs/form/unsent.ts";
import type { NodeJson } from "../../../src/shared/document/schema.ts";
import { paragraphs } from "../../support/writing.ts";

const said = (title: string, ...texts: string[]) => ({
  title,
  description: "",
  document: paragraphs(...texts) as NodeJson,
});

test("of a text there remains what the server has not: the paragraphs that differ, and fields, as plain text", () => {
  const confirmed = said("Owls", "First.", "Second.", "Third.");
  expect(unsentWords(confirmed, confirmed)).toBe("");
  expect(unsentWords(said("Owls", "First.", "Second, and more.", "Third.", "Four"), confirmed)).toBe(
    "Second, and more.\n\nFour",
  );
  expect(unsentWords({ ...confirmed, title: "Owls, heard", description: " By ear. " }, confirmed)).toBe(
    "Owls, heard\n\nBy ear.",
  );
  // What was taken out is nothing to be kept, nor is a paragraph without words.
  expect(unsentWords(said("Owls", "First.", ""), confirmed)).toBe("");
});
