import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/blogs/parse-html.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { emptyDocument } from "../../../../src/shared/document/schema.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { arbitraryDocument } from "./arbitrary-document.ts";

test.each(["nested", "flat"] as const)(
  "any document is the same after it was written as HTML with %s lists and parsed again",
  async (lists) => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, async (document) => {
        expect(await parseHtml(documentToHtml(document, { lists }))).toEqual(document);
      }),
      { numRuns: 400 },
    );
  },
);

test("leaves a checked document unchanged when it is checked again", () => {
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      expect(checkDocument(document)).toEqual({ ok: true, document });
    }),
  );
});

test("parses empty HTML as a document with an empty paragraph", async () => {
  expect(await parseHtml("")).toEqual(emptyDocument());
  expect(await parseHtml(documentToHtml(emptyDocument()))).toEqual(emptyDocument());
});
