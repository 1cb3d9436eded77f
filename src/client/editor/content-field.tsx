import type { EditorView } from "prosemirror-view";
import { Selection } from "prosemirror-state";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Node } from "prosemirror-model";
import { countWords, readingMinutes } from "../../shared/document/to-text.ts";
import { schema } from "../../shared/document/schema.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import type { Caret } from "../../shared/drafts.ts";
import { showPresence, afterComposition } from "./carets/carets.ts";
import type { WriterPresence } from "./carets/carets.ts";
import type { Unconfirmed } from "../writing/commits.ts";
import { applyUnconfirmed } from "../writing/text.ts";
import type { SyncedText } from "../writing/text.ts";
import { useSite } from "../session/site.ts";
import { FieldError } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { Editor } from "./create-editor.ts";
import type { Question } from "./create-editor.ts";
import type { FetchCard, RenderBlogCard } from "./blocks/embed.ts";
import { BlockBars } from "./menus/block-bars.tsx";
import type { Bubble } from "./menus/bubble.ts";
import type { PictureUploads } from "./pictures/pictures.ts";
import { AltPopover } from "./menus/alt-popover.tsx";
import type { EmptyLine } from "./menus/empty-line.ts";
import { InsertButton } from "./menus/insert-button.tsx";
import { LinkBar } from "./menus/link-bar.tsx";
import { LinkPopover } from "./menus/link-popover.tsx";
import { FigureBar } from "./blocks/figure-bar.tsx";
import { SelectionBubble } from "./menus/selection-bubble.tsx";
import { SlashMenu } from "./menus/slash-menu.tsx";
import type { Slash } from "./menus/slash.ts";
import { Toolbar } from "./menus/toolbar.tsx";
import { setAttributes } from "./element.ts";
import { hasSmartQuotes } from "./smart-quotes.ts";
import { useKeyboardInset } from "./menus/visible-area.ts";
import "./blocks/formula-view.css";
import "../ui/prose.css";
import "./content-field.css";
import "./content.css";

interface Props {
  label: string;
  /** The initial document and the unconfirmed changes to it. Later values are ignored. */
  document: NodeJson;
  at: Unconfirmed;
  /** Called with the text, to be synchronized. */
  onText: (text: SyncedText) => void;
  /** Called once after that. Returns what was typed before, for the beginning of the text. */
  takeFirstLines: () => FirstLines | null;
  company: WriterPresence;
  /** Sends this page's caret. Resolves to false when that failed. */
  onCaret: (caret: Caret) => Promise<boolean>;
  /** Empty if unknown: then the browser's is used. */
  language: string;
  onChange: () => void;
  onPictures: (underWay: PictureUploads) => void;
  error?: string | null;
  /** The text can be read and copied only. */
  isReading: boolean;
  fetchCard: FetchCard;
  showBlog: RenderBlogCard;
  /** The caret leaves the text upwards. */
  onLeave: () => void;
  /** The writer wants the toolbar, which may be hidden. */
  onToolbar: () => void;
}

export { code } from "../writing/draft-sync.ts";

