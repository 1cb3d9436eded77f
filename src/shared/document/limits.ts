/** Size limits of a text. Every checked document keeps them: rendering, search and the editor's table map rely on that. */
export const documentLimits = {
  /** Includes the document and its texts: a list in a list costs two. */
  depth: 32,
  /** Including texts. */
  nodes: 20_000,
  images: 1_000,
  /** Of all texts together, in UTF-16 units. */
  textLength: 500_000,
  /** Of the stored JSON. */
  jsonBytes: 1024 * 1024,
  /** Of one table, including spans. */
  tableColumns: 100,
  /** Of one piece of text in JSON; more than the schema has. */
  marks: 16,

  /** Characters of a URL. */
  address: 2048,
  alt: 1000,
  title: 500,
  /** Characters. */
  caption: 2000,
  /** Characters of a card's fields. */
  embed: { title: 300, author: 200, text: 500 },
  /** Characters of an inline formula. */
  formula: 2000,
  /** In pixels. */
  imageSide: 20_000,
  /** Levels, as in Quill. */
  indent: 8,
  cellSpan: 100,
  columnWidth: 5000,
} as const;

/** Limits of HTML, checked while it is read. */
export const htmlLimits = {
  /** In characters. */
  length: 2_000_000,
  /** If it contains pictures as `data:` URLs. */
  lengthWithImages: 48_000_000,
  /** Elements, texts and comments. */
  pieces: 50_000,
  /** Of one element. */
  attributes: 200,
  /** Nesting of elements. */
  depth: 256,
  /** The sum of the depths of all pieces. */
  steps: 1_500_000,
  /** Pictures as `data:` URLs. */
  dataImages: 50,
  dataImageBytes: 8 * 1024 * 1024,
} as const;
