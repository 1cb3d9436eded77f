import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Node } from "prosemirror-model";
import { countWords, readingMinutes } from "../../shared/document/to-text.ts";
import { schema } from "../../shared/document/schema.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import type { Caret } from "../../shared/writing.ts";
import { showCompany, whenAtRest } from "./carets/carets.ts";
import type { Company } from "./carets/carets.ts";
import type { Unconfirmed } from "./sync/sync.ts";
import { writeOver } from "./sync/text.ts";
import type { Text } from "./sync/text.ts";
import { useSite } from "../session/site.ts";
import { toast } from "../ui/toasts.tsx";
import { Editor } from "./create-editor.ts";
import type { Question } from "./create-editor.ts";
import type { LookUp, ShowBlog } from "./embeds.ts";
import type { Bubble } from "./menus/bubble.ts";
import type { PicturesUnderWay } from "./pictures/pictures.ts";
import { AltPopover } from "./menus/alt-popover.tsx";
import type { EmptyLine } from "./menus/empty-line.ts";
import { InsertButton } from "./menus/insert-button.tsx";
import { LinkPopover } from "./menus/link-popover.tsx";
import { FigureBar } from "./figures/figure-bar.tsx";
import { SelectionBubble } from "./menus/selection-bubble.tsx";
import { SlashMenu } from "./menus/slash-menu.tsx";
import type { Slash } from "./menus/slash.ts";
import { Toolbar } from "./menus/toolbar.tsx";
import { setsSigns } from "./sets-signs.ts";
import { useKeyboardInset } from "./keyboard-inset.ts";
import "../ui/prose.css";
import "../ui/field.css";
import "./content-field.css";
import "./content.css";

interface Props {
  label: string;
  /** The document to begin with, and what was written over it; later ones are ignored, the editor owns its text. */
  document: NodeJson;
  at: Unconfirmed;
  /** The text is there, to be kept in step with the server's. */
  onText: (text: Text) => void;
  /** Who else writes here. */
  company: Company;
  /** Tells them where the caret of this page is. False where it did not arrive. */
  onCaret: (caret: Caret) => Promise<boolean>;
  /** What it is written in, as far as anybody knows; empty: as the device is. */
  language: string;
  onChange: () => void;
  onPictures: (underWay: PicturesUnderWay) => void;
  error?: string | null;
  /** It may be read and copied, and not changed. */
  isReading: boolean;
  /** What an address leads to. */
  look: LookUp;
  /** Draws what they may see of a blog of the site. */
  showBlog: ShowBlog;
  /** The writer goes back to what stands above the text. */
  onLeave: () => void;
  /** They want to go to the toolbar, which is to be in sight. */
  onToolbar: () => void;
}

export { code } from "./sync/code.ts";

