import { useRef, useState } from "react";
import type { FormEvent } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { InterestChip } from "./interest-chip.tsx";
import { addInterest, asInterest, editInterest, interestProblem, removeInterest } from "./interests.ts";
import { useSettings } from "./use-settings.ts";

/** Interests decide recommendations. Changes are saved at once. */
export function InterestSettings({ viewer }: { viewer: Viewer }) {
  const change = useSettings(viewer);
  const { interests } = viewer;
  const [problem, setProblem] = useState<string | null>(null);
  const [editing, setEditing] = useState<string | null>(null);
  const [edited, setEdited] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);

  const become = (next: (interests: string[]) => string[]): void =>
    change((now) => ({ interests: next(now.interests) }));
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const { current } = box;
    if (!current) return;
    const found = interestProblem(interests, current.value);
    setProblem(found);
    current.focus();
    if (found) return;
    const added = asInterest(current.value);
    current.value = "";
    become((now) => addInterest(now, added));
  };
  const remove = (one: string): void => {
    box.current?.focus();
    become((now) => removeInterest(now, one));
  };
  return (
    <section className="settings-part" aria-labelledby="settings-interests">
      <div className="settings-head">
        <h2 id="settings-interests">Interests</h2>
        <LinkButton kind="quiet" size="s" to="/select-interests">
          Choose from a list
        </LinkButton>
      </div>
      <p className="settings-text">We use them to recommend blogs to you.</p>
      {interests.length > 0 && (
        <ul className="interest-list" aria-label="Your interests">
          {interests.map((one) => (
            <InterestChip
              key={one}
              interest={one}
              editing={editing === one}
              edited={edited === one}
              problemOf={(text) => interestProblem(interests, text, one)}
              onEdit={setEditing}
              onUpdate={(text) => {
                setEditing(null);
                setEdited(asInterest(text));
                if (asInterest(text) !== one) become((now) => editInterest(now, one, asInterest(text)));
              }}
              onRemove={() => remove(one)}
            />
          ))}
        </ul>
      )}
      <form className="interest-add" noValidate onSubmit={add} onInput={() => problem && setProblem(null)}>
        <TextField
          ref={box}
          label="Add an interest"
          error={problem}
          maxLength={limits.interests.length * 2}
          autoComplete="off"
        />
        <Button type="submit">Add</Button>
      </form>
    </section>
  );
}
