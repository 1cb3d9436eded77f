import { useEffect, useRef, useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import { limits } from "../../shared/limits.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { keepDraft, readDraft } from "./drafts.ts";
import type { DraftPlace } from "./drafts.ts";
import { useCompany } from "./presence.ts";

interface Props {
  /** Name of the text box. */
  label: string;
  /** Name of the button that sends. */
  action: string;
  place: DraftPlace;
  /** What stands in the box where nothing was begun before. */
  text?: string;
  /** Changes when a text comes back that could not be sent. */
  restored?: number;
  takesFocus?: boolean;
  /** Called with each change. */
  onType?: () => void;
  onSend(text: string): void;
  onCancel?: () => void;
}

/** From here on the characters left are shown. */
const nearLimit = 500;

/** Who else is writing there. It moves nothing, and is announced to nobody. */
export function ReplyingThere({ blogId }: { blogId: string }) {
  const { replying } = useCompany(blogId);
  return (
    <p className="comment-replying" dir="auto">
      {replying}
    </p>
  );
}

/** Where a comment is written. Each change is kept as a draft, so that nothing typed is lost; Mod-Enter sends. */
export function CommentForm({
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
  // A box that somebody asked for is drawn by the browser alone; the others may be in what the server drew.
  const [value, setValue] = useState(() => (takesFocus && readDraft(place)) || text);
  const [error, setError] = useState<string | null>(null);
  const { viewerId, blogId, at } = place;

  useEffect(() => {
    const box = form.current?.elements.namedItem("text") as HTMLTextAreaElement | null;
    if (!box) return;
    // What was typed before this script ran is newer than any draft.
    const typed = restored === 0 && box.value !== text ? box.value : "";
    const begun = typed || readDraft({ viewerId, blogId, at }) || text;
    setValue(begun);
    if (!takesFocus || restored > 0) return;
    box.focus({ preventScroll: true });
    // After React has put the text in: the caret stands at its end.
    queueMicrotask(() => box.setSelectionRange(begun.length, begun.length));
    box.scrollIntoView({ block: "nearest" });
  }, [viewerId, blogId, at, text, restored, takesFocus]);

  const length = [...value.trim()].length;
  const change = (next: string): void => {
    setValue(next);
    setError(null);
    keepDraft(place, next === text ? "" : next);
  };
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (length === 0) return setError("Write something first.");
    if (length > limits.comment.max)
      return setError(`A comment can have up to ${limits.comment.max.toLocaleString("en")} characters.`);
    // The draft goes last: it knows whether this very text was sent before.
    onSend(value);
    change("");
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
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
    <form ref={form} className="comment-form" onSubmit={send} noValidate>
      {onType && <ReplyingThere blogId={blogId} />}
      <TextArea
        label={label}
        bare
        name="text"
        placeholder={label}
        rows={onCancel ? 2 : 3}
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
      />
      <div className="comment-form-actions">
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
