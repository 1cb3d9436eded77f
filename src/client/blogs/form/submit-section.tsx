import type { EditableBlog } from "../../../shared/blogs.ts";
import { Button } from "../../ui/button.tsx";
import type { SharedBlog } from "../authors/authors-section.tsx";
import { modKey } from "../../ui/shortcut-text.ts";
import { useViewer } from "../../session/viewer.ts";
import { audienceOf, busySubmitLabel } from "./blog-fields.ts";
import type { BlogFields } from "./blog-fields.ts";

interface Props {
  blog: EditableBlog | null;
  fields: BlogFields;
  shared: SharedBlog | null;
  label: string;
  /** Opened by a shortcut, which publishes when pressed again. */
  isByKeys: boolean;
  sending: boolean;
  /** The working copy is loaded. */
  isReady: boolean;
  isReading: boolean;
}

/** Who will be able to read the blog, and the publish button; always in sight. */
export function SubmitSection({ blog, fields, shared, label, isByKeys, sending, isReady, isReading }: Props) {
  const viewer = useViewer();
  const isClosed = fields.private || (shared ? shared.isOwnerPrivate : viewer?.private);
  const audience = audienceOf({ ...fields, private: Boolean(isClosed) });
  return (
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
        disabled={!isReady || isReading}
        className="blog-form-submit"
      >
        {label}
      </Button>
    </div>
  );
}
