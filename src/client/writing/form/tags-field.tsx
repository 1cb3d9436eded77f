import { useId, useImperativeHandle, useRef, useState } from "react";
import type { KeyboardEvent, Ref } from "react";
import { limits } from "../../../shared/limits.ts";
import { isComposing } from "../../ui/composing.ts";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/toasts.tsx";
import { addTags, hasSeparator } from "./tags-rules.ts";
import { FieldError } from "../../ui/field.tsx";
import "./tags-field.css";

export interface TagsHandle {
  /** Makes a tag of the typed text. Returns the tags, or null if it is invalid. */
  settle(): readonly string[] | null;
  /** Returns the tags with the typed text, if it is valid. */
  withTyped(): readonly string[];
}

interface Props {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
  /** Called for text that is no tag yet. */
  onTyping: () => void;
  error?: string | null | undefined;
  handle?: Ref<TagsHandle>;
}

/** Tags as chips before a text field: Enter or a comma adds one, Backspace in an empty field removes the last. */
export function TagsField({ tags, onChange, onTyping, error, handle }: Props) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [hasSpace, setHasSpace] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const note =
    hasSpace && text !== ""
      ? `Tags have no spaces: this becomes “${text}”. Join words with a hyphen, or press Enter for the next tag.`
      : null;
  const shown = problem ?? error;

  const add = (typed: string): readonly string[] | null => {
    const added = addTags(tags, typed);
    setText(added.rest);
    setHasSpace(false);
    setProblem(added.error);
    if (added.error) toast({ message: added.error, kind: "error" });
    if (added.tags.length > tags.length) {
      onChange([...added.tags]);
      setAnnouncement(`Added ${added.tags.slice(tags.length).join(", ")}.`);
    }
    return added.error ? null : added.tags;
  };
  const remove = (tag: string) => {
    onChange(tags.filter((one) => one !== tag));
    setProblem(null);
    setAnnouncement(`Removed ${tag}.`);
    box.current?.focus();
  };
  const take = (value: string, isComposed: boolean) => {
    onTyping();
    // Don't change text while an input method is composing it.
    const typed = isComposed ? value : value.replace(/\s/gu, "");
    if (!isComposed && hasSeparator(typed)) add(value);
    else {
      setText(typed);
      setHasSpace(typed !== "" && (hasSpace || typed !== value));
      setProblem(null);
    }
  };
  const inBox = () => box.current?.value ?? "";
  useImperativeHandle(handle, () => ({
    settle: () => add(inBox()),
    withTyped: () => addTags(tags, inBox()).tags,
  }));

  const typed = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      // Enter would submit the form.
      event.preventDefault();
      add(text);
    } else if (event.key === " ") {
      event.preventDefault();
      setHasSpace(text !== "");
    } else if (event.key === "Backspace" && text === "" && tags.length > 0) {
      event.preventDefault();
      remove(tags.at(-1)!);
    }
  };

  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        Tags
      </label>
      <div className="field-box tags-box row wrap">
        {tags.length > 0 && (
          <ul className="tags-list">
            {tags.map((tag) => (
              <li key={tag} className="tags-chip small">
                {tag}
                <button
                  type="button"
                  className="tags-remove icon-button"
                  aria-label={`Remove ${tag}`}
                  onClick={() => remove(tag)}
                >
                  <Icon name="close" size={14} />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          id={id}
          ref={box}
          name="tag"
          className="tags-input"
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="done"
          placeholder={tags.length === 0 ? "Add tags, separated by commas" : ""}
          value={text}
          aria-invalid={shown ? true : undefined}
          aria-describedby={`${id}-left${note ? ` ${id}-note` : ""}${shown ? ` ${id}-error` : ""}`}
          onKeyDown={typed}
          // Phone keyboards send no key for a space or a comma.
          onChange={({ target, nativeEvent }) => take(target.value, (nativeEvent as InputEvent).isComposing)}
          onCompositionEnd={({ currentTarget }) => take(currentTarget.value, false)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData("text/plain");
            if (!hasSeparator(pasted.trim())) return;
            event.preventDefault();
            add(`${text} ${pasted}`);
          }}
        />
      </div>
      <div className="row top between gap-4 note field-notes">
        <span id={`${id}-left`} className="tabular">
          Tags remaining: {limits.tags.max - tags.length}
        </span>
      </div>
      {note && (
        <p id={`${id}-note`} className="row top between gap-4 note field-notes">
          {note}
        </p>
      )}
      <span className="visually-hidden" role="status">
        {hasSpace ? "Tags have no spaces." : announcement}
      </span>
      <FieldError id={id} error={shown} />
    </div>
  );
}
