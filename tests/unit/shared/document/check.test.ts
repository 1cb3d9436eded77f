import { expect, test } from "vitest";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { documentLimits } from "../../../../src/shared/document/limits.ts";
import type { NodeJson } from "../../../../src/shared/document/schema.ts";

const paragraph = (text = "x"): NodeJson => ({ type: "paragraph", content: [{ type: "text", text }] });
const doc = (...content: unknown[]) => ({ type: "doc", content });
const reasonOf = (value: unknown) => {
  const checked = checkDocument(value);
  return checked.ok ? null : checked.reason;
};

function quotations(levels: number): unknown {
  let inner: unknown = paragraph();
  for (let level = 0; level < levels; level++) inner = { type: "blockquote", content: [inner] };
  return doc(inner);
}

function nestedLists(levels: number): NodeJson {
  const item = (...content: NodeJson[]): NodeJson => ({
    type: "bullet_list",
    content: [{ type: "list_item", content }],
  });
  return levels === 1 ? item(paragraph()) : item(paragraph(), nestedLists(levels - 1));
}

test.each([100, 1_000, 100_000, 1_000_000])(
  "refuses a document %i levels deep with a reason, without a stack overflow",
  (levels) => {
    expect(reasonOf(quotations(levels))).toBe(
      "This text is nested too deeply. Lists, quotes and tables can be up to 32 levels inside each other.",
    );
  },
);

test("refuses a document that contains itself", () => {
  const quote: { type: string; content: unknown[] } = { type: "blockquote", content: [] };
  quote.content.push(quote);
  expect(reasonOf(doc(quote))).toMatch(/nested too deeply/);
});

test("accepts lists of all eight levels in a quote in a table cell", () => {
  const cell = { type: "table_cell", content: [{ type: "blockquote", content: [nestedLists(9)] }] };
  expect(reasonOf(doc({ type: "table", content: [{ type: "table_row", content: [cell] }] }))).toBeNull();
});

test("accepts a document of exactly the maximum depth, and refuses a deeper one", () => {
  // doc, quotations, paragraph, text
  expect(reasonOf(quotations(documentLimits.depth - 3))).toBeNull();
  expect(reasonOf(quotations(documentLimits.depth - 2))).not.toBeNull();
});

test("refuses a document with too many parts, side by side or nested", () => {
  expect(reasonOf(doc(...Array.from({ length: 20_000 }, () => ({ type: "paragraph" }))))).toMatch(
    /too many parts: at most 20,000/,
  );
  expect(
    reasonOf(
      doc(
        ...Array.from({ length: 200 }, () => ({
          type: "blockquote",
          content: Array.from({ length: 100 }, () => paragraph()),
        })),
      ),
    ),
  ).toMatch(/too many parts/);
  expect(reasonOf(doc(...Array.from({ length: 9_000 }, () => paragraph())))).toBeNull();
});

test("refuses a document with too much text", () => {
  expect(reasonOf(doc(paragraph("x".repeat(500_001))))).toBe(
    "This text is too long: at most 500,000 characters are possible.",
  );
  expect(reasonOf(doc(paragraph("語".repeat(400_000))))).toBe(
    "This text is too long to be stored: it takes more than 1 MB.",
  );
});

test("refuses a table of more than a hundred columns, however its cells span", () => {
  const cell = (colspan: number, rowspan: number) => ({
    type: "table_cell",
    attrs: { colspan, rowspan },
    content: [paragraph()],
  });
  const table = (...rows: unknown[][]) =>
    doc({ type: "table", content: rows.map((content) => ({ type: "table_row", content })) });
  expect(reasonOf(table([cell(100, 1)], [cell(100, 1)]))).toBeNull();
  expect(reasonOf(table([cell(60, 1), cell(41, 1)]))).toMatch(/too wide: at most 100 columns/);
  expect(reasonOf(table([cell(60, 2)], [cell(41, 1)]))).toMatch(/too wide/);
  expect(reasonOf(table([cell(101, 1)]))).not.toBeNull();
});

test.each([
  undefined,
  null,
  1,
  "text",
  [],
  {},
  { type: "paragraph" },
  { type: "doc" },
  doc(),
  doc("x"),
  doc(null),
  doc([]),
  doc({}),
  doc({ type: "text", text: "x" }),
  { type: "doc", content: {} },
])("refuses %j", (value) => {
  expect(reasonOf(value)).toMatch(/^This text .*\.$/);
});

test("joins texts with the same marks, removes empty texts and control characters, and sorts marks", () => {
  const strong = { type: "strong" };
  const link = { type: "link", attrs: { href: "https://example.org/" } };
  const checked = checkDocument({
    type: "doc",
    attrs: { extra: 1 },
    evil: true,
    content: [
      {
        type: "paragraph",
        attrs: { indent: 1, onclick: "x" },
        content: [
          { type: "text", text: "a\u0000\ufeff" },
          { type: "text", text: "" },
          { type: "text", text: "b\nc" },
          { type: "text", text: "d\ud800", marks: [strong, link, strong] },
        ],
      },
      { type: "code_block", content: [{ type: "text", text: "a\r\nb\tc" }] },
    ],
  });
  expect(checked).toEqual({
    ok: true,
    document: {
      type: "doc",
      content: [
        {
          type: "paragraph",
          attrs: { align: null, indent: 1 },
          content: [
            { type: "text", text: "ab c" },
            {
              type: "text",
              text: "d\ufffd",
              marks: [{ type: "link", attrs: { href: "https://example.org/", title: null } }, strong],
            },
          ],
        },
        { type: "code_block", attrs: { language: null }, content: [{ type: "text", text: "a\nb\tc" }] },
      ],
    },
  });
});

test("does not pollute the prototype of all objects through attributes", () => {
  const hostile = JSON.parse(
    '{"type":"doc","content":[{"type":"paragraph","attrs":{"__proto__":{"polluted":1},"indent":2}}],"__proto__":{"polluted":1}}',
  ) as unknown;
  expect(checkDocument(hostile)).toMatchObject({ ok: true });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("names an unknown node or mark in the reason, but no markup", () => {
  expect(reasonOf(doc({ type: "video" }))).toBe(
    "This text has something in it that this site does not know (“video”).",
  );
  expect(reasonOf(doc({ type: "<img src=x>" }))).toBe(
    "This text has something in it that this site does not know.",
  );
  expect(
    reasonOf(doc({ type: "paragraph", content: [{ type: "text", text: "x", marks: [{ type: "blink" }] }] })),
  ).toMatch(/a style in it .*“blink”/);
});
