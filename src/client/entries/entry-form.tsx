import { Suspense, lazy, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { flushSync } from "react-dom";
import { emptyDocument } from "../../shared/document/empty-document.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { nodeToHtml } from "../../shared/document/to-html.ts";
import { documentToText } from "../../shared/document/to-text.ts";
import { trimDocument } from "../../shared/document/trim-document.ts";
import { entryLimits, entryProblems, headlineOf } from "../../shared/entries.ts";
import { fetchCodeWithRetry } from "../api/retry.ts";
import { useEditorCards } from "../blogs/article/linked/use-editor-cards.ts";
import type { DraftPlace } from "../comments/drafts.ts";
import { useToolbarChoice } from "../editor/menus/toolbar-choice.ts";
import { useTextPictures } from "../editor/pictures/text-pictures.ts";
import type { SyncedText } from "../writing/text.ts";
import { Button } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { TextField } from "../ui/field.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { leaveEntryDraft, readEntryDraft, storeEntryDraft } from "./entry-drafts.ts";
import type { EntryDraft } from "./entry-drafts.ts";
import { Star } from "./star.tsx";

const loadEditor = codeLoader(() => import("../editor/content-field.tsx"));
const ContentField = lazy(() => fetchCodeWithRetry(loadEditor));

/** What was written, and how it looks until the server has it. */
export interface WrittenEntry extends EntryDraft {
  html: string;
  headline: string;
}

interface Props {
  /** Where the text is kept on this device until it is sent. */
  place: DraftPlace;
  /** The text if nothing is kept. */
  initial?: EntryDraft;
  language: string;
  label: string;
  action: string;
  onSend: (entry: WrittenEntry) => void;
  onCancel?: () => void;
  takesFocus?: boolean;
  /** Called with each change to a text that is not empty. */
  onType?: () => void;
  /** More fields. */
  children?: ReactNode;
}

/** Milliseconds from a change until it is kept. */
const keepAfterMs = 300;

const empty = (): EntryDraft => ({ title: "", isKey: false, document: emptyDocument() });

const isEmptyText = (document: NodeJson): boolean => {
  const [first, ...more] = trimDocument(document).content ?? [];
  return more.length === 0 && (!first || (first.type === "paragraph" && !first.content?.length));
};

/** The text of an entry with its title and star. Each change is kept on this device; Mod-Enter sends. */
export function EntryForm(props: Props) {
  const { place, initial, language, label, action, onSend, onCancel, onType, children } = props;
  const { takesFocus = false } = props;
  const [hasTools, setTools] = useToolbarChoice();
  const form = useRef<HTMLFormElement>(null);
  const text = useRef<SyncedText>(null);
  const pictures = useTextPictures();
  const cards = useEditorCards();
  // What was kept of a change is not put over a later edit.
  const [draft] = useState(() => {
    const kept = readEntryDraft(place);
    return (kept && kept.base === initial?.base ? kept : initial) ?? empty();
  });
  const [title, setTitle] = useState(draft.title);
  const [isKey, setKey] = useState(draft.isKey);
  const [error, setError] = useState<string | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const { viewerId, blogId, at } = place;
  const keepTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keepNow = (): void => {
    if (keepTimer.current === undefined) return;
    clearTimeout(keepTimer.current);
    keepTimer.current = undefined;
    const now = written();
    const isEmpty = now.title.trim() === "" && !now.isKey && isEmptyText(now.document);
    storeEntryDraft(place, isEmpty && !initial ? null : now);
  };
  const latestKeep = useRef(keepNow);
  useLayoutEffect(() => {
    latestKeep.current = keepNow;
  });
  useEffect(() => {
    const onHide = (): void => latestKeep.current();
    addEventListener("pagehide", onHide);
    document.addEventListener("visibilitychange", onHide);
    return () => {
      removeEventListener("pagehide", onHide);
      document.removeEventListener("visibilitychange", onHide);
      onHide();
      leaveEntryDraft({ viewerId, blogId, at });
    };
  }, [viewerId, blogId, at]);

  const written = (): EntryDraft => ({
    title,
    isKey,
    document: (text.current?.state().doc.toJSON() ?? draft.document) as NodeJson,
    ...(initial && { base: initial.base ?? null }),
  });
  /** Keeps what is typed on this device, a moment later: a long text is not written at each letter. */
  const keep = (): void => {
    setError(null);
    keepTimer.current ??= setTimeout(() => latestKeep.current(), keepAfterMs);
    onType?.();
  };
  /** What is sent, or given up, is no draft any more. */
  const drop = (): void => {
    clearTimeout(keepTimer.current);
    keepTimer.current = undefined;
    storeEntryDraft(place, null);
  };
  const send = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (isWaiting || !text.current) return;
    setWaiting(true);
    const failed = await pictures.settle();
    setWaiting(false);
    const { document, ...fields } = written();
    const sent = trimDocument(document);
    const plain = documentToText(sent);
    const problem =
      failed > 0
        ? "A picture couldn’t be uploaded. Retry or remove it."
        : fields.title.trim() === "" && isEmptyText(sent)
          ? entryProblems.empty
          : plain.length > entryLimits.text
            ? entryProblems.tooLong
            : null;
    if (problem !== null) return setError(problem);
    const html = nodeToHtml(text.current.state().doc, { headingIds: false });
    // A change of an entry stays until it is answered.
    if (!initial) drop();
    onSend({
      title: fields.title.trim(),
      isKey: fields.isKey,
      document: sent,
      html,
      headline: headlineOf({ title: fields.title.trim(), excerpt: plain }),
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      event.stopPropagation();
      void send();
    }
  };
  /** Not of a menu or a popover, which are outside of the form or have handled it. */
  const onEscape = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    if (event.key !== "Escape" || !onCancel || event.defaultPrevented) return;
    event.stopPropagation();
    cancel();
  });
  useEffect(() => {
    // The form's own element: popovers of the editor are elsewhere in the document.
    const element = form.current!;
    const onKey = (event: globalThis.KeyboardEvent): void => onEscape(event);
    element.addEventListener("keydown", onKey);
    return () => element.removeEventListener("keydown", onKey);
  }, []);
  const cancel = (): void => {
    drop();
    onCancel?.();
  };
  return (
    <form
      ref={form}
      className="entry-form stack gap-3"
      data-tools={hasTools || undefined}
      aria-label={label}
      onSubmit={(event) => void send(event)}
      onKeyDownCapture={onKeyDown}
      noValidate
    >
      <TextField
        label="Title (optional)"
        isLabelHidden
        placeholder="Title (optional)"
        className="entry-form-title"
        value={title}
        maxLength={entryLimits.title}
        autoComplete="off"
        onChange={(event) => {
          setTitle(event.target.value);
          keep();
        }}
      />
      <Suspense fallback={<Skeleton />}>
        <ContentField
          label={label}
          document={draft.document}
          at={{
            epoch: `entry ${at}`,
            seq: 1,
            client: blogId,
            number: 0,
            steps: [],
            fields: {},
            underway: null,
          }}
          onText={(synced) => (text.current = synced)}
          takeFirstLines={() => (takesFocus ? { lines: "", hasFocus: true } : null)}
          error={error}
          company={nobody}
          isReading={false}
          onCaret={async () => true}
          {...cards}
          language={language}
          onLeave={() => form.current?.querySelector("input")?.focus()}
          onToolbar={() => flushSync(() => setTools(true))}
          onChange={() => keep()}
          onPictures={(underWay) => pictures.follow(underWay)}
        />
      </Suspense>
      {children}
      <div className="entry-form-foot row wrap">
        <button
          type="button"
          className="action switch entry-star"
          aria-pressed={isKey}
          onClick={() => {
            setKey(!isKey);
            keep();
          }}
        >
          <Star /> Key moment
        </button>
        <div className="row fixed to-end">
          <Button
            size="s"
            kind="quiet"
            className="entry-form-tools"
            aria-label="All tools"
            aria-expanded={hasTools}
            // Keeps the focus and the selection in the text.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setTools(!hasTools)}
          >
            Aa
          </Button>
          {onCancel && (
            <Button kind="quiet" size="s" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" kind="primary" size="s" busy={isWaiting}>
            {action}
          </Button>
        </div>
      </div>
    </form>
  );
}

const nobody = { others: [], isKnown: true };
