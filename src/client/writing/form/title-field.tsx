import { useLayoutEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import { limits } from "../../../shared/limits.ts";
import { isComposing } from "../../ui/composing.ts";
import { TextArea } from "../../ui/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { maxLength } from "./blog-fields.ts";
import { focusText, useSteadyCaret } from "./caret.ts";
import { useTypography } from "./title-typography.ts";

interface Props {
  value: string;
  error: string | undefined;
  isReading: boolean;
  /** Empty if unknown: then the browser's is used. */
  language: string;
  /** The blog is new: the title takes the focus. */
  isFirst: boolean;
  onChange: (title: string) => void;
  /** Called with the lines that were typed below the title before the page's script was loaded. */
  onLines: (lines: string) => void;
  /** Called when the author moves to the text. */
  onLeave: () => void;
}

/** A single line that may wrap. */
export function TitleField({
  value,
  error,
  isReading,
  language,
  isFirst,
  onChange,
  onLines,
  onLeave,
}: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  useSteadyCaret(box, value);
  const typography = useTypography(language);
  const isHydrated = useHydrated();
  const mayTakeFocus = useRef(isHydrated);
  useLayoutEffect(() => {
    if (!isFirst) return;
    // Makes page navigation leave the focus here (app/focus-on-navigation.ts). On a server-rendered page the browser set it.
    box.current?.setAttribute("autofocus", "");
    if (mayTakeFocus.current) box.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <TextArea
      ref={box}
      isLabelHidden
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
      onChange={({ target }) => {
        const [title = "", ...lines] = target.value.split("\n");
        if (isHydrated || lines.length === 0) return onChange(target.value.replace(/[\r\n]+/g, " "));
        // Enter did not lead to the text yet. A blog's title, which is not shown yet, stays.
        if (title !== value) onChange(title);
        onLines(lines.join("\n"));
        if (document.activeElement === target) focusText(target.closest(".blog-form-text"));
      }}
      onInput={typography.onInput}
      onKeyDown={(event) => {
        typography.onKeyDown(event);
        if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key !== "Enter" && !(event.key === "ArrowDown" && isLastLine(event))) return;
        event.preventDefault();
        onLeave();
      }}
    />
  );
}

/** Whether the caret is in the last line of the title. */
function isLastLine({ shiftKey, currentTarget: box }: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (shiftKey) return false;
  const line = Number.parseFloat(getComputedStyle(box).lineHeight);
  return box.selectionEnd === box.value.length || box.clientHeight < 2 * line;
}
