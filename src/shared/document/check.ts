import { Mark } from "prosemirror-model";
import type { BlockNode } from "./block.ts";
import { specOf } from "./blocks.ts";
import { RefusedValue } from "./document-error.ts";
import { documentLimits as limits } from "./limits.ts";
import { isPictureName } from "./picture-names.ts";
import { schema, type DocumentJson, type NodeJson } from "./schema.ts";
import { cleanText } from "./values.ts";

export type CheckedDocument = { ok: true; document: DocumentJson } | { ok: false; reason: string };

/**
 * Validates an untrusted value as a document; every write calls it. Returns a normalized copy: complete attributes, no unknown
 * ones, cleaned and joined texts, ordered marks. `reason` is for the author. Safe for input of any depth and size.
 */
export function checkDocument(value: unknown): CheckedDocument {
  try {
    const node = schema.nodeFromJSON(copyTree(value));
    node.check();
    node.descendants((one) => (one.type.spec as BlockNode).check?.(one));
    const document = node.toJSON() as DocumentJson;
    if (new TextEncoder().encode(JSON.stringify(document)).length > limits.jsonBytes)
      throw new RefusedValue(
        `This text is too long to be stored: it takes more than ${limits.jsonBytes / 1024 / 1024} MB.`,
      );
    return { ok: true, document };
  } catch (error) {
    if (error instanceof RefusedValue) return { ok: false, reason: error.message };
    // ProseMirror's messages are for developers.
    if (error instanceof RangeError || error instanceof TypeError)
      return { ok: false, reason: unsupportedStructure };
    throw error;
  }
}

export const unsupportedStructure = "This text has an unsupported structure.";

const tooManyParts = `This text has too many parts: at most ${limits.nodes.toLocaleString("en")} paragraphs, items and pieces of text are possible.`;

/** Returns the text in attributes. */
const attributeText = ({ type, attrs }: NodeJson): string =>
  specOf(type)?.text
    ? Object.values(attrs ?? {})
        .filter((value) => typeof value === "string")
        .join("")
    : "";

interface Pending {
  value: unknown;
  depth: number;
  inCode: boolean;
  siblings: NodeJson[];
}

/** Copies what the schema knows. Not recursive, so that no depth overflows the stack. */
function copyTree(root: unknown): NodeJson {
  const top: NodeJson[] = [];
  const pending: Pending[] = [{ value: root, depth: 1, inCode: false, siblings: top }];
  let nodes = 0;
  let textLength = 0;
  let images = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (++nodes > limits.nodes) throw new RefusedValue(tooManyParts);
    if (next.depth > limits.depth)
      throw new RefusedValue(
        `This text is nested too deeply. Lists, quotes and tables can be up to ${limits.depth} levels inside each other.`,
      );
    const node = copyNode(next);
    if (!node) continue;
    if (isPictureName(node.type) && ++images > limits.images)
      throw new RefusedValue(
        `This text has too many pictures: at most ${limits.images.toLocaleString("en")} are possible.`,
      );
    textLength += (node.text ?? attributeText(node)).length;
    if (textLength > limits.textLength)
      throw new RefusedValue(
        `This text is too long: at most ${limits.textLength.toLocaleString("en")} characters are possible.`,
      );
    const content = (next.value as { content?: unknown }).content;
    if (content === undefined || content === null || node.type === "text") continue;
    if (!Array.isArray(content)) throw new RefusedValue(unsupportedStructure);
    if (nodes + pending.length + content.length > limits.nodes) throw new RefusedValue(tooManyParts);
    node.content = [];
    const inCode = schema.nodes[node.type]?.spec.code === true;
    for (const child of content.toReversed())
      pending.push({ value: child, depth: next.depth + 1, inCode, siblings: node.content });
  }
  const document = top[0];
  if (document?.type !== "doc") throw new RefusedValue(unsupportedStructure);
  return document;
}

/** Appends a copy without its content; null for an empty text or one joined to the previous one. */
function copyNode({ value, inCode, siblings }: Pending): NodeJson | null {
  if (typeof value !== "object" || value === null) throw new RefusedValue(unsupportedStructure);
  const { type: name, attrs, text, marks } = value as Record<string, unknown>;
  const type = typeof name === "string" ? schema.nodes[name] : undefined;
  if (!type)
    throw new RefusedValue(`This text has something in it that this site does not know${shownName(name)}.`);
  const node: NodeJson = { type: type.name };
  const spec = type.spec as BlockNode;
  const knownAttrs = knownAttributes(attrs, spec.attrs);
  if (knownAttrs) node.attrs = spec.stored?.(knownAttrs) ?? knownAttrs;
  const copied = copyMarks(marks).filter((mark) => !spec.refusesMark?.(mark.type));
  if (copied.length > 0) node.marks = copied;
  if (type.isText) {
    if (typeof text !== "string") throw new RefusedValue(unsupportedStructure);
    node.text = cleanText(text, inCode);
    if (!node.text) return null;
    const before = siblings.at(-1);
    if (before?.text !== undefined && JSON.stringify(before.marks) === JSON.stringify(node.marks)) {
      before.text += node.text;
      return { type: "text", text: node.text };
    }
  }
  siblings.push(node);
  return node;
}

function copyMarks(marks: unknown): NonNullable<NodeJson["marks"]> {
  if (marks === undefined || marks === null) return [];
  if (!Array.isArray(marks) || marks.length > limits.marks) throw new RefusedValue(unsupportedStructure);
  let set: readonly Mark[] = Mark.none;
  for (const mark of marks as unknown[]) {
    const { type: name, attrs } = (mark ?? {}) as Record<string, unknown>;
    const type = typeof name === "string" ? schema.marks[name] : undefined;
    if (!type)
      throw new RefusedValue(`This text has a style in it that this site does not know${shownName(name)}.`);
    const knownAttrs = knownAttributes(attrs, type.spec.attrs);
    set = Mark.fromJSON(schema, { type: type.name, attrs: knownAttrs }).addToSet(set);
  }
  return set.map((mark) => mark.toJSON() as { type: string });
}

function knownAttributes(attrs: unknown, spec: object | undefined): Record<string, unknown> | undefined {
  if (typeof attrs !== "object" || attrs === null || !spec) return undefined;
  const names = Object.keys(spec).filter((name) => Object.hasOwn(attrs, name));
  return Object.fromEntries(names.map((name) => [name, (attrs as Record<string, unknown>)[name]]));
}

function shownName(name: unknown): string {
  return typeof name === "string" && /^[\w -]{1,40}$/.test(name) ? ` (“${name}”)` : "";
}
