import { documentToText } from "../../../shared/document/to-text.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type { BlogFields } from "./blog-fields.ts";

type Words = Pick<BlogFields, "title" | "description" | "document">;

const blocksOf = ({ content = [] }: NodeJson): NodeJson[] => content;

/** Returns the blocks missing in another text, whole even if one word differs. */
export function unsentBlocks(now: NodeJson, confirmed: NodeJson): NodeJson[] {
  const known = new Set(blocksOf(confirmed).map((block) => JSON.stringify(block)));
  return blocksOf(now).filter((block) => !known.has(JSON.stringify(block)));
}

/** Returns what the server lacks as plain text, or "". */
export function unsentWords(now: Words, confirmed: Words): string {
  const lines = (["title", "description"] as const)
    .filter((name) => now[name] !== confirmed[name])
    .map((name) => now[name].trim());
  const blocks = unsentBlocks(now.document, confirmed.document).map((block) =>
    documentToText({ type: "doc", content: [block] }),
  );
  return [...lines, ...blocks].filter((text) => text !== "").join("\n\n");
}
