import { useState } from "react";
import { audienceLabels, readersText } from "../../../shared/audience.ts";
import type { Schedule } from "../../../shared/blogs.ts";
import { scheduledTimeText } from "../../../shared/schedule.ts";
import { Button } from "../../ui/button.tsx";
import type { SharedBlog } from "../../authors/authors-section.tsx";
import { FormOption } from "./form-option.tsx";
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
}: Props) {
  const keepAsDraft = () => onChange({ draft: true, later: null });
  // Whether it was a draft before "Publish later".
  const [wasDraft, setWasDraft] = useState(isDraft);
  return (
    <fieldset className="blog-form-visibility">
      <legend className="visually-hidden">Visibility</legend>
      <FormOption
        isSwitch
        label="Save as draft"
        hint={`${readersText("nobody", shared)} can see it.`}
        checked={draft}
        onChange={(checked) => onChange({ draft: checked, later: null })}
      />
      <FormOption
        label={audienceLabels.followers}
        hint={`${readersText("followers", shared)} can read it.`}
        checked={closed}
        disabled={draft}
        onChange={(checked) => onChange({ private: checked })}
      />
      {(mayWait || later) && (
        <FormOption
          label="Publish later"
          hint="At a time you choose. It’s a draft until then."
          checked={later !== null}
          onChange={(checked) => {
            if (!checked) return onChange({ draft: planned !== null || wasDraft, later: null });
            setWasDraft(draft);
            onChange({ draft: false, later: defaultSchedule(Date.now()) });
          }}
        />
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
    </fieldset>
  );
}
