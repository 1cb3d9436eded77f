import { useLayoutEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import { limits } from "../../../shared/limits.ts";
import { TextArea } from "../../ui/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { maxLength } from "./values.ts";

interface Props {
  value: string;
  error: string | undefined;
  isReading: boolean;
  /** A new blog begins with it: the caret stands in it at once. */
  isFirst: boolean;
  onChange: (title: string) => void;
  /** The writer goes on into the text. */
  onLeave: () => void;
}

/** One line that may be shown in several, as large as readers see it. */
export function TitleField({ value, error, isReading, isFirst, onChange, onLeave }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const isHydrated = useHydrated();
  const mayTakeFocus = useRef(isHydrated);
  useLayoutEffect(() => {
    if (!isFirst) return;
    // The page that comes leaves the focus here (app/arrive.ts). Where the server drew it the browser has put it here already.
    box.current?.setAttribute("autofocus", "");
    if (mayTakeFocus.current) box.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <TextArea
      ref={box}
      bare
      label="Title"
      name="title"
      className="blog-form-title"
      placeholder="Title"
      rows={1}
      dir="auto"
      autoComplete="off"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever opens a blank page is about to write
      autoFocus={isFirst}
      required
      readOnly={isReading}
      value={value}
      maxLength={maxLength(value, limits.title.max)}
      counter={{ value, max: limits.title.max }}
      error={error}
      onChange={(event) => onChange(event.target.value.replace(/[\r\n]+/g, " "))}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key !== "Enter" && !(event.key === "ArrowDown" && isLastLine(event))) return;
        event.preventDefault();
        onLeave();
      }}
    />
  );
}

/** Whether the caret has no line of the title below it. */
function isLastLine({ shiftKey, currentTarget: box }: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (shiftKey) return false;
  const line = Number.parseFloat(getComputedStyle(box).lineHeight);
  return box.selectionEnd === box.value.length || box.clientHeight < 2 * line;
}
