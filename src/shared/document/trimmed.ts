import type { NodeJson } from "./schema.ts";

/** The document without the empty paragraphs at its end, which are only there to go on writing in. */
export function trimmed(document: NodeJson): NodeJson {
  const content = [...(document.content ?? [])];
  while (
    content.length > 1 &&
    content.at(-1)!.type === "paragraph" &&
    (content.at(-1)!.content ?? []).length === 0
  )
    content.pop();
  return { ...document, content };
}
