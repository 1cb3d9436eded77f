import { useRef, useState } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { LinkButton } from "../ui/button.tsx";
import { AddForm } from "./add-form.tsx";
import { InterestChip } from "./interest-chip.tsx";
import { addInterest, asInterest, editInterest, interestProblem, removeInterest } from "./interests.ts";
import { SettingsSection } from "./settings-section.tsx";
import { useSettings } from "./use-settings.ts";

/** Interests decide recommendations. Changes are saved at once. */
export function InterestSettings({ viewer }: { viewer: Viewer }) {
  const change = useSettings(viewer);
  const { interests } = viewer;
  const [editing, setEditing] = useState<string | null>(null);
  const [editedInterest, setEditedInterest] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);

  const changeInterests = (next: (interests: string[]) => string[]): void =>
    change((now) => ({ interests: next(now.interests) }));
  const remove = (interest: string): void => {
    input.current?.focus();
    changeInterests((now) => removeInterest(now, interest));
  };
  return (
    <SettingsSection
      name="interests"
      action={
        <LinkButton kind="quiet" size="s" to="/select-interests">
          Choose from a list
        </LinkButton>
      }
    >
      <p className="soft">We use them to recommend blogs to you.</p>
      {interests.length > 0 && (
        <ul className="row wrap" aria-label="Your interests">
          {interests.map((interest) => (
            <InterestChip
              key={interest}
              interest={interest}
              editing={editing === interest}
              edited={editedInterest === interest}
              problemOf={(text) => interestProblem(interests, text, interest)}
              onEdit={setEditing}
              onUpdate={(text) => {
                setEditing(null);
                setEditedInterest(asInterest(text));
                if (asInterest(text) !== interest)
                  changeInterests((now) => editInterest(now, interest, asInterest(text)));
              }}
              onRemove={() => remove(interest)}
            />
          ))}
        </ul>
      )}
      <AddForm
        input={input}
        label="Add an interest"
        action="Add"
        maxLength={limits.interests.length * 2}
        problemOf={(text) => interestProblem(interests, text)}
        onAdd={(text) => changeInterests((now) => addInterest(now, asInterest(text)))}
      />
    </SettingsSection>
  );
}
