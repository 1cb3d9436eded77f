import fc from "fast-check";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import type { DocumentJson, MarkJson, NodeJson } from "../../../../src/shared/document/schema.ts";
import { cleanText } from "../../../../src/shared/document/values.ts";

const spaced = fc.string({
  unit: fc.constantFrom(" ", "  ", "\t", "a", "b", "<", "&", "é", "語", "\u00a0", '"', "'", "\n"),
});
const text = (code: boolean) =>
  fc
    .oneof(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), spaced, fc.lorem({ maxCount: 4 }))
    .map((value) => cleanText(value, code) || "x");

const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 });
const color = fc.constantFrom("#000000", "#e60000", "#ffff00", "#12345678", "#abcdef");
const address = fc.constantFrom(
  "https://example.org/",
  "http://example.org/a?b=c&d=%20#e",
  "https://例え.jp/道",
  'https://example.org/"><b>',
);

const mark: fc.Arbitrary<MarkJson> = fc.oneof(
  fc.constantFrom("strong", "em", "underline", "strike", "code", "sub", "sup").map((type) => ({ type })),
  color.map((value) => ({ type: "color", attrs: { color: value } })),
  color.map((value) => ({ type: "background", attrs: { color: value } })),
  fc.constantFrom("serif", "monospace").map((family) => ({ type: "font", attrs: { family } })),
  fc.constantFrom("small", "large", "huge").map((size) => ({ type: "size", attrs: { size } })),
  fc
    .record({
      href: fc.oneof(address, fc.constantFrom("mailto:a@b.c", "tel:+1234")),
      title: nullable(fc.constantFrom("t", "a b", '"<>&')),
    })
    .map((attrs) => ({ type: "link", attrs })),
);
const marks = fc.uniqueArray(mark, { maxLength: 3, selector: ({ type }) => (type === "sup" ? "sub" : type) });

const image = fc.record({
  src: fc.oneof(address, fc.constantFrom("/media/a.png", "/media/ab/c-d_1.webp")),
  alt: fc.constantFrom("", "a picture", '"><script>'),
  title: nullable(fc.constantFrom("t", "x y")),
  width: nullable(fc.integer({ min: 1, max: 4000 })),
  height: nullable(fc.integer({ min: 1, max: 4000 })),
});

const tex = fc.constantFrom(
  "x^2",
  String.raw`\frac{a}{b}`,
  "a<b & c",
  "5",
  "x y",
  "\\$5",
  String.raw`{{a}}`,
  "two words",
  "`",
  '"',
  "x $",
);

const note = fc.constantFrom("1", "2", "3", "fn-1", "a-b");

const inline: fc.Arbitrary<NodeJson> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("text"), text: text(false), marks }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("image"), attrs: image, marks }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("hard_break"), marks }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("formula"), attrs: fc.record({ tex }), marks }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("footnote_ref"), attrs: fc.record({ note }), marks }),
  },
);

const blockAttrs = {
  align: nullable(fc.constantFrom("center", "right", "justify")),
  indent: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 8 })),
};
const paragraph = fc.record({
  type: fc.constant("paragraph"),
  attrs: fc.record(blockAttrs),
  content: fc.array(inline, { maxLength: 4 }),
});
const heading = fc.record({
  type: fc.constant("heading"),
  attrs: fc.record({ level: fc.integer({ min: 1, max: 6 }), ...blockAttrs }),
  content: fc.array(inline, { maxLength: 3 }),
});
const code = fc.record({
  type: fc.constant("code_block"),
  attrs: fc.record({ language: nullable(fc.constantFrom("rust", "c++", "objective-c")) }),
  content: fc.array(fc.record({ type: fc.constant("text"), text: text(true) }), { maxLength: 3 }),
});
const formula = fc.record({
  type: fc.constant("formula_block"),
  content: fc.array(
    fc.record({
      type: fc.constant("text"),
      text: fc.oneof(
        text(true),
        fc.constantFrom(String.raw`\begin{pmatrix}a&b\\c&d\end{pmatrix}`, "a\n\nb", "$$"),
      ),
    }),
    { maxLength: 2 },
  ),
});
const embed = fc
  .record({
    href: fc.constantFrom(
      "https://www.youtube.com/watch?v=aaaaaaaaaaa&t=5",
      "https://owls.example/@ana/123456789012345678",
      "https://gist.github.com/ana/0123456789abcdef0123",
    ),
    title: fc.constantFrom("", "Owls", '"><b>'),
    author: fc.constantFrom("", "Ana & Ben"),
    text: fc.constantFrom("", "What one  hears."),
  })
  .map((attrs) => ({ type: "embed", attrs }));
const rule = fc.constant({ type: "horizontal_rule" });

