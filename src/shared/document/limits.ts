/**
 * How large a text may be. A checked document keeps within all of these, so that nothing that
 * reads it later (rendering, searching, the editor's table map) has to fear its size.
 */
export const documentLimits = {
  /** Nodes inside each other, the document itself and its texts counted: a list in a list costs two. */
  depth: 32,
  /** Nodes in all, texts counted. */
  nodes: 20_000,
  /** Pictures in all. */
  images: 1_000,
  /** Characters (UTF-16 units) of all texts together. */
  textLength: 500_000,
  /** Bytes of the stored JSON. */
  jsonBytes: 1024 * 1024,
  /** Columns of one table, spans counted. */
  tableColumns: 100,
  /** Marks that a piece of text may be given in JSON; more than the schema has make no sense. */
  marks: 16,

  /** Characters of a link's or picture's address. */
  address: 2048,
  alt: 1000,
  title: 500,
  /** Characters below a picture. */
  caption: 2000,
  /** Characters of what a card says. */
  embed: { title: 300, author: 200, text: 500 },
  /** Characters of a formula in a line of text. */
  formula: 2000,
  /** Pixels of a picture's side. */
  imageSide: 20_000,
  /** Levels of indentation, as in Quill. */
  indent: 8,
  cellSpan: 100,
  columnWidth: 5000,
} as const;

/** How much HTML is looked at before it becomes a document; each is asked while it is read. */
export const htmlLimits = {
  /** Characters. */
  length: 2_000_000,
  /** Characters where pictures are given within the HTML as `data:` addresses. */
  lengthWithImages: 48_000_000,
  /** Elements, texts and comments. */
  pieces: 50_000,
  /** Attributes of one element. */
  attributes: 200,
  /** Elements inside each other. */
  depth: 256,
  /** The depths of all pieces together. */
  steps: 1_500_000,
  /** Pictures given as `data:` addresses. */
  dataImages: 50,
  /** Bytes of one of them. */
  dataImageBytes: 8 * 1024 * 1024,
} as const;
