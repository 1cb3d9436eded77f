import type { Fragment } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { documentLimits, htmlLimits } from "../../shared/document/limits.ts";
import { safeImageSource } from "../../shared/document/values.ts";
import { schema } from "../../shared/document/schema.ts";
import type { Say } from "./create-editor.ts";
import { setLink, typedLink } from "./links.ts";
import { withoutInk } from "./pasted-ink.ts";
import { withOwnNotes } from "./pasted-notes.ts";
import { withLinks } from "./typed-links.ts";
import { pictureInDataUrl, picturesIn } from "./pictures/files.ts";
import { bareText, withLanguage } from "./programs.ts";

/** Where pasted and dropped pictures go. */
export interface PictureTarget {
  add(files: readonly Blob[], pos?: number): void;
}

// Characters that no text has: they mark the place of a picture in pasted text until it is uploaded.
const open = "\u{f0001}";
const close = "\u{f0002}";
const marker = new RegExp(`${open}(\\d+)${close}`, "gu");

/**
 * Takes out of pasted HTML the pictures that can't be stored as they are: those with their bytes inside are uploaded, the
 * rest (files of the writer's machine, and what the page's policy blocks) told of. `here` is the site's origin.
 */
export function takePictures(html: string, here: string): { html: string; pictures: Blob[]; lost: number } {
  const pictures: Blob[] = [];
  let lost = 0;
  const page = new DOMParser().parseFromString(html, "text/html");
  // The boxes of Google's checklists, which are said of the items as well.
  for (const box of page.querySelectorAll(
    "li[role=checkbox] img[alt=checked], li[role=checkbox] img[alt=unchecked]",
  ))
    box.remove();
  for (const image of page.querySelectorAll("img")) {
    const src = image.getAttribute("src") ?? "";
    const own = src.startsWith(`${here}/media/`) ? src.slice(here.length) : src;
    const kept = safeImageSource(own);
    if (kept && (!kept.startsWith("http:") || here.startsWith("http:"))) {
      image.setAttribute("src", kept);
      continue;
    }
    const bytes = pictureInDataUrl(src);
    if (bytes) image.replaceWith(`${open}${pictures.push(bytes) - 1}${close}`);
    else {
      // One-pixel pictures count readers; nobody misses them.
      if (image.width !== 1 && image.height !== 1) lost++;
      image.remove();
    }
  }
  return { html: page.documentElement.outerHTML, pictures, lost };
}

/** Replaces the markers that a paste left between `from` and `to` by uploads, the last first. */
function beginUploads(view: EditorView, waiting: Blob[], target: PictureTarget): void {
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
    const alone = $at.parent.content.size === 0 && $at.depth > 0 && $at.node(-1).childCount > 1;
    const pos = alone ? $at.before() : $at.after();
    if (alone && $at.node(-1).canReplace($at.index(-1), $at.indexAfter(-1)))
      tr.delete($at.before(), $at.after());
    view.dispatch(tr);
    target.add([picture], pos);
  }
}

