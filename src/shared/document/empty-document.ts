import type { DocumentJson } from "./schema.ts";

/** Returns a document without text. Apart from the schema, whose blocks a page need not load for it. */
export function emptyDocument(): DocumentJson {
  return { type: "doc", content: [{ type: "paragraph", attrs: { align: null, indent: 0 } }] };
}
