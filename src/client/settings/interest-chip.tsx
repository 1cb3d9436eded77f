import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { limits } from "../../shared/limits.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";

interface Props {
  interest: string;
  editing: boolean;
  /** Its edit form has just closed: it gets the focus. */
  edited: boolean;
  problemOf: (text: string) => string | null;
  onEdit: (interest: string | null) => void;
  onUpdate: (text: string) => void;
  onRemove: () => void;
}

export function InterestChip({ interest, editing, edited, problemOf, onEdit, onUpdate, onRemove }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(edited);
  useEffect(() => {
    if (wasEditing.current && !editing && document.activeElement === document.body) button.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  if (editing) {
    return (
      <li className="full">
        <EditForm
          interest={interest}
          problemOf={problemOf}
          onUpdate={onUpdate}
          onCancel={() => onEdit(null)}
        />
      </li>
    );
  }
  return (
    <li className="chip ink framed round interest">
      <bdi>{interest}</bdi>
      <button
        ref={button}
        type="button"
        className="icon-button round interest-act"
        aria-label={`Edit ${interest}`}
        onClick={() => onEdit(interest)}
      >
        <Icon name="edit" size={16} />
      </button>
      <button
        type="button"
        className="icon-button round interest-act"
        aria-label={`Remove ${interest}`}
        onClick={onRemove}
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  );
}

function EditForm({
  interest,
  problemOf,
  onUpdate,
  onCancel,
}: Pick<Props, "interest" | "problemOf" | "onUpdate"> & { onCancel: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => input.current?.select(), []);
  const update = (event: FormEvent): void => {
    event.preventDefault();
    const text = input.current?.value ?? "";
    const newProblem = problemOf(text);
    setProblem(newProblem);
    if (newProblem) input.current?.focus();
    else onUpdate(text);
  };
  return (
    <form className="interest-form" noValidate onSubmit={update} onInput={() => problem && setProblem(null)}>
      <TextField
        ref={input}
        label="Edit interest"
        isLabelHidden
        defaultValue={interest}
        error={problem}
        maxLength={limits.interests.length * 2}
        autoComplete="off"
        onKeyDown={(event) => event.key === "Escape" && onCancel()}
      />
      <div className="row">
        <Button type="submit" size="s" kind="primary">
          Update
        </Button>
        <Button size="s" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
