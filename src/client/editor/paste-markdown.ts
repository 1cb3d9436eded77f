import { closeHistory } from "prosemirror-history";
import type { Slice } from "prosemirror-model";
import { Plugin, PluginKey, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { codeLoader } from "../ui/fetch-code.ts";
import type { ShowMessage } from "./create-editor.ts";
import { unformattedText } from "./clipboard-text.ts";

const loadReader = codeLoader(() => import("../../shared/document/from-markdown.ts"));

/** One match of these proves Markdown; of `likelyPatterns`, two of one pattern. Comments of a program look like headings. */
const certainPatterns = [
  /!?\[[^\]\n]{1,300}\]\((?:https?:|mailto:|\/|#)[^)\s]{1,1000}\)/,
  /^ {0,3}\|?(?: {0,9}:?-{3,99}:? {0,9}\|)+/m,
];
const certainHeading = /^#{1,6} \S[^\n]*\n[ \t]{0,9}\n/m;
const likelyHeading = /^#{1,6} \S/gm;
const likelyPatterns = [
  /^(?:```|~~~)/gm,
  /^ {0,9}[-*+] \S/gm,
  /^ {0,9}\d{1,4}[.)] \S/gm,
  /^> \S/gm,
  /(?<![\w*])\*\*[^\s*][^*\n]{0,300}\*\*(?![\w*])/g,
  /(?<!`)`[^`\n]{1,200}`(?!`)/g,
];

/** A line of a program: a statement's end, an assignment, a prompt, or a common command or keyword. */
const programLine =
  /[;{}][ \t]{0,9}$|^[ \t]{0,40}(?:\$ |set -|export \w{1,60}=|[A-Za-z_]\w{0,60} ?=[^=]|(?:apt|apt-get|brew|cd|chmod|cp|curl|docker|echo|git|mkdir|mv|npm|npx|pip|rm|sudo|wget|yarn) [\w"'$./-]|(?:import|from|def|class) [\w.]{1,80}[ \t]{0,9}(?:$|[(:]|import )|(?:fi|done|esac)$)/m;
const fence = /^(?:```|~~~)/m;

/** Characters: parsing more would block the page for too long. */
const maxLength = 200_000;
const maxFootnotes = 300;

export function looksLikeMarkdown(text: string): boolean {
  const start = text.slice(0, 20_000).replace(/\r\n?/g, "\n");
  if (certainPatterns.some((sign) => sign.test(`${start}\n\n`))) return true;
  const hasTwo = (sign: RegExp) => (start.match(sign)?.length ?? 0) >= 2;
  if (likelyPatterns.some(hasTwo)) return true;
  const outsideFences = start.split(fence).filter((_part, at) => at % 2 === 0);
  const isProgram = start.startsWith("#!") || outsideFences.some((part) => programLine.test(part));
  return !isProgram && (certainHeading.test(`${start}\n\n`) || hasTwo(likelyHeading));
}

/** Whether parsing takes so long that the page would not react. */
const isTooLongToParse = (text: string): boolean =>
  text.length > maxLength || text.split("[^").length + text.split("^[").length > maxFootnotes;

interface Place {
  from: number;
  to: number;
  /** After the paste. */
  caret: number;
}

const key = new PluginKey<Place | null>("pasted-markdown");

/**
 * Pastes Markdown as plain text, and parses it once the parser is loaded. An undo or the message's action brings the text back.
 */
export function pasteMarkdownPlugin(showMessage: ShowMessage, origin: string): Plugin {
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
    // Not if the writer has typed or moved the caret since.
    if (!at || view.state.selection.head !== at.caret || !view.state.selection.empty) return;
    const after = view.state.doc.content.size - at.to;
    select(view, at);
    view.pasteHTML(markdown!.markdownToHtml(text, { origin }));
    const { doc, selection, tr } = view.state;
    // The caret can be before the end (blocks/footnote.ts).
    view.dispatch(tr.setMeta(key, { from: at.from, to: doc.content.size - after, caret: selection.head }));
    showMessage("Read as Markdown.", {
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
        const text = unformattedText(event.clipboardData);
        if (isPlain || text === null || !looksLikeMarkdown(text)) return false;
        if (view.state.selection.$from.parent.type.spec.code) return false;
        place(view, slice);
        if (isTooLongToParse(text))
          showMessage("This is too long to read as Markdown at once. Paste it in parts to format it.");
        else void read(view, text, slice);
        return true;
      },
    },
  });
}

/** Pasted text about to be replaced. An undo puts the caret at its end: the next key would replace selected text. */
class PastedText extends TextSelection {
  override getBookmark(): ReturnType<TextSelection["getBookmark"]> {
    return new TextSelection(this.$head).getBookmark();
  }
}

function select(view: EditorView, { from, to }: Place): void {
  const { tr } = view.state;
  const { $anchor, $head } = TextSelection.between(tr.doc.resolve(from), tr.doc.resolve(to));
  view.dispatch(closeHistory(tr.setSelection(new PastedText($anchor, $head))));
}