function cell(depth: number): fc.Arbitrary<NodeJson> {
  const span = fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 4 }));
  return fc
    .record({
      type: fc.constantFrom("table_cell", "table_header"),
      colspan: span,
      rowspan: span,
      width: nullable(fc.integer({ min: 0, max: 900 })),
      content: blocks(depth - 1),
    })
    .map(({ type, colspan, rowspan, width, content }) => ({
      type,
      attrs: {
        colspan,
        rowspan,
        colwidth: width === null ? null : Array.from({ length: colspan }, () => width),
      },
      content,
    }));
}

function list(depth: number): fc.Arbitrary<NodeJson> {
  // Quill can express lists of a paragraph and lists only; others must survive as well.
  const item = (body: fc.Arbitrary<NodeJson[]>) =>
    fc.tuple(paragraph, body).map(([first, rest]) => ({ type: "list_item", content: [first, ...rest] }));
  const nestedBlocks =
    depth > 1
      ? fc.oneof(fc.array(list(depth - 1), { maxLength: 2 }), fc.array(block(depth - 1), { maxLength: 2 }))
      : fc.constant<NodeJson[]>([]);
  return fc
    .record({
      type: fc.constantFrom("bullet_list", "ordered_list"),
      order: fc.constantFrom(1, 1, 1, 0, 7),
      content: fc.array(item(nestedBlocks), { minLength: 1, maxLength: 3 }),
    })
    .chain(({ type, order, content }): fc.Arbitrary<NodeJson> =>
      type === "ordered_list"
        ? fc.constant({ type, attrs: { order }, content })
        : fc.array(fc.constantFrom(null, null, true, false), { minLength: 3, maxLength: 3 }).map((boxes) => ({
            type,
            content: content.map((child: NodeJson, at) => boxed(child, boxes[at] ?? null)),
          })),
    );
}

const boxed = (item: NodeJson, checked: boolean | null): NodeJson =>
  checked === null ? item : { ...item, type: "task_item", attrs: { checked } };

function fold(depth: number): fc.Arbitrary<NodeJson> {
  return fc.tuple(fc.array(inline, { maxLength: 3 }), blocks(depth)).map(([content, rest]) => ({
    type: "fold",
    content: [{ type: "fold_summary", content }, ...rest],
  }));
}

function footnotes(depth: number): fc.Arbitrary<NodeJson> {
  return fc.array(fc.tuple(note, blocks(depth)), { minLength: 1, maxLength: 3 }).map((notes) => ({
    type: "footnotes",
    content: notes.map(([key, content]) => ({ type: "footnote", attrs: { note: key }, content })),
  }));
}

const figureSize = fc.constantFrom("text", "wide", "full");
const figure = fc
  .record({
    size: figureSize,
    attrs: image,
    link: nullable(mark.filter(({ type }) => type === "link")),
    caption: fc.array(
      inline.filter(({ type }) => type !== "image"),
      { maxLength: 3 },
    ),
  })
  .map(({ size, attrs, link, caption }) => ({
    type: "figure",
    attrs: { size },
    content: [
      { type: "figure_image", attrs, marks: link ? [link] : [] },
      { type: "figure_caption", content: caption },
    ],
  }));
const pair = fc
  .tuple(figureSize, figure, figure)
  .map(([size, ...content]) => ({ type: "figure_pair", attrs: { size }, content }));

function block(depth: number): fc.Arbitrary<NodeJson> {
  const simple = fc.oneof(
    { weight: 8, arbitrary: paragraph },
    heading,
    heading,
    code,
    code,
    formula,
    embed,
    rule,
    rule,
    figure,
    pair,
  );
  if (depth <= 1) return simple;
  return fc.oneof(
    { weight: 7, arbitrary: simple },
    { weight: 3, arbitrary: list(depth) },
    fc
      .tuple(fc.constantFrom("blockquote", "pull_quote"), blocks(depth - 1))
      .map(([type, content]) => ({ type, content })),
    fc
      .tuple(fc.constantFrom("note", "tip", "warning"), blocks(depth - 1))
      .map(([kind, content]) => ({ type: "callout", attrs: { kind }, content })),
    fold(depth - 1),
    footnotes(depth - 2),
    fc
      .array(
        fc.array(cell(depth - 1), { maxLength: 2 }).map((content) => ({ type: "table_row", content })),
        { minLength: 1, maxLength: 2 },
      )
      .map((content) => ({ type: "table", content })),
  );
}

function blocks(depth: number): fc.Arbitrary<NodeJson[]> {
  return fc.array(block(depth), { minLength: 1, maxLength: 3 });
}

/** Any document that the schema allows, as `checkDocument` returns it. */
export const arbitraryDocument: fc.Arbitrary<DocumentJson> = blocks(5).map((content) => {
  const checked = checkDocument({ type: "doc", content });
  if (!checked.ok) throw new Error(checked.reason);
  return checked.document;
});
