import { useId } from "react";

interface Props {
  draft: boolean;
  closed: boolean;
  onChange: (change: { draft?: boolean; private?: boolean }) => void;
}

/** Who will read it. A draft is its author's alone, so privacy has nothing to say there. */
export function VisibilityFields({ draft, closed, onChange }: Props) {
  const id = useId();
  return (
    <fieldset className="blog-form-visibility">
      <legend className="visually-hidden">Visibility</legend>
      <div className="blog-form-option">
        <input
          id={`${id}-draft`}
          type="checkbox"
          className="blog-form-switch"
          autoComplete="off"
          checked={draft}
          aria-describedby={`${id}-draft-hint`}
          onChange={(event) => onChange({ draft: event.target.checked })}
        />
        <label htmlFor={`${id}-draft`}>Save as draft</label>
        <p id={`${id}-draft-hint`}>Only you can see it.</p>
      </div>
      <div className="blog-form-option" data-disabled={draft || undefined}>
        <input
          id={`${id}-private`}
          type="checkbox"
          autoComplete="off"
          checked={closed}
          disabled={draft}
          aria-describedby={`${id}-private-hint`}
          onChange={(event) => onChange({ private: event.target.checked })}
        />
        <label htmlFor={`${id}-private`}>Private</label>
        <p id={`${id}-private-hint`}>Only your followers can read it.</p>
      </div>
    </fieldset>
  );
}
