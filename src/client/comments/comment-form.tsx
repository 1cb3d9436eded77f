import { useEffect, useRef, useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import { limits } from "../../shared/limits.ts";
import { useViewer } from "../session/viewer.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { TextArea } from "../ui/field.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { leaveDraft, readDraft, storeDraft } from "./drafts.ts";
import type { DraftPlace } from "./drafts.ts";
import { usePresence } from "./presence.ts";

interface Props {
  blog: BlogPage;
  label: string;
  /** The label of the submit button. */
  action: string;
  place: DraftPlace;
  /** The initial text if there is no draft. */
  text?: string;
  /** Changes when an unsent text is put back. */
  restored?: number;
  takesFocus?: boolean;
  /** Called with each change to a non-blank text. */
  onType?: () => void;
  onSend(text: string): void;
  onCancel?: () => void;
}

const MentionMenu = onDemand(() => import("./mention-menu.tsx"));

/** The counter appears below this many characters left. */
const nearLimit = 500;

/** Shows who else is writing a comment. Moves nothing and is not announced. */
export function ReplyingNotice({ blogId }: { blogId: string }) {
  const { replying } = usePresence(blogId);
  return (
    <p className="comment-replying clip muted size-xs" dir="auto">
      {replying}
    </p>
  );
}

/** A comment field. Each change is stored as a draft; Mod-Enter sends. */
export function CommentForm({
  blog,
  label,
  action,
  place,
  text = "",
  restored = 0,
  takesFocus = false,
  onType,
  onSend,
  onCancel,
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  // A field opened by a click is never server-rendered: it can read the draft at once.
  const [value, setValue] = useState(() => (takesFocus && readDraft(place)) || text);
  const [error, setError] = useState<string | null>(null);
  /** The field, from its first focus on: the button appears and stays, so that no click on something below misses it. */
  const [field, setField] = useState<HTMLTextAreaElement | null>(null);
  const viewer = useViewer();
  const { viewerId, blogId, at } = place;

  useEffect(() => () => leaveDraft({ viewerId, blogId, at }), [viewerId, blogId, at]);
  useEffect(() => {
    const box = form.current?.elements.namedItem("text") as HTMLTextAreaElement | null;
    if (!box) return;
    // Text typed before hydration is newer than any draft.
    const typed = restored === 0 && box.value !== text ? box.value : "";
    const initialText = typed || readDraft({ viewerId, blogId, at }) || text;
    setValue(initialText);
    if (!takesFocus || restored > 0) return;
    box.focus({ preventScroll: true });
    // After React has set the text.
    queueMicrotask(() => box.setSelectionRange(initialText.length, initialText.length));
  }, [viewerId, blogId, at, text, restored, takesFocus]);

  const length = [...value.trim()].length;
  const change = (next: string): void => {
    setValue(next);
    setError(null);
    storeDraft(place, next === text ? "" : next);
  };
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (length === 0) return setError("Write something first.");
    if (length > limits.comment.max)
      return setError(`A comment can have up to ${limits.comment.max.toLocaleString("en")} characters.`);
    onSend(value);
    change("");
    // After a click on the button, what is typed next would otherwise be taken for single keys.
    (form.current!.elements.namedItem("text") as HTMLTextAreaElement).focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      send();
    }
    if (event.key === "Escape" && onCancel) {
      event.stopPropagation();
      onCancel();
    }
  };

  return (
    <form ref={form} className="comment-form" data-open={field ? "" : undefined} onSubmit={send} noValidate>
      {!onCancel && viewer && <Avatar person={viewer} size={28} />}
      {onType && <ReplyingNotice blogId={blogId} />}
      <TextArea
        label={label}
        isLabelHidden
        name="text"
        placeholder={label}
        aria-autocomplete="list"
        rows={onCancel ? 2 : 1}
        value={value}
        error={error}
        {...(length > limits.comment.max - nearLimit
          ? { counter: { value: value.trim(), max: limits.comment.max } }
          : {})}
        onChange={(event) => {
          change(event.target.value);
          if (event.target.value.trim() !== "") onType?.();
        }}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          setField(target);
          keepInView(form.current!);
        }}
      />
      {field && value.includes("@") && <MentionMenu box={field} value={value} blog={blog} />}
      <div className="comment-form-actions row">
        <Button type="submit" kind="primary" size="s" aria-disabled={length === 0 || undefined}>
          {action}
        </Button>
        {onCancel && (
          <Button kind="quiet" size="s" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/** Scrolls to the form with its button, and again once the on-screen keyboard has opened. */
function keepInView(form: HTMLFormElement): void {
  const scroll = (): void => form.scrollIntoView({ block: "nearest" });
  requestAnimationFrame(scroll);
  const end = new AbortController();
  visualViewport?.addEventListener("resize", scroll, { once: true, signal: end.signal });
  form.addEventListener("focusout", () => end.abort(), { once: true });
}