/** The text box with its toolbar. Import it on demand: it includes ProseMirror. */
export default function ContentField(props: Props) {
  const { label, company, error, isReading, language } = props;
  const id = useId();
  const { publicUrl } = useSite();
  const mount = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [slash, setSlash] = useState<Slash | null>(null);
  const [line, setLine] = useState<EmptyLine | null>(null);
  const [bubble, setBubble] = useState<Bubble | null>(null);
  const [textStats, setTextStats] = useState({ count: 0, minutes: 0 });
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });

  useLayoutEffect(() => {
    const { document, at } = latest.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = (doc: Node) => {
      const text = doc.textBetween(0, doc.content.size, " ", " ");
      setTextStats({ count: countWords(text), minutes: readingMinutes(text) });
    };
    const newEditor = new Editor(mount.current!, {
      document: Node.fromJSON(schema, document),
      text: at.epoch,
      client: at.client,
      seq: at.seq,
      onCaret: (caret) => latest.current.onCaret(caret),
      attributes: {
        id: `${id}-content`,
        role: "textbox",
        "aria-multiline": "true",
        "aria-labelledby": `${id}-label`,
        "aria-describedby": `${id}-words ${id}-error`,
        class: "editor-content prose",
        spellcheck: "true",
      },
      language: () => (hasSmartQuotes() ? latest.current.language || navigator.language : null),
      origin: publicUrl,
      fetchCard: (href) => latest.current.fetchCard(href),
      showBlog: (place, slug) => latest.current.showBlog(place, slug),
      invitation: "Start writing…",
      hint: "/ for headings, lists and pictures. Markdown works, too.",
      onChange: () => {
        latest.current.onChange();
        timer ??= setTimeout(() => {
          timer = undefined;
          count(newEditor.view.state.doc);
        }, 400);
      },
      onPictures: (underWay) => latest.current.onPictures(underWay),
      onQuestion: setQuestion,
      onLeave: () => latest.current.onLeave(),
      onSlash: setSlash,
      onLine: setLine,
      onBubble: setBubble,
      showMessage: (message, action) => toast(action ? { message, action } : { message, kind: "error" }),
      onToolbar: () => {
        latest.current.onToolbar();
        box.current?.querySelector<HTMLElement>("[role=toolbar] button:not([tabindex='-1'])")?.focus();
      },
    });
    const { view } = newEditor;
    if (at.steps.length > 0) view.dispatch(applyUnconfirmed(view.state, at.steps));
    count(view.state.doc);
    setEditor(newEditor);
    latest.current.onText({
      state: () => view.state,
      composing: () =>
        view.composing ? new Promise((resolve) => void afterComposition(view, resolve)) : undefined,
      // Later confirmations still have to reach the state.
      dispatch: (transaction) => {
        if (view.isDestroyed) view.state = view.state.apply(transaction);
        else view.dispatch(transaction);
      },
    });
    return () => {
      clearTimeout(timer);
      newEditor.destroy();
      setEditor(null);
    };
    // The editor lives as long as the field.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // Not above: StrictMode creates two editors, and the second gets the lines with the first one's text.
  useLayoutEffect(() => {
    const firstLines = editor && latest.current.takeFirstLines();
    if (firstLines) insertFirstLines(editor.view, firstLines);
  }, [editor]);

  useEffect(() => editor?.view.setProps({ editable: () => !isReading }), [editor, isReading]);
  useEffect(() => {
    if (editor)
      setAttributes(editor.view.dom, {
        "aria-invalid": error ? "true" : null,
        "aria-readonly": isReading ? "true" : null,
        lang: language || null,
      });
  }, [editor, error, isReading, language]);

  useEffect(
    () => (editor ? afterComposition(editor.view, () => showPresence(editor.view, company)) : undefined),
    [editor, company],
  );

  useKeyboardInset();

  return (
    <div
      className="editor stack gap-1"
      ref={box}
      data-invalid={error ? true : undefined}
      data-reading={isReading || undefined}
    >
      <span id={`${id}-label`} className="visually-hidden">
        {label}
      </span>
      <div className="editor-frame">
        <div className="editor-page">
          <div ref={mount} />
          {editor && line && !isReading && <InsertButton editor={editor} line={line} />}
        </div>
        {/* After the text in the DOM, so that Tab goes from the title to the text; CSS shows it above. */}
        <div className="editor-bar-place">
          {editor && !isReading ? (
            <>
              <Toolbar editor={editor} />
              <BlockBars editor={editor} hasBubble={bubble !== null} />
            </>
          ) : (
            <div className="editor-bar row wrap" />
          )}
        </div>
      </div>
      <div className="row top between gap-4 note field-notes editor-notes">
        <span id={`${id}-words`} className="tabular">
          {textStats.count === 1 ? "1 word" : `${textStats.count.toLocaleString()} words`}
          {textStats.count > 0 && ` · ${textStats.minutes} min read`}
        </span>
      </div>
      <FieldError id={id} error={error} />
      {editor && slash && !isReading && <SlashMenu key={slash.from} editor={editor} slash={slash} />}
      {editor && bubble && !isReading && <SelectionBubble editor={editor} bubble={bubble} />}
      {editor && !isReading && <FigureBar editor={editor} />}
      {editor && !isReading && <LinkBar editor={editor} />}
      {editor && question?.about === "link" && (
        <LinkPopover editor={editor} of={question.of} onClose={() => setQuestion(null)} />
      )}
      {editor && question?.about === "alt" && (
        <AltPopover
          key={question.pos}
          editor={editor}
          pos={question.pos}
          anchor={question.anchor}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  );
}

const { paragraph } = schema.nodes;

/** What was typed before the editor was loaded. */
export interface FirstLines {
  lines: string;
  /** The author is typing there. */
  hasFocus: boolean;
}

/** Inserts the lines at the beginning of the text, with the caret after them if the author is typing. */
function insertFirstLines(view: EditorView, { lines, hasFocus }: FirstLines): void {
  const { tr, doc } = view.state;
  let caret = Selection.atStart(doc).from;
  if (lines !== "") {
    const paragraphs = lines
      .split("\n")
      .map((line) => paragraph.create(null, line === "" ? null : schema.text(line)));
    const first = doc.firstChild;
    const isEmpty = first?.type === paragraph && first.content.size === 0;
    tr.replaceWith(0, isEmpty ? first.nodeSize : 0, paragraphs);
    caret = paragraphs.reduce((size, { nodeSize }) => size + nodeSize, 0) - 1;
  }
  if (hasFocus) tr.setSelection(Selection.near(tr.doc.resolve(caret))).scrollIntoView();
  view.dispatch(tr);
  if (hasFocus) view.focus();
}
