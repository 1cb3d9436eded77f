import { useId, useState } from "react";
import { audienceOf } from "../../shared/audience.ts";
import { escapeHtml } from "../../shared/document/html-tags.ts";
import type { BlogPage } from "../../shared/blogs.ts";
import type { LiveState } from "../../shared/entries.ts";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { useSite } from "../session/site.ts";
import { useViewer } from "../session/viewer.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";

interface Props {
  blog: BlogPage;
  live: LiveState;
  onClose: () => void;
}

/** Lets other sites show the live blog in a frame, and has the HTML for them. */
export default function EmbedDialog({ blog, live, onClose }: Props) {
  const authorPrivate = useViewer()?.private ?? false;
  const isPublic = audienceOf({ draft: blog.draft, private: blog.private, authorPrivate }) === "everyone";
  return (
    <Dialog
      title="Embed this live blog"
      onClose={onClose}
      actions={
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      {isPublic ? (
        <Choice blog={blog} live={live} />
      ) : (
        <p>Only public live blogs can be shown on other sites. This one isn’t public.</p>
      )}
    </Dialog>
  );
}

function Choice({ blog: { id, slug, title }, live }: Omit<Props, "onClose">) {
  const box = useId();
  const { publicUrl } = useSite();
  const [chosen, choose] = useState<boolean>();
  const choice = trpc.blogs.setEmbeddable.useMutation({ onError: () => choose(undefined) });
  const isOn = chosen ?? live.embeddable;
  const snippet = `<iframe src="${publicUrl}${routes.embed(slug)}" title="${escapeHtml(title)}" width="100%" height="600" loading="lazy"></iframe>`;
  return (
    <div className="stack gap-4">
      <div className="row gap-2">
        <input
          id={box}
          type="checkbox"
          checked={isOn}
          aria-describedby={`${box}-hint`}
          onChange={({ target: { checked } }) => {
            choose(checked);
            choice.mutate({ id, embeddable: checked });
          }}
        />
        <label htmlFor={box}>Other sites may show this live blog</label>
      </div>
      <p id={`${box}-hint`} className="note">
        In a frame with its newest entries, which arrive as you post them. Without cookies, and with a link to
        your blog.
      </p>
      {choice.error && (
        <p className="danger small" role="alert">
          {errorMessage(choice.error, messages.connection)}
        </p>
      )}
      {isOn && (
        <div className="stack gap-1">
          <TextArea
            label="HTML for the other site"
            dir="ltr"
            spellCheck={false}
            rows={4}
            readOnly
            value={snippet}
            onFocus={(event) => event.target.select()}
          />
          <div className="row to-end">
            <CopyButton text={snippet} label="Copy the HTML" />
          </div>
        </div>
      )}
    </div>
  );
}
