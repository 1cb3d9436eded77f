import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { Node } from "prosemirror-model";
import type { ReactNode } from "react";
import { countWords, readingMinutes } from "../../shared/document/to-text.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { useToast } from "../ui/toasts.tsx";
import { Editor } from "./create-editor.ts";
import type { Question } from "./create-editor.ts";
import type { Bubble } from "./menus/bubble.ts";
import { readDocument } from "./create-state.ts";
import type { PicturesUnderWay } from "./pictures/pictures.ts";
import { AltPopover } from "./menus/alt-popover.tsx";
import { LinkPopover } from "./menus/link-popover.tsx";
import { SelectionBubble } from "./menus/selection-bubble.tsx";
import { SlashMenu } from "./menus/slash-menu.tsx";
import type { Slash } from "./menus/slash.ts";
import { Toolbar } from "./menus/toolbar.tsx";
import { useKeyboardInset } from "./keyboard-inset.ts";
import "../ui/prose.css";
import "../ui/field.css";
import "./content-field.css";
import "./content.css";

interface Props {
  label: string;
  /** The document to begin with; later ones are ignored, the editor owns its text. */
  document: unknown;
  /** `read` gives the document as it is at the time of the call. */
  onChange: (read: () => NodeJson) => void;
  onPictures: (underWay: PicturesUnderWay) => void;
  error?: string | null;
  /** Shown beside the number of words. */
  status?: ReactNode;
}

/** A document as this editor would give it back: what was stored compares with what it says only in that form. */
export const normalDocument = (json: unknown): NodeJson => readDocument(json).toJSON() as NodeJson;

/** The labelled text box with its toolbar. Import it on demand: it brings ProseMirror along. */
export default function ContentField({ label, document, onChange, onPictures, error, status }: Props) {
  const id = useId();
  const toast = useToast();
  const mount = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [slash, setSlash] = useState<Slash | null>(null);
  const [bubble, setBubble] = useState<Bubble | null>(null);
  const [words, setWords] = useState({ count: 0, minutes: 0 });
  const callbacks = useRef({ onChange, onPictures });
  useLayoutEffect(() => {
    callbacks.current = { onChange, onPictures };
  });

  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = (doc: Node) => {
      const text = doc.textBetween(0, doc.content.size, " ", " ");
      setWords({ count: countWords(text), minutes: readingMinutes(text) });
    };
    const node = readDocument(document);
    const made = new Editor(mount.current!, {
      document: node,
      attributes: {
        id: `${id}-content`,
        role: "textbox",
        "aria-multiline": "true",
        "aria-labelledby": `${id}-label`,
        "aria-describedby": `${id}-words ${id}-error`,
        class: "editor-content prose",
        spellcheck: "true",
      },
      invitation: "Write here. Type / for headings, lists and pictures; Markdown works, too.",
      onChange: (doc) => {
        callbacks.current.onChange(() => doc.toJSON() as NodeJson);
        timer ??= setTimeout(() => {
          timer = undefined;
          count(made.view.state.doc);
        }, 400);
      },
      onPictures: (underWay) => callbacks.current.onPictures(underWay),
      onQuestion: setQuestion,
      onSlash: setSlash,
      onBubble: setBubble,
      onToolbar: () =>
        box.current?.querySelector<HTMLElement>("[role=toolbar] button:not([tabindex='-1'])")?.focus(),
      say: (message) => toast({ message, kind: "error" }),
    });
    count(node);
    setEditor(made);
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

  useKeyboardInset(box);

  return (
    <div className="editor" ref={box} data-invalid={error ? true : undefined}>
      <span id={`${id}-label`} className="field-label editor-label">
        {label}
      </span>
      <div className="editor-frame">
        <div ref={mount} />
        {/* Behind the text, so that Tab goes from the title into it; the sheet shows it above. */}
        <div className="editor-bar-place">
          {editor ? <Toolbar editor={editor} /> : <div className="editor-bar" />}
        </div>
      </div>
      <div className="field-notes editor-notes">
        <span id={`${id}-words`} className="tabular">
          {words.count === 1 ? "1 word" : `${words.count.toLocaleString()} words`}
          {words.count > 0 && ` · ${words.minutes} min read`}
        </span>
        {status}
      </div>
      <p id={`${id}-error`} className="field-error" role="alert" hidden={!error}>
        {error}
      </p>
      {editor && slash && <SlashMenu key={slash.from} editor={editor} slash={slash} />}
      {editor && bubble && <SelectionBubble editor={editor} bubble={bubble} />}
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
