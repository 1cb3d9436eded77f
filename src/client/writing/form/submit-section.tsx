import { audienceOf, willBeReadText } from "../../../shared/audience.ts";
import type { EditableBlog, Schedule } from "../../../shared/blogs.ts";
import { Button } from "../../ui/button.tsx";
import type { SharedBlog } from "../../authors/authors-section.tsx";
import { FormOption } from "./form-option.tsx";
import { VisibilityFields } from "./visibility.tsx";
import { modKey } from "../../ui/shortcut-text.ts";
import { useViewer } from "../../session/viewer.ts";
import { busySubmitLabel } from "./blog-fields.ts";
import type { FieldErrors } from "./blog-fields.ts";
import type { BlogFields } from "../draft-fields.ts";

interface Props {
  blog: EditableBlog | null;
  fields: BlogFields;
  /** The schedule on the server. */
  planned: Schedule | null;
  errors: FieldErrors;
  shared: SharedBlog | null;
  label: string;
  /** Opened by a shortcut, which publishes when pressed again. */
  isByKeys: boolean;
  sending: boolean;
  /** The draft is loaded. */
  isReady: boolean;
  isReading: boolean;
  /** It becomes a live blog. */
  startsLive: boolean;
  onStartsLive: (startsLive: boolean) => void;
  onChange: (change: Partial<BlogFields>) => void;
}

/** The visibility and the publish button, which is always in sight. */
export function SubmitSection(props: Props) {
  const { blog, fields, planned, errors, shared, label, isByKeys, sending, isReady, isReading, onChange } =
    props;
  const { startsLive, onStartsLive } = props;
  const viewer = useViewer();
  const audience = audienceOf({
    draft: fields.draft || fields.later !== null,
    private: fields.private,
    authorPrivate: shared ? shared.isOwnerPrivate : (viewer?.private ?? false),
  });
  return (
    <fieldset className="blog-form-send stack" disabled={isReading}>
      <VisibilityFields
        draft={fields.draft}
        closed={fields.private}
        later={fields.later}
        shared={shared}
        isDraft={blog?.draft ?? false}
        mayWait={!blog || blog.draft}
        planned={planned}
        error={errors.later}
        onChange={onChange}
      />
      {!blog?.live && (
        <FormOption
          isSwitch
          label="Live blog"
          hint={
            fields.draft || fields.later
              ? "For a blog that is published at once."
              : "Report an event entry by entry, below this text. Readers see each entry as you post it."
          }
          checked={startsLive && !fields.draft && !fields.later}
          disabled={fields.draft || fields.later !== null}
          onChange={onStartsLive}
        />
      )}
      <div className="blog-form-end stack">
        {audience !== "nobody" && (
          <p className="blog-form-readers note">
            {willBeReadText(audience, shared)}
            {isByKeys && ` Press ${modKey()} and Enter again to do so.`}
          </p>
        )}
        <Button
          type="submit"
          kind="primary"
          busy={sending}
          busyLabel={busySubmitLabel(fields, blog !== null)}
          disabled={!isReady}
          className="blog-form-submit full target"
        >
          {label}
        </Button>
      </div>
    </fieldset>
  );
}
