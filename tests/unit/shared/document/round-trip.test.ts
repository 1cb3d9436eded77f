import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { withNotesInOrder } from "../../../../src/shared/document/referenced-notes.ts";
import { emptyDocument } from "../../../../src/shared/document/empty-document.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { arbitraryDocument } from "./arbitrary-document.ts";

test("the examples contain each node, mark and attribute of the schema, and each value of a choice", () => {
  const found = new Set<string>();
  const changed = new Set<string>();
  for (const document of fc.sample(arbitraryDocument, { numRuns: 400, seed: 1 }))
    schema.nodeFromJSON(document).descendants((node) => {
      for (const { type, attrs } of [node, ...node.marks]) {
        found.add(type.name);
        const defaults = (type.spec.attrs ?? {}) as Record<string, { default?: unknown }>;
        for (const [name, value] of Object.entries(attrs))
          if (value !== defaults[name]?.default) changed.add(`${type.name} ${name}`);
        for (const name of ["level", "kind", "size", "align", "checked"])
          if (name in attrs) found.add(`${type.name} ${name} ${String(attrs[name])}`);
      }
    });
  const sizes = ["text", "wide", "full"];
  const choices = {
    "heading level": [1, 2, 3, 4, 5, 6],
    "heading align": ["null", "center", "right", "justify"],
    "paragraph align": ["null", "center", "right", "justify"],
    "callout kind": ["note", "tip", "warning"],
    "task_item checked": [true, false],
    "figure size": sizes,
    "figure_pair size": sizes,
    "size size": ["small", "large", "huge"],
  };
  expect([...found].toSorted()).toEqual(
    [
      ...Object.keys(schema.nodes).filter((name) => name !== "doc"),
      ...Object.keys(schema.marks),
      ...Object.entries(choices).flatMap(([name, values]) =>
        values.map((value) => `${name} ${String(value)}`),
      ),
    ].toSorted(),
  );
  const attributes = Object.values({ ...schema.nodes, ...schema.marks }).flatMap(({ name, spec }) =>
    Object.keys(spec.attrs ?? {}).map((attr) => `${name} ${attr}`),
  );
  expect([...changed].toSorted()).toEqual(attributes.toSorted());
});

test.each(["nested", "flat"] as const)(
  "any document, with footnotes in order, is the same after it was written as HTML with %s lists and parsed again",
  async (lists) => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, async (document) => {
        expect(await parseHtml(documentToHtml(document, { lists }))).toEqual(withNotesInOrder(document));
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
