import { DocumentError } from "../../../shared/document/document-error.ts";
import { htmlLimits as limits } from "../../../shared/document/limits.ts";
import { noteKeyOf } from "../../../shared/document/note-keys.ts";
import { linkLine, tag } from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { isRow, list, parsed, said, short, type Row } from "../reading/values.ts";
import { isHidden, isForSome } from "./block-visibility.ts";
import { Overrides } from "./overrides.ts";

/** What a text's blocks refer to outside it. */
export interface BlockSurroundings {
  /** The notes below the text, as its field has them. */
  footnotes: string;
  /** Texts that stand in several posts, by their numbers. */
  shared: ReadonlyMap<string, string>;
  /** Within such a text: what the post has in it of its own. */
  own?: Overrides;
  tell: (problem: string) => void;
  hide: (reason: string) => void;
}

/** Whether the block editor made it. */
export const hasBlocks = (text: string): boolean => text.includes("<!-- wp:");

/** A comment that begins or ends a block, or is all of it. */
interface Mark {
  from: number;
  to: number;
  name: string;
  closes: boolean;
  isWhole: boolean;
  attributes: Row;
}

/** A text as its blocks show it, as far as the export has what they show; without those that were hidden in the editor. */
export function filledBlocks(text: string, around: BlockSurroundings): string {
  const out: string[] = [];
  const marks = marksOf(text);
  const endless = new Set<string>();
  let from = 0;
  let shared = 0;
  if (marks.some(({ name }) => /^(?:jetpack\/(?:paywall|subscriber)|premium-content\/)/.test(name)))
    around.hide("part of it is for members only");
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at]!;
    if (mark.closes) continue;
    if (isForSome(mark.attributes)) around.hide(`part of it is not public (${mark.name})`);
    if (isHidden(mark.attributes)) {
      const end = endOf(marks, at, endless);
      if (end === null) around.hide("part of it was hidden, and no end is marked");
      else {
        around.tell(`Skipped a hidden block: ${short(mark.name, 60)}`);
        out.push(text.slice(from, mark.from));
        from = marks[end]!.to;
        at = end;
        continue;
      }
    }
    const next = marks[at + 1];
    if (around.own && !mark.isWhole && next?.closes) {
      const html = around.own.filled(text.slice(mark.to, next.from), mark.attributes);
      if (html !== null) out.push(text.slice(from, mark.to), html);
      if (html !== null) from = next.from;
    }
    if (!mark.isWhole) continue;
    const part = mark.name === "block" ? around.shared.get(said(mark.attributes.ref) ?? "") : undefined;
    // What is shared, and the notes, may be asked for a thousand times in one text.
    shared += (part ?? (mark.name === "footnotes" ? around.footnotes : "")).length;
    if (shared > limits.length) throw new DocumentError("This text is too long with its shared parts.");
    const html = part === undefined ? filled(mark, around) : sharedPart(part, mark, around);
    out.push(text.slice(from, mark.from), html);
    from = mark.to;
  }
  out.push(text.slice(from));
  return out.join("");
}

function marksOf(text: string): Mark[] {
  const starts = /<!-- (\/?)wp:/g;
  const marks: Mark[] = [];
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const end = text.indexOf("-->", starts.lastIndex);
    if (end < 0) break;
    const inner = text.slice(starts.lastIndex, end).trim();
    const [name = ""] = inner.split(/\s/, 1);
    const isWhole = inner.endsWith("/");
    const attributes = parsed(inner.slice(name.length, isWhole ? -1 : undefined).trim());
    marks.push({
      from: start.index,
      to: end + 3,
      name: name.replace(/^core\//, ""),
      closes: start[1] === "/",
      isWhole,
      attributes: isRow(attributes) ? attributes : {},
    });
    starts.lastIndex = end + 3;
  }
  return marks;
}

/** Which mark ends the block that one begins; null where none does. Blocks of a name that once had no end are not looked through again. */
function endOf(marks: Mark[], begin: number, endless: Set<string>): number | null {
  const { name, isWhole } = marks[begin]!;
  if (isWhole) return begin;
  if (endless.has(name)) return null;
  let depth = 0;
  for (let at = begin; at < marks.length; at++) {
    const mark = marks[at]!;
    if (mark.name !== name || mark.isWhole) continue;
    depth += mark.closes ? -1 : 1;
    if (depth === 0) return at;
  }
  endless.add(name);
  return null;
}

/** What a post shares with others, read as its own text is. Of what it shares itself only that is told: within itself it would have no end. */
function sharedPart(text: string, { attributes }: Mark, around: BlockSurroundings): string {
  const own = new Overrides(attributes.content);
  const html = filledBlocks(text, { ...around, footnotes: "", shared: new Map(), own });
  own.tellOfRest(around.tell);
  return html;
}

const empty = new Set(["paragraph", "more", "nextpage", "spacer", "separator", "columns", "column", "group"]);

function filled({ name, attributes }: Mark, around: BlockSurroundings): string {
  if (name === "footnotes") return notesOf(around.footnotes);
  const address = absolute(said(attributes.url) ?? said(attributes.src) ?? "");
  if (address) return linkLine(address);
  if (name === "block")
    around.tell("Skipped a shared part: it is missing from the export or nested in another one");
  else if (!empty.has(name)) around.tell(`Skipped a dynamic block: ${short(name, 60)}`);
  return "";
}

function notesOf(field: string): string {
  const notes = list(parsed(field)).filter(isRow);
  if (notes.length === 0) return "";
  const items = notes.map(({ id, content }) =>
    tag("li", { "data-note": noteKeyOf(said(id) ?? "") }, typeof content === "string" ? content : ""),
  );
  return tag("section", { class: "footnotes" }, tag("ol", {}, items.join("")));
}
