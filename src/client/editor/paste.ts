import type { Fragment, Slice } from "prosemirror-model";
import { Plugin, TextSelection } from "prosemirror-state";
import type { Transaction } from "prosemirror-state";
import { dropPoint } from "prosemirror-transform";
import type { EditorView } from "prosemirror-view";
import { documentLimits, htmlLimits } from "../../shared/document/limits.ts";
import { isPictureName } from "../../shared/document/picture-names.ts";
import { safeImageSource } from "../../shared/document/values.ts";
import { schema } from "../../shared/document/schema.ts";
import { straightenLazyPictures } from "../../shared/document/foreign/web-pages.ts";
import type { ShowMessage } from "./create-editor.ts";
import { setLink, typedLink } from "./links.ts";
import { withoutSourceColors, withCellStyles } from "./pasted-styles.ts";
import { withDirectLinks } from "./pasted-links.ts";
import { withJoinedNotes, withUniqueNoteKeys } from "./pasted-notes.ts";
import { withLinks } from "./typed-links.ts";
import {
  isInMemory,
  lostPicturesMessage,
  pictureInDataUrl,
  pictureName,
  picturesIn,
} from "./pictures/files.ts";
import { joinWrappedLines, unformattedText, withCodeLanguage } from "./clipboard-text.ts";

export interface PictureTarget {
  add(files: readonly Blob[], pos?: number): void;
}

// Private-use characters that mark a picture's place in pasted text until it is uploaded.
const open = "\u{f0001}";
const close = "\u{f0002}";
const marker = new RegExp(`${open}(\\d+)${close}`, "gu");

/**
 * Removes from HTML the pictures that cannot be stored as they are: those in `data:` URLs are returned for upload, and those in
 * another page's memory if `files` has as many, in their order; others, such as local files, are named in `lost`. Pictures of
 * other sites stay, since the server copies them. `here` is the site's origin.
 */
export function extractPictures(
  html: string,
  here: string,
  files: readonly Blob[] = [],
): { html: string; pictures: Blob[]; lost: string[] } {
  const pictures: Blob[] = [];
  const lost: string[] = [];
  const page = new DOMParser().parseFromString(html, "text/html");
  // Google's checklists have their boxes as pictures, too.
  for (const box of page.querySelectorAll(
    "li[role=checkbox] img[alt=checked], li[role=checkbox] img[alt=unchecked]",
  ))
    box.remove();
  straightenLazyPictures(page);
  const images = [...page.querySelectorAll("img")];
  const inMemory = images.filter((image) => isInMemory(image.getAttribute("src") ?? ""));
  const filesInMemory = inMemory.length === files.length ? files : [];
  for (const [index, image] of images.entries()) {
    const src = image.getAttribute("src") ?? "";
    const localSource = src.startsWith(`${here}/media/`) ? src.slice(here.length) : src;
    const safeSource = safeImageSource(localSource);
    if (safeSource) {
      image.setAttribute("src", safeSource);
      continue;
    }
    const bytes = pictureInDataUrl(src) ?? filesInMemory[inMemory.indexOf(image)];
    if (bytes) image.replaceWith(`${open}${pictures.push(bytes) - 1}${close}`);
    else {
      // One-pixel pictures are trackers.
      if (image.width !== 1 && image.height !== 1) lost.push(pictureName(image.getAttribute("alt"), index));
      image.remove();
    }
  }
  return { html: page.documentElement.outerHTML, pictures, lost };
}

/** Inserts pasted or dropped content, and replaces its markers by uploads, last first. */
function insertWithPictures(
  view: EditorView,
  inserted: Transaction,
  waiting: Blob[],
  target: PictureTarget,
): void {
  view.dispatch(inserted);
  const places: { from: number; to: number; picture: Blob }[] = [];
  view.state.doc.descendants((node, pos) => {
    if (!node.isText) return;
    for (const match of node.text!.matchAll(marker)) {
      const picture = waiting[Number(match[1])];
      if (picture) places.push({ from: pos + match.index, to: pos + match.index + match[0].length, picture });
    }
  });
  for (const { from, to, picture } of places.toReversed()) {
    const tr = view.state.tr.delete(from, to);
    const $at = tr.doc.resolve(from);
    const isAlone = $at.parent.content.size === 0 && $at.depth > 0 && $at.node(-1).childCount > 1;
    const pos = isAlone ? $at.before() : $at.after();
    if (isAlone && $at.node(-1).canReplace($at.index(-1), $at.indexAfter(-1)))
      tr.delete($at.before(), $at.after());
    // One undo step: otherwise an undo brings back a marker alone.
    view.dispatch(tr.setMeta("appendedTransaction", inserted));
    target.add([picture], pos);
  }
}

