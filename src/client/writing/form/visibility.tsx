import { useId, useState } from "react";
import type { ReactNode } from "react";
import { audienceLabels, readersText } from "../../../shared/audience.ts";
import type { Schedule } from "../../../shared/blogs.ts";
import { scheduledTimeText } from "../../../shared/schedule.ts";
import { Button } from "../../ui/button.tsx";
import type { SharedBlog } from "../../authors/authors-section.tsx";
import { ScheduleField } from "./schedule-field.tsx";
import { defaultSchedule } from "./schedule-time.ts";
import { scheduleKey } from "../draft-fields.ts";
import type { BlogFields } from "../draft-fields.ts";

interface Props {
  draft: boolean;
  closed: boolean;
  shared: SharedBlog | null;
  later: BlogFields["later"];
  /** It was saved as a draft. */
  isDraft: boolean;
  /** It is not published, so it can be scheduled. */
  mayWait: boolean;
  /** The schedule on the server. */
  planned: Schedule | null;
  error: string | undefined;
  onChange: (change: Partial<Pick<BlogFields, "draft" | "private" | "later">>) => void;
  /** Further options of a published blog. */
  children?: ReactNode;
}

/** Returns what the server has if the author chose something else since. */
function pendingText(later: BlogFields["later"], planned: Schedule | null): string {
  if (scheduleKey(later) === scheduleKey(planned)) return "";
  return planned ? `It is still scheduled for ${scheduledTimeText(planned)}.` : "It isn’t scheduled yet.";
}

/** The visibility. Privacy does not apply to a draft. */
export function VisibilityFields({
  draft,
  closed,
  shared,
  later,
  isDraft,
  mayWait,
  planned,
  error,
  onChange,
  children,
}: Props) {
  const id = useId();
  const keepAsDraft = () => onChange({ draft: true, later: null });
  // Whether it was a draft before "Publish later".
  const [wasDraft, setWasDraft] = useState(isDraft);
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
          onChange={(event) => onChange({ draft: event.target.checked, later: null })}
        />
        <label htmlFor={`${id}-draft`}>Save as draft</label>
        <p id={`${id}-draft-hint`}>{readersText("nobody", shared)} can see it.</p>
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
        <label htmlFor={`${id}-private`}>{audienceLabels.followers}</label>
        <p id={`${id}-private-hint`}>{readersText("followers", shared)} can read it.</p>
      </div>
      {(mayWait || later) && (
        <div className="blog-form-option">
          <input
            id={`${id}-later`}
            type="checkbox"
            autoComplete="off"
            checked={later !== null}
            aria-describedby={`${id}-later-hint`}
            onChange={(event) => {
              if (!event.target.checked)
                return onChange({ draft: planned !== null || wasDraft, later: null });
              setWasDraft(draft);
              onChange({ draft: false, later: defaultSchedule(Date.now()) });
            }}
          />
          <label htmlFor={`${id}-later`}>Publish later</label>
          <p id={`${id}-later-hint`}>At a time you choose. It’s a draft until then.</p>
        </div>
      )}
      {later && (
        <ScheduleField later={later} error={error} onChange={(chosen) => onChange({ later: chosen })} />
      )}
      {(later || planned) && (
        <div className="later stack gap-2 start small">
          <p role="status">{pendingText(later, planned)}</p>
          {later && planned && (
            <Button size="s" onClick={keepAsDraft}>
              Keep as draft
            </Button>
          )}
        </div>
      )}
      {children}
    </fieldset>
  );
}
