import { randomBytes } from "node:crypto";
import { decodeUri } from "../../shared/decode-uri.ts";
import type { StoredImage } from "../text/parse-html.ts";
import { isPictureName } from "../../shared/document/picture-names.ts";
import type { DocumentJson, MarkJson, NodeJson } from "../../shared/document/schema.ts";
import { headingIds } from "../../shared/document/slugs.ts";
import { documentToText } from "../../shared/document/to-text.ts";

/** Returns the pictures of a document in order. */
export function picturesIn(document: NodeJson): NodeJson[] {
  const pictures: NodeJson[] = [];
  const stack = [document];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isPictureName(node.type)) pictures.push(node);
    stack.push(...(node.content ?? []).toReversed());
  }
  return pictures;
}

/** Makes unguessable placeholders for pictures that are not yet stored. */
export function createPlaceholders(base = "/media/pending/"): () => string {
  const batch = randomBytes(12).toString("hex");
  let count = 0;
  return () => `${base}${batch}/${count++}`;
}

/** Maps headings, by `lettersOf` (which ids of any site share), to their ids here. */
export function anchorsOf(document: DocumentJson): Map<string, string> {
  const anchors = new Map<string, string>();
  const idFor = headingIds();
  const stack: NodeJson[] = [document];
  for (let node = stack.pop(); node; node = stack.pop()) {
    stack.push(...(node.content ?? []).toReversed());
    if (node.type !== "heading") continue;
    const text = documentToText({ type: "doc", content: [node] });
    const letters = lettersOf(text);
    const id = idFor(text);
    if (!anchors.has(letters)) anchors.set(letters, id);
  }
  return anchors;
}

/** Returns the letters of a heading, or of an id made of one. */
export const lettersOf = (text: string): string =>
  (decodeUri(text) ?? text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");

/** Replaces a link's placeholder; removes a mark without target. */
export function replaceLink(mark: MarkJson, links: Record<string, string | null>): MarkJson[] {
  const href = mark.type === "link" ? String(mark.attrs?.href) : "";
  if (!Object.hasOwn(links, href)) return [mark];
  const target = links[href];
  return target ? [{ ...mark, attrs: { ...mark.attrs, href: target } }] : [];
}

/** Replaces a picture's placeholder, or shows the description of one that was not stored. */
export function replacePicture(
  node: NodeJson,
  stored: Record<string, StoredImage | string | null>,
): NodeJson[] {
  const src = isPictureName(node.type) ? String(node.attrs?.src) : "";
  if (!Object.hasOwn(stored, src)) return [node];
  const picture = stored[src];
  const { alt, width, height } = node.attrs ?? {};
  if (!picture)
    return typeof alt === "string" && alt
      ? [{ type: "text", text: alt, ...(node.marks && { marks: node.marks }) }]
      : [];
  if (typeof picture === "string") {
    const sizeReset = width === 0 || height === 0 ? { width: null, height: null } : {};
    return [{ ...node, attrs: { ...node.attrs, src: picture, ...sizeReset } }];
  }
  const size = width === null && height === null ? { width: picture.width, height: picture.height } : {};
  return [{ ...node, attrs: { ...node.attrs, src: picture.src, ...size } }];
}

/** Replaces figures without picture by their texts. Changes the document. */
export function unwrapEmptyFigures(document: NodeJson): void {
  const stack: NodeJson[] = [document];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!node.content) continue;
    node.content = node.content.flatMap(unwrapFigure);
    if (node.content.length === 0 && node.type === "doc") node.content.push({ type: "paragraph" });
    stack.push(...node.content);
  }
}

function unwrapFigure(node: NodeJson): NodeJson[] {
  if (node.type === "figure_pair") {
    const blocks = (node.content ?? []).flatMap(unwrapFigure);
    return blocks.length === 2 && blocks.every(({ type }) => type === "figure") ? [node] : blocks;
  }
  if (node.type !== "figure" || node.content?.some(({ type }) => isPictureName(type))) return [node];
  const [caption, ...body] = (node.content ?? []).toReversed();
  const lines = [body, caption?.content ?? []].filter((line) => line.length > 0);
  return (lines.length > 0 ? lines : [[]]).map((content) => ({ type: "paragraph", content }));
}
