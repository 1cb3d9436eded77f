import type { NodeJson } from "./schema.ts";

/** Drops empty paragraphs at the end. */
export function trimDocument(document: NodeJson): NodeJson {
  const content = [...(document.content ?? [])];
  while (
    content.length > 1 &&
    content.at(-1)!.type === "paragraph" &&
    (content.at(-1)!.content ?? []).length === 0
  )
    content.pop();
  return { ...document, content };
}
