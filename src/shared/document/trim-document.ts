import type { NodeJson } from "./schema.ts";

/** Drops empty paragraphs at the end, also those before the footnotes. */
export function trimDocument(document: NodeJson): NodeJson {
  const content = [...(document.content ?? [])];
  const notes = content.at(-1)?.type === "footnotes" ? content.splice(-1) : [];
  while (content.length > 1 && isEmptyParagraph(content.at(-1)!)) content.pop();
  return { ...document, content: [...content, ...notes] };
}

const isEmptyParagraph = ({ type, content = [] }: NodeJson): boolean =>
  type === "paragraph" && content.length === 0;
