import { closeHistory } from "prosemirror-history";
import type { Slice } from "prosemirror-model";
import { Plugin, PluginKey, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { codeLoader } from "../ui/fetch-code.ts";
import type { Say } from "./create-editor.ts";
import { bareText } from "./programs.ts";

const loadReader = codeLoader(() => import("../../shared/document/from-markdown.ts"));

/** Of Markdown, what hardly anything else has; the rest counts where there are two of it. */
const sure = [
  /^#{1,6} \S[^\n]*\n[ \t]{0,9}\n/m,
  /!?\[[^\]\n]{1,300}\]\((?:https?:|mailto:|\/|#)[^)\s]{1,1000}\)/,
  /^ {0,3}\|?(?: {0,9}:?-{3,99}:? {0,9}\|)+/m,
];
const likely = [
  /^#{1,6} \S/gm,
  /^(?:```|~~~)/gm,
  /^ {0,9}[-*+] \S/gm,
  /^ {0,9}\d{1,4}[.)] \S/gm,
  /^> \S/gm,
  /(?<![\w*])\*\*[^\s*][^*\n]{0,300}\*\*(?![\w*])/g,
  /(?<!`)`[^`\n]{1,200}`(?!`)/g,
];

/** Characters beyond which a text stays as it is: reading it would hold the page. */
const mostRead = 50_000;
/** And notes in it. */
const mostNotes = 300;

/** Whether a text that comes without a form of its own reads as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  if (text.length > mostRead || text.split("[^").length + text.split("^[").length > mostNotes) return false;
  const start = text.slice(0, 20_000).replace(/\r\n?/g, "\n");
  if (sure.some((sign) => sign.test(`${start}\n\n`))) return true;
  const signs = likely.map((sign) => start.match(sign)?.length ?? 0);
  return signs.some((count) => count >= 2);
}

interface Place {
  from: number;
  to: number;
  /** Where the caret was left. */
  caret: number;
}

const key = new PluginKey<Place | null>("pasted-markdown");

/**
 * Markdown that is pasted as plain text is there at once, and read as what it means when the code for that has come: an undo
 * takes it back to the text, and so does what the message offers.
 */
export function pasteMarkdownPlugin(say: Say, origin: string): Plugin {
  let isPlain = false;
  const place = (view: EditorView, slice: Slice): void => {
    const { from, to } = view.state.selection;
    const tr = closeHistory(view.state.tr).replaceSelection(slice).scrollIntoView();
    const at = { from: tr.mapping.map(from, -1), to: tr.mapping.map(to, 1), caret: tr.selection.head };
    view.dispatch(tr.setMeta("paste", true).setMeta("uiEvent", "paste").setMeta(key, at));
  };
  const read = async (view: EditorView, text: string, plain: Slice): Promise<void> => {
    const markdown = await loadReader().catch(() => null);
    const at = view.isDestroyed || !markdown ? null : key.getState(view.state);
    // Whoever has written on has it as it is.
    if (!at || view.state.selection.head !== at.caret || !view.state.selection.empty) return;
    select(view, at);
    view.pasteHTML(markdown!.markdownToHtml(text, { origin }));
    const { head } = view.state.selection;
    view.dispatch(view.state.tr.setMeta(key, { from: at.from, to: head, caret: head }));
    say("Read as Markdown.", {
      label: "Paste as plain text",
      run: () => {
        const now = view.isDestroyed ? null : key.getState(view.state);
        if (!now) return;
        select(view, now);
        place(view, plain);
        view.dispatch(view.state.tr.setMeta(key, null));
        view.focus();
      },
    });
  };
  return new Plugin<Place | null>({
    key,
    state: {
      init: () => null,
      apply: (tr, at) => {
        const set = tr.getMeta(key) as Place | null | undefined;
        if (set !== undefined || !at || !tr.docChanged) return set === undefined ? at : set;
        const [from, to] = [tr.mapping.map(at.from, 1), tr.mapping.map(at.to, -1)];
        return from < to ? { from, to, caret: tr.mapping.map(at.caret, -1) } : null;
      },
    },
    props: {
      transformPastedText(text, plain) {
        isPlain = plain;
        return text;
      },
      handlePaste(view, event, slice) {
        const text = bareText(event.clipboardData);
        if (isPlain || text === null || !looksLikeMarkdown(text)) return false;
        if (view.state.selection.$from.parent.type.spec.code) return false;
        place(view, slice);
        void read(view, text, slice);
        return true;
      },
    },
  });
}

function select(view: EditorView, { from, to }: Place): void {
  const { tr } = view.state;
  view.dispatch(
    closeHistory(tr.setSelection(TextSelection.between(tr.doc.resolve(from), tr.doc.resolve(to)))),
  );
}