/** Returns why a paste is too long, before it is parsed. `usedLength` returns the length of the text that stays. */
export function pasteRefusal(data: DataTransfer | null, usedLength: () => number): string | null {
  const limit = documentLimits.textLength;
  const length = data?.getData("text/plain").length ?? 0;
  const room = length > limit / 50 ? Math.max(0, limit - usedLength()) : limit;
  if (length > room)
    return `This is too long to paste: ${length.toLocaleString("en")} characters. A blog has room for ${limit.toLocaleString("en")}${room < limit ? `, this one for ${room.toLocaleString("en")} more` : ""}.`;
  const html = data?.getData("text/html") ?? "";
  if (html.length < htmlLimits.pieces) return null;
  // Without `data:` URLs, which are not text. Split, since a regular expression overflows the stack on a long one.
  const text = html
    .split("data:")
    .map((part, at) => (at === 0 ? part : part.slice(part.search(/["'\s)]|$/))))
    .join("");
  return text.length > htmlLimits.length || text.split("<").length > 2 * htmlLimits.pieces
    ? tooLargeMessage
    : null;
}

const tooLargeMessage = "This is too much to paste at once. Paste it in parts, or as plain text with Shift.";

function countNodes(content: Fragment): number {
  let count = 0;
  content.descendants(() => void count++);
  return count;
}

function countPictures(content: Fragment): number {
  let count = 0;
  content.descendants(({ type }) => void (count += isPictureName(type.name) ? 1 : 0));
  return count;
}

function withoutStyleSheets(html: string): string {
  const parts = html.split(/<style\b/i);
  return parts.map((part, at) => (at === 0 ? part : part.replace(/^[^]*?(?:<\/style\s*>|$)/i, ""))).join("");
}

/** Filters HTML by the schema, uploads pictures, and links the selection to a pasted address. `textName` is this text's. */
export function pastePlugin(target: () => PictureTarget, showMessage: ShowMessage, textName: string): Plugin {
  /** Pictures of the HTML parsed last, until it is inserted. */
  let waiting: Blob[] = [];
  const takeWaiting = (): Blob[] => {
    const pictures = waiting;
    waiting = [];
    return pictures;
  };
  /** Names of its pictures that could not be taken. */
  let lost: string[] = [];
  const reportLost = (): void => {
    if (lost.length > 0) showMessage(lostPicturesMessage(lost));
    lost = [];
  };
  /** Pictures beside the HTML. */
  let files: File[] = [];
  let pasted: DataTransfer | null = null;
  // From this editor, where the colours were chosen.
  let hasOwnColors = false;
  // Its signs without a note mean notes of this text.
  let isOwnText = false;
  const refuse = (
    view: EditorView,
    event: ClipboardEvent | DragEvent,
    data: DataTransfer | null,
  ): boolean => {
    const { doc, selection } = view.state;
    const lengthOf = (from: number, to: number) => doc.textBetween(from, to).length;
    const reason = pasteRefusal(
      data,
      () => lengthOf(0, selection.from) + lengthOf(selection.to, doc.content.size),
    );
    if (reason === null) return false;
    event.preventDefault();
    showMessage(reason);
    return true;
  };
  const refuseSlice = (view: EditorView, { size, content }: Slice): boolean => {
    const limit = documentLimits.nodes;
    if (size <= limit || countNodes(content) + countNodes(view.state.doc.content) <= limit) return false;
    showMessage(tooLargeMessage);
    return true;
  };
  return new Plugin({
    props: {
      handleDOMEvents: {
        paste(view, event) {
          pasted = event.clipboardData;
          files = picturesIn(pasted);
          lost = [];
          if (refuse(view, event, pasted)) return true;
          const text = unformattedText(pasted);
          if (text === null || pasted?.getData("text/html") === "") return false;
          event.preventDefault();
          return view.pasteText(text, event);
        },
        drop(view, event) {
          files = picturesIn(event.dataTransfer);
          lost = [];
          return !view.dragging && refuse(view, event, event.dataTransfer);
        },
      },
      transformPastedText: (text, isPlain) => (isPlain ? text : joinWrappedLines(text)),
      transformPastedHTML(copied) {
        // The page's policy would block a style sheet.
        const html = withoutStyleSheets(withCellStyles(withCodeLanguage(copied, pasted)));
        pasted = null;
        hasOwnColors = / data-pm-slice="/.test(copied);
        isOwnText = copied.includes(` data-text="${textName}"`);
        waiting = [];
        // Unchanged if possible: parsing would make a whole page of a part of a table.
        if (!/<img\b/i.test(html)) return html;
        const extracted = extractPictures(html, location.origin, files);
        waiting = extracted.pictures;
        lost = extracted.lost;
        return extracted.html;
      },
      transformPasted(slice, view, isPlain) {
        const { doc, selection } = view.state;
        const { $from, from, to } = selection;
        const isCode = $from.parent.type.spec.code || schema.marks.code.isInSet($from.marks());
        if (isPlain && !isCode) return withLinks(slice);
        // A move removes the dragged selection; a dropped copy replaces nothing.
        const replaces = !view.dragging || view.dragging.move;
        const clean = view.dragging || hasOwnColors ? slice : withDirectLinks(withoutSourceColors(slice));
        const isForeign = !view.dragging && !isOwnText;
        hasOwnColors = isOwnText = false;
        return withUniqueNoteKeys(clean, doc, { from, to: replaces ? to : from, isForeign });
      },
      handlePaste(view, event, slice) {
        const pictures = takeWaiting();
        const data = event.clipboardData;
        if (refuseSlice(view, slice)) return true;
        // Word adds a picture of the text: only pictures alone count, if the files are all of them.
        if (
          files.length > 0 &&
          files.length >= countPictures(slice.content) + pictures.length + lost.length &&
          slice.content.textBetween(0, slice.content.size, " ").replace(marker, "").trim() === ""
        ) {
          target().add(files);
          return true;
        }
        reportLost();
        const href = view.state.selection.empty ? null : typedLink(data?.getData("text/plain") ?? "");
        if (
          href &&
          /^(?:https?|mailto|tel):/i.test(data!.getData("text/plain").trim()) &&
          setLink(href)(view.state, view.dispatch)
        )
          return true;
        const joined = withJoinedNotes(view.state, slice);
        if (pictures.length === 0 && !joined) return false;
        const tr = joined ?? view.state.tr.replaceSelection(slice).scrollIntoView();
        tr.setMeta("paste", true).setMeta("uiEvent", "paste");
        insertWithPictures(view, tr, pictures, target());
        return true;
      },
      handleDrop(view, event, slice, moved) {
        const pictures = takeWaiting();
        if (!moved && refuseSlice(view, slice)) return true;
        if (!moved && files.length === 0) reportLost();
        if (moved || (files.length === 0 && pictures.length === 0)) return false;
        event.preventDefault();
        const { doc, tr } = view.state;
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        const $at = doc.resolve(at?.pos ?? doc.content.size);
        if (files.length === 0) {
          const pos = dropPoint(doc, $at.pos, slice) ?? $at.pos;
          tr.replaceRange(pos, pos, slice).setMeta("uiEvent", "drop");
          const end = tr.doc.resolve(tr.mapping.map(pos));
          tr.setSelection(TextSelection.between(tr.doc.resolve(pos), end));
          view.focus();
          insertWithPictures(view, tr, pictures, target());
          return true;
        }
        target().add(
          files,
          $at.parent.isTextblock
            ? $at.parentOffset * 2 < $at.parent.content.size
              ? $at.before()
              : $at.after()
            : $at.pos,
        );
        return true;
      },
    },
  });
}
