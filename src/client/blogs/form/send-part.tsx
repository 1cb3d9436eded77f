import type { EditableBlog } from "../../../shared/blogs.ts";
import { Button } from "../../ui/button.tsx";
import type { SharedBlog } from "../authors/authors-part.tsx";
import { LiveField } from "./live-field.tsx";
import { VisibilityFields } from "./visibility.tsx";
import { modKey } from "../../ui/shown-keys.ts";
import { useViewer } from "../../session/viewer.ts";
import { audienceOf, busySubmitLabel } from "./values.ts";
import type { BlogFields, FieldErrors } from "./values.ts";

interface Props {
  blog: EditableBlog | null;
  fields: BlogFields;
  errors: FieldErrors;
  shared: SharedBlog | null;
  /** What the button says. */
  label: string;
  /** Keys have led here: the same ones, pressed anew, do it. */
  isByKeys: boolean;
  sending: boolean;
  /** There is something to send. */
  isReady: boolean;
  isReading: boolean;
  onChange: (change: Partial<BlogFields>) => void;
}

/** Who will read it, and what publishes it, which stays in sight however much is above. */
export function SendPart(props: Props) {
  const { blog, fields, errors, shared, label, isByKeys, sending, isReady, isReading, onChange } = props;
  const viewer = useViewer();
  const isClosed = fields.private || (shared ? shared.closed : viewer?.private);
  const audience = audienceOf({ ...fields, private: Boolean(isClosed) });
  return (
    <fieldset className="blog-form-send" disabled={isReading}>
      <VisibilityFields
        draft={fields.draft}
        closed={fields.private}
        later={fields.later}
        shared={shared}
        mayWait={!blog || blog.draft}
        isPlanned={Boolean(blog?.schedule)}
        error={errors.later}
        onChange={onChange}
      >
        {blog && !blog.draft && <LiveField id={blog.id} live={blog.live ?? false} disabled={fields.draft} />}
      </VisibilityFields>
      <div className="blog-form-end">
        {audience > 0 && (
          <p className="blog-form-readers">
            {audience === 2 ? (
              "Everyone"
            ) : shared?.owner ? (
              <>
                <bdi>{shared.owner}</bdi>’s followers
              </>
            ) : (
              "Your followers"
            )}{" "}
            will be able to read it as it is now.
            {isByKeys && ` Press ${modKey()} and Enter again to do so.`}
          </p>
        )}
        <Button
          type="submit"
          kind="primary"
          busy={sending}
          busyLabel={busySubmitLabel(fields, blog !== null)}
          disabled={!isReady}
          className="blog-form-submit"
        >
          {label}
        </Button>
      </div>
    </fieldset>
  );
}