/** What is said of a text that is more than any may be, before it is read; null of others. `there` is how long the rest of the text is. */
export function tooLong(data: DataTransfer | null, there: () => number): string | null {
  const most = documentLimits.textLength;
  const length = data?.getData("text/plain").length ?? 0;
  const room = length > most / 50 ? Math.max(0, most - there()) : most;
  if (length > room)
    return `This is too long to paste: ${length.toLocaleString("en")} characters. A blog has room for ${most.toLocaleString("en")}${room < most ? `, this one for ${room.toLocaleString("en")} more` : ""}.`;
  const html = data?.getData("text/html") ?? "";
  if (html.length < htmlLimits.pieces) return null;
  // Pictures with their bytes inside are no text. A pattern that takes all of one up to its end runs out of stack at some length.
  const text = html
    .split("data:")
    .map((part, at) => (at === 0 ? part : part.slice(part.search(/["'\s)]|$/))))
    .join("");
  return text.length > htmlLimits.length || text.split("<").length > 2 * htmlLimits.pieces ? tooMany : null;
}

const tooMany = "This is too much to paste at once. Paste it in parts, or as plain text with Shift.";

/** How many parts there are in it, its texts counted. */
function partsIn(content: Fragment): number {
  let count = 0;
  content.descendants(() => void count++);
  return count;
}

function withoutSheets(html: string): string {
  const parts = html.split(/<style\b/i);
  return parts.map((part, at) => (at === 0 ? part : part.replace(/^[^]*?(?:<\/style\s*>|$)/i, ""))).join("");
}

/** Paste and drop: HTML goes through the schema, pictures are uploaded, an address pasted over text links it. */
export function pastePlugin(target: () => PictureTarget, say: Say): Plugin {
  let waiting: Blob[] = [];
  let pasted: DataTransfer | null = null;
  // Copied from this editor, where somebody chose each colour.
  let hasOwnColors = false;
  const refuse = (
    view: EditorView,
    event: ClipboardEvent | DragEvent,
    data: DataTransfer | null,
  ): boolean => {
    const { doc, selection } = view.state;
    const lengthOf = (from: number, to: number) => doc.textBetween(from, to).length;
    const reason = tooLong(
      data,
      () => lengthOf(0, selection.from) + lengthOf(selection.to, doc.content.size),
    );
    if (reason === null) return false;
    event.preventDefault();
    say(reason);
    return true;
  };
  return new Plugin({
    props: {
      handleDOMEvents: {
        paste(view, event) {
          pasted = event.clipboardData;
          if (refuse(view, event, pasted)) return true;
          const text = bareText(pasted);
          if (text === null || pasted?.getData("text/html") === "") return false;
          event.preventDefault();
          return view.pasteText(text, event);
        },
        drop: (view, event) => !view.dragging && refuse(view, event, event.dataTransfer),
      },
      transformPastedHTML(copied) {
        // A sheet would be refused by the page's policy, and means nothing here.
        const html = withoutSheets(withLanguage(copied, pasted));
        pasted = null;
        hasOwnColors = / data-pm-slice="/.test(copied);
        // Untouched where it can be: a whole page would be made of what may be a part of a table.
        if (!/<img\b/i.test(html)) return html;
        const taken = takePictures(html, location.origin);
        waiting = taken.pictures;
        if (taken.lost > 0)
          say(
            taken.lost === 1
              ? "We couldn’t copy a picture. Add it from a file."
              : `${taken.lost} pictures couldn’t be copied. Add them from files.`,
          );
        return taken.html;
      },
      transformPasted(slice, view, isPlain) {
        const { doc, selection } = view.state;
        const { $from, from, to } = selection;
        const isCode = $from.parent.type.spec.code || schema.marks.code.isInSet($from.marks());
        if (isPlain && !isCode) return withLinks(slice);
        // What is dragged elsewhere in the text is not there twice; what is dropped takes the place of nothing.
        const replaces = !view.dragging || view.dragging.move;
        const clean = view.dragging || hasOwnColors ? slice : withoutInk(slice);
        hasOwnColors = false;
        return withOwnNotes(clean, doc, from, replaces ? to : from);
      },
      handlePaste(view, event, slice) {
        const data = event.clipboardData;
        if (
          slice.size > documentLimits.nodes &&
          partsIn(slice.content) + partsIn(view.state.doc.content) > documentLimits.nodes
        ) {
          waiting = [];
          say(tooMany);
          return true;
        }
        const files = picturesIn(data);
        // Word sends a picture of the text along with the text: only a picture alone is meant as one.
        if (
          files.length > 0 &&
          slice.content.textBetween(0, slice.content.size, " ").replace(marker, "").trim() === ""
        ) {
          waiting = [];
          target().add(files);
          return true;
        }
        const href = view.state.selection.empty ? null : typedLink(data?.getData("text/plain") ?? "");
        if (
          href &&
          /^(?:https?|mailto|tel):/i.test(data!.getData("text/plain").trim()) &&
          setLink(href)(view.state, view.dispatch)
        )
          return true;
        if (waiting.length === 0) return false;
        const pictures = waiting;
        waiting = [];
        view.dispatch(
          view.state.tr
            .replaceSelection(slice)
            .scrollIntoView()
            .setMeta("paste", true)
            .setMeta("uiEvent", "paste"),
        );
        beginUploads(view, pictures, target());
        return true;
      },
      handleDrop(view, event, _slice, moved) {
        const files = picturesIn(event.dataTransfer);
        if (moved || files.length === 0) return false;
        event.preventDefault();
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        const $at = view.state.doc.resolve(at?.pos ?? view.state.doc.content.size);
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
