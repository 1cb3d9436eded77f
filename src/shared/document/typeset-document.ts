import { schema } from "./schema.ts";
import type { DocumentJson, NodeJson } from "./schema.ts";
import { typesetText } from "../typography.ts";

/** Sets the quotation marks, dashes and the like of a document by its language, as typing would; code and formulas stay. */
export function withTypography(document: DocumentJson, language: string): DocumentJson {
  return withTypographyIn(document, language) as DocumentJson;
}

function withTypographyIn(node: NodeJson, language: string): NodeJson {
  if (schema.nodes[node.type]?.spec.code || !node.content) return node;
  let before = "";
  const content = node.content.map((child) => {
    if (child.text === undefined) {
      before += "\u{fffc}";
      return withTypographyIn(child, language);
    }
    const isCode = child.marks?.some(({ type }) => type === "code");
    const text = isCode ? child.text : typesetText(child.text, language, before);
    before += text;
    return { ...child, text };
  });
  return { ...node, content };
}
