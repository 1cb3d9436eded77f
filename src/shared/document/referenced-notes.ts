import type { NodeJson } from "./schema.ts";

export interface NoteReferences {
  /** Keys of references in the text itself. */
  inText: readonly unknown[];
  /** Keys of notes, with those of references in them. */
  inNotes: ReadonlyMap<unknown, readonly unknown[]>;
}

/**
 * Returns the referenced keys in the order of their first references. A reference in a note counts if that note is referenced;
 * these come after those in the text.
 */
export function referencedKeys({ inText, inNotes }: NoteReferences): ReadonlySet<unknown> {
  const referenced = new Set<unknown>();
  for (let next = inText; next.length > 0;) {
    const newKeys = [...new Set(next)].filter((key) => !referenced.has(key));
    for (const key of newKeys) referenced.add(key);
    next = newKeys.flatMap((key) => inNotes.get(key) ?? []);
  }
  return referenced;
}

/**
 * Returns the document with the notes of each list in the order in which the text refers to them, those without a reference
 * last. The stored order is older: a moved sentence leaves its notes where they are.
 */
export function withNotesInOrder<T extends NodeJson>(document: T): T {
  const found: Found = { inText: [], inNotes: new Map() };
  find(document, found.inText, found);
  if (found.inNotes.size < 2) return document;
  const ranks = new Map([...referencedKeys(found)].map((key, rank) => [key, rank]));
  return sortNotes(document, ranks) as T;
}

/** Removes the rank of each note that it places: of two notes with one key a reference means the first. */
function sortNotes(node: NodeJson, ranks: Map<unknown, number>): NodeJson {
  if (!node.content) return node;
  const children = node.content.map((child) => {
    const key = child.type === "footnote" ? child.attrs?.note : undefined;
    const rank = ranks.get(key) ?? Number.MAX_SAFE_INTEGER;
    if (child.type === "footnote") ranks.delete(key);
    return { child: sortNotes(child, ranks), rank };
  });
  if (node.type === "footnotes") children.sort((one, other) => one.rank - other.rank);
  const content = children.map(({ child }) => child);
  return content.every((child, at) => child === node.content?.[at]) ? node : { ...node, content };
}

/**
 * Returns the document as readers see it, without unreferenced notes. Of two notes with one key a reference means the first;
 * the other stays with it.
 */
export function withoutUnreferencedNotes<T extends NodeJson>(document: T): T {
  const found: Found = { inText: [], inNotes: new Map() };
  find(document, found.inText, found);
  if (found.inNotes.size === 0) return document;
  const referenced = referencedKeys(found);
  if ([...found.inNotes.keys()].every((key) => referenced.has(key))) return document;
  return filterNotes(document, referenced) as T;
}

interface Found {
  inText: unknown[];
  inNotes: Map<unknown, unknown[]>;
}

function find(node: NodeJson, into: unknown[], found: Found): void {
  let signs = into;
  if (node.type === "footnote_ref") signs.push(node.attrs?.note);
  else if (node.type === "footnote") {
    const key = node.attrs?.note;
    signs = found.inNotes.get(key) ?? [];
    found.inNotes.set(key, signs);
  }
  if (node.content) for (const child of node.content) find(child, signs, found);
}

function filterNotes(node: NodeJson, referenced: ReadonlySet<unknown>): NodeJson {
  const { content } = node;
  if (!content) return node;
  const children = content
    .filter(({ type, attrs }) => type !== "footnote" || referenced.has(attrs?.note))
    .map((child) => filterNotes(child, referenced))
    .filter(({ type, content: inner }) => type !== "footnotes" || inner?.length !== 0);
  const isSame = children.length === content.length && children.every((child, at) => child === content[at]);
  if (isSame) return node;
  // A block that contained nothing else gets an empty line.
  const isEmptied = node.type !== "footnotes" && children.every(({ type }) => type === "fold_summary");
  return { ...node, content: isEmptied ? [...children, { type: "paragraph" }] : children };
}