/** The labelled text box with its toolbar. Import it on demand: it brings ProseMirror along. */
export default function ContentField({
  label,
  document,
  at,
  onText,
  company,
  onCaret,
  language,
  onChange,
  onPictures,
  error,
  isReading,
  look,
  showBlog,
  onLeave,
  onToolbar,
}: Props) {
  const id = useId();
  const { publicUrl } = useSite();
  const mount = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [slash, setSlash] = useState<Slash | null>(null);
  const [line, setLine] = useState<EmptyLine | null>(null);
  const [bubble, setBubble] = useState<Bubble | null>(null);
  const [words, setWords] = useState({ count: 0, minutes: 0 });
  const given = { onText, onCaret, onChange, onPictures, look, showBlog, onLeave, onToolbar, language };
  const callbacks = useRef(given);
  useLayoutEffect(() => {
    callbacks.current = given;
  });

  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = (doc: Node) => {
      const text = doc.textBetween(0, doc.content.size, " ", " ");
      setWords({ count: countWords(text), minutes: readingMinutes(text) });
    };
    const made = new Editor(mount.current!, {
      document: Node.fromJSON(schema, document),
      client: at.client,
      seq: at.seq,
      onCaret: (caret) => callbacks.current.onCaret(caret),
      attributes: {
        id: `${id}-content`,
        role: "textbox",
        "aria-multiline": "true",
        "aria-labelledby": `${id}-label`,
        "aria-describedby": `${id}-words ${id}-error`,
        class: "editor-content prose",
        spellcheck: "true",
      },
      language: () => (setsSigns() ? callbacks.current.language || navigator.language : null),
      origin: publicUrl,
      look: (href) => callbacks.current.look(href),
      showBlog: (place, slug) => callbacks.current.showBlog(place, slug),
      invitation: "Tell it…",
      hint: "/ for headings, lists and pictures. Markdown works, too.",
      onChange: () => {
        callbacks.current.onChange();
        timer ??= setTimeout(() => {
          timer = undefined;
          count(made.view.state.doc);
        }, 400);
      },
      onPictures: (underWay) => callbacks.current.onPictures(underWay),
      onQuestion: setQuestion,
      onLeave: () => callbacks.current.onLeave(),
      onSlash: setSlash,
      onLine: setLine,
      onBubble: setBubble,
      say: (message, action) => toast(action ? { message, action } : { message, kind: "error" }),
      onToolbar: () => {
        callbacks.current.onToolbar();
        box.current?.querySelector<HTMLElement>("[role=toolbar] button:not([tabindex='-1'])")?.focus();
      },
    });
    const { view } = made;
    if (at.steps.length > 0) view.dispatch(writeOver(view.state, at.steps));
    count(view.state.doc);
    setEditor(made);
    callbacks.current.onText({
      state: () => view.state,
      // What is still confirmed when the field has gone away is noted all the same.
      dispatch: (transaction) => {
        if (view.isDestroyed) view.state = view.state.apply(transaction);
        else view.dispatch(transaction);
      },
    });
    return () => {
      clearTimeout(timer);
      made.destroy();
      setEditor(null);
    };
    // The editor lives as long as the field.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  useEffect(() => {
    if (!editor) return;
    if (error) editor.view.dom.setAttribute("aria-invalid", "true");
    else editor.view.dom.removeAttribute("aria-invalid");
  }, [editor, error]);

  useEffect(() => {
    if (language) editor?.view.dom.setAttribute("lang", language);
    else editor?.view.dom.removeAttribute("lang");
  }, [editor, language]);

  useEffect(
    () => (editor ? whenAtRest(editor.view, () => showCompany(editor.view, company)) : undefined),
    [editor, company],
  );

  useEffect(() => {
    editor?.view.setProps({ editable: () => !isReading });
    if (isReading) editor?.view.dom.setAttribute("aria-readonly", "true");
    else editor?.view.dom.removeAttribute("aria-readonly");
  }, [editor, isReading]);

  useKeyboardInset(box);

  return (
    <div
      className="editor"
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
        {/* Behind the text, so that Tab goes from the title into it; the sheet shows it above. */}
        <div className="editor-bar-place">
          {editor && !isReading ? <Toolbar editor={editor} /> : <div className="editor-bar" />}
        </div>
      </div>
      <div className="field-notes editor-notes">
        <span id={`${id}-words`} className="tabular">
          {words.count === 1 ? "1 word" : `${words.count.toLocaleString()} words`}
          {words.count > 0 && ` · ${words.minutes} min read`}
        </span>
      </div>
      <p id={`${id}-error`} className="field-error" role="alert" hidden={!error}>
        {error}
      </p>
      {editor && slash && !isReading && <SlashMenu key={slash.from} editor={editor} slash={slash} />}
      {editor && bubble && !isReading && <SelectionBubble editor={editor} bubble={bubble} />}
      {editor && !isReading && <FigureBar editor={editor} />}
      {editor && question?.about === "link" && (
        <LinkPopover editor={editor} onClose={() => setQuestion(null)} />
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
