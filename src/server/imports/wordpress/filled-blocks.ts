import { DocumentError } from "../../../shared/document/document-error.ts";
import { htmlLimits as limits } from "../../../shared/document/limits.ts";
import { toNoteKey } from "../../../shared/document/note-keys.ts";
import { linkLine, tag } from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { isRow, list, parsedJson, trimmedText, short, type Row, isYes } from "../reading/values.ts";
import { Overrides } from "./overrides.ts";

/** The context of a text's blocks. */
export interface BlockContext {
  /** The post's footnotes field. */
  footnotes: string;
  /** Reusable blocks by ID. */
  shared: ReadonlyMap<string, string>;
  /** The post's overrides, within a reusable block. */
  overrides?: Overrides;
  reportProblem: (problem: string) => void;
  hide: (reason: string) => void;
}

/** Whether the block editor wrote the text. */
export const hasBlocks = (text: string): boolean => text.includes("<!-- wp:");

/** Starts or ends a block, or both. */
interface BlockMark {
  from: number;
  to: number;
  name: string;
  closes: boolean;
  isSelfClosing: boolean;
  attributes: Row;
}

/** Fills dynamic blocks with content from the export and removes blocks hidden in the editor. */
export function fillBlocks(text: string, context: BlockContext): string {
  const parts: string[] = [];
  const marks = marksOf(text);
  const withoutEnd = new Set<string>();
  let from = 0;
  let sharedLength = 0;
  if (marks.some(({ name }) => /^(?:jetpack\/(?:paywall|subscriber)|premium-content\/)/.test(name)))
    context.hide("part of it is for members only");
  for (let index = 0; index < marks.length; index++) {
    const mark = marks[index]!;
    if (mark.closes) continue;
    if (isRestricted(mark.attributes)) context.hide(`part of it is not public (${mark.name})`);
    if (isHidden(mark.attributes)) {
      const end = endOf(marks, index, withoutEnd);
      if (end === null) context.hide("part of it was hidden, and no end is marked");
      else {
        context.reportProblem(`Skipped a hidden block: ${short(mark.name, 60)}`);
        parts.push(text.slice(from, mark.from));
        from = marks[end]!.to;
        index = end;
        continue;
      }
    }
    const next = marks[index + 1];
    if (context.overrides && !mark.isSelfClosing && next?.closes) {
      const html = context.overrides.apply(text.slice(mark.to, next.from), mark.attributes);
      if (html !== null) parts.push(text.slice(from, mark.to), html);
      if (html !== null) from = next.from;
    }
    if (!mark.isSelfClosing) continue;
    const part =
      mark.name === "block" ? context.shared.get(trimmedText(mark.attributes.ref) ?? "") : undefined;
    // Parts may be repeated thousands of times.
    sharedLength += (part ?? (mark.name === "footnotes" ? context.footnotes : "")).length;
    if (sharedLength > limits.length) throw new DocumentError("This text is too long with its shared parts.");
    const html = part === undefined ? fillBlock(mark, context) : reusableBlock(part, mark, context);
    parts.push(text.slice(from, mark.from), html);
    from = mark.to;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function marksOf(text: string): BlockMark[] {
  const starts = /<!-- (\/?)wp:/g;
  const marks: BlockMark[] = [];
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const end = text.indexOf("-->", starts.lastIndex);
    if (end < 0) break;
    const inner = text.slice(starts.lastIndex, end).trim();
    const [name = ""] = inner.split(/\s/, 1);
    const isSelfClosing = inner.endsWith("/");
    const attributes = parsedJson(inner.slice(name.length, isSelfClosing ? -1 : undefined).trim());
    marks.push({
      from: start.index,
      to: end + 3,
      name: name.replace(/^core\//, ""),
      closes: start[1] === "/",
      isSelfClosing,
      attributes: isRow(attributes) ? attributes : {},
    });
    starts.lastIndex = end + 3;
  }
  return marks;
}

/** Returns null without an end; remembers such names, to avoid quadratic time. */
function endOf(marks: BlockMark[], begin: number, withoutEnd: Set<string>): number | null {
  const { name, isSelfClosing } = marks[begin]!;
  if (isSelfClosing) return begin;
  if (withoutEnd.has(name)) return null;
  let depth = 0;
  for (let index = begin; index < marks.length; index++) {
    const mark = marks[index]!;
    if (mark.name !== name || mark.isSelfClosing) continue;
    depth += mark.closes ? -1 : 1;
    if (depth === 0) return index;
  }
  withoutEnd.add(name);
  return null;
}

/**
 * Returns a reusable block with the post's overrides. Nested reusable blocks are only reported, because they may be recursive.
 */
function reusableBlock(text: string, { attributes }: BlockMark, context: BlockContext): string {
  const overrides = new Overrides(attributes.content);
  const html = fillBlocks(text, { ...context, footnotes: "", shared: new Map(), overrides });
  overrides.reportUnused(context.reportProblem);
  return html;
}

const emptyBlocks = new Set([
  "paragraph",
  "more",
  "nextpage",
  "spacer",
  "separator",
  "columns",
  "column",
  "group",
]);

function fillBlock({ name, attributes }: BlockMark, context: BlockContext): string {
  if (name === "footnotes") return notesOf(context.footnotes);
  const address = absolute(trimmedText(attributes.url) ?? trimmedText(attributes.src) ?? "");
  if (address) return linkLine(address);
  if (name === "block")
    context.reportProblem("Skipped a shared part: it is missing from the export or nested in another one");
  else if (!emptyBlocks.has(name)) context.reportProblem(`Skipped a dynamic block: ${short(name, 60)}`);
  return "";
}

function notesOf(field: string): string {
  const notes = list(parsedJson(field)).filter(isRow);
  if (notes.length === 0) return "";
  const items = notes.map(({ id, content }) =>
    tag("li", { "data-note": toNoteKey(trimmedText(id) ?? "") }, typeof content === "string" ? content : ""),
  );
  return tag("section", { class: "footnotes" }, tag("ol", {}, items.join("")));
}

/** Whether a block is hidden from everyone, by WordPress 6.9 or the plugin Block Visibility. */
function isHidden({ metadata, blockVisibility }: Row): boolean {
  if (isRow(metadata) && metadata.blockVisibility === false) return true;
  return isRow(blockVisibility) && isYes(blockVisibility.hideBlock);
}

/** The plugin's rules that depend on the reader or time, not the device. */
const audienceControls = new Set([
  "userRole",
  "dateTime",
  "visibilityPresets",
  "wpFusion",
  "woocommerce",
  "edd",
]);

/** Whether the plugin hides a block from some people. */
function isRestricted({ blockVisibility }: Row): boolean {
  if (!isRow(blockVisibility)) return false;
  return list(blockVisibility.controlSets)
    .filter(isRow)
    .some(
      ({ controls }) => isRow(controls) && Object.keys(controls).some((name) => audienceControls.has(name)),
    );
}
